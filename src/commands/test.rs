//! Implements `test`: performs a controller's action from this machine.

pub mod provider;

group! {
    /// Send a test message through a Provider
    Provider(provider),
}

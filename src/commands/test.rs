//! `test`: tries what a controller would do, now and from this machine.

pub mod provider;

group! {
    /// Send a test message through a Provider
    Provider(provider),
}

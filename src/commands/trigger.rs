//! Implements `trigger`: starts a reconciliation without access to the cluster.

pub mod receiver;

group! {
    /// Call the webhook of a Receiver
    Receiver(receiver),
}

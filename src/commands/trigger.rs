//! `trigger`: a reconciliation set off by whoever has no access to the cluster.

pub mod receiver;

group! {
    /// Call the webhook of a Receiver
    Receiver(receiver),
}

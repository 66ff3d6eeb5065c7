//! An untyped Kubernetes object: identity, order, patches and health; no client, no async.

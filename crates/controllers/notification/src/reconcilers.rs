//! The reconcilers. Only Receivers have a status. Those of Providers and Alerts update finalizers.

pub(crate) mod alert;
pub(crate) mod provider;
pub(crate) mod receiver;

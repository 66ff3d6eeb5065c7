//! The reconcilers. Only Receivers have a status; Providers and Alerts have finalizers to care for.

pub(crate) mod alert;
pub(crate) mod provider;
pub(crate) mod receiver;

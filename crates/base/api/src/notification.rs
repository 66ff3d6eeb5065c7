//! `notification.toolkit.fluxcd.io`: alerts, providers and receivers.

pub mod alert;
pub mod provider;
pub mod receiver;
pub mod subject;
pub mod webhook;

pub use alert::{Alert, AlertSpec, EventSeverity};
pub use provider::{Provider, ProviderSpec, ProviderType};
pub use receiver::{
    OidcProvider, OidcValidation, OidcVariable, Receiver, ReceiverResource, ReceiverSpec,
    ReceiverStatus, ReceiverType,
};
pub use subject::{SubjectKind, SubjectReference};

/// API group.
pub const GROUP: &str = "notification.toolkit.fluxcd.io";

/// Served version of `Alert` and `Provider`.
pub const VERSION: &str = "v1beta3";

/// Served version of `Receiver`.
pub const RECEIVER_VERSION: &str = "v1";

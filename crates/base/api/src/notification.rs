//! `notification.toolkit.fluxcd.io`: who is told what, and who may knock.

pub mod alert;
pub mod provider;
pub mod receiver;
pub mod subject;

pub use alert::{Alert, AlertSpec, EventSeverity};
pub use provider::{Provider, ProviderSpec, ProviderType};
pub use receiver::{
    OidcProvider, OidcValidation, OidcVariable, Receiver, ReceiverResource, ReceiverSpec,
    ReceiverStatus, ReceiverType,
};
pub use subject::{SubjectKind, SubjectReference};

/// The API group.
pub const GROUP: &str = "notification.toolkit.fluxcd.io";

/// The version that `Alert` and `Provider` are served in.
pub const VERSION: &str = "v1beta3";

/// The version that `Receiver` is served in.
pub const RECEIVER_VERSION: &str = "v1";

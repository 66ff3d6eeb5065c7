//! The options of requests, and the result of a list.

use kube::core::params::PropagationPolicy;
use serde_json::Value;

/// How to change an object.
#[derive(Debug, Clone, Copy, Default)]
pub struct PatchOptions<'a> {
    /// The field manager; required by [`Cluster::apply`](crate::Cluster::apply).
    pub field_manager: Option<&'a str>,
    /// Takes fields over from other managers. Only for [`Cluster::apply`](crate::Cluster::apply).
    pub force: bool,
    /// Validates the change without persisting it.
    pub dry_run: bool,
    /// The subresource to change, such as `status`.
    pub subresource: Option<&'a str>,
    /// How the server treats unknown and duplicate fields; `None` is its default.
    pub field_validation: Option<FieldValidation>,
}

/// How the server treats fields that are unknown or given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValidation {
    /// Refuses the request.
    Strict,
    /// Drops the fields and answers with warnings.
    Warn,
    /// Drops the fields.
    Ignore,
}

impl FieldValidation {
    /// The value of the query parameter `fieldValidation`.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::Warn => "Warn",
            Self::Ignore => "Ignore",
        }
    }
}

/// The required freshness of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The current state.
    Latest,
    /// A state from the cache of the server, a moment old at worst. Cheaper for the server.
    Cached,
}

/// How to delete an object.
#[derive(Debug, Clone, Default)]
pub struct DeleteOptions {
    /// Deletes only the object of this uid.
    pub uid: Option<String>,
    /// Deletes only this version of the object.
    pub resource_version: Option<String>,
    /// The deletion of dependants; `None` is the default of the kind.
    pub propagation: Option<PropagationPolicy>,
    /// Validates the change without persisting it.
    pub dry_run: bool,
}

/// Which objects to list.
#[derive(Debug, Clone, Default)]
pub struct ListOptions {
    /// Label selector.
    pub labels: Option<String>,
    /// Field selector.
    pub fields: Option<String>,
    /// Requests identity, labels and annotations only.
    pub metadata_only: bool,
    /// Drops `managedFields`, which are often most of an object.
    pub without_managers: bool,
}

/// How to watch.
#[derive(Debug, Clone, Default)]
pub struct WatchOptions {
    /// Label selector.
    pub labels: Option<String>,
    /// Field selector, such as `metadata.name=web`.
    pub fields: Option<String>,
    /// Requests identity, labels and annotations only.
    pub metadata_only: bool,
    /// Begins with a snapshot, whose end is marked by a bookmark.
    pub initial: bool,
}

/// The result of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// The objects, each with `apiVersion` and `kind`.
    pub items: Vec<Value>,
    /// The version from which a watch continues.
    pub resource_version: String,
}

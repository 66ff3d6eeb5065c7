//! Determines the objects that a call reconciles.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_api::notification::{Receiver, ReceiverResource, SubjectKind};

/// Objects of one entry of `spec.resources`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// API group.
    pub group: String,
    /// API version without the group.
    pub version: String,
    /// Kind.
    pub kind: String,
    /// Namespace.
    pub namespace: String,
    /// Selected objects.
    pub selection: Selection,
}

/// Selection of objects within a kind and namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The object with this name. It must exist.
    Name(String),
    /// Objects with these labels, possibly none.
    Labels(BTreeMap<String, String>),
}

/// Error of an entry. The other entries still work, but the response is 500.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The entry refers to another namespace.
    #[error("cross-namespace references are not allowed")]
    CrossNamespace,
    /// The kind has no default version.
    #[error("apiVersion must be specified for kind {0:?}")]
    NoVersion(String),
    /// The name is `*`, and labels are missing.
    #[error("matchLabels field not set when using wildcard '*' as name")]
    NoLabels,
}

/// Returns the objects of each entry of `spec.resources`, in order.
pub fn targets(
    receiver: &Receiver,
    no_cross_namespace_refs: bool,
) -> Vec<Result<Target, TargetError>> {
    let namespace = receiver.metadata.namespace.as_deref().unwrap_or_default();
    let resources = receiver.spec.resources.iter();
    resources
        .map(|resource| target(resource, namespace, no_cross_namespace_refs))
        .collect()
}

fn target(
    resource: &ReceiverResource,
    own: &str,
    no_cross_namespace_refs: bool,
) -> Result<Target, TargetError> {
    let namespace = resource.namespace.as_deref().unwrap_or(own);
    if no_cross_namespace_refs && namespace != own {
        return Err(TargetError::CrossNamespace);
    }
    let kind = resource.kind.as_str();
    let version = resource.api_version.as_deref();
    let version = version.or_else(|| default_version(&resource.kind));
    let version = version.ok_or_else(|| TargetError::NoVersion(kind.to_owned()))?;
    let mut parts = version.split('/');
    let (group, version) = match (parts.next(), parts.next()) {
        (Some(group), Some(version)) => (group, version),
        (version, _) => ("", version.unwrap_or_default()),
    };
    let selection = match resource.name.as_str() {
        "*" if resource.match_labels.is_empty() => return Err(TargetError::NoLabels),
        "*" => Selection::Labels(resource.match_labels.clone()),
        name => Selection::Name(name.to_owned()),
    };
    Ok(Target {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        namespace: namespace.to_owned(),
        selection,
    })
}

/// Returns the default version of a kind. Other kinds need an explicit version, as in the
/// reference.
const fn default_version(kind: &SubjectKind) -> Option<&'static str> {
    match kind {
        SubjectKind::Bucket
        | SubjectKind::HelmChart
        | SubjectKind::HelmRepository
        | SubjectKind::GitRepository
        | SubjectKind::OciRepository => Some("source.toolkit.fluxcd.io/v1"),
        SubjectKind::ImageRepository => Some("image.toolkit.fluxcd.io/v1"),
        SubjectKind::ArtifactGenerator => Some("source.extensions.fluxcd.io/v1beta1"),
        _ => None,
    }
}

/// Returns the annotation value that requests a reconciliation, in the format of Go's
/// `Time.String`.
pub fn requested_at(now: Timestamp) -> String {
    let now = now.to_zoned(TimeZone::UTC);
    let text = now.strftime("%Y-%m-%d %H:%M:%S%.f").to_string();
    format!("{text} +0000 UTC")
}

/// Returns the merge patch that requests a reconciliation.
pub fn patch(now: Timestamp) -> Value {
    json!({ "metadata": { "annotations": { RECONCILE_REQUESTED_AT: requested_at(now) } } })
}

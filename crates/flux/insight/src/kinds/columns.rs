//! The columns of `get`: pure functions of an object.

use std::borrow::Cow;

use serde_json::Value;
use sluice_api::source_watcher::annotation;
use sluice_object::Object;

use super::{Resource, SOURCE};
use crate::fields::{at, text};

/// A column of `get`, after NAME.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The fetched or applied revision.
    Revision,
    /// Whether the object is suspended.
    Suspended,
    /// The status of the condition `Ready`.
    Ready,
    /// The message of the condition `Ready`.
    Message,
    /// The object that an `ExternalArtifact` is made from, or a Kustomization's source.
    SourceReference,
    /// The time of the last scan of an image repository.
    LastScan,
    /// The time of the last run of an image update automation.
    LastRun,
    /// The selected image.
    Image,
    /// The selected tag.
    Tag,
}

impl Column {
    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Revision => "Revision",
            Self::Suspended => "Suspended",
            Self::Ready => "Ready",
            Self::Message => "Message",
            Self::SourceReference => "Source",
            Self::LastScan => "Last scan",
            Self::LastRun => "Last run",
            Self::Image => "Image",
            Self::Tag => "Tag",
        }
    }

    /// The cell of an object.
    pub fn cell<'a>(self, resource: &Resource, object: &'a Object) -> Cow<'a, str> {
        match self {
            Self::Revision => {
                let wanted = is_shortened(resource) && resource.kind != "HelmChart";
                shorten(revision(resource, object), wanted)
            }
            Self::Suspended => {
                if is_suspended(object) {
                    "True".into()
                } else {
                    "False".into()
                }
            }
            Self::Ready => ready(resource, object).0.into(),
            Self::Message => shorten(ready(resource, object).1, is_shortened(resource)),
            Self::SourceReference => source_reference(resource, object).into(),
            Self::LastScan => text(object, "/status/lastScanResult/scanTime").into(),
            Self::LastRun => text(object, "/status/lastAutomationRunTime").into(),
            Self::Image => text(object, "/status/latestRef/name").into(),
            Self::Tag => text(object, "/status/latestRef/tag").into(),
        }
    }
}

/// Whether an object is suspended, by its field or its annotation.
pub fn is_suspended(object: &Object) -> bool {
    if object.kind() == "ArtifactGenerator" {
        let mark = object.annotation(annotation::RECONCILE).unwrap_or_default();
        return mark.eq_ignore_ascii_case(annotation::DISABLED);
    }
    at(object, "/spec/suspend").and_then(Value::as_bool) == Some(true)
}

/// The revision that an object fetched or applied last.
pub fn revision<'a>(resource: &Resource, object: &'a Object) -> &'a str {
    match resource.kind {
        "Kustomization" => text(object, "/status/lastAppliedRevision"),
        "HelmRelease" => {
            let newest = text(object, "/status/history/0/chartVersion");
            if newest.is_empty() {
                text(object, "/status/lastAttemptedRevision")
            } else {
                newest
            }
        }
        _ => text(object, "/status/artifact/revision"),
    }
}

/// Status and message of the condition `Ready`, or their substitutes.
pub fn ready<'a>(resource: &Resource, object: &'a Object) -> (&'a str, &'a str) {
    let condition = at(object, "/status/conditions")
        .and_then(Value::as_array)
        .and_then(|conditions| {
            conditions
                .iter()
                .find(|condition| condition["type"].as_str() == Some("Ready"))
        });
    match condition {
        Some(condition) => (
            condition["status"].as_str().unwrap_or("Unknown"),
            condition["message"].as_str().unwrap_or_default(),
        ),
        None if resource.is_static(object) => ("True", resource.static_message.unwrap_or_default()),
        None => ("False", "waiting to be reconciled"),
    }
}

/// `Kind/namespace/name` of the source of an object. The reference of an `ExternalArtifact` has no
/// default namespace.
fn source_reference(resource: &Resource, object: &Object) -> String {
    let reference = match resource.kind {
        "HelmRelease" if at(object, "/spec/chartRef").is_some() => "/spec/chartRef",
        "HelmRelease" => "/spec/chart/spec/sourceRef",
        _ => "/spec/sourceRef",
    };
    let field = |name: &str| text(object, &format!("{reference}/{name}"));
    if field("kind").is_empty() {
        return String::new();
    }
    let namespace = match field("namespace") {
        "" if resource.kind != "ExternalArtifact" => object.namespace(),
        written => written,
    };
    format!("{}/{namespace}/{}", field("kind"), field("name"))
}

/// Whether messages of a kind have their hashes shortened.
fn is_shortened(resource: &Resource) -> bool {
    resource.group == SOURCE || resource.kind == "Kustomization"
}

/// Shortens every run of 40 to 128 hexadecimal digits to 8, so that lines stay readable.
fn shorten(message: &str, wanted: bool) -> Cow<'_, str> {
    let is_hash = |run: &str| (40..=128).contains(&run.len());
    let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if !wanted || message.len() < 40 {
        return message.into();
    }
    let bytes = message.as_bytes();
    let mut short = String::with_capacity(message.len());
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && hexadecimal(bytes[at]) {
            at += 1;
        }
        if is_hash(&message[start..at]) {
            short.push_str(&message[copied..start + 8]);
            copied = at;
        }
        if at == start {
            // Not ASCII or not hexadecimal: go on at the next character's first byte.
            at += 1;
            while at < bytes.len() && !message.is_char_boundary(at) {
                at += 1;
            }
        }
    }
    if copied == 0 {
        return message.into();
    }
    short.push_str(&message[copied..]);
    short.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::by_kind;
    use super::*;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn generator_is_suspended_by_annotation() {
        let generator = by_kind("ArtifactGenerator").unwrap();
        for (mark, expected) in [("Disabled", "True"), ("enabled", "False")] {
            let told = object(
                json!({ "kind": "ArtifactGenerator", "spec": {}, "metadata": {
                    "name": "a", "annotations": { "source.extensions.fluxcd.io/reconcile": mark },
                }}),
            );
            assert_eq!(Column::Suspended.cell(generator, &told), expected);
        }
    }

    #[test]
    fn only_hashes_are_shortened() {
        let hash = "a".repeat(40);
        assert_eq!(
            shorten(&format!("main@sha1:{hash}"), true),
            "main@sha1:aaaaaaaa"
        );
        assert_eq!(
            shorten(&format!("é {hash} und {hash}."), true),
            "é aaaaaaaa und aaaaaaaa."
        );
        let longer = "b".repeat(129);
        assert_eq!(shorten(&longer, true), longer);
        let shorter = "c".repeat(39);
        assert_eq!(shorten(&shorter, true), shorter);
    }

    #[test]
    fn only_sources_and_kustomizations_shorten_hashes() {
        let hash = "d".repeat(40);
        let told = object(json!({ "metadata": { "name": "a" }, "spec": {}, "status": {
            "conditions": [{ "type": "Ready", "status": "True", "message": hash }],
            "artifact": { "revision": hash } } }));
        let cut: Vec<&str> = super::super::RESOURCES
            .iter()
            .filter(|kind| Column::Message.cell(kind, &told).len() == 8)
            .map(|kind| kind.kind)
            .collect();
        let expected = "OCIRepository Bucket GitRepository HelmRepository HelmChart ExternalArtifact \
            Kustomization";
        assert_eq!(cut.join(" "), expected);
        let chart = by_kind("HelmChart").unwrap();
        assert_eq!(Column::Revision.cell(chart, &told).len(), 40);
    }

    #[test]
    fn missing_ready_means_waiting_unless_static() {
        let git = object(json!({"metadata": {"name": "a"}, "spec": {}}));
        let resource = by_kind("GitRepository").unwrap();
        assert_eq!(ready(resource, &git), ("False", "waiting to be reconciled"));
        let helm = object(json!({"metadata": {"name": "a"}, "spec": {"type": "oci"}}));
        let resource = by_kind("HelmRepository").unwrap();
        assert_eq!(ready(resource, &helm), ("True", "Helm repository is Ready"));
    }

    #[test]
    fn source_reference_defaults_to_own_namespace() {
        let ours = object(json!({
            "metadata": {"name": "a", "namespace": "apps"},
            "spec": {"sourceRef": {"kind": "GitRepository", "name": "podinfo"}},
        }));
        let shown = |kind: &str, object| source_reference(by_kind(kind).unwrap(), object);
        assert_eq!(shown("Kustomization", &ours), "GitRepository/apps/podinfo");
        assert_eq!(shown("ExternalArtifact", &ours), "GitRepository//podinfo");
        let chart = object(json!({
            "metadata": {"name": "a", "namespace": "apps"},
            "spec": {"chart": {"spec": {"sourceRef": {"kind": "Bucket", "name": "b", "namespace": "c"}}}},
        }));
        assert_eq!(shown("HelmRelease", &chart), "Bucket/c/b");
    }
}

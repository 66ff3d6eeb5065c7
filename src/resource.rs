//! The registry of kinds: one row each, from which every verb gets its nouns, columns and words.
//!
//! A command works on untyped objects and asks this table what to read; adding a kind is adding
//! a row to [`RESOURCES`]. Column readers are pure functions of an object.

mod columns;

use serde_json::Value;
use sluice_client::GroupVersionKind;
use sluice_object::Object;

pub use columns::{Column, is_suspended, ready, revision};

/// One kind as the command line knows it.
#[derive(Debug)]
pub struct Resource {
    pub kind: &'static str,
    pub group: &'static str,
    pub version: &'static str,
    pub plural: &'static str,
    /// The words after a verb: `source git`.
    pub noun: &'static [&'static str],
    pub aliases: &'static [&'static str],
    /// The words after `get`: `sources git`.
    pub listed: &'static [&'static str],
    pub listed_aliases: &'static [&'static str],
    /// What a person calls one of them.
    pub human: &'static str,
    /// Columns of `get` after NAME.
    pub columns: &'static [Column],
    pub verbs: Verbs,
    /// What Ready says where nothing reconciles the object.
    pub static_message: Option<&'static str>,
}

/// Which verbs besides `get` and `export` the kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbs {
    /// delete, suspend, resume, reconcile
    All,
    /// all but reconcile: nothing to wait for
    NoReconcile,
    /// read only
    None,
}

impl Verbs {
    pub fn changes(self) -> bool {
        self != Self::None
    }

    pub fn reconciles(self) -> bool {
        self == Self::All
    }
}

const SOURCE: &str = "source.toolkit.fluxcd.io";
pub const KUSTOMIZE: &str = "kustomize.toolkit.fluxcd.io";
pub const HELM: &str = "helm.toolkit.fluxcd.io";
const NOTIFICATION: &str = "notification.toolkit.fluxcd.io";
const IMAGE: &str = "image.toolkit.fluxcd.io";
const EXTENSIONS: &str = "source.extensions.fluxcd.io";

const SOURCE_COLUMNS: &[Column] = &[
    Column::Revision,
    Column::Suspended,
    Column::Ready,
    Column::Message,
];

/// Every kind, in the order of `get all`; what `get all` leaves out comes last.
pub const RESOURCES: &[Resource] = &[
    source(
        "OCIRepository",
        "ocirepositories",
        &["source", "oci"],
        &["sources", "oci"],
        "source oci",
    ),
    source(
        "Bucket",
        "buckets",
        &["source", "bucket"],
        &["sources", "bucket"],
        "source bucket",
    ),
    source(
        "GitRepository",
        "gitrepositories",
        &["source", "git"],
        &["sources", "git"],
        "source git",
    ),
    Resource {
        static_message: Some("Helm repository is Ready"),
        ..source(
            "HelmRepository",
            "helmrepositories",
            &["source", "helm"],
            &["sources", "helm"],
            "source helm",
        )
    },
    source(
        "HelmChart",
        "helmcharts",
        &["source", "chart"],
        &["sources", "chart"],
        "source chart",
    ),
    Resource {
        columns: &[
            Column::Revision,
            Column::SourceReference,
            Column::Ready,
            Column::Message,
        ],
        verbs: Verbs::None,
        ..source(
            "ExternalArtifact",
            "externalartifacts",
            &["source", "external"],
            &["sources", "external"],
            "source external",
        )
    },
    image(
        "ImageRepository",
        "imagerepositories",
        &["image", "repository"],
        &["images", "repository"],
        "image repository",
        &[
            Column::LastScan,
            Column::Suspended,
            Column::Ready,
            Column::Message,
        ],
    ),
    image(
        "ImagePolicy",
        "imagepolicies",
        &["image", "policy"],
        &["images", "policy"],
        "image policy",
        &[Column::Image, Column::Tag, Column::Ready, Column::Message],
    ),
    image(
        "ImageUpdateAutomation",
        "imageupdateautomations",
        &["image", "update"],
        &["images", "update"],
        "image update automation",
        &[
            Column::LastRun,
            Column::Suspended,
            Column::Ready,
            Column::Message,
        ],
    ),
    Resource {
        kind: "HelmRelease",
        group: HELM,
        version: "v2",
        plural: "helmreleases",
        noun: &["helmrelease"],
        aliases: &["hr"],
        listed: &["helmreleases"],
        listed_aliases: &["hr", "helmrelease"],
        human: "helmrelease",
        columns: SOURCE_COLUMNS,
        verbs: Verbs::All,
        static_message: None,
    },
    Resource {
        kind: "Kustomization",
        group: KUSTOMIZE,
        version: "v1",
        plural: "kustomizations",
        noun: &["kustomization"],
        aliases: &["ks"],
        listed: &["kustomizations"],
        listed_aliases: &["ks", "kustomization"],
        human: "kustomization",
        columns: SOURCE_COLUMNS,
        verbs: Verbs::All,
        static_message: None,
    },
    Resource {
        kind: "Receiver",
        group: NOTIFICATION,
        version: "v1",
        plural: "receivers",
        noun: &["receiver"],
        aliases: &[],
        listed: &["receivers"],
        listed_aliases: &["receiver"],
        human: "receiver",
        columns: &[Column::Suspended, Column::Ready, Column::Message],
        verbs: Verbs::All,
        static_message: None,
    },
    Resource {
        kind: "Provider",
        group: NOTIFICATION,
        version: "v1beta3",
        plural: "providers",
        noun: &["alert-provider"],
        aliases: &[],
        listed: &["alert-providers"],
        listed_aliases: &["alert-provider"],
        human: "alert provider",
        columns: &[Column::Ready, Column::Message],
        verbs: Verbs::NoReconcile,
        static_message: Some("Provider is Ready"),
    },
    Resource {
        kind: "Alert",
        group: NOTIFICATION,
        version: "v1beta3",
        plural: "alerts",
        noun: &["alert"],
        aliases: &[],
        listed: &["alerts"],
        listed_aliases: &["alert"],
        human: "alert",
        columns: &[Column::Suspended, Column::Ready, Column::Message],
        verbs: Verbs::NoReconcile,
        static_message: Some("Alert is Ready"),
    },
    Resource {
        kind: "ArtifactGenerator",
        group: EXTENSIONS,
        version: "v1beta1",
        plural: "artifactgenerators",
        noun: &["artifact", "generator"],
        aliases: &[],
        listed: &["artifacts", "generators"],
        listed_aliases: &["generator"],
        human: "artifact generator",
        columns: &[Column::Suspended, Column::Ready, Column::Message],
        verbs: Verbs::None,
        static_message: None,
    },
];

const fn source(
    kind: &'static str,
    plural: &'static str,
    noun: &'static [&'static str],
    listed: &'static [&'static str],
    human: &'static str,
) -> Resource {
    Resource {
        kind,
        group: SOURCE,
        version: "v1",
        plural,
        noun,
        aliases: &[],
        listed,
        listed_aliases: &[],
        human,
        columns: SOURCE_COLUMNS,
        verbs: Verbs::All,
        static_message: None,
    }
}

const fn image(
    kind: &'static str,
    plural: &'static str,
    noun: &'static [&'static str],
    listed: &'static [&'static str],
    human: &'static str,
    columns: &'static [Column],
) -> Resource {
    Resource {
        kind,
        group: IMAGE,
        version: "v1",
        plural,
        noun,
        aliases: &[],
        listed,
        listed_aliases: &[],
        human,
        columns,
        verbs: Verbs::All,
        static_message: None,
    }
}

/// The row of a kind by its name.
pub fn by_kind(kind: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.kind == kind)
}

/// A kind by a word for it, in any case: its name, its plural, or a short form of Flux's command line
/// or of kubectl.
pub fn by_word(word: &str) -> Option<&'static Resource> {
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    RESOURCES.iter().find(|resource| {
        is(resource.kind)
            || is(resource.plural)
            || resource.aliases.iter().any(|name| is(name))
            || sluice_api::KINDS
                .iter()
                .filter(|kind| kind.kind == resource.kind)
                .any(|kind| kind.short_names.iter().any(|name| is(name)))
    })
}

impl Resource {
    /// `group/version`, as manifests write it.
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }

    pub fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::gvk(self.group, self.version, self.kind)
    }

    /// Whether this kind is in `get all`.
    pub fn in_all(&self) -> bool {
        self.kind != "ArtifactGenerator"
    }

    /// Whether nothing reconciles this very object: there is no status to wait for.
    pub fn is_static(&self, object: &Object) -> bool {
        match self.kind {
            "HelmRepository" => text(object, "/spec/type") == "oci",
            "Alert" | "Provider" => true,
            _ => false,
        }
    }
}

/// A string inside an object, empty where there is none.
pub fn text<'a>(object: &'a Object, pointer: &str) -> &'a str {
    at(object, pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The kind of the definitions of custom resources.
pub fn definition() -> GroupVersionKind {
    GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
}

/// The pairs of id and version in `status.inventory`, in its order.
pub fn inventory(object: &Object) -> impl Iterator<Item = (&str, &str)> {
    at(object, "/status/inventory/entries")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|entry| {
            let text = |field: &str| entry[field].as_str().unwrap_or_default();
            (text("id"), text("v"))
        })
}

/// A value inside an object: `/status/history/0/digest`.
pub fn at<'a>(object: &'a Object, pointer: &str) -> Option<&'a Value> {
    let mut path = pointer.split('/').skip(1);
    let mut value = object.get(path.next()?)?;
    for step in path {
        value = match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            other => other.get(step)?,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_and_the_api_know_the_same_kinds() {
        let mut known: Vec<(&str, &str, &str, &str)> = sluice_api::KINDS
            .iter()
            .map(|kind| (kind.kind, kind.group, kind.version, kind.plural))
            .collect();
        let mut ours: Vec<(&str, &str, &str, &str)> = RESOURCES
            .iter()
            .map(|row| (row.kind, row.group, row.version, row.plural))
            .collect();
        known.sort_unstable();
        ours.sort_unstable();
        assert_eq!(ours, known);
    }

    #[test]
    fn no_two_kinds_share_a_noun() {
        for (index, row) in RESOURCES.iter().enumerate() {
            for other in &RESOURCES[index + 1..] {
                assert_ne!(row.noun, other.noun);
                assert_ne!(row.listed, other.listed);
            }
        }
    }

    #[test]
    fn a_kind_is_known_by_any_of_its_names() {
        for name in ["Kustomization", "kustomization", "ks", "kustomizations"] {
            assert_eq!(by_word(name).unwrap().kind, "Kustomization");
        }
        assert_eq!(by_word("gitrepo").unwrap().kind, "GitRepository");
        assert!(by_word("Pod").is_none());
    }
}

//! The registry of Flux's kinds: one row each, with names, command-line nouns and columns.
//!
//! Commands work on untyped objects and find the paths to read in this table. To add a kind, add
//! a row to [`RESOURCES`]. Columns are pure functions of an object.

mod columns;

use sluice_client::GroupVersionKind;
use sluice_object::Object;

use crate::fields::text;

pub use columns::{Column, is_suspended, ready, revision};

/// A kind of Flux.
#[derive(Debug)]
pub struct Resource {
    /// The kind.
    pub kind: &'static str,
    /// Its API group.
    pub group: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its name in URLs.
    pub plural: &'static str,
    /// The words after a verb: `source git`.
    pub noun: &'static [&'static str],
    /// Short forms of the noun.
    pub aliases: &'static [&'static str],
    /// The words after `get`: `sources git`.
    pub listed: &'static [&'static str],
    /// Short forms after `get`.
    pub listed_aliases: &'static [&'static str],
    /// The name in messages.
    pub human: &'static str,
    /// Columns of `get` after NAME.
    pub columns: &'static [Column],
    /// The verbs besides `get` and `export`.
    pub verbs: Verbs,
    /// The message of `Ready` for objects that no controller reconciles.
    pub static_message: Option<&'static str>,
}

/// The verbs of a kind besides `get` and `export`.
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
    /// Whether objects can be deleted, suspended and resumed.
    pub fn changes(self) -> bool {
        self != Self::None
    }

    /// Whether objects can be reconciled.
    pub fn reconciles(self) -> bool {
        self == Self::All
    }
}

const SOURCE: &str = "source.toolkit.fluxcd.io";
/// The group of Kustomizations.
pub const KUSTOMIZE: &str = "kustomize.toolkit.fluxcd.io";
/// The group of `HelmRelease`s.
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

/// All kinds in the order of `get all`; kinds that `get all` omits come last.
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
        verbs: Verbs::All,
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

/// The row of a kind.
pub fn by_kind(kind: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.kind == kind)
}

/// The row of a kind by its name, plural or short name, in any case.
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

    /// Group, version and kind.
    pub fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::gvk(self.group, self.version, self.kind)
    }

    /// Whether this kind is in `get all`.
    pub fn in_all(&self) -> bool {
        self.kind != "ArtifactGenerator"
    }

    /// Whether no controller reconciles the object, so that it has no status.
    pub fn is_static(&self, object: &Object) -> bool {
        match self.kind {
            "HelmRepository" => text(object, "/spec/type") == "oci",
            "Alert" | "Provider" => true,
            _ => false,
        }
    }
}

/// The kind of the definitions of custom resources.
pub fn definition() -> GroupVersionKind {
    GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_has_the_kinds_of_the_api() {
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
    fn nouns_are_unique() {
        for (index, row) in RESOURCES.iter().enumerate() {
            for other in &RESOURCES[index + 1..] {
                assert_ne!(row.noun, other.noun);
                assert_ne!(row.listed, other.listed);
            }
        }
    }

    #[test]
    fn by_word_accepts_every_name() {
        for name in ["Kustomization", "kustomization", "ks", "kustomizations"] {
            assert_eq!(by_word(name).unwrap().kind, "Kustomization");
        }
        assert_eq!(by_word("gitrepo").unwrap().kind, "GitRepository");
        assert!(by_word("Pod").is_none());
    }
}

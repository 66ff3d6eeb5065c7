//! The table of all kinds.
//!
//! Commands and generators that serve every kind walk this table; a test keeps
//! it equal to what the types say of themselves.

/// What there is to know of a kind without looking into its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// The API group.
    pub group: &'static str,
    /// The served version.
    pub version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The plural, as it stands in URLs.
    pub plural: &'static str,
    /// What users may write for the plural.
    pub short_names: &'static [&'static str],
    /// The controller that serves it.
    pub component: &'static str,
}

impl KindInfo {
    /// Returns `group/version`, as it stands in objects.
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }

    /// Returns the name of the custom resource definition.
    pub fn crd_name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// Finds a kind by its name and group.
    pub fn find(group: &str, kind: &str) -> Option<&'static Self> {
        KINDS
            .iter()
            .find(|info| info.group == group && info.kind == kind)
    }
}

/// Every kind, by component in the order components are installed, then by name.
pub const KINDS: &[KindInfo] = &[
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "Bucket",
        plural: "buckets",
        short_names: &[],
        component: "source-controller",
    },
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "ExternalArtifact",
        plural: "externalartifacts",
        short_names: &["ea"],
        component: "source-controller",
    },
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "GitRepository",
        plural: "gitrepositories",
        short_names: &["gitrepo"],
        component: "source-controller",
    },
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "HelmChart",
        plural: "helmcharts",
        short_names: &["hc"],
        component: "source-controller",
    },
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "HelmRepository",
        plural: "helmrepositories",
        short_names: &["helmrepo"],
        component: "source-controller",
    },
    KindInfo {
        group: crate::source::GROUP,
        version: crate::source::VERSION,
        kind: "OCIRepository",
        plural: "ocirepositories",
        short_names: &["ocirepo"],
        component: "source-controller",
    },
    KindInfo {
        group: crate::kustomize::GROUP,
        version: crate::kustomize::VERSION,
        kind: "Kustomization",
        plural: "kustomizations",
        short_names: &["ks"],
        component: "kustomize-controller",
    },
    KindInfo {
        group: crate::helm::GROUP,
        version: crate::helm::VERSION,
        kind: "HelmRelease",
        plural: "helmreleases",
        short_names: &["hr"],
        component: "helm-controller",
    },
    KindInfo {
        group: crate::notification::GROUP,
        version: crate::notification::VERSION,
        kind: "Alert",
        plural: "alerts",
        short_names: &[],
        component: "notification-controller",
    },
    KindInfo {
        group: crate::notification::GROUP,
        version: crate::notification::VERSION,
        kind: "Provider",
        plural: "providers",
        short_names: &[],
        component: "notification-controller",
    },
    KindInfo {
        group: crate::notification::GROUP,
        version: crate::notification::RECEIVER_VERSION,
        kind: "Receiver",
        plural: "receivers",
        short_names: &[],
        component: "notification-controller",
    },
    KindInfo {
        group: crate::image::GROUP,
        version: crate::image::VERSION,
        kind: "ImagePolicy",
        plural: "imagepolicies",
        short_names: &["imgpol", "imagepol"],
        component: "image-reflector-controller",
    },
    KindInfo {
        group: crate::image::GROUP,
        version: crate::image::VERSION,
        kind: "ImageRepository",
        plural: "imagerepositories",
        short_names: &["imgrepo", "imagerepo"],
        component: "image-reflector-controller",
    },
    KindInfo {
        group: crate::image::GROUP,
        version: crate::image::VERSION,
        kind: "ImageUpdateAutomation",
        plural: "imageupdateautomations",
        short_names: &["iua", "imgupd", "imgauto"],
        component: "image-automation-controller",
    },
    KindInfo {
        group: crate::source_watcher::GROUP,
        version: crate::source_watcher::VERSION,
        kind: "ArtifactGenerator",
        plural: "artifactgenerators",
        short_names: &["ag"],
        component: "source-watcher",
    },
];

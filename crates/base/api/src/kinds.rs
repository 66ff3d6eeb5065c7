//! The table of all kinds, for code that serves every kind. A test compares it with the types.

/// Names of a kind and its component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// API group.
    pub group: &'static str,
    /// Served version.
    pub version: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// Plural name in URLs.
    pub plural: &'static str,
    /// Short names.
    pub short_names: &'static [&'static str],
    /// Controller of the kind.
    pub component: &'static str,
}

impl KindInfo {
    /// Returns `group/version`.
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }

    /// Returns the name of the CRD.
    pub fn crd_name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// Returns the kind with a group and a name.
    pub fn find(group: &str, kind: &str) -> Option<&'static Self> {
        KINDS
            .iter()
            .find(|info| info.group == group && info.kind == kind)
    }
}

/// Every kind, in the installation order of components, then by name.
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

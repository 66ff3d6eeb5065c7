//! The features of a cluster and of Helm, which templates see as `.Capabilities`.

/// The API versions that Helm knows without a cluster.
const KNOWN_VERSIONS: &[&str] = &[
    "v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "internal.apiserver.k8s.io/v1alpha1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1",
    "certificates.k8s.io/v1alpha1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1beta2",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha2",
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1",
    "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storagemigration.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1",
];

/// The capabilities of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The version of Kubernetes.
    pub kube_version: KubeVersion,
    /// API versions, such as `apps/v1` or `apps/v1/Deployment`.
    pub api_versions: Vec<String>,
    /// The version of Helm.
    pub helm_version: HelmVersion,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            kube_version: KubeVersion {
                version: "v1.36.0".to_owned(),
                normalized: "v1.36.0".to_owned(),
                major: "1".to_owned(),
                minor: "36".to_owned(),
            },
            api_versions: KNOWN_VERSIONS.iter().map(|&name| name.to_owned()).collect(),
            helm_version: HelmVersion::default(),
        }
    }
}

/// A version of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeVersion {
    /// The version as the cluster reports it.
    pub version: String,
    /// The version without a suffix, which constraints are checked against.
    pub normalized: String,
    /// The major version.
    pub major: String,
    /// The minor version.
    pub minor: String,
}

impl KubeVersion {
    /// Reads a version as `--kube-version` takes it.
    pub fn parse(text: &str) -> Result<Self, InvalidKubeVersion> {
        let invalid = |reason: String| InvalidKubeVersion {
            version: text.to_owned(),
            reason,
        };
        let malformed = || {
            let text = sluice_golang::quote::quote(text);
            invalid(format!("could not parse {text} as version"))
        };
        let digits = text.trim().trim_start_matches('v');
        let end = digits
            .find(|next: char| !next.is_ascii_digit() && next != '.')
            .unwrap_or(digits.len());
        let parts: Vec<&str> = digits[..end].split('.').collect();
        if parts.len() < 2 {
            return Err(malformed());
        }
        let mut numbers = Vec::new();
        for part in &parts {
            if part.is_empty() {
                return Err(malformed());
            }
            if part.len() > 1 && part.starts_with('0') {
                return Err(malformed());
            }
            numbers.push(part.parse::<u64>().map_err(|_| malformed())?);
        }
        let version = if text.starts_with('v') {
            text.to_owned()
        } else {
            format!("v{text}")
        };
        Ok(Self {
            version,
            normalized: format!("v{}", parts.join(".")),
            major: numbers[0].to_string(),
            minor: numbers[1].to_string(),
        })
    }
}

/// A text that is not a version of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid kube version '{version}': {reason}")]
pub struct InvalidKubeVersion {
    version: String,
    reason: String,
}

/// The version of Helm whose output is produced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after that of Helm")]
pub struct HelmVersion {
    pub version: String,
    pub git_commit: String,
    pub git_tree_state: String,
    pub go_version: String,
    pub kube_client_version: String,
}

impl Default for HelmVersion {
    fn default() -> Self {
        Self {
            version: "v4.2".to_owned(),
            git_commit: String::new(),
            git_tree_state: String::new(),
            go_version: "go1.26.8".to_owned(),
            kube_client_version: "v1.36".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KubeVersion;

    #[test]
    fn vendor_suffix_is_kept_but_not_compared() {
        let version = KubeVersion::parse("1.30.2-gke.1587003").unwrap();
        assert_eq!(version.version, "v1.30.2-gke.1587003");
        assert_eq!(version.normalized, "v1.30.2");
        assert_eq!((&*version.major, &*version.minor), ("1", "30"));
        assert_eq!(KubeVersion::parse("v1.28+").unwrap().normalized, "v1.28");
    }

    #[test]
    fn text_without_a_version_is_rejected() {
        for text in ["", "v", "1", "x.y", "1..2"] {
            assert!(KubeVersion::parse(text).is_err(), "{text}");
        }
    }
}

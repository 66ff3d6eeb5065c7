//! What of Flux's kinds is not served yet: one table, for who refuses it and for who asks before.
//!
//! A reconciler that meets something of the table takes its words from here ([`Gap::message`]), so
//! that none can refuse what the table does not know; a command that takes a cluster over asks
//! ([`Gap::found`]) before it does. The tests of each controller walk its rows. A gap that is closed
//! loses its row.

use serde_json::Value;

/// Something of a kind that no controller of ours serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The group of the kind.
    pub group: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The field, with dots; empty where it is the whole kind.
    pub field: &'static str,
    /// When it is met.
    pub when: When,
    /// What is missing, or what helps; may be empty.
    pub why: &'static str,
}

/// When an object meets a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always: the kind as a whole is not served.
    Always,
    /// The field says something else than these. Where it says nothing, it is met by no gap.
    Other(&'static [&'static str]),
    /// The field is there, and this one is not.
    Without(&'static str),
    /// The Secret that the field names has one of these entries.
    SecretWith(&'static [&'static str]),
    /// The config map that the field names says something else than these values under a key.
    ConfigOther(&'static str, &'static [&'static str]),
}

/// What an object names besides itself, as far as gaps depend on it.
pub trait Referred {
    /// The names of the entries of a Secret in the object's namespace.
    fn entries(&self, secret: &str) -> Vec<String>;
    /// A text of a config map in the object's namespace.
    fn text(&self, config_map: &str, key: &str) -> Option<String>;
}

/// Nothing is known of what an object names.
impl Referred for () {
    fn entries(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn text(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

const fn kind(group: &'static str, kind: &'static str) -> Gap {
    Gap {
        group,
        kind,
        field: "",
        when: When::Always,
        why: "",
    }
}

/// The providers of a `GitRepository`.
pub const GIT_PROVIDER: Gap = Gap {
    field: "spec.provider",
    when: When::Other(&["generic", "github", "aws"]),
    ..kind(crate::source::GROUP, "GitRepository")
};

/// The providers of an `OCIRepository`.
pub const OCI_PROVIDER: Gap = Gap {
    field: "spec.provider",
    when: When::Other(&["generic"]),
    why: "registries are not logged in to by the identity of a workload; name an image pull secret \
          in spec.secretRef",
    ..kind(crate::source::GROUP, "OCIRepository")
};

/// Who verifies the artifact of an `OCIRepository`.
pub const OCI_VERIFIER: Gap = Gap {
    field: "spec.verify.provider",
    when: When::Other(&["cosign"]),
    ..kind(crate::source::GROUP, "OCIRepository")
};

/// Signatures without a key.
pub const OCI_KEYLESS: Gap = Gap {
    field: "spec.verify",
    when: When::Without("spec.verify.secretRef"),
    why: "cosign keyless is not verified; name a Secret with public keys in spec.verify.secretRef",
    ..kind(crate::source::GROUP, "OCIRepository")
};

/// Clusters that the identity of a cloud opens.
pub const KUBE_CONFIG_PROVIDER: Gap = Gap {
    field: "spec.kubeConfig.configMapRef.name",
    when: When::ConfigOther("provider", &["generic"]),
    why: "use the provider 'generic', or a kubeconfig in a Secret",
    ..kind(crate::kustomize::GROUP, "Kustomization")
};

/// Keys that a cloud keeps.
pub const DECRYPTION_KEYS: Gap = Gap {
    field: "spec.decryption.secretRef.name",
    when: When::SecretWith(&["sops.aws-kms", "sops.azure-kv", "sops.gcp-kms"]),
    why: "the key services of clouds are not asked",
    ..kind(crate::kustomize::GROUP, "Kustomization")
};

/// Every gap, by kind.
pub const GAPS: &[Gap] = &[
    kind(crate::source::GROUP, "Bucket"),
    GIT_PROVIDER,
    kind(crate::source::GROUP, "HelmChart"),
    kind(crate::source::GROUP, "HelmRepository"),
    OCI_PROVIDER,
    OCI_VERIFIER,
    OCI_KEYLESS,
    KUBE_CONFIG_PROVIDER,
    DECRYPTION_KEYS,
    kind(crate::helm::GROUP, "HelmRelease"),
    kind(crate::notification::GROUP, "Alert"),
    kind(crate::notification::GROUP, "Provider"),
    kind(crate::notification::GROUP, "Receiver"),
    kind(crate::image::GROUP, "ImagePolicy"),
    kind(crate::image::GROUP, "ImageRepository"),
    kind(crate::image::GROUP, "ImageUpdateAutomation"),
    kind(crate::source_watcher::GROUP, "ArtifactGenerator"),
];

/// The gaps of a kind.
pub fn of<'a>(group: &'a str, kind: &'a str) -> impl Iterator<Item = &'static Gap> + 'a {
    GAPS.iter()
        .filter(move |gap| gap.group == group && gap.kind == kind)
}

/// Whether anything of a kind is served.
pub fn is_served(group: &str, kind: &str) -> bool {
    of(group, kind).all(|gap| gap.when != When::Always)
}

impl Gap {
    /// Says what is not served, in the words of the condition that refuses it.
    pub fn message(&self, value: &str) -> String {
        let field = self.field;
        let what = match self.when {
            When::Always => format!("kind {}", self.kind),
            When::Other(_) => format!("{field} '{value}'"),
            When::Without(other) => {
                let other = other.rsplit('.').next().unwrap_or(other);
                format!("{field} without {other}")
            }
            When::SecretWith(_) => format!("{field}: the entry '{value}'"),
            When::ConfigOther(key, _) => format!("{field}: the {key} '{value}'"),
        };
        if self.why.is_empty() {
            format!("{what} is not supported yet")
        } else {
            format!("{what} is not supported yet: {}", self.why)
        }
    }

    /// Says what is not served of an object, if the object asks for it.
    pub fn found(&self, object: &Value, referred: &dyn Referred) -> Option<String> {
        let field = at(object, self.field);
        let text = || field.and_then(Value::as_str).unwrap_or_default();
        let other = |text: &str, served: &[&str]| !text.is_empty() && !served.contains(&text);
        let met = match self.when {
            When::Always => Some(String::new()),
            When::Other(served) => other(text(), served).then(|| text().to_owned()),
            When::Without(other) => {
                (field.is_some() && at(object, other).is_none()).then(String::new)
            }
            When::SecretWith(_) | When::ConfigOther(..) if field.is_none() => None,
            When::SecretWith(entries) => {
                let mut there = referred.entries(text()).into_iter();
                there.find(|name| entries.contains(&&**name))
            }
            When::ConfigOther(key, served) => referred
                .text(text(), key)
                .filter(|text| other(text, served)),
        };
        met.map(|value| self.message(&value))
    }
}

/// The value of a field that is named with dots.
fn at<'v>(object: &'v Value, field: &str) -> Option<&'v Value> {
    let mut parts = field.split('.');
    parts
        .try_fold(object, |value, part| value.get(part))
        .filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::KindInfo;

    struct Around;

    impl Referred for Around {
        fn entries(&self, secret: &str) -> Vec<String> {
            match secret {
                "cloud" => vec!["age.agekey".into(), "sops.gcp-kms".into()],
                _ => vec!["age.agekey".into()],
            }
        }

        fn text(&self, config_map: &str, key: &str) -> Option<String> {
            (key == "provider").then(|| config_map.to_owned())
        }
    }

    #[test]
    fn every_row_names_a_kind_that_there_is() {
        for gap in GAPS {
            assert!(KindInfo::find(gap.group, gap.kind).is_some(), "{gap:?}");
        }
    }

    #[test]
    fn a_gap_is_met_by_what_is_not_served_and_by_nothing_else() {
        let keyless = "spec.verify without secretRef is not supported yet: cosign keyless is not \
                       verified; name a Secret with public keys in spec.verify.secretRef";
        let cloud = "spec.kubeConfig.configMapRef.name: the provider 'aws' is not supported yet: \
                     use the provider 'generic', or a kubeconfig in a Secret";
        let kms = "spec.decryption.secretRef.name: the entry 'sops.gcp-kms' is not supported yet: \
                   the key services of clouds are not asked";
        let decrypted_by = |name: &str| json!({ "decryption": { "secretRef": { "name": name } } });
        let reached_by = |name: &str| json!({ "kubeConfig": { "configMapRef": { "name": name } } });
        for (gap, spec, expected) in [
            (GIT_PROVIDER, json!({}), ""),
            (GIT_PROVIDER, json!({ "provider": "github" }), ""),
            (
                GIT_PROVIDER,
                json!({ "provider": "azure" }),
                "spec.provider 'azure' is not supported yet",
            ),
            (
                OCI_VERIFIER,
                json!({ "verify": { "provider": "cosign" } }),
                "",
            ),
            (
                OCI_VERIFIER,
                json!({ "verify": { "provider": "notation" } }),
                "spec.verify.provider 'notation' is not supported yet",
            ),
            (OCI_KEYLESS, json!({}), ""),
            (OCI_KEYLESS, json!({ "verify": { "secretRef": {} } }), ""),
            (
                OCI_KEYLESS,
                json!({ "verify": { "provider": "cosign" } }),
                keyless,
            ),
            (KUBE_CONFIG_PROVIDER, reached_by("generic"), ""),
            (KUBE_CONFIG_PROVIDER, reached_by("aws"), cloud),
            (DECRYPTION_KEYS, decrypted_by("age"), ""),
            (DECRYPTION_KEYS, decrypted_by("cloud"), kms),
            (GAPS[0], json!({}), "kind Bucket is not supported yet"),
        ] {
            let found = gap.found(&json!({ "spec": spec }), &Around);
            assert_eq!(found.unwrap_or_default(), expected, "{spec}");
        }
    }
}

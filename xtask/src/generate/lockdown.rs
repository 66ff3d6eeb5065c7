//! The table of references and connections in `docs/lockdown.md`.
//!
//! The custom resource definitions say which fields exist. [`RULES`] says what each may reach. A
//! field without a rule, and a rule without a field, fail the generation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use sluice_system::fs;

use super::sections;

const PAGE: &str = "lockdown.md";

/// The objects and servers that a field may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// An object in the namespace of the object. The field has no namespace.
    Own,
    /// An object in any namespace, unless the lockdown forbids it.
    Guarded,
    /// The readiness of an object in any namespace. An expression about it is guarded.
    Dependency,
    /// An image repository whose `spec.accessFrom` accepts the namespace, unless the lockdown
    /// forbids it.
    Accepted,
    /// A service account in the namespace of the object.
    Account,
    /// A service account with an identity in a cloud. The flags set no default for it.
    CloudAccount,
    /// A server. Credentials come from the object only.
    Server,
    /// Objects that the account of the object may read, in any namespace.
    AsAccount,
    /// No object of the cluster.
    Nothing,
}

/// The rule of each field, by kind and path below `spec`. `*` is any kind.
const RULES: &[(&str, &str, Rule)] = &[
    ("*", "secretRef", Rule::Own),
    ("*", "certSecretRef", Rule::Own),
    ("*", "proxySecretRef", Rule::Own),
    ("*", "verify.secretRef", Rule::Own),
    ("*", "verify.trustedRootSecretRef", Rule::Own),
    ("*", "kubeConfig.secretRef", Rule::Own),
    ("*", "kubeConfig.configMapRef", Rule::Own),
    ("*", "serviceAccountName", Rule::CloudAccount),
    ("*", "sourceRef", Rule::Guarded),
    ("*", "dependsOn[]", Rule::Dependency),
    ("*", "url", Rule::Server),
    ("Alert", "eventSources[]", Rule::Guarded),
    ("Alert", "providerRef", Rule::Own),
    ("ArtifactGenerator", "sources[]", Rule::Guarded),
    ("Bucket", "endpoint", Rule::Server),
    ("Bucket", "sts.certSecretRef", Rule::Own),
    ("Bucket", "sts.endpoint", Rule::Server),
    ("Bucket", "sts.secretRef", Rule::Own),
    ("ExternalArtifact", "sourceRef", Rule::Nothing),
    ("GitRepository", "include[].repository", Rule::Own),
    ("GitRepository", "ref", Rule::Nothing),
    ("HelmChart", "sourceRef", Rule::Own),
    ("HelmRelease", "chart.spec.sourceRef", Rule::Guarded),
    ("HelmRelease", "chart.spec.verify.secretRef", Rule::Own),
    ("HelmRelease", "chartRef", Rule::Guarded),
    (
        "HelmRelease",
        "driftDetection.ignore[].target",
        Rule::Nothing,
    ),
    (
        "HelmRelease",
        "postRenderers[].kustomize.patches[].target",
        Rule::Nothing,
    ),
    ("HelmRelease", "serviceAccountName", Rule::Account),
    ("HelmRelease", "valuesFrom[]", Rule::Own),
    ("ImagePolicy", "imageRepositoryRef", Rule::Accepted),
    ("ImageRepository", "image", Rule::Server),
    ("ImageUpdateAutomation", "git.checkout.ref", Rule::Nothing),
    (
        "ImageUpdateAutomation",
        "git.commit.signingKey.secretRef",
        Rule::Own,
    ),
    ("Kustomization", "decryption.secretRef", Rule::Own),
    (
        "Kustomization",
        "decryption.serviceAccountName",
        Rule::CloudAccount,
    ),
    ("Kustomization", "healthChecks[]", Rule::AsAccount),
    ("Kustomization", "ignore[].target", Rule::Nothing),
    ("Kustomization", "patches[].target", Rule::Nothing),
    ("Kustomization", "postBuild.substituteFrom[]", Rule::Own),
    ("Kustomization", "serviceAccountName", Rule::Account),
    ("Provider", "address", Rule::Server),
    ("Provider", "proxy", Rule::Server),
    ("Receiver", "resources[]", Rule::Guarded),
];

/// Names of fields that hold an address.
const ADDRESSES: [&str; 6] = [
    "url",
    "endpoint",
    "address",
    "proxy",
    "image",
    "stsEndpoint",
];

/// Names of lists of references.
const LISTS: [&str; 8] = [
    "dependsOn",
    "substituteFrom",
    "valuesFrom",
    "include",
    "resources",
    "eventSources",
    "sources",
    "healthChecks",
];

impl Rule {
    /// The cells: without a lockdown, and with `--multi-tenant`.
    const fn cells(self) -> [&'static str; 2] {
        match self {
            Self::Own => ["own namespace", "own namespace"],
            Self::Guarded => ["any namespace", "own namespace"],
            Self::Dependency => ["any namespace", "any namespace; `readyExpr` own namespace"],
            Self::Accepted => ["namespaces that `accessFrom` lists", "own namespace"],
            Self::CloudAccount => [
                "account in the own namespace; without it the controllers' own",
                "account in the own namespace; without it the controllers' own",
            ],
            Self::Account => [
                "account in the own namespace; without it the controllers' own",
                "account in the own namespace; without it `default` there",
            ],
            Self::Server => [
                "any server, with the object's credentials",
                "any server, with the object's credentials",
            ],
            Self::AsAccount => ["what the account may read", "what the account may read"],
            Self::Nothing => ["nothing in the cluster", "nothing in the cluster"],
        }
    }
}

/// Returns the page with a current table.
pub(super) fn pages() -> Result<BTreeMap<String, String>> {
    let path = crate::repository().join("docs").join(PAGE);
    let page = fs::read_to_string(&path)?;
    let page = sections::replace(&page, "references", &table()?)?;
    Ok([(PAGE.to_owned(), page)].into())
}

fn table() -> Result<String> {
    let mut text =
        "| kind | field | reaches | with `--multi-tenant` |\n|---|---|---|---|\n".to_owned();
    let mut used = BTreeSet::new();
    for (kind, path) in references() {
        let (position, rule) = rule(&kind, &path).with_context(|| {
            format!("xtask/src/generate/lockdown.rs has no rule for {kind} spec.{path}")
        })?;
        used.insert(position);
        let [open, locked] = rule.cells();
        writeln!(text, "| {kind} | `{path}` | {open} | {locked} |")?;
    }
    let unused: Vec<_> = (0..RULES.len())
        .filter(|position| !used.contains(position))
        .map(|position| RULES[position].1)
        .collect();
    ensure!(
        unused.is_empty(),
        "no definition has these fields: {unused:?}"
    );
    Ok(text)
}

/// The rule of a field. A rule of its kind precedes those of any kind.
fn rule(kind: &str, path: &str) -> Option<(usize, Rule)> {
    let of = |wanted: &str| {
        RULES
            .iter()
            .position(|(kind, field, _)| *kind == wanted && *field == path)
    };
    let position = of(kind).or_else(|| of("*"))?;
    Some((position, RULES[position].2))
}

/// The fields that refer to objects or servers, in order.
fn references() -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for definition in sluice_api::crds::generate().iter().flat_map(|(_, all)| all) {
        let kind = definition["spec"]["names"]["kind"]
            .as_str()
            .unwrap_or_default();
        let versions = definition["spec"]["versions"].as_array();
        for version in versions.into_iter().flatten() {
            if version["storage"] == true {
                let spec = &version["schema"]["openAPIV3Schema"]["properties"]["spec"];
                collect(spec, "", &mut |path| {
                    found.insert((kind.to_owned(), path.to_owned()));
                });
            }
        }
    }
    found
}

fn collect(schema: &Value, prefix: &str, found: &mut impl FnMut(&str)) {
    let Some(fields) = schema["properties"].as_object() else {
        return;
    };
    for (name, field) in fields {
        let is_list = field["type"] == "array";
        let content = if is_list { &field["items"] } else { field };
        let ending = if is_list { "[]" } else { "" };
        let path = if prefix.is_empty() {
            format!("{name}{ending}")
        } else {
            format!("{prefix}.{name}{ending}")
        };
        let names_object = content["properties"].get("name").is_some();
        let is_reference = names_object
            && (name.to_lowercase().ends_with("ref")
                || name == "target"
                || name == "repository"
                || LISTS.contains(&name.as_str()));
        let is_account = name == "serviceAccountName";
        let is_address = ADDRESSES.contains(&name.as_str()) && content["type"] == "string";
        if is_reference || is_account || is_address {
            found(&path);
        }
        collect(content, &path, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_has_a_rule() {
        table().unwrap();
    }

    #[test]
    fn guarded_fields_have_a_namespace_and_own_ones_do_not() {
        let definitions = sluice_api::crds::generate();
        let spec = |wanted: &str| {
            let definition = definitions.iter().flat_map(|(_, all)| all);
            let mut definition =
                definition.filter(|definition| definition["spec"]["names"]["kind"] == wanted);
            let versions = definition.next().unwrap()["spec"]["versions"].clone();
            let versions = versions.as_array().unwrap().clone();
            let stored = versions
                .into_iter()
                .find(|version| version["storage"] == true);
            stored.unwrap()["schema"]["openAPIV3Schema"]["properties"]["spec"].clone()
        };
        for (kind, path) in references() {
            let field = path.split('.').fold(spec(&kind), |schema, name| {
                let field = &schema["properties"][name.trim_end_matches("[]")];
                if name.ends_with("[]") {
                    field["items"].clone()
                } else {
                    field.clone()
                }
            });
            let has_namespace = field["properties"].get("namespace").is_some();
            match rule(&kind, &path).unwrap().1 {
                Rule::Guarded | Rule::Accepted | Rule::Dependency => {
                    assert!(has_namespace, "{kind} {path}");
                }
                Rule::Own => assert!(!has_namespace, "{kind} {path}"),
                Rule::Account
                | Rule::CloudAccount
                | Rule::Server
                | Rule::AsAccount
                | Rule::Nothing => {}
            }
        }
    }
}

//! The Kustomization that would undo a takeover, and the `bootstrap` command that changes the
//! images by a commit instead. The source and the Deployments show most of its flags;
//! [`FURTHER`] names the rest.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use sluice_insight::kinds::is_suspended;
use sluice_manifests::{DEFAULT_REGISTRY, FLUX_REGISTRY};
use sluice_object::Object;

/// Flags of `bootstrap` that the cluster does not show.
pub const FURTHER: &str = "add what else the cluster was bootstrapped with, such as the key or the user and password for the repository, --ca-file, --network-policy or --cluster-domain";

/// The default interval of the sync.
const USUAL_INTERVALS: [&str; 3] = ["1m0s", "1m", "60s"];

/// The Kustomization that applies the controllers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Keeper {
    /// Namespace and name.
    pub kustomization: String,
    /// Whether it is suspended.
    pub suspended: bool,
    /// The command that makes the commit, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The provider for which `bootstrap` needs no token.
const SIGNED: &str = "aws";

/// The installation that the commit describes.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// The name of the program in commands.
    pub program: &'a str,
    /// The components to install.
    pub components: &'a [&'a str],
    /// The running Deployments, whose flags stay.
    pub deployments: &'a [Object],
    /// The prefix of the images.
    pub registry: &'a str,
    /// Whether Flux's own images are installed.
    pub flux_images: bool,
}

impl Keeper {
    /// Reads the Kustomization and its source.
    pub fn of(kustomization: &Object, source: Option<&Object>, wish: Wish<'_>) -> Self {
        let suspended = is_suspended(kustomization);
        Self {
            kustomization: format!("{}/{}", kustomization.namespace(), kustomization.name()),
            suspended,
            command: source.and_then(|source| command(kustomization, source, wish)),
        }
    }
}

impl Keeper {
    /// The warning as text, with the command to use instead.
    pub fn to_text(&self) -> String {
        let name = &self.kustomization;
        let kept = format!("kept by Kustomization {name}, which would put the images back\n\n");
        match &self.command {
            Some(command) => {
                format!("{kept}next: change the images by a commit\n  {command}\n  {FURTHER}\n")
            }
            None => format!("{kept}next: change the images in the source of the Kustomization\n"),
        }
    }
}

/// The Helm releases that install some Deployments. Their next upgrade would put the images back.
/// A Deployment with Helm's label only is named itself.
pub fn helm_releases<'o>(deployments: impl Iterator<Item = &'o Object>) -> BTreeSet<String> {
    deployments.filter_map(helm_release).collect()
}

fn helm_release(deployment: &Object) -> Option<String> {
    if let Some(name) = deployment.annotation("meta.helm.sh/release-name") {
        let namespace = deployment.annotation("meta.helm.sh/release-namespace");
        let namespace = namespace.unwrap_or_else(|| deployment.namespace());
        return Some(format!("release {namespace}/{name}"));
    }
    let manager = deployment.label("app.kubernetes.io/managed-by");
    (manager == Some("Helm")).then(|| format!("a release of {}", deployment.id()))
}

/// The list of Helm releases that keep the images, as text.
pub fn kept_by_helm(releases: &BTreeSet<String>) -> String {
    let names: Vec<&str> = releases.iter().map(String::as_str).collect();
    format!(
        "kept by Helm ({}), which would put the images back",
        names.join(", ")
    )
}

fn command(kustomization: &Object, source: &Object, wish: Wish<'_>) -> Option<String> {
    if source.kind() != "GitRepository" {
        return None;
    }
    let namespace = kustomization.namespace();
    let path = kustomization.str_at(&["spec", "path"]).unwrap_or("./");
    let branch = source.str_at(&["spec", "ref", "branch"]);
    let secret = source.str_at(&["spec", "secretRef", "name"]);
    let url = without_login(source.str_at(&["spec", "url"])?);
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_owned());
    let mut flags = vec![
        ("url", url),
        ("branch", branch.unwrap_or("master").to_owned()),
        ("path", path.to_owned()),
        ("components", wish.components.join(",")),
    ];
    if let Some(secret) = secret.filter(|name| *name != "flux-system") {
        flags.push(("secret-name", secret.to_owned()));
    }
    if namespace != "flux-system" {
        flags.push(("namespace", namespace.to_owned()));
    }
    let interval = source.str_at(&["spec", "interval"]);
    if let Some(interval) = interval.filter(|interval| !USUAL_INTERVALS.contains(interval)) {
        flags.push(("interval", interval.to_owned()));
    }
    let sparse = texts(source.at(&["spec", "sparseCheckout"]));
    if !sparse.is_empty() {
        flags.push(("sparse-checkout", sparse.join(",")));
    }
    if ![DEFAULT_REGISTRY, FLUX_REGISTRY].contains(&wish.registry) {
        flags.push(("registry", wish.registry.to_owned()));
    }
    flags.extend(of_pods(wish.deployments));
    let mut words = vec![format!("{} bootstrap git", wish.program)];
    words.extend(
        flags
            .into_iter()
            .map(|(name, value)| format!("--{name}={}", quoted(&value))),
    );
    // Without this flag, the URL becomes an SSH URL and the Secret gets a key.
    let is_http = matches!(scheme.as_deref(), Some("http" | "https"));
    let is_signed = source.str_at(&["spec", "provider"]) == Some(SIGNED);
    let source_has = |field| source.at(&["spec", field]) == Some(&Value::Bool(true));
    for (flag, is_given) in [
        ("--token-auth", is_http && !is_signed),
        ("--allow-insecure-http", scheme.as_deref() == Some("http")),
        ("--recurse-submodules", source_has("recurseSubmodules")),
        ("--flux-images", wish.flux_images),
    ] {
        if is_given {
            words.push(flag.to_owned());
        }
    }
    Some(words.join(" "))
}

/// Whether a URL is HTTP without a user, which `bootstrap` accepts.
fn without_login(url: &str) -> String {
    let Some((scheme @ ("http" | "https"), rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// Flags of an installation that its Pods show.
fn of_pods(deployments: &[Object]) -> Vec<(&'static str, String)> {
    let pod = |field| {
        let pods = deployments.iter();
        let lists = pods.filter_map(move |one| one.at(&["spec", "template", "spec", field]));
        lists.filter_map(Value::as_array).flatten()
    };
    let mut flags = Vec::new();
    if let Some(secret) = pod("imagePullSecrets").find_map(|secret| secret["name"].as_str()) {
        flags.push(("image-pull-secret", secret.to_owned()));
    }
    // Tolerations of the flag; others come from patches in the repository.
    let tolerated = pod("tolerations").filter(|toleration| {
        toleration["operator"] == "Exists" && toleration.get("effect").is_none()
    });
    let mut keys: Vec<&str> = Vec::new();
    for key in tolerated.filter_map(|toleration| toleration["key"].as_str()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if !keys.is_empty() {
        flags.push(("toleration-keys", keys.join(",")));
    }
    for (flag, usual) in [("log-level", "info"), ("watch-all-namespaces", "true")] {
        let prefix = format!("--{flag}=");
        let arguments = pod("containers").flat_map(|container| texts(container.get("args")));
        let given = arguments.filter_map(|argument| argument.strip_prefix(&prefix));
        let given: BTreeSet<&str> = given.collect();
        // A Deployment that differs has a patch.
        if let (Some(value), 1) = (given.first().filter(|value| **value != usual), given.len()) {
            flags.push((flag, (*value).to_owned()));
        }
    }
    flags
}

/// Quotes a word for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,@%+=".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(kind: &str, namespace: &str, spec: &Value) -> Object {
        let object = json!({
            "apiVersion": "x/v1", "kind": kind,
            "metadata": { "name": namespace, "namespace": namespace }, "spec": spec,
        });
        Object::try_from(object).unwrap()
    }

    fn command(namespace: &str, source: &Object, flux_images: bool) -> Option<String> {
        command_of(namespace, source, &[], flux_images)
    }

    fn command_of(
        namespace: &str,
        source: &Object,
        deployments: &[Object],
        flux_images: bool,
    ) -> Option<String> {
        let kustomization = object(
            "Kustomization",
            namespace,
            &json!({ "path": "./clusters/a" }),
        );
        let wish = Wish {
            program: "sluice",
            components: &["source-controller", "kustomize-controller"],
            deployments,
            registry: if flux_images {
                FLUX_REGISTRY
            } else {
                "r.example/x"
            },
            flux_images,
        };
        Keeper::of(&kustomization, Some(source), wish).command
    }

    #[test]
    fn bootstrap_command_makes_the_commit() {
        let spec = json!({
            "url": "ssh://git@example.com/fleet", "ref": { "branch": "main" },
            "secretRef": { "name": "flux-system" },
        });
        let source = object("GitRepository", "flux-system", &spec);
        let common = "sluice bootstrap git --url=ssh://git@example.com/fleet --branch=main \
                      --path=./clusters/a --components=source-controller,kustomize-controller";
        assert_eq!(
            command("flux-system", &source, false).unwrap(),
            format!("{common} --registry=r.example/x")
        );
        assert_eq!(
            command("flux-system", &source, true).unwrap(),
            format!("{common} --flux-images")
        );
    }

    #[test]
    fn unusual_names_are_quoted() {
        let spec = json!({ "url": "https://e/a b;rm", "secretRef": { "name": "other" } });
        let source = object("GitRepository", "gitops", &spec);
        let command = command("gitops", &source, true).unwrap();
        for part in [
            "--url='https://e/a b;rm'",
            "--branch=master",
            "--secret-name=other",
            "--namespace=gitops",
        ] {
            assert!(command.contains(part), "{part}: {command}");
        }
    }

    #[test]
    fn http_sources_stay_http() {
        let followed = |url: &str, provider: Option<&str>| {
            let spec = json!({ "url": url, "provider": provider });
            let source = object("GitRepository", "flux-system", &spec);
            let command = command("flux-system", &source, true).unwrap();
            let flags = ["--token-auth", "--allow-insecure-http"];
            (flags.map(|flag| command.contains(flag)), command)
        };
        for (url, provider, expected) in [
            ("https://h/fleet", None, [true, false]),
            ("http://h/fleet", Some("generic"), [true, true]),
            ("ssh://git@h/fleet", None, [false, false]),
            (
                "https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/fleet",
                Some("aws"),
                [false, false],
            ),
        ] {
            let (found, command) = followed(url, provider);
            assert_eq!(found, expected, "{command}");
            assert!(command.contains(&format!("--url={url} ")), "{command}");
        }
        let (_, command) = followed("https://me:canary@h/o@1/fleet", None);
        assert!(command.contains("--url=https://h/o@1/fleet "), "{command}");
    }

    #[test]
    fn installed_flags_are_kept() {
        let spec = json!({
            "url": "ssh://git@h/fleet", "interval": "5m0s", "recurseSubmodules": true,
            "sparseCheckout": ["apps", "clusters"],
        });
        let source = object("GitRepository", "flux-system", &spec);
        let pod = |more: &str| {
            json!({ "template": { "spec": {
                "imagePullSecrets": [{ "name": "regcred" }],
                "tolerations": [
                    { "key": "a", "operator": "Exists" },
                    { "key": more, "operator": "Exists" },
                    { "key": "patched", "operator": "Equal", "value": "x" },
                ],
                "containers": [{ "args": [
                    "--events-addr=", "--watch-all-namespaces=false", "--log-level=debug",
                ] }],
            } } })
        };
        let deployments = ["a", "b"].map(|more| object("Deployment", "flux-system", &pod(more)));
        let shown = command_of("flux-system", &source, &deployments, false).unwrap();
        for flag in [
            "--interval=5m0s",
            "--recurse-submodules",
            "--sparse-checkout=apps,clusters",
            "--image-pull-secret=regcred",
            "--toleration-keys=a,b",
            "--log-level=debug",
            "--watch-all-namespaces=false",
        ] {
            assert!(shown.split(' ').any(|word| word == flag), "{flag}: {shown}");
        }
        let plain = object(
            "GitRepository",
            "flux-system",
            &json!({ "url": "ssh://git@h/fleet", "interval": "1m0s" }),
        );
        let shown = command("flux-system", &plain, false).unwrap();
        for flag in [
            "interval",
            "submodules",
            "sparse",
            "pull",
            "toleration",
            "log",
            "watch",
        ] {
            assert!(!shown.contains(flag), "{flag}: {shown}");
        }
    }

    #[test]
    fn plan_ends_with_the_command() {
        let mut keeper = Keeper {
            kustomization: "flux-system/flux-system".to_owned(),
            suspended: false,
            command: Some("sluice bootstrap git".to_owned()),
        };
        let kept = "kept by Kustomization flux-system/flux-system, which would put the images back";
        assert_eq!(
            keeper.to_text(),
            format!(
                "{kept}\n\nnext: change the images by a commit\n  sluice bootstrap git\n  {FURTHER}\n"
            )
        );
        keeper.command = None;
        assert_eq!(
            keeper.to_text(),
            format!("{kept}\n\nnext: change the images in the source of the Kustomization\n")
        );
    }

    #[test]
    fn marks_of_helm_name_its_release() {
        let deployment = |annotations: Value, labels: Value| {
            let deployment = json!({
                "apiVersion": "apps/v1", "kind": "Deployment",
                "metadata": {
                    "name": "source-controller", "namespace": "flux-system",
                    "annotations": annotations, "labels": labels,
                },
            });
            Object::try_from(deployment).unwrap()
        };
        let release = json!({
            "meta.helm.sh/release-name": "flux", "meta.helm.sh/release-namespace": "gitops",
        });
        let label = json!({ "app.kubernetes.io/managed-by": "Helm" });
        let flux = json!({ "app.kubernetes.io/managed-by": "flux" });
        let cases = [
            deployment(release.clone(), label.clone()),
            deployment(release, json!({})),
            deployment(json!({ "meta.helm.sh/release-name": "other" }), json!({})),
            deployment(json!({}), label),
            deployment(json!({}), flux),
        ];
        let found = helm_releases(cases.iter());
        assert_eq!(
            kept_by_helm(&found),
            "kept by Helm (a release of Deployment/flux-system/source-controller, release flux-system/other, \
             release gitops/flux), which would put the images back"
        );
        assert!(helm_releases(cases[4..].iter()).is_empty());
    }

    #[test]
    fn source_without_repository_has_no_command() {
        let source = object(
            "OCIRepository",
            "flux-system",
            &json!({ "url": "oci://e/a" }),
        );
        assert_eq!(command("flux-system", &source, false), None);
    }
}

//! Who would undo a takeover: a Kustomization that keeps the controllers as Git has them. The way
//! then is a commit, and the command that makes it can be told.

use serde::Serialize;
use serde_json::Value;
use sluice_manifests::{DEFAULT_REGISTRY, FLUX_REGISTRY};
use sluice_object::Object;

/// The Kustomization that applies the controllers themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Keeper {
    /// Namespace and name.
    pub kustomization: String,
    pub suspended: bool,
    /// What makes the commit, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What the commit is to say.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    pub program: &'a str,
    pub components: &'a [&'a str],
    /// What stands before the images' names.
    pub registry: &'a str,
    /// Flux's own images.
    pub flux_images: bool,
}

impl Keeper {
    /// Of a Kustomization and what it follows, as far as that is there.
    pub fn of(
        kustomization: &Object,
        source: Option<&Object>,
        components: &[&str],
        wish: Wish<'_>,
    ) -> Self {
        let suspended = kustomization.at(&["spec", "suspend"]) == Some(&Value::Bool(true));
        let wish = Wish { components, ..wish };
        Self {
            kustomization: format!("{}/{}", kustomization.namespace(), kustomization.name()),
            suspended,
            command: source.and_then(|source| command(kustomization, source, wish)),
        }
    }
}

impl Keeper {
    /// For a person: what would undo a takeover, and how it is done instead.
    pub fn to_text(&self) -> String {
        let name = &self.kustomization;
        let kept = format!("kept by Kustomization {name}, which would put the images back\n");
        match &self.command {
            Some(command) => format!("{kept}take over by a commit: {command}\n"),
            None => kept,
        }
    }
}

fn command(kustomization: &Object, source: &Object, wish: Wish<'_>) -> Option<String> {
    if source.kind() != "GitRepository" {
        return None;
    }
    let namespace = kustomization.namespace();
    let path = kustomization.str_at(&["spec", "path"]).unwrap_or("./");
    let branch = source.str_at(&["spec", "ref", "branch"]);
    let secret = source.str_at(&["spec", "secretRef", "name"]);
    let mut flags = vec![
        ("url", source.str_at(&["spec", "url"])?.to_owned()),
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
    if ![DEFAULT_REGISTRY, FLUX_REGISTRY].contains(&wish.registry) {
        flags.push(("registry", wish.registry.to_owned()));
    }
    let mut words = vec![format!("{} bootstrap git", wish.program)];
    words.extend(
        flags
            .into_iter()
            .map(|(name, value)| format!("--{name}={}", quoted(&value))),
    );
    if wish.flux_images {
        words.push("--flux-images".to_owned());
    }
    Some(words.join(" "))
}

/// A word as a shell takes it for itself.
fn quoted(word: &str) -> String {
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

    fn told(namespace: &str, source: &Object, flux_images: bool) -> Option<String> {
        let kustomization = object(
            "Kustomization",
            namespace,
            &json!({ "path": "./clusters/a" }),
        );
        let wish = Wish {
            program: "sluice",
            components: &[],
            registry: if flux_images {
                FLUX_REGISTRY
            } else {
                "r.example/x"
            },
            flux_images,
        };
        let components = ["source-controller", "kustomize-controller"];
        Keeper::of(&kustomization, Some(source), &components, wish).command
    }

    #[test]
    fn the_commit_is_made_by_a_command_that_is_told() {
        let spec = json!({
            "url": "ssh://git@example.com/fleet", "ref": { "branch": "main" },
            "secretRef": { "name": "flux-system" },
        });
        let source = object("GitRepository", "flux-system", &spec);
        let common = "sluice bootstrap git --url=ssh://git@example.com/fleet --branch=main \
                      --path=./clusters/a --components=source-controller,kustomize-controller";
        assert_eq!(
            told("flux-system", &source, false).unwrap(),
            format!("{common} --registry=r.example/x")
        );
        assert_eq!(
            told("flux-system", &source, true).unwrap(),
            format!("{common} --flux-images")
        );
    }

    #[test]
    fn names_that_are_not_the_usual_ones_are_told_and_quoted() {
        let spec = json!({ "url": "https://e/a b;rm", "secretRef": { "name": "other" } });
        let source = object("GitRepository", "gitops", &spec);
        let told = told("gitops", &source, true).unwrap();
        for part in [
            "--url='https://e/a b;rm'",
            "--branch=master",
            "--secret-name=other",
            "--namespace=gitops",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }

    #[test]
    fn what_follows_no_repository_is_not_told_a_command() {
        let source = object(
            "OCIRepository",
            "flux-system",
            &json!({ "url": "oci://e/a" }),
        );
        assert_eq!(told("flux-system", &source, false), None);
    }
}

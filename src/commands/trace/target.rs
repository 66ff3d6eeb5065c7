//! Resolves the typed words to the objects to trace.

use sluice_client::{GroupKind, GroupVersionKind, Resource};
use sluice_object::Object;

use super::Args;
use crate::cluster::{Context, not_found, refusal};
use crate::error::CommandError;
use crate::spelling;

/// A named object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    gvk: GroupVersionKind,
    name: String,
    /// The kind of the flag. As in Flux, the report repeats it.
    typed: Option<String>,
}

impl Target {
    pub(super) async fn read(&self, context: &Context) -> Result<Object, CommandError> {
        let find = async {
            let (cluster, namespace) = (context.cluster()?, context.namespace());
            let found = cluster
                .get(&self.gvk, Some(&namespace), &self.name)
                .await
                .map_err(|error| refusal(&error))?;
            let found = found.and_then(|mut value| {
                if let Some(typed) = &self.typed {
                    value["kind"] = typed.as_str().into();
                }
                Object::try_from(value).ok()
            });
            if let Some(object) = found {
                return Ok(object);
            }
            let kind = GroupKind {
                group: self.gvk.group.clone(),
                kind: self.gvk.kind.clone(),
            };
            let served = cluster.preferred(&kind).await;
            let plural = served.map_err(|error| refusal(&error))?.api.plural;
            Err(not_found(&plural, &kind.group, &namespace, &self.name))
        };
        let found: Result<Object, CommandError> = find.await;
        found.map_err(|error| error.while_doing("failed to find object"))
    }
}

/// Returns the start of the error about an object that could not be traced.
pub(super) fn failure(object: &Object) -> String {
    let (kind, name, namespace) = (object.kind(), object.name(), object.namespace());
    format!("failed to trace {kind}/{name} in namespace {namespace}")
}

/// Returns the objects of the flags or the words.
pub(super) async fn resolve(args: &Args, context: &Context) -> Result<Vec<Target>, CommandError> {
    if !args.kind.is_empty() || !args.api_version.is_empty() {
        let mut target = by_flags(args)?;
        target.gvk.kind = served_kind(context, &target.gvk).await?;
        return Ok(vec![target]);
    }
    let pairs = pairs(&args.objects)?;
    let served = context
        .cluster()?
        .resources()
        .await
        .map_err(|error| refusal(&error))?;
    let mut targets = Vec::with_capacity(pairs.len());
    for (word, name) in pairs {
        let resource = find(&served, word).ok_or_else(|| unknown_type(&served, word))?;
        // Without a typed version, the server's preferred one is used.
        let gvk = match word.split('.').nth(1) {
            Some(version) if version == resource.api.version => resource.gvk(),
            _ => {
                let kind = GroupKind {
                    group: resource.api.group.clone(),
                    kind: resource.api.kind.clone(),
                };
                let preferred = context.cluster()?.preferred(&kind).await;
                preferred.map_err(|error| refusal(&error))?.gvk()
            }
        };
        targets.push(Target {
            gvk,
            name: name.to_owned(),
            typed: None,
        });
    }
    Ok(targets)
}

fn by_flags(args: &Args) -> Result<Target, CommandError> {
    let Some(name) = args.objects.first() else {
        return Err(CommandError::missing_name("object name is required"));
    };
    if args.kind.is_empty() {
        return Err(CommandError::user("object kind is required (--kind)"));
    }
    if args.api_version.is_empty() {
        return Err(CommandError::user(
            "object apiVersion is required (--api-version)",
        ));
    }
    let version = args.api_version.as_str();
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    Ok(Target {
        gvk: GroupVersionKind::gvk(group, version, &args.kind),
        name: name.clone(),
        typed: Some(args.kind.clone()),
    })
}

/// Returns the kind as the server spells it. Like Flux, it may be typed in lower case.
async fn served_kind(context: &Context, gvk: &GroupVersionKind) -> Result<String, CommandError> {
    if gvk.kind.chars().any(char::is_uppercase) {
        return Ok(gvk.kind.clone());
    }
    let served = context.cluster()?.resources().await;
    let served = served.map_err(|error| refusal(&error))?;
    let is_meant = |resource: &&Resource| {
        let api = &resource.api;
        api.group == gvk.group && api.version == gvk.version && api.kind.to_lowercase() == gvk.kind
    };
    let found = served.iter().find(is_meant);
    Ok(found.map_or_else(|| gvk.kind.clone(), |resource| resource.api.kind.clone()))
}

/// Returns the error of a type that the server does not have, with the most similar one as a hint.
pub(in crate::commands) fn unknown_type(served: &[Resource], word: &str) -> CommandError {
    let kinds: Vec<String> = served
        .iter()
        .flat_map(|resource| {
            [
                resource.api.kind.to_lowercase(),
                resource.api.plural.clone(),
            ]
        })
        .collect();
    spelling::suggest(
        CommandError::user(format!(
            "the server doesn't have a resource type \"{word}\""
        )),
        word,
        kinds.iter().map(String::as_str),
        "`kubectl api-resources` lists the types of the cluster",
    )
}

/// Parses `KIND/NAME…` or `KIND NAME…` into pairs.
pub(in crate::commands) fn pairs(words: &[String]) -> Result<Vec<(&str, &str)>, CommandError> {
    let misused = || {
        CommandError::user(
            "either `<resource>/<name>` or `<resource> <name>` is required as an argument",
        )
        .hint("add an object as an argument, such as deployment/podinfo")
    };
    if words.iter().any(|word| word.contains('/')) {
        return words
            .iter()
            .map(|word| match word.split_once('/') {
                Some((kind, name))
                    if !kind.is_empty() && !name.is_empty() && !name.contains('/') =>
                {
                    Ok((kind, name))
                }
                _ => Err(misused()),
            })
            .collect();
    }
    match words {
        [kind, names @ ..] if !names.is_empty() => Ok(names
            .iter()
            .map(|name| (kind.as_str(), name.as_str()))
            .collect()),
        _ => Err(misused()),
    }
}

/// Finds a kind by its plural, singular, short name or kind. `.group` or `.version.group` may
/// follow. Built-in kinds take precedence.
pub(in crate::commands) fn find<'r>(served: &'r [Resource], word: &str) -> Option<&'r Resource> {
    let word = word.to_lowercase();
    let (name, rest) = match word.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (word.as_str(), None),
    };
    let fits_group = |resource: &Resource| match rest {
        None => true,
        Some(rest) => {
            let api = &resource.api;
            rest == api.group
                || rest
                    .strip_prefix(api.version.as_str())
                    .is_some_and(|rest| rest.strip_prefix('.') == Some(&api.group))
        }
    };
    let fits_name = |resource: &Resource| {
        resource.api.plural == name
            || resource.api.kind.to_lowercase() == name
            || resource.names.iter().any(|other| other == name)
    };
    served
        .iter()
        .filter(|resource| resource.supports("get") && fits_group(resource) && fits_name(resource))
        .min_by_key(|resource| {
            let api = &resource.api;
            let is_built_in =
                api.group.is_empty() || !api.group.contains('.') || api.group.ends_with(".k8s.io");
            (
                !api.group.is_empty(),
                !is_built_in,
                // A short name of one kind may be the full name of another.
                resource.api.plural != name && resource.api.kind.to_lowercase() != name,
                &api.group,
                &api.version,
            )
        })
}

#[cfg(test)]
mod tests {
    use kube::core::ApiResource;

    use super::*;

    fn served() -> Vec<Resource> {
        [
            ("serving.knative.dev", "v1", "Service", "services", "ksvc"),
            ("", "v1", "Service", "services", "svc"),
            ("apps", "v1", "Deployment", "deployments", "deploy"),
            ("apps", "v1beta1", "Deployment", "deployments", "deploy"),
        ]
        .map(|(group, version, kind, plural, short)| Resource {
            api: ApiResource::from_gvk_with_plural(
                &kube::core::GroupVersionKind::gvk(group, version, kind),
                plural,
            ),
            namespaced: true,
            verbs: vec!["get".to_owned()],
            names: vec![short.to_owned()],
        })
        .into()
    }

    #[test]
    fn words_name_kinds_as_in_kubectl() {
        let found = |word: &str| find(&served(), word).map(|resource| resource.gvk().api_version());
        for (word, version) in [
            ("svc", "v1"),
            ("Service", "v1"),
            ("services.serving.knative.dev", "serving.knative.dev/v1"),
            ("services.v1.serving.knative.dev", "serving.knative.dev/v1"),
            ("ksvc", "serving.knative.dev/v1"),
            ("deployment.v1beta1.apps", "apps/v1beta1"),
            ("deploy.apps", "apps/v1"),
        ] {
            assert_eq!(found(word).as_deref(), Some(version), "{word}");
        }
        assert_eq!(found("service.apps"), None);
        assert_eq!(found("pods"), None);
    }

    #[test]
    fn objects_are_named_in_two_ways() {
        let words =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let parsed = |line: &str| {
            pairs(&words(line))
                .map(|pairs| {
                    pairs
                        .iter()
                        .map(|(kind, name)| format!("{kind}={name}"))
                        .collect::<Vec<_>>()
                        .join(" ")
                })
                .map_err(|error| error.message().to_owned())
        };
        assert_eq!(parsed("pod/a cm/b").unwrap(), "pod=a cm=b");
        assert_eq!(parsed("deploy a b").unwrap(), "deploy=a deploy=b");
        for line in ["", "pod", "pod/a b", "pod/a/b", "/a"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}

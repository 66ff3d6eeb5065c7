//! Watches on the objects that wake a Kustomization: its source, its dependencies, and the Secrets
//! and config maps that it references.

use sluice_api::kustomize::{Kustomization, SubstituteReferenceKind};
use sluice_api::meta::condition::{READY, RECONCILING};
use sluice_client::typed::PartialObjectMeta;
use sluice_consumer::{Source, WaitingObjects, dependency, source_key};
use sluice_engine::{ObjectKey, Watch, Watchable};

/// Watches one kind of source. A new artifact wakes the objects that have not attempted it.
pub(super) fn source<S: Source>() -> Watch<Kustomization, S> {
    let references = |object: &Kustomization| {
        let is_mine = object.spec.source_ref.kind.as_str() == S::kind(&());
        is_mine.then(|| source_key(object)).into_iter().collect()
    };
    Watch::on(references)
        .when(|old: Option<&S>, new: Option<&S>| is_new_revision(old, new))
        .wakes(|object, source: Option<&S>| {
            source
                .and_then(Source::artifact)
                .is_some_and(|artifact| !attempts(object, &artifact.revision))
        })
        .after(dependency::of)
}

/// Watches dependencies. A Kustomization that becomes ready or applies another revision wakes the
/// objects that wait for it.
pub(super) fn dependencies(waiting: WaitingObjects) -> Watch<Kustomization, Kustomization> {
    Watch::on(dependency::of)
        .when(|old: Option<&Kustomization>, new: Option<&Kustomization>| {
            let state = |object: &Kustomization| {
                (
                    dependency::is_ready(object),
                    applied(object).map(str::to_owned),
                )
            };
            new.is_some_and(|new| dependency::is_ready(new) && old.map(state) != Some(state(new)))
        })
        .wakes(move |object, _| waiting.contains(&ObjectKey::of(object)))
        .after(dependency::of)
}

/// Watches dependencies of objects with `readyExpr`. Any change wakes an object that waits.
pub(super) fn expressions(waiting: WaitingObjects) -> Watch<Kustomization, Kustomization> {
    Watch::on(dependency::with_expressions)
        .wakes(move |object, dependency: Option<&Kustomization>| {
            dependency.is_some() && waiting.contains(&ObjectKey::of(object))
        })
        .after(dependency::of)
}

/// Watches the Secrets or config maps that objects reference and that match the selector. Only
/// their metadata is cached.
pub(super) fn configs<S>(
    kind: SubstituteReferenceKind,
    selector: &str,
) -> Watch<Kustomization, PartialObjectMeta<S>>
where
    PartialObjectMeta<S>: Watchable,
{
    let references = move |object: &Kustomization| configs_of(object, &kind);
    Watch::on(references)
        .selected(selector)
        .after(dependency::of)
}

/// References of one kind for variables, decryption keys and remote clusters.
fn configs_of(object: &Kustomization, kind: &SubstituteReferenceKind) -> Vec<ObjectKey> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let spec = &object.spec;
    let remote = spec.kube_config.as_ref();
    let (keys, remote) = match kind {
        SubstituteReferenceKind::Secret => (
            spec.decryption
                .as_ref()
                .and_then(|decryption| decryption.secret_ref.as_ref())
                .map(|secret| &secret.name),
            remote
                .and_then(|remote| remote.secret_ref.as_ref())
                .map(|secret| &secret.name),
        ),
        _ => (
            None,
            remote
                .and_then(|remote| remote.config_map_ref.as_ref())
                .map(|config| &config.name),
        ),
    };
    let variables = spec
        .post_build
        .iter()
        .flat_map(|post_build| &post_build.substitute_from)
        .filter(|reference| reference.kind == *kind)
        .map(|reference| &reference.name);
    variables
        .chain(keys)
        .chain(remote)
        .map(|name| ObjectKey::new(namespace, name))
        .collect()
}

/// The last applied revision.
fn applied(object: &Kustomization) -> Option<&str> {
    object.status.as_ref()?.last_applied_revision.as_deref()
}

fn is_new_revision<S: Source>(old: Option<&S>, new: Option<&S>) -> bool {
    let revision = |source: Option<&S>| {
        source
            .and_then(Source::artifact)
            .map(|artifact| artifact.revision.clone())
    };
    let new = revision(new);
    new.is_some() && new != revision(old)
}

/// Whether an object has finished a revision, or is working on it.
fn attempts(object: &Kustomization, revision: &str) -> bool {
    object.status.as_ref().is_some_and(|status| {
        let conditions = &status.conditions;
        (conditions.is_true(READY) || conditions.is_true(RECONCILING))
            && status.last_attempted_revision.as_deref() == Some(revision)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_api::source::GitRepository;

    use super::super::plan::tests::{kustomization, ready, with_status};
    use super::*;

    fn repository(revision: Option<&str>) -> GitRepository {
        let artifact = revision.map(|revision| {
            json!({"url": "http://source/a.tar.gz", "path": "a", "digest": "sha256:00", "revision": revision,
                "lastUpdateTime": "2026-01-01T00:00:00Z"})
        });
        serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": {"name": "source", "namespace": "apps"},
            "spec": {"interval": "1m", "url": "https://example.com/a"},
            "status": {"artifact": artifact},
        }))
        .unwrap()
    }

    #[test]
    fn source_wakes_on_new_revision_only() {
        let (none, one, two) = (
            repository(None),
            repository(Some("1")),
            repository(Some("2")),
        );
        for (old, new, news) in [
            (None, Some(&none), false),
            (None, Some(&one), true),
            (Some(&none), Some(&one), true),
            (Some(&one), Some(&one), false),
            (Some(&one), Some(&two), true),
            (Some(&one), None, false),
            (Some(&one), Some(&none), false),
        ] {
            assert_eq!(is_new_revision(old, new), news);
        }
    }

    #[test]
    fn config_references_cover_variables_keys_and_cluster() {
        let object = kustomization("a", |spec| {
            spec["decryption"] = json!({"provider": "sops", "secretRef": {"name": "keys"}});
            spec["kubeConfig"] =
                json!({"secretRef": {"name": "remote"}, "configMapRef": {"name": "place"}});
            spec["postBuild"] = json!({"substituteFrom": [
                {"kind": "ConfigMap", "name": "one"}, {"kind": "Secret", "name": "two"}]});
        });
        let of = |kind| configs_of(&object, &kind);
        assert_eq!(
            of(SubstituteReferenceKind::Secret),
            ["two", "keys", "remote"].map(|name| ObjectKey::new("apps", name))
        );
        assert_eq!(
            of(SubstituteReferenceKind::ConfigMap),
            ["one", "place"].map(|name| ObjectKey::new("apps", name))
        );
    }

    #[test]
    fn attempted_revision_does_not_wake() {
        assert!(attempts(&ready("a", "1"), "1"));
        assert!(!attempts(&ready("a", "1"), "2"));
        assert!(!attempts(&kustomization("a", |_| ()), "1"));
        let failed = with_status(
            "a",
            json!({"lastAttemptedRevision": "1", "conditions": [
            {"type": "Ready", "status": "False", "reason": "BuildFailed", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}),
        );
        assert!(!attempts(&failed, "1"));
    }
}

//! Watches on the objects that wake a release: its source, its dependencies, and the Secrets and
//! config maps that it references.

use sluice_api::artifact::Artifact;
use sluice_api::helm::{HelmRelease, ValuesReferenceKind};
use sluice_api::meta::ToolkitResource;
use sluice_api::meta::condition::{READY, RECONCILING};
use sluice_client::typed::PartialObjectMeta;
use sluice_consumer::{Source, WaitingObjects, dependency};
use sluice_engine::{ObjectKey, Watch, Watchable};

use super::spec;

/// Watches one kind of source. A new artifact, or a source that becomes ready, wakes the objects
/// that have not attempted it.
pub(super) fn source<S: Source + ToolkitResource>() -> Watch<HelmRelease, S> {
    let references = |object: &HelmRelease| {
        let source = spec::source(object);
        let source = source.filter(|source| source.kind.as_str() == S::kind(&()));
        source.map(|source| source.key).into_iter().collect()
    };
    Watch::on(references)
        .when(|old: Option<&S>, new: Option<&S>| is_news(old, new))
        .wakes(|object, source: Option<&S>| {
            let artifact = source.and_then(Source::artifact);
            artifact.is_some_and(|artifact| !attempts(object, artifact))
        })
        .after(dependency::of)
}

/// Watches dependencies. A release that becomes ready wakes the objects that wait for it.
pub(super) fn dependencies(waiting: WaitingObjects) -> Watch<HelmRelease, HelmRelease> {
    Watch::on(dependency::of)
        .when(|old: Option<&HelmRelease>, new: Option<&HelmRelease>| {
            new.is_some_and(dependency::is_ready) && !old.is_some_and(dependency::is_ready)
        })
        .wakes(move |object, _| waiting.contains(&ObjectKey::of(object)))
        .after(dependency::of)
}

/// Watches dependencies of objects with `readyExpr`. Any change wakes an object that waits.
pub(super) fn expressions(waiting: WaitingObjects) -> Watch<HelmRelease, HelmRelease> {
    Watch::on(dependency::with_expressions)
        .wakes(move |object, dependency: Option<&HelmRelease>| {
            dependency.is_some() && waiting.contains(&ObjectKey::of(object))
        })
        .after(dependency::of)
}

/// Watches the Secrets or config maps that objects reference and that match the selector. Only
/// their metadata is cached.
pub(super) fn configs<S>(
    kind: ValuesReferenceKind,
    selector: &str,
) -> Watch<HelmRelease, PartialObjectMeta<S>>
where
    PartialObjectMeta<S>: Watchable,
{
    let references = move |object: &HelmRelease| configs_of(object, &kind);
    Watch::on(references)
        .selected(selector)
        .after(dependency::of)
}

/// References of one kind for values and remote clusters.
fn configs_of(object: &HelmRelease, kind: &ValuesReferenceKind) -> Vec<ObjectKey> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let remote = object.spec.kube_config.as_ref();
    let remote = match kind {
        ValuesReferenceKind::Secret => remote
            .and_then(|remote| remote.secret_ref.as_ref())
            .map(|secret| &secret.name),
        _ => remote
            .and_then(|remote| remote.config_map_ref.as_ref())
            .map(|config| &config.name),
    };
    let values = object.spec.values_from.iter();
    let values = values.filter(|reference| reference.kind == *kind);
    values
        .map(|reference| &reference.name)
        .chain(remote)
        .map(|name| ObjectKey::new(namespace, name))
        .collect()
}

fn is_news<S: Source + ToolkitResource>(old: Option<&S>, new: Option<&S>) -> bool {
    let revision = |source: Option<&S>| {
        let artifact = source.and_then(Source::artifact);
        artifact.map(|artifact| artifact.revision.clone())
    };
    let is_ready =
        |source: Option<&S>| source.is_some_and(|source| source.conditions().is_true(READY));
    let is_revised = revision(new).is_some() && revision(new) != revision(old);
    is_revised || (is_ready(new) && !is_ready(old))
}

/// Whether an object has finished an artifact, or is working on it.
fn attempts(object: &HelmRelease, artifact: &Artifact) -> bool {
    object.status.as_ref().is_some_and(|status| {
        let conditions = &status.conditions;
        let revision = artifact.revision.as_str();
        let digest = revision.rsplit('@').next();
        let is_attempted = status.last_attempted_revision.as_deref() == Some(revision)
            || (digest.is_some() && status.last_attempted_revision_digest.as_deref() == digest);
        (conditions.is_true(READY) || conditions.is_true(RECONCILING)) && is_attempted
    })
}

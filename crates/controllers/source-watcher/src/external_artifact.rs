//! The published object: its owner, its desired state and its status. Pure.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::artifact::Artifact;
use sluice_api::meta::condition::READY;
use sluice_api::meta::{ToolkitResource as _, label, reason};
use sluice_api::source::{ExternalArtifact, GROUP, VERSION};
use sluice_api::source_watcher::{self, ArtifactGenerator};
use sluice_client::GroupVersionKind;

use crate::args::NAME;

/// The kind of generators.
pub(crate) const GENERATOR: &str = "ArtifactGenerator";
/// The kind of published objects.
const KIND: &str = "ExternalArtifact";
/// The message of their `Ready`.
const READY_MESSAGE: &str = "Artifact is ready";

/// The kind of published objects.
pub(crate) fn gvk() -> GroupVersionKind {
    GroupVersionKind::gvk(GROUP, VERSION, KIND)
}

/// Whether an object belongs to a generator: it has the uid in a label, or names the generator as
/// its source. The second holds for a generator that was restored with another uid.
pub(crate) fn is_owned(object: &ExternalArtifact, generator: &ArtifactGenerator) -> bool {
    has_label(object, generator) || names_as_source(object, generator)
}

/// Whether an object has the uid of a generator in its label.
pub(crate) fn has_label(object: &ExternalArtifact, generator: &ArtifactGenerator) -> bool {
    let labels = object.metadata.labels.as_ref();
    let uid = labels.and_then(|labels| labels.get(source_watcher::label::GENERATOR));
    uid.is_some() && uid == generator.metadata.uid.as_ref()
}

/// Whether an object names a generator as its source.
pub(crate) fn names_as_source(object: &ExternalArtifact, generator: &ArtifactGenerator) -> bool {
    let source = object.spec.source_ref.as_ref();
    source.is_some_and(|source| {
        let own = &generator.metadata;
        let namespace = source
            .namespace
            .as_ref()
            .or(object.metadata.namespace.as_ref());
        source.kind == GENERATOR
            && Some(&source.name) == own.name.as_ref()
            && namespace == own.namespace.as_ref()
    })
}

/// The owner of an object, for a message.
pub(crate) fn owner(object: &ExternalArtifact) -> String {
    if let Some(source) = &object.spec.source_ref {
        let own = object.metadata.namespace.as_deref().unwrap_or_default();
        let namespace = source.namespace.as_deref().unwrap_or(own);
        return format!("{}/{namespace}/{}", source.kind, source.name);
    }
    let labels = object.metadata.labels.as_ref();
    match labels.and_then(|labels| labels.get(label::MANAGED_BY)) {
        Some(manager) => manager.clone(),
        None => "another program".to_owned(),
    }
}

/// The object to apply over a live one. Fails with a live object of another owner. The API server
/// refuses the result if the live object changes before.
pub(crate) fn over<'a>(
    mut object: Value,
    live: Option<&'a ExternalArtifact>,
    generator: &ArtifactGenerator,
) -> Result<Value, &'a ExternalArtifact> {
    if let Some(live) = live {
        if !is_owned(live, generator) {
            return Err(live);
        }
        object["metadata"]["resourceVersion"] = json!(live.metadata.resource_version);
    }
    Ok(object)
}

/// The object without its status. Its labels are those of the spec, of the captures, and of this
/// controller, in this order.
pub(crate) fn desired(
    generator: &ArtifactGenerator,
    name: &str,
    captures: &BTreeMap<String, String>,
) -> Value {
    let own = &generator.metadata;
    let common = generator.spec.common_metadata.as_ref();
    let mut labels = common.map_or_else(BTreeMap::new, |common| common.labels.clone());
    labels.extend(captures.clone());
    labels.insert(label::MANAGED_BY.to_owned(), NAME.to_owned());
    labels.insert(
        source_watcher::label::GENERATOR.to_owned(),
        own.uid.clone().unwrap_or_default(),
    );
    let mut object = json!({
        "apiVersion": format!("{}/{VERSION}", GROUP),
        "kind": KIND,
        "metadata": { "name": name, "namespace": own.namespace, "labels": labels },
        "spec": {
            "sourceRef": {
                "apiVersion": format!("{}/{}", source_watcher::GROUP, source_watcher::VERSION),
                "kind": GENERATOR,
                "name": own.name,
                "namespace": own.namespace,
            },
        },
    });
    let annotations = common.map(|common| &common.annotations);
    if let Some(annotations) = annotations.filter(|annotations| !annotations.is_empty()) {
        object["metadata"]["annotations"] = json!(annotations);
    }
    object
}

/// Whether an object and its status are just as desired, so that no write is needed. A label of
/// another program counts as a difference: it may be one that the spec had before.
pub(crate) fn is_published(
    live: &ExternalArtifact,
    desired: &Value,
    artifact: &Artifact,
    now: Timestamp,
) -> bool {
    let wanted = &desired["metadata"];
    let is_same = |live: Option<&BTreeMap<String, String>>, wanted: &Value| {
        let live = live.filter(|entries| !entries.is_empty());
        live.map_or(Value::Null, |entries| json!(entries)) == *wanted
    };
    let metadata = &live.metadata;
    metadata.deletion_timestamp.is_none()
        && is_same(metadata.labels.as_ref(), &wanted["labels"])
        && is_same(metadata.annotations.as_ref(), &wanted["annotations"])
        && json!(live.spec) == desired["spec"]
        && status(live, artifact, now).is_none()
}

/// The status of an object with an artifact, as a body to apply. `None` if the object has it
/// already.
pub(crate) fn status(
    object: &ExternalArtifact,
    artifact: &Artifact,
    now: Timestamp,
) -> Option<Value> {
    let generation = object.metadata.generation;
    let ready = object.conditions().find(READY);
    let ready = ready.filter(|ready| ready.is_true());
    let live = object.status.as_ref();
    let is_current = live.and_then(|status| status.artifact.as_ref()) == Some(artifact)
        && ready.is_some_and(|ready| {
            ready.observed_generation == generation
                && ready.reason == reason::SUCCEEDED
                && ready.message == READY_MESSAGE
        });
    if is_current {
        return None;
    }
    let since = match ready {
        Some(ready) => json!(ready.last_transition_time),
        None => json!(sluice_api::meta::Time::from(now)),
    };
    Some(json!({
        "apiVersion": format!("{}/{VERSION}", GROUP),
        "kind": KIND,
        "metadata": { "name": object.metadata.name, "namespace": object.metadata.namespace },
        "status": {
            "artifact": artifact,
            "conditions": [{
                "type": READY,
                "status": "True",
                "reason": reason::SUCCEEDED,
                "message": READY_MESSAGE,
                "observedGeneration": generation,
                "lastTransitionTime": since,
            }],
        },
    }))
}

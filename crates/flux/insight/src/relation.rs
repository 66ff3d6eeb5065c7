//! The objects that an object needs: its owner, its sources and its dependencies.

use serde_json::Value;
use sluice_object::Object;

use crate::fields::{at, text};
use crate::kinds::{HELM, KUSTOMIZE};
use crate::snapshot::{Id, Snapshot};

/// The way in which an object needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeedKind {
    /// A source, a chart, a policy or a provider.
    Source,
    /// An object of `spec.dependsOn`.
    Dependency,
    /// The object that applies or owns it.
    Owner,
}

/// One object that another needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) id: Id,
    pub(crate) kind: NeedKind,
}

impl Need {
    fn source(id: Id) -> Self {
        let kind = NeedKind::Source;
        Self { id, kind }
    }
}

/// Everything that an object needs, sources first.
pub(crate) fn needs(snapshot: &Snapshot, object: &Object) -> Vec<Need> {
    let mut needs = sources(snapshot, object);
    for dependency in list(object, "/spec/dependsOn") {
        let id = Id::new(
            object.kind(),
            namespace(dependency, object),
            name(dependency),
        );
        let kind = NeedKind::Dependency;
        needs.push(Need { id, kind });
    }
    needs.extend(owners(object).into_iter().map(|id| Need {
        id,
        kind: NeedKind::Owner,
    }));
    needs.retain(|need| need.id != Id::of(object));
    needs
}

/// The sources and dependencies of an object, which are reconciled before it.
pub(crate) fn prerequisites(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let needs = needs(snapshot, object).into_iter();
    needs
        .filter(|need| need.kind != NeedKind::Owner)
        .map(|need| need.id)
        .collect()
}

fn sources(snapshot: &Snapshot, object: &Object) -> Vec<Need> {
    let reference = |pointer: &str, kind: &str| {
        let reference = at(object, pointer)?;
        let kind = reference["kind"].as_str().unwrap_or(kind);
        Some(Id::new(kind, namespace(reference, object), name(reference)))
    };
    let one = |id: Option<Id>| id.map(Need::source).into_iter().collect();
    match object.kind() {
        "Kustomization" => one(reference("/spec/sourceRef", "GitRepository")),
        "HelmRelease" => {
            one(reference("/spec/chartRef", "OCIRepository").or_else(|| chart(object)))
        }
        "HelmChart" => one(reference("/spec/sourceRef", "HelmRepository")),
        // The owner may be of any kind.
        "ExternalArtifact" => one(reference("/spec/sourceRef", "")),
        "ImagePolicy" => one(reference("/spec/imageRepositoryRef", "ImageRepository")),
        "Alert" => one(reference("/spec/providerRef", "Provider")),
        "GitRepository" => list(object, "/spec/include")
            .filter_map(|include| include.get("repository"))
            .map(|reference| Id::new("GitRepository", object.namespace(), name(reference)))
            .map(Need::source)
            .collect(),
        "ArtifactGenerator" => list(object, "/spec/sources")
            .map(|reference| {
                let kind = reference["kind"].as_str().unwrap_or_default();
                Id::new(kind, namespace(reference, object), name(reference))
            })
            .map(Need::source)
            .collect(),
        "ImageUpdateAutomation" => {
            let mut needs: Vec<Need> = one(reference("/spec/sourceRef", "GitRepository"));
            let policies = snapshot
                .of_kind("ImagePolicy")
                .filter(|policy| policy.namespace() == object.namespace())
                .filter(|policy| selects(object, policy));
            needs.extend(policies.map(Id::of).map(Need::source));
            needs
        }
        _ => Vec::new(),
    }
}

/// The source of a Kustomization, if it has a revision that the Kustomization did not attempt.
pub(crate) fn newer_source<'s>(snapshot: &'s Snapshot, object: &Object) -> Option<&'s Object> {
    if object.kind() != "Kustomization" {
        return None;
    }
    let held = ["lastAppliedRevision", "lastAttemptedRevision"]
        .map(|revision| text(object, &format!("/status/{revision}")));
    needs(snapshot, object)
        .into_iter()
        .filter(|need| need.kind == NeedKind::Source)
        .filter_map(|need| snapshot.get(&need.id))
        .find(|source| {
            let offered = text(source, "/status/artifact/revision");
            !offered.is_empty() && !held.contains(&offered)
        })
}

/// The release for which helm-controller keeps a chart.
pub(crate) fn release_of<'s>(snapshot: &'s Snapshot, made: &Object) -> Option<&'s Object> {
    let id = Some(Id::of(made)).filter(|id| id.kind == "HelmChart")?;
    snapshot
        .of_kind("HelmRelease")
        .filter(|release| at(release, "/spec/chartRef").is_none_or(Value::is_null))
        .find(|release| chart(release).as_ref() == Some(&id))
}

/// The generators that list a missing `ExternalArtifact`.
pub(crate) fn makers<'s>(snapshot: &'s Snapshot, id: &Id) -> Vec<&'s Object> {
    if id.kind != "ExternalArtifact" {
        return Vec::new();
    }
    snapshot
        .of_kind("ArtifactGenerator")
        .filter(|generator| generator.namespace() == id.namespace)
        .filter(|generator| list(generator, "/spec/artifacts").any(|made| name(made) == id.name))
        .collect()
}

/// The `HelmChart` that helm-controller creates for a release.
fn chart(object: &Object) -> Option<Id> {
    if let Some((namespace, name)) = text(object, "/status/helmChart").split_once('/') {
        return Some(Id::new("HelmChart", namespace, name));
    }
    let reference = at(object, "/spec/chart/spec/sourceRef")?;
    let made = format!("{}-{}", object.namespace(), object.name());
    Some(Id::new("HelmChart", namespace(reference, object), made))
}

/// Whether a policy matches the selector of an automation.
fn selects(automation: &Object, policy: &Object) -> bool {
    let wanted = at(automation, "/spec/policySelector/matchLabels").and_then(Value::as_object);
    wanted.is_none_or(|wanted| {
        wanted
            .iter()
            .all(|(key, value)| policy.label(key) == value.as_str())
    })
}

/// Whether Flux's owner labels are set.
pub(crate) fn is_applied(object: &Object) -> bool {
    [KUSTOMIZE, HELM]
        .iter()
        .any(|group| object.label(&format!("{group}/name")).is_some())
}

/// The object that applied an object by its labels, or its Kubernetes owners.
fn owners(object: &Object) -> Vec<Id> {
    for (group, kind) in [(KUSTOMIZE, "Kustomization"), (HELM, "HelmRelease")] {
        let label = |part: &str| object.label(&format!("{group}/{part}")).unwrap_or_default();
        if !label("name").is_empty() {
            return vec![Id::new(kind, label("namespace"), label("name"))];
        }
    }
    list(object, "/metadata/ownerReferences")
        .map(|owner| {
            let kind = owner["kind"].as_str().unwrap_or_default();
            Id::new(kind, object.namespace(), name(owner))
        })
        .collect()
}

fn list<'o>(object: &'o Object, pointer: &str) -> impl Iterator<Item = &'o Value> + use<'o> {
    at(object, pointer)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn name(reference: &Value) -> &str {
    reference["name"].as_str().unwrap_or_default()
}

fn namespace<'r>(reference: &'r Value, object: &'r Object) -> &'r str {
    let written = reference["namespace"].as_str();
    written
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or_else(|| object.namespace())
}

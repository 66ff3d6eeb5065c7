//! Deletes the controllers, their permissions and their definitions, and keeps the applied objects.
//!
//! The controllers go first, so that they do not react to the next steps. Then all finalizers
//! are removed, so that deleting a definition does not delete applied objects. Definitions
//! and the namespace come last. A purge of workloads comes before all that: [`purge`].
//!
//! The cluster may run another release of Flux, so its own definitions name the kinds and
//! versions. A definition whose objects keep finalizers stays, because its deletion would
//! not end. An object counts as deleted only once the cluster does not have it.

mod purge;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sluice_apply::WaitTarget;
use sluice_client::{
    DeleteOptions, Error as ClientError, GroupVersionKind, ListOptions, PatchOptions,
};
use sluice_insight::fields::{at, text};
use sluice_insight::kinds;
use sluice_insight::kinds::{RESOURCES, Resource};
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::installer::Installer;
use crate::session::{FIELD_MANAGER, Session, object, objects};

/// Options of an uninstall.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Reports the objects to delete, and deletes nothing.
    pub dry_run: bool,
    /// Keeps the namespace of Flux.
    pub keep_namespace: bool,
    /// Deletes the objects that Kustomizations and `HelmRelease`s applied.
    pub purge_workloads: bool,
}

/// Kinds that are deleted by label, in this order. The last field is true for namespaced kinds.
const PARTS: [(&str, &str, &str, bool); 9] = [
    ("apps", "v1", "Deployment", true),
    ("", "v1", "Service", true),
    ("networking.k8s.io", "v1", "NetworkPolicy", true),
    ("", "v1", "ServiceAccount", true),
    ("", "v1", "ResourceQuota", true),
    ("rbac.authorization.k8s.io", "v1", "Role", true),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding", true),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", false),
    (
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        false,
    ),
];

/// Uninstalls Flux; returns the objects that remain, each with the reason.
pub async fn uninstall(session: &Session<'_>, options: Options) -> Result<Vec<String>, Error> {
    let (progress, namespace) = (session.progress, session.namespace.clone());
    let mut work = Work {
        session,
        namespace: namespace.clone(),
        dry_run: options.dry_run,
        deadline: Instant::now() + session.timeout,
        deleted: Vec::new(),
        remaining: Vec::new(),
    };
    if options.purge_workloads {
        progress.action("deleting what was applied");
        work.purge().await?;
    }
    progress.action(format!("deleting components in {namespace} namespace"));
    work.components().await?;
    progress.action("deleting toolkit.fluxcd.io finalizers in all namespaces");
    let free = work.finalizers().await?;
    progress.action("deleting toolkit.fluxcd.io custom resource definitions");
    for definition in free {
        work.delete(&kinds::definition(), &definition).await?;
    }
    if !options.keep_namespace {
        work.namespace().await?;
    }
    work.are_gone().await?;
    Ok(work.remaining)
}

struct Work<'a> {
    session: &'a Session<'a>,
    namespace: String,
    dry_run: bool,
    deadline: Instant,
    /// The objects whose deletion was accepted.
    deleted: Vec<Object>,
    /// The objects that could not be deleted, with the reason.
    remaining: Vec<String>,
}

impl Work<'_> {
    /// The labels of the installation.
    fn labels(&self) -> String {
        format!(
            "app.kubernetes.io/part-of=flux,app.kubernetes.io/instance={}",
            self.namespace
        )
    }

    async fn list(
        &mut self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        labels: Option<String>,
    ) -> Result<Vec<Object>, Error> {
        let options = ListOptions {
            labels,
            ..ListOptions::default()
        };
        match self.session.cluster.list(gvk, namespace, &options).await {
            Ok(list) => Ok(objects(list)),
            Err(error) if error.has_no_match() => Ok(Vec::new()),
            Err(error @ ClientError::Unreachable { .. }) => Err(refusal(&error)),
            Err(error) => {
                self.remaining.push(error.to_string());
                Ok(Vec::new())
            }
        }
    }

    async fn components(&mut self) -> Result<(), Error> {
        let labels = self.labels();
        for (group, version, kind, namespaced) in PARTS {
            let gvk = GroupVersionKind::gvk(group, version, kind);
            let namespace = namespaced.then(|| self.namespace.clone());
            for object in self
                .list(&gvk, namespace.as_deref(), Some(labels.clone()))
                .await?
            {
                self.delete(&gvk, &object).await?;
            }
        }
        Ok(())
    }

    /// Removes every finalizer of Flux's objects, so that no controller reacts to their deletion.
    /// Returns the definitions that can be deleted afterwards.
    async fn finalizers(&mut self) -> Result<Vec<Object>, Error> {
        let labels = Some("app.kubernetes.io/part-of=flux".to_owned());
        let all = self.list(&kinds::definition(), None, labels).await?;
        let mut free = Vec::new();
        for definition in &all {
            match self.free_of(definition).await? {
                Ok(()) => free.push(definition.clone()),
                Err(why) => {
                    let left = format!("{}: {why}", definition.id());
                    self.session.progress.failure(format!("{left}: it stays"));
                    self.remaining.push(left);
                }
            }
        }
        // Kinds whose definitions have no label of Flux are freed as well; the definitions stay.
        let is_there = |resource: &Resource| {
            all.iter().any(|definition| {
                text(definition, "/spec/group") == resource.group
                    && text(definition, "/spec/names/kind") == resource.kind
            })
        };
        for resource in RESOURCES.iter().filter(|resource| !is_there(resource)) {
            let gvk = resource.gvk();
            let objects = self.list(&gvk, None, None).await?;
            self.unfinalized(&gvk, &objects).await?;
        }
        Ok(free)
    }

    /// Removes the finalizers of a definition's objects, or returns why some may remain.
    async fn free_of(&mut self, definition: &Object) -> Result<Result<(), String>, Error> {
        let Some(gvk) = served_as(definition) else {
            return Ok(Err(
                "it serves no version that its objects could be listed in".to_owned(),
            ));
        };
        let options = ListOptions::default();
        let objects = match self.session.cluster.list(&gvk, None, &options).await {
            Ok(list) => objects(list),
            Err(error @ ClientError::Unreachable { .. }) => return Err(refusal(&error)),
            // A definition that was never established has no objects.
            Err(error) if error.has_no_match() && !is_established(definition) => Vec::new(),
            Err(error) => {
                let why = error.message();
                return Ok(Err(format!("its objects cannot be listed: {why}")));
            }
        };
        let is_free = self.unfinalized(&gvk, &objects).await?;
        Ok(is_free
            .then_some(())
            .ok_or_else(|| "its objects have finalizers without a controller".to_owned()))
    }

    /// Removes finalizers; returns whether all are removed.
    async fn unfinalized(
        &mut self,
        gvk: &GroupVersionKind,
        objects: &[Object],
    ) -> Result<bool, Error> {
        let patch = json!({ "metadata": { "finalizers": [] } });
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let held = objects
            .iter()
            .filter(|object| object.finalizers().next().is_some());
        let mut is_free = true;
        for object in held {
            let done = if self.dry_run {
                Ok(())
            } else {
                let (namespace, name) = (Some(object.namespace()), object.name());
                let cluster = self.session.cluster;
                let merged = cluster.merge(gvk, namespace, name, &patch, options).await;
                merged.map(drop)
            };
            is_free &= done.as_ref().err().is_none_or(ClientError::is_not_found);
            self.report("finalizers deleted", object, done);
        }
        Ok(is_free)
    }

    async fn namespace(&mut self) -> Result<(), Error> {
        let gvk = GroupVersionKind::gvk("", "v1", "Namespace");
        let namespace = Object::new("v1", "Namespace", "", &self.namespace);
        self.delete(&gvk, &namespace).await
    }

    async fn delete(&mut self, gvk: &GroupVersionKind, object: &Object) -> Result<(), Error> {
        let namespace = Some(object.namespace()).filter(|namespace| !namespace.is_empty());
        let done = if self.dry_run {
            Ok(())
        } else {
            self.session
                .cluster
                .delete(gvk, namespace, object.name(), &DeleteOptions::default())
                .await
                .map(|_| ())
        };
        if done.is_ok() && !self.dry_run {
            let (api_version, kind) = (gvk.api_version(), gvk.kind.as_str());
            let (namespace, name) = (object.namespace(), object.name());
            self.deleted
                .push(Object::new(&api_version, kind, namespace, name));
        }
        self.report("deleted", object, done);
        Ok(())
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Waits until everything is deleted and records the remaining objects with the reason.
    async fn are_gone(&mut self) -> Result<(), Error> {
        let targets: Vec<WaitTarget> = self.deleted.iter().map(target).collect();
        // Time to read the remaining objects.
        let limit = self.left().saturating_sub(Duration::from_secs(2));
        if targets.is_empty() || Installer::new(self.session).wait_gone(targets, limit).await {
            return Ok(());
        }
        for deleted in std::mem::take(&mut self.deleted) {
            let gvk = deleted.gvk();
            let gvk = GroupVersionKind::gvk(&gvk.group, &gvk.version, &gvk.kind);
            let namespace = Some(deleted.namespace()).filter(|namespace| !namespace.is_empty());
            let found = self.session.cluster.get(&gvk, namespace, deleted.name());
            match found.await {
                Ok(None) => {}
                Ok(Some(live)) => {
                    let why = object(live)
                        .map(|live| hindrance(&live))
                        .unwrap_or_default();
                    self.remaining.push(format!("{}: {why}", deleted.id()));
                }
                Err(error) => {
                    let id = deleted.id();
                    self.remaining.push(format!("{id}: {}", error.message()));
                }
            }
        }
        Ok(())
    }

    fn report(&mut self, what: &str, object: &Object, done: Result<(), ClientError>) {
        let id = object.id();
        match done {
            Ok(()) => self.session.progress.success(format!(
                "{id} {what}{}",
                if self.dry_run { " (dry run)" } else { "" }
            )),
            Err(error) if error.is_not_found() => {}
            Err(error) => {
                self.session
                    .progress
                    .failure(format!("{id} {what} failed: {}", error.message()));
                self.remaining.push(format!("{id}: {}", error.message()));
            }
        }
    }
}

/// The kind of a definition in its storage version, or in another version that is served.
fn served_as(definition: &Object) -> Option<GroupVersionKind> {
    let versions = at(definition, "/spec/versions")?.as_array()?;
    let served = || versions.iter().filter(|version| version["served"] == true);
    let stored = served().find(|version| version["storage"] == true);
    Some(GroupVersionKind::gvk(
        text(definition, "/spec/group"),
        stored.or_else(|| served().next())?["name"].as_str()?,
        text(definition, "/spec/names/kind"),
    ))
}

fn is_established(definition: &Object) -> bool {
    let conditions = at(definition, "/status/conditions").and_then(Value::as_array);
    let mut conditions = conditions.into_iter().flatten();
    conditions.any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

fn target(object: &Object) -> WaitTarget {
    WaitTarget::new(object.id(), object.version())
}

/// The reason why an object is still being deleted, by its conditions or finalizers.
fn hindrance(live: &Object) -> String {
    if live.deletion_timestamp().is_none() {
        return "it was created again during the deletion".to_owned();
    }
    let conditions = at(live, "/status/conditions").and_then(Value::as_array);
    let told = conditions.into_iter().flatten().filter(|condition| {
        let kind = condition["type"].as_str().unwrap_or_default();
        condition["status"] == "True" && (kind == "Terminating" || kind.starts_with("Namespace"))
    });
    let told = told.filter_map(|condition| condition["message"].as_str());
    let mut told: Vec<String> = told.map(str::to_owned).collect();
    if told.is_empty() {
        let finalizers: Vec<&str> = live.finalizers().collect();
        told.push(match finalizers.as_slice() {
            [] => "it is being deleted".to_owned(),
            held => format!("it is held by {}", held.join(", ")),
        });
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_in_a_served_version() {
        let version = |name: &str, served: bool, storage: bool| json!({ "name": name, "served": served, "storage": storage });
        for (versions, expected) in [
            (
                json!([version("v1", true, false), version("v1beta2", true, true)]),
                Some("v1beta2"),
            ),
            (
                json!([version("v1", true, false), version("v2", false, true)]),
                Some("v1"),
            ),
            (json!([version("v1beta2", false, true)]), None),
            (json!([]), None),
        ] {
            let definition = json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": { "name": "imagepolicies.image.toolkit.fluxcd.io" },
                "spec": {
                    "group": "image.toolkit.fluxcd.io", "names": { "kind": "ImagePolicy" },
                    "versions": versions,
                },
            });
            let gvk = served_as(&Object::try_from(definition).unwrap());
            let found = gvk.as_ref().map(|gvk| gvk.version.as_str());
            assert_eq!(found, expected, "{versions}");
        }
    }

    #[test]
    fn remaining_object_has_its_holder() {
        let live = |metadata: Value, conditions: Value| {
            let object = json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": metadata,
                "status": { "conditions": conditions },
            });
            hindrance(&Object::try_from(object).unwrap())
        };
        let going = json!({ "name": "a", "deletionTimestamp": "2026-01-01T00:00:00Z" });
        let conditions = json!([
            { "type": "NamespaceDeletionContentFailure", "status": "False", "message": "fine" },
            { "type": "NamespaceContentRemaining", "status": "True", "message": "widgets remain" },
        ]);
        assert_eq!(live(going.clone(), conditions), "widgets remain");
        assert_eq!(live(going.clone(), json!([])), "it is being deleted");
        let mut held = going;
        held["finalizers"] = json!(["a/b", "c/d"]);
        assert_eq!(live(held, json!([])), "it is held by a/b, c/d");
        assert_eq!(
            live(json!({ "name": "a" }), json!([])),
            "it was created again during the deletion"
        );
    }
}

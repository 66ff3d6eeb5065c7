//! Deletes the workloads of an installation by its own controllers.
//!
//! Every Kustomization and `HelmRelease` is deleted while its controller runs, which prunes or
//! uninstalls its objects. An object is deleted after those that depend on it or that it
//! applied ([`wave`]). They may need its credentials or definitions. The
//! Kustomization of the cluster itself holds the controllers in its inventory. It is
//! suspended, and its other objects are deleted here.
//!
//! The purge stops if a controller is missing or does not finish. The remaining objects
//! could not be deleted afterwards.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use sluice_apply::{Inventory, InventoryEntry, Owner, WaitTarget};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_insight::fields;
use sluice_insight::fields::{at, text};
use sluice_insight::kinds;
use sluice_insight::kinds::{Resource, by_kind, is_suspended};
use sluice_object::{Object, ObjectId};

use super::{PARTS, Work, target};
use crate::error::{Error, refusal};
use crate::installation;
use crate::installer::Installer;
use crate::session::{FIELD_MANAGER, object, objects};

/// The kinds that apply workloads, with their controllers.
const APPLIERS: [(&str, &str); 2] = [
    ("Kustomization", "kustomize-controller"),
    ("HelmRelease", "helm-controller"),
];

/// The annotation of a Kustomization that a purge suspended. A second run must not take it for
/// one that a user suspended.
const ANNOTATION: &str = "sluice.dev/purge";

fn resource(kind: &str) -> Result<&'static Resource, Error> {
    by_kind(kind).ok_or_else(|| Error::internal(format!("the registry lacks {kind}")))
}

impl Work<'_> {
    /// Deletes the applied workloads, or reports them in a dry run.
    pub(super) async fn purge(&mut self) -> Result<(), Error> {
        self.are_of_today().await?;
        let found = self.appliers().await?;
        self.are_served(&found).await?;
        let (own, others) = split(found, &self.namespace);
        for object in own.iter().chain(&others) {
            if let Some(why) = keeps(object) {
                let id = object.id();
                let progress = self.session.progress;
                progress.warning(format!(" {id} {why}: what it applied stays"));
            }
        }
        if self.dry_run {
            for object in &others {
                self.report("deleted", object, Ok(()));
                for entry in of_its_own(object).entries() {
                    self.report("deleted", &entry.skeleton(), Ok(()));
                }
            }
        } else {
            for object in &own {
                self.suspend(object).await?;
            }
            self.others().await?;
        }
        for object in own.iter().filter(|object| keeps(object).is_none()) {
            self.besides_the_installation(object).await?;
        }
        Ok(())
    }

    /// Rejects a release with older API versions, whose objects would be skipped.
    async fn are_of_today(&self) -> Result<(), Error> {
        for (kind, _) in APPLIERS {
            let resource = resource(kind)?;
            let name = format!("{}.{}", resource.plural, resource.group);
            let found = self
                .session
                .cluster
                .get(&kinds::definition(), None, &name)
                .await
                .map_err(|error| refusal(&error))?;
            let Some(definition) = found.and_then(object) else {
                continue;
            };
            let versions = at(&definition, "/spec/versions").and_then(Value::as_array);
            let mut versions = versions.into_iter().flatten();
            let version = resource.version;
            if !versions.any(|one| one["name"] == version && one["served"] == true) {
                return Err(Error::cluster(format!(
                    "what {kind} objects applied cannot be deleted: the cluster does not serve them as {version}"
                ))
                .hint("upgrade Flux first, or uninstall without --purge-workloads; nothing was deleted"));
            }
        }
        Ok(())
    }

    async fn appliers(&mut self) -> Result<Vec<Object>, Error> {
        let mut found = Vec::new();
        for (kind, _) in APPLIERS {
            found.extend(self.list(&resource(kind)?.gvk(), None, None).await?);
        }
        Ok(found)
    }

    /// Rejects a purge without running controllers.
    async fn are_served(&self, found: &[Object]) -> Result<(), Error> {
        let deployments = installation::deployments(self.session).await?;
        let serves = |name: &str| {
            deployments.iter().any(|deployment| {
                let replicas = at(deployment, "/status/readyReplicas").and_then(Value::as_u64);
                [name, sluice_manifests::SINGLE].contains(&deployment.name())
                    && replicas.is_some_and(|ready| ready > 0)
            })
        };
        for (kind, controller) in APPLIERS {
            let held = found.iter().filter(|object| object.kind() == kind);
            let held = held.filter(|object| object.finalizers().next().is_some());
            let count = held.count();
            if count > 0 && !serves(controller) {
                return Err(Error::cluster(format!(
                    "no {controller} is ready to delete what {count} {kind} objects applied"
                ))
                .hint(
                    "run install to restore it, or omit --purge-workloads; nothing was deleted",
                ));
            }
        }
        Ok(())
    }

    async fn suspend(&mut self, own: &Object) -> Result<(), Error> {
        // Suspended by an earlier run or by a user; a mark would hide the latter.
        if is_suspended(own) {
            return Ok(());
        }
        let patch = json!({
            "metadata": { "annotations": { ANNOTATION: "suspended" } },
            "spec": { "suspend": true },
        });
        let kustomization = resource("Kustomization")?;
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let (gvk, owner) = (kustomization.gvk(), Some(own.namespace()));
        let merged = self
            .session
            .cluster
            .merge(&gvk, owner, own.name(), &patch, options);
        merged.await.map_err(|error| refusal(&error))?;
        let (namespace, name) = (own.namespace(), own.name());
        let progress = self.session.progress;
        progress.success(format!("Kustomization/{namespace}/{name} suspended"));
        Ok(())
    }

    /// Deletes all other objects in waves, until none is left.
    async fn others(&mut self) -> Result<(), Error> {
        loop {
            let found = self.appliers().await?;
            self.nothing_failed()?;
            let (_, others) = split(found, &self.namespace);
            if others.is_empty() {
                return Ok(());
            }
            let wave = wave(&others);
            for object in &wave {
                let gvk = resource(object.kind())?.gvk();
                self.delete(&gvk, object).await?;
            }
            self.nothing_failed()?;
            let targets: Vec<WaitTarget> = wave.iter().map(|object| target(object)).collect();
            let limit = self.left().saturating_sub(Duration::from_secs(2));
            if !Installer::new(self.session).wait_gone(targets, limit).await {
                let left = self.appliers().await?;
                let going = left
                    .iter()
                    .filter(|object| object.deletion_timestamp().is_some());
                let going: Vec<String> = going.map(status_line).collect();
                return Err(Error::cluster(format!(
                    "what was applied is not deleted in time: {}",
                    going.join("; ")
                ))
                .hint(
                    "set a longer --timeout and run uninstall again: the controllers still run",
                ));
            }
        }
    }

    fn nothing_failed(&self) -> Result<(), Error> {
        if self.remaining.is_empty() {
            return Ok(());
        }
        Err(Error::cluster(format!(
            "what was applied cannot be deleted: {}",
            self.remaining.join("; ")
        ))
        .hint("fix the cause and run uninstall again: the controllers still run"))
    }

    /// Deletes the objects of the cluster's own Kustomization that are not part of the
    /// installation.
    async fn besides_the_installation(&mut self, own: &Object) -> Result<(), Error> {
        let parts = self.parts().await?;
        let stale = of_its_own(own);
        let stale = stale
            .entries()
            .iter()
            .filter(|entry| !parts.contains(&entry.id) && !entry.id.group.ends_with(".fluxcd.io"));
        let stale: Inventory = stale.cloned().collect();
        if self.dry_run {
            for entry in stale.entries() {
                self.report("deleted", &entry.skeleton(), Ok(()));
            }
            return Ok(());
        }
        let owner = Owner {
            name: own.name().to_owned(),
            namespace: own.namespace().to_owned(),
        };
        let installer = Installer::new(self.session);
        let pruned = installer.prune(&stale, &owner).await;
        let deleted: Vec<&InventoryEntry> = stale
            .entries()
            .iter()
            .filter(|entry| {
                pruned
                    .changes
                    .entries
                    .iter()
                    .any(|done| done.id == entry.id)
            })
            .collect();
        for entry in &deleted {
            self.report("deleted", &entry.skeleton(), Ok(()));
        }
        if let Some(error) = pruned.error {
            self.remaining.push(error.to_string());
        }
        self.nothing_failed()?;
        let targets = deleted
            .iter()
            .map(|entry| WaitTarget::new(entry.id.clone(), entry.version.as_str()));
        let targets: Vec<WaitTarget> = targets.collect();
        let limit = self.left().saturating_sub(Duration::from_secs(2));
        if !targets.is_empty() && !installer.wait_gone(targets, limit).await {
            return Err(Error::cluster(
                "what the cluster's own Kustomization applied is not deleted in time",
            )
            .hint("fix the cause and run uninstall again"));
        }
        Ok(())
    }

    /// The ids of the installation.
    async fn parts(&self) -> Result<BTreeSet<ObjectId>, Error> {
        let mut ids = BTreeSet::new();
        ids.insert(Object::new("v1", "Namespace", "", &self.namespace).id());
        let labels = self.labels();
        let kinds = PARTS.iter().map(|(group, version, kind, namespaced)| {
            (
                GroupVersionKind::gvk(group, version, kind),
                *namespaced,
                labels.clone(),
            )
        });
        let everywhere = "app.kubernetes.io/part-of=flux".to_owned();
        for (gvk, namespaced, labels) in kinds.chain([(kinds::definition(), false, everywhere)]) {
            let options = sluice_client::ListOptions {
                labels: Some(labels),
                ..sluice_client::ListOptions::default()
            };
            let namespace = namespaced.then_some(self.namespace.as_str());
            let list = self.session.cluster.list(&gvk, namespace, &options).await;
            let list = list.map_err(|error| refusal(&error))?;
            ids.extend(objects(list).iter().map(Object::id));
        }
        Ok(ids)
    }
}

/// Splits the objects into those that hold the controllers and all others.
fn split(found: Vec<Object>, namespace: &str) -> (Vec<Object>, Vec<Object>) {
    found.into_iter().partition(|object| {
        let holds_controllers = || {
            of_its_own(object).entries().iter().any(|entry| {
                entry.id.kind == "Deployment"
                    && entry.id.namespace == namespace
                    && [APPLIERS[0].1, sluice_manifests::SINGLE].contains(&entry.id.name.as_str())
            })
        };
        object.kind() == "Kustomization"
            && ((object.namespace() == namespace && object.name() == namespace)
                || holds_controllers())
    })
}

/// The inventory of an object.
fn of_its_own(object: &Object) -> Inventory {
    fields::inventory(object)
        .filter_map(|(id, version)| {
            let id = ObjectId::parse_inventory(id).ok()?;
            let version = version.to_owned();
            Some(InventoryEntry { id, version })
        })
        .collect()
}

/// The reason why a controller keeps the applied objects, if it does.
fn keeps(object: &Object) -> Option<&'static str> {
    if is_suspended(object) && object.annotation(ANNOTATION).is_none() {
        return Some("is suspended");
    }
    if object.kind() != "Kustomization" {
        return None;
    }
    match text(object, "/spec/deletionPolicy") {
        "" | "MirrorPrune" if at(object, "/spec/prune") != Some(&Value::Bool(true)) => {
            Some("does not prune")
        }
        "Orphan" => Some("orphans its objects"),
        _ => None,
    }
}

/// The objects that no other needs: without dependants, and not applied by another. A cycle is
/// returned as a whole.
fn wave(objects: &[Object]) -> Vec<&Object> {
    let needed_by_another = |object: &Object| {
        let held = of_its_own(object);
        let held = held.ids();
        objects.iter().any(|other| {
            other.id() != object.id() && (depends(other, object) || held.contains(&other.id()))
        })
    };
    let free: Vec<&Object> = objects
        .iter()
        .filter(|object| !needed_by_another(object))
        .collect();
    if free.is_empty() {
        objects.iter().collect()
    } else {
        free
    }
}

fn depends(object: &Object, on: &Object) -> bool {
    let named = at(object, "/spec/dependsOn").and_then(Value::as_array);
    object.kind() == on.kind()
        && named.into_iter().flatten().any(|named| {
            let namespace = named["namespace"]
                .as_str()
                .unwrap_or_else(|| object.namespace());
            named["name"] == on.name() && namespace == on.namespace()
        })
}

/// An object and its status.
fn status_line(object: &Object) -> String {
    let conditions = at(object, "/status/conditions").and_then(Value::as_array);
    let ready = conditions
        .into_iter()
        .flatten()
        .find(|one| one["type"] == "Ready");
    let message = ready
        .and_then(|ready| ready["message"].as_str())
        .unwrap_or_default();
    format!("{}: {message}", object.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kustomization(name: &str, spec: &Value, inventory: &[&str]) -> Object {
        let entries = inventory.iter().map(|id| json!({ "id": id, "v": "v1" }));
        Object::try_from(json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": "flux-system" },
            "spec": spec,
            "status": { "inventory": { "entries": entries.collect::<Vec<_>>() } },
        }))
        .unwrap()
    }

    fn names(objects: &[&Object]) -> Vec<String> {
        objects
            .iter()
            .map(|object| object.name().to_owned())
            .collect()
    }

    #[test]
    fn wave_keeps_prerequisites_for_later() {
        let mut all = vec![
            kustomization(
                "tenants",
                &json!({}),
                &["flux-system_apps_kustomize.toolkit.fluxcd.io_Kustomization"],
            ),
            kustomization("base", &json!({}), &[]),
            kustomization("apps", &json!({ "dependsOn": [{ "name": "base" }] }), &[]),
        ];
        assert_eq!(names(&wave(&all)), ["apps"]);
        all.retain(|object| object.name() != "apps");
        assert_eq!(names(&wave(&all)), ["tenants", "base"]);
    }

    #[test]
    fn cycle_is_deleted_at_once() {
        let needs = |name: &str| json!({ "dependsOn": [{ "name": name }] });
        let all = [
            kustomization("a", &needs("b"), &[]),
            kustomization("b", &needs("a"), &[]),
        ];
        assert_eq!(names(&wave(&all)), ["a", "b"]);
    }

    #[test]
    fn controllers_are_found_by_inventory() {
        let all = vec![
            kustomization(
                "cluster",
                &json!({}),
                &["flux-system_kustomize-controller_apps_Deployment"],
            ),
            kustomization("flux-system", &json!({}), &[]),
            kustomization("app", &json!({}), &["flux-system_other_apps_Deployment"]),
        ];
        let (own, others) = split(all, "flux-system");
        assert_eq!(
            names(&own.iter().collect::<Vec<_>>()),
            ["cluster", "flux-system"]
        );
        assert_eq!(names(&others.iter().collect::<Vec<_>>()), ["app"]);
    }

    #[test]
    fn kept_workloads_have_a_reason() {
        for (spec, expected) in [
            (json!({ "prune": true }), None),
            (json!({ "prune": false }), Some("does not prune")),
            (json!({ "prune": false, "deletionPolicy": "Delete" }), None),
            (
                json!({ "prune": true, "deletionPolicy": "Orphan" }),
                Some("orphans its objects"),
            ),
            (
                json!({ "prune": true, "suspend": true }),
                Some("is suspended"),
            ),
        ] {
            assert_eq!(keeps(&kustomization("a", &spec, &[])), expected, "{spec}");
        }
    }

    #[test]
    fn suspension_by_a_purge_is_not_a_reason() {
        for (prune, expected) in [(true, None), (false, Some("does not prune"))] {
            let spec = json!({ "prune": prune, "suspend": true });
            let mut own = kustomization("a", &spec, &[]);
            own.at_mut(&["metadata"]).unwrap()["annotations"] = json!({ ANNOTATION: "suspended" });
            assert_eq!(keeps(&own), expected, "{spec}");
        }
    }
}

//! The states of a fleet's objects, and the wait until all of them are ready.

use std::collections::BTreeSet;

use kube::Api;
use kube::api::ListParams;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::Value;
use sluice_insight::kinds::RESOURCES;
use sluice_testkit::wait;

use super::Whole;
use crate::world::{Kind, Live, condition, revision};

impl Whole {
    /// Waits until all objects are ready, and the Kustomizations have applied a commit.
    pub(super) async fn converges(&self, commit: &str) {
        self.converges_without(commit, None).await;
    }

    /// Like [`Self::converges`], except for one Kustomization.
    pub(super) async fn converges_without(&self, commit: &str, except: Option<&str>) {
        let wanted = revision(commit);
        let all = [
            "flux-system",
            "sources",
            "releases",
            "images",
            "alerts",
            "tenants",
        ];
        for name in all.into_iter().filter(|name| Some(*name) != except) {
            let claim = "applies the commit";
            let applied = |object: &Live| {
                condition(object, "Ready").0 == "True"
                    && object.data["status"]["lastAppliedRevision"] == *wanted
            };
            self.world
                .until(Kind::Kustomization, name, claim, applied)
                .await;
        }
        wait::eventually("all objects are ready", async || {
            let mut waiting = self.objects().await;
            waiting.retain(|object| !is_settled(object));
            let lines = waiting.iter().map(line).collect::<Vec<_>>();
            if lines.is_empty() {
                Ok(())
            } else {
                Err(lines.join("\n"))
            }
        })
        .await;
    }

    /// Returns the objects of all of Flux's kinds.
    pub(super) async fn objects(&self) -> Vec<DynamicObject> {
        let mut found = Vec::new();
        for resource in RESOURCES {
            let gvk = GroupVersionKind::gvk(resource.group, resource.version, resource.kind);
            let resource = ApiResource::from_gvk_with_plural(&gvk, resource.plural);
            let api: Api<DynamicObject> = Api::all_with(self.world.client.clone(), &resource);
            found.extend(api.list(&ListParams::default()).await.unwrap());
        }
        found
    }

    /// Asserts that the fleet has an object of each kind of Flux.
    pub(super) async fn has_every_kind(&self) {
        let found = self.objects().await;
        let kinds = found.iter().filter_map(|object| object.types.as_ref());
        let kinds: BTreeSet<&str> = kinds.map(|types| &*types.kind).collect();
        let all = RESOURCES.iter().map(|resource| resource.kind);
        assert_eq!(kinds, all.collect());
    }
}

/// Whether an object is ready, or of a kind that no controller reconciles.
pub(super) fn is_settled(object: &DynamicObject) -> bool {
    let is_static = match object.types.as_ref().map(|types| &*types.kind) {
        Some("Alert" | "Provider") => true,
        Some("HelmRepository") => object.data["spec"]["type"] == "oci",
        _ => false,
    };
    is_static || condition(object, "Ready").0 == "True"
}

/// Formats an object for a failure.
pub(super) fn line(object: &DynamicObject) -> String {
    let kind = object.types.as_ref().map_or("", |types| &types.kind);
    let metadata = &object.metadata;
    let (namespace, name) = (&metadata.namespace, &metadata.name);
    let conditions: &Value = &object.data["status"]["conditions"];
    format!("{kind} {namespace:?} {name:?}: {conditions}")
}

//! Replaces all controllers of a fleet with kinds of all seven: Flux's by ours and back, and ours
//! by those of another version and back. No workload, release or image is written.
//!
//! Flux's programs come from `REFERENCE_BIN_DIR`. If it has no `source-watcher`, ours runs in its
//! place.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use kube::api::ListParams;
use serde_json::{Value, json};
use sluice_skip::{Requirement, skip};
use sluice_testkit::{Bed, Reference};

use super::kills::Life;
use super::pods::{Pods, Topology};
use super::servers::{AGE_KEY, PASSWORD, Servers};
use super::{SUCCESSOR, SYSTEM, VERSION, Whole};
use crate::binary::Call;
use crate::images::moves_from;
use crate::world::World;

const ALL: &str = "--components-extra=image-reflector-controller,image-automation-controller,\
                   source-watcher";
const OPERATOR: &str = "operator";

fn operator(bed: &Bed) -> Call {
    Call::new(&bed.kubeconfig_for(OPERATOR))
}

impl Whole {
    /// Installs all controllers without a repository, starts them, and lets them apply the fleet.
    async fn install(flags: &str) -> Self {
        let (world, servers) = tokio::join!(World::system(), Servers::start());
        let line = format!("install {ALL} {flags}");
        operator(&world.bed).run_beside(&line).await.well();
        let key = [("key.agekey", AGE_KEY.as_bytes())];
        world.bed.secret(SYSTEM, "sops-age", None, &key).await;
        let login = [
            ("username", b"me".as_slice()),
            ("password", PASSWORD.as_bytes()),
        ];
        world.bed.secret(SYSTEM, SYSTEM, None, &login).await;
        let topology = Topology::Apart;
        let pods = Pods::start(&world, topology, None).await;
        let login = json!({ "secretRef": { "name": SYSTEM } });
        world.source(SYSTEM, &servers.fleet_url(), login).await;
        let path = json!({ "path": "./clusters/one" });
        world.kustomization(SYSTEM, path).await;
        let whole = Self {
            world,
            servers,
            pods,
            life: Life {
                number: 0,
                is_gentle: true,
                topology,
            },
        };
        let first = whole.servers.head();
        whole.converges(&first).await;
        moves_from(&whole.servers.fleet, &first).await;
        whole.deliver().await;
        whole.runs_image("1.0.0").await;
        whole.has_every_kind().await;
        whole
    }

    /// Returns the Deployments of the controllers, without what Kubernetes writes.
    async fn deployments(&self) -> BTreeMap<String, Value> {
        let api: Api<Deployment> = Api::namespaced(self.world.client.clone(), SYSTEM);
        let listed = api.list(&ListParams::default()).await.unwrap();
        let states = listed.items.into_iter().map(|found| {
            let metadata = found.metadata;
            let mut annotations = metadata.annotations.unwrap_or_default();
            annotations.remove("deployment.kubernetes.io/revision");
            let state = json!([metadata.labels, annotations, found.spec]);
            (metadata.name.unwrap(), state)
        });
        states.collect()
    }

    /// Runs a command that replaces all controllers, and asserts that it writes the Deployments
    /// only.
    async fn replaces_by(&mut self, line: &str) {
        let mark = self.world.mark().await;
        let operator = operator(&self.world.bed);
        self.replaces_controllers(operator, line).await;
        let mut writes = self.world.bed.audit().writes_by(OPERATOR, mark);
        let reviews = "selfsubjectaccessreviews";
        writes.retain(|entry| !entry.uri.contains("dryRun") && entry.resource != reviews);
        let writes = writes.iter().map(|entry| {
            let (verb, resource) = (&entry.verb, &entry.resource);
            format!("{verb} {resource} {}", entry.name)
        });
        let mut writes: Vec<String> = writes.collect();
        writes.sort();
        let deployments = self.deployments().await.into_keys();
        let patched = deployments.map(|name| format!("patch deployments {name}"));
        assert_eq!(writes, patched.collect::<Vec<_>>(), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn takeover_of_all_controllers_writes_no_workload() {
    if Reference::find().is_none() {
        let reason = "REFERENCE_BIN_DIR has no controllers of Flux to take over";
        return skip(Requirement::Optional, reason);
    }
    let mut whole = Whole::install("--flux-images").await;
    let before = whole.deployments().await;
    let operator = operator(&whole.world.bed);
    let planned = operator
        .run_beside("takeover --plan --registry=localhost/sluice -o json")
        .await
        .well();
    let planned: Value = serde_json::from_str(&planned.stdout).unwrap();
    assert_eq!(planned["covered"], true, "{planned:#}");
    let components = planned["components"].as_array().unwrap();
    assert_eq!(components.len(), 7, "{planned:#}");
    for component in components {
        assert_eq!(component["missing"], json!([]), "{planned:#}");
    }
    whole
        .replaces_by("takeover --apply --registry=localhost/sluice")
        .await;
    whole.replaces_by("give-back").await;
    assert_eq!(whole.deployments().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn install_of_another_version_writes_no_workload() {
    let mut whole = Whole::install("").await;
    for version in [SUCCESSOR, VERSION] {
        let line = format!("install {ALL} --version={version}");
        let operator = operator(&whole.world.bed);
        whole.replaces_controllers(operator, &line).await;
        let versions = whole.versions().await;
        assert_eq!(versions.into_iter().collect::<Vec<_>>(), [version]);
    }
}

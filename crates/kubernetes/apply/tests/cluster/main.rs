//! Apply, prune and wait on a real API server.

mod apply;
mod broken;
mod definitions;
mod fields;
mod force;
mod ignore;
mod kinds;
mod migrate;
mod pods;
mod prune;
mod stage;
mod wait;
mod wait_runner;

use std::sync::Arc;
use std::time::Duration;

use kube::Api;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, DynamicObject};
use serde_json::{Value, json};
use sluice_apply::{
    Action, Applier, ApplierSettings, ApplyFailure, ApplyOptions, ApplyOutcome, IgnoreRules,
    Inventory, Owner, WaitOptions, WaitRunner, Watches,
};
use sluice_client::{Cluster, Config, Options};
use sluice_object::Object;
use sluice_system::SystemClock;
use sluice_testkit::{FaultProxy, Testbed};

const GROUP: &str = "kustomize.toolkit.fluxcd.io";
const MANAGER: &str = "kustomize-controller";

/// The part of the shared cluster that belongs to a test: a namespace, an applier, and a user that
/// identifies its requests in the audit log.
struct Sandbox {
    bed: &'static Testbed,
    user: String,
    namespace: String,
    owner: Owner,
    watches: Watches,
    applier: Applier,
}

impl Sandbox {
    async fn new(prefix: &str) -> Self {
        Self::with(prefix, Some("system:masters")).await
    }

    /// A sandbox whose user only has the rights that the test grants.
    async fn unprivileged(prefix: &str) -> Self {
        Self::with(prefix, None).await
    }

    /// A sandbox whose applier uses these watches.
    async fn with_watches(prefix: &str, watches: Watches) -> Self {
        Self::build(prefix, Some("system:masters"), watches).await
    }

    async fn with(prefix: &str, group: Option<&str>) -> Self {
        Self::build(prefix, group, Watches::default()).await
    }

    /// A sandbox with a fault proxy between the applier and the API server.
    async fn with_faults(prefix: &str) -> (Self, FaultProxy) {
        let bed = sluice_testkit::cluster().await;
        let user = bed.name(prefix);
        let proxy = FaultProxy::start(&bed.kubeconfig_for(&user)).await;
        let cluster = connect(proxy.kubeconfig()).await;
        let sandbox = Self::over(bed, prefix, user, cluster, Watches::default()).await;
        (sandbox, proxy)
    }

    async fn build(prefix: &str, group: Option<&str>, watches: Watches) -> Self {
        let bed = sluice_testkit::cluster().await;
        let user = bed.name(prefix);
        let cluster = connect(&bed.kubeconfig_in_group(&user, group)).await;
        Self::over(bed, prefix, user, cluster, watches).await
    }

    async fn over(
        bed: &'static Testbed,
        prefix: &str,
        user: String,
        cluster: Cluster,
        watches: Watches,
    ) -> Self {
        let namespace = bed.namespace(prefix).await;
        let applier = Applier::new(
            cluster,
            Arc::new(ApplierSettings::new(MANAGER, GROUP)),
            watches.clone(),
            Arc::new(SystemClock),
        );
        let owner = Owner {
            name: bed.name("owner"),
            namespace: "flux-system".to_owned(),
        };
        Self {
            bed,
            user,
            namespace,
            owner,
            watches,
            applier,
        }
    }

    /// Applies with an empty inventory.
    async fn apply(&self, objects: Vec<Object>) -> Result<ApplyOutcome, ApplyFailure> {
        self.apply_over(objects, &Inventory::default(), false).await
    }

    async fn apply_over(
        &self,
        objects: Vec<Object>,
        known: &Inventory,
        force: bool,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        self.apply_with_runner(objects, known, force, None).await
    }

    /// Applies with a runner for waits.
    async fn apply_with_runner(
        &self,
        mut objects: Vec<Object>,
        known: &Inventory,
        force: bool,
        wait_runner: Option<&dyn WaitRunner>,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        self.applier.set_owner(&mut objects, &self.owner);
        let options = ApplyOptions {
            owner: &self.owner,
            known,
            force,
            wait_runner,
        };
        self.applier.apply_staged(objects, &options).await
    }

    /// Applies over an inventory with ignore rules.
    async fn apply_ignoring(
        &self,
        mut objects: Vec<Object>,
        known: &Inventory,
        ignore: &IgnoreRules,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        self.applier.set_owner(&mut objects, &self.owner);
        let options = ApplyOptions {
            owner: &self.owner,
            known,
            force: false,
            wait_runner: None,
        };
        let applier = self.applier.clone();
        let applier = applier.with_ignore_rules(Arc::new(ignore.clone()));
        applier.apply_staged(objects, &options).await
    }

    /// An object in the namespace of the sandbox.
    fn object(&self, api_version: &str, kind: &str, name: &str, body: &Value) -> Object {
        let mut value = Object::new(api_version, kind, &self.namespace, name).into_value();
        sluice_object::merge::apply(&mut value, body);
        Object::try_from(value).expect("complete")
    }

    fn config_map(&self, name: &str, value: &str) -> Object {
        self.object("v1", "ConfigMap", name, &json!({"data": {"key": value}}))
    }

    /// Waits until the controller has observed a Deployment. It records each new template on the
    /// Deployment first, which is a change by another manager.
    async fn until_observed(&self, deployment: &Object) {
        let api = self.api(deployment).await;
        sluice_testkit::wait::until(&api, deployment.name(), "was seen", |live| {
            live.is_some_and(|live| {
                live.data["status"]["observedGeneration"] == json!(live.metadata.generation)
            })
        })
        .await;
    }

    /// A Deployment whose pods run on the fake node.
    fn deployment(&self, name: &str, replicas: u32) -> Object {
        self.object(
            "apps/v1",
            "Deployment",
            name,
            &json!({"spec": {
                "replicas": replicas,
                "selector": {"matchLabels": {"app": name}},
                "template": {
                    "metadata": {"labels": {"app": name}},
                    "spec": {"containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80}]}]},
                },
            }}),
        )
    }

    /// Reads an object as the administrator.
    async fn live(&self, object: &Object) -> Option<Object> {
        let api = self.api(object).await;
        let live = api.get_opt(object.name()).await.expect("a read");
        live.map(|live| {
            Object::try_from(serde_json::to_value(live).expect("JSON")).expect("complete")
        })
    }

    /// Returns an API for the kind of an object, as the administrator.
    async fn api(&self, object: &Object) -> Api<DynamicObject> {
        let cluster = self.bed.connect().await;
        let gvk = object.gvk();
        let resource = cluster.resolve(&gvk).await.expect("a served kind");
        let api: ApiResource = resource.api.clone();
        if resource.namespaced {
            Api::namespaced_with(cluster.client().clone(), object.namespace(), &api)
        } else {
            Api::all_with(cluster.client().clone(), &api)
        }
    }

    /// Changes a live object by a merge patch, as another manager.
    async fn change_as_other(&self, object: &Object, patch: &Value) {
        let parameters = kube::api::PatchParams {
            field_manager: Some("other_manager".to_owned()),
            ..Default::default()
        };
        self.api(object)
            .await
            .patch(object.name(), &parameters, &kube::api::Patch::Merge(patch))
            .await
            .expect("a patch");
    }

    /// Lists the user's requests since a mark: verb, resource, and whether it was a dry-run.
    fn requests(&self, since: sluice_testkit::audit::Mark) -> Vec<String> {
        self.bed
            .audit()
            .since(since)
            .into_iter()
            .filter(|entry| entry.user == self.user && !entry.resource.is_empty())
            .map(|entry| {
                let dry = if entry.uri.contains("dryRun=All") {
                    " (dry)"
                } else {
                    ""
                };
                format!("{} {}{dry}", entry.verb, entry.resource)
            })
            .collect()
    }

    async fn mark(&self) -> sluice_testkit::audit::Mark {
        let client = self.bed.client().await;
        self.bed.audit().mark(&client).await
    }
}

async fn connect(kubeconfig: &std::path::Path) -> Cluster {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).expect("a kubeconfig");
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .expect("a usable kubeconfig");
    config.proxy_url = None;
    Cluster::connect(config, Options::new("sluice-apply-test")).expect("a client")
}

fn actions(applied: &ApplyOutcome) -> Vec<String> {
    applied
        .changes
        .entries
        .iter()
        .map(|entry| format!("{} {}", entry.id.kind, entry.action))
        .collect()
}

fn all(applied: &ApplyOutcome, action: Action) -> bool {
    applied
        .changes
        .entries
        .iter()
        .all(|entry| entry.action == action)
}

const fn within(seconds: u64) -> WaitOptions {
    WaitOptions {
        timeout: Duration::from_secs(seconds),
        fail_fast: true,
    }
}

/// The definition of a namespaced `Widget` with these served versions. The first is stored.
fn definition(group: &str, versions: &[&str]) -> Object {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(index, name)| {
            json!({"name": name, "served": true, "storage": index == 0,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object",
                    "x-kubernetes-preserve-unknown-fields": true}}})
        })
        .collect();
    Object::try_from(json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.{group}")},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": versions,
        },
    }))
    .expect("complete")
}

//! Releases on a real API server: actions, records, waits, definitions and lookups.
//! One file, because the tests share the world at its beginning.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "Helm is another program")]

mod beside;
#[path = "beside/tests.rs"]
mod beside_tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sluice_chart::values::Values;
use sluice_chart::{Chart, File, TemplateOptions, load, render};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, Identity, PatchOptions};
use sluice_helm::action::{
    Install, Rollback, ServerSide, Uninstall, Upgrade, install, rollback, uninstall, upgrade,
};
use sluice_helm::cluster::WaitStrategy;
use sluice_helm::record::{Release, Status};
use sluice_helm::store::{StorageKind, Store};
use sluice_helm::{Context, Delivery, Failure, Templates};
use sluice_release::{BlockingRenderer, ClusterLookup, ObjectDriver, ReleaseCluster, capabilities};
use sluice_system::SystemClock;
use sluice_testkit::{Testbed, wait};
use tokio_util::sync::CancellationToken;

const MANAGER: &str = "helm-controller";
const CONFIG: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text | quote }}
{{- range $key, $value := .Values.more }}
  {{ $key }}: {{ $value | quote }}
{{- end }}
";
const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web:{{ .Values.text }}
{{- range .Values.sidecars }}
      - name: {{ . }}
        image: {{ . }}:1
{{- end }}
";

/// A claim that no volume fits.
const CLAIM: &str = "\
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Release.Name }}
spec:
  storageClassName: none
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
";

/// A namespace with a store and a cluster.
struct World {
    bed: &'static Testbed,
    client: Cluster,
    namespace: String,
    cluster: ReleaseCluster,
    store: Store,
}

impl World {
    async fn new(prefix: &str, kind: StorageKind) -> Self {
        let bed = sluice_testkit::cluster().await;
        let namespace = bed.namespace(prefix).await;
        Self::of(bed, bed.connect().await, namespace, kind)
    }

    /// The world of a client.
    fn of(bed: &'static Testbed, client: Cluster, namespace: String, kind: StorageKind) -> Self {
        let driver = ObjectDriver::new(client.clone(), kind, &*namespace);
        let clock = Arc::new(SystemClock);
        Self {
            bed,
            cluster: ReleaseCluster::new(client.clone(), MANAGER, clock.clone()),
            store: Store::new(Arc::new(driver), clock),
            client,
            namespace,
        }
    }

    fn context(&self) -> Context<'_> {
        Context {
            cluster: &self.cluster,
            store: &self.store,
            clock: &SystemClock,
            cancel: CancellationToken::new(),
        }
    }

    async fn renderer(&self) -> BlockingRenderer {
        let (client, runtime) = (self.client.clone(), tokio::runtime::Handle::current());
        BlockingRenderer(Templates {
            options: TemplateOptions {
                capabilities: capabilities(&self.client).await.unwrap(),
                ..TemplateOptions::default()
            },
            lookup: Some(Arc::new(move || {
                let lookup = ClusterLookup::new(client.clone(), runtime.clone());
                Box::new(lookup) as Box<dyn render::Cluster>
            })),
            ..Templates::default()
        })
    }

    async fn install(
        &self,
        chart: Chart,
        values: Values,
        delivery: Delivery,
    ) -> Result<Release, Failure> {
        let options = Install {
            name: "rel".to_owned(),
            namespace: self.namespace.clone(),
            delivery,
            ..Install::default()
        };
        let renderer = self.renderer().await;
        install(&self.context(), chart, values, &options, &renderer).await
    }

    async fn upgrade(
        &self,
        chart: Chart,
        values: Values,
        options: &Upgrade,
    ) -> Result<Release, Failure> {
        let renderer = self.renderer().await;
        upgrade(&self.context(), "rel", chart, values, options, &renderer).await
    }

    async fn get(&self, group: &str, kind: &str, name: &str) -> Option<Value> {
        let gvk = GroupVersionKind::gvk(group, "v1", kind);
        let namespace = Some(&*self.namespace);
        self.client.get(&gvk, namespace, name).await.unwrap()
    }

    async fn text(&self) -> Option<String> {
        let config = self.get("", "ConfigMap", "rel").await?;
        Some(config["data"]["text"].as_str()?.to_owned())
    }

    async fn history(&self) -> Vec<(i64, String)> {
        let history = self.store.history("rel").await.unwrap_or_default();
        let history = history.into_iter();
        history
            .map(|release| (release.version, release.info.status.to_string()))
            .collect()
    }
}

fn chart(templates: &[(&str, &str)]) -> Chart {
    let file = |name: &str, text: &str| File {
        name: name.to_owned(),
        data: text.into(),
        modified: None,
    };
    let metadata = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
    let mut files = vec![file("Chart.yaml", metadata)];
    files.extend(templates.iter().map(|(name, text)| file(name, text)));
    load::files(files, &load::Limits::default()).unwrap()
}

fn values(values: &Value) -> Values {
    values.as_object().unwrap().clone()
}

/// Nothing runs pods here, so nothing is waited for but hooks.
fn delivery() -> Delivery {
    Delivery {
        wait: WaitStrategy::HookOnly,
        timeout: Duration::from_mins(1),
        ..Delivery::default()
    }
}

fn quick_upgrade() -> Upgrade {
    Upgrade {
        delivery: delivery(),
        ..Upgrade::default()
    }
}

/// Installs, upgrades, rolls back and uninstalls a release.
async fn round(kind: StorageKind) {
    let world = World::new("release", kind).await;
    let chart = || chart(&[("templates/config.yaml", CONFIG)]);
    let watched = Delivery {
        wait: WaitStrategy::Watcher,
        ..delivery()
    };
    let first = values(&json!({ "text": "one" }));
    let release = world.install(chart(), first, watched).await.unwrap();
    assert_eq!(release.info.status, Status::DEPLOYED);
    assert_eq!(world.text().await.as_deref(), Some("one"));

    let config = world.get("", "ConfigMap", "rel").await.unwrap();
    let annotation = &config["metadata"]["annotations"]["meta.helm.sh/release-name"];
    assert_eq!(annotation, "rel");
    let managers = config["metadata"]["managedFields"].as_array().unwrap();
    assert_eq!(managers[0]["manager"], MANAGER);
    assert_eq!(managers[0]["operation"], "Apply");
    let record = world
        .get("", kind.as_str(), "sh.helm.release.v1.rel.v1")
        .await
        .unwrap();
    assert_eq!(record["metadata"]["labels"]["status"], "deployed");
    if kind == StorageKind::Secret {
        assert_eq!(record["type"], "helm.sh/release.v1");
    }

    let second = values(&json!({ "text": "two" }));
    let options = quick_upgrade();
    Box::pin(world.upgrade(chart(), second, &options))
        .await
        .unwrap();
    assert_eq!(world.text().await.as_deref(), Some("two"));
    let options = Rollback {
        version: 1,
        delivery: delivery(),
        ..Rollback::default()
    };
    let rolled = rollback(&world.context(), "rel", &options).await.unwrap();
    assert_eq!(rolled.info.description, "Rollback to 1");
    assert_eq!(world.text().await.as_deref(), Some("one"));
    let expected = [(1, "superseded"), (2, "superseded"), (3, "deployed")];
    let expected = expected.map(|(version, status)| (version, status.to_owned()));
    assert_eq!(world.history().await, expected);
    assert_eq!(world.store.last("rel").await.unwrap().version, 3);

    let options = Uninstall::default();
    uninstall(&world.context(), "rel", &options).await.unwrap();
    assert_eq!(world.text().await, None);
    assert_eq!(world.history().await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_leave_objects_and_records_in_secrets() {
    Box::pin(round(StorageKind::Secret)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_leave_objects_and_records_in_config_maps() {
    Box::pin(round(StorageKind::ConfigMap)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_object_is_deleted_by_the_upgrade() {
    let world = World::new("removed", StorageKind::Secret).await;
    let more = "apiVersion: v1\nkind: Secret\nmetadata: {name: more}\n";
    let both = chart(&[
        ("templates/config.yaml", CONFIG),
        ("templates/more.yaml", more),
    ]);
    let release = world.install(both, Values::new(), delivery()).await;
    release.unwrap();
    assert!(world.get("", "Secret", "more").await.is_some());
    let one = chart(&[("templates/config.yaml", CONFIG)]);
    let options = quick_upgrade();
    Box::pin(world.upgrade(one, Values::new(), &options))
        .await
        .unwrap();
    assert!(world.get("", "Secret", "more").await.is_none());
}

/// The definition of a kind.
fn definition(group: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("crontabs.{group}") },
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": { "kind": "CronTab", "plural": "crontabs" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": {
                    "type": "object", "x-kubernetes-preserve-unknown-fields": true,
                } },
            }],
        },
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn definition_of_the_chart_is_usable_at_once() {
    let world = World::new("definition", StorageKind::Secret).await;
    let group = format!("{}.example.com", world.namespace);
    let crd = definition(&group);
    let object = format!("apiVersion: {group}/v1\nkind: CronTab\nmetadata: {{name: rel}}\n");
    let chart = chart(&[
        ("crds/crontab.json", &crd.to_string()),
        ("templates/crontab.yaml", &object),
    ]);
    let delivery = Delivery {
        wait: WaitStrategy::Watcher,
        ..delivery()
    };
    world.install(chart, Values::new(), delivery).await.unwrap();
    assert!(world.get(&group, "CronTab", "rel").await.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_object_is_not_adopted() {
    let world = World::new("stranger", StorageKind::Secret).await;
    let config = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "rel" },
    });
    let namespace = Some(&*world.namespace);
    let options = PatchOptions::default();
    let created = world.client.create(&config, namespace, &object, options);
    created.await.unwrap();
    let chart = chart(&[("templates/config.yaml", CONFIG)]);
    let failure = world.install(chart, Values::new(), delivery()).await;
    let text = failure.unwrap_err().to_string();
    let expected = "unable to continue with install: ConfigMap \"rel\" in namespace";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("invalid ownership metadata"), "{text}");
    assert_eq!(world.history().await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_field_fails_the_install() {
    let world = World::new("unknown", StorageKind::Secret).await;
    let bad = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rel}\nwrong: true\n";
    let chart = chart(&[("templates/config.yaml", bad)]);
    let failure = world.install(chart, Values::new(), delivery()).await;
    let text = failure.unwrap_err().to_string();
    let namespace = &world.namespace;
    let start = format!("server-side apply failed for object {namespace}/rel /v1, Kind=ConfigMap:");
    assert!(text.starts_with(&start), "{text}");
    assert_eq!(world.history().await, [(1, "failed".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn object_that_is_not_ready_fails_the_release() {
    let world = World::new("unready", StorageKind::Secret).await;
    let chart = chart(&[("templates/claim.yaml", CLAIM)]);
    for wait in [WaitStrategy::Watcher, WaitStrategy::Legacy] {
        let delivery = Delivery {
            wait,
            timeout: Duration::from_secs(3),
            ..delivery()
        };
        let failure = world.install(chart.clone(), Values::new(), delivery).await;
        let text = failure.unwrap_err().to_string();
        assert!(text.contains("context deadline exceeded"), "{text}");
        if wait == WaitStrategy::Watcher {
            let name = format!(
                "resource PersistentVolumeClaim/{}/rel not ready. status: ",
                world.namespace
            );
            assert!(text.starts_with(&name), "{text}");
        }
        assert_eq!(world.history().await, [(1, "failed".to_owned())]);
        let options = Uninstall::default();
        uninstall(&world.context(), "rel", &options).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lookup_finds_objects_of_the_cluster() {
    let world = World::new("lookup", StorageKind::Secret).await;
    let template = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: rel}}\ndata:\n  text: {{{{ (lookup \
         \"v1\" \"Namespace\" \"\" \"{}\").metadata.name | quote }}}}\n  none: {{{{ lookup \"v1\" \
         \"Secret\" .Release.Namespace \"none\" | toJson | quote }}}}\n  kind: {{{{ \
         .Capabilities.APIVersions.Has \"apps/v1/Deployment\" | quote }}}}\n",
        world.namespace
    );
    let chart = chart(&[("templates/config.yaml", &template)]);
    world
        .install(chart, Values::new(), delivery())
        .await
        .unwrap();
    let config = world.get("", "ConfigMap", "rel").await.unwrap();
    let expected = json!({ "text": world.namespace, "none": "{}", "kind": "true" });
    assert_eq!(config["data"], expected);
}

/// The account has all rights in its namespace, and none elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lookup_has_the_rights_of_the_account() {
    let world = World::new("account", StorageKind::Secret).await;
    let (own, other) = (world.namespace.clone(), world.bed.namespace("other").await);
    for (kind, namespace, object) in [
        (
            "ServiceAccount",
            &own,
            json!({ "metadata": { "name": "small" } }),
        ),
        (
            "Secret",
            &own,
            json!({ "metadata": { "name": "token" }, "stringData": { "key": "own" } }),
        ),
        (
            "Secret",
            &other,
            json!({ "metadata": { "name": "token" }, "stringData": { "key": "other" } }),
        ),
    ] {
        let gvk = GroupVersionKind::gvk("", "v1", kind);
        let created = world
            .client
            .create(&gvk, Some(namespace), &object, PatchOptions::default());
        created.await.unwrap();
    }
    let rights = GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", "RoleBinding");
    let binding = json!({
        "metadata": { "name": "small" },
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin",
        },
        "subjects": [{ "kind": "ServiceAccount", "name": "small", "namespace": own }],
    });
    let created = world
        .client
        .create(&rights, Some(&own), &binding, PatchOptions::default());
    created.await.unwrap();

    let identity = Identity::service_account(&own, "small").unwrap();
    let client = world.client.impersonate(&identity);
    let world = World::of(world.bed, client, own.clone(), StorageKind::Secret);
    let text = |namespace: &str| {
        let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rel}\ndata:\n  text: ";
        format!(
            "{config}{{{{ (lookup \"v1\" \"Secret\" \"{namespace}\" \"token\").data.key | b64dec }}}}\n"
        )
    };
    let foreign = chart(&[("templates/config.yaml", &text(&other))]);
    let failure = world.install(foreign, Values::new(), delivery()).await;
    let error = failure.unwrap_err().to_string();
    let expected = format!(
        "error calling lookup: secrets \"token\" is forbidden: User \
         \"system:serviceaccount:{own}:small\" cannot get resource \"secrets\" in API group \"\" in \
         the namespace \"{other}\""
    );
    assert!(error.contains(&expected), "{error}");
    assert_eq!(world.text().await, None);
    assert_eq!(world.history().await, []);

    let allowed = chart(&[("templates/config.yaml", &text(&own))]);
    let installed = world.install(allowed, Values::new(), delivery()).await;
    installed.unwrap();
    assert_eq!(world.text().await.as_deref(), Some("own"));
}

/// The former manifest has an object whose kind the cluster has lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upgrade_fails_as_in_helm_after_an_api_is_gone() {
    let world = World::new("gone", StorageKind::Secret).await;
    let group = format!("{}.example.com", world.namespace);
    let object = format!("apiVersion: {group}/v1\nkind: CronTab\nmetadata: {{name: rel}}\n");
    let both = chart(&[
        ("crds/crontab.json", &definition(&group).to_string()),
        ("templates/crontab.yaml", &object),
        ("templates/config.yaml", CONFIG),
    ]);
    let first = values(&json!({ "text": "one" }));
    let watched = Delivery {
        wait: WaitStrategy::Watcher,
        ..delivery()
    };
    world.install(both, first, watched).await.unwrap();

    let definitions =
        GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let name = format!("crontabs.{group}");
    let options = DeleteOptions::default();
    let deleted = world.client.delete(&definitions, None, &name, &options);
    deleted.await.unwrap();
    wait::eventually("the definition is gone", || async {
        let found = world.client.get(&definitions, None, &name).await.unwrap();
        found
            .is_none()
            .then_some(())
            .ok_or_else(|| "it exists".to_owned())
    })
    .await;

    let one = chart(&[("templates/config.yaml", CONFIG)]);
    let second = values(&json!({ "text": "two" }));
    let client = world.bed.connect().await;
    let world = World::of(
        world.bed,
        client,
        world.namespace.clone(),
        StorageKind::Secret,
    );
    let failure = Box::pin(world.upgrade(one, second, &quick_upgrade())).await;
    let error = failure.unwrap_err().to_string();
    let expected = format!(
        "unable to build kubernetes objects from current release manifest: resource mapping not \
         found for name: \"rel\" namespace: \"\" from \"\": no matches for kind \"CronTab\" in version \
         \"{group}/v1\"\nensure CRDs are installed first"
    );
    assert_eq!(error, expected);
    assert_eq!(world.text().await.as_deref(), Some("one"));
    assert_eq!(world.history().await, [(1, "deployed".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_side_release_moves_to_server_side_apply() {
    let world = World::new("migrate", StorageKind::Secret).await;
    let chart = || chart(&[("templates/config.yaml", CONFIG)]);
    let client_side = Delivery {
        server_side: false,
        ..delivery()
    };
    let first = values(&json!({ "text": "one", "more": { "old": "1" } }));
    let release = world.install(chart(), first, client_side).await.unwrap();
    assert_eq!(release.apply_method, "csa");
    let options = Upgrade {
        server_side: ServerSide::On,
        ..quick_upgrade()
    };
    let second = values(&json!({ "text": "two" }));
    Box::pin(world.upgrade(chart(), second, &options))
        .await
        .unwrap();
    let config = world.get("", "ConfigMap", "rel").await.unwrap();
    assert_eq!(config["data"], json!({ "text": "two" }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_side_upgrade_keeps_containers_of_others() {
    let world = World::new("client-side", StorageKind::Secret).await;
    let chart = || chart(&[("templates/deployment.yaml", DEPLOYMENT)]);
    let client_side = Delivery {
        server_side: false,
        ..delivery()
    };
    let first = json!({ "text": "1", "replicas": 0, "sidecars": ["old"] });
    let install = world.install(chart(), values(&first), client_side);
    install.await.unwrap();
    let deployments = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let injected = json!({ "spec": { "template": { "spec": { "containers": [
        { "name": "injected", "image": "injected:1" },
    ] } } } });
    let namespace = Some(&*world.namespace);
    let options = PatchOptions::default();
    let patched = world
        .client
        .strategic_merge(&deployments, namespace, "rel", &injected, options);
    patched.await.unwrap();
    let second = json!({ "text": "2", "replicas": 0, "sidecars": ["new"] });
    let options = quick_upgrade();
    let upgraded = Box::pin(world.upgrade(chart(), values(&second), &options)).await;
    assert_eq!(upgraded.unwrap().apply_method, "csa");
    let live = world.get("apps", "Deployment", "rel").await.unwrap();
    let containers = live["spec"]["template"]["spec"]["containers"].as_array();
    let mut images: Vec<&str> = containers
        .unwrap()
        .iter()
        .map(|container| container["image"].as_str().unwrap())
        .collect();
    images.sort_unstable();
    assert_eq!(images, ["injected:1", "new:1", "web:2"]);
}

/// The pinned `helm` reads and continues what this engine has left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn helm_reads_and_rolls_back_our_release() {
    let Some(reference) = sluice_testkit::Reference::find() else {
        return;
    };
    let helm = reference.binary("helm");
    let world = World::new("helm", StorageKind::Secret).await;
    let chart = || chart(&[("templates/config.yaml", CONFIG)]);
    let first = values(&json!({ "text": "one" }));
    world.install(chart(), first, delivery()).await.unwrap();
    let second = values(&json!({ "text": "two" }));
    let options = quick_upgrade();
    Box::pin(world.upgrade(chart(), second, &options))
        .await
        .unwrap();
    let kubeconfig = world.bed.kubeconfig();
    let run = |words: &[&str]| run_helm(&helm, &kubeconfig, &world.namespace, words);
    let history: Value = serde_json::from_str(&run(&["history", "rel", "-o", "json"])).unwrap();
    assert_eq!(history.as_array().unwrap().len(), 2);
    assert_eq!(history[1]["status"], "deployed");
    let all = run(&["get", "all", "rel"]);
    assert!(all.contains("text: \"two\""), "{all}");
    run(&["rollback", "rel", "1", "--force-conflicts"]);
    assert_eq!(world.text().await.as_deref(), Some("one"));
    // And we read what Helm has left.
    let last = world.store.last("rel").await.unwrap();
    assert_eq!((last.version, last.info.status), (3, Status::DEPLOYED));
    let third = values(&json!({ "text": "three" }));
    let options = Upgrade {
        delivery: Delivery {
            force_conflicts: true,
            ..delivery()
        },
        ..Upgrade::default()
    };
    Box::pin(world.upgrade(chart(), third, &options))
        .await
        .unwrap();
    assert_eq!(world.text().await.as_deref(), Some("three"));
    run(&["uninstall", "rel"]);
    assert_eq!(world.history().await, []);
}

fn run_helm(helm: &Path, kubeconfig: &Path, namespace: &str, words: &[&str]) -> String {
    let mut command = std::process::Command::new(helm);
    command.args(words).args(["--namespace", namespace]);
    command.env("KUBECONFIG", kubeconfig);
    let ran = command.output().unwrap();
    let error = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{words:?}: {error}");
    String::from_utf8(ran.stdout).unwrap()
}

//! Tests the commands that inspect objects: `debug`, `stats`, `trace` and `tree`.
//! One file, because all of them read the objects that a scene writes without controllers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::Api;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_testkit::wait;

use crate::binary::{Call, CommandResult};
use crate::scene::Scene;
use crate::world::{Kind, Live};

impl Scene {
    async fn kustomization(&self, name: &str, more: Value, status: Value) {
        let mut spec = json!({
            "interval": "1m", "path": "./infra", "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        });
        spec.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        self.create(json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name }, "spec": spec, "status": status,
        }))
        .await;
    }

    fn expected(&self, text: &str) -> String {
        text.replace("NAMESPACE", &self.namespace)
    }
}

fn ready(status: &str, message: &str) -> Value {
    json!([{
        "type": "Ready", "status": status, "reason": "Because", "message": message,
        "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 1,
    }])
}

fn source(conditions: &Value) -> Value {
    json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "fleet" },
        "spec": { "interval": "1m0s", "url": "https://example.com/fleet", "ref": { "branch": "main" } },
        "status": { "conditions": conditions, "artifact": {
            "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000",
            "lastUpdateTime": "2026-01-02T03:04:05Z", "path": "a", "url": "http://example.com/a",
            "revision": "main@sha1:69", "size": 2048,
        } },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn debug_prints_variables_of_the_build() {
    let scene = Scene::new("debug").await;
    scene
        .create(
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "vars" },
            "data": { "FROM_MAP": "map", "OVER": "map" } }),
        )
        .await;
    scene
        .create(
            json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "vars" },
            "stringData": { "FROM_SECRET": "secret\n", "OVER": "secret" } }),
        )
        .await;
    let post_build = json!({ "postBuild": {
        "substitute": { "OWN": "a\nb" },
        "substituteFrom": [
            { "kind": "ConfigMap", "name": "vars" },
            { "kind": "Secret", "name": "vars" },
            { "kind": "Secret", "name": "nowhere", "optional": true },
        ],
    } });
    scene
        .kustomization("apps", post_build, json!({ "observedGeneration": 1 }))
        .await;
    scene.kustomization("plain", json!({}), json!({})).await;
    assert_eq!(
        scene.run("debug ks apps --show-vars").well().stdout,
        "FROM_MAP=map\nFROM_SECRET=secret\nOVER=secret\nOWN=ab\n"
    );
    assert_eq!(
        scene.run("debug ks apps --show-history").well().stdout,
        "# History documentation: https://fluxcd.io/flux/components/kustomize/kustomizations/#history\n[]\n"
    );
    let status = scene.run("debug ks apps --show-status").well().stdout;
    assert!(status.ends_with("\nobservedGeneration: 1\n"), "{status}");
    for (line, said) in [
        (
            "debug ks apps",
            "✗ exactly one of --show-status, --show-vars, or --show-history must be set\n",
        ),
        (
            "debug ks apps --show-vars --show-status",
            "✗ exactly one of --show-status, --show-vars, or --show-history must be set\n",
        ),
        (
            "debug ks --show-vars",
            "✗ accepts 1 arg(s), received 0\n  hint: add the name as an argument\n",
        ),
        (
            "debug ks plain --show-vars",
            "✗ no post build substitutions found\n",
        ),
    ] {
        let ended = scene.run(line);
        assert_eq!((ended.code, ended.stderr.as_str()), (1, said), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn debug_prints_status_and_history_of_a_release() {
    let scene = Scene::new("debug-hr").await;
    let release = |name: &str, status: Value| {
        json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": { "name": name },
            "spec": { "interval": "5m0s", "chartRef": { "kind": "OCIRepository", "name": "podinfo" } },
            "status": status,
        })
    };
    let snapshot = json!({
        "appVersion": "6.1.0", "chartName": "podinfo", "chartVersion": "6.1.0",
        "configDigest": "sha256:xyz789", "digest": "sha256:ghi012",
        "firstDeployed": "2024-01-01T11:00:00Z", "lastDeployed": "2024-01-01T11:00:00Z",
        "name": "old", "namespace": "apps", "status": "deployed", "version": 2,
    });
    scene.create(release("new", json!({}))).await;
    scene
        .create(release(
            "old",
            json!({ "observedGeneration": 1, "history": [snapshot] }),
        ))
        .await;
    let url = "https://fluxcd.io/flux/components/helm/helmreleases/";
    assert_eq!(
        scene.run("debug hr old --show-history").well().stdout,
        format!(
            "# History documentation: {url}#history\n\
             - appVersion: 6.1.0\n  chartName: podinfo\n  chartVersion: 6.1.0\n\
             \x20 configDigest: sha256:xyz789\n  deleted: null\n  digest: sha256:ghi012\n\
             \x20 firstDeployed: \"2024-01-01T11:00:00Z\"\n  lastDeployed: \"2024-01-01T11:00:00Z\"\n\
             \x20 name: old\n  namespace: apps\n  status: deployed\n  version: 2\n"
        )
    );
    assert_eq!(
        scene
            .run("debug helmrelease new --show-history")
            .well()
            .stdout,
        format!("# History documentation: {url}#history\n[]\n")
    );
    assert_eq!(
        scene
            .run("debug helmrelease new --show-status")
            .well()
            .stdout,
        format!("# Status documentation: {url}#helmrelease-status\nobservedGeneration: -1\n")
    );
    let missing = scene.run("debug hr nowhere --show-status");
    assert_eq!(
        (missing.code, missing.stderr),
        (
            1,
            scene.expected(
                "✗ helmreleases.helm.toolkit.fluxcd.io \"nowhere\" not found\n  \
                 hint: searched namespace NAMESPACE; set another with --namespace\n"
            )
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tree_lists_artifacts_of_a_generator() {
    let scene = Scene::new("generator").await;
    let generator = |name: &str, status: Value| {
        json!({
            "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
            "metadata": { "name": name },
            "spec": {
                "sources": [{ "alias": "fleet", "kind": "GitRepository", "name": "fleet" }],
                "artifacts": [{ "name": "web", "copy": [{ "from": "@fleet/web/**", "to": "@artifact/" }] }],
            },
            "status": status,
        })
    };
    let made = |name: &str| json!({ "name": name, "namespace": scene.namespace, "digest": format!("sha256:{name}"), "filename": "1.tar.gz" });
    let inventory = json!({ "inventory": [made("web"), made("api")] });
    scene.create(generator("split", inventory)).await;
    scene.create(generator("empty", json!({}))).await;
    assert_eq!(
        scene.run("tree artifact generator split").well().stdout,
        scene.expected(
            "ArtifactGenerator/NAMESPACE/split\n\
             ├── ExternalArtifact/NAMESPACE/web\n\
             └── ExternalArtifact/NAMESPACE/api\n\n"
        )
    );
    assert_eq!(
        scene.run("tree artifact generator empty -o yaml").well().stdout,
        scene.expected(
            "resource:\n  GroupKind:\n    Group: source.extensions.fluxcd.io\n    Kind: ArtifactGenerator\n\
             \x20 Name: empty\n  Namespace: NAMESPACE\n\n"
        )
    );
    let json: Value = serde_json::from_str(
        &scene
            .run("tree artifact generator split -o json")
            .well()
            .stdout,
    )
    .unwrap();
    assert_eq!(json["resources"][0]["resource"]["Name"], "web");
    assert_eq!(
        json["resources"][0]["resource"]["GroupKind"]["Kind"],
        "ExternalArtifact"
    );
    let missing = scene.run("tree artifact generator nowhere");
    assert_eq!(
        (missing.code, missing.stderr),
        (
            1,
            scene.expected(
                "✗ artifactgenerators.source.extensions.fluxcd.io \"nowhere\" not found\n  \
                 hint: searched namespace NAMESPACE; set another with --namespace\n"
            )
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn stats_count_kinds_in_fluxs_order() {
    let scene = Scene::new("stats").await;
    scene.create(source(&ready("False", "no"))).await;
    scene
        .kustomization("apps", json!({ "suspend": true }), json!({}))
        .await;
    let shown = scene.run("stats").well();
    let rows: Vec<Vec<&str>> = shown
        .stdout
        .lines()
        .map(|line| line.split('\t').map(str::trim).collect())
        .collect();
    assert_eq!(
        rows[0],
        ["RECONCILERS", "RUNNING", "FAILING", "SUSPENDED", "STORAGE"]
    );
    assert_eq!(rows[1], ["GitRepository", "1", "1", "0", "2.0 KiB", ""]);
    assert_eq!(rows[6], ["Kustomization", "0", "0", "1", "-", ""]);
    assert_eq!(rows[13], ["ImageRepository", "0", "0", "0", "-", ""]);
    assert_eq!(rows.len(), 14);
}

#[tokio::test(flavor = "multi_thread")]
async fn stats_count_all_namespaces_on_demand() {
    let (scene, other) = (Scene::new("stats-a").await, Scene::new("stats-b").await);
    for scene in [&scene, &other] {
        scene
            .kustomization("apps", json!({ "suspend": true }), json!({}))
            .await;
    }
    let suspended = |line: &str| -> usize {
        let shown = scene.run(line).well();
        let row = shown
            .stdout
            .lines()
            .find(|row| row.starts_with("Kustomization"));
        row.unwrap()
            .split('\t')
            .nth(3)
            .unwrap()
            .trim()
            .parse()
            .unwrap()
    };
    assert_eq!(suspended("stats"), 1);
    // Other tests use the same cluster.
    assert!(suspended("stats -A") >= 2);
    assert!(suspended("stats --all-namespaces") >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn trace_finds_the_owner_through_owner_references() {
    let scene = Scene::new("trace").await;
    scene.create(source(&ready("False", "gone"))).await;
    let status =
        json!({ "lastAppliedRevision": "main@sha1:69", "conditions": ready("True", "Applied") });
    scene.kustomization("apps", json!({}), status).await;
    let labels = json!({
        "kustomize.toolkit.fluxcd.io/name": "apps",
        "kustomize.toolkit.fluxcd.io/namespace": scene.namespace,
    });
    scene
        .create(json!({ "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": "owner", "labels": labels } }))
        .await;
    let maps = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let owner = scene
        .cluster
        .get(&maps, Some(&scene.namespace), "owner")
        .await
        .unwrap()
        .unwrap();
    scene
        .create(
            json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "owned",
            "ownerReferences": [{ "apiVersion": "v1", "kind": "ConfigMap", "name": "owner",
                "uid": owner["metadata"]["uid"] }] } }),
        )
        .await;
    scene
        .create(json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "free" } }))
        .await;
    let report = |object: &str| {
        scene.expected(&format!(
            "\nObject:          {object}\n\
             Namespace:       NAMESPACE\n\
             Status:          Managed by Flux\n\
             ---\n\
             Kustomization:   apps\n\
             Namespace:       NAMESPACE\n\
             Path:            ./infra\n\
             Revision:        main@sha1:69\n\
             Status:          Last reconciled at 2026-01-02 03:04:05 +0000 UTC\n\
             Message:         Applied\n\
             ---\n\
             GitRepository:   fleet\n\
             Namespace:       NAMESPACE\n\
             URL:             https://example.com/fleet\n\
             Branch:          main\n\
             Revision:        main@sha1:69\n\
             Status:          Last reconciliation failed at 2026-01-02 03:04:05 +0000 UTC\n\
             Message:         gone\n"
        ))
    };
    let traced = scene.run("trace secret/owned cm/owner").well();
    let both = format!(
        "{}---\n{}",
        report("Secret/owned"),
        report("ConfigMap/owner")
    );
    assert_eq!(traced.stdout, both);
    let by_flags = scene
        .run("trace owner --kind ConfigMap --api-version v1")
        .well();
    assert_eq!(by_flags.stdout, report("ConfigMap/owner"));
    let free = scene.run("trace configmaps free");
    let said =
        "✗ failed to trace ConfigMap/free in namespace NAMESPACE: object not managed by Flux\n";
    assert_eq!((free.code, free.stderr), (1, scene.expected(said)));
    let unknown = scene.run("trace nothing/free");
    let said = "✗ the server doesn't have a resource type \"nothing\"\n  hint: `kubectl api-resources` \
                lists the types of the cluster\n";
    assert_eq!((unknown.code, unknown.stderr.as_str()), (1, said));
}

#[tokio::test(flavor = "multi_thread")]
async fn tree_ends_at_a_cycle_and_at_another_cluster() {
    let scene = Scene::new("loop").await;
    let applied = |ids: &[&str]| -> Value {
        let entries: Vec<Value> = ids
            .iter()
            .map(|id| json!({ "id": scene.expected(id), "v": "v1" }))
            .collect();
        json!({ "inventory": { "entries": entries } })
    };
    let [root, middle, leaf, remote] = ["root", "middle", "leaf", "remote"]
        .map(|name| format!("NAMESPACE_{name}_kustomize.toolkit.fluxcd.io_Kustomization"));
    let status = applied(&["NAMESPACE_a__ConfigMap", &middle, &remote]);
    scene.kustomization("root", json!({}), status).await;
    let status = applied(&[&leaf, "NAMESPACE_b__ConfigMap"]);
    scene.kustomization("middle", json!({}), status).await;
    let status = applied(&[&root, &middle, "NAMESPACE_c__ConfigMap"]);
    scene.kustomization("leaf", json!({}), status).await;
    // Its objects are in another cluster, even if this cluster has objects with the same names.
    let spec = json!({ "kubeConfig": { "secretRef": { "name": "spoke" } } });
    scene
        .kustomization("remote", spec, applied(&[&leaf, "NAMESPACE_d__ConfigMap"]))
        .await;
    let expected = "Kustomization/NAMESPACE/root\n\
                    ├── ConfigMap/NAMESPACE/a\n\
                    ├── Kustomization/NAMESPACE/middle\n\
                    │   ├── Kustomization/NAMESPACE/leaf\n\
                    │   │   ├── Kustomization/NAMESPACE/root\n\
                    │   │   ├── Kustomization/NAMESPACE/middle\n\
                    │   │   └── ConfigMap/NAMESPACE/c\n\
                    │   └── ConfigMap/NAMESPACE/b\n\
                    └── Kustomization/NAMESPACE/remote\n\
                    \u{20}   ├── Kustomization/NAMESPACE/leaf\n\
                    \u{20}   └── ConfigMap/NAMESPACE/d\n\n";
    assert_eq!(
        scene.run("tree ks root").well().stdout,
        scene.expected(expected)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tree_shows_releases_and_workloads_with_health() {
    let scene = Scene::new("forest").await;
    let deployment = |name: &str| {
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name },
        "spec": { "replicas": 1, "selector": { "matchLabels": { "app": name } }, "template": {
            "metadata": { "labels": { "app": name } },
            "spec": { "nodeSelector": { "nowhere": "at-all" },
                "containers": [{ "name": "main", "image": "example.com/none" }] },
        } } })
    };
    scene.create(deployment("web")).await;
    let manifest = scene.expected(
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: chart}\n---\n\
         apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: chart}\n",
    );
    let release = json!({ "name": "chart", "manifest": manifest }).to_string();
    scene
        .create(json!({ "apiVersion": "v1", "kind": "Secret",
            "metadata": { "name": "sh.helm.release.v1.chart.v2" },
            "stringData": { "release": STANDARD.encode(release) } }))
        .await;
    scene
        .create(json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": { "name": "chart" },
            "spec": { "interval": "1m", "chart": { "spec": { "chart": "chart",
                "sourceRef": { "kind": "HelmRepository", "name": "charts" } } } },
            "status": { "storageNamespace": scene.namespace, "history": [
                history(&scene.namespace, 1), history(&scene.namespace, 2),
            ] },
        }))
        .await;
    let entries = |ids: &[&str]| -> Value {
        ids.iter()
            .map(|id| json!({ "id": scene.expected(id), "v": "v1" }))
            .collect()
    };
    let ids = [
        "NAMESPACE_web_apps_Deployment",
        "NAMESPACE_chart_helm.toolkit.fluxcd.io_HelmRelease",
        "NAMESPACE_gone__ConfigMap",
    ];
    let status = json!({ "inventory": { "entries": entries(&ids) } });
    scene.kustomization("apps", json!({}), status).await;
    let expected = "Kustomization/NAMESPACE/apps\n\
                    ├── Deployment/NAMESPACE/web\n\
                    ├── HelmRelease/NAMESPACE/chart\n\
                    │   ├── Service/NAMESPACE/chart\n\
                    │   └── ClusterRole/chart\n\
                    └── ConfigMap/NAMESPACE/gone\n\n";
    assert_eq!(
        scene.run("tree ks apps").well().stdout,
        scene.expected(expected)
    );
    let shallow = scene.run("tree ks apps --depth 1 --compact").well();
    assert_eq!(
        shallow.stdout,
        scene.expected("Kustomization/NAMESPACE/apps\n└── HelmRelease/NAMESPACE/chart\n\n")
    );
    let json: Value =
        serde_json::from_str(&scene.run("tree ks apps -o json").well().stdout).unwrap();
    assert_eq!(
        json["resources"][1]["resources"][1],
        json!({ "resource": { "Namespace": "", "Name": "chart", "GroupKind": {
            "Group": "rbac.authorization.k8s.io", "Kind": "ClusterRole" } } })
    );
    let deployments: Api<Live> = Api::namespaced_with(
        scene.bed.client().await,
        &scene.namespace,
        &Kind::Deployment.resource(),
    );
    let has_pod =
        |live: Option<&Live>| live.is_some_and(|live| live.data["status"]["replicas"] == 1);
    wait::until(&deployments, "web", "has a Pod", has_pod)
        .await
        .unwrap();
    let told = scene.run("tree ks apps --pods --status").well().stdout;
    for part in [
        "├── Deployment/NAMESPACE/web (InProgress: ",
        "│   └── ReplicaSet/NAMESPACE/web-",
        "│       └── Pod/NAMESPACE/web-",
        "├── HelmRelease/NAMESPACE/chart (",
        "│   ├── Service/NAMESPACE/chart (missing)\n",
        "└── ConfigMap/NAMESPACE/gone (missing)\n",
    ] {
        assert!(told.contains(&scene.expected(part)), "{part}\n{told}");
    }
}

fn history(namespace: &str, version: u32) -> Value {
    json!({
        "name": "chart", "namespace": namespace, "version": version, "status": "deployed",
        "chartName": "chart", "chartVersion": "1.0.0", "configDigest": "sha256:0", "digest": "sha256:0",
        "firstDeployed": "2026-01-02T03:04:05Z", "lastDeployed": "2026-01-02T03:04:05Z",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn why_names_blocking_source_and_next_command() {
    let scene = Scene::new("why").await;
    let failure = json!([{
        "type": "Ready", "status": "False", "reason": "GitOperationFailed",
        "message": "failed to checkout: authentication required",
        // This time is always in the future, so the age is zero.
        "lastTransitionTime": "2999-01-02T03:04:05Z", "observedGeneration": 1,
    }]);
    scene.create(source(&failure)).await;
    let applied = json!({ "conditions": ready("True", "Applied revision: main@sha1:69"),
        "observedGeneration": 1, "lastAppliedRevision": "main@sha1:69" });
    scene.kustomization("apps", json!({}), applied).await;
    let labels = json!({ "kustomize.toolkit.fluxcd.io/name": "apps",
        "kustomize.toolkit.fluxcd.io/namespace": scene.namespace });
    scene
        .create(json!({ "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": "leaf", "labels": labels } }))
        .await;
    let expected = "\
✗ ConfigMap NAMESPACE/leaf is blocked by GitRepository NAMESPACE/fleet
  reason    GitOperationFailed
  error     failed to checkout: authentication required
  revision  main@sha1:69
  since     0s ago
  retry     exponential back-off
  blocks    Kustomization NAMESPACE/apps

path:
  ConfigMap NAMESPACE/leaf
  Kustomization NAMESPACE/apps: Because: Applied revision: main@sha1:69; applied main@sha1:69, source GitRepository/NAMESPACE/fleet has main@sha1:69

next:
  flux reconcile source git fleet -n NAMESPACE
";
    let ended = scene.run("why configmap/leaf");
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (1, scene.expected(expected).as_str())
    );
    let ended = scene.run("why ks apps -o json");
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        answer["cause"],
        format!("GitRepository/{}/fleet", scene.namespace)
    );
    let ended = scene.run("why ks/none");
    assert_eq!(ended.code, 1);
    assert!(
        ended
            .stderr
            .contains("Kustomization object 'none' not found"),
        "{}",
        ended.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_a_release_include_those_of_its_chart() {
    let scene = Scene::new("events-chart").await;
    scene
        .create(json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": { "name": "web" },
            "spec": { "interval": "1m", "chartRef": { "kind": "OCIRepository", "name": "charts" } },
        }))
        .await;
    for (second, kind, name) in [
        (1, "OCIRepository", "charts"),
        (2, "OCIRepository", "others"),
        (3, "HelmRelease", "web"),
        (4, "HelmRelease", "other"),
    ] {
        let time = format!("2026-01-02T03:04:0{second}Z");
        scene
            .create(json!({
                "apiVersion": "v1", "kind": "Event",
                "metadata": { "name": format!("{}.{second}", name) },
                "involvedObject": { "kind": kind, "name": name, "namespace": scene.namespace },
                "type": "Normal", "reason": "Seen", "message": format!("{name} was seen"),
                "firstTimestamp": time, "lastTimestamp": time,
            }))
            .await;
    }
    let objects = |ended: CommandResult| -> Vec<String> {
        let rows = ended.stdout.lines().skip(1).map(str::to_owned);
        let cell = |row: String| row.split('\t').nth(3).map(|cell| cell.trim().to_owned());
        rows.filter_map(cell).collect()
    };
    let expected = ["OCIRepository/charts", "HelmRelease/web"];
    for compat in ["", "strict"] {
        let call = Call::new(&scene.bed.kubeconfig()).variable("FLUX_COMPAT", compat);
        let ended = call.run(&format!("events --for hr/web -n {}", scene.namespace));
        assert_eq!(objects(ended.well()), expected, "{compat}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn source_events_come_from_its_namespace() {
    let scene = Scene::new("events-here").await;
    let elsewhere = scene.bed.namespace("events-elsewhere").await;
    scene
        .create(json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": "web" },
            "spec": { "interval": "1m", "prune": true,
                "sourceRef": { "kind": "GitRepository", "name": "fleet", "namespace": elsewhere } },
        }))
        .await;
    let event = GroupVersionKind::gvk("", "v1", "Event");
    for (second, namespace, kind, name, severity) in [
        (1, &elsewhere, "GitRepository", "fleet", "Normal"),
        (2, &scene.namespace, "GitRepository", "fleet", "Normal"),
        (3, &scene.namespace, "Kustomization", "web", "Normal"),
        (4, &scene.namespace, "Kustomization", "web", "Warning"),
        (5, &elsewhere, "Kustomization", "web", "Normal"),
    ] {
        let time = format!("2026-01-02T03:04:0{second}Z");
        let object = json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": { "name": format!("{name}.{second}"), "namespace": namespace },
            "involvedObject": { "kind": kind, "name": name, "namespace": namespace },
            "type": severity, "reason": "Seen", "message": format!("{name} was seen"),
            "firstTimestamp": time, "lastTimestamp": time,
        });
        let options = PatchOptions::default();
        let made = scene
            .cluster
            .create(&event, Some(namespace), &object, options)
            .await;
        made.unwrap();
    }
    // The case of event types does not matter.
    let ended = scene.run("events --for ks/web --types normal").well();
    let rows = ended.stdout.lines().skip(1);
    let places: Vec<(String, String)> = rows
        .map(|row| {
            let cell = |index| row.split('\t').nth(index).unwrap().trim().to_owned();
            (cell(0), cell(4))
        })
        .collect();
    let expected = [
        (elsewhere.clone(), "GitRepository/fleet".to_owned()),
        (scene.namespace.clone(), "Kustomization/web".to_owned()),
    ];
    assert_eq!(places, expected, "{ended:?}");
}

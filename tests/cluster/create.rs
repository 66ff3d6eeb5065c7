//! Tests `create` on a real API server: the written object, the wait and the output. The test acts
//! as the controller of kinds without one.

use kube::Api;
use kube::core::ApiResource;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_testkit::{GitBackend, wait};

use crate::binary::{CommandResult, sluice};
use crate::scene::Scene;
use crate::world::{Live, World, commit, config_map, revision};

/// A kind as the API server names it.
#[derive(Clone, Copy)]
struct Kind(&'static str, &'static str, &'static str, &'static str);

const ALERT: Kind = Kind(
    "notification.toolkit.fluxcd.io",
    "v1beta3",
    "Alert",
    "alerts",
);
const BINDING: Kind = Kind(
    "rbac.authorization.k8s.io",
    "v1",
    "RoleBinding",
    "rolebindings",
);
const BUCKET: Kind = Kind("source.toolkit.fluxcd.io", "v1", "Bucket", "buckets");
const CHART: Kind = Kind("source.toolkit.fluxcd.io", "v1", "HelmChart", "helmcharts");
const HELM: Kind = Kind(
    "source.toolkit.fluxcd.io",
    "v1",
    "HelmRepository",
    "helmrepositories",
);
const POLICY: Kind = Kind(
    "image.toolkit.fluxcd.io",
    "v1",
    "ImagePolicy",
    "imagepolicies",
);
const PROVIDER: Kind = Kind(
    "notification.toolkit.fluxcd.io",
    "v1beta3",
    "Provider",
    "providers",
);
const RECEIVER: Kind = Kind(
    "notification.toolkit.fluxcd.io",
    "v1",
    "Receiver",
    "receivers",
);
const RELEASE: Kind = Kind(
    "helm.toolkit.fluxcd.io",
    "v2",
    "HelmRelease",
    "helmreleases",
);
const SECRET: Kind = Kind("", "v1", "Secret", "secrets");

impl Kind {
    fn gvk(self) -> GroupVersionKind {
        GroupVersionKind::gvk(self.0, self.1, self.2)
    }
}

impl Scene {
    /// Runs a command that waits for a controller, and acts as that controller. It writes `status`
    /// and a Ready condition for the current generation.
    async fn answered(
        &self,
        line: &str,
        kind: Kind,
        name: &str,
        generation: i64,
        ready: (&str, &str),
        status: Value,
    ) -> CommandResult {
        let line = format!("{line} -n {}", self.namespace);
        let kubeconfig = self.bed.kubeconfig();
        let command = tokio::task::spawn_blocking(move || sluice(&kubeconfig, &line));
        let Kind(group, version, name_of_kind, plural) = kind;
        let resource = ApiResource {
            group: group.to_owned(),
            version: version.to_owned(),
            api_version: format!("{group}/{version}"),
            kind: name_of_kind.to_owned(),
            plural: plural.to_owned(),
        };
        let client = self.bed.client().await;
        let api: Api<Live> = Api::namespaced_with(client, &self.namespace, &resource);
        wait::until(&api, name, "is written", |object| {
            object.is_some_and(|object| object.metadata.generation == Some(generation))
        })
        .await;
        let mut status = status;
        status["observedGeneration"] = json!(generation);
        status["conditions"] = json!([{
            "type": "Ready", "status": ready.0, "reason": "Because", "message": ready.1,
            "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": generation,
        }]);
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        self.cluster
            .merge(
                &kind.gvk(),
                Some(&self.namespace),
                name,
                &json!({ "status": status }),
                options,
            )
            .await
            .unwrap();
        command.await.unwrap()
    }

    async fn get(&self, kind: Kind, name: &str) -> Value {
        let live = self
            .cluster
            .get(&kind.gvk(), Some(&self.namespace), name)
            .await;
        live.unwrap().unwrap()
    }

    async fn put(&self, kind: Kind, mut object: Value) {
        let Kind(group, version, name_of_kind, _) = kind;
        let api_version = format!("{group}/{version}");
        object["apiVersion"] = json!(api_version.trim_start_matches('/'));
        object["kind"] = json!(name_of_kind);
        object["metadata"]["namespace"] = json!(self.namespace);
        self.cluster
            .create(
                &kind.gvk(),
                Some(&self.namespace),
                &object,
                PatchOptions::default(),
            )
            .await
            .unwrap();
    }

    /// Returns a decoded entry of a Secret.
    async fn entry(&self, name: &str, key: &str) -> Option<String> {
        use base64::Engine as _;
        let secret = self.get(SECRET, name).await;
        let text = secret["data"][key].as_str()?;
        let bytes = base64::prelude::BASE64_STANDARD.decode(text).unwrap();
        Some(String::from_utf8(bytes).unwrap())
    }
}

fn artifact(revision: &str) -> Value {
    json!({ "artifact": {
        "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "lastUpdateTime": "2026-01-02T03:04:05Z", "path": "a", "url": "http://example.com/a",
        "revision": revision,
    } })
}

#[tokio::test(flavor = "multi_thread")]
async fn source_and_applied_objects_are_awaited() {
    let (world, git) = (World::new("create").await, GitBackend::start().await);
    let repository = git.create("app.git", "main");
    let map = config_map("a", &world.namespace, "1");
    let first = revision(&commit(&repository, &[("apps/a.yaml", &map)]));
    let _controllers = world.controllers(&world.kubeconfig).all();
    let run = |line: &str| {
        let line = format!("{line} -n {}", world.namespace);
        sluice(&world.bed.kubeconfig(), &line)
    };
    let url = git.url("app.git");
    let source = format!("create source git app --url={url} --interval=1h");
    let created = run(&format!("{source} --branch=main --label=team=a")).well();
    let said = |verb: &str| {
        format!(
            "⚠️ the connection over http is neither encrypted nor authenticated\n\
             ✚ generating GitRepository source\n\
             ► applying GitRepository source\n\
             ✔ GitRepository source {verb}\n\
             ◎ waiting for GitRepository source reconciliation\n"
        )
    };
    let done =
        format!("✔ GitRepository source reconciliation completed\n✔ fetched revision: {first}\n");
    assert_eq!(created.stderr, format!("{}{done}", said("created")));
    let updated = run(&format!("{source} --branch=main")).well();
    assert_eq!(updated.stderr, format!("{}{done}", said("updated")));
    let applied = run("create ks app --source=app --path=apps --prune --interval=1h").well();
    assert_eq!(
        applied.stderr,
        format!(
            "✚ generating Kustomization\n► applying Kustomization\n✔ Kustomization created\n\
             ◎ waiting for Kustomization reconciliation\n✔ Kustomization app is ready\n\
             ✔ applied revision {first}\n"
        )
    );
    let failed = run(&format!("{source} --branch=nowhere"));
    assert_eq!(failed.code, 1);
    let (before, last) = failed.stderr.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(format!("{before}\n"), said("updated"));
    assert!(last.starts_with("✗ ") && last.contains("nowhere"), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn object_without_controller_is_not_waited_for() {
    let scene = Scene::new("create-static").await;
    let provider = "create alert-provider slack --type=slack --address=https://example.com";
    let created = scene.run(provider).well();
    assert_eq!(
        created.stderr,
        "✚ generating Provider\n► applying Provider\n✔ Provider created\n\
         ◎ waiting for Provider reconciliation\n✔ Provider slack is ready\n"
    );
    let alert = "create alert all --provider-ref=slack --event-source=Kustomization/*";
    scene
        .run(&format!("{alert} --event-severity=error --label=team=a"))
        .well();
    let updated = scene.run(alert).well();
    assert_eq!(
        updated.stderr,
        "✚ generating Alert\n► applying Alert\n✔ Alert updated\n\
         ◎ waiting for Alert reconciliation\n✔ Alert all is ready\n"
    );
    let live = scene.get(ALERT, "all").await;
    assert_eq!(live["spec"]["eventSeverity"], "info", "specs are replaced");
    assert_eq!(live["metadata"]["labels"], Value::Null, "and so are labels");
    let registry = scene
        .run("create source helm charts --url=oci://example.com/charts -u me -p secret --pass-credentials")
        .well();
    assert_eq!(
        registry.stderr,
        "✚ generating HelmRepository source\n\
         ► applying secret with repository credentials\n✔ authentication configured\n\
         ► applying HelmRepository source\n✔ source created\n\
         ◎ waiting for HelmRepository source reconciliation\n\
         ✔ HelmRepository source reconciliation completed\n"
    );
    let live = scene.get(HELM, "charts").await;
    assert_eq!(live["spec"]["secretRef"], json!({ "name": "helm-charts" }));
    assert_eq!(live["spec"]["passCredentials"], true);
    let password = scene.entry("helm-charts", "password").await;
    assert_eq!(password.as_deref(), Some("secret"));
    // The address is of a kind that other provider types reject.
    let provider = scene.get(PROVIDER, "slack").await;
    assert_eq!(provider["spec"]["type"], "slack");
}

#[tokio::test(flavor = "multi_thread")]
async fn created_sources_report_their_revision() {
    let scene = Scene::new("create-fetched").await;
    let line = "create source bucket b --bucket-name=b --endpoint=example.com --access-key=mine \
                --secret-key=secret --label=team=a";
    let ended = scene
        .answered(line, BUCKET, "b", 1, ("True", "ok"), artifact("sha256:69"))
        .await
        .well();
    assert_eq!(
        ended.stderr,
        "✚ generating Bucket source\n\
         ► applying secret with the bucket credentials\n✔ authentication configured\n\
         ► applying Bucket source\n✔ Bucket source created\n\
         ◎ waiting for Bucket source reconciliation\n\
         ✔ Bucket source reconciliation completed\n✔ fetched revision: sha256:69\n"
    );
    let live = scene.get(BUCKET, "b").await;
    assert_eq!(live["spec"]["secretRef"], json!({ "name": "bucket-b" }));
    let key = scene.entry("bucket-b", "accesskey").await;
    assert_eq!(key.as_deref(), Some("mine"));
    let secret = scene.get(SECRET, "bucket-b").await;
    assert_eq!(secret["metadata"]["labels"], json!({ "team": "a" }));

    let line = "create source chart c --source=HelmRepository/charts --chart=c";
    let ended = scene
        .answered(line, CHART, "c", 1, ("True", "ok"), artifact("6.5.4"))
        .await
        .well();
    assert_eq!(
        ended.stderr,
        "✚ generating HelmChart source\n► applying HelmChart source\n✔ source created\n\
         ◎ waiting for HelmChart source reconciliation\n\
         ✔ HelmChart source reconciliation completed\n✔ fetched revision: 6.5.4\n"
    );

    let line = "create source helm h --url=https://example.com/charts";
    let failure = ("False", "failed to fetch the index");
    let ended = scene.answered(line, HELM, "h", 1, failure, json!({})).await;
    assert_eq!(ended.code, 1);
    assert!(
        ended.stderr.ends_with("✗ failed to fetch the index\n"),
        "{}",
        ended.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn receivers_releases_and_images_are_awaited() {
    let scene = Scene::new("create-awaited").await;
    let line = "create receiver r --type=github --secret-ref=token --resource=GitRepository/a";
    let ended = scene
        .answered(
            line,
            RECEIVER,
            "r",
            1,
            ("True", "ok"),
            json!({ "webhookPath": "/hook/69" }),
        )
        .await
        .well();
    assert_eq!(
        ended.stderr,
        "✚ generating Receiver\n► applying Receiver\n✔ Receiver created\n\
         ◎ waiting for Receiver reconciliation\n✔ Receiver r is ready\n\
         ✔ generated webhook URL /hook/69\n"
    );

    let line = "create hr web --source=HelmRepository/charts --chart=web --depends-on=db";
    let ended = scene
        .answered(
            line,
            RELEASE,
            "web",
            1,
            ("True", "ok"),
            json!({ "lastAttemptedRevision": "1.2.3" }),
        )
        .await
        .well();
    assert_eq!(
        ended.stderr,
        "✚ generating HelmRelease\n► applying HelmRelease\n✔ HelmRelease created\n\
         ◎ waiting for HelmRelease reconciliation\n✔ HelmRelease web is ready\n\
         ✔ applied revision 1.2.3\n"
    );

    let line = "create image policy web --image-ref=web --select-semver=1.x";
    let ended = scene
        .answered(line, POLICY, "web", 1, ("True", "ok"), json!({}))
        .await
        .well();
    assert_eq!(
        ended.stderr,
        "✚ generating ImagePolicy\n► applying ImagePolicy\n✔ ImagePolicy created\n\
         ◎ waiting for ImagePolicy reconciliation\n✔ ImagePolicy reconciliation completed\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tenant_is_updated_and_keeps_foreign_labels() {
    let scene = Scene::new("create-tenant").await;
    let namespace = &scene.namespace;
    let run = |more: &str| {
        let line = format!("create tenant dev --with-namespace={namespace} {more}");
        sluice(&scene.bed.kubeconfig(), &line)
    };
    let first = run("--cluster-role=view --label=team=a").well();
    let said = format!(
        "► applying namespace {namespace}\n► applying service account dev\n\
         ► applying role binding dev-reconciler\n✔ tenant setup completed\n"
    );
    assert_eq!(first.stderr, said);
    let binding = scene.get(BINDING, "dev-reconciler").await;
    let uid = binding["metadata"]["uid"].clone();
    assert_eq!(binding["roleRef"]["name"], "view");

    let other = json!({ "metadata": { "labels": { "owner": "somebody" } } });
    let kind = Kind("", "v1", "Namespace", "namespaces");
    scene
        .cluster
        .merge(
            &kind.gvk(),
            None,
            namespace,
            &other,
            PatchOptions::default(),
        )
        .await
        .unwrap();
    run("--cluster-role=view --label=team=b").well();
    let live = scene.cluster.get(&kind.gvk(), None, namespace).await;
    let labels = live.unwrap().unwrap()["metadata"]["labels"].clone();
    for (key, value) in [
        ("owner", "somebody"),
        ("team", "b"),
        ("toolkit.fluxcd.io/tenant", "dev"),
    ] {
        assert_eq!(labels[key], value, "{key}");
    }
    let same = scene.get(BINDING, "dev-reconciler").await;
    assert_eq!(
        same["metadata"]["uid"], uid,
        "nobody lost a right meanwhile"
    );

    let skipped = run("--skip-namespace --with-service-account=deployer").well();
    assert_eq!(
        skipped.stderr,
        "⚠️ the tenant may do everything in its namespaces: --cluster-role names less\n\
         ► applying service account deployer\n► applying role binding dev-reconciler\n\
         ✔ tenant setup completed\n"
    );
    let anew = scene.get(BINDING, "dev-reconciler").await;
    assert_ne!(anew["metadata"]["uid"], uid);
    assert_eq!(anew["roleRef"]["name"], "cluster-admin");
    assert_eq!(anew["subjects"][1]["name"], "deployer");
}

#[tokio::test(flavor = "multi_thread")]
async fn secret_keeps_entries_of_others() {
    let scene = Scene::new("create-secret").await;
    scene
        .put(
            SECRET,
            json!({
                "metadata": { "name": "hook", "annotations": { "own": "kept" } },
                "stringData": { "other": "kept", "token": "old" },
            }),
        )
        .await;
    let ended = scene
        .run("create secret receiver hook --type=github --token=new --hostname=example.com")
        .well();
    assert_eq!(
        ended.stderr,
        format!(
            "► receiver secret 'hook' created in '{}' namespace\n",
            scene.namespace
        )
    );
    for (key, value) in [("other", "kept"), ("token", "new")] {
        assert_eq!(scene.entry("hook", key).await.as_deref(), Some(value));
    }
    let live = scene.get(SECRET, "hook").await;
    let annotations = &live["metadata"]["annotations"];
    assert_eq!(annotations["own"], "kept");
    let webhook = annotations["notification.toolkit.fluxcd.io/webhook"].as_str();
    assert!(webhook.unwrap().starts_with("https://example.com/hook/"));

    // The type of a Secret is immutable, and any type works here.
    let secret = json!({ "metadata": { "name": "charts" }, "stringData": { "password": "old" } });
    scene.put(SECRET, secret).await;
    scene
        .run("create secret helm charts --username=me --password=new")
        .well();
    assert_eq!(
        scene.entry("charts", "password").await.as_deref(),
        Some("new")
    );
    assert_eq!(scene.get(SECRET, "charts").await["type"], "Opaque");

    let made = "create secret receiver made --type=github --hostname=example.com";
    scene.run(made).well();
    let token = scene.entry("made", "token").await.unwrap();
    assert_eq!(token.len(), 64, "{token}");
    assert!(!live.to_string().contains(&token));
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_are_exported_with_their_secrets() {
    let scene = Scene::new("export-with").await;
    let namespace = &scene.namespace;
    for name in ["a", "b"] {
        let secret = format!("{name}-keys");
        scene
            .put(
                BUCKET,
                json!({ "metadata": { "name": name }, "spec": {
                    "bucketName": name, "endpoint": "example.com", "interval": "1h",
                    "secretRef": { "name": secret },
                } }),
            )
            .await;
        if name == "a" {
            scene
                .put(
                    SECRET,
                    json!({
                        "metadata": { "name": secret, "labels": { "team": "a" } },
                        "stringData": { "accesskey": "mine" },
                    }),
                )
                .await;
        }
    }
    let exported = scene
        .run("export source bucket a --with-credentials")
        .well();
    let document = format!(
        "---\napiVersion: v1\ndata:\n  accesskey: bWluZQ==\nkind: Secret\nmetadata:\n  \
         name: a-keys\n  namespace: {namespace}\ntype: Opaque\n"
    );
    assert!(
        exported
            .stdout
            .starts_with("---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: Bucket\n")
            && exported.stdout.ends_with(&document),
        "{}",
        exported.stdout
    );
    let plain = scene.run("export source bucket a").well();
    assert!(!plain.stdout.contains("kind: Secret"), "{}", plain.stdout);
    let missing = scene.run("export source bucket --all --with-credentials");
    assert_eq!(
        (missing.code, missing.stderr),
        (
            1,
            format!(
                "✗ failed to retrieve secret b-keys, error: secrets \"b-keys\" not found\n  \
                 hint: searched namespace {namespace}; set another with --namespace\n"
            )
        )
    );
    scene
        .run("create secret receiver b-keys --type=github --token=t --hostname=h")
        .well();
    let all = scene
        .run("export source bucket --all --with-credentials")
        .well();
    let kinds: Vec<&str> = all
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("kind: "))
        .collect();
    assert_eq!(kinds, ["Bucket", "Secret", "Bucket", "Secret"]);
}

//! Tests `takeover` and `give-back`: the Deployments change, and managed objects are not written.
//! The audit log proves it.
//!
//! A fake node makes the Deployments ready. The test runs the programs of their images: Flux's
//! controllers from `REFERENCE_BIN_DIR`, or ours. They get the Deployment's flags and, as in a new
//! pod, empty storage. Without Flux's controllers, `takeover.json` restores their objects with all
//! field owners, and ours take over from there.

use std::net::Ipv4Addr;

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use kube::api::{Patch, PatchParams};
use kube::core::DynamicObject;
use serde_json::{Value, json};
use sluice_git::serve::Repository;
use sluice_testkit::audit::Mark;
use sluice_testkit::devcluster::ports;
use sluice_testkit::{GitBackend, Reference, Running, Sluice};

use crate::binary::{Call, CommandResult, sluice};
use crate::program;
use crate::world::{Kind, World, commit, config_map, deployment, kustomization, settled, source};

const SYSTEM: &str = "flux-system";
const APPS: &str = "apps";
const CONTROLLERS: [&str; 2] = ["source-controller", "kustomize-controller"];
const COMPONENTS: &str = "--components=source-controller,kustomize-controller";
const REGISTRY: &str = "--registry=ours.example/sluice";
/// Resources that a controller may always write.
const BOOKKEEPING: [&str; 4] = ["events", "leases", "kustomizations", "gitrepositories"];

/// A cluster with a stock Flux installation.
struct TakeoverFixture {
    world: World,
    /// User that runs the takeover.
    operator: String,
    /// Address of the artifacts, which a Service provides in a cluster.
    address: String,
}

/// Controllers that run according to their Deployments.
struct Pods(Vec<(Running, tempfile::TempDir)>);

impl Pods {
    /// Stops the controllers like the kubelet, and waits until they release their leases.
    async fn stop(self) {
        for (process, _) in &self.0 {
            process.terminate();
        }
        for (process, _) in &self.0 {
            process.ended().await;
        }
    }
}

impl TakeoverFixture {
    async fn new() -> Self {
        let world = World::system().await;
        let [port] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
        let stage = Self {
            operator: world.bed.name("operator"),
            address: format!("127.0.0.1:{port}"),
            world,
        };
        stage
            .run(&format!("install {COMPONENTS} --flux-images"))
            .await
            .well();
        stage.world.bed.namespace_called(APPS).await;
        stage
    }

    async fn run(&self, line: &str) -> CommandResult {
        let kubeconfig = self.world.bed.kubeconfig_for(&self.operator);
        let line = line.to_owned();
        tokio::task::spawn_blocking(move || sluice(&kubeconfig, &line))
            .await
            .unwrap()
    }

    fn deployments(&self) -> Api<Deployment> {
        Api::namespaced(self.world.client.clone(), SYSTEM)
    }

    /// Returns a controller's Deployment, with only the user's metadata.
    async fn deployment(&self, name: &str) -> Value {
        let found = self.deployments().get(name).await.unwrap();
        let mut annotations = found.metadata.annotations.unwrap_or_default();
        // Kubernetes counts the rollouts.
        annotations.remove("deployment.kubernetes.io/revision");
        json!({
            "labels": found.metadata.labels, "annotations": annotations, "spec": found.spec,
        })
    }

    /// Patches a controller's Deployment.
    async fn patch(&self, name: &str, patch: Value) {
        let patch = serde_json::from_value(patch).unwrap();
        let (parameters, patch) = (PatchParams::default(), Patch::Json::<()>(patch));
        let api = self.deployments();
        api.patch(name, &parameters, &patch).await.unwrap();
    }

    async fn image(&self, name: &str) -> String {
        let found = self.deployment(name).await;
        let image = &found["spec"]["template"]["spec"]["containers"][0]["image"];
        image.as_str().unwrap().to_owned()
    }

    /// Starts the programs of the Deployments' images.
    async fn pods(&self, reference: Option<&Reference>) -> Pods {
        let mut pods = Vec::new();
        let storage = tempfile::tempdir().unwrap();
        let address = &self.address;
        let mut storage = Some(storage);
        for name in CONTROLLERS {
            let image = self.image(name).await;
            let mut own = vec![
                "--metrics-addr=0".to_owned(),
                "--health-addr=0".to_owned(),
                "--interval-jitter-percentage=0".to_owned(),
            ];
            let (program, mut words) = if image.starts_with("ours.example/") {
                let program = Sluice::at(program::flux());
                (program, vec!["controller".to_owned(), name.to_owned()])
            } else {
                let reference = reference.expect("Flux's image needs Flux's controller");
                // The namespace of the lease is known only inside a pod.
                own.push("--enable-leader-election=false".to_owned());
                (reference.controller(name), Vec::new())
            };
            let directory = storage
                .take()
                .unwrap_or_else(|| tempfile::tempdir().unwrap());
            if name == "source-controller" {
                own.extend([
                    format!("--storage-path={}", directory.path().display()),
                    format!("--storage-addr={address}"),
                    format!("--storage-adv-addr={address}"),
                ]);
            }
            let flag = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
            let replaced: Vec<String> = own.iter().map(|word| flag(word)).collect();
            let deployment = self.deployment(name).await;
            let given = &deployment["spec"]["template"]["spec"]["containers"][0]["args"];
            let given = given.as_array().unwrap().iter().filter_map(Value::as_str);
            words.extend(
                given
                    .filter(|word| !replaced.contains(&flag(word)))
                    .map(str::to_owned),
            );
            words.extend(own);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let process = program
                .variable("KUBECONFIG", self.world.kubeconfig.display().to_string())
                .variable("RUNTIME_NAMESPACE", SYSTEM)
                .start(&words);
            pods.push((process, directory));
        }
        Pods(pods)
    }

    /// Returns the writes since a mark, without the controllers' bookkeeping.
    async fn writes(&self, user: &str, since: Mark) -> Vec<String> {
        self.world.mark().await;
        let entries = self.world.bed.audit().since(since);
        entries
            .iter()
            .filter(|entry| entry.user == user && entry.is_write())
            .filter(|entry| user == self.operator || !BOOKKEEPING.contains(&&*entry.resource))
            .map(|entry| {
                let (verb, resource) = (&entry.verb, &entry.resource);
                format!("{verb} {resource} {}/{}", entry.namespace, entry.name)
            })
            .collect()
    }

    /// Returns the state that must not change with the controllers.
    async fn managed(&self) -> Value {
        let mut objects = Vec::new();
        for kind in [Kind::ConfigMap, Kind::Deployment] {
            let object = self.workload(kind).get("app").await.unwrap();
            let metadata = &object.metadata;
            objects.push(json!([
                metadata.name,
                metadata.uid,
                metadata.generation,
                metadata.resource_version
            ]));
        }
        let app = self.world.get(Kind::Kustomization, "app").await.unwrap();
        json!({ "objects": objects, "inventory": app.data["status"]["inventory"] })
    }

    fn workload(&self, kind: Kind) -> Api<DynamicObject> {
        Api::namespaced_with(self.world.client.clone(), APPS, &kind.resource())
    }

    /// Waits for two reconciliations by the new controllers, and asserts that nothing changed.
    async fn untouched(&self, before: &Value, since: Mark, whose: &str) {
        for _ in 0..2 {
            self.world.reconcile(Kind::GitRepository, "app").await;
            self.world.reconcile(Kind::Kustomization, "app").await;
        }
        let none = Vec::<String>::new();
        let wrote = self.writes(&self.world.user, since).await;
        assert_eq!(wrote, none, "{whose} wrote");
        assert_eq!(&self.managed().await, before, "{whose}");
    }

    /// Returns the objects that Flux left, without values that differ per run.
    async fn left(&self) -> Value {
        let mut objects = Vec::new();
        for kind in [Kind::ConfigMap, Kind::Deployment] {
            let object = self.workload(kind).get("app").await.unwrap();
            let value = serde_json::to_value(&object).unwrap();
            objects.push(json!({
                "kind": format!("{kind:?}"),
                "labels": value["metadata"]["labels"],
                "owners": owners(&value),
            }));
        }
        let app = self.world.get(Kind::Kustomization, "app").await.unwrap();
        json!({
            "objects": objects,
            "kustomization": {
                "finalizers": app.metadata.finalizers,
                "inventory": app.data["status"]["inventory"],
            },
        })
    }

    /// Restores the objects that Flux left.
    async fn put_back(&self, recorded: &Value, files: &[(&str, String)], commit: &str) {
        for ((_, text), kind) in files.iter().zip([Kind::ConfigMap, Kind::Deployment]) {
            let kept = recorded["objects"].as_array().unwrap();
            let kept = kept
                .iter()
                .find(|object| object["kind"] == format!("{kind:?}"))
                .unwrap();
            let mut object = sluice_yaml::v2::documents(text).unwrap().remove(0);
            object["metadata"]["labels"] = kept["labels"].clone();
            if kind == Kind::Deployment {
                // Flux applies these fields empty, and Kubernetes fills them.
                object["spec"]["strategy"] = json!({});
                object["spec"]["template"]["spec"]["containers"][0]["resources"] = json!({});
            }
            let parameters = PatchParams::apply("kustomize-controller").force();
            self.workload(kind)
                .patch("app", &parameters, &Patch::Apply(object))
                .await
                .unwrap();
        }
        let kept = &recorded["kustomization"];
        let finalizers = json!({ "metadata": { "finalizers": kept["finalizers"] } });
        self.world
            .merge(Kind::Kustomization, "app", finalizers)
            .await;
        let revision = format!("main@sha1:{commit}");
        let status = json!({ "status": {
            "inventory": kept["inventory"],
            "lastAppliedRevision": revision, "lastAttemptedRevision": revision,
        } });
        let api = self.world.api(Kind::Kustomization);
        let parameters = PatchParams::default();
        #[expect(clippy::disallowed_methods, reason = "the test acts as the controller")]
        let patched = api
            .patch_status("app", &parameters, &Patch::Merge(status))
            .await;
        patched.unwrap();
    }
}

/// Returns the field owners of an object, without those of its status.
fn owners(object: &Value) -> Vec<Value> {
    let entries = object["metadata"]["managedFields"].as_array();
    entries
        .into_iter()
        .flatten()
        .filter(|entry| entry.get("subresource").is_none())
        .filter(|entry| entry["manager"] != "kube-controller-manager")
        .map(|entry| json!([entry["manager"], entry["operation"], entry["fieldsV1"]]))
        .collect()
}

fn files() -> [(&'static str, String); 2] {
    [
        ("a.yaml", config_map("app", APPS, "1")),
        ("b.yaml", deployment("app", APPS, 0)),
    ]
}

fn committed(repository: &Repository) -> String {
    let files = files();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    commit(repository, &files)
}

fn recorded_at() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/cluster/takeover.json")
}

fn json(ended: &CommandResult) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:#?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn takeover_and_give_back_write_no_workload() {
    let stage = TakeoverFixture::new().await;
    let (world, reference) = (&stage.world, Reference::find());
    let git = GitBackend::start().await;
    let repository = git.create("app.git", "main");
    let commit = committed(&repository);
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({ "wait": true })).await;
    let theirs = match &reference {
        Some(reference) => {
            let theirs = stage.pods(Some(reference)).await;
            world.applied("app", &commit).await;
            if Reference::is_recording() {
                let text = serde_json::to_string_pretty(&stage.left().await).unwrap() + "\n";
                sluice_system::fs::write(recorded_at(), text).unwrap();
            }
            Some(theirs)
        }
        None => None,
    };
    let text = sluice_system::fs::read_to_string(recorded_at()).unwrap();
    let recorded: Value = serde_json::from_str(&text).unwrap();
    if theirs.is_none() {
        stage.put_back(&recorded, &files(), &commit).await;
    }
    let workloads: Api<Deployment> = Api::namespaced(world.client.clone(), APPS);
    settled(&workloads, "app").await;
    assert_eq!(stage.left().await, recorded, "what the reference leaves");
    let before = stage.managed().await;
    let mut deployments = Vec::new();
    for name in CONTROLLERS {
        deployments.push(stage.deployment(name).await);
    }

    let planned = stage
        .run(&format!("takeover --plan {REGISTRY} -o json"))
        .await;
    let planned = json(&planned.well());
    assert_eq!(planned["covered"], true, "{planned:#}");
    ends_with_the_next_command(&stage).await;
    let mark = world.mark().await;
    let taken = stage
        .run(&format!("takeover --apply {REGISTRY} -o json"))
        .await;
    let taken = json(&taken.well());
    assert_eq!(
        taken["written"].as_array().map(Vec::len),
        Some(2),
        "{taken:#}"
    );
    let two = CONTROLLERS.map(|name| format!("patch deployments {SYSTEM}/{name}"));
    assert_eq!(stage.writes(&stage.operator, mark).await, two);
    for name in CONTROLLERS {
        let image = stage.image(name).await;
        assert!(
            image.starts_with(&format!("ours.example/sluice/{name}:v")),
            "{image}"
        );
    }
    let call = Call::new(&world.kubeconfig).called_sluice();
    let version = call.run_beside("version").await.well();
    let whose = "sluice-controllers: kustomize-controller, source-controller\n";
    assert!(version.stdout.contains(whose), "{}", version.stdout);

    if let Some(theirs) = theirs {
        theirs.stop().await;
    }
    let mark = world.mark().await;
    let ours = stage.pods(None).await;
    stage.untouched(&before, mark, "ours, after Flux's").await;

    let mark = world.mark().await;
    stage.run("give-back").await.well();
    assert_eq!(stage.writes(&stage.operator, mark).await, two);
    for (name, before) in CONTROLLERS.iter().zip(&deployments) {
        assert_eq!(&stage.deployment(name).await, before, "{name}");
    }
    ours.stop().await;
    if let Some(reference) = &reference {
        let mark = world.mark().await;
        let theirs = stage.pods(Some(reference)).await;
        stage.untouched(&before, mark, "Flux's, after ours").await;
        theirs.stop().await;
    }
}

/// A plan without obstacles ends with the command, and needs its registry like `--apply`.
async fn ends_with_the_next_command(stage: &TakeoverFixture) {
    let planned = stage.run(&format!("takeover --plan {REGISTRY}")).await;
    let checked = "\nchecked: 2 Deployments and 2 objects of ";
    let next = format!(
        " kinds; images were not pulled\n\nnext: take over\n  flux takeover --apply {REGISTRY}\n"
    );
    let said = planned.well().stdout;
    assert!(said.contains(checked) && said.ends_with(&next), "{said}");
    let planned = stage.run("takeover --plan").await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    let next = "\nnext: set --registry to the prefix of the images\n  \
                flux takeover --apply --registry=PREFIX\n";
    assert!(planned.stdout.ends_with(next), "{planned:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn takeover_keeps_uncovered_and_completes_begun_controllers() {
    let stage = TakeoverFixture::new().await;
    let [source_before, kustomize_before] = [
        stage.deployment(CONTROLLERS[0]).await,
        stage.deployment(CONTROLLERS[1]).await,
    ];
    let world = &stage.world;

    // Only one of the controllers is blocked.
    let command = "/spec/template/spec/containers/0/command";
    let add = json!([{ "op": "add", "path": command, "value": ["own"] }]);
    stage.patch(CONTROLLERS[0], add).await;
    let blocked = stage.deployment(CONTROLLERS[0]).await;
    let named = "Deployment/flux-system/source-controller: its container has a command of its own, \
                 which is a program of Flux's image";
    let planned = stage.run(&format!("takeover --plan {REGISTRY}")).await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    assert!(
        planned.stdout.contains(&format!("  ✗ {named}\n")),
        "{planned:#?}"
    );
    let applied = stage.run(&format!("takeover --apply {REGISTRY}")).await;
    assert_eq!(applied.code, 1, "{applied:#?}");
    for said in [
        "✗ source-controller is not taken over\n".to_owned(),
        format!("✗ {named}\n"),
        "✔ kustomize-controller: deployment ready\n".to_owned(),
    ] {
        assert!(applied.stderr.contains(&said), "{said}: {applied:#?}");
    }
    assert_eq!(stage.deployment(CONTROLLERS[0]).await, blocked);
    assert_ne!(stage.deployment(CONTROLLERS[1]).await, kustomize_before);

    // The second run takes over the rest, and does not write the first controllers again.
    let remove = json!([{ "op": "remove", "path": command }]);
    stage.patch(CONTROLLERS[0], remove).await;
    let mark = world.mark().await;
    stage
        .run(&format!("takeover --apply {REGISTRY}"))
        .await
        .well();
    let one = [format!("patch deployments {SYSTEM}/source-controller")];
    assert_eq!(stage.writes(&stage.operator, mark).await, one);
    let mark = world.mark().await;
    stage
        .run(&format!("takeover --apply {REGISTRY}"))
        .await
        .well();
    assert!(stage.writes(&stage.operator, mark).await.is_empty());

    // The way back starts with one controller, then takes the other. A third run finds no work.
    for (flags, expected) in [
        ("--components=kustomize-controller", Some(CONTROLLERS[1])),
        ("", Some(CONTROLLERS[0])),
        ("", None),
    ] {
        let mark = world.mark().await;
        stage.run(&format!("give-back {flags}")).await.well();
        let wrote = stage.writes(&stage.operator, mark).await;
        let expected = expected.map(|name| format!("patch deployments {SYSTEM}/{name}"));
        assert_eq!(wrote, expected.into_iter().collect::<Vec<_>>(), "{flags}");
    }
    assert_eq!(stage.deployment(CONTROLLERS[0]).await, source_before);
    assert_eq!(stage.deployment(CONTROLLERS[1]).await, kustomize_before);

    keeps_deployment_of_helm(&stage).await;
    follows_git(&stage).await;
}

/// A Helm release would revert the write, so only `--force` makes it.
async fn keeps_deployment_of_helm(stage: &TakeoverFixture) {
    let marks = |name: Value, namespace: Value| {
        json!({ "metadata": { "annotations": {
            "meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": namespace,
        } } })
    };
    let name = CONTROLLERS[0];
    let kept = marks(json!("flux"), json!(SYSTEM));
    stage.world.merge(Kind::Deployment, name, kept).await;
    let mark = stage.world.mark().await;
    let said = "kept by Helm (release flux-system/flux), which would put the images back\n";
    let planned = stage.run(&format!("takeover --plan {REGISTRY}")).await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    assert!(planned.stdout.ends_with(said), "{planned:#?}");
    let refused = stage.run(&format!("takeover --apply {REGISTRY}")).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(
        refused
            .stderr
            .starts_with(&format!("✗ takeover refused: {said}")),
        "{refused:#?}"
    );
    assert!(stage.writes(&stage.operator, mark).await.is_empty());
    let other = format!("takeover --plan --components={} {REGISTRY}", CONTROLLERS[1]);
    stage.run(&other).await.well();
    let removed = marks(Value::Null, Value::Null);
    stage.world.merge(Kind::Deployment, name, removed).await;
}

/// In a cluster that Git manages, the command prints instructions for a change in Git.
async fn follows_git(stage: &TakeoverFixture) {
    let world = &stage.world;
    let more = json!({ "secretRef": { "name": "flux-system" } });
    let spec = json!({ "spec": source("https://git.example/fleet", more) });
    world.create(Kind::GitRepository, SYSTEM, spec).await;
    let spec = kustomization(SYSTEM, json!({ "path": "./clusters/one" }));
    world
        .create(Kind::Kustomization, SYSTEM, json!({ "spec": spec }))
        .await;
    let labels = json!({ "metadata": { "labels": {
        "kustomize.toolkit.fluxcd.io/name": SYSTEM,
        "kustomize.toolkit.fluxcd.io/namespace": SYSTEM,
    } } });
    for name in CONTROLLERS {
        world.merge(Kind::Deployment, name, labels.clone()).await;
    }
    let command = "flux bootstrap git --url=https://git.example/fleet --branch=main \
                   --path=./clusters/one --components=kustomize-controller,source-controller \
                   --interval=1h --registry=ours.example/sluice --token-auth";
    let planned = stage.run(&format!("takeover --plan {REGISTRY}")).await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    let next = format!("\n\nnext: change the images by a commit\n  {command}\n");
    assert!(planned.stdout.contains(&next), "{planned:#?}");
    let mark = world.mark().await;
    let refused = stage.run(&format!("takeover --apply {REGISTRY}")).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(
        refused.stderr.starts_with(
            "✗ this cluster follows a repository: Kustomization flux-system/flux-system would undo the takeover\n"
        ) && refused.stderr.contains(command),
        "{refused:#?}"
    );
    assert!(stage.writes(&stage.operator, mark).await.is_empty());
    stage
        .run(&format!("takeover --apply --force {REGISTRY}"))
        .await
        .well();
    let refused = stage.run("give-back").await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(refused.stderr.contains("--flux-images"), "{refused:#?}");
    stage.run("give-back --force").await.well();
}

//! Tests runs of `bootstrap` that stop at once or give up. The error names the fix, the exit code
//! is 1, and neither the repository nor the cluster changes.

use std::path::{Path, PathBuf};

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::json;
use sluice_git::serve::{Change, Repository};
use sluice_system::fs;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, SshServer, wait};

use super::{BootstrapFixture, CANARY, COMPONENTS, NAMESPACE, guarded, head, hook};
use crate::binary::{CommandResult, sluice};
use crate::stub::Stub;

/// Hook script: another push wins each time.
const RIVALS: &str =
    "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git update-ref refs/heads/main $(git commit-tree -m theirs -p main 'main^{tree}')";

/// A repository with a commit, and an empty cluster.
struct Scene {
    stage: BootstrapFixture,
    repository: Repository,
    first: String,
    line: String,
}

impl Scene {
    /// Runs the command with more flags, and asserts an error with these texts.
    async fn refused(&self, flags: &str, told: &[&str]) {
        let ended = self
            .stage
            .bootstrap(&format!("{} {flags}", self.line))
            .await;
        self.untouched(&ended, told).await;
    }

    async fn untouched(&self, ended: &CommandResult, told: &[&str]) {
        assert_eq!(ended.code, 1, "{ended:#?}");
        for told in told {
            assert!(ended.stderr.contains(told), "{told}: {ended:#?}");
        }
        assert_eq!(
            head(&self.repository).as_ref(),
            Some(&self.first),
            "{ended:#?}"
        );
        let namespaces = Api::<Namespace>::all(self.stage.world.client.clone());
        let there = namespaces.get_opt(NAMESPACE).await.unwrap();
        assert!(there.is_none(), "{ended:#?}");
    }

    /// Like [`Self::refused`], with a temporary file in the repository.
    async fn refused_with(&mut self, flags: &str, (path, content): (&str, &str), told: &[&str]) {
        let changes = [Change::write(path, content)];
        let commit = self.repository.commit("main", "Theirs", &changes).unwrap();
        self.first = commit.to_string();
        self.refused(flags, told).await;
        let gone = self
            .repository
            .commit("main", "Gone", &[Change::remove(path)]);
        self.first = gone.unwrap().to_string();
    }
}

/// Creates a private key with a passphrase.
fn locked_key(folder: &Path) -> PathBuf {
    let path = folder.join("locked");
    #[expect(
        clippy::disallowed_methods,
        reason = "the key must have the format of ssh-keygen"
    )]
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-N", "open sesame", "-t", "ed25519", "-f"])
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn hopeless_bootstrap_is_refused_before_any_change() {
    let git = GitBackend::start_with(HttpOptions {
        basic: Some(("me".to_owned(), CANARY.to_owned())),
        tls: true,
        ..HttpOptions::default()
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    fs::write(&ca, git.authority().unwrap().certificate()).unwrap();
    let repository = git.create("fleet.git", "main");
    let first = repository.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    let first = first.unwrap().to_string();
    let url = git.url("fleet.git");
    let stranger = format!("--url={url} --token-auth --username=me --path=clusters/one");
    let mut scene = Scene {
        stage: BootstrapFixture::new().await,
        line: format!("{stranger} --ca-file={}", ca.display()),
        repository,
        first,
    };

    let unknown = scene.stage.bootstrap(&stranger).await;
    let told = ["certificate", "hint: set --ca-file to the certificate"];
    scene.untouched(&unknown, &told).await;
    let locked = locked_key(folder.path());
    let locked = format!("--ssh-signing-key-file={}", locked.display());
    scene
        .refused(&locked, &["✗ invalid SSH signing key: ", "passphrase"])
        .await;
    let wrong = format!("{locked} --ssh-signing-password=wrong");
    scene
        .refused(&wrong, &["✗ invalid SSH signing key: "])
        .await;
    let kustomization = "clusters/one/flux-system/kustomization.yaml";
    let told = ["kustomization.yaml"];
    scene
        .refused_with("", (kustomization, "resources: ["), &told)
        .await;
    let missing = "resources:\n- gotk-components.yaml\n- gotk-sync.yaml\n- nowhere.yaml\n";
    scene
        .refused_with("", (kustomization, missing), &["nowhere.yaml"])
        .await;
    // Flux does not report the missing access, and waits until the timeout.
    let told = [
        "⚠️  kustomization.yaml in clusters/one/flux-system does not list gotk-components.yaml: ",
        "⚠️  kustomization.yaml in clusters/one/flux-system does not list gotk-sync.yaml: ",
    ];
    let theirs = (kustomization, "resources:\n- own.yaml\n");
    scene.refused_with("--plan", theirs, &told).await;

    hook(&scene.repository, Some(RIVALS));
    let lost = scene.stage.bootstrap(&scene.line).await;
    let theirs = scene.repository.head("main").unwrap().unwrap().to_string();
    scene.first = theirs;
    scene
        .untouched(&lost, &["✗ failed to push component manifests: "])
        .await;
    let conflicts = lost.stderr.matches("◎ git conflict detected").count();
    assert_eq!(conflicts, 2, "three tries: {lost:#?}");
    hook(&scene.repository, None);

    instance(&scene.stage).await;
    let told = [
        "Flux Operator manages this cluster, by a FluxInstance",
        "hint: change the FluxInstance",
    ];
    scene.refused("", &told).await;
}

/// Installs Flux Operator's objects for the cluster.
async fn instance(stage: &BootstrapFixture) {
    let definition = json!({
        "metadata": { "name": "fluxinstances.fluxcd.controlplane.io" },
        "spec": {
            "group": "fluxcd.controlplane.io", "scope": "Namespaced",
            "names": { "kind": "FluxInstance", "listKind": "FluxInstanceList", "plural": "fluxinstances", "singular": "fluxinstance" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true } } }],
        },
    });
    let definition: CustomResourceDefinition = serde_json::from_value(definition).unwrap();
    let client = &stage.world.client;
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    definitions
        .create(&PostParams::default(), &definition)
        .await
        .unwrap();
    let gvk = GroupVersionKind::gvk("fluxcd.controlplane.io", "v1", "FluxInstance");
    let kind = ApiResource::from_gvk(&gvk);
    let instances: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &kind);
    wait::eventually("a FluxInstance can be made", || async {
        let flux = DynamicObject::new("flux", &kind).data(json!({ "spec": {} }));
        let made = instances.create(&PostParams::default(), &flux).await;
        made.map(drop).map_err(|error| error.to_string())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_hosts_and_bad_keys_are_named() {
    let (ssh, other) = (SshServer::start().await, SshServer::start().await);
    let repository = ssh.create("fleet.git", "main");
    let first = repository.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    let first = first.unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    fs::write(&key, other.client_key()).unwrap();
    let key = format!("--private-key-file={} --silent", key.display());
    let scene = Scene {
        stage: BootstrapFixture::new().await,
        line: format!("--url={} {key}", ssh.url("fleet.git")),
        repository,
        first,
    };
    let told = [
        "✗ failed to clone repository: ",
        "hint: the credentials must allow",
    ];
    scene.refused("", &told).await;
    let nobody = format!("--url=ssh://git@127.0.0.1:1/fleet.git {key}");
    let nobody = scene.stage.bootstrap(&nobody).await;
    let told = [
        "✗ SSH key scan for host 127.0.0.1 failed: ",
        "hint: check host and port of the URL",
    ];
    scene.untouched(&nobody, &told).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_cluster_is_rejected_first() {
    let stub = Stub::start(|uri| {
        (uri.path() == "/version").then(|| {
            (200, json!({ "major": "1", "minor": "32", "gitVersion": "v1.32.9", "gitCommit": "", "gitTreeState": "",
                "buildDate": "", "goVersion": "", "compiler": "", "platform": "" }))
        })
    })
    .await;
    let line = "bootstrap git --url=https://127.0.0.1:1/fleet --token-auth --password=secret";
    let refused = stub.run(line).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    let told = "✗ Kubernetes version 1.32.9 does not match >=1.33.0-0\n  hint: nothing was changed";
    assert!(refused.stderr.contains(told), "{refused:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn installation_with_a_program_of_its_own_is_not_replaced() {
    let stage = BootstrapFixture::new().await;
    let git = guarded().await;
    let repository = git.create("fleet.git", "main");
    let kubeconfig = stage.world.bed.kubeconfig();
    sluice(&kubeconfig, &format!("install --flux-images {COMPONENTS}")).well();
    let controllers: Api<Deployment> = Api::namespaced(stage.world.client.clone(), NAMESPACE);
    let patch = async |patch: serde_json::Value| {
        let patch = Patch::Json::<()>(serde_json::from_value(patch).unwrap());
        let parameters = PatchParams::default();
        let patched = controllers.patch("source-controller", &parameters, &patch);
        patched.await.unwrap();
    };
    let command = "/spec/template/spec/containers/0/command";
    patch(json!([{ "op": "add", "path": command, "value": ["own"] }])).await;
    let line = format!(
        "--url={} --allow-insecure-http --token-auth --username=me --path=clusters/one",
        git.url("fleet.git")
    );
    let refused = stage.bootstrap(&line).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    for told in [
        "✗ Flux runs in this cluster, and does what ours does not do yet\n",
        "  source-controller: Deployment/flux-system/source-controller: its container has a command",
        "  hint: set --flux-images to keep Flux's controllers",
    ] {
        assert!(refused.stderr.contains(told), "{told}: {refused:#?}");
    }
    assert_eq!(head(&repository), None, "nothing was pushed");
    let kept = stage
        .bootstrap(&format!("{line} --flux-images --plan"))
        .await;
    assert!(kept.stdout.contains("commit and push"), "{kept:#?}");
    patch(json!([{ "op": "remove", "path": command }])).await;
    let planned = stage.bootstrap(&format!("{line} --plan")).await;
    assert!(planned.stdout.contains("commit and push"), "{planned:#?}");
}

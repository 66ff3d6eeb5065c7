//! Tests `bootstrap` with its own cluster and Git server, until the controllers have reconciled the
//! pushed commit. The controllers are processes, and a fake node makes their Deployments ready.
//!
//! This file tests `bootstrap git`. `hosts` tests fakes of GitHub and similar hosts, and `gitea` a
//! real one. `refusals` tests runs that stop at once, and `faults` interrupted runs. `reference`
//! tests runs that Flux started or continues. The other modules test one feature each: `agent`,
//! `code_commit`, `sparse`, `tenants` and `topology`.
//! This file is long because it has the stage that all of them share.

mod agent;
mod code_commit;
mod faults;
mod gate;
mod gitea;
mod hosts;
mod reference;
mod refusals;
mod sparse;
mod tenants;
mod topology;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Patch, PatchParams};
use kube::{Api, Resource};
use serde_json::{Value, json};
use sluice_git::serve::{Change, Repository};
use sluice_system::fs;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, Running, Sluice, SshServer};

use crate::binary::{CommandResult, sluice};
use crate::program;
use crate::world::{Kind, World, settled};

const NAMESPACE: &str = "flux-system";
const CANARY: &str = "canary-of-the-password";
const COMPONENTS: &str = "--components=source-controller,kustomize-controller";

/// Starts a Git server over HTTP that requires a password.
async fn guarded() -> GitBackend {
    GitBackend::start_with(HttpOptions {
        basic: Some(("me".to_owned(), CANARY.to_owned())),
        ..HttpOptions::default()
    })
    .await
}

/// A control plane whose controllers serve Flux's namespace.
struct BootstrapFixture {
    world: World,
    temporary: tempfile::TempDir,
}

impl BootstrapFixture {
    async fn new() -> Self {
        Self::of(World::system().await)
    }

    fn of(world: World) -> Self {
        Self {
            world,
            temporary: tempfile::tempdir().unwrap(),
        }
    }

    fn controllers(&self) -> Running {
        self.world.controllers(&self.world.kubeconfig).all()
    }

    /// Runs the command as a user, and asserts that no temporary file with a secret is left.
    async fn bootstrap_as(&self, kubeconfig: &Path, flags: &str) -> CommandResult {
        // With SSH, the password would be used as the passphrase of the key.
        let password = flags
            .contains("--token-auth")
            .then_some(("GIT_PASSWORD", CANARY));
        let line = format!("git --timeout=1m {flags}");
        self.run(kubeconfig, &line, password).await
    }

    /// Runs one of the commands with a secret in the environment.
    async fn run(
        &self,
        kubeconfig: &Path,
        line: &str,
        secret: Option<(&str, &str)>,
    ) -> CommandResult {
        let program = program::flux().to_owned();
        self.run_of(program, kubeconfig, line, secret).await
    }

    /// Like [`Self::run`], with any compatible binary.
    async fn run_of(
        &self,
        program: PathBuf,
        kubeconfig: &Path,
        line: &str,
        secret: Option<(&str, &str)>,
    ) -> CommandResult {
        let line = format!("bootstrap {line} {COMPONENTS}");
        let secret = secret.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (kubeconfig, temporary) = (kubeconfig.to_owned(), self.temporary.path().to_owned());
        let run = move || {
            #[expect(clippy::disallowed_methods, reason = "the binary is under test")]
            let output = Command::new(program)
                .args(line.split_whitespace())
                .env("KUBECONFIG", kubeconfig)
                .env("NO_COLOR", "1")
                .env("TMPDIR", temporary)
                .env_remove("SSH_AUTH_SOCK")
                .envs(secret)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            CommandResult {
                code: output.status.code().unwrap_or(-1),
                stdout: String::from_utf8(output.stdout).unwrap(),
                stderr: String::from_utf8(output.stderr).unwrap(),
            }
        };
        let ended = tokio::task::spawn_blocking(run).await.unwrap();
        assert!(!format!("{ended:?}").contains("canary-of"), "{ended:#?}");
        let left = fs::read_dir(self.temporary.path()).unwrap();
        assert!(left.is_empty(), "{left:?}");
        ended
    }

    async fn bootstrap(&self, flags: &str) -> CommandResult {
        let kubeconfig = self.world.bed.kubeconfig();
        self.bootstrap_as(&kubeconfig, flags).await
    }

    /// Starts the command over HTTP, and returns before it ends.
    fn begin(&self, flags: &str) -> Running {
        let kubeconfig = self.world.bed.kubeconfig();
        let program = Sluice::at(program::flux())
            .variable("KUBECONFIG", kubeconfig.display().to_string())
            .variable("TMPDIR", self.temporary.path().display().to_string())
            .variable("GIT_PASSWORD", CANARY);
        let line = format!("bootstrap git --timeout=2m {flags} {COMPONENTS}");
        program.start(&line.split_whitespace().collect::<Vec<_>>())
    }

    fn api<K>(&self) -> Api<K>
    where
        K: Resource<Scope = kube::core::NamespaceResourceScope>,
        K::DynamicType: Default,
    {
        Api::namespaced(self.world.client.clone(), &self.world.namespace)
    }

    /// Returns the resource versions of all objects that bootstrap writes. Any write would change
    /// them.
    async fn versions(&self) -> Vec<(String, Option<String>)> {
        let mut found = Vec::new();
        for name in ["source-controller", "kustomize-controller"] {
            let deployment = settled(&self.api(), name).await;
            found.push((name.to_owned(), deployment.metadata.resource_version));
        }
        let secret = self.api::<Secret>().get(NAMESPACE).await.unwrap();
        found.push(("Secret".to_owned(), secret.metadata.resource_version));
        for kind in [Kind::GitRepository, Kind::Kustomization] {
            let object = self.world.get(kind, &self.world.namespace).await.unwrap();
            let generation = object.metadata.generation.map(|number| number.to_string());
            found.push((format!("{kind:?}"), generation));
        }
        found
    }
}

/// Returns the progress lines. Each commit digest is replaced by its index.
fn lines(ended: &CommandResult, commits: &[&str], url: &str) -> Vec<String> {
    let lines = ended.stderr.lines().map(|line| {
        let mut line = line.replace(url, "URL");
        for (index, commit) in commits.iter().enumerate() {
            line = line.replace(commit, &format!("COMMIT{index}"));
        }
        line
    });
    lines.collect()
}

fn json(ended: &CommandResult) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:#?}"))
}

fn head(repository: &Repository) -> Option<String> {
    repository.head("main").unwrap().map(|id| id.to_string())
}

/// Sets the hook that decides which pushes the server accepts.
fn hook(repository: &Repository, script: Option<&str>) {
    let path = repository.path().join("hooks/pre-receive");
    let Some(script) = script else {
        fs::remove_file(&path).unwrap();
        return;
    };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Hook script: another user commits once during the check of our push.
const RIVAL: &str = "[ -e rival ] && exit 0; touch rival
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git update-ref refs/heads/main $(git commit-tree -m theirs -p main 'main^{tree}')";

/// The progress of a first run, as Flux prints it.
const LINES: [&str; 28] = [
    "► cloning branch \"main\" from Git repository \"URL\"",
    "✔ cloned repository",
    "► generating component manifests",
    "✔ generated component manifests",
    "✔ committed component manifests to \"main\" (\"COMMIT0\")",
    "► pushing component manifests to \"URL\"",
    "► installing components in \"flux-system\" namespace",
    "✔ installed components",
    "✔ reconciled components",
    "► determining if source secret \"flux-system/flux-system\" exists",
    "► generating source secret",
    "⚠️  the cluster stores the token itself: every reader of the Secret has its rights",
    "► applying source secret \"flux-system/flux-system\"",
    "✔ reconciled source secret",
    "► generating sync manifests",
    "✔ generated sync manifests",
    "✔ committed sync manifests to \"main\" (\"COMMIT1\")",
    "► pushing sync manifests to \"URL\"",
    "► applying sync manifests",
    "✔ reconciled sync configuration",
    "◎ waiting for GitRepository \"flux-system/flux-system\" to be reconciled",
    "✔ GitRepository reconciled successfully",
    "◎ waiting for Kustomization \"flux-system/flux-system\" to be reconciled",
    "✔ Kustomization reconciled successfully",
    "► confirming components are healthy",
    "✔ source-controller: deployment ready",
    "✔ kustomize-controller: deployment ready",
    "✔ all components are healthy",
];

#[tokio::test(flavor = "multi_thread")]
async fn http_commit_is_reconciled_and_second_run_is_idle() {
    let stage = BootstrapFixture::new().await;
    let git = guarded().await;
    let repository = git.create("fleet.git", "main");
    let url = git.url("fleet.git");
    let flags = format!("--url={url} --allow-insecure-http --token-auth --username=me");
    let here = format!("{flags} --path=clusters/one");

    plan_writes_nothing(&stage, &repository, &here).await;
    protected_branch_is_explained(&stage, &repository, &here).await;

    let controllers = stage.controllers();
    let done = stage
        .bootstrap(&format!("{here} --output=json"))
        .await
        .well();
    let result = json(&done);
    let commits: Vec<&str> = result["commits"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(commits.len(), 2, "{result}");
    assert_eq!(head(&repository).as_deref(), Some(commits[1]));
    assert_eq!(result["revision"], format!("main@sha1:{}", commits[1]));
    assert_eq!(lines(&done, &commits, &url), LINES);
    second_run_writes_nothing(&stage, &repository, &here, commits[1]).await;
    left_out_controller_is_named(&stage, &here, &repository).await;

    let elsewhere = stage
        .bootstrap(&format!("{flags} --path=clusters/two"))
        .await;
    assert_eq!(elsewhere.code, 1);
    let guard = "✗ sync path configuration (\"./clusters/two\") would overwrite path (\"./clusters/one\") of existing Kustomization\n";
    assert!(elsewhere.stderr.starts_with(guard), "{elsewhere:#?}");

    upgrade(&stage, &repository, &here).await;
    drop(controllers);
    wait_in_vain(&stage, &here).await;
    let objects = repository.path().join("objects");
    assert!(!holds(&objects, CANARY), "no secret is in a Git object");
}

/// Tests that a plan names the changes, and makes none.
async fn plan_writes_nothing(stage: &BootstrapFixture, repository: &Repository, here: &str) {
    let planner = (stage.world.bed).kubeconfig_in_group("planner", Some("system:masters"));
    let since = stage.world.mark().await;
    let planned = stage
        .bootstrap_as(&planner, &format!("{here} --plan"))
        .await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    stage.world.mark().await;
    let mut asked = stage.world.bed.audit().since(since);
    asked.retain(|entry| entry.user == "planner");
    assert!(!asked.is_empty(), "it looks at the cluster");
    // Access reviews use the verb create, but do not write.
    asked.retain(|entry| entry.is_write() && entry.resource != "selfsubjectaccessreviews");
    assert_eq!(asked, [], "a plan writes nothing");
    for said in [
        "branch main (new)\n",
        "  create clusters/one/flux-system/gotk-components.yaml\n",
        "  create clusters/one/flux-system/kustomization.yaml\n",
        "create Secret/flux-system/flux-system (username, password)\n",
    ] {
        assert!(planned.stdout.contains(said), "{said}: {}", planned.stdout);
    }
    assert_eq!(head(repository), None, "a plan pushes nothing");
    assert!(!has_namespace(stage).await, "a plan applies nothing");
}

/// Tests a push that the host refuses. The clone is private, and nothing is installed.
async fn protected_branch_is_explained(
    stage: &BootstrapFixture,
    repository: &Repository,
    here: &str,
) {
    let clones = format!("$(stat -c %a {}/*)", stage.temporary.path().display());
    let protected = format!("echo \"GH006: protected branch, clones {clones}\" >&2; exit 1");
    hook(repository, Some(&protected));
    let refused = stage.bootstrap(here).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(
        refused
            .stderr
            .contains("failed to push component manifests"),
        "{refused:#?}"
    );
    assert!(
        refused
            .stderr
            .contains("GH006: protected branch, clones 700"),
        "a clone is nobody else's: {refused:#?}"
    );
    assert!(
        refused.stderr.contains("hint: if the branch is protected"),
        "{refused:#?}"
    );
    assert!(
        !has_namespace(stage).await,
        "what is not committed is not installed"
    );
    hook(repository, None);
}

/// Tests that a second run finds all in place.
async fn second_run_writes_nothing(
    stage: &BootstrapFixture,
    repository: &Repository,
    here: &str,
    commit: &str,
) {
    let before = stage.versions().await;
    let again = stage
        .bootstrap(&format!("{here} --output=json"))
        .await
        .well();
    assert_eq!(json(&again)["commits"], json!([]));
    assert_eq!(head(repository).as_deref(), Some(commit));
    assert_eq!(stage.versions().await, before, "nothing is written anew");
    for said in [
        "✔ component manifests are up to date",
        "✔ source secret up to date",
        "✔ sync manifests are up to date",
        "✔ all components are healthy",
    ] {
        assert!(again.stderr.contains(said), "{said}: {}", again.stderr);
    }
    let planned = stage.bootstrap(&format!("{here} --plan")).await.well();
    assert!(planned.stdout.ends_with("nothing to do\n"), "{planned:#?}");
    assert_eq!(planned.stderr.matches('⚠').count(), 0, "{planned:#?}");
}

async fn has_namespace(stage: &BootstrapFixture) -> bool {
    let namespaces = Api::<Namespace>::all(stage.world.client.clone());
    namespaces.get_opt(NAMESPACE).await.unwrap().is_some()
}

/// Tests other flags and a concurrent commit: only the components change, and a user's patch stays.
async fn upgrade(stage: &BootstrapFixture, repository: &Repository, here: &str) {
    let patched = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n\
        - gotk-components.yaml\n- gotk-sync.yaml\nlabels:\n- pairs:\n    owner: us\n";
    let path = "clusters/one/flux-system/kustomization.yaml";
    let commit = repository.commit("main", "Patch", &[Change::write(path, patched)]);
    commit.unwrap();
    hook(repository, Some(RIVAL));
    let definitions = Api::<CustomResourceDefinition>::all(stage.world.client.clone());
    store_older(&definitions).await;
    let planned = stage
        .bootstrap(&format!("{here} --log-level=debug --plan"))
        .await;
    let said = format!("\nmigrate the objects of {BUCKETS}\n");
    assert!(planned.stdout.contains(&said), "{planned:#?}");
    let upgraded = stage
        .bootstrap(&format!("{here} --log-level=debug --output=json"))
        .await
        .well();
    let conflict = "◎ git conflict detected, retrying with a fresh clone\n";
    assert_eq!(
        upgraded.stderr.matches(conflict).count(),
        1,
        "{upgraded:#?}"
    );
    assert_eq!(json(&upgraded)["commits"].as_array().unwrap().len(), 1);
    let status = definitions.get(BUCKETS).await.unwrap().status.unwrap();
    assert_eq!(status.stored_versions.unwrap(), ["v1"]);
    let deployment = stage
        .api::<Deployment>()
        .get("source-controller")
        .await
        .unwrap();
    assert_eq!(deployment.metadata.labels.unwrap()["owner"], "us");
    let text = format!("{:?}", deployment.spec);
    assert!(text.contains("--log-level=debug"), "{text}");

    let suspend = json!({ "spec": { "suspend": true } });
    stage
        .world
        .merge(Kind::Kustomization, NAMESPACE, suspend)
        .await;
    let suspended = stage.bootstrap(here).await;
    assert_eq!(suspended.code, 1);
    assert_eq!(
        suspended.stderr,
        "✗ Kustomization 'flux-system/flux-system' is suspended\n  \
         hint: resume kustomization flux-system -n flux-system\n"
    );
}

/// A controller that only the repository has would be deleted from the cluster.
async fn left_out_controller_is_named(
    stage: &BootstrapFixture,
    here: &str,
    repository: &Repository,
) {
    let line = format!("install --export {COMPONENTS} --components-extra=helm-controller");
    let kubeconfig = stage.world.bed.kubeconfig();
    let exporting = tokio::task::spawn_blocking(move || sluice(&kubeconfig, &line));
    let more = exporting.await.unwrap().well().stdout;
    let path = "clusters/one/flux-system/gotk-components.yaml";
    let commit = repository.commit("more", "More", &[Change::write(path, more)]);
    commit.unwrap();
    let plan = format!("{here} --branch=more --plan");
    let planned = stage.bootstrap(&plan).await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    for said in [
        "⚠️  the new manifests leave out helm-controller: each is deleted with its CRDs\n",
        "⚠️  add --components-extra=helm-controller to keep what they leave out\n",
    ] {
        assert!(planned.stderr.contains(said), "{said}: {planned:#?}");
    }
    let plan = format!("{plan} --components-extra=helm-controller");
    let kept = stage.bootstrap(&plan).await;
    assert!(!kept.stderr.contains("leave out"), "{kept:#?}");
}

/// Without controllers, the push is not reconciled. Each timeout names its object and the missing
/// controllers.
async fn wait_in_vain(stage: &BootstrapFixture, here: &str) {
    let resume = json!({ "spec": { "suspend": false } });
    stage
        .world
        .merge(Kind::Kustomization, NAMESPACE, resume)
        .await;
    let ended = stage.bootstrap(&format!("{here} --timeout=15s")).await;
    assert_eq!(ended.code, 1, "{ended:#?}");
    let unseen = "; its controller has not handled the last request yet\n";
    let late =
        |kind: &str| format!("✗ error while waiting for {kind} to be ready: 'not at main@sha1:");
    let mut rest = ended.stderr.as_str();
    for part in [
        late("GitRepository").as_str(),
        " in time'\n  Ready is True (Succeeded): stored artifact for revision 'main@sha1:",
        unseen,
        late("Kustomization").as_str(),
        " in time'\n  Ready is ",
        "  needs GitRepository/flux-system/flux-system: Ready is True (Succeeded): stored artifact",
        unseen,
        "✔ source-controller: deployment ready\n✔ kustomize-controller: deployment ready\n",
        "✗ bootstrap failed with 2 health check failure(s): [",
    ] {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part:?} in {ended:#?}"));
        rest = after;
    }
}

const BUCKETS: &str = "buckets.source.toolkit.fluxcd.io";

/// Adds an older version to a CRD's stored versions.
async fn store_older(definitions: &Api<CustomResourceDefinition>) {
    let live = definitions.get(BUCKETS).await.unwrap();
    let mut versions = live.spec.versions;
    let mut older = versions[0].clone();
    (older.name, older.storage) = ("v1beta2".to_owned(), false);
    versions.push(older);
    let (params, spec) = (
        PatchParams::default(),
        json!({ "spec": { "versions": versions } }),
    );
    definitions
        .patch(BUCKETS, &params, &Patch::Merge(spec))
        .await
        .unwrap();
    let status = json!({ "status": { "storedVersions": ["v1beta2", "v1"] } });
    #[expect(
        clippy::disallowed_methods,
        reason = "the test acts as the older release"
    )]
    definitions
        .patch_status(BUCKETS, &params, &Patch::Merge(status))
        .await
        .unwrap();
}

/// Whether any file below a folder contains these bytes.
fn holds(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().iter().any(|entry| {
        if entry.file_type.is_dir() {
            return holds(&entry.path, text);
        }
        let bytes = fs::read(&entry.path).unwrap();
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn ssh_host_is_pinned_and_other_cluster_untouched() {
    let stage = BootstrapFixture::new().await;
    let ssh = SshServer::start().await;
    let repository = ssh.create("fleet.git", "main");
    let first = repository.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    let first = first.unwrap().to_string();
    let keys = tempfile::tempdir().unwrap();
    let key = keys.path().join("key");
    fs::write(&key, ssh.client_key()).unwrap();
    let flags = format!(
        "--url={} --private-key-file={} --silent",
        ssh.url("fleet.git"),
        key.display()
    );

    let stranger = stage.world.bed.kubeconfig_in_group("stranger", None);
    let refused = stage
        .bootstrap_as(&stranger, &format!("{flags} --force"))
        .await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert_eq!(head(&repository), Some(first.clone()), "nothing was pushed");

    let definitions = Api::<CustomResourceDefinition>::all(stage.world.client.clone());
    let manager = async |name: Value| {
        let label = json!({ "metadata": { "labels": { "app.kubernetes.io/managed-by": name } } });
        let name = "gitrepositories.source.toolkit.fluxcd.io";
        definitions
            .patch(name, &PatchParams::default(), &Patch::Merge(label))
            .await
            .unwrap();
    };
    manager(json!("Helm")).await;
    let cancelled = stage.bootstrap(&flags).await;
    assert_eq!(cancelled.code, 1);
    assert!(
        cancelled.stderr.ends_with(
            "has been installed on this cluster with Helm!\n✗ bootstrap cancelled\n  \
             hint: set --force to override the other installation\n"
        ),
        "{cancelled:#?}"
    );
    assert_eq!(head(&repository), Some(first.clone()));
    manager(Value::Null).await;

    let _controllers = stage.controllers();
    let done = stage
        .bootstrap(&format!("{flags} --output=json"))
        .await
        .well();
    let result = json(&done);
    let public = ssh.client_public_key();
    let public = public.split(' ').take(2).collect::<Vec<_>>().join(" ");
    assert_eq!(result["publicKey"], public);
    assert!(
        done.stderr.contains(&format!("✔ public key: {public}\n")),
        "{done:#?}"
    );
    let secret = stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let entries: Vec<String> = secret.data.unwrap().into_keys().collect();
    assert_eq!(entries, ["identity", "identity.pub", "known_hosts"]);

    let before = stage.versions().await;
    let again = stage
        .bootstrap(&format!("{flags} --output=json"))
        .await
        .well();
    assert_eq!(json(&again)["commits"], json!([]));
    assert_eq!(stage.versions().await, before, "nothing is written anew");

    // Another port makes it another host, whose key the cluster does not know.
    let moved = SshServer::start().await;
    moved.authorize(&ssh.client_public_key());
    moved.create("fleet.git", "main");
    let there = flags.replace(&ssh.url("fleet.git"), &moved.url("fleet.git"));
    stage.bootstrap(&there).await.well();
    let secret = stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let known = secret.data.unwrap().remove("known_hosts").unwrap();
    let both = ssh.known_hosts() + &moved.known_hosts();
    assert_eq!(String::from_utf8(known.0).unwrap(), both.trim_end());
    let before = stage.versions().await;
    stage.bootstrap(&there).await.well();
    assert_eq!(stage.versions().await, before, "nothing is written anew");

    let other = SshServer::start()
        .await
        .known_hosts_as(&format!("[127.0.0.1]:{}", ssh.port()));
    let patch = json!({ "stringData": { "known_hosts": other } });
    let secrets = stage.api::<Secret>();
    secrets
        .patch(NAMESPACE, &PatchParams::default(), &Patch::Merge(patch))
        .await
        .unwrap();
    let refused = stage.bootstrap(&flags).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(
        refused
            .stderr
            .contains("failed to clone repository: host key of"),
        "{refused:#?}"
    );
    assert!(
        refused.stderr.contains("got ssh-ed25519 SHA256:"),
        "{refused:#?}"
    );
}

#[test]
fn files_are_exported_without_a_cluster_or_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "bootstrap git {COMPONENTS} --url=https://git.example/fleet --path=clusters/one --export-dir={}",
        folder.path().display()
    );
    let export = || {
        crate::binary::sluice("/nowhere".as_ref(), &line)
            .well()
            .stdout
    };
    let printed = export();
    let names: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.rsplit('/').next())
        .collect();
    assert_eq!(
        names,
        [
            "gotk-components.yaml",
            "gotk-sync.yaml",
            "kustomization.yaml"
        ]
    );
    let nothing = tempfile::tempdir().unwrap();
    let line = format!(
        "bootstrap git --url=https://{CANARY}@git.example/fleet --export-dir={}",
        nothing.path().display()
    );
    let refused = crate::binary::sluice("/nowhere".as_ref(), &line);
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(!format!("{refused:?}").contains(CANARY), "{refused:#?}");
    assert!(fs::read_dir(nothing.path()).unwrap().is_empty());

    let root = folder.path().join("clusters/one/flux-system");
    let sync = fs::read_to_string(root.join("gotk-sync.yaml")).unwrap();
    assert!(
        sync.contains("  url: ssh://git@git.example/fleet\n"),
        "{sync}"
    );
    let file = root.join("kustomization.yaml");
    let mine = fs::read_to_string(&file).unwrap() + "# mine\n";
    fs::write(&file, &mine).unwrap();
    assert_eq!(export().lines().count(), 2);
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        mine,
        "a file of the user's stays"
    );
}

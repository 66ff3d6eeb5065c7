//! Kills a fetch, a pack and a store at any step. Class D14 of the specification.

use std::path::Path;

use serde_json::json;
use sluice_api::Artifact;
use sluice_dial::Dial;
use sluice_git::serve::Change;
use sluice_git::{Access, Client, Limits, Remote, Stores};
use sluice_testkit::TracedProgram;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use tokio::runtime::Handle;

use super::super::perform;
use super::super::spec::Spec;
use super::{now, object};
use crate::killed::{self, ROOT, URL, each_change, environment_variable, next_run};
use crate::reconcile::SourceSpec as _;

/// Environment variable with the sparse directories of a traced run. Empty means all.
const SPARSE: &str = "DIRECTORIES_OF_A_KILLED_RUN";

/// Fetches and stores the remote's revision like a freshly started process.
async fn update(root: &Path, url: &str, sparse: &[&str], ready: impl FnOnce()) -> Artifact {
    let object = object(
        &json!({ "url": url, "ref": { "branch": "main" }, "sparseCheckout": sparse }),
        &json!(null),
    );
    let spec = Spec::parse(&object).unwrap();
    let git = Client::new(killed::clients());
    let remote = Remote {
        address: spec.address.clone(),
        access: Access::Anonymous,
        identity: None,
        dial: Dial::default(),
        timeout: spec.timeout,
    };
    ready();
    let (source_storage, _claim) =
        killed::source_storage::<sluice_api::source::GitRepository>(root);
    let private = source_storage.storage().private("git").unwrap();
    let stores = Stores::new(private, u64::MAX, Limits::default());
    stores.remove_unfinished_files().await.unwrap();
    let resolved = git.resolve(&remote, &spec.reference).await.unwrap();
    let checkout = perform::fetch(&git, &stores, &spec, &remote, resolved)
        .await
        .unwrap();
    let done = perform::pack(
        &source_storage,
        &object,
        &spec,
        &checkout,
        Vec::new(),
        now(),
    )
    .await
    .unwrap();
    next_run(&source_storage, &done.artifact).await;
    done.artifact
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run, and killed, by the test below"]
async fn traced_run() {
    let (root, url) = (environment_variable(ROOT), environment_variable(URL));
    let sparse = environment_variable(SPARSE);
    let sparse: Vec<&str> = sparse.split_terminator(',').collect();
    update(
        Path::new(&root),
        &url,
        &sparse,
        sluice_testkit::traced_program::ready,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_store_survives_kill_at_any_file_change() {
    let directory = tempfile::tempdir().unwrap();
    let git = GitServer::start(GitOptions::new(directory.path()))
        .await
        .unwrap();
    let repository = git.create("app", "main").unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let mut noise = |size: usize| -> Vec<u8> { (0..size).map(|_| random.u8(..)).collect() };
    let mut commit = |message: &str, size: usize| {
        let changes = [
            Change::write("a.yaml", message),
            Change::write("deploy/noise", noise(size)),
        ];
        repository.commit("main", message, &changes).unwrap();
    };
    commit("One", 300_000);
    let url = git.url("app");
    let (nothing, base) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let part = tempfile::tempdir().unwrap();
    let (all, deploy): (&[&str], &[&str]) = (&[], &["deploy"]);
    let old = update(base.path(), &url, all, || ()).await;
    let old_part = update(part.path(), &url, deploy, || ()).await;
    commit("Two", 400_000);
    let name = "git_repository::tests::killed::traced_run";
    tokio::task::block_in_place(|| {
        let bases = [
            (&base, all, Some(&old)),
            (&nothing, all, None),
            (&part, deploy, Some(&old_part)),
        ];
        for (base, sparse, old) in bases {
            each_change(
                base.path(),
                |root| {
                    TracedProgram::test(name, root)
                        .env(ROOT, root.to_str().unwrap())
                        .env(URL, &url)
                        .env(SPARSE, sparse.join(","))
                },
                old,
                |root| Handle::current().block_on(update(root, &url, sparse, || ())),
            );
        }
    });
}

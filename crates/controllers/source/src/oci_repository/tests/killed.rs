//! Kills a pull and a store at any step. Class D14 of the specification.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use sluice_api::Artifact;
use sluice_api::source::OciRepository;
use sluice_oci::{Client, Deadline, Remote};
use sluice_testkit::TracedProgram;
use sluice_testkit::archive::tarball;
use sluice_testkit::hostile::HostileRegistry;
use tokio::runtime::Handle;

use super::super::model::ResolvedReference;
use super::super::perform;
use super::super::spec::{Spec, WantedVersion};
use super::object;
use crate::killed::{self, ROOT, URL, each_change, environment_variable, next_run};
use crate::reconcile::SourceSpec as _;

/// Pulls and stores the registry's revision like a freshly started process.
async fn update(root: &Path, url: &str, ready: impl FnOnce()) -> Artifact {
    let object = object(&json!({ "url": url }), &json!(null));
    let spec = Spec::parse(&object).unwrap();
    let registry = Client::new(killed::clients());
    let remote = Remote::anonymous(spec.repository.clone());
    ready();
    let (source_storage, _claim) = killed::source_storage::<OciRepository>(root);
    let WantedVersion::Exactly(version) = &spec.wanted else {
        panic!("a tag is wanted");
    };
    let digest = registry.resolve(&remote, version).await.unwrap();
    let reference = spec.repository.tag("latest").unwrap();
    let resolved = ResolvedReference { reference, digest };
    let deadline = Deadline::after(Duration::from_mins(1), "the registry");
    let layer = perform::pull(&registry, &object, &spec, &remote, &resolved, &deadline)
        .await
        .unwrap();
    let done = perform::store(&source_storage, &object, &spec, &resolved, layer)
        .await
        .unwrap();
    next_run(&source_storage, &done.artifact).await;
    done.artifact
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run, and killed, by the test below"]
async fn traced_run() {
    let (root, url) = (environment_variable(ROOT), environment_variable(URL));
    update(
        Path::new(&root),
        &url,
        sluice_testkit::traced_program::ready,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn layer_store_survives_kill_at_any_file_change() {
    let registry = HostileRegistry::honest().await;
    let mut random = fastrand::Rng::with_seed(7);
    let mut push = |size: usize| {
        let noise: String = (0..size).map(|_| random.alphanumeric()).collect();
        let layer = tarball(&[("a.yaml", "a"), ("deploy/noise", &noise)]);
        let kind = "application/vnd.cncf.flux.content.v1.tar+gzip";
        registry.content().image("latest", kind, layer);
    };
    push(300_000);
    let url = registry.url("app");
    let (nothing, base) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let old = update(base.path(), &url, || ()).await;
    push(400_000);
    let name = "oci_repository::tests::killed::traced_run";
    tokio::task::block_in_place(|| {
        for (base, old) in [(&base, Some(&old)), (&nothing, None)] {
            each_change(
                base.path(),
                |root| {
                    TracedProgram::test(name, root)
                        .env(ROOT, root.to_str().unwrap())
                        .env(URL, &url)
                },
                old,
                |root| Handle::current().block_on(update(root, &url, || ())),
            );
        }
    });
}

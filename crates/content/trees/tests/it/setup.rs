//! Test helpers: a Git server, a folder to build, and both engines.

use std::path::Path;
use std::time::Duration;

use sluice_git::serve::{Change, Repository};
use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::{Error, Options, ResMap};
use sluice_testkit::GitBackend;
use sluice_testkit::kustomize::{Flags, Kustomize, Outcome, compare, first_difference};
use sluice_trees::{FetchSettings, RemoteFetcher};

/// Settings with access to repositories of this machine, and without SSH.
pub(crate) fn settings() -> FetchSettings {
    FetchSettings {
        user_agent: "sluice/test".to_owned(),
        ssh: None,
        allow_local: true,
        max_timeout: Duration::from_mins(1),
    }
}

/// Options of the command with a fetcher.
pub(crate) fn options(settings: FetchSettings) -> Options {
    rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .ok();
    let remotes = RemoteFetcher::on(tokio::runtime::Handle::current(), settings);
    Options {
        fetcher: Some(remotes.for_build()),
        ..Options::cli()
    }
}

/// Builds a folder on a blocking thread.
pub(crate) async fn build(directory: &Path, options: Options) -> Result<ResMap, Error> {
    let directory = directory.to_owned();
    tokio::task::spawn_blocking(move || sluice_kustomize::build(&DiskFs, &directory, &options))
        .await
        .unwrap()
}

/// Creates a folder with a kustomization file and other files.
pub(crate) fn folder(kustomization: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = ("kustomization.yaml", kustomization);
    for (name, text) in files.iter().chain([&file]) {
        sluice_system::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

pub(crate) fn map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

/// Builds a folder with both engines.
pub(crate) async fn build_with_both(directory: &Path) -> Option<(Outcome, Outcome)> {
    let kustomize = Kustomize::find()?;
    let ours = build(directory, options(settings())).await;
    let ours = ours
        .map(|built| built.to_yaml())
        .map_err(|error| error.to_string());
    let directory = directory.to_owned();
    let theirs = tokio::task::spawn_blocking(move || {
        kustomize.build_on_loopback(&directory, Flags::default())
    });
    Some((theirs.await.unwrap(), ours))
}

/// Checks that both engines return the same bytes or the same class of error.
pub(crate) async fn assert_engines_agree(directory: &Path, about: &str) {
    if let Some((theirs, ours)) = build_with_both(directory).await {
        let same = compare(&theirs, &ours).is_agreement();
        assert!(same, "{about}:\n{}", first_difference(&theirs, &ours));
    }
}

/// Starts a server with the repository `team/app.git`: two commits, tags and links.
pub(crate) async fn served() -> (GitBackend, Repository) {
    let server = GitBackend::start().await;
    let repository = server.create("team/app.git", "main");
    let base = |prefix: &str| format!("resources: [x.yaml]\nnamePrefix: {prefix}-\n");
    let link = |path: &str, target: &str| Change::Link {
        path: path.into(),
        target: target.into(),
    };
    let first = [
        Change::write(
            "kustomization.yaml",
            "resources: [cm.yaml]\nconfigMapGenerator:\n- name: g\n  literals: [a=b]\n",
        ),
        Change::write("cm.yaml", map("root")),
        Change::write("base/kustomization.yaml", base("one")),
        Change::write("base/x.yaml", map("x")),
        Change::write(
            "component/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n",
        ),
        Change::write("out/kustomization.yaml", "resources: [../../other]\n"),
        Change::write("above/kustomization.yaml", "resources: [../cm.yaml]\n"),
        Change::write("beside/kustomization.yaml", "resources: [../base]\n"),
        Change::write("absolute/kustomization.yaml", "resources: [/etc/passwd]\n"),
        Change::write("linked/kustomization.yaml", "resources: [x.yaml]\n"),
        Change::write("stolen/kustomization.yaml", "resources: [x.yaml]\n"),
        link("linked/x.yaml", "y.yaml"),
        Change::write("linked/y.yaml", map("y")),
        link("stolen/x.yaml", "/etc/passwd"),
        link("inner", "base"),
        link("outer", "../../../../../etc"),
        link("loop", "loop"),
    ];
    let commit = repository.commit("main", "First", &first).unwrap();
    repository.tag("v1", commit, None).unwrap();
    repository.tag("v1-annotated", commit, Some("v1")).unwrap();
    let second = [Change::write("base/kustomization.yaml", base("two"))];
    repository.commit("main", "Second", &second).unwrap();
    let third = [Change::write("base/kustomization.yaml", base("dev"))];
    // A branch, and another with the name of a tag.
    repository.commit("feature/x", "Other", &first).unwrap();
    repository.commit("feature/x", "Third", &third).unwrap();
    repository.commit("v1", "Shadowed", &first).unwrap();
    repository.commit("v1", "Shadowed", &third).unwrap();
    (server, repository)
}

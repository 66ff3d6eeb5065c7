//! Builds with bases in repositories.

use sluice_git::serve::Change;
use sluice_kustomize::remote::Repository;
use sluice_kustomize::{Code, build_repository};
use sluice_testkit::{GitBackend, SshServer};
use sluice_trees::FetchSettings;

use crate::setup::{assert_engines_agree, build, folder, map, options, served, settings};

#[tokio::test(flavor = "multi_thread")]
async fn remote_bases_build_as_in_kustomize() {
    let (server, repository) = served().await;
    let url = server.url("team/app.git");
    let commit = repository.head("feature/x").unwrap().unwrap().to_string();
    let local = format!("file://{}", repository.path().display());
    let annotate = "buildMetadata: [originAnnotations, transformerAnnotations]\n";
    for kustomization in [
        format!("resources: ['{url}']\n"),
        format!("resources: ['{url}?ref=v1']\n"),
        format!("resources: ['{url}/base']\nnameSuffix: -s\n"),
        format!("resources: ['{url}//base?ref=v1']\n"),
        format!("resources: ['{url}//base?ref=v1-annotated']\n"),
        format!("resources: ['{url}//base?ref=refs/heads/v1']\n"),
        format!("resources: ['{url}//base?ref=feature/x']\n"),
        format!("resources: ['{url}//base?ref=feature%2Fx']\n"),
        format!("resources: ['{url}//base?ref=heads/main']\n"),
        format!("resources: ['{url}//base?ref={commit}']\n"),
        format!("resources: ['{url}//base?version=v1']\n"),
        format!("resources: ['{url}//base?version=v1&ref=main&timeout=20s']\n"),
        format!("resources: ['git::{url}//base']\n"),
        format!("resources: ['{url}//beside', '{url}//linked']\n"),
        format!("resources: ['{url}//inner']\n"),
        format!("resources: ['{url}//base']\ncomponents: ['{url}//component']\n"),
        format!("{annotate}resources: ['{url}?ref=v1']\nnamePrefix: p-\n"),
        format!("{annotate}resources: ['{url}//beside?ref=v1']\n"),
        format!("resources: ['{local}']\n"),
        format!("resources: ['{local}//base?ref=v1']\n"),
        format!("{annotate}resources: ['{local}//base?ref=v1']\n"),
    ] {
        let folder = folder(&kustomization, &[]);
        assert_engines_agree(folder.path(), &kustomization).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_remote_bases_fail_as_in_kustomize() {
    let (server, repository) = served().await;
    let url = server.url("team/app.git");
    let nowhere = server.url("team/none.git");
    let local = format!("file://{}", repository.path().display());
    for kustomization in [
        format!("resources: ['{url}//base?ref=none']\n"),
        format!("resources: ['{url}//base?ref=0123']\n"),
        format!("resources: ['{url}//none']\n"),
        format!("resources: ['{url}//cm.yaml']\n"),
        format!("resources: ['{url}//above']\n"),
        format!("resources: ['{url}//outer']\n"),
        format!("resources: ['{url}//component']\n"),
        format!("components: ['{url}//base']\n"),
        format!("resources: ['{nowhere}']\n"),
        format!("resources: ['{local}-none']\n"),
        "resources: ['http://127.0.0.1:1/a/b']\n".to_owned(),
    ] {
        let folder = folder(&kustomization, &[]);
        assert_engines_agree(folder.path(), &kustomization).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_out_of_a_repository_are_rejected() {
    let (server, _repository) = served().await;
    let url = server.url("team/app.git");
    for (path, code, text) in [
        ("out", Code::SecurityViolation, "must be within the repo"),
        ("absolute", Code::SecurityViolation, "not in or below"),
        ("stolen", Code::SecurityViolation, "not in or below"),
        ("outer", Code::SecurityViolation, "outside of repo"),
        ("above", Code::LoadRestricted, "is not in or below"),
        ("loop", Code::Io, "too many levels of symbolic links"),
    ] {
        let folder = folder(&format!("resources: ['{url}//{path}']\n"), &[]);
        let error = build(folder.path(), options(settings())).await.unwrap_err();
        assert_eq!(error.code(), code, "{path}: {error}");
        assert!(error.to_string().contains(text), "{path}: {error}");
        assert!(!error.to_string().contains("root:x:"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repository_that_refers_to_itself_is_a_cycle() {
    let server = GitBackend::start().await;
    let repository = server.create("team/app.git", "main");
    let url = server.url("team/app.git");
    let itself = format!("resources: ['{url}']\n");
    let itself = [Change::write("kustomization.yaml", itself)];
    repository.commit("main", "Itself", &itself).unwrap();
    let folder = folder(&format!("resources: ['{url}']\n"), &[]);
    let error = build(folder.path(), options(settings())).await.unwrap_err();
    assert_eq!(error.code(), Code::Cycle, "{error}");
    assert_engines_agree(folder.path(), "cycle").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repository_can_be_the_build_target() {
    let (server, _repository) = served().await;
    let url = format!("{}//base?ref=v1", server.url("team/app.git"));
    let repository = Repository::parse(&url).unwrap();
    let options = options(settings());
    let built = tokio::task::spawn_blocking(move || build_repository(repository, &options));
    let built = built.await.unwrap().unwrap();
    assert_eq!(built.resources()[0].name(), "one-x");
}

#[tokio::test(flavor = "multi_thread")]
async fn submodules_are_fetched_unless_disabled() {
    let server = GitBackend::start().await;
    let library = server.create("team/library.git", "main");
    let files = [
        Change::write("kustomization.yaml", "resources: [x.yaml]\n"),
        Change::write("x.yaml", map("library")),
    ];
    let commit = library.commit("main", "First", &files).unwrap();
    let app = server.create("team/app.git", "main");
    let declared = "[submodule \"library\"]\n\tpath = vendor/library\n\turl = ../library.git\n";
    let files = [
        Change::write("kustomization.yaml", "resources: [vendor/library]\n"),
        Change::write(".gitmodules", declared),
        Change::Submodule {
            path: "vendor/library".into(),
            commit,
        },
    ];
    app.commit("main", "First", &files).unwrap();
    let url = server.url("team/app.git");
    for query in ["", "?submodules=true", "?submodules=0"] {
        let kustomization = format!("resources: ['{url}{query}']\n");
        let folder = folder(&kustomization, &[]);
        assert_engines_agree(folder.path(), &kustomization).await;
        let built = build(folder.path(), options(settings())).await;
        match query {
            "?submodules=0" => {
                assert_eq!(built.unwrap_err().code(), Code::KustomizationMissing);
            }
            _ => assert_eq!(built.unwrap().resources()[0].name(), "library"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bases_of_one_repository_need_one_fetch() {
    let (server, _repository) = served().await;
    let url = server.url("team/app.git");
    let requests = async |kustomization: String| {
        let folder = folder(&kustomization, &[]);
        let before = server.requests();
        build(folder.path(), options(settings())).await.unwrap();
        server.requests() - before
    };
    let one = requests(format!("resources: ['{url}//base?ref=v1']\n")).await;
    let two = requests(format!(
        "resources: ['{url}//base?ref=v1', '{url}//beside/../linked?ref=v1']\n"
    ))
    .await;
    // Like kustomize, the second is tried as a file first.
    assert_eq!(two, one + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn ssh_urls_need_a_key() {
    let server = SshServer::start().await;
    let repository = server.create("app.git", "main");
    let files = [
        Change::write("base/kustomization.yaml", "resources: [x.yaml]\n"),
        Change::write("base/x.yaml", map("x")),
    ];
    repository.commit("main", "First", &files).unwrap();
    let url = server.url("app.git");
    let folder = folder(&format!("resources: ['{url}//base']\n"), &[]);
    let identity = sluice_dial::SshIdentity {
        private_key: server.client_key().into(),
        passphrase: None,
        known_hosts: server.known_hosts(),
    };
    let with_key = FetchSettings {
        ssh: Some(std::sync::Arc::new(move || Ok(identity.clone()))),
        ..settings()
    };
    let built = build(folder.path(), options(with_key)).await.unwrap();
    assert_eq!(built.resources()[0].name(), "x");
    let error = build(folder.path(), options(settings())).await.unwrap_err();
    assert_eq!(error.code(), Code::RemoteDenied, "{error}");
    assert!(error.to_string().contains("no SSH key"), "{error}");
}

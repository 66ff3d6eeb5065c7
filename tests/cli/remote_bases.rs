//! Tests kustomizations with remote bases through the binary.

use sluice_git::serve::{Change, Repository};
use sluice_testkit::Sluice;

use crate::program;

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n";

#[tokio::test]
async fn remote_base_is_built_without_leftovers() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name).display().to_string();
    let repository = Repository::init_bare(path("bases.git"), "main").unwrap();
    let files = [
        Change::write("base/kustomization.yaml", "resources: [m.yaml]\n"),
        Change::write("base/m.yaml", MAP),
    ];
    repository.commit("main", "First", &files).unwrap();
    let base = format!("file://{}//base?ref=main", path("bases.git"));
    std::fs::create_dir(path("app")).unwrap();
    let file = format!("namePrefix: p-\nresources: ['{base}']\n");
    std::fs::write(path("app/kustomization.yaml"), file).unwrap();
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: app, namespace: flux-system}\nspec: {interval: 1m}\n";
    std::fs::write(path("ks.yaml"), object).unwrap();

    let sluice = Sluice::at(program::flux());
    let (code, printed) = sluice.run(&["build", "overlay", &path("app")]).await;
    assert_eq!(
        (code, printed.as_str()),
        (Some(0), &*MAP.replace("name: m", "name: p-m"))
    );
    let (code, printed) = sluice.run(&["build", "overlay", &base]).await;
    assert_eq!((code, printed.as_str()), (Some(0), MAP));
    let (app, object) = (path("app"), path("ks.yaml"));
    let arguments = ["build", "kustomization", "app", "--path", &app];
    let arguments = [
        &arguments[..],
        &["--kustomization-file", &object, "--dry-run"],
    ]
    .concat();
    let (code, printed) = sluice.run(&arguments).await;
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("name: p-m\n"), "{printed}");
    let left: Vec<_> = std::fs::read_dir(path("app")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

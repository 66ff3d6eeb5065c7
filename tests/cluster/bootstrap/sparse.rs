//! Tests `--sparse-checkout` on a server with partial clones. Files outside the checkout are not
//! cloned. The server has lost such a file, so a request for it would fail.

use sluice_git::serve::Change;
use sluice_system::fs;

use super::{BootstrapFixture, guarded, head, json};

#[tokio::test(flavor = "multi_thread")]
async fn sparse_checkout_skips_excluded_blobs() {
    let stage = BootstrapFixture::new().await;
    let git = guarded().await;
    let repository = git.create("fleet.git", "main");
    let config = repository.path().join("config");
    let text = fs::read_to_string(&config).unwrap() + "[uploadpack]\n\tallowFilter = true\n";
    fs::write(&config, text).unwrap();
    let file = |path, text: &str| Change::write(path, text);
    let alert = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: there\n  namespace: default\n";
    let changes = [
        file("elsewhere/large.txt", "lost\n"),
        file("clusters/one/apps/there.yaml", alert),
    ];
    repository.commit("main", "First", &changes).unwrap();
    // Git computes the object id of `lost` with its newline.
    let lost = repository
        .path()
        .join("objects/a5/0bcb6003fee24cd0dcb7d7da23c9150cd95457");
    fs::remove_file(&lost).unwrap();

    let flags = format!(
        "--url={} --allow-insecure-http --token-auth --username=me --path=clusters/one",
        git.url("fleet.git")
    );
    let whole = stage.bootstrap(&flags).await;
    assert_eq!(whole.code, 1, "{whole:#?}");
    assert!(
        whole.stderr.contains("failed to clone repository"),
        "{whole:#?}"
    );

    let _controllers = stage.controllers();
    let flags = format!("{flags} --sparse-checkout=./clusters/one --output=json");
    let done = stage.bootstrap(&flags).await.well();
    assert_eq!(json(&done)["commits"].as_array().unwrap().len(), 2);
    let after = head(&repository);
    let again = stage.bootstrap(&flags).await.well();
    assert_eq!(json(&again)["commits"], json!([]));
    assert_eq!(head(&repository), after);
    let changed = format!("{flags} --log-level=debug");
    let done = stage.bootstrap(&changed).await.well();
    assert_eq!(json(&done)["commits"].as_array().unwrap().len(), 1);

    let listed = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n\
        - gotk-components.yaml\n- gotk-sync.yaml\n- ../../../elsewhere/large.txt\n";
    let changes = [file("clusters/one/flux-system/kustomization.yaml", listed)];
    repository.commit("main", "Reach out", &changes).unwrap();
    let refused = stage.bootstrap(&flags).await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    for said in [
        "✗ kustomization.yaml in clusters/one/flux-system cannot be built: ",
        "read http",
        "/elsewhere/large.txt: ",
        "\n  hint: add the directory to --sparse-checkout",
    ] {
        assert!(refused.stderr.contains(said), "{said}: {refused:#?}");
    }
}

//! Tests terminal output. Only yes confirms a prompt, and progress leaves no trace. Commands run on
//! a pseudo-terminal, and the tests interpret the output as a terminal does.

use serde_json::json;
use sluice_client::GroupVersionKind;
use sluice_system::fs;
use sluice_testkit::SshServer;

use crate::binary::Call;
use crate::scene::Scene;

/// Sequence that clears the progress line.
const CLEAR: &str = "\u{1b}[2K";

const OLD: &str = "apiVersion: image.toolkit.fluxcd.io/v1beta2\nkind: ImageRepository\n\
    metadata:\n  name: web\n";

fn kustomization(name: &str) -> serde_json::Value {
    json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": name },
        "spec": { "interval": "1m", "prune": false,
            "sourceRef": { "kind": "GitRepository", "name": "fleet" } },
    })
}

async fn is_there(scene: &Scene, kind: &str, name: &str) -> bool {
    let group = match kind {
        "Kustomization" => "kustomize.toolkit.fluxcd.io",
        _ => "source.toolkit.fluxcd.io",
    };
    let gvk = GroupVersionKind::gvk(group, "v1", kind);
    let found = scene.cluster.get(&gvk, Some(&scene.namespace), name);
    found.await.unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn delete_asks_and_only_a_yes_deletes() {
    let scene = Scene::new("terminal-delete").await;
    scene.create(kustomization("web")).await;
    let call = Call::new(&scene.bed.kubeconfig());
    let line = format!("delete kustomization web -n {}", scene.namespace);
    for answer in ["n", "\r"] {
        let seen = call.converse(&line, answer).await;
        assert!(
            seen.contains("Are you sure you want to delete this kustomization"),
            "{seen:?}"
        );
        assert!(seen.contains("✗ aborting"), "{answer:?}: {seen:?}");
        assert!(is_there(&scene, "Kustomization", "web").await, "{answer:?}");
    }
    let seen = call.converse(&line, "y").await;
    assert!(seen.contains("✔ kustomization deleted"), "{seen:?}");
    assert!(!is_there(&scene, "Kustomization", "web").await);

    scene.create(kustomization("web")).await;
    let seen = call.converse(&format!("{line} --silent"), "").await;
    assert!(!seen.contains("Are you sure"), "{seen:?}");
    assert!(!is_there(&scene, "Kustomization", "web").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn uninstall_asks_before_it_touches_anything() {
    let scene = Scene::new("terminal-uninstall").await;
    scene.create(kustomization("web")).await;
    let call = Call::new(&scene.bed.kubeconfig());
    let line = format!("uninstall -n {}", scene.namespace);
    let seen = call.converse(&line, "n").await;
    assert!(
        seen.contains("Are you sure you want to delete Flux and its custom resource definitions"),
        "{seen:?}"
    );
    assert!(
        seen.contains("✗ aborting") && !seen.contains("deleting"),
        "{seen:?}"
    );
    assert!(is_there(&scene, "Kustomization", "web").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn create_source_git_confirms_the_deploy_key() {
    let scene = Scene::new("terminal-source").await;
    let server = SshServer::start().await;
    let call = Call::new(&scene.bed.kubeconfig());
    let line = format!(
        "create source git web --url={} --branch=main -n {}",
        server.url("web.git"),
        scene.namespace
    );
    let seen = call.converse(&line, "n").await;
    assert!(
        seen.contains("✔ collected public key from SSH server:"),
        "{seen:?}"
    );
    assert!(seen.contains("✚ deploy key: "), "{seen:?}");
    assert!(
        seen.contains("Have you added the deploy key to your repository"),
        "{seen:?}"
    );
    assert!(seen.contains("✗ aborting"), "{seen:?}");
    assert!(!is_there(&scene, "GitRepository", "web").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn migrate_asks_and_only_a_yes_changes_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.yaml");
    fs::write(&path, OLD).unwrap();
    let call = Call::new(&folder.path().join("none")).within(folder.path());
    let seen = call.converse("migrate -f .", "n").await;
    assert!(
        seen.contains("Are you sure you want to proceed with the above upgrades"),
        "{seen:?}"
    );
    assert!(seen.contains("✗ aborting"), "{seen:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), OLD);
    let seen = call.converse("migrate -f .", "y").await;
    assert!(
        seen.contains("✔ custom resources migrated successfully"),
        "{seen:?}"
    );
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        OLD.replace("v1beta2", "v1")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn diff_spinner_needs_a_terminal_and_clears_its_line() {
    let scene = Scene::new("terminal-diff").await;
    scene.create(kustomization("web")).await;
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: {}\n",
        scene.namespace
    );
    fs::write(folder.path().join("web.yaml"), manifest).unwrap();
    let (path, namespace) = (folder.path().display(), &scene.namespace);
    let line = format!("diff kustomization web --path {path} -n {namespace}");
    let created = format!("► ConfigMap/{namespace}/web created");
    let call = Call::new(&scene.bed.kubeconfig());

    let seen = call.run_on_terminal(&line).await;
    let (turning, rest) = seen.rsplit_once(CLEAR).unwrap();
    assert!(turning.contains('⣾'), "{seen:?}");
    assert!(rest.contains(&created), "{seen:?}");

    let seen = call
        .run_on_terminal(&format!("{line} --progress-bar=false"))
        .await;
    assert!(!seen.contains('⣾') && seen.contains(&created), "{seen:?}");
    let piped = call.run_beside(&line).await;
    assert!(!piped.text().contains(CLEAR), "{piped:#?}");
    assert!(piped.stdout.contains(&created), "{piped:#?}");
}

//! Checks that commands never print secrets, and never pass control characters to a terminal.
//! Secrets are placed in every input of each command. Control sequences are placed in every text of
//! the cluster.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_system::fs;
use sluice_testkit::{Registry, RegistryOptions};

use crate::binary::{Call, CommandResult};
use crate::scene::Scene;

/// Returns a unique text.
fn canary(place: &str) -> String {
    format!("canary-{place}-7f3a91c2")
}

/// Asserts that the output contains no canary in any encoding.
#[track_caller]
fn assert_silent(line: &str, ended: &CommandResult, canaries: &[&String]) {
    let text = ended.text();
    for canary in canaries {
        // The Base64 form of a part depends on its offset.
        let encoded = (0..3).map(|shift| {
            let shifted = STANDARD.encode(format!("{}{canary}", "-".repeat(shift)));
            shifted[4..shifted.len() - 4].to_owned()
        });
        for form in std::iter::once((*canary).clone()).chain(encoded) {
            assert!(!text.contains(&form), "{line} tells {canary}:\n{text}");
        }
    }
}

/// Writes a kubeconfig whose user also has a token, and a second user with a password.
fn kubeconfig(scene: &Scene, directory: &Path, token: &str, password: &str) -> PathBuf {
    let text = fs::read_to_string(scene.bed.kubeconfig()).unwrap();
    let mut value: Value = sluice_yaml::v2::from_str(&text).unwrap();
    let others = json!([
        { "name": "by-token", "user": { "token": token } },
        { "name": "by-password", "user": { "username": "a", "password": password } },
    ]);
    let users = value["users"].as_array_mut().unwrap();
    users.extend(others.as_array().unwrap().clone());
    let path = directory.join("kubeconfig");
    fs::write(&path, value.to_string()).unwrap();
    path
}

/// Creates a Secret that a Kustomization owns, one with its variables, and one with its source's
/// credentials. An annotation of kubectl repeats the applied Secret.
async fn create_objects(scene: &Scene, [data, applied, variable, git]: [&str; 4]) {
    let namespace = &scene.namespace;
    let owned = json!({ "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": namespace });
    let last = json!({ "kubectl.kubernetes.io/last-applied-configuration": applied });
    for object in [
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "owned", "labels": owned, "annotations": last },
            "stringData": { "key": data } }),
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "variables" }, "stringData": { "SECRET": variable } }),
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "git" }, "stringData": { "username": "a", "password": git } }),
        json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": { "name": "fleet", "annotations": last },
            "spec": { "interval": "1m", "url": "https://example.com/a", "secretRef": { "name": "git" } } }),
    ] {
        scene.create(object).await;
    }
    let id = format!("{namespace}_owned__Secret");
    scene
        .create(json!({ "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": "apps", "annotations": last },
            "spec": { "interval": "1m", "prune": true, "path": "./", "sourceRef": { "kind": "GitRepository", "name": "fleet" },
                "postBuild": { "substituteFrom": [{ "kind": "Secret", "name": "variables" }] } },
            "status": { "observedGeneration": 1, "inventory": { "entries": [{ "id": id, "v": "v1" }] } } }))
        .await;
}

/// Writes the Secret with other values, so that a comparison reads both sides. The API server
/// rejects a second Secret and quotes its content.
fn write_manifests(root: &Path, namespace: &str, plain: &str, annotation: &str) {
    let manifests = root.join("manifests");
    fs::create_dir_all(&manifests).unwrap();
    let secret = |name: &str, more: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {namespace}\n{more}---\n"
        )
    };
    let text = [
        secret(
            "owned",
            &format!("stringData:\n  key: {plain}\n  other: \"${{SECRET}}\"\n"),
        ),
        secret(
            "new",
            &format!(
                "  annotations: {{kubectl.kubernetes.io/last-applied-configuration: {annotation}}}\nstringData:\n  key: {plain}\n"
            ),
        ),
    ];
    fs::write(manifests.join("secrets.yaml"), text.concat()).unwrap();
    let broken = root.join("broken");
    fs::create_dir_all(&broken).unwrap();
    fs::write(
        broken.join("secret.yaml"),
        secret("owned", &format!("type: Changed\ndata:\n  key: {plain}!\n")),
    )
    .unwrap();
}

/// Commands that must not print a canary.
fn lines(host: &str, flag: &str, login: &str, hook: &str) -> Vec<String> {
    vec![
        "get all".to_owned(),
        "get all -A".to_owned(),
        "stats".into(),
        "events".into(),
        "events --for Kustomization/apps".into(),
        "tree ks apps".into(),
        "tree ks apps --status".into(),
        "tree ks apps -o yaml".into(),
        "trace secret/owned".into(),
        "why ks/apps".into(),
        "why secret/owned".into(),
        "debug ks apps --show-status".into(),
        "debug ks apps --show-history".into(),
        "export ks apps".into(),
        "export source git fleet".into(),
        "check".into(),
        "version".into(),
        "logs".into(),
        "diff ks apps --path manifests".into(),
        "diff ks apps --path broken".into(),
        "build ks apps --path broken".into(),
        "suspend ks apps".into(),
        "resume ks apps --wait=false".into(),
        "reconcile ks apps --timeout=1s".into(),
        "get ks --user by-token".into(),
        "get ks --user by-password".into(),
        format!("get ks --token {flag} --kubeconfig /nonexistent"),
        format!("get ks --token {flag} --server https://127.0.0.1:1"),
        format!("get ks --token {flag} --bogus"),
        format!("create secret git made --url https://example.com --username a --password {flag}"),
        format!(
            "create secret git made --url https://example.com --username a --password {flag} --bogus"
        ),
        format!(
            "create secret git made --url ftp://a:{flag}@example.com --username a --password {flag}"
        ),
        format!("create secret helm made --username a --password {flag}"),
        format!("create secret oci made --url example.com --username a --password {flag}"),
        format!(
            "create secret proxy made --address https://example.com --username a --password {flag}"
        ),
        format!("create secret receiver made --type generic --token {hook}"),
        "create secret sops made --age-key-file keys/usable.agekey --vault-token-file keys/token"
            .into(),
        "create secret sops made --age-key-file keys/broken.agekey".into(),
        "create secret sops made --gpg-key-file keys/broken.agekey".into(),
        format!("create source git made --url https://a:{flag}@example.com/a --branch main"),
        format!(
            "create source git made --url https://example.com/a --branch main --username a --password {flag} --timeout=1s"
        ),
        format!(
            "create source bucket made --bucket-name a --endpoint example.com --access-key a --secret-key {flag} --timeout=1s"
        ),
        format!(
            "create source helm made --url https://example.com/a --username a --password {flag} --timeout=1s"
        ),
        format!("list artifacts oci://{host}/a --insecure-registry --creds a:{login}"),
        format!("pull artifact oci://{host}/a:b --output . --insecure-registry --creds a:{login}"),
        format!(
            "push artifact oci://{host}/a:b --path manifests --source a --revision b --insecure-registry --creds a:{login}"
        ),
        format!(
            "push artifact oci://{host}/a:b --path manifests --source a --revision b --insecure-registry --creds a:{login} --debug"
        ),
        format!("tag artifact oci://{host}/a:b --tag c --creds a:{login}"),
        format!(
            "diff artifact oci://{host}/a:b --path manifests --insecure-registry --creds a:{login}"
        ),
        format!("trigger receiver app --url http://127.0.0.1:1/hook/a --token {hook} --retries 0"),
        format!(
            "trigger receiver app --url http://a:{hook}@127.0.0.1:1/hook/a --token {hook} --retries 0"
        ),
        format!(
            "trigger receiver app --url http://127.0.0.1:1/hook/a --type generic-hmac --token {hook} --retries 0"
        ),
        format!(
            "trigger receiver app --url http://127.0.0.1:1/hook/a --type generic-oidc --oidc-token {hook} --retries 0"
        ),
        "__complete get ks ".into(),
        "__complete export source git ".into(),
        "__complete get ks --user ".into(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_prints_a_secret() {
    let scene = Scene::new("canary").await;
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let [token, password, data, plain, applied, variable, git] = [
        "token",
        "password",
        "data",
        "stringdata",
        "applied",
        "variable",
        "git",
    ]
    .map(canary);
    let [flag, annotation, login, hook, proxy, broken_key, vault] = [
        "flag",
        "annotation",
        "login",
        "hook",
        "proxy",
        "broken-key",
        "vault",
    ]
    .map(canary);
    let key =
        "AGE-SECRET-KEY-1CVZTALDZF3GUXJ0VUHT0YX9L3SNM4V4866JXJT4VGDLWZ3WLYRNS9TTHXF".to_owned();
    let kubeconfig = kubeconfig(&scene, root, &token, &password);

    let namespace = scene.namespace.clone();
    create_objects(&scene, [&data, &applied, &variable, &git]).await;

    write_manifests(root, &namespace, &plain, &annotation);
    let keys = root.join("keys");
    fs::create_dir_all(&keys).unwrap();
    for (name, text) in [
        ("usable.agekey", &key),
        ("broken.agekey", &broken_key),
        ("token", &vault),
    ] {
        fs::write(keys.join(name), text).unwrap();
    }
    let guarded = Registry::start_with(RegistryOptions {
        basic: true,
        ..RegistryOptions::default()
    })
    .await;

    let canaries = [
        &token,
        &password,
        &data,
        &plain,
        &applied,
        &variable,
        &git,
        &flag,
        &annotation,
        &key,
        &broken_key,
        &vault,
        &login,
        &hook,
        &proxy,
    ];
    let call = Call::new(&kubeconfig)
        .within(root)
        .variable("RUST_LOG", "trace")
        .variable("HTTPS_PROXY", format!("http://user:{proxy}@127.0.0.1:1"))
        .variable("NO_PROXY", "127.0.0.1,localhost");
    let host = guarded.host();
    for line in &lines(host, &flag, &login, &hook) {
        for verbose in ["", " --verbose"] {
            let line = match line.strip_prefix("__complete") {
                Some(_) => line.clone(),
                None => format!("{line} -n {namespace}{verbose}"),
            };
            let ended = call.run_beside(&line).await;
            assert_silent(&line, &ended, &canaries);
        }
    }
    // These commands apply or name the values, and must show them. This proves that the canaries
    // exist.
    for (line, shown) in [
        ("build ks apps --path manifests".to_owned(), &plain),
        ("build ks apps --path manifests".to_owned(), &variable),
        ("debug ks apps --show-vars".to_owned(), &variable),
    ] {
        let ended = call
            .run_beside(&format!("{line} -n {namespace}"))
            .await
            .well();
        assert!(ended.stdout.contains(shown.as_str()), "{line}: {ended:?}");
    }
    let told = call
        .run_beside(&format!("diff ks apps --path manifests -n {namespace}"))
        .await;
    assert!(
        told.stdout.contains("Secret") && told.stdout.contains("drifted"),
        "{told:?}"
    );
}

/// Control sequences of a terminal: colours, a title, a bell, an overwritten line, and reversed
/// text.
const HOSTILE: &str = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{8}\rover\u{202e}back\u{2066}\u{9b}2J";

fn is_hostile(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_escape_text_of_the_cluster() {
    let scene = Scene::new("hostile").await;
    let namespace = scene.namespace.clone();
    let conditions = json!([{ "type": "Ready", "status": "False", "reason": "Failed", "message": HOSTILE,
        "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 1 }]);
    let artifact = json!({ "digest": format!("sha256:{}", "0".repeat(64)), "lastUpdateTime": "2026-01-02T03:04:05Z",
        "path": "a", "url": "http://example.com/a", "revision": HOSTILE });
    let annotations = json!({ "text": HOSTILE });
    let owned = json!({ "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": namespace });
    for object in [
        json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": { "name": "fleet", "annotations": annotations },
            "spec": { "interval": "1m", "url": "https://example.com/a", "ref": { "branch": HOSTILE } },
            "status": { "observedGeneration": 1, "conditions": conditions, "artifact": artifact } }),
        json!({ "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": { "name": "apps", "annotations": annotations },
            "spec": { "interval": "1m", "prune": true, "path": HOSTILE, "sourceRef": { "kind": "GitRepository", "name": "fleet" },
                "postBuild": { "substitute": { "A": HOSTILE } } },
            "status": { "observedGeneration": 1, "conditions": conditions, "lastAppliedRevision": HOSTILE,
                "inventory": { "entries": [{ "id": format!("{namespace}_map{HOSTILE}__ConfigMap"), "v": "v1" },
                    { "id": format!("{namespace}_map__ConfigMap"), "v": "v1" }] } } }),
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "map", "labels": owned }, "data": { "key": HOSTILE, "gone": HOSTILE } }),
        json!({ "apiVersion": "v1", "kind": "Event", "metadata": { "name": "told" }, "type": "Warning", "reason": HOSTILE, "message": HOSTILE,
            "involvedObject": { "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "name": "apps", "namespace": namespace },
            "lastTimestamp": "2026-01-02T03:04:05Z" }),
        json!({ "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "source-controller", "labels": { "app.kubernetes.io/part-of": "flux" } },
            "spec": { "selector": { "matchLabels": { "a": "b" } }, "template": { "metadata": { "labels": { "a": "b" } },
                "spec": { "containers": [{ "name": "manager", "image": format!("example.com/a:{HOSTILE}") }] } } } }),
    ] {
        scene.create(object).await;
    }
    let directory = tempfile::tempdir().unwrap();
    let map = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n  namespace: {namespace}\ndata:\n  key: other\n"
    );
    fs::write(directory.path().join("map.yaml"), map).unwrap();
    let call = Call::new(&scene.bed.kubeconfig()).within(directory.path());
    for line in [
        "get all",
        "get all -A",
        "get sources git",
        "get ks --show-source",
        "get ks --status-selector ready=false",
        "events",
        "events --for Kustomization/apps",
        "tree ks apps",
        "tree ks apps --status",
        "tree ks apps -o json",
        "trace configmap/map",
        "why ks/apps",
        "stats",
        "check --timeout=2s",
        "version -o json",
        "reconcile ks apps --timeout=2s",
        "diff ks apps --path .",
        "resume ks apps --timeout=2s",
    ] {
        let ended = call.run_beside(&format!("{line} -n {namespace}")).await;
        let text = ended.text();
        assert!(!text.contains(is_hostile), "{line}: {text:?}");
    }
    // Documents reach pipes unchanged, but are escaped on a terminal.
    for line in [
        "tree ks apps -o yaml",
        "debug ks apps --show-status",
        "debug ks apps --show-history",
        "debug ks apps --show-vars",
        "export ks apps",
        "export source git fleet",
        "version",
    ] {
        let line = format!("{line} -n {namespace}");
        let seen = call.run_on_terminal(&line).await;
        assert!(
            !seen.contains(|character| character != '\r' && is_hostile(character)),
            "{line}: {seen:?}"
        );
        assert!(!seen.is_empty(), "{line}");
    }
    let piped = call
        .run_beside(&format!("debug ks apps --show-vars -n {namespace}"))
        .await
        .well();
    assert_eq!(piped.stdout, format!("A={HOSTILE}\n"));
}

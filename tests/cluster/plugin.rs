//! Tests credential plugins of a kubeconfig, which the command line runs like kubectl.

use std::path::{Path, PathBuf};

use kube::config::Kubeconfig;
use serde_json::{Value, json};
use sluice_system::fs;
use sluice_testkit::Testbed;

use crate::binary::sluice;

/// Writes a kubeconfig whose user gets credentials from a script.
fn kubeconfig(bed: &Testbed, directory: &Path, script: &str) -> PathBuf {
    let script_path = directory.join("plugin.sh");
    fs::write(&script_path, script).unwrap();
    let mut kubeconfig: Value =
        serde_json::to_value(Kubeconfig::read_from(bed.kubeconfig()).unwrap()).unwrap();
    for user in kubeconfig["users"].as_array_mut().unwrap() {
        user["user"] = json!({ "exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": "/bin/sh",
            "args": [script_path],
            "env": [{ "name": "MARK", "value": directory.join("mark") }],
            "interactiveMode": "Never",
        } });
    }
    let path = directory.join("kubeconfig");
    fs::write(&path, kubeconfig.to_string()).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn credential_plugin_decides_the_user() {
    let bed = sluice_testkit::cluster().await;
    let namespace = bed.namespace("plugin").await;
    let user = bed.name("plugin");
    let known = Kubeconfig::read_from(bed.kubeconfig_for(&user)).unwrap();
    let known: Value = serde_json::to_value(known.auth_infos).unwrap();
    let data = |field: &str| {
        use base64::Engine as _;
        let text = known[0]["user"][field].as_str().unwrap();
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(text)
            .unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let credential = json!({
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {
            "clientCertificateData": data("client-certificate-data"),
            "clientKeyData": data("client-key-data"),
        },
    });
    let directory = tempfile::tempdir().unwrap();
    let script = format!("echo run >> \"$MARK\"\ncat <<'END'\n{credential}\nEND\n");
    let kubeconfig = kubeconfig(bed, directory.path(), &script);
    let mark = bed.audit().mark(&bed.client().await).await;
    let shown = sluice(&kubeconfig, &format!("get kustomizations -n {namespace}"));
    assert!(
        shown.stderr.contains("no Kustomization objects found"),
        "{shown:?}"
    );
    let mark_left = fs::read_to_string(directory.path().join("mark")).unwrap();
    assert_eq!(mark_left, "run\n", "the plugin is run once");
    bed.audit().mark(&bed.client().await).await;
    let asked = bed.audit().since(mark);
    assert!(
        asked.iter().any(|entry| entry.user == user),
        "{user} asked nothing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_plugin_is_named_with_its_result() {
    let bed = sluice_testkit::cluster().await;
    let directory = tempfile::tempdir().unwrap();
    let script = "echo 'token-of-mine'\necho 'log in first' >&2\nexit 3\n";
    let kubeconfig = kubeconfig(bed, directory.path(), script);
    let refused = sluice(&kubeconfig, "get kustomizations");
    assert_eq!(refused.code, 1, "{refused:?}");
    let told = "the credential plugin failed (exit status: 3): log in first";
    assert!(refused.stderr.contains(told), "{refused:?}");
    assert!(!refused.stderr.contains("token-of-mine"), "{refused:?}");
}

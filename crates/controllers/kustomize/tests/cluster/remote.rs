//! Remote clusters from a kubeconfig in a Secret or from a config map, with and without
//! impersonation.

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use k8s_openapi::api::rbac::v1::ClusterRoleBinding;
use serde_json::{Value, json};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{DeleteParams, PostParams};
use sluice_testkit::{Testbed, wait};

use crate::bed::{Bed, config};

/// The kubeconfig of an admin user of the bed's own cluster.
pub(crate) fn kubeconfig(bed: &Bed, user: &str) -> String {
    sluice_system::fs::read_to_string(bed.testbed.kubeconfig_for(user)).unwrap()
}

/// The kubeconfig with one line replaced.
fn changed(kubeconfig: &str, from: &str, to: &str) -> String {
    let lines: Vec<String> = kubeconfig
        .lines()
        .map(|line| match line.split_once(from) {
            Some((indent, _)) if indent.trim().is_empty() => format!("{indent}{to}"),
            _ => line.to_owned(),
        })
        .collect();
    lines.join("\n")
}

/// The value of a key in a kubeconfig.
pub(crate) fn field<'k>(kubeconfig: &'k str, key: &str) -> &'k str {
    let lines = kubeconfig.lines();
    let mut found = lines.filter_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'));
    found.next().unwrap().trim()
}

fn by_secret() -> Value {
    json!({"kubeConfig": {"secretRef": {"name": "remote"}}})
}

pub(crate) fn by_config() -> Value {
    json!({"kubeConfig": {"configMapRef": {"name": "place"}}})
}

#[tokio::test]
async fn objects_are_applied_and_deleted_in_remote_cluster() {
    let bed = Bed::start(&[]).await;
    let other = Testbed::start().await;
    let client = other.client().await;
    let namespace: Namespace =
        serde_json::from_value(json!({"metadata": {"name": bed.namespace}})).unwrap();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    namespaces
        .create(&PostParams::default(), &namespace)
        .await
        .unwrap();
    // The own cluster does not have this account.
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), &bed.namespace);
    let account = serde_json::from_value(json!({"metadata": {"name": "deployer"}})).unwrap();
    accounts
        .create(&PostParams::default(), &account)
        .await
        .unwrap();
    let bindings: Api<ClusterRoleBinding> = Api::all(client.clone());
    let binding = json!({"metadata": {"name": bed.namespace},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "deployer", "namespace": bed.namespace}]});
    let binding = serde_json::from_value(binding).unwrap();
    bindings
        .create(&PostParams::default(), &binding)
        .await
        .unwrap();
    let there: Api<ConfigMap> = Api::namespaced(client, &bed.namespace);
    let kubeconfig = sluice_system::fs::read_to_string(other.kubeconfig()).unwrap();
    bed.secret("remote", json!({"value": kubeconfig}), false)
        .await;

    bed.publish(
        "1",
        &[("a.yaml", &config("a", "1")), ("b.yaml", &config("b", "1"))],
    )
    .await;
    let mut spec = by_secret();
    spec["wait"] = json!(true);
    spec["serviceAccountName"] = json!("deployer");
    bed.kustomization("app", spec).await;
    let status = bed.until_applied("app", "1").await;
    assert!(status.conditions.is_true("Healthy"));
    wait::exists(&there, "a").await;
    assert!(
        bed.config_map("a").await.is_none(),
        "nothing is applied to the own cluster"
    );

    // An object of the same name in the own cluster stays.
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}))
        .await;
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.until_applied("app", "2").await;
    wait::gone(&there, "b").await;
    assert!(bed.config_map("b").await.is_some());

    let api = bed.kustomizations();
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
    wait::gone(&there, "a").await;
}

#[tokio::test]
async fn invalid_kubeconfig_is_named_and_fix_wakes_object() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", by_secret()).await;
    let said = async |message: String| {
        let message = message.replace("NS", &bed.namespace);
        bed.until("app", &message, |status| {
            let ready = status.conditions.find("Ready");
            ready.is_some_and(|ready| {
                ready.reason == "ReconciliationFailed" && ready.message == message
            })
        })
        .await
    };
    let status = said(
        "unable to read KubeConfig secret 'NS/remote' error: secrets \"remote\" not found"
            .to_owned(),
    )
    .await;
    assert_eq!(status.last_attempted_revision.as_deref(), Some("1"));
    let kubeconfig = kubeconfig(&bed, &bed.user);
    bed.secret("remote", json!({"other": kubeconfig}), true)
        .await;
    said(
        "KubeConfig secret 'NS/remote' does not contain a 'value' key with a kubeconfig".to_owned(),
    )
    .await;
    let keyed = |key: &str| json!({"kubeConfig": {"secretRef": {"name": "remote", "key": key}}});
    bed.kustomization("app", keyed("another")).await;
    said(
        "KubeConfig secret 'NS/remote' does not contain a 'another' key with a kubeconfig"
            .to_owned(),
    )
    .await;
    bed.secret("remote", json!({"another": "token: canary"}), true)
        .await;
    let message = bed
        .until("app", "cannot read the kubeconfig", |status| {
            let ready = status.conditions.find("Ready");
            ready.is_some_and(|ready| {
                ready.message.contains("KubeConfig secret")
                    && !ready.message.contains("does not contain")
            })
        })
        .await;
    assert!(!format!("{message:?}").contains("canary"));
    // A change of the Secret alone wakes the object.
    bed.secret("remote", json!({"another": kubeconfig}), true)
        .await;
    bed.until_applied("app", "1").await;
}

#[tokio::test]
async fn changed_credential_is_used_and_account_impersonated() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let (one, two) = (bed.testbed.name("one"), bed.testbed.name("two"));
    bed.secret("remote", json!({"value": kubeconfig(&bed, &one)}), false)
        .await;
    let mark = bed.mark().await;
    bed.kustomization("app", by_secret()).await;
    bed.until_applied("app", "1").await;
    let writers = async |mark| {
        bed.mark().await;
        let entries = bed.testbed.audit().since(mark).into_iter();
        let mut writers: Vec<(String, Option<String>)> = entries
            .filter(|entry| {
                entry.resource == "configmaps"
                    && entry.namespace == bed.namespace
                    && entry.verb == "patch"
            })
            .map(|entry| (entry.user, entry.impersonated))
            .collect();
        writers.dedup();
        writers
    };
    assert_eq!(writers(mark).await, [(one, None)]);

    bed.secret("remote", json!({"value": kubeconfig(&bed, &two)}), false)
        .await;
    let mark = bed.mark().await;
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.until_applied("app", "2").await;
    assert_eq!(writers(mark).await.last(), Some(&(two.clone(), None)));

    let mut spec = by_secret();
    spec["serviceAccountName"] = json!("deployer");
    let mark = bed.mark().await;
    bed.kustomization("app", spec).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let account = format!("system:serviceaccount:{}:deployer", bed.namespace);
    assert!(message.contains(&account), "{message}");
    assert_eq!(writers(mark).await, [(two, Some(account))]);
}

/// A kubeconfig with a credential plugin that leaves a trace file.
fn running(bed: &Bed, trace: &std::path::Path) -> String {
    let plain = kubeconfig(bed, &bed.user);
    let certificate = field(&plain, "client-certificate-data").to_owned();
    let key = field(&plain, "client-key-data").to_owned();
    let script = format!(
        "echo ran >> {}; c=$(echo {certificate} | base64 -d | sed 's/$/\\\\n/' | tr -d '\\n'); \
         k=$(echo {key} | base64 -d | sed 's/$/\\\\n/' | tr -d '\\n'); \
         printf '{{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\
         \"status\":{{\"clientCertificateData\":\"%s\",\"clientKeyData\":\"%s\"}}}}' \"$c\" \"$k\"",
        trace.display()
    );
    let exec = json!({"apiVersion": "client.authentication.k8s.io/v1", "command": "sh",
        "args": ["-c", script], "interactiveMode": "Never"});
    let without = changed(&plain, "client-certificate-data:", &format!("exec: {exec}"));
    changed(&without, "client-key-data:", "")
}

#[tokio::test]
async fn credential_plugin_needs_exec_flag() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace");
    for (flags, runs) in [
        (&[][..], false),
        (&["--insecure-kubeconfig-exec"][..], true),
    ] {
        let bed = Bed::start(flags).await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        bed.secret("remote", json!({"value": running(&bed, &trace)}), false)
            .await;
        bed.kustomization("app", by_secret()).await;
        if runs {
            bed.until_applied("app", "1").await;
        } else {
            bed.until_failed("app", "ReconciliationFailed").await;
        }
        assert_eq!(trace.exists(), runs);
    }
}

#[tokio::test]
async fn server_is_verified_unless_flag_allows_insecure() {
    for (flags, succeeds) in [(&[][..], false), (&["--insecure-kubeconfig-tls"][..], true)] {
        let bed = Bed::start(flags).await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        let plain = kubeconfig(&bed, &bed.user);
        let insecure = changed(
            &plain,
            "certificate-authority-data:",
            "insecure-skip-tls-verify: true",
        );
        bed.secret("remote", json!({"value": insecure}), false)
            .await;
        bed.kustomization("app", by_secret()).await;
        if succeeds {
            bed.until_applied("app", "1").await;
        } else {
            let message = bed.until_failed("app", "ReconciliationFailed").await;
            assert!(message.contains("certificate"), "{message}");
        }
    }
}

#[tokio::test]
async fn kubeconfig_cannot_read_files_or_impersonate() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let directory = tempfile::tempdir().unwrap();
    let plain = kubeconfig(&bed, &bed.user);
    // The credentials of the kubeconfig as files, which would authenticate if they were read.
    let file = |key: &str| {
        let path = directory.path().join(key);
        sluice_system::fs::write(&path, decoded(field(&plain, &format!("{key}-data")))).unwrap();
        path.display().to_string()
    };
    let by_path = |kubeconfig: &str, key: &str| {
        changed(
            kubeconfig,
            &format!("{key}-data:"),
            &format!("{key}: {}", file(key)),
        )
    };
    let stranger = |user: &str| {
        let without = changed(&plain, "client-certificate-data:", user);
        changed(&without, "client-key-data:", "")
    };
    bed.account("deployer").await;
    bed.permit("deployer").await;
    let token = token_of(&bed, "deployer").await;
    let token_file = directory.path().join("token");
    sluice_system::fs::write(&token_file, &token).unwrap();
    let trace = directory.path().join("trace");
    let helper = json!({"name": "gcp", "config": {"access-token": token, "cmd-path": "touch", "cmd-args": trace}});
    let anonymous = "system:anonymous";
    for (what, kubeconfig, says) in [
        (
            "authority",
            by_path(&plain, "certificate-authority"),
            "certificate",
        ),
        (
            "certificate and key",
            by_path(&by_path(&plain, "client-certificate"), "client-key"),
            anonymous,
        ),
        (
            "token",
            stranger(&format!("tokenFile: {}", token_file.display())),
            anonymous,
        ),
        (
            "auth-provider",
            stranger(&format!("auth-provider: {helper}")),
            anonymous,
        ),
    ] {
        bed.secret("remote", json!({"value": kubeconfig}), false)
            .await;
        let name = what.replace(' ', "-");
        bed.kustomization(&name, by_secret()).await;
        let message = bed.until_failed(&name, "ReconciliationFailed").await;
        assert!(message.contains(says), "{what}: {message}");
        assert!(!message.contains(&token), "{what}: {message}");
        assert!(bed.config_map("a").await.is_none(), "{what}");
    }
    assert!(!trace.exists());
    // An inline token is used; its impersonation fields are ignored.
    let spelled = stranger(&format!(
        "token: {token}\n    as: somebody\n    as-groups: [system:masters]"
    ));
    bed.secret("remote", json!({"value": spelled}), false).await;
    let mark = bed.mark().await;
    bed.kustomization("spelled", by_secret()).await;
    bed.until_applied("spelled", "1").await;
    bed.mark().await;
    let account = format!("system:serviceaccount:{}:deployer", bed.namespace);
    let mut writes = bed.testbed.audit().since(mark);
    writes.retain(|entry| {
        entry.resource == "configmaps" && entry.verb == "patch" && entry.namespace == bed.namespace
    });
    assert!(!writes.is_empty());
    for entry in writes {
        assert_eq!((entry.user, entry.impersonated), (account.clone(), None));
    }
}

/// A token of a service account.
async fn token_of(bed: &Bed, account: &str) -> String {
    let accounts: Api<ServiceAccount> =
        Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    let request = TokenRequest {
        spec: Some(TokenRequestSpec::default()),
        ..TokenRequest::default()
    };
    let answer = accounts
        .create_token_request(account, &PostParams::default(), &request)
        .await
        .unwrap();
    answer.status.unwrap().token.unwrap()
}

/// Config map data for the bed's own cluster with the service account `deployer`.
pub(crate) fn place_of(bed: &Bed) -> Value {
    let kubeconfig = kubeconfig(bed, &bed.user);
    let authority = field(&kubeconfig, "certificate-authority-data");
    let authority = String::from_utf8(decoded(authority)).unwrap();
    json!({
        "provider": "generic", "address": field(&kubeconfig, "server"), "ca.crt": authority,
        "audiences": "https://kubernetes.default.svc\n", "serviceAccountName": "deployer",
    })
}

/// Applies a config map that describes the bed's own cluster.
pub(crate) async fn place(bed: &Bed, changes: Value) {
    let mut data = place_of(bed);
    data.as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "data": data,
        "metadata": {"name": "place", "labels": {"reconcile.fluxcd.io/watch": "Enabled"}}}),
    )
    .await;
}

/// Decodes base64, without a crate for it.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    let secret: k8s_openapi::ByteString = serde_json::from_value(json!(text)).unwrap();
    secret.0
}

pub(crate) const OBJECT_LEVEL: &str = "--feature-gates=ObjectLevelWorkloadIdentity=true";

#[tokio::test]
async fn config_map_names_cluster_and_service_account() {
    let bed = Bed::start(&[OBJECT_LEVEL]).await;
    let ns = bed.namespace.clone();
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    place(&bed, json!({})).await;
    bed.kustomization("app", by_config()).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let expected = format!(
        "failed to get access token for cluster: \
         failed to get service account '{ns}/deployer': ServiceAccount \"deployer\" not found"
    );
    assert_eq!(message, expected);

    bed.account("deployer").await;
    bed.permit("deployer").await;
    let mark = bed.mark().await;
    bed.request("app", "with an account").await;
    bed.until_applied("app", "1").await;
    bed.request("app", "again").await;
    bed.until_handled("app", "again").await;
    bed.mark().await;
    let entries = bed.testbed.audit().since(mark);
    let account = format!("system:serviceaccount:{ns}:deployer");
    assert!(entries.iter().any(|entry| entry.user == account
        && entry.resource == "configmaps"
        && entry.verb == "patch"));
    let tokens = entries
        .iter()
        .filter(|entry| entry.user == bed.user && entry.subresource == "token" && entry.code < 300);
    assert_eq!(tokens.count(), 1, "the token is cached");
}

#[tokio::test]
async fn cluster_account_needs_workload_identity_gate() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    place(&bed, json!({})).await;
    bed.kustomization("app", by_config()).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(message.contains("ObjectLevelWorkloadIdentity"), "{message}");
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn own_token_is_never_sent_to_chosen_audience() {
    let bed = Bed::start(&[OBJECT_LEVEL]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let mark = bed.mark().await;
    place(&bed, json!({"serviceAccountName": ""})).await;
    bed.kustomization("app", by_config()).await;
    let message = bed.until_failed("app", "AccessDenied").await;
    assert!(
        message.contains("a token of the controller is not sent to"),
        "{message}"
    );
    bed.mark().await;
    let entries = bed.testbed.audit().since(mark);
    let mut tokens = entries
        .iter()
        .filter(|entry| entry.user == bed.user && entry.subresource == "token");
    assert!(tokens.next().is_none());
}

#[tokio::test]
async fn deletion_waits_for_missing_kubeconfig() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let way = json!({"value": kubeconfig(&bed, &bed.user)});
    bed.secret("remote", way.clone(), true).await;
    bed.kustomization("app", by_secret()).await;
    let status = bed.until_applied("app", "1").await;
    let secret = sluice_client::GroupVersionKind::gvk("", "v1", "Secret");
    let options = sluice_client::DeleteOptions::default();
    bed.cluster
        .delete(&secret, Some(&bed.namespace), "remote", &options)
        .await
        .unwrap();
    let api = bed.kustomizations();
    api.delete("app", &DeleteParams::default()).await.unwrap();
    let message = bed.until_failed("app", "PruneFailed").await;
    let expected = format!(
        "failed to build kube client: unable to read KubeConfig secret '{}/remote' error: secrets \"remote\" not found",
        bed.namespace
    );
    assert_eq!(message, expected);
    assert_eq!(
        bed.inventory(&bed.status("app").await),
        bed.inventory(&status)
    );
    assert!(bed.config_map("a").await.is_some());
    // The new Secret also wakes an object that is being deleted.
    bed.secret("remote", way, true).await;
    wait::gone(&api, "app").await;
    assert!(bed.config_map("a").await.is_none());
}

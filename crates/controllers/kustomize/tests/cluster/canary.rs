//! Secret values never leave the controller: not in a log at any level, event, condition, metric or
//! panic. The log of the Kubernetes client is excluded, since the controller filters it at every
//! level.
//!
//! Each canary is a secret value in one place. The controller uses the canaries, fails on them, and
//! gets error responses from the API server that quote them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::Event;
use serde_json::json;
use sluice_sops::{Format, Recipient, Rule};
use sluice_system::{Clock, SystemClock};
use sluice_testkit::EventSink;
use sluice_testkit::canary::{LeakDetector, SIGNAL, base64, canary, detect_leaks};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;

use crate::bed::{Bed, config, served};
use crate::decryption::{CANARY, KEY, age, encrypted};
use crate::recipients::fixture;

/// A clock that panics once on request.
#[derive(Debug, Default)]
struct PanickingClock(AtomicBool);

impl Clock for PanickingClock {
    fn now(&self) -> Timestamp {
        assert!(
            !self.0.swap(false, Ordering::SeqCst),
            "the clock panics: {SIGNAL}"
        );
        SystemClock.now()
    }
}

#[test]
fn secrets_never_appear_in_output() {
    // Two signals are expected: from the log and from the panic.
    detect_leaks(sluice_host::log::CLIENT_FILTER, 2, exercise_secrets);
}

async fn exercise_secrets(listener: LeakDetector) {
    tracing::trace!("{SIGNAL}");
    // These keys must be valid, so they cannot be canaries.
    for key in [KEY, &fixture("keys/rsa.asc")] {
        let lines = key.lines().filter(|line| line.len() > 20);
        lines
            .filter(|line| !line.starts_with(['#', '-']))
            .for_each(|line| listener.add_secret(line));
    }
    listener.add_secret(CANARY);
    let sink = EventSink::start().await;
    let events = format!("--events-addr={}", sink.url());
    let clock = Arc::new(PanickingClock::default());
    let own_token = format!("--vault-token={}", canary("own-vault-token"));
    let flags = [
        "--feature-gates=ObjectLevelWorkloadIdentity=true",
        "--min-retry-delay=10ms",
        &own_token,
        &events,
    ];
    let bed = Bed::timed(clock.clone(), &flags).await;
    let echo = start_echo_server().await;
    create_secrets(&bed, &echo).await;
    let files = manifests(&bed, &echo).await;
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    bed.publish("1", &files).await;

    // Kustomizations that use secrets and succeed.
    for (name, spec) in [
        ("plain", json!({})),
        ("usable", with_variables()),
        ("opened", with_keys("keys")),
        ("of-rsa", with_keys("openpgp")),
    ] {
        bed.kustomization(name, of_folder(name, spec)).await;
        bed.until_applied(name, "1").await;
    }
    // A health check takes at least half a minute, so the others fail meanwhile.
    let judged = of_folder("plain", judged_by_its_secret());
    bed.kustomization("health", judged).await;
    // Kustomizations that fail because of their directory or a reference.
    for (name, folder, spec, reason) in refusals() {
        bed.kustomization(name, of_folder(folder, spec)).await;
        let message = bed.until_failed(name, reason).await;
        listener.inspect(&format!("{name}: {message}"));
    }
    let message = bed.until_failed("health", "HealthCheckFailed").await;
    assert!(message.contains("CEL expression"), "{message}");
    listener.inspect(&message);
    // The panic of a run is caught and logged, and the next run succeeds.
    clock.0.store(true, Ordering::SeqCst);
    bed.request("opened", "through a panic").await;
    bed.until_handled("opened", "through a panic").await;

    let kustomizations = bed.kustomizations();
    for object in kustomizations.list(&ListParams::default()).await.unwrap() {
        let text = serde_json::to_string(&object).unwrap();
        listener.inspect(&text);
    }
    let events: Api<Event> = Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
    let events = events.list(&ListParams::default()).await.unwrap();
    assert!(events.items.len() > 3);
    for event in events {
        let text = serde_json::to_string(&event).unwrap();
        listener.inspect(&text);
    }
    assert!(sink.events().len() > 3);
    for event in sink.events() {
        let text = serde_json::to_string(&event).unwrap();
        listener.inspect(&text);
    }
    let metrics = bed.metrics();
    assert!(metrics.contains("gotk_reconcile_duration_seconds_count"));
    listener.inspect(&metrics);
}

/// Starts a server that rejects every request with an echo of it.
async fn start_echo_server() -> String {
    let repeat = async |headers: HeaderMap, body: String| {
        let echo = format!("{headers:?} {body}");
        (
            StatusCode::BAD_REQUEST,
            json!({"errors": [echo]}).to_string(),
        )
    };
    served(axum::Router::new().fallback(repeat)).await
}

/// Creates the Secrets that the Kustomizations reference.
#[expect(
    clippy::too_many_lines,
    reason = "one entry for each place of a secret"
)]
async fn create_secrets(bed: &Bed, echo: &str) {
    bed.secret("keys", json!({"a.agekey": KEY}), false).await;
    let broken = format!("AGE-SECRET-KEY-1{}", canary("key").to_uppercase());
    bed.secret(
        "broken",
        json!({"a.agekey": broken, "b.agekey": canary("key")}),
        false,
    )
    .await;
    let rsa = fixture("keys/rsa.asc");
    bed.secret("openpgp", json!({"a.asc": rsa}), false).await;
    let armored = |body: &str| {
        format!(
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{body}\n-----END PGP PRIVATE KEY BLOCK-----\n"
        )
    };
    let (head, tail) = rsa.split_at(rsa.len() / 2);
    for (name, entry, text) in [
        ("openpgp-text", "a.asc", canary("openpgp")),
        (
            "openpgp-body",
            "a.asc",
            armored(&base64(&canary("openpgp-body"))),
        ),
        ("openpgp-cut", "a.asc", head.to_owned()),
        ("openpgp-end", "a.asc", armored(tail)),
        (
            "aws",
            "sops.aws-kms",
            format!("aws_secret_access_key: {}\n: [", canary("aws")),
        ),
        (
            "azure",
            "sops.azure-kv",
            format!("clientSecret: {}", canary("azure")),
        ),
        (
            "gcp",
            "sops.gcp-kms",
            json!({"private_key": canary("gcp")}).to_string(),
        ),
        ("gcp-text", "sops.gcp-kms", canary("gcp-text")),
    ] {
        bed.secret(name, json!({entry: text}), false).await;
    }
    // The Vault server is unreachable, so the token is sent in every retry.
    bed.secret(
        "vault",
        json!({"sops.vault-token": canary("vault-token")}),
        false,
    )
    .await;
    bed.secret(
        "variables",
        json!({
            "good": canary("variable"),
            "label": canary("label is none!"),
            "yaml": format!("{{{}: [", canary("yaml")),
            "alias": format!("*{}", canary("alias")),
            "lines": format!("first line of it\n{}\nlast", canary("line")),
        }),
        false,
    )
    .await;
    let server = "https://127.0.0.1:1";
    let user = |user: &serde_json::Value| {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {"server": server}}],
            "users": [{"name": "a", "user": user}],
        })
        .to_string()
    };
    // A proxy or server whose URL holds a name and password.
    let cluster = |cluster: serde_json::Value| {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": cluster}],
            "users": [{"name": "a", "user": {"token": canary("proxied-token")}}],
        })
        .to_string()
    };
    let proxied = |scheme: &str, rest: &str| {
        let proxy = format!("{scheme}://user:{}@{rest}", canary("proxy-password"));
        cluster(json!({"server": server, "proxy-url": proxy}))
    };
    let kubeconfigs = json!({
        "proxy-http": proxied("http", "127.0.0.1:1"),
        "proxy-https": proxied("https", "127.0.0.1:1"),
        "proxy-socks": proxied("socks5", "127.0.0.1:1"),
        "proxy-ftp": proxied("ftp", "127.0.0.1:1"),
        "proxy-port": proxied("http", "127.0.0.1:nine"),
        "proxy-refuses": proxied("http", echo.trim_start_matches("http://")),
        "server": cluster(json!({"server": format!("https://user:{}@127.0.0.1:1", canary("server-password"))})),
        "token": user(&json!({"token": canary("kubeconfig-token")})),
        "password": user(&json!({"username": "a", "password": canary("kubeconfig-password")})),
        "key": user(&json!({
            "client-key-data": base64(&canary("client-key")),
            "client-certificate-data": base64(&canary("client-certificate")),
        })),
        "exec": user(&json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": canary("command"),
            "env": [{"name": "A", "value": canary("environment")}]}})),
        "yaml": format!("{}: [", canary("kubeconfig-yaml")),
        "text": canary("kubeconfig-text"),
    });
    bed.secret("clusters", kubeconfigs, false).await;
    bed.account("stranger").await;
    let kubeconfig = sluice_system::fs::read_to_string(bed.testbed.kubeconfig()).unwrap();
    let server = kubeconfig
        .lines()
        .find_map(|line| line.trim().strip_prefix("server: "))
        .unwrap();
    let place = json!({
        "provider": "generic", "address": server, "serviceAccountName": "stranger",
        "audiences": "https://kubernetes.default.svc",
    });
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "place"}, "data": place}))
        .await;
}

/// The directories of the artifact.
#[expect(
    clippy::too_many_lines,
    reason = "one entry for each place of a secret"
)]
async fn manifests(bed: &Bed, echo: &str) -> Vec<(String, String)> {
    let secret = |name: &str, body: &str| {
        format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: NAMESPACE}}\n{body}\n"
        )
    };
    let labelled = |name: &str, label: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: {}\n  labels: {{a: \"{label}\"}}\ndata: {{a: b}}\n",
            bed.namespace
        )
    };
    let value =
        |name: &str, value: &str| config(name, "x").replace("key: 'x'", &format!("key: {value}"));
    let sops = async |text: String, regex: &str| {
        let rule = Rule::EncryptedRegex(regex.to_owned());
        encrypted(&text, Format::Yaml, age(), rule).await
    };
    let plain = |name: &str| {
        let text = secret(
            name,
            &format!("stringData: {{password: {}}}", canary("plaintext")),
        );
        text.replace("NAMESPACE", &bed.namespace)
    };
    let patch = labelled("patched", &canary("patch is none!"));
    let mut files = vec![
        ("plain/a.yaml", secret("a", &format!("stringData: {{a: {}}}\ndata: {{b: {}}}", canary("text"), base64(&canary("data"))))),
        ("secret-type/a.yaml", secret("tls", &format!("type: kubernetes.io/tls\nstringData: {{tls.crt: {}}}", canary("certificate")))),
        ("secret-data/a.yaml", secret("data", &format!("data: {{a: '{}!'}}", canary("no-base64")))),
        ("secret-shape/a.yaml", secret("shape", &format!("stringData: {{a: [{}]}}", canary("list")))),
        ("secret-field/a.yaml", secret("field", &format!("immutable: {}", canary("field")))),
        ("usable/a.yaml", value("variable", "${good}")),
        ("variable-label/a.yaml", labelled("a", "${label}")),
        ("variable-number/a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: NAMESPACE}\nspec: {ports: [{port: 80, targetPort: \"${label}\"}]}\n".to_owned()),
        ("variable-yaml/a.yaml", value("a", "${yaml}")),
        ("variable-alias/a.yaml", value("a", "${alias}")),
        ("variable-line/a.yaml", labelled("a", "${lines}")),
        ("opened/a.yaml", sops(plain("sops"), "^(stringData)$").await),
        ("sops-label/a.yaml", sops(labelled("a", &canary("sops label is none!")), "^(labels)$").await),
        ("sops-patch/kustomization.yaml", "resources: [a.yaml]\npatches: [{path: patch.yaml}]\n".to_owned()),
        ("sops-patch/a.yaml", config("patched", "1")),
        ("sops-patch/patch.yaml", sops(patch, "^(labels)$").await),
    ];
    let broken = sops(plain("broken"), "^(stringData)$").await;
    // A value that was moved to another key cannot be decrypted.
    files.push((
        "sops-broken/a.yaml",
        broken.replace("password:", "passwort:"),
    ));
    for (path, address) in [
        ("sops-vault/a.yaml", "http://127.0.0.1:1"),
        ("sops-gossip/a.yaml", echo),
    ] {
        let vault = Recipient::Vault {
            address: address.to_owned(),
            engine: "sops".to_owned(),
            key: "key".to_owned(),
        };
        let rule = Rule::EncryptedRegex("^(stringData)$".to_owned());
        let of_vault = encrypted(&plain("vault"), Format::Yaml, vault, rule).await;
        files.push((path, of_vault));
    }
    let of_namespace = "namespace: NAMESPACE\nresources: [a.yaml]\n";
    for (path, kustomization, document, object) in [
        (
            "of-rsa/kustomization.yaml",
            of_namespace,
            "of-rsa/a.yaml",
            "rsa",
        ),
        (
            "of-curve25519/kustomization.yaml",
            of_namespace,
            "of-curve25519/a.yaml",
            "curve25519",
        ),
    ] {
        files.push((path, kustomization.to_owned()));
        files.push((document, fixture(&format!("objects/{object}.yaml"))));
    }
    // Remote bases whose URLs hold credentials.
    let address = echo.trim_start_matches("http://");
    for (path, base) in [
        (
            "base-git/kustomization.yaml",
            format!(
                "http://user:{}@127.0.0.1:1/a.git//b?ref=main",
                canary("base-password")
            ),
        ),
        (
            "base-gossip/kustomization.yaml",
            format!(
                "http://user:{}@{address}/a.git//b?ref=main",
                canary("base-gossip")
            ),
        ),
        (
            "base-file/kustomization.yaml",
            format!("http://user:{}@{address}/a.yaml", canary("file-password")),
        ),
        (
            "base-query/kustomization.yaml",
            format!("{echo}/a.yaml?token={}", canary("file-token")),
        ),
    ] {
        files.push((path, format!("resources: ['{base}']\n")));
    }
    files
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text))
        .collect()
}

/// Failing Kustomizations: name, directory, spec and expected reason.
fn refusals() -> Vec<(&'static str, &'static str, serde_json::Value, &'static str)> {
    let applied = "ReconciliationFailed";
    let built = "BuildFailed";
    let remote =
        |entry: &str| json!({"kubeConfig": {"secretRef": {"name": "clusters", "key": entry}}});
    vec![
        ("secret-type", "secret-type", json!({}), applied),
        ("secret-data", "secret-data", json!({}), applied),
        ("secret-shape", "secret-shape", json!({}), applied),
        ("secret-field", "secret-field", json!({}), applied),
        (
            "variable-label",
            "variable-label",
            with_variables(),
            applied,
        ),
        (
            "variable-number",
            "variable-number",
            with_variables(),
            applied,
        ),
        ("variable-yaml", "variable-yaml", with_variables(), built),
        ("variable-alias", "variable-alias", with_variables(), built),
        ("variable-line", "variable-line", with_variables(), applied),
        ("sops-label", "sops-label", with_keys("keys"), applied),
        ("sops-patch", "sops-patch", with_keys("keys"), applied),
        ("sops-broken", "sops-broken", with_keys("keys"), built),
        ("key", "opened", with_keys("broken"), built),
        ("vault", "sops-vault", with_keys("vault"), built),
        (
            "own-token",
            "sops-vault",
            json!({"decryption": {"provider": "sops"}}),
            built,
        ),
        ("gossip", "sops-gossip", with_keys("vault"), built),
        (
            "own-gossip",
            "sops-gossip",
            json!({"decryption": {"provider": "sops"}}),
            built,
        ),
        (
            "openpgp-other",
            "of-curve25519",
            with_keys("openpgp"),
            built,
        ),
        ("openpgp-text", "of-rsa", with_keys("openpgp-text"), built),
        ("openpgp-body", "of-rsa", with_keys("openpgp-body"), built),
        ("openpgp-cut", "of-rsa", with_keys("openpgp-cut"), built),
        ("openpgp-end", "of-rsa", with_keys("openpgp-end"), built),
        ("aws", "opened", with_keys("aws"), built),
        ("azure", "opened", with_keys("azure"), built),
        ("gcp", "opened", with_keys("gcp"), built),
        ("gcp-text", "opened", with_keys("gcp-text"), built),
        ("base-git", "base-git", json!({}), built),
        ("base-gossip", "base-gossip", json!({}), built),
        ("base-file", "base-file", json!({}), built),
        ("base-query", "base-query", json!({}), built),
        ("proxy-http", "usable", remote("proxy-http"), applied),
        ("proxy-https", "usable", remote("proxy-https"), applied),
        ("proxy-socks", "usable", remote("proxy-socks"), applied),
        ("proxy-ftp", "usable", remote("proxy-ftp"), applied),
        ("proxy-port", "usable", remote("proxy-port"), applied),
        ("proxy-refuses", "usable", remote("proxy-refuses"), applied),
        ("server", "usable", remote("server"), applied),
        ("token", "usable", remote("token"), applied),
        ("password", "usable", remote("password"), applied),
        ("client-key", "usable", remote("key"), applied),
        ("exec", "usable", remote("exec"), applied),
        ("yaml", "usable", remote("yaml"), applied),
        ("text", "usable", remote("text"), applied),
        (
            "stranger",
            "plain",
            json!({"kubeConfig": {"configMapRef": {"name": "place"}}}),
            applied,
        ),
    ]
}

fn of_folder(folder: &str, mut spec: serde_json::Value) -> serde_json::Value {
    spec["path"] = json!(folder);
    spec
}

/// A spec whose health expression fails on the value of a Secret.
fn judged_by_its_secret() -> serde_json::Value {
    json!({
        "wait": true, "timeout": "30s",
        "healthCheckExprs": [{"apiVersion": "v1", "kind": "Secret",
            "current": "int(string(base64.decode(data.a))) > 0"}],
    })
}

fn with_variables() -> serde_json::Value {
    json!({"postBuild": {"substituteFrom": [{"kind": "Secret", "name": "variables"}]}})
}

fn with_keys(secret: &str) -> serde_json::Value {
    json!({"decryption": {"provider": "sops", "secretRef": {"name": secret}}})
}

//! Secret values do not leak: into logs of any level and crate, events, conditions, metrics or
//! files of the storage. The logs of the Kubernetes client are excluded, since they are off.
//!
//! Each canary is a value at one place that holds secrets: a Secret, a URL, or an answer of a
//! remote. The controller uses them, fails with them, and gets errors that quote them.

use std::path::Path;

use k8s_openapi::api::core::v1::Event;
use serde_json::{Value, json};
use sluice_testkit::canary::{LeakDetector, SIGNAL, base64, canary, detect_leaks};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;
use sluice_testkit::{GitBackend, Registry, RegistryOptions, SshServer};

use crate::oci::{self, Oci};
use crate::{commit, condition};

/// A failing object: its name, the entries of its Secret, and its spec.
type Refusal = (&'static str, Vec<(&'static str, String)>, Value);

#[test]
fn secrets_do_not_leak_at_any_log_level() {
    detect_leaks(sluice_host::log::CLIENT_FILTER, 1, check_for_leaks);
}

async fn check_for_leaks(listener: LeakDetector) {
    tracing::trace!("{SIGNAL}");
    let world = Oci::new("canary").await;
    git(&world).await;
    packages(&world, &listener).await;

    let client = world.bed.client().await;
    let events: Api<Event> = Api::namespaced(client, &world.namespace);
    let events = events.list(&ListParams::default()).await.unwrap();
    assert!(events.items.len() > 10);
    for event in events {
        listener.inspect(&serde_json::to_string(&event).unwrap());
    }
    assert!(world.events.events().len() > 10);
    for event in world.events.events() {
        listener.inspect(&serde_json::to_string(&event).unwrap());
    }
    // The parts of the objects that the controller writes.
    for object in world
        .api()
        .await
        .list(&ListParams::default())
        .await
        .unwrap()
    {
        listener.inspect(&serde_json::to_string(&object.status).unwrap());
    }
    for object in world
        .objects()
        .await
        .list(&ListParams::default())
        .await
        .unwrap()
    {
        listener.inspect(&serde_json::to_string(&object.status).unwrap());
    }
    let metrics = world.metrics();
    assert!(metrics.contains("gotk_reconcile_duration_seconds_count"));
    listener.inspect(&metrics);
    let files = inspect_files(&listener, &world.storage());
    assert!(files > 5, "{files} files are stored");
}

/// Feeds the names and contents of all files below a directory to the detector.
fn inspect_files(listener: &LeakDetector, directory: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        listener.inspect(&entry.path().display().to_string());
        if entry.file_type().unwrap().is_dir() {
            files += inspect_files(listener, &entry.path());
        } else {
            let content = std::fs::read(entry.path()).unwrap();
            listener.inspect(&String::from_utf8_lossy(&content));
            files += 1;
        }
    }
    files
}

async fn refused(world: &Oci, url: &str, refusals: Vec<Refusal>) {
    for (name, entries, mut spec) in refusals {
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        world.secret(name, &entries).await;
        if spec.get("url").is_none() {
            spec["url"] = url.into();
        }
        if spec.get("proxySecretRef").is_none() {
            spec["secretRef"] = json!({ "name": name });
        }
        world.create(name, &spec).await;
        world
            .until(name, "is refused", |object| {
                condition(object, "Ready").0 == "False"
            })
            .await;
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one controller, whose log is searched after every failure"
)]
async fn git(world: &Oci) {
    let (user, password, token) = (canary("user"), canary("password"), canary("bearer"));
    let basic = GitBackend::start_with(HttpOptions {
        basic: Some((user.clone(), password.clone())),
        ..HttpOptions::default()
    })
    .await;
    let bearer = GitBackend::start_with(HttpOptions {
        bearer: Some(token.clone()),
        tls: true,
        ..HttpOptions::default()
    })
    .await;
    let authority = bearer.authority().unwrap().certificate();
    for server in [&basic, &bearer] {
        commit(
            &server.create("app", "main"),
            "First",
            &[("a.yaml", "a: 1\n")],
        );
    }
    // Objects that succeed.
    world
        .secret("basic", &[("username", &user), ("password", &password)])
        .await;
    world
        .secret("bearer", &[("bearerToken", &token), ("ca.crt", &authority)])
        .await;
    for (name, server) in [("basic", &basic), ("bearer", &bearer)] {
        let spec = json!({ "url": server.url("app"), "secretRef": { "name": name } });
        world.create(name, &spec).await;
        world.ready(name).await;
    }
    // Objects that fail.
    let address = basic
        .url("app")
        .replacen("://", &format!("://a:{}@", canary("url")), 1);
    let wrong = |entries: &[(&'static str, String)]| entries.to_vec();
    refused(
        world,
        &basic.url("app"),
        vec![
            (
                "wrong",
                wrong(&[("username", user.clone()), ("password", canary("wrong"))]),
                json!({}),
            ),
            ("half", wrong(&[("password", canary("half"))]), json!({})),
            (
                "address",
                wrong(&[("username", user.clone()), ("password", canary("wrong"))]),
                json!({ "url": address }),
            ),
            (
                "lines",
                wrong(&[
                    ("username", user.clone()),
                    ("password", format!("a\n{}", canary("line"))),
                ]),
                json!({}),
            ),
            (
                "proxy",
                wrong(&[
                    ("address", "http://127.0.0.1:1".to_owned()),
                    ("username", canary("proxy-user")),
                    ("password", canary("proxy-password")),
                ]),
                json!({ "proxySecretRef": { "name": "proxy" } }),
            ),
            (
                "proxy-address",
                wrong(&[(
                    "address",
                    format!("http://a:{}@127.0.0.1:1", canary("proxy-url")),
                )]),
                json!({ "proxySecretRef": { "name": "proxy-address" } }),
            ),
            (
                "app",
                wrong(&[
                    ("githubAppID", "42".to_owned()),
                    ("githubAppInstallationID", "7".to_owned()),
                    ("githubAppPrivateKey", canary("app")),
                ]),
                json!({ "provider": "github" }),
            ),
        ],
    )
    .await;
    refused(
        world,
        &bearer.url("app"),
        vec![
            (
                "token",
                wrong(&[
                    ("bearerToken", canary("wrong")),
                    ("ca.crt", authority.clone()),
                ]),
                json!({}),
            ),
            (
                "pair",
                wrong(&[
                    ("tls.crt", canary("certificate")),
                    ("tls.key", canary("key")),
                    ("ca.crt", authority.clone()),
                ]),
                json!({}),
            ),
            (
                "authority",
                wrong(&[("ca.crt", canary("authority"))]),
                json!({}),
            ),
        ],
    )
    .await;
    let ssh = SshServer::start().await;
    ssh.create("app", "main");
    let known = ssh.known_hosts();
    refused(
        world,
        &ssh.url("app"),
        vec![
            (
                "identity",
                wrong(&[
                    ("identity", canary("identity")),
                    ("known_hosts", known.clone()),
                ]),
                json!({}),
            ),
            (
                "locked",
                wrong(&[
                    ("identity", locked()),
                    ("password", canary("passphrase")),
                    ("known_hosts", known),
                ]),
                json!({}),
            ),
            (
                "hosts",
                wrong(&[
                    ("identity", ssh.client_key()),
                    ("known_hosts", format!("{} ssh-rsa", canary("host"))),
                ]),
                json!({}),
            ),
        ],
    )
    .await;
}

/// A private key with another passphrase.
fn locked() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "another", "-f"])
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    std::fs::read_to_string(path).unwrap()
}

async fn packages(world: &Oci, listener: &LeakDetector) {
    listener.add_secret(Registry::PASSWORD);
    listener.add_secret(&base64(&format!(
        "{}:{}",
        Registry::USER,
        Registry::PASSWORD
    )));
    let registry = Registry::start_with(RegistryOptions {
        token: true,
        ..RegistryOptions::default()
    })
    .await;
    oci::push(
        &registry,
        "app",
        "latest",
        &oci::layer(&[("a.yaml", "a: 1\n")]),
    )
    .await;
    let config = registry.docker_config();
    let kind = "kubernetes.io/dockerconfigjson";
    let wrong = config.replace(Registry::PASSWORD, &canary("pull"));
    let encoded =
        json!({ "auths": { registry.url("app"): { "auth": base64(&canary("no colon")) } } });
    for (name, config) in [
        ("pull", config),
        ("pull-wrong", wrong),
        (
            "pull-garbled",
            format!("{{\"auths\": {{\"x\": \"{}\"}}}}", canary("garbled")),
        ),
        ("pull-encoded", encoded.to_string()),
    ] {
        let entries = [(".dockerconfigjson", config.as_bytes())];
        world.typed_secret(name, kind, &entries).await;
    }
    let proxy = format!("http://a:{}@127.0.0.1:1", canary("oci-proxy"));
    world
        .typed_secret("oci-proxy", "Opaque", &[("address", proxy.as_bytes())])
        .await;
    let (certificate, key) = (canary("oci-certificate"), canary("oci-key"));
    world
        .typed_secret(
            "oci-pair",
            "kubernetes.io/tls",
            &[
                ("tls.crt", certificate.as_bytes()),
                ("tls.key", key.as_bytes()),
            ],
        )
        .await;
    let url = registry.url("app");
    let named = |field: &str, name: &str| json!({ field: { "name": name } });
    world
        .follow("pull", &url, &named("secretRef", "pull"))
        .await;
    world.is_ready("pull").await;
    for (name, field, reason) in [
        ("pull-wrong", "secretRef", "OCIArtifactPullFailed"),
        ("pull-garbled", "secretRef", "AuthenticationFailed"),
        ("pull-encoded", "secretRef", "AuthenticationFailed"),
        ("oci-proxy", "proxySecretRef", "OCIArtifactPullFailed"),
        ("oci-pair", "certSecretRef", "AuthenticationFailed"),
    ] {
        world.follow(name, &url, &named(field, name)).await;
        world.is_refused(name, reason).await;
    }
}

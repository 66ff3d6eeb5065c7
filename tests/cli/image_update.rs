//! Tests `build image-update` against a registry. `cases/build-image-update.trycmd` needs none.

use std::sync::{Arc, Mutex};

use sluice_testkit::{Registry, Sluice};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::program;

/// An automation with two policies. `HOST` is the registry.
const OBJECTS: &str = r#"apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: { name: app }
spec: { image: HOST/app, interval: 5m, insecure: true, exclusionList: ["^1[.]3"] }
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: app }
spec:
  imageRepositoryRef: { name: app }
  policy: { semver: { range: 1.x } }
  digestReflectionPolicy: IfNotPresent
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: none }
spec:
  imageRepositoryRef: { name: app }
  policy: { semver: { range: 9.x } }
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageUpdateAutomation
metadata: { name: fleet }
spec:
  interval: 30m
  sourceRef: { kind: GitRepository, name: fleet }
  git: { commit: { author: { email: bot@example.com } } }
  update: { strategy: Setters, path: apps }
"#;

const MARKED: &str = "image: app:1.0.0 # {\"$imagepolicy\": \"apps:app\"}\n\
                      none: 1 # {\"$imagepolicy\": \"apps:none:tag\"}\n";

/// The command that shows the edits of the automation.
fn build(path: &str) -> [&str; 7] {
    [
        "build",
        "image-update",
        "fleet",
        "-n",
        "apps",
        "--path",
        path,
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_and_digests_come_from_the_registry() {
    let (sluice, registry) = (Sluice::at(program::sluice()), Registry::start().await);
    let root = tempfile::tempdir().unwrap();
    let path = root.path().to_str().unwrap().to_owned();
    std::fs::create_dir(root.path().join("apps")).unwrap();
    std::fs::write(root.path().join("apps/app.yaml"), MARKED).unwrap();
    let objects = OBJECTS.replace("HOST", registry.host());
    std::fs::write(root.path().join("images.yaml"), objects).unwrap();
    for tag in ["1.0.0", "1.2.0", "1.3.0", "2.0.0", "latest", "1.9.0-rc.1"] {
        let url = format!("{}:{tag}", registry.url("app"));
        let push = [
            "push",
            "artifact",
            &url,
            "--path",
            &path,
            "--source",
            "x",
            "--revision",
            tag,
        ];
        let (code, said) = sluice.run(&push).await;
        assert_eq!(code, Some(0), "{said}");
    }
    let build = build(&path);
    let (code, said) = sluice.run(&build).await;
    assert_eq!(code, Some(1), "{said}");
    let selected = format!(
        "✔ ImagePolicy apps/app selects {}/app:1.2.0@sha256:",
        registry.host()
    );
    assert!(said.contains(&selected), "{said}");
    let reason = "⚠️ ImagePolicy apps/none selects no tag: unable to determine latest version from \
                  provided list";
    assert!(said.contains(reason), "{said}");
    let hint = "⚠️ ImagePolicy apps/app: '1.9.0-rc.1' is newer: append '-0' to the versions of the range to \
                accept pre-releases";
    assert!(said.contains(hint), "{said}");
    let added = format!("\n+image: {}/app:1.2.0@sha256:", registry.host());
    assert!(said.contains(&added) && !said.contains("\n+none"), "{said}");

    let (code, said) = sluice.run(&[&build[..], &["--write"]].concat()).await;
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = sluice.run(&build).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("✔ no changes\n"), "{said}");

    drop(registry);
    let (code, said) = sluice.run(&build).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("failed to list the tags of image '"),
        "{said}"
    );
    assert!(said.contains("hint: set --tags to preview a tag"), "{said}");
}

/// A registry without TLS that denies all requests. It records them.
struct DenyingRegistry {
    host: String,
    requests: Arc<Mutex<String>>,
}

impl DenyingRegistry {
    async fn start(address: &str) -> Self {
        let listener = tokio::net::TcpListener::bind((address, 0)).await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let requests: Arc<Mutex<String>> = Arc::default();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = vec![0; 4096];
                let read = stream.read(&mut head).await.unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..read]).to_lowercase();
                seen.lock().unwrap().push_str(&head);
                let answer = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\
                              WWW-Authenticate: Basic realm=\"x\"\r\nConnection: close\r\n\r\n";
                stream.write_all(answer.as_bytes()).await.ok();
            }
        });
        Self { host, requests }
    }
}

/// Only the second address counts as a host of the network.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_cannot_send_the_login_without_tls() {
    for (address, is_sent, hint) in [
        ("127.0.0.1", true, "hint: run docker login"),
        (
            "127.0.0.2",
            false,
            "hint: credentials are not sent to an insecure registry",
        ),
    ] {
        let registry = DenyingRegistry::start(address).await;
        let root = tempfile::tempdir().unwrap();
        let path = root.path().to_str().unwrap().to_owned();
        std::fs::create_dir(root.path().join("apps")).unwrap();
        std::fs::write(root.path().join("apps/app.yaml"), MARKED).unwrap();
        let objects = OBJECTS.replace("HOST", &registry.host);
        std::fs::write(root.path().join("images.yaml"), objects).unwrap();
        // "me:canary" in base64.
        let login = format!(
            r#"{{"auths":{{"{}":{{"auth":"bWU6Y2FuYXJ5"}}}}}}"#,
            registry.host
        );
        std::fs::write(root.path().join("config.json"), login).unwrap();
        let sluice = Sluice::at(program::sluice()).variable("DOCKER_CONFIG", path.clone());
        let build = build(&path);
        let (code, said) = sluice.run(&build).await;
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(hint), "{said}");
        let requests = registry.requests.lock().unwrap();
        assert!(requests.contains("get /v2/"), "{requests}");
        let is_found = requests.contains("authorization: basic bwu6y2fuyxj5");
        assert_eq!(is_found, is_sent, "{address}: {requests}");
    }
}

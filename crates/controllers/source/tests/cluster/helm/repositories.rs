//! `HelmRepository` with a real chart server.

use serde_json::json;
use sluice_api::source::{HelmRepository, HelmRepositoryStatus};
use sluice_digest::Digest;

use super::{Helm, artifact, state};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn index_is_stored_and_served_as_json() {
    let helm = Helm::new("helm-index").await;
    helm.server
        .publish("app", "1.0.0", &[("values.yaml", "a: 1\n")]);
    helm.follow("charts", &json!({})).await;
    let repository: HelmRepository = helm.becomes_ready("charts").await;
    let artifact = artifact(&repository);
    let hex = artifact.revision.strip_prefix("sha256:").unwrap();
    let path = format!("helmrepository/{}/charts/index-{hex}.yaml", helm.namespace);
    assert_eq!(artifact.path, path);
    let stored = helm.stored(&repository);
    assert_eq!(artifact.digest, Digest::of(&stored).to_string());
    let index: serde_json::Value = serde_json::from_slice(&stored).unwrap();
    assert_eq!(index["entries"]["app"][0]["version"], "1.0.0");
    let status = repository.status.as_ref().unwrap();
    let link = artifact
        .url
        .replace(&format!("index-{hex}.yaml"), "index.yaml");
    assert_eq!(status.url.as_deref(), Some(&*link));
    let (_, reason, message) = state(&repository, "Ready");
    assert_eq!(reason, "Succeeded");
    assert_eq!(
        message,
        format!("stored artifact: revision '{}'", artifact.revision)
    );
    assert_eq!(state(&repository, "ArtifactInStorage").0, "True");

    let size = artifact.size.unwrap();
    let text = format!(
        "stored fetched index of size {size}B from '{}'",
        helm.server.url()
    );
    let event = helm
        .events
        .wait_for("a new index", |event| event.message == text);
    assert_eq!(event.await.reason, "NewArtifact");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_index_replaces_stored_one() {
    let helm = Helm::new("helm-change").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    let first: HelmRepository = helm.becomes_ready("charts").await;
    let again: HelmRepository = helm.ask("charts").await;
    assert_eq!(artifact(&again), artifact(&first), "nothing has changed");
    let statuses = || {
        let requests = helm.server.requests().into_iter();
        requests.map(|request| request.status).collect::<Vec<_>>()
    };
    assert_eq!(statuses(), [200, 304], "the index is not downloaded again");

    helm.server.publish("app", "1.1.0", &[]);
    let second: HelmRepository = helm.ask("charts").await;
    assert_ne!(artifact(&second).revision, artifact(&first).revision);
    let stored = helm.stored(&second);
    let index: serde_json::Value = serde_json::from_slice(&stored).unwrap();
    assert_eq!(index["entries"]["app"][0]["version"], "1.1.0");
    assert_eq!(index["entries"]["app"][1]["version"], "1.0.0");

    // A lost file is fetched again.
    std::fs::remove_file(helm.storage().join(&artifact(&second).path)).unwrap();
    let restored: HelmRepository = helm.ask("charts").await;
    assert_eq!(artifact(&restored).digest, artifact(&second).digest);
    assert_eq!(helm.stored(&restored), stored);
    assert_eq!(statuses(), [200, 304, 200, 304, 200]);

    helm.delete::<HelmRepository>("charts").await;
    assert!(!helm.directory("helmrepository", "charts").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_index_keeps_stored_one() {
    let helm = Helm::new("helm-bad").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    let before: HelmRepository = helm.becomes_ready("charts").await;
    let url = helm.server.url();
    let loading = "failed to load Helm repository from index YAML: failed to load index: ";
    for (text, reason, message) in [
        (
            "apiVersion: v1\nentries: []\n",
            "IndexationFailed",
            format!(
                "{loading}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal \
                 array into Go struct field IndexFile.entries of type \
                 map[string]repo.ChartVersions"
            ),
        ),
        (
            "entries: {}\n",
            "IndexationFailed",
            format!("{loading}no API version specified"),
        ),
        (
            "",
            "IndexationFailed",
            format!("{loading}empty index.yaml file"),
        ),
    ] {
        helm.server.put("index.yaml", text.as_bytes());
        helm.ask::<HelmRepository>("charts").await;
        let (object, said) = helm.is_refused::<HelmRepository>("charts", reason).await;
        assert_eq!(said, message);
        assert_eq!(state(&object, "FetchFailed").0, "True");
        assert_eq!(artifact(&object), artifact(&before));
    }
    helm.server.remove("index.yaml");
    let (object, said) = helm.is_refused::<HelmRepository>("charts", "Failed").await;
    let fetching = "failed to fetch Helm repository index: failed to cache index to temporary file";
    let expected = format!("{fetching}: failed to fetch {url}/index.yaml : 404 Not Found");
    assert_eq!(said, expected);
    assert_eq!(artifact(&object), artifact(&before));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_index_stops_at_the_limit() {
    let helm = Helm::new("helm-huge").await;
    helm.server.put_endless("index.yaml");
    helm.follow("charts", &json!({})).await;
    let (object, message) = helm.is_refused::<HelmRepository>("charts", "Failed").await;
    let end = "index exceeds the maximum index file size of 52428800 bytes";
    assert!(message.ends_with(end), "{message}");
    assert!(object.status.unwrap().artifact.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_come_from_the_secret() {
    let helm = Helm::new("helm-auth").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.server.require("me", "canary-password");
    for (name, entries) in [
        (
            "right",
            vec![("username", "me"), ("password", "canary-password")],
        ),
        (
            "wrong",
            vec![("username", "me"), ("password", "canary-other")],
        ),
        ("half", vec![("username", "me")]),
        ("garbled", vec![("ca.crt", "canary")]),
    ] {
        helm.secret(name, &entries).await;
        helm.follow(name, &json!({ "secretRef": { "name": name } }))
            .await;
    }
    helm.follow("absent", &json!({ "secretRef": { "name": "absent" } }))
        .await;
    helm.follow(
        "uncertain",
        &json!({ "certSecretRef": { "name": "garbled" } }),
    )
    .await;
    helm.becomes_ready::<HelmRepository>("right").await;
    let namespace = &helm.namespace;
    for (name, reason, said) in [
        (
            "wrong",
            "Failed",
            "/index.yaml : 401 Unauthorized".to_owned(),
        ),
        (
            "half",
            "AuthenticationFailed",
            format!("'{namespace}/half'"),
        ),
        (
            "absent",
            "AuthenticationFailed",
            format!(
                "failed to get authentication secret '{namespace}/absent': secrets \"absent\" not \
                 found"
            ),
        ),
        (
            "garbled",
            "AuthenticationFailed",
            "failed to detect authentication methods".to_owned(),
        ),
        (
            "uncertain",
            "AuthenticationFailed",
            "failed to construct Helm client's TLS config".to_owned(),
        ),
    ] {
        let (_, message) = helm.is_refused::<HelmRepository>(name, reason).await;
        assert!(message.contains(&said), "{name}: {message}");
        assert!(!message.contains("canary"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_url_stalls() {
    let helm = Helm::new("helm-url").await;
    helm.follow(
        "charts",
        &json!({ "url": "oci://registry.example.com/charts" }),
    )
    .await;
    let (object, message) = helm
        .is_refused::<HelmRepository>("charts", "URLInvalid")
        .await;
    assert_eq!(
        message,
        "invalid Helm repository URL: 'oci' URL scheme cannot be used with 'default' \
         HelmRepository type"
    );
    assert_eq!(state(&object, "Stalled").0, "True");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn registry_repository_has_neither_status_nor_finalizer() {
    let helm = Helm::new("helm-static").await;
    helm.server.publish("app", "1.0.0", &[]);
    helm.follow("charts", &json!({})).await;
    helm.becomes_ready::<HelmRepository>("charts").await;
    assert!(helm.directory("helmrepository", "charts").exists());
    let spec = json!({ "type": "oci", "url": "oci://registry.example.com/charts" });
    helm.change::<HelmRepository>("charts", json!({ "spec": spec }))
        .await;
    helm.make::<HelmRepository>("new", &spec).await;
    for name in ["charts", "new"] {
        let cleared = |object: &HelmRepository| {
            let is_empty = object
                .status
                .as_ref()
                .is_none_or(|status| *status == HelmRepositoryStatus::default());
            is_empty
                && object
                    .metadata
                    .finalizers
                    .as_ref()
                    .is_none_or(Vec::is_empty)
        };
        helm.sees(name, "has no status", cleared).await;
    }
    assert!(!helm.directory("helmrepository", "charts").exists());
    helm.delete::<HelmRepository>("new").await;
}

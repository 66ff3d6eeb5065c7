//! `HelmRepository` with a real chart server.

use serde_json::json;
use sluice_api::source::HelmRepository;
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

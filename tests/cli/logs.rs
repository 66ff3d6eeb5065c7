//! `logs --follow` against a server that ends every log, as one does whose controller was started
//! again.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{StatusCode, Uri};
use sluice_testkit::Sluice;

const PODS: &str = r#"{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [
    {"metadata": {"name": "one", "namespace": "flux-system"}, "spec": {"containers": []}}]}"#;

fn line(second: u8, message: &str) -> String {
    format!(
        "2026-01-02T03:04:0{second}.5Z {{\"level\":\"info\",\"ts\":\"{second}\",\"msg\":\"{message}\"}}\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_ends_is_taken_up_behind_the_line_that_was_told_last() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let log = Arc::clone(&asked);
    let router = Router::new().fallback(move |uri: Uri| {
        let answer = match uri.path() {
            "/api/v1/namespaces/flux-system/pods" => (StatusCode::OK, PODS.to_owned()),
            "/api/v1/namespaces/flux-system/pods/one/log" => {
                let mut asked = log.lock().unwrap();
                asked.push(uri.query().unwrap_or_default().to_owned());
                let text = match asked.len() {
                    1 => line(1, "first") + &line(2, "second"),
                    // The server counts in seconds, and tells what is as old once more.
                    2 => line(2, "second") + &line(3, "third"),
                    _ => String::new(),
                };
                (StatusCode::OK, text)
            }
            _ => (StatusCode::NOT_FOUND, String::new()),
        };
        async move { answer }
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    let home = tempfile::tempdir().unwrap();
    let kubeconfig = home.path().join("config");
    let text = serde_json::json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "a",
        "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
        "clusters": [{ "name": "a", "cluster": { "server": url } }],
        "users": [{ "name": "a", "user": {} }],
    });
    std::fs::write(&kubeconfig, text.to_string()).unwrap();

    let sluice = Sluice::at(env!("CARGO_BIN_EXE_sluice"))
        .variable("KUBECONFIG", kubeconfig.display().to_string());
    let running = sluice.start(&["logs", "-A", "--follow", "--tail=2"]);
    running.printed("third").await;
    let printed = running.output();
    running.kill();
    let messages: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.split(" - ").nth(1))
        .map(str::trim)
        .collect();
    assert_eq!(messages, ["first", "second", "third"], "{printed}");
    let asked = asked.lock().unwrap();
    assert!(
        asked[0].contains("tailLines=2") && !asked[0].contains("sinceTime"),
        "{asked:?}"
    );
    assert!(
        asked[1].contains("sinceTime=2026-01-02T03%3A04%3A02") && !asked[1].contains("tailLines"),
        "{asked:?}"
    );
}

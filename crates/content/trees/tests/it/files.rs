//! Fetches files over HTTP, in each field that may refer to one.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use sluice_kustomize::{Code, Limits, Options};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::setup::{assert_engines_agree, build, folder, map, options, settings};

/// A received request: its path and credentials.
type ReceivedRequest = (String, Option<String>);

/// A server with a few files that records requests.
struct Files {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
    task: JoinHandle<()>,
}

impl Files {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let noted = Arc::clone(&seen);
        let router = Router::new().fallback(move |request: Request| {
            let noted = Arc::clone(&noted);
            async move {
                let credentials = request.headers().get(header::AUTHORIZATION);
                let credentials = credentials.map(|value| value.to_str().unwrap().to_owned());
                noted
                    .lock()
                    .unwrap()
                    .push((request.uri().to_string(), credentials));
                answer(request.uri().clone()).await
            }
        });
        let task = tokio::spawn(async move {
            axum::serve(listener, router).await.ok();
        });
        Self {
            address,
            seen,
            task,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(uri: Uri) -> Response {
    let status = |code: u16| StatusCode::from_u16(code).unwrap().into_response();
    let path = uri.path().trim_start_matches('/');
    match path {
        "map.yaml" | "a/b/map.yaml" => map("fetched").into_response(),
        "patch.yaml" => "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local}\ndata: {a: b}\n"
            .into_response(),
        "values.txt" => "some text\n".into_response(),
        "values.env" => "a=b\nc=d\n".into_response(),
        "configuration.yaml" => {
            "namePrefix:\n- {path: data/name, kind: ConfigMap}\n".into_response()
        }
        "crd.json" => "{}".into_response(),
        "schema.json" => "{\"definitions\": {}}".into_response(),
        "replacement.yaml" => "source: {kind: ConfigMap, name: local}\ntargets:\n- select: {kind: ConfigMap}\n  fieldPaths: [data.from]\n  options: {create: true}\n"
            .into_response(),
        "page" | "a/b/page" => "<html><p>log in</html>".into_response(),
        "broken.yaml" => "a: [".into_response(),
        "silent" => std::future::pending().await,
        "endless" => {
            let piece = axum::body::Bytes::from_static(&[b'#'; 4096]);
            endless(piece).into_response()
        }
        "moved.yaml" => {
            let place = [(header::LOCATION, "/map.yaml")];
            (StatusCode::FOUND, place).into_response()
        }
        "away.yaml" => {
            let to = uri.query().unwrap_or_default();
            let place = [(header::LOCATION, format!("http://{to}/map.yaml"))];
            (StatusCode::FOUND, place).into_response()
        }
        "circle" => (StatusCode::FOUND, [(header::LOCATION, "/circle")]).into_response(),
        // A number requests that status.
        path => status(path.parse().unwrap_or(404)),
    }
}

/// A body without end.
fn endless(piece: axum::body::Bytes) -> axum::body::Body {
    let pieces = std::iter::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()));
    axum::body::Body::from_stream(futures::stream::iter(pieces))
}

#[tokio::test(flavor = "multi_thread")]
async fn files_over_http_build_as_in_kustomize() {
    let server = Files::start().await;
    let url = |path: &str| server.url(path);
    let local = [("local.yaml", map("local"))];
    let local: Vec<_> = local
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let base = "resources: [local.yaml]\n";
    let annotate = "buildMetadata: [originAnnotations]\n";
    for kustomization in [
        format!("resources: ['{}']\n", url("map.yaml")),
        format!("resources: ['{}']\n", url("moved.yaml")),
        format!("resources: ['{}']\n", url("a/b/map.yaml")),
        format!("{annotate}resources: ['{}']\n", url("map.yaml")),
        format!("{annotate}resources: ['{}']\n", url("a/b/map.yaml")),
        format!("{base}patches:\n- path: '{}'\n", url("patch.yaml")),
        format!("{base}patchesStrategicMerge: ['{}']\n", url("patch.yaml")),
        format!(
            "configMapGenerator:\n- name: g\n  files: ['{}']\n",
            url("values.txt")
        ),
        format!(
            "configMapGenerator:\n- name: g\n  files: ['k={}']\n",
            url("values.txt")
        ),
        format!(
            "secretGenerator:\n- name: g\n  envs: ['{}']\n",
            url("values.env")
        ),
        format!(
            "{base}namePrefix: p-\nconfigurations: ['{}']\n",
            url("configuration.yaml")
        ),
        format!("{base}crds: ['{}']\n", url("crd.json")),
        format!("{base}openapi: {{path: '{}'}}\n", url("schema.json")),
        format!(
            "{base}replacements:\n- path: '{}'\n",
            url("replacement.yaml")
        ),
        // Fields that do not accept files.
        format!("components: ['{}']\n", url("map.yaml")),
        format!("resources: ['{}']\n", url("broken.yaml")),
        format!("resources: ['{}']\n", url("page")),
        format!("resources: ['{}']\n", url("a/b/page")),
        format!("resources: ['{}']\n", url("gone.yaml")),
        format!("resources: ['{}']\n", url("a/b/gone.yaml")),
        format!("{base}patches:\n- path: '{}'\n", url("gone.yaml")),
        format!("{base}openapi: {{path: '{}'}}\n", url("gone.json")),
        "resources: ['http://127.0.0.1:1/a.yaml']\n".to_owned(),
    ] {
        let folder = folder(&kustomization, &local);
        assert_engines_agree(folder.path(), &kustomization).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn error_status_is_reported_in_kustomizes_words() {
    let server = Files::start().await;
    for (code, meaning) in [
        (404, "Not Found"),
        (413, "Request Entity Too Large"),
        (418, "I'm a teapot"),
        (500, "Internal Server Error"),
    ] {
        let url = server.url(&format!("{code}"));
        let folder = folder(&format!("resources: ['{url}']\n"), &[]);
        let error = build(folder.path(), options(settings())).await.unwrap_err();
        assert_eq!(error.code(), Code::RemoteFailed);
        assert_eq!(
            error.to_string(),
            format!(
                "accumulating resources: accumulating resources from '{url}': HTTP Error: status code {code} ({meaning})"
            )
        );
        assert_engines_agree(folder.path(), meaning).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_fetched_once_per_build() {
    let server = Files::start().await;
    let url = server.url("values.txt");
    let gone = server.url("gone.yaml");
    let twice = folder(
        &format!(
            "configMapGenerator:\n- name: a\n  files: ['{url}']\n- name: b\n  files: ['{url}']\n"
        ),
        &[],
    );
    build(twice.path(), options(settings())).await.unwrap();
    assert_eq!(server.seen().len(), 1);
    let failing = folder(&format!("resources: ['{gone}']\n"), &[]);
    let again = options(settings());
    for _ in 0..2 {
        let error = build(failing.path(), again.clone()).await.unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("HTTP Error: status code 404 (Not Found)"),
            "{error}"
        );
    }
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_a_url_stay_with_its_host() {
    let (one, other) = (Files::start().await, Files::start().await);
    let away = one.url(&format!("away.yaml?{}", other.address));
    let away = away.replace("http://", "http://user:canary@");
    let folder = folder(&format!("resources: ['{away}']\n"), &[]);
    build(folder.path(), options(settings())).await.unwrap();
    let basic = |seen: Vec<ReceivedRequest>| seen.into_iter().map(|(_, basic)| basic);
    assert!(basic(one.seen()).all(|basic| basic.is_some()));
    assert_eq!(basic(other.seen()).collect::<Vec<_>>(), [None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_file_and_silent_server_time_out() {
    let server = Files::start().await;
    let limited = Options {
        limits: Limits {
            file_bytes: 1 << 16,
            ..Limits::default()
        },
        ..options(settings())
    };
    let endless = folder(&format!("resources: ['{}']\n", server.url("endless")), &[]);
    let error = build(endless.path(), limited).await.unwrap_err();
    assert_eq!(error.code(), Code::Limit, "{error}");
    assert!(
        error.to_string().contains("larger than 65536 bytes"),
        "{error}"
    );

    let impatient = sluice_trees::FetchSettings {
        max_timeout: std::time::Duration::from_millis(50),
        ..settings()
    };
    let silent = folder(&format!("resources: ['{}']\n", server.url("silent")), &[]);
    let error = build(silent.path(), options(impatient)).await.unwrap_err();
    assert_eq!(error.code(), Code::RemoteTimeout, "{error}");
    assert!(error.to_string().contains("hit 50ms timeout"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirect_loop_ends() {
    let server = Files::start().await;
    let circle = folder(&format!("resources: ['{}']\n", server.url("circle")), &[]);
    let error = build(circle.path(), options(settings())).await.unwrap_err();
    assert_eq!(error.code(), Code::RemoteFailed, "{error}");
    assert!(
        error.to_string().contains("more than 10 redirects"),
        "{error}"
    );
    assert!(server.seen().len() < 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_do_not_contain_secrets() {
    let server = Files::start().await;
    for path in ["gone.yaml", "a/b/gone.yaml", "broken.yaml", "page"] {
        let url = server.url(path).replace("http://", "http://user:canary@");
        let nowhere = url.replace(&server.address.to_string(), "127.0.0.1:1");
        for url in [url.clone(), format!("{url}?token=canary"), nowhere] {
            for kustomization in [
                format!("resources: ['{url}']\n"),
                format!("components: ['{url}']\n"),
                format!("crds: ['{url}']\n"),
                format!("configurations: ['{url}']\n"),
                format!("openapi: {{path: '{url}'}}\n"),
                format!("patches:\n- path: '{url}'\n"),
                format!("patchesStrategicMerge: ['{url}']\n"),
                format!("replacements:\n- path: '{url}'\n"),
                format!("transformers: ['{url}']\n"),
                format!("configMapGenerator:\n- name: g\n  envs: ['{url}']\n"),
                format!("configMapGenerator:\n- name: g\n  files: ['k=x={url}']\n"),
            ] {
                let folder = folder(&kustomization, &[]);
                let Err(error) = build(folder.path(), options(settings())).await else {
                    continue;
                };
                let text = format!("{error} {error:?}");
                assert!(!text.contains("canary"), "{kustomization}{text}");
            }
        }
    }
}

//! A `Cluster` against a controlled server: its requests, identities and error messages.
//!
//! All tests use the one server of this file.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails by panicking, as its test does"
)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use sluice_client::{
    Cluster, Config, Fence, FieldValidation, Freshness, GroupKind, GroupVersionKind, Identity,
    ListOptions, Options, PatchOptions, Rate, WatchOptions, typed,
};

type Handler = dyn Fn(&str, usize) -> Response + Send + Sync;

/// All requests: `GET /path?query`, and their headers.
type RecordedRequests = Arc<Mutex<Vec<(String, HeaderMap)>>>;

/// A server whose response depends on the request and on its number of earlier occurrences.
struct Server {
    seen: RecordedRequests,
    url: String,
}

impl Server {
    async fn start(answer: impl Fn(&str, usize) -> Response + Send + Sync + 'static) -> Self {
        let answer: Arc<Handler> = Arc::new(answer);
        let seen = RecordedRequests::default();
        let log = seen.clone();
        let router = Router::new().fallback(move |request: Request| {
            let (answer, log) = (answer.clone(), log.clone());
            async move {
                let path = request.uri().path_and_query().unwrap().as_str();
                let line = format!("{} {}", request.method(), path.trim_end_matches('?'));
                let mut log = log.lock().unwrap();
                let before = log.iter().filter(|(seen, _)| *seen == line).count();
                log.push((line.clone(), request.headers().clone()));
                answer(&line, before)
            }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { seen, url }
    }

    fn cluster(&self, change: impl FnOnce(&mut Options)) -> Cluster {
        let mut options = Options::new("sluice-test");
        change(&mut options);
        Cluster::connect(Config::new(self.url.parse().unwrap()), options).unwrap()
    }

    fn requests(&self) -> Vec<String> {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .map(|(line, _)| line.clone())
            .collect()
    }

    fn headers(&self, line: &str) -> HeaderMap {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .rev()
            .find(|(seen, _)| seen == line)
            .unwrap()
            .1
            .clone()
    }
}

fn ok(value: &Value) -> Response {
    axum::Json(value).into_response()
}

fn status(code: u16, reason: &str, message: &str) -> Response {
    let body = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message, "code": code});
    (StatusCode::from_u16(code).unwrap(), axum::Json(body)).into_response()
}

/// Aggregated discovery: pods, and widgets if `with_widgets`.
fn discovery(line: &str, with_widgets: bool) -> Option<Response> {
    let group = |name: &str, version: &str, plural: &str, kind: &str, scope: &str| {
        json!({"metadata": {"name": name}, "versions": [{"version": version, "freshness": "Current", "resources": [
            {"resource": plural, "responseKind": {"group": name, "version": version, "kind": kind}, "scope": scope, "verbs": ["get", "list", "watch", "patch", "delete"]}]}]})
    };
    let items = match line {
        "GET /api" => vec![group("", "v1", "pods", "Pod", "Namespaced")],
        "GET /apis" if with_widgets => {
            vec![group("example.com", "v1", "widgets", "Widget", "Cluster")]
        }
        "GET /apis" => vec![],
        _ => return None,
    };
    Some(ok(
        &json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items}),
    ))
}

fn pod() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Pod")
}

fn widget() -> GroupVersionKind {
    GroupVersionKind::gvk("example.com", "v1", "Widget")
}

#[tokio::test]
async fn concurrent_callers_share_two_discovery_requests() {
    let server = Server::start(|line, _| discovery(line, true).unwrap()).await;
    let cluster = server.cluster(|_| ());
    let (pod, widget) = (pod(), widget());
    let (a, b, c) = tokio::join!(
        cluster.resolve(&pod),
        cluster.resolve(&widget),
        cluster.resolve(&pod)
    );
    assert!(a.unwrap().namespaced && !b.unwrap().namespaced && c.is_ok());
    let kind = GroupKind {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
    };
    assert_eq!(cluster.preferred(&kind).await.unwrap().api.version, "v1");
    let mut requests = server.requests();
    requests.sort();
    assert_eq!(requests, ["GET /api", "GET /apis"]);
}

#[tokio::test]
async fn new_kind_is_found_and_missing_kind_is_named() {
    let server = Server::start(|line, before| discovery(line, before > 0).unwrap()).await;
    let cluster = server.cluster(|_| ());
    cluster.resolve(&pod()).await.unwrap();
    assert!(
        cluster.resolve(&widget()).await.is_ok(),
        "looked for again because it was not known"
    );
    let error = cluster
        .resolve(&GroupVersionKind::gvk("example.com", "v2", "Widget"))
        .await
        .unwrap_err();
    assert!(error.is_no_match());
    assert_eq!(
        error.to_string(),
        r#"no matches for kind "Widget" in version "example.com/v2""#
    );
}

#[tokio::test]
async fn old_server_is_queried_group_by_group() {
    let server = Server::start(|line, _| match line {
        "GET /api" => ok(&json!({"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []})),
        "GET /api/v1" => ok(&json!({"kind": "APIResourceList", "groupVersion": "v1", "resources": [
            {"name": "pods", "singularName": "", "namespaced": true, "kind": "Pod", "verbs": ["get"]},
            {"name": "pods/log", "singularName": "", "namespaced": true, "kind": "Pod", "verbs": ["get"]}]})),
        "GET /apis" => ok(&json!({"kind": "APIGroupList", "groups": [
            {"name": "example.com", "versions": [{"groupVersion": "example.com/v1", "version": "v1"}]},
            {"name": "dead.example.com", "versions": [{"groupVersion": "dead.example.com/v1", "version": "v1"}]}]})),
        "GET /apis/example.com/v1" => ok(&json!({"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": [
            {"name": "widgets", "singularName": "", "namespaced": false, "kind": "Widget", "verbs": ["get"]}]})),
        _ => status(503, "ServiceUnavailable", "no endpoints available"),
    })
    .await;
    let cluster = server.cluster(|_| ());
    assert_eq!(cluster.resolve(&pod()).await.unwrap().api.plural, "pods");
    assert!(!cluster.resolve(&widget()).await.unwrap().namespaced);
    let error = cluster
        .resolve(&GroupVersionKind::gvk("dead.example.com", "v1", "Thing"))
        .await
        .unwrap_err();
    assert!(!error.is_no_match() && error.is_transient(), "{error}");
}

#[tokio::test]
async fn identities_share_discovery() {
    let server = Server::start(|line, _| {
        discovery(line, false).unwrap_or_else(|| {
            ok(&json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"}}))
        })
    })
    .await;
    let cluster = server.cluster(|_| ());
    let tenant = cluster.impersonate(&Identity::service_account("apps", "deployer").unwrap());
    tenant
        .get(&pod(), Some("apps"), "a")
        .await
        .unwrap()
        .unwrap();
    cluster
        .get(&pod(), Some("apps"), "b")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(server.requests().len(), 4, "{:?}", server.requests());
    let line = |name: &str| server.headers(&format!("GET /api/v1/namespaces/apps/pods/{name}"));
    assert_eq!(
        line("a")["impersonate-user"],
        "system:serviceaccount:apps:deployer"
    );
    assert_eq!(line("a")["user-agent"], "sluice-test");
    assert!(!line("b").contains_key("impersonate-user"));
    // The client that misses a kind requests it, and the result is cached for all.
    assert_eq!(
        server.headers("GET /apis")["impersonate-user"],
        "system:serviceaccount:apps:deployer"
    );
    assert!(
        tenant
            .is_same(&cluster.impersonate(&Identity::service_account("apps", "deployer").unwrap()))
    );
    assert!(!tenant.is_same(&cluster));
}

#[tokio::test]
async fn impersonation_of_the_kubeconfig_is_replaced_and_not_added_to() {
    let server =
        Server::start(|line, _| discovery(line, false).unwrap_or_else(|| ok(&json!({})))).await;
    let mut config = Config::new(server.url.parse().unwrap());
    config.auth_info.impersonate = Some("admin".to_owned());
    config.auth_info.impersonate_groups = Some(vec!["system:masters".to_owned()]);
    let cluster = Cluster::connect(config, Options::new("t")).unwrap();
    assert_eq!(cluster.identity().unwrap().name(), "admin");
    cluster.get(&pod(), Some("a"), "as-admin").await.unwrap();
    cluster
        .impersonate(&Identity::user("dev").unwrap())
        .get(&pod(), Some("a"), "as-dev")
        .await
        .unwrap();
    let users = |name: &str| {
        let headers = server.headers(&format!("GET /api/v1/namespaces/a/pods/{name}"));
        let all = |key: &str| {
            headers
                .get_all(key)
                .iter()
                .map(|v| v.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        (all("impersonate-user"), all("impersonate-group"))
    };
    assert_eq!(
        users("as-admin"),
        (vec!["admin".to_owned()], vec!["system:masters".to_owned()])
    );
    assert_eq!(users("as-dev"), (vec!["dev".to_owned()], vec![]));
}

#[tokio::test]
async fn first_failure_is_reported_without_a_response() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    // The server goes down with the first request: it breaks, and the next one is refused.
    drop(tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = [0];
        tokio::io::AsyncReadExt::read(&mut connection, &mut request)
            .await
            .unwrap();
        drop(listener);
    }));
    let attempts = Arc::new(Mutex::new(0));
    let counted = attempts.clone();
    let mut options = Options::new("sluice-test");
    options.observer = Some(Arc::new(move |_: sluice_client::ObservedRequest<'_>| {
        *counted.lock().unwrap() += 1;
    }));
    let cluster = Cluster::connect(Config::new(url.parse().unwrap()), options).unwrap();
    let secrets: kube::Api<Secret> = kube::Api::namespaced(cluster.client().clone(), "apps");
    let error = typed::get_metadata_opt(&secrets, "a").await.unwrap_err();
    assert_eq!(*attempts.lock().unwrap(), 2);
    let actual = format!("{error:?}");
    assert!(!actual.contains("ConnectionRefused"), "{actual}");
}

#[tokio::test]
async fn retry_after_causes_a_retry() {
    let server = Server::start(|line, before| {
        if let Some(answer) = discovery(line, false) {
            return answer;
        }
        if before < 2 {
            let mut answer = status(429, "TooManyRequests", "busy");
            answer
                .headers_mut()
                .insert("retry-after", "0".parse().unwrap());
            return answer;
        }
        ok(&json!({"metadata": {"name": "a"}}))
    })
    .await;
    let counted = Arc::new(Mutex::new(Vec::new()));
    let log = counted.clone();
    let cluster = server.cluster(|options| {
        options.observer = Some(Arc::new(
            move |observed: sluice_client::ObservedRequest<'_>| {
                log.lock()
                    .unwrap()
                    .push(format!("{} {}", observed.method, observed.code()));
            },
        ));
    });
    cluster
        .apply(
            &pod(),
            Some("a"),
            "a",
            &json!({}),
            PatchOptions {
                field_manager: Some("me"),
                force: true,
                ..PatchOptions::default()
            },
        )
        .await
        .unwrap();
    assert_eq!(
        *counted.lock().unwrap(),
        ["GET 200", "GET 200", "PATCH 429", "PATCH 429", "PATCH 200"]
    );
    assert_eq!(
        server.requests().last().unwrap(),
        "PATCH /api/v1/namespaces/a/pods/a?&force=true&fieldManager=me"
    );
}

#[tokio::test]
async fn error_without_retry_after_is_returned() {
    let text = "pods \"a\" is forbidden: User \"dev\" cannot get resource \"pods\" in API group \"\" in the namespace \"a\"";
    let server = Server::start(move |line, _| {
        discovery(line, false).unwrap_or_else(|| status(403, "Forbidden", text))
    })
    .await;
    let error = server
        .cluster(|_| ())
        .get(&pod(), Some("a"), "a")
        .await
        .unwrap_err();
    assert!(error.is_forbidden());
    assert_eq!(error.to_string(), format!("get Pod a/a: {text}"));
    assert_eq!(server.requests().len(), 3, "no repeat");
}

#[tokio::test]
async fn missing_object_is_none() {
    let server = Server::start(|line, _| {
        discovery(line, false).unwrap_or_else(|| status(404, "NotFound", "no"))
    })
    .await;
    let cluster = server.cluster(|_| ());
    assert!(cluster.get(&pod(), Some("a"), "a").await.unwrap().is_none());
    assert!(
        !cluster
            .delete(
                &pod(),
                Some("a"),
                "a",
                &sluice_client::DeleteOptions::default()
            )
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn field_validation_is_sent_with_every_change() {
    let server = Server::start(|line, _| {
        discovery(line, false).unwrap_or_else(|| ok(&json!({"kind": "Pod", "metadata": {}})))
    })
    .await;
    let cluster = server.cluster(|_| ());
    let (pod, space, body) = (pod(), Some("a"), json!({"metadata": {"name": "b"}}));
    for validation in [
        FieldValidation::Strict,
        FieldValidation::Warn,
        FieldValidation::Ignore,
    ] {
        let options = PatchOptions {
            field_manager: Some("m"),
            field_validation: Some(validation),
            ..PatchOptions::default()
        };
        let bare = PatchOptions {
            field_manager: None,
            ..options
        };
        cluster.create(&pod, space, &body, bare).await.unwrap();
        let replaced = cluster.replace(&pod, space, "b", &body, options).await;
        replaced.unwrap();
        let applied = cluster.apply(&pod, space, "b", &body, options).await;
        applied.unwrap();
        let merged = cluster.merge(&pod, space, "b", &body, bare).await;
        merged.unwrap();
        let query = format!("fieldValidation={validation:?}");
        let requests = server.requests();
        assert_eq!(
            requests[requests.len() - 4..],
            [
                format!("POST /api/v1/namespaces/a/pods?&{query}"),
                format!("PUT /api/v1/namespaces/a/pods/b?&fieldManager=m&{query}"),
                format!("PATCH /api/v1/namespaces/a/pods/b?&fieldManager=m&{query}"),
                format!("PATCH /api/v1/namespaces/a/pods/b?&{query}"),
            ]
        );
    }
}

#[tokio::test]
async fn names_are_one_segment_of_the_path_for_every_verb() {
    let server = Server::start(|line, _| {
        discovery(line, false).unwrap_or_else(|| ok(&json!({"kind": "Pod", "metadata": {}})))
    })
    .await;
    let cluster = server.cluster(|_| ());
    let (pod, space, name) = (pod(), Some("n#s"), "a?b status#");
    let (body, nothing) = (json!({"metadata": {"name": name}}), json!([]));
    let on = PatchOptions {
        field_manager: Some("m"),
        ..PatchOptions::default()
    };
    let status = PatchOptions {
        subresource: Some("status"),
        ..on
    };
    let none = sluice_client::DeleteOptions::default();
    let fresh = Freshness::Latest;
    let (listing, watching) = (ListOptions::default(), WatchOptions::default());
    cluster.get(&pod, space, name).await.unwrap();
    let read = cluster.get_metadata(&pod, space, name, fresh).await;
    read.unwrap();
    cluster.create(&pod, space, &body, on).await.unwrap();
    for options in [on, status] {
        let replaced = cluster.replace(&pod, space, name, &body, options).await;
        replaced.unwrap();
        let applied = cluster.apply(&pod, space, name, &body, options).await;
        applied.unwrap();
        let merged = cluster.merge(&pod, space, name, &body, options).await;
        merged.unwrap();
        let patched = cluster.json_patch(&pod, space, name, &nothing, options);
        patched.await.unwrap();
    }
    cluster.delete(&pod, space, name, &none).await.unwrap();
    cluster.list(&pod, space, &listing).await.unwrap();
    drop(cluster.watch(&pod, space, "1", &watching).await.unwrap());
    let requests = server.requests();
    let mut paths: Vec<&str> = requests
        .iter()
        .map(|line| line.split('?').next().unwrap())
        .filter(|line| !line.ends_with("/api") && !line.ends_with("/apis"))
        .collect();
    paths.dedup();
    let object = "/api/v1/namespaces/n%23s/pods/a%3Fb%20status%23";
    let part = format!("{object}/status");
    assert_eq!(
        paths,
        [
            &format!("GET {object}"),
            "POST /api/v1/namespaces/n%23s/pods",
            &format!("PUT {object}"),
            &format!("PATCH {object}"),
            &format!("PUT {part}"),
            &format!("PATCH {part}"),
            &format!("DELETE {object}"),
            "GET /api/v1/namespaces/n%23s/pods",
        ]
    );
}

#[tokio::test]
async fn typed_request_escapes_the_name() {
    let server =
        Server::start(|_, _| ok(&json!({"kind": "Secret", "metadata": {"name": "a"}}))).await;
    let cluster = server.cluster(|_| ());
    let api = |space| typed::namespaced::<Secret>(cluster.client().clone(), space);
    let secrets = api("n#s").unwrap();
    typed::get(&secrets, "a?b").await.unwrap();
    assert_eq!(
        server.requests(),
        ["GET /api/v1/namespaces/n%23s/secrets/a%3Fb"]
    );

    let elsewhere = "a/../../../kube-system/secrets/b";
    let found = typed::get_opt(&secrets, elsewhere).await.unwrap();
    assert!(found.is_none());
    let found = typed::get_metadata_opt(&secrets, elsewhere).await.unwrap();
    assert!(found.is_none());
    let refused = [
        typed::get(&secrets, elsewhere).await.map(drop),
        api("..").map(drop),
    ];
    let actual = refused.map(|refused| cluster.error("get Secret", refused.unwrap_err()));
    assert!(actual.iter().all(sluice_client::Error::is_invalid_name));
    assert_eq!(
        actual[0].to_string(),
        format!("get Secret: invalid resource name \"{elsewhere}\": [may not contain '/']")
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn object_with_an_invalid_name_does_not_exist() {
    let server = Server::start(|line, _| discovery(line, true).unwrap()).await;
    let cluster = server.cluster(|_| ());
    let (pod, none) = (pod(), sluice_client::DeleteOptions::default());
    let long = "a".repeat(70_000);
    for (space, name) in [
        ("a", "b/c"),
        ("a", "b%23c"),
        ("a", "."),
        ("a", ".."),
        ("a", ""),
        ("a", &long),
        ("a/..", "b"),
        ("..", "b"),
    ] {
        let space = Some(space);
        assert_eq!(cluster.get(&pod, space, name).await.unwrap(), None);
        let read = cluster.get_metadata(&pod, space, name, Freshness::Cached);
        assert_eq!(read.await.unwrap(), None);
        assert!(!cluster.delete(&pod, space, name, &none).await.unwrap());
        let options = PatchOptions {
            field_manager: Some("m"),
            ..PatchOptions::default()
        };
        for written in [
            cluster.apply(&pod, space, name, &json!({}), options).await,
            cluster.merge(&pod, space, name, &json!({}), options).await,
            cluster
                .replace(&pod, space, name, &json!({}), options)
                .await,
        ] {
            let error = written.unwrap_err();
            assert!(error.is_invalid_name(), "{error}");
            assert!(!error.is_not_found() && !error.is_transient(), "{error}");
        }
    }
    let listing = ListOptions::default();
    let outside = cluster.list(&pod, Some(".."), &listing).await;
    assert_eq!(
        outside.unwrap_err().to_string(),
        "list Pod in ..: invalid namespace \"..\": [may not be '..']"
    );
    let (patch, options) = (json!({}), PatchOptions::default());
    let patched = cluster.merge(&pod, Some("a"), "b/c", &patch, options).await;
    assert_eq!(
        patched.unwrap_err().to_string(),
        "patch Pod a/b/c: invalid resource name \"b/c\": [may not contain '/']"
    );
    // A cluster-wide kind ignores the namespace.
    let widget = cluster.get(&widget(), Some(".."), "a/b").await;
    assert_eq!(widget.unwrap(), None);
    assert_eq!(server.requests(), ["GET /api", "GET /apis"], "nothing else");
}

#[tokio::test]
async fn group_with_an_invalid_name_is_not_served() {
    let server =
        Server::start(|line, _| discovery(line, false).unwrap_or_else(plain_not_found)).await;
    let cluster = server.cluster(|_| ());
    for group in ["a b", "a/b", "<", "a\u{0}"] {
        let kind = GroupKind {
            group: group.to_owned(),
            kind: "Widget".to_owned(),
        };
        let error = cluster.preferred(&kind).await.unwrap_err();
        assert!(error.is_no_match(), "{error}");
    }
    let requests = server.requests();
    assert!(
        requests.contains(&"GET /apis/a%20b".to_owned()),
        "{requests:?}"
    );
}

#[tokio::test]
async fn lists_go_on_to_the_last_page_and_name_their_kind() {
    let server = Server::start(|line, _| {
        if let Some(answer) = discovery(line, false) {
            return answer;
        }
        if line.contains("continue=next") {
            ok(&json!({"metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "b"}}]}))
        } else {
            ok(&json!({"metadata": {"resourceVersion": "7", "continue": "next"}, "items": [{"metadata": {"name": "a"}}]}))
        }
    })
    .await;
    let list = server
        .cluster(|_| ())
        .list(&pod(), None, &ListOptions::default())
        .await
        .unwrap();
    let names: Vec<&str> = list
        .items
        .iter()
        .map(|item| item["metadata"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        (names, list.resource_version.as_str()),
        (vec!["a", "b"], "7")
    );
    assert!(
        list.items
            .iter()
            .all(|item| item["kind"] == "Pod" && item["apiVersion"] == "v1")
    );
}

/// Two pages of pods, or one page whose continuation fails.
fn paged(line: &str, expires: bool) -> Response {
    let pod = |name: &str| json!({"metadata": {"name": name, "managedFields": [{"manager": "x"}]}});
    if let Some(answer) = discovery(line, false) {
        return answer;
    }
    match line.contains("continue=next") {
        true if expires => status(410, "Expired", "the continue parameter is too old"),
        true => ok(&json!({"metadata": {"resourceVersion": "8"}, "items": [pod("c")]})),
        false => ok(
            &json!({"items": [pod("a"), pod("b")], "metadata": {"resourceVersion": "7", "continue": "next"}}),
        ),
    }
}

#[tokio::test]
async fn objects_are_handed_on_page_by_page() {
    let server = Server::start(|line, _| paged(line, false)).await;
    let pages = || {
        let requests = server.requests();
        let lists = requests.iter().filter(|line| line.contains("limit=500"));
        lists.count()
    };
    for without_managers in [false, true] {
        let before = pages();
        let mut met = Vec::new();
        let options = ListOptions {
            without_managers,
            ..ListOptions::default()
        };
        let version = server
            .cluster(|_| ())
            .list_each(&pod(), None, &options, |item| {
                assert_eq!(item["kind"], "Pod");
                assert_eq!(
                    item["metadata"]["managedFields"].is_null(),
                    without_managers
                );
                let name = item["metadata"]["name"].as_str().unwrap().to_owned();
                met.push((name, pages() - before));
            })
            .await
            .unwrap();
        let expected = [("a", 1), ("b", 1), ("c", 2)];
        assert_eq!(met, expected.map(|(name, page)| (name.to_owned(), page)));
        assert_eq!(version, "7", "what came later is watched for");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn next_page_is_requested_during_decoding() {
    let (asked, is_asked) = std::sync::mpsc::channel();
    let server = Server::start(move |line, _| {
        if let Some(answer) = discovery(line, false) {
            return answer;
        }
        if line.contains("continue=next") {
            asked.send(()).unwrap();
            return ok(&json!({"metadata": {}, "items": [{"metadata": {"name": "b"}}]}));
        }
        // Servers write the metadata before the objects.
        let page = r#"{"metadata":{"continue":"next"},"items":[{"metadata":{"name":"a"}}]}"#;
        ([("content-type", "application/json")], page).into_response()
    })
    .await;
    let mut names = Vec::new();
    server
        .cluster(|_| ())
        .list_each(&pod(), None, &ListOptions::default(), |item| {
            if names.is_empty() {
                let patience = Duration::from_secs(30);
                is_asked.recv_timeout(patience).expect("page two");
            }
            names.push(item["metadata"]["name"].as_str().unwrap().to_owned());
        })
        .await
        .unwrap();
    assert_eq!(names, ["a", "b"]);
}

#[tokio::test]
async fn list_with_a_failed_page_is_an_error() {
    let server = Server::start(|line, _| paged(line, true)).await;
    let error = server
        .cluster(|_| ())
        .list(&pod(), Some("apps"), &ListOptions::default())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "list Pod in apps: the continue parameter is too old"
    );
    assert_eq!(server.requests().len(), 4, "{:?}", server.requests());
}

#[tokio::test]
async fn priority_and_fairness_lifts_the_throttle() {
    let fair = |answer: Response| {
        let mut answer = answer;
        answer
            .headers_mut()
            .insert("x-kubernetes-pf-flowschema-uid", "1".parse().unwrap());
        answer
    };
    let server = Server::start(move |line, _| {
        fair(discovery(line, false).unwrap_or_else(|| ok(&json!({"metadata": {}}))))
    })
    .await;
    let cluster = server.cluster(|options| {
        options.rate = Some(Rate {
            qps: 0.001,
            burst: 2,
        });
    });
    assert!(!cluster.is_throttle_lifted());
    // The third request would wait for 15 minutes.
    cluster.get(&pod(), Some("a"), "a").await.unwrap();
    assert!(cluster.is_throttle_lifted());
}

#[tokio::test]
async fn unthrottled_client_does_not_wait() {
    let server = Server::start(|_, _| ok(&json!({ "kind": "Lease" }))).await;
    let cluster = server.cluster(|options| {
        options.rate = Some(Rate {
            qps: 0.001,
            burst: 1,
        });
    });
    let ask = async |client: &kube::Client| {
        let request = http::Request::get("/lease").body(Vec::new()).unwrap();
        client.request::<Value>(request).await.unwrap();
    };
    ask(cluster.client()).await;
    // The next request would wait for 15 minutes.
    ask(&cluster.unthrottled_client()).await;
    assert!(!cluster.is_throttle_lifted());
}

#[tokio::test]
async fn stalled_response_times_out() {
    let server = Server::start(|line, _| {
        discovery(line, false).unwrap_or_else(|| {
            let first = futures::stream::once(async { Ok::<_, std::io::Error>("{".to_owned()) });
            let forever = futures::StreamExt::chain(first, futures::stream::pending());
            Response::new(Body::from_stream(forever))
        })
    })
    .await;
    let cluster = server.cluster(|options| options.timeout = Duration::from_millis(200));
    let error = cluster.get(&pod(), Some("a"), "a").await.unwrap_err();
    assert!(error.is_transient(), "{error}");
    assert!(error.to_string().contains("no answer within"), "{error}");
}

#[tokio::test]
async fn unreachable_server_is_named_once() {
    // The socket holds the port and does not listen.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let place = socket.local_addr().unwrap().to_string();
    let config = Config::new(format!("http://{place}").parse().unwrap());
    let cluster = Cluster::connect(config, Options::new("t")).unwrap();
    let text = cluster
        .get(&pod(), None, "a")
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(text.matches(&place).count(), 1, "{text}");
    assert!(text.contains("onnection refused"), "{text}");
}

#[tokio::test]
async fn large_answer_is_rejected_after_decoding() {
    let server = Server::start(|line, _| {
        discovery(line, true).unwrap_or_else(|| {
            let mut body = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            for _ in 0..100 {
                std::io::Write::write_all(&mut body, &[b' '; 10_000]).unwrap();
            }
            let headers = [
                ("content-encoding", "gzip"),
                ("content-type", "application/json"),
            ];
            (headers, body.finish().unwrap()).into_response()
        })
    })
    .await;
    let cluster = server.cluster(|options| options.max_answer_bytes = Some(900_000));
    let error = cluster.get(&pod(), Some("a"), "b").await.unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("the answer is larger than 900000 bytes"),
        "{error}"
    );
}

#[tokio::test]
async fn answer_of_many_nodes_is_rejected_before_it_is_read() {
    // The limit of a process with little memory.
    sluice_yaml::limits::set_memory(1);
    let server = Server::start(|line, _| {
        discovery(line, true).unwrap_or_else(|| {
            let body = format!("{{\"a\":[{}1]}}", "1,".repeat(2_100_000));
            ([("content-type", "application/json")], body).into_response()
        })
    })
    .await;
    let cluster = server.cluster(|options| options.max_answer_bytes = Some(64 << 20));
    let error = cluster.get(&pod(), Some("a"), "b").await.unwrap_err();
    let error = error.to_string();
    let expected = "the answer is too complex: yaml: a text has more than 2000000 nodes";
    assert!(error.contains(expected), "{error}");
}

#[tokio::test]
async fn watch_outlives_the_timeout() {
    let (events, received) = futures::channel::mpsc::unbounded::<&str>();
    let received = Mutex::new(Some(received));
    let server = Server::start(move |line, _| {
        discovery(line, false).unwrap_or_else(|| {
            let events = received.lock().unwrap().take().unwrap();
            let events = futures::StreamExt::map(events, Ok::<_, std::io::Error>);
            Response::new(Body::from_stream(events))
        })
    })
    .await;
    let mut limit = Duration::ZERO;
    let cluster = server.cluster(|options| limit = options.timeout);
    let options = sluice_client::WatchOptions {
        fields: Some("metadata.name=a".to_owned()),
        ..Default::default()
    };
    let send = |event: &'static str| events.unbounded_send(event).unwrap();
    send("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}\n");
    send(
        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"}}}\n",
    );
    let watch = cluster
        .watch(&pod(), Some("a"), "5", &options)
        .await
        .unwrap();
    let (early, watch) = futures::StreamExt::into_future(watch).await;
    // The other events come after the timeout of other responses.
    tokio::time::pause();
    tokio::time::advance(limit * 2).await;
    tokio::time::resume();
    send(
        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"reason\":\"Expired\",\"code\":410,\"message\":\"too old\"}}\n",
    );
    events.close_channel();
    let mut events: Vec<_> = futures::StreamExt::collect(watch).await;
    events.insert(0, early.unwrap());
    assert!(
        matches!(&events[0], Ok(sluice_client::WatchEvent::Added(value)) if value["kind"] == "Pod")
    );
    assert!(matches!(
        &events[1],
        Ok(sluice_client::WatchEvent::Bookmark(_))
    ));
    assert!(
        matches!(&events[2], Ok(sluice_client::WatchEvent::Error(status)) if status.code == 410)
    );
    assert!(
        server
            .requests()
            .last()
            .unwrap()
            .contains("fieldSelector=metadata.name%3Da")
    );
}

#[tokio::test]
async fn watch_without_a_response_times_out() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = silent.local_addr().unwrap();
    let mut options = Options::new("t");
    options.timeout = Duration::from_millis(200);
    let config = Config::new(format!("http://{place}").parse().unwrap());
    let cluster = Cluster::connect(config, options).unwrap();
    let pods: kube::Api<k8s_openapi::api::core::v1::Pod> = kube::Api::all(cluster.client().clone());
    let watch = pods.watch(&kube::api::WatchParams::default(), "0").await;
    let error = watch.err().unwrap();
    let actual = cluster.error("watch pods", error).to_string();
    assert!(actual.contains("no answer within"), "{actual}");
}

fn plain_not_found() -> Response {
    (StatusCode::NOT_FOUND, "404 page not found\n").into_response()
}

#[tokio::test]
async fn removed_kind_has_no_match() {
    let server =
        Server::start(|line, before| discovery(line, before == 0).unwrap_or_else(plain_not_found))
            .await;
    let cluster = server.cluster(|_| ());
    cluster.resolve(&widget()).await.unwrap();
    let actual = [
        cluster.get(&widget(), None, "a").await.map(drop),
        cluster
            .get_metadata(&widget(), None, "a", Freshness::Latest)
            .await
            .map(drop),
        cluster
            .delete(
                &widget(),
                None,
                "a",
                &sluice_client::DeleteOptions::default(),
            )
            .await
            .map(drop),
    ];
    for actual in actual {
        let error = actual.unwrap_err();
        assert!(error.is_no_match(), "{error}");
    }
    let kind = GroupKind {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
    };
    let error = cluster.preferred(&kind).await.unwrap_err();
    assert!(error.is_no_match(), "{error}");
}

#[tokio::test]
async fn moved_kind_is_found_again() {
    // First namespaced, then cluster-wide: the path changes.
    let server = Server::start(|line, before| match line {
        "GET /apis" if before == 0 => ok(&json!({"kind": "APIGroupDiscoveryList",
            "apiVersion": "apidiscovery.k8s.io/v2", "items": [
            {"metadata": {"name": "example.com"}, "versions": [{"version": "v1", "resources": [
                {"resource": "widgets", "scope": "Namespaced", "verbs": ["get"],
                 "responseKind": {"group": "example.com", "version": "v1", "kind": "Widget"}}]}]}]})),
        "GET /apis/example.com/v1/widgets/a" => ok(&json!({"kind": "Widget"})),
        other => discovery(other, true).unwrap_or_else(plain_not_found),
    })
    .await;
    let cluster = server.cluster(|_| ());
    assert!(
        cluster
            .get(&widget(), Some("apps"), "a")
            .await
            .unwrap()
            .is_some()
    );
    let asked = server.requests();
    let discoveries = asked.iter().filter(|line| *line == "GET /apis").count();
    assert_eq!(discoveries, 2, "{asked:?}");
}

#[tokio::test]
async fn concurrent_unserved_paths_refresh_once() {
    let server =
        Server::start(|line, before| discovery(line, before == 0).unwrap_or_else(plain_not_found))
            .await;
    let cluster = server.cluster(|_| ());
    cluster.resolve(&widget()).await.unwrap();
    let names: Vec<String> = (0..50).map(|number| format!("w{number}")).collect();
    let kind = widget();
    let gets = names.iter().map(|name| cluster.get(&kind, None, name));
    for actual in futures::future::join_all(gets).await {
        assert!(actual.unwrap_err().is_no_match());
    }
    let asked = server.requests();
    let discoveries = asked.iter().filter(|line| *line == "GET /apis").count();
    // One discovery at first, one after the removal, and one for the unknown kind.
    assert!(discoveries <= 4, "{discoveries} of {asked:?}");
}

#[tokio::test]
async fn listed_but_unserved_path_is_reported() {
    let server =
        Server::start(|line, _| discovery(line, true).unwrap_or_else(plain_not_found)).await;
    let cluster = server.cluster(|_| ());
    let error = cluster.get(&widget(), None, "a").await.unwrap_err();
    assert!(error.is_unserved() && !error.is_no_match(), "{error}");
    assert!(error.is_transient() && !error.is_not_found(), "{error}");
}

#[tokio::test]
async fn starting_server_does_not_lose_kinds() {
    let server = Server::start(|line, before| match line {
        // The response for an unknown path before the server knows its custom kinds.
        "GET /apis/example.com" if before == 0 => status(503, "ServiceUnavailable", "not yet"),
        "GET /apis/example.com" if before == 1 => ok(&json!({"kind": "APIGroup"})),
        other => discovery(other, false).unwrap_or_else(plain_not_found),
    })
    .await;
    let cluster = server.cluster(|_| ());
    let kind = GroupKind {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
    };
    for _ in 0..2 {
        let error = cluster.preferred(&kind).await.unwrap_err();
        assert!(error.is_transient() && !error.is_no_match(), "{error}");
    }
    let error = cluster.preferred(&kind).await.unwrap_err();
    assert!(error.is_no_match(), "{error}");
}

#[tokio::test]
async fn closed_fence_refuses_writes_of_every_identity() {
    let server = Server::start(|line, _| match line.split(' ').next() {
        Some("GET") => ok(&json!({ "kind": "Secret", "apiVersion": "v1", "metadata": {} })),
        _ => StatusCode::CREATED.into_response(),
    })
    .await;
    let fence = Fence::default();
    let open = server.cluster(|_| {});
    let cluster = open.fenced(&fence);
    let tenant = cluster.impersonate(&Identity::user("tenant").unwrap());
    let create = async |cluster: &Cluster| {
        let request = http::Request::post("/api/v1/namespaces/apps/secrets").body(vec![]);
        let sent = cluster
            .client()
            .send(request.unwrap().map(Into::into))
            .await;
        sent.map(|response| response.status().as_u16())
    };
    for cluster in [&cluster, &tenant] {
        assert_eq!(create(cluster).await.unwrap(), 201);
    }
    fence.close();
    let before = server.requests().len();
    for cluster in [&cluster, &tenant] {
        let refused = create(cluster).await.unwrap_err();
        assert!(
            sluice_client::transport_reason(&refused).contains("lease of this process has ended"),
            "{refused}"
        );
        let get = http::Request::get("/api/v1/namespaces/apps/secrets/a").body(vec![]);
        let read = cluster.client().send(get.unwrap().map(Into::into)).await;
        assert_eq!(read.unwrap().status().as_u16(), 200);
    }
    assert_eq!(server.requests().len(), before + 2, "only the reads");
    assert_eq!(create(&open).await.unwrap(), 201, "others are not fenced");
}

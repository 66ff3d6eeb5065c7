//! Which kinds a server has, and when they are asked for again.

use super::*;

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
    assert!(error.has_no_match());
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
    assert!(!error.has_no_match() && error.is_transient(), "{error}");
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
        assert!(error.has_no_match(), "{error}");
    }
    let requests = server.requests();
    assert!(
        requests.contains(&"GET /apis/a%20b".to_owned()),
        "{requests:?}"
    );
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
        assert!(error.has_no_match(), "{error}");
    }
    let kind = GroupKind {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
    };
    let error = cluster.preferred(&kind).await.unwrap_err();
    assert!(error.has_no_match(), "{error}");
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
        assert!(actual.unwrap_err().has_no_match());
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
    assert!(error.is_unserved() && !error.has_no_match(), "{error}");
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
        assert!(error.is_transient() && !error.has_no_match(), "{error}");
    }
    let error = cluster.preferred(&kind).await.unwrap_err();
    assert!(error.has_no_match(), "{error}");
}

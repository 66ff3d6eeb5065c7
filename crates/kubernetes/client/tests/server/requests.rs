//! Requests, identities, names and error messages.

use super::*;

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

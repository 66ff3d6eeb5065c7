//! Limits of rate, time and size.

use super::*;

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

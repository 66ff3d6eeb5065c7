//! Lists are read page by page.

use super::*;

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
                let limit = Duration::from_secs(30);
                is_asked.recv_timeout(limit).expect("page two");
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

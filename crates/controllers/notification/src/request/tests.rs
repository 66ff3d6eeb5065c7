//! Requests hide their secrets, and answers of services are judged by their form.

use serde_json::json;

use super::*;
use comment::CommentSearch;
use status::{Form, StatusFields};

const URL: &str = "https://user:canary@hooks.example.com/services/canary?token=canary";

fn request() -> HttpRequest {
    let key = secret_header("key", b"Bearer canary").unwrap();
    HttpRequest::post(Url::parse(URL).unwrap(), "canary").with_authorization(key)
}

fn status(form: Form) -> CommitStatus {
    CommitStatus {
        lookup: request(),
        create: request(),
        wanted: StatusFields {
            id: "id".into(),
            genre: "fluxcd".into(),
            name: "name".into(),
            commit: "sha".into(),
            state: "success".into(),
            description: "done".into(),
        },
        form,
    }
}

#[test]
fn debug_hides_every_secret() {
    let nats = NatsMessage {
        server: "nats://user:canary@host".into(),
        subject: "s".into(),
        credentials: NatsCredentials::Seed(b"canary".to_vec().into()),
        connection: "c",
        body: b"canary".to_vec(),
    };
    let hub = EventHubMessage {
        hub: EventHub::Connection("SharedAccessKey=canary".into()),
        body: b"canary".to_vec(),
    };
    for shown in [
        format!("{:?}", request()),
        format!("{:?}", Request::from(request())),
        format!(
            "{:?}",
            Request::CommitStatus(Box::new(status(Form::Github)))
        ),
        format!("{:?}", Request::Nats(nats)),
        format!("{:?}", Request::EventHub(hub)),
        format!(
            "{:?}",
            Identity::Google {
                key: Some(b"canary".to_vec().into())
            }
        ),
    ] {
        assert!(!shown.contains("canary"), "{shown}");
    }
}

#[test]
fn header_with_a_line_break_is_refused() {
    for value in ["token\n", "a\r\nX-Other: b", "a\0b", "\u{7f}"] {
        let error = secret_header("key 'token' of the Secret", value.as_bytes()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("key 'token'") && !text.contains("X-Other"),
            "{text}"
        );
        assert!(error.hint().contains("line break"));
    }
}

#[test]
fn answer_is_a_success_by_its_status() {
    let request = request();
    for code in [200, 201, 202, 204, 299] {
        assert_eq!(request.judge(code, b"anything"), Ok(()));
    }
    let error = request.judge(500, b"no\x1b[31m\nway").unwrap_err();
    assert_eq!(
        error.to_string(),
        "request failed with status code 500: no [31m way"
    );
    let endless = vec![0xff; 1_000_000];
    let error = request.judge(400, &endless).unwrap_err().to_string();
    assert!(error.len() < 4 * MAX_ANSWER_BYTES);
}

/// From `TestSlack_ValidateResponse` in the reference.
#[test]
fn slack_api_reports_success_in_a_field() {
    let mut request = request();
    request.success = Success::SlackField;
    assert_eq!(request.judge(200, br#"{"ok":true}"#), Ok(()));
    let error = request.judge(200, br#"{"ok":false,"error":"too_many_attachments"}"#);
    assert_eq!(
        error.unwrap_err().to_string(),
        "Slack responded with error: too_many_attachments"
    );
    assert!(request.judge(200, b"{").is_err());
    assert!(request.judge(200, br#"{"ok":"true"}"#).is_err());
}

#[test]
fn newest_status_with_the_id_decides() {
    for (form, field) in [(Form::Github, "state"), (Form::Gitea, "status")] {
        let entry = |id: &str, state: &str, description: &str| json!({ "context": id, field: state, "description": description });
        let cases = [
            (json!([]), false),
            (json!([entry("id", "success", "done")]), true),
            (json!([entry("other", "success", "done")]), false),
            (
                json!([
                    entry("id", "failure", "done"),
                    entry("id", "success", "done")
                ]),
                false,
            ),
            (json!([entry("id", "success", "other")]), false),
            (
                json!([entry("", "success", "done"), entry("id", "success", "done")]),
                true,
            ),
            (
                json!([{ "context": "id" }, entry("id", "success", "done")]),
                true,
            ),
            (json!({ "hostile": [1] }), false),
        ];
        for (answer, expected) in cases {
            let found = status(form).is_posted(200, answer.to_string().as_bytes());
            assert_eq!(found, Ok(expected), "{answer}");
        }
    }
}

#[test]
fn single_status_is_compared_with_its_fields() {
    let entry = json!({ "key": "id", "name": "name", "state": "success", "description": "done" });
    for form in [Form::Bitbucket, Form::BitbucketServer] {
        let status = status(form);
        assert_eq!(status.is_posted(404, b"not found"), Ok(false));
        assert!(status.is_posted(500, b"").is_err());
        assert_eq!(
            status.is_posted(200, entry.to_string().as_bytes()),
            Ok(true)
        );
    }
    let mut renamed = entry;
    renamed["name"] = json!("other");
    let found = status(Form::BitbucketServer).is_posted(200, renamed.to_string().as_bytes());
    assert_eq!(found, Ok(false));
    assert!(status(Form::Github).is_posted(404, b"not found").is_err());
}

#[test]
fn azure_status_is_compared_with_its_genre() {
    let entry = |genre: &str| {
        json!({
            "context": { "genre": genre, "name": "id" },
            "state": "success", "description": "done",
        })
    };
    for (genre, expected) in [("fluxcd", true), ("fluxcd:x", false)] {
        let answer = json!({ "count": 1, "value": [entry(genre)] }).to_string();
        let found = status(Form::AzureDevOps).is_posted(200, answer.as_bytes());
        assert_eq!(found, Ok(expected));
    }
}

fn comment(form: comment::Form) -> Comment {
    let url = "https://host/comments?direction=asc&per_page=100";
    Comment {
        user: None,
        list: HttpRequest::get(Url::parse(url).unwrap()),
        create: request(),
        update: HttpRequest::get(Url::parse("https://host/comments").unwrap()),
        marker: "<!-- key -->".into(),
        form,
    }
}

#[test]
fn comment_of_the_user_is_found_by_its_marker() {
    let comment = comment(comment::Form::Github);
    let of = |id: u64, login: &str, body: &str| json!({ "id": id, "user": { "login": login }, "body": body });
    let page = json!([
        of(1, "eve", "<!-- key --> x"),
        of(2, "bot", "other"),
        of(3, "bot", "a <!-- key --> x"),
    ]);
    let found = comment.find("bot", 200, page.to_string().as_bytes());
    assert_eq!(found, Ok(CommentSearch::Found(3)));
    assert_eq!(comment.replace(3).url.as_str(), "https://host/comments/3");
    let found = comment.find("bot", 200, b"[]");
    assert_eq!(found, Ok(CommentSearch::Absent));
    let full = json!(vec![of(1, "eve", "x"); comment::PAGE_SIZE]).to_string();
    let found = comment.find("bot", 200, full.as_bytes());
    assert_eq!(found, Ok(CommentSearch::NextPage));
    let next = comment.page(2).url;
    assert_eq!(next.query(), Some("direction=asc&per_page=100&page=2"));
    assert!(comment.find("bot", 403, b"no").is_err());
}

#[test]
fn user_without_a_name_is_an_error() {
    let github = comment(comment::Form::Github);
    assert_eq!(github.login(200, br#"{"login":"bot"}"#), Ok("bot".into()));
    for answer in ["{}", r#"{"login":""}"#, r#"{"login":5}"#, "[]", ""] {
        assert!(github.login(200, answer.as_bytes()).is_err(), "{answer}");
    }
    let gitlab = comment(comment::Form::Gitlab);
    assert_eq!(
        gitlab.login(200, br#"{"username":"bot"}"#),
        Ok("bot".into())
    );
}

/// From `TestEnsureFullyQualifiedNamespace` in the reference.
#[test]
fn event_hub_host_follows_the_cloud() {
    for (namespace, authority, expected) in [
        ("ns", "", "ns.servicebus.windows.net"),
        (
            "ns",
            "https://login.chinacloudapi.cn/",
            "ns.servicebus.chinacloudapi.cn",
        ),
        (
            "ns",
            "https://login.microsoftonline.us/",
            "ns.servicebus.usgovcloudapi.net",
        ),
        (
            "ns.servicebus.windows.net",
            "x",
            "ns.servicebus.windows.net",
        ),
    ] {
        assert_eq!(EventHub::host(namespace, authority), expected);
    }
}

#[test]
fn form_is_escaped_as_in_go() {
    let pairs = [("a b", "c&d=e"), ("~", "*+/ä")];
    assert_eq!(form(&pairs), "a+b=c%26d%3De&~=%2A%2B%2F%C3%A4");
}

//! Each provider type builds requests for its own host and hides its secrets.

use base64::Engine as _;
use serde_json::{Value, json};
use sluice_api::event::{InvolvedObject, Severity};
use sluice_api::meta::Time;

use super::*;
use crate::request::{EventHub, HttpRequest, Identity, NatsCredentials};

const COMMIT: &str = "5394cb7f48332b2de7c17dd8b8384bbc84b7e738";

/// `testEvent` of the reference.
fn event() -> Event {
    Event {
        involved_object: InvolvedObject {
            kind: "GitRepository".into(),
            namespace: "gitops-system".into(),
            name: "webapp".into(),
            uid: "2f5c9d21-b62c-4a35-9b17-1b0f4c8e2d3a".into(),
            ..InvolvedObject::default()
        },
        severity: Severity::Info,
        timestamp: Time::new("2024-05-01T10:00:00Z"),
        message: "message".into(),
        reason: "reason".into(),
        metadata: [("test".to_owned(), "metadata".to_owned())].into(),
        reporting_controller: "source-controller".into(),
        reporting_instance: Some("source-controller-xyz".into()),
    }
}

/// Settings that every type accepts, with a canary as each secret.
fn config(type_: &str) -> ProviderConfig {
    let type_ = ProviderType::from(type_);
    let address = match type_.as_str() {
        "azuredevops" => "https://dev.azure.com/acme/project/_git/fleet",
        "bitbucketserver" => "https://bb.example.com/scm/acme/fleet.git",
        "sentry" => "https://canary@sentry.example.com/1",
        "googlepubsub" => "project",
        "azureeventhub" => "hub",
        "nats" => "nats://host",
        "github"
        | "gitlab"
        | "gitea"
        | "bitbucket"
        | "githubdispatch"
        | "githubpullrequestcomment"
        | "gitlabmergerequestcomment"
        | "giteapullrequestcomment" => "https://git.example.com/acme/fleet",
        _ => "https://example.com/canary?token=canary",
    };
    let token = match type_.as_str() {
        "bitbucket" => "user:canary",
        _ => "canary",
    };
    ProviderConfig {
        type_,
        address: address.into(),
        channel: "channel/topic".into(),
        username: "user".into(),
        password: "canary".into(),
        token: token.as_bytes().to_vec().into(),
        commit_status: "id".into(),
        ..ProviderConfig::default()
    }
}

fn single(config: &ProviderConfig, event: &Event) -> HttpRequest {
    let mut requests = request(config, event).unwrap();
    match (requests.pop(), requests.is_empty()) {
        (Some(Request::Http(request)), true) => request,
        other => unreachable!("one HTTP request, not {other:?}"),
    }
}

fn body(request: &HttpRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// All HTTP requests that may follow from an event.
fn all(requests: &[Request]) -> Vec<HttpRequest> {
    let all = requests.iter().flat_map(|request| match request {
        Request::Http(request) => vec![request.clone()],
        Request::CommitStatus(status) => vec![status.lookup.clone(), status.create.clone()],
        Request::Comment(comment) => {
            let mut all = vec![comment.list.clone(), comment.create.clone()];
            all.push(comment.update.clone());
            all.extend(comment.user.clone());
            all
        }
        Request::Nats(_) | Request::EventHub(_) => Vec::new(),
    });
    all.collect()
}

#[test]
fn every_type_of_the_schema_sends() {
    assert_eq!(ProviderType::WORDS.len(), 34);
    for word in ProviderType::WORDS {
        let mut event = event();
        event
            .metadata
            .insert("revision".into(), format!("main@sha1:{COMMIT}"));
        event.metadata.insert("change_request".into(), "42".into());
        for severity in [Severity::Info, Severity::Error] {
            event.severity = severity;
            let requests = request(&config(word), &event);
            assert!(!requests.unwrap().is_empty(), "{word}");
        }
    }
    let error = request(&config("unknown"), &event()).unwrap_err();
    assert_eq!(error.to_string(), "provider unknown not supported");
}

#[test]
fn debug_of_every_type_hides_secrets() {
    for word in ProviderType::WORDS {
        let mut event = event();
        event.metadata.insert("revision".into(), COMMIT.into());
        event.metadata.insert("change_request".into(), "42".into());
        let requests = request(&config(word), &event).unwrap();
        let shown = format!("{requests:?}");
        assert!(!shown.contains("canary"), "{word}: {shown}");
        for request in all(&requests) {
            let secret = request
                .headers
                .iter()
                .filter(|(_, value)| value.to_str().is_ok_and(|text| text.contains("canary")));
            for (name, value) in secret {
                assert!(value.is_sensitive(), "{word}: {name}");
            }
        }
    }
}

/// Covers class S11 of hostile input: events and addresses must not send a credential to another
/// host.
#[test]
fn hostile_event_stays_on_the_host() {
    let hostile = [
        "../../../user/keys",
        "x?token=y#z",
        "@evil.example.com/",
        "\r\nHost: evil.example.com\r\n\r\n",
        "%2e%2e%2f",
        "\\..\\..",
        "\0",
    ];
    for word in ProviderType::WORDS {
        for text in hostile {
            let mut event = event();
            event
                .metadata
                .insert("revision".into(), format!("{text}@sha1:{COMMIT}"));
            event.metadata.insert("change_request".into(), "42".into());
            event.metadata.insert(text.into(), text.into());
            event.involved_object.name = text.into();
            event.involved_object.namespace = text.into();
            event.involved_object.kind = text.into();
            event.involved_object.uid = text.into();
            event.message = text.into();
            event.reason = text.into();
            event.severity = Severity::Error;
            let plain = config(word);
            let wanted = all(&request(&plain, &self::event_with_commit()).unwrap());
            let found = all(&request(&plain, &event).unwrap());
            for (wanted, found) in wanted.iter().zip(&found) {
                assert_eq!(wanted.url.origin(), found.url.origin(), "{word}: {text:?}");
                // Only Matrix has a hash of the event in the path.
                if *word != "matrix" {
                    assert_eq!(wanted.url.path(), found.url.path(), "{word}: {text:?}");
                }
            }
        }
    }
}

fn event_with_commit() -> Event {
    let mut event = event();
    event.metadata.insert("revision".into(), COMMIT.into());
    event.metadata.insert("change_request".into(), "42".into());
    event.severity = Severity::Error;
    event
}

#[test]
fn hostile_pull_request_number_is_refused() {
    for word in [
        "githubpullrequestcomment",
        "gitlabmergerequestcomment",
        "giteapullrequestcomment",
    ] {
        for number in ["", "x", "4/../../5", "4?x", " 4", "99999999999999999999"] {
            let mut event = event();
            event
                .metadata
                .insert("change_request".into(), number.into());
            let found = request(&config(word), &event);
            assert_eq!(found, Err(Error::ChangeRequest(number.into())), "{word}");
        }
    }
}

#[test]
fn hostile_revision_is_refused() {
    for word in [
        "github",
        "gitlab",
        "gitea",
        "bitbucket",
        "bitbucketserver",
        "azuredevops",
    ] {
        for revision in [
            "main@sha1:../../../../../../../../../../a/b",
            "6.1.0",
            "sha256:abc",
        ] {
            let mut event = event();
            event.metadata.insert("revision".into(), revision.into());
            let found = request(&config(word), &event);
            assert_eq!(found, Err(Error::NoCommit(revision.into())), "{word}");
        }
        assert_eq!(request(&config(word), &event()), Err(Error::NoRevision));
        let nameless = ProviderConfig {
            commit_status: String::new(),
            ..config(word)
        };
        let error = request(&nameless, &event_with_commit()).unwrap_err();
        assert_eq!(error.to_string(), "commit status cannot be empty", "{word}");
    }
}

/// Covers class S8 of hostile input: an invalid token is an error, and is not printed.
#[test]
fn token_with_a_line_break_is_refused() {
    for word in ProviderType::WORDS {
        let hostile = ProviderConfig {
            token: b"user:canary\n".to_vec().into(),
            username: String::new(),
            password: String::new().into(),
            ..config(word)
        };
        match request(&hostile, &event_with_commit()) {
            Err(error) => assert!(!error.to_string().contains("canary"), "{word}: {error}"),
            // A signature key may contain any byte, and some types have no token.
            Ok(requests) => {
                for request in all(&requests) {
                    let mut values = request.headers.values();
                    assert!(
                        values.all(|value| !value.as_bytes().contains(&b'\n')),
                        "{word}"
                    );
                }
            }
        }
    }
}

#[test]
fn address_error_of_every_type_hides_it() {
    for word in ProviderType::WORDS {
        for address in [
            "",
            "canary",
            "https://canary\n.example.com",
            "ftp://canary/a",
            "https://[canary",
        ] {
            let hostile = ProviderConfig {
                address: address.into(),
                ..config(word)
            };
            if let Err(error) = request(&hostile, &event_with_commit()) {
                let text = format!("{error} {error:?}");
                assert!(!text.contains("canary"), "{word}: {text}");
                assert!(!error.hint().is_empty());
            }
        }
    }
}

#[test]
fn megabyte_event_is_built_by_every_type() {
    let mut event = event_with_commit();
    event.message = "<&\u{2028}\"\\é\n*_`".repeat(70_000);
    for number in 0..1000 {
        event
            .metadata
            .insert(format!("key{number}"), "v".repeat(100));
    }
    for word in ProviderType::WORDS {
        let requests = request(&config(word), &event).unwrap();
        for request in all(&requests) {
            let is_json = request
                .headers
                .get("content-type")
                .is_some_and(|value| value == "application/json");
            if is_json {
                assert!(
                    body(&request).is_object() || body(&request).is_array(),
                    "{word}"
                );
            }
        }
    }
}

#[test]
fn telegram_text_fits_and_stays_escaped() {
    let mut long = event();
    long.message = "a.".repeat(5000);
    long.metadata.insert("z".into(), "b".repeat(5000));
    let text = body(&single(&config("telegram"), &long))["text"].clone();
    let text = text.as_str().unwrap();
    let plain = text.replace(['\\', '*'], "");
    assert!(plain.encode_utf16().count() <= 4096, "{}", plain.len());
    assert!(plain.contains("- test: metadata"), "small metadata stays");
    assert!(!plain.contains("bbbb"), "large metadata goes");
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => assert!(characters.next().is_some_and(|c| c.is_ascii_punctuation())),
            '*' => {}
            other => assert!(!"._-[]()~>`#+=|{}!".contains(other), "{other}"),
        }
    }
}

#[test]
fn webex_markdown_fits() {
    let mut long = event();
    long.message = "é".repeat(10_000);
    let markdown = body(&single(&config("webex"), &long))["markdown"].clone();
    let markdown = markdown.as_str().unwrap();
    assert!(markdown.len() <= 7439 && markdown.contains("**test**: metadata"));
    long.metadata.insert("z".into(), "é".repeat(10_000));
    let markdown = body(&single(&config("webex"), &long))["markdown"].clone();
    assert!(markdown.as_str().unwrap().len() <= 7439);
}

#[test]
fn long_reason_fits_into_a_github_status() {
    let mut long = event_with_commit();
    long.reason = "HealthCheckFailed".repeat(60);
    let requests = request(&config("github"), &long).unwrap();
    let [Request::CommitStatus(status)] = &requests[..] else {
        unreachable!("one commit status");
    };
    assert_eq!(status.wanted.description.len(), 140);
    assert_eq!(
        body(&status.create)["description"],
        *status.wanted.description
    );
}

/// From `internal/notifier/zoom_test.go` of the reference's main branch.
#[test]
fn zoom_receives_head_message_and_fields() {
    let config = ProviderConfig {
        address: "https://zoom.example.com/hook?b=1&a=x%20y".into(),
        token: b"token".to_vec().into(),
        ..config("zoom")
    };
    let request = single(&config, &event());
    assert_eq!(request.headers["authorization"], "token");
    assert_eq!(request.url.query(), Some("a=x+y&b=1&format=full"));
    assert_eq!(
        body(&request),
        json!({ "content": {
            "head": { "text": "gitrepository/webapp.gitops-system", "sub_head": { "text": "info" } },
            "body": [
                { "type": "message", "text": "message" },
                { "type": "fields", "items": [{ "key": "test", "value": "metadata" }] },
            ],
        } })
    );
    let fixed = ProviderConfig {
        address: "https://zoom.example.com/hook?format=message".into(),
        ..config.clone()
    };
    assert_eq!(single(&fixed, &event()).url.query(), Some("format=message"));
    let anonymous = ProviderConfig {
        token: Vec::new().into(),
        ..config
    };
    let error = super::request(&anonymous, &event()).unwrap_err();
    assert_eq!(error.to_string(), "empty Zoom verification token");
}

/// From `internal/notifier/incidentio_test.go` of the reference's main branch.
#[test]
fn incident_io_receives_an_alert() {
    let config = ProviderConfig {
        token: b"token".to_vec().into(),
        ..config("incident.io")
    };
    let mut event = event();
    let request = single(&config, &event);
    assert_eq!(request.headers["authorization"], "Bearer token");
    assert_eq!(
        body(&request),
        json!({
            "title": "gitrepository/webapp.gitops-system: reason",
            "status": "resolved",
            "deduplication_key": "2f5c9d21-b62c-4a35-9b17-1b0f4c8e2d3a",
            "description": "message",
            "metadata": {
                "test": "metadata", "severity": "info", "reason": "reason",
                "reportingController": "source-controller",
            },
        })
    );
    event.severity = Severity::Error;
    assert_eq!(body(&single(&config, &event))["status"], "firing");
    event.reason = "Progressing".into();
    assert_eq!(super::request(&config, &event), Ok(Vec::new()));
}

/// From `internal/notifier/google_pubsub_test.go` of the reference.
#[test]
fn pub_sub_receives_the_event_with_attributes() {
    let mut settings = config("googlepubsub");
    settings.channel = "topic".into();
    settings.headers.insert("attr".into(), "value".into());
    let request = single(&settings, &event());
    assert_eq!(
        request.url.as_str(),
        "https://pubsub.googleapis.com/v1/projects/project/topics/topic:publish"
    );
    let message = &body(&request)["messages"][0];
    assert_eq!(message["attributes"], json!({ "attr": "value" }));
    let data = base64::prelude::BASE64_STANDARD.decode(message["data"].as_str().unwrap());
    assert_eq!(
        data.unwrap(),
        crate::json::to_vec(&crate::event::wire(&event()))
    );
    assert!(matches!(
        request.identity,
        Some(Identity::Google { key: Some(_) })
    ));
    for (address, channel, message) in [
        ("", "topic", "GCP project ID cannot be empty"),
        ("project", "", "GCP Pub/Sub topic ID cannot be empty"),
    ] {
        let config = ProviderConfig {
            address: address.into(),
            channel: channel.into(),
            ..config("googlepubsub")
        };
        assert_eq!(
            super::request(&config, &event()).unwrap_err().to_string(),
            message
        );
    }
}

/// From `internal/notifier/nats_test.go` of the reference.
#[test]
fn nats_credentials_have_a_priority() {
    let credentials = |config: &ProviderConfig| match &request(config, &event()).unwrap()[..] {
        [Request::Nats(message)] => message.credentials.clone(),
        other => unreachable!("one NATS message, not {other:?}"),
    };
    let mut settings = config("nats");
    assert!(matches!(credentials(&settings), NatsCredentials::Basic(_)));
    settings.nats_seed = Some(b"seed".to_vec().into());
    assert!(matches!(credentials(&settings), NatsCredentials::Seed(_)));
    settings.nats_credentials = Some(b"file".to_vec().into());
    assert!(matches!(credentials(&settings), NatsCredentials::File(_)));
    let anonymous = ProviderConfig {
        username: String::new(),
        ..config("nats")
    };
    assert_eq!(credentials(&anonymous), NatsCredentials::Anonymous);
    for subject in ["", "a b", "a\r\nPUB x 1\r\n"] {
        let hostile = ProviderConfig {
            channel: subject.into(),
            ..config("nats")
        };
        assert!(request(&hostile, &event()).is_err(), "{subject:?}");
    }
}

/// From `internal/notifier/azure_eventhub_test.go` of the reference.
#[test]
fn event_hub_has_one_kind_of_credentials() {
    const SAS: &str = "Endpoint=sb://x/;SharedAccessKeyName=k;SharedAccessKey=canary";
    let cases = [
        ("", "", None, Some("endpoint URL cannot be empty")),
        (
            "hub",
            "t",
            Some("sa"),
            Some("serviceAccountName and jwt token"),
        ),
        (SAS, "t", None, Some("jwt token and SAS")),
        (SAS, "", Some("sa"), Some("serviceAccountName and SAS")),
        (SAS, "", None, None),
        ("hub", "", Some("sa"), None),
        ("hub", "t", None, None),
    ];
    for (address, token, account, expected) in cases {
        let config = ProviderConfig {
            address: address.into(),
            token: token.as_bytes().to_vec().into(),
            service_account: account.map(str::to_owned),
            ..config("azureeventhub")
        };
        let found = request(&config, &event());
        match (found, expected) {
            (Err(error), Some(part)) => {
                let text = error.to_string();
                assert!(text.contains(part) && !text.contains("canary"), "{text}");
            }
            (Ok(requests), None) => {
                let [Request::EventHub(message)] = &requests[..] else {
                    unreachable!("one message");
                };
                let is_connection = matches!(message.hub, EventHub::Connection(_));
                assert_eq!(is_connection, address == SAS);
            }
            (found, expected) => unreachable!("{found:?} is not {expected:?}"),
        }
    }
}

#[test]
fn signature_survives_custom_headers() {
    let mut settings = config("generic-hmac");
    settings
        .headers
        .insert("X-Signature".into(), "sha256=00".into());
    let signature = single(&settings, &event()).headers["x-signature"].clone();
    let count = single(&settings, &event())
        .headers
        .get_all("x-signature")
        .iter()
        .count();
    assert_eq!(count, 1);
    assert!(signature.to_str().unwrap().len() > 70);
}

#[test]
fn otel_is_authenticated_without_custom_headers() {
    let mut settings = config("otel");
    settings.username = String::new();
    assert_eq!(
        single(&settings, &event()).headers["authorization"],
        "Bearer canary"
    );
    settings
        .headers
        .insert("Authorization".into(), "Custom x".into());
    assert_eq!(
        single(&settings, &event()).headers["authorization"],
        "Custom x"
    );
}

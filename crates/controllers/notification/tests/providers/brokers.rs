//! Compares the messages to brokers, to which the reference does not speak HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use serde_json::Value;
use sluice_dial::HttpClients;
use sluice_notification_controller::provider::request;
use sluice_notification_controller::request::Request;
use sluice_notification_controller::sender::{IdentityOptions, Sender, event_hub};
use sluice_system::SystemClock;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{Question, Recording, config, vectors};

/// The types that this module compares.
pub(super) const TYPES: [&str; 3] = ["nats", "googlepubsub", "azureeventhub"];

/// The address of the recorded server.
const CANONICAL: &str = "sink.example.com";
/// The greeting of the recorded server. Its nonce is signed.
const GREETING: &str = concat!(
    r#"INFO {"server_id":"s","proto":1,"headers":true,"max_payload":1048576,"nonce":"bm9uY2U"}"#,
    "\r\n"
);

/// Builds the requests of a type's recordings, and compares the errors.
fn built(type_: &str, adapt: impl Fn(&mut Question)) -> Vec<(Recording, Question, Vec<Request>)> {
    let (questions, recordings) = vectors();
    let mut all = Vec::new();
    for recording in recordings {
        let (question, event) = questions.find(&recording);
        if question.type_ != type_ {
            continue;
        }
        let mut question = question.clone();
        adapt(&mut question);
        match request(&config(&question), &event) {
            Ok(requests) => all.push((recording, question, requests)),
            Err(error) => assert_eq!(error.to_string(), recording.error, "{}", recording.name),
        }
    }
    assert!(all.len() >= 5, "{}", all.len());
    all
}

#[test]
fn pub_sub_messages_equal_those_of_the_reference() {
    for (recording, _, requests) in built("googlepubsub", |_| {}) {
        let [Request::Http(request)] = &*requests else {
            panic!("{requests:?}");
        };
        let [wanted] = &*recording.requests else {
            panic!("{recording:?}");
        };
        let at = format!("{} / {}", recording.name, recording.event);
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let message = &body["messages"][0];
        let data = message["data"].as_str().unwrap();
        let data = BASE64_STANDARD.decode(data).unwrap();
        assert_eq!(String::from_utf8(data).unwrap(), wanted.body, "{at}");
        let attributes = message.get("attributes").cloned().unwrap_or_default();
        let attributes: Option<BTreeMap<String, String>> =
            serde_json::from_value(attributes).unwrap();
        assert_eq!(attributes.unwrap_or_default(), wanted.headers, "{at}");
        let path = format!("/v1/{}:publish", wanted.url);
        assert_eq!(request.url.path(), path, "{at}");
    }
}

/// The reference claims access to the hub, then sends. Both are one request here.
#[test]
fn event_hub_messages_equal_those_of_the_reference() {
    let mut compared = 0;
    for (recording, question, requests) in built("azureeventhub", |_| {}) {
        let at = format!("{} / {}", recording.name, recording.event);
        let [Request::EventHub(message)] = &*requests else {
            panic!("{requests:?}");
        };
        let request = match event_hub::request(message, "", Timestamp::UNIX_EPOCH) {
            Ok(request) => request,
            Err(error) => {
                assert_eq!(error, recording.error, "{at}");
                continue;
            }
        };
        let [claim, wanted] = &*recording.requests else {
            panic!("{recording:?}");
        };
        let (_, hub) = claim.url.split_once("://").unwrap();
        let url = format!("https://{hub}/messages?api-version=2014-01");
        assert_eq!(request.url.as_str(), url, "{at}");
        assert!(hub.ends_with(&format!("/{}", wanted.url)), "{at}");
        assert_eq!(request.body, wanted.body.as_bytes(), "{at}");
        let credentials = request.headers["authorization"].to_str().unwrap();
        if question.token.is_empty() {
            let resource = |text: &str| text.split("%2f").last().unwrap().to_owned();
            let (resource_of_ours, _) = credentials.split_once("&sig=").unwrap();
            let ours = resource(&resource_of_ours.to_lowercase());
            assert_eq!(ours, resource(&claim.body.to_lowercase()), "{at}");
        } else {
            assert_eq!(credentials, format!("Bearer {}", claim.body), "{at}");
        }
        compared += 1;
    }
    assert_eq!(compared, 6);
}

#[tokio::test]
async fn nats_messages_equal_those_of_the_reference() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let clients = Arc::new(HttpClients::new("test"));
    let sender = Sender::new(clients, Arc::new(SystemClock), IdentityOptions::default());
    let all = built("nats", |question| {
        question.address = question.address.replace(CANONICAL, &address);
    });
    for (recording, question, requests) in all {
        let at = format!("{} / {}", recording.name, recording.event);
        let config = config(&question);
        let sent = sender.send(&config, None, &requests);
        let (sent, commands) = tokio::join!(sent, answer(&listener));
        sent.unwrap();
        let wanted: Vec<_> = recording
            .requests
            .iter()
            .map(|it| (it.method.clone(), it.url.clone(), it.body.clone()))
            .collect();
        assert_eq!(commands, wanted, "{at}");
    }
}

/// Answers one connection as the recorded server. Returns its commands: name, subject and body.
async fn answer(listener: &TcpListener) -> Vec<(String, String, String)> {
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream: BufReader<TcpStream> = BufReader::new(stream);
    stream.write_all(GREETING.as_bytes()).await.unwrap();
    let mut commands = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        let line = line.trim();
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "CONNECT" => {
                let mut options: BTreeMap<String, Value> = serde_json::from_str(rest).unwrap();
                // They name the client library.
                options.remove("lang");
                options.remove("version");
                let options = serde_json::to_string(&options).unwrap();
                commands.push((command.to_owned(), String::new(), options));
            }
            "PUB" => {
                let (subject, length) = rest.split_once(' ').unwrap();
                let mut body = vec![0; length.parse::<usize>().unwrap() + 2];
                stream.read_exact(&mut body).await.unwrap();
                body.truncate(body.len() - 2);
                let body = String::from_utf8(body).unwrap();
                commands.push((command.to_owned(), subject.to_owned(), body));
            }
            "PING" => {
                stream.write_all(b"PONG\r\n").await.unwrap();
                return commands;
            }
            other => panic!("{other}"),
        }
    }
}

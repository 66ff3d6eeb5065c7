//! OpenTelemetry: one span per event, in a trace per Alert and revision.
//!
//! Differences to the reference:
//! - the span has no length, because its end would be the time of the delivery
//! - its id is a hash of the event
//! - credentials are sent without custom headers too

use http::{HeaderName, HeaderValue, Method};
use sluice_api::event::Event;
use sluice_digest::Algorithm;

use super::protobuf::Message;
use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::{unix_seconds, wire};
use crate::json;
use crate::request::{HttpRequest, Request, secret_header};
use crate::text::{is_error, object_path};

const PROTOBUF: HeaderValue = HeaderValue::from_static("application/x-protobuf");
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.34.0";
const TRACER: &str = "flux:notification-controller";
/// Default path of an address.
const DEFAULT_PATH: &str = "/v1/traces";
const STATUS_OK: u64 = 1;
const STATUS_ERROR: u64 = 2;
const KIND_INTERNAL: u64 = 1;
/// The span is sampled, and its parent is known to be remote.
const FLAGS: u32 = 0x0301;

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let mut url = http_url("OTLP endpoint URL", config.address.expose())?;
    if event.involved_object.kind == "HelmRepository" {
        return Ok(Vec::new());
    }
    if url.path() == "/" {
        url.set_path(DEFAULT_PATH);
    }
    let body = traces(config, event).into_bytes();
    let mut request = HttpRequest::new(Method::POST, url).with_body(PROTOBUF, body);
    if let Some(token) = config.token_or_password()? {
        let value = match config.username.as_str() {
            "" => secret_header(
                "key 'token' of the Secret",
                format!("Bearer {token}").as_bytes(),
            )?,
            username => sluice_dial::Basic::new(username, token).header(),
        };
        request = request.with_authorization(value);
    }
    for (name, value) in &config.headers {
        let what = format!("header {name:?} of the Secret");
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Error::Unsendable { what: what.clone() })?;
        let value = secret_header(&what, value.expose().as_bytes())?;
        request.headers.insert(header, value);
    }
    Ok(vec![request.into()])
}

fn traces(config: &ProviderConfig, event: &Event) -> Message {
    let alert = &config.alert;
    let service = format!("{}/{}", alert.namespace, alert.name);
    let resource = Message::default()
        .message(1, attribute("service.instance.id", &alert.uid))
        .message(1, attribute("service.name", &service))
        .message(1, attribute("service.namespace", &alert.namespace));
    let scope_spans = Message::default()
        .message(1, Message::default().bytes(1, TRACER))
        .message(2, span(config, event));
    let resource_spans = Message::default()
        .message(1, resource)
        .message(2, scope_spans)
        .bytes(3, SCHEMA);
    Message::default().message(1, resource_spans)
}

fn span(config: &ProviderConfig, event: &Event) -> Message {
    let object = &event.involved_object;
    let trace = format!("{}:{}", config.alert.uid, revision(event));
    let trace = hash(trace.as_bytes());
    let span = hash(&json::to_vec(&wire(event)));
    let time = u64::try_from(unix_seconds(event)).unwrap_or_default() * 1_000_000_000;
    let status = if is_error(event) {
        Message::default()
            .bytes(2, &event.message)
            .number(3, STATUS_ERROR)
    } else {
        Message::default().number(3, STATUS_OK)
    };
    let mut message = Message::default()
        .bytes(1, &trace[..16])
        .bytes(2, &span[..8])
        .bytes(5, object_path(event).replacen('/', ": ", 1))
        .number(6, KIND_INTERNAL)
        .fixed64(7, time)
        .fixed64(8, time)
        .message(9, attribute("object.uid", &object.uid))
        .message(9, attribute("object.kind", &object.kind))
        .message(9, attribute("object.name", &object.name))
        .message(9, attribute("object.namespace", &object.namespace));
    for (key, value) in &event.metadata {
        message = message.message(9, attribute(key, value));
    }
    message.message(15, status).fixed32(16, FLAGS)
}

/// Returns the revision that all objects of a rollout share.
fn revision(event: &Event) -> String {
    let text = |key: &str| event.metadata.get(key);
    match (text("oci-digest"), text("app-version"), text("revision")) {
        (Some(digest), Some(version), _) => format!("{version}@{digest}"),
        (_, _, Some(revision)) => revision.clone(),
        _ => "unknown".to_owned(),
    }
}

/// Returns an attribute with a text, which is written even if it is empty.
fn attribute(key: &str, value: &str) -> Message {
    let value = match value {
        "" => Message::default().message(1, Message::default()),
        value => Message::default().bytes(1, value),
    };
    Message::default().bytes(1, key).message(2, value)
}

fn hash(bytes: &[u8]) -> Vec<u8> {
    let digest = Algorithm::Sha256.digest(bytes);
    hex::decode(digest.hex()).expect("a digest is hexadecimal")
}

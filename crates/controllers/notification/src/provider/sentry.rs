//! Sentry: an error as an event, a success as a trace, each in an envelope.
//!
//! The ids are hashes of the event, so Sentry drops a retried message. Facts about the process,
//! such as its operating system, are omitted.

use std::collections::BTreeMap;

use http::{HeaderName, HeaderValue, Method};
use serde::Serialize;
use sluice_api::event::{Event, Severity};
use sluice_digest::Digest;
use url::Url;

use crate::address::join;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::{timestamp, wire};
use crate::json;
use crate::request::{HttpRequest, Request, secret_header};
use crate::text::object_path;

const ENVELOPE: HeaderValue = HeaderValue::from_static("application/x-sentry-envelope");
/// Name of the client in the protocol.
const CLIENT: &str = concat!("sluice/", env!("CARGO_PKG_VERSION"));

#[derive(Serialize)]
struct EnvelopeHeader<'a> {
    event_id: &'a str,
    dsn: &'a str,
}

#[derive(Serialize)]
struct ItemHeader<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    length: usize,
}

#[derive(Serialize)]
struct SentryEvent<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    environment: &'a str,
    event_id: &'a str,
    level: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    message: &'a str,
    platform: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    server_name: &'a str,
    timestamp: String,
    transaction: String,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    type_: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_timestamp: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spans: Vec<Span<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, &'a str>,
    contexts: Contexts<'a>,
}

#[derive(Default, Serialize)]
struct Contexts<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceContext<'a>>,
}

#[derive(Serialize)]
struct TraceContext<'a> {
    op: &'a str,
    span_id: &'a str,
    trace_id: &'a str,
}

#[derive(Serialize)]
struct Span<'a> {
    trace_id: &'a str,
    #[serde(rename = "span_id")]
    id: &'a str,
    op: &'a str,
    start_timestamp: String,
    timestamp: String,
    origin: &'a str,
    tags: BTreeMap<&'a str, &'a str>,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let dsn = Dsn::parse(config.address.expose())?;
    let hash = Digest::of(&json::to_vec(&wire(event)));
    let (event_id, rest) = hash.hex().split_at(32);
    let (trace_id, span_id) = (event_id, &rest[..16]);
    let (type_, body) = match event.severity {
        Severity::Error => ("event", failure(config, event, event_id)),
        Severity::Info => (
            "transaction",
            trace(config, event, event_id, (trace_id, span_id)),
        ),
        // The reference sends nothing for other severities.
        _ => return Ok(Vec::new()),
    };
    let item = json::to_vec(&body);
    let mut envelope = json::to_vec(&EnvelopeHeader {
        event_id,
        dsn: config.address.expose(),
    });
    envelope.push(b'\n');
    envelope.extend(json::to_vec(&ItemHeader {
        type_,
        length: item.len(),
    }));
    envelope.push(b'\n');
    envelope.extend(item);
    envelope.push(b'\n');
    let mut request = HttpRequest::new(Method::POST, dsn.endpoint).with_body(ENVELOPE, envelope);
    let auth = format!(
        "Sentry sentry_version=7, sentry_client={CLIENT}, sentry_key={}",
        dsn.key
    );
    let auth = secret_header("the key of the DSN", auth.as_bytes())?;
    request
        .headers
        .insert(HeaderName::from_static("x-sentry-auth"), auth);
    Ok(vec![request.into()])
}

fn failure<'a>(config: &'a ProviderConfig, event: &'a Event, id: &'a str) -> SentryEvent<'a> {
    SentryEvent {
        environment: &config.channel,
        event_id: id,
        level: event.severity.as_str(),
        message: &event.message,
        platform: "other",
        server_name: &event.reporting_controller,
        timestamp: timestamp(event),
        transaction: transaction(event),
        type_: "",
        start_timestamp: None,
        spans: Vec::new(),
        tags: BTreeMap::new(),
        contexts: Contexts {
            metadata: Some(&event.metadata).filter(|metadata| !metadata.is_empty()),
            trace: None,
        },
    }
}

fn trace<'a>(
    config: &'a ProviderConfig,
    event: &'a Event,
    id: &'a str,
    (trace_id, span_id): (&'a str, &'a str),
) -> SentryEvent<'a> {
    let object = &event.involved_object;
    let instance = event.reporting_instance.as_deref().unwrap_or_default();
    let mut tags = BTreeMap::from([
        ("flux_involved_object_kind", object.kind.as_str()),
        ("flux_involved_object_namespace", &object.namespace),
        ("flux_involved_object_name", &object.name),
        ("flux_reporting_controller", &event.reporting_controller),
        ("flux_reporting_instance", instance),
        ("flux_reason", &event.reason),
    ]);
    let metadata = event.metadata.iter();
    tags.extend(metadata.map(|(key, value)| (key.as_str(), value.as_str())));
    SentryEvent {
        level: "info",
        server_name: "",
        type_: "transaction",
        start_timestamp: Some(timestamp(event)),
        spans: vec![Span {
            trace_id,
            id: span_id,
            op: "event",
            start_timestamp: timestamp(event),
            timestamp: timestamp(event),
            origin: "manual",
            tags: tags.clone(),
        }],
        tags,
        contexts: Contexts {
            metadata: None,
            trace: Some(TraceContext {
                op: "event",
                span_id,
                trace_id,
            }),
        },
        ..failure(config, event, id)
    }
}

fn transaction(event: &Event) -> String {
    let path = object_path(event);
    path.replacen('/', ": ", 1)
}

/// The address of a Sentry project, with its key.
struct Dsn {
    key: String,
    endpoint: Url,
}

impl Dsn {
    /// Parses `https://<key>@<host>/<path>/<project>`.
    fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |reason: &str| {
            Err(Error::Address {
                what: "Sentry DSN",
                reason: reason.to_owned(),
            })
        };
        if text.is_empty() {
            return Err(Error::Missing {
                message: "DSN cannot be empty",
                hint: "set the key 'address' of the Secret in spec.secretRef to the DSN",
            });
        }
        let Ok(url) = Url::parse(text) else {
            return refuse("not a URL");
        };
        if !matches!(url.scheme(), "http" | "https") {
            return refuse("the scheme must be http or https");
        }
        if url.username().is_empty() {
            return refuse("it has no public key");
        }
        let path = url.path().trim_matches('/');
        let (prefix, project) = path.rsplit_once('/').unwrap_or(("", path));
        if project.is_empty() {
            return refuse("it has no project id");
        }
        let mut base = url.clone();
        base.set_path(prefix);
        base.set_query(None);
        base.set_fragment(None);
        let cleared = base.set_username("").and_then(|()| base.set_password(None));
        if cleared.is_err() {
            return refuse("it has no host");
        }
        Ok(Self {
            key: url.username().to_owned(),
            endpoint: join(&base, ["api", project, "envelope", ""]),
        })
    }
}

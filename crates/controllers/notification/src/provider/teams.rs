//! Microsoft Teams: adaptive cards, and message cards for the deprecated connectors.

use std::borrow::Cow;

use serde::Serialize;
use sluice_api::event::{Event, metadata};

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, object_name};

/// Host suffix of the deprecated connectors.
const CONNECTOR: &str = ".webhook.office.com";

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("MS Teams webhook URL", config.address.expose())?;
    let is_connector = url.host_str().is_some_and(|host| host.ends_with(CONNECTOR));
    let request = if is_connector {
        HttpRequest::post(url, &message_card(event))
    } else {
        HttpRequest::post(url, &adaptive_card(event))
    };
    Ok(vec![request.into()])
}

#[derive(Serialize)]
struct MessageCard<'a> {
    #[serde(rename = "@type")]
    type_: &'a str,
    #[serde(rename = "@context")]
    context: &'a str,
    #[serde(rename = "themeColor")]
    theme_color: &'a str,
    summary: String,
    sections: [Section<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Section<'a> {
    activity_title: &'a str,
    activity_subtitle: String,
    facts: Vec<NamedFact<'a>>,
}

#[derive(Serialize)]
struct NamedFact<'a> {
    name: &'a str,
    value: &'a str,
}

fn message_card(event: &Event) -> MessageCard<'_> {
    let facts = event.metadata.iter();
    MessageCard {
        type_: "MessageCard",
        context: "http://schema.org/extensions",
        theme_color: if is_error(event) { "FF0000" } else { "0076D7" },
        summary: object_name(event),
        sections: [Section {
            activity_title: &event.message,
            activity_subtitle: object_name(event),
            facts: facts
                .map(|(name, value)| NamedFact { name, value })
                .collect(),
        }],
    }
}

#[derive(Serialize)]
struct CardMessage<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    attachments: [CardAttachment<'a>; 1],
}

#[derive(Serialize)]
struct CardAttachment<'a> {
    #[serde(rename = "contentType")]
    content_type: &'a str,
    content: Card<'a>,
}

#[derive(Serialize)]
struct Card<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    #[serde(rename = "type")]
    type_: &'a str,
    version: &'a str,
    body: [Element<'a>; 1],
    msteams: Options<'a>,
}

#[derive(Serialize)]
struct Options<'a> {
    width: &'a str,
}

/// Empty fields are omitted, so each element type has only its own fields.
#[derive(Default, Serialize)]
struct Element<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Self>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    size: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    weight: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    color: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    wrap: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<TitledFact<'a>>,
}

#[derive(Serialize)]
struct TitledFact<'a> {
    title: &'a str,
    value: &'a str,
}

fn adaptive_card(event: &Event) -> CardMessage<'_> {
    let (summary, others): (Vec<_>, Vec<_>) = event
        .metadata
        .iter()
        .partition(|(key, _)| *key == metadata::SUMMARY);
    let facts = summary.into_iter().chain(others);
    CardMessage {
        type_: "message",
        attachments: [CardAttachment {
            content_type: "application/vnd.microsoft.card.adaptive",
            content: Card {
                schema: "http://adaptivecards.io/schemas/adaptive-card.json",
                type_: "AdaptiveCard",
                version: "1.4",
                body: [Element {
                    type_: "Container",
                    items: vec![
                        Element {
                            type_: "TextBlock",
                            text: object_name(event).into(),
                            size: "large",
                            weight: "bolder",
                            wrap: true,
                            ..Element::default()
                        },
                        Element {
                            type_: "TextBlock",
                            text: event.message.as_str().into(),
                            color: if is_error(event) { "attention" } else { "" },
                            wrap: true,
                            ..Element::default()
                        },
                        Element {
                            type_: "FactSet",
                            facts: facts
                                .map(|(title, value)| TitledFact { title, value })
                                .collect(),
                            ..Element::default()
                        },
                    ],
                    ..Element::default()
                }],
                msteams: Options { width: "Full" },
            },
        }],
    }
}

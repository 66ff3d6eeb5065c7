//! Zoom Team Chat: a message with fields. It is newer than the reference's release.

use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request, form};
use crate::text::object_name;

#[derive(Serialize)]
struct Message<'a> {
    content: Content<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    head: Head<'a>,
    body: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Head<'a> {
    text: String,
    sub_head: SubHead<'a>,
}

#[derive(Serialize)]
struct SubHead<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Item<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Field<'a>>,
}

#[derive(Serialize)]
struct Field<'a> {
    key: &'a str,
    value: &'a str,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let mut url = http_url("Zoom incoming webhook URL", config.address.expose())?;
    if config.token.expose().is_empty() {
        return Err(Error::Missing {
            message: "empty Zoom verification token",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        });
    }
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let is_set = |(key, value): &(String, String)| key == "format" && !value.is_empty();
    if !pairs.iter().any(is_set) {
        let mut pairs: Vec<(&str, &str)> = pairs
            .iter()
            .filter(|(key, _)| key != "format")
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .chain([("format", "full")])
            .collect();
        pairs.sort_by_key(|(key, _)| *key);
        url.set_query(Some(&form(&pairs)));
    }
    let mut body = vec![Item {
        type_: "message",
        text: &event.message,
        items: Vec::new(),
    }];
    if !event.metadata.is_empty() {
        let items = event.metadata.iter();
        body.push(Item {
            type_: "fields",
            text: "",
            items: items.map(|(key, value)| Field { key, value }).collect(),
        });
    }
    let message = Message {
        content: Content {
            head: Head {
                text: object_name(event),
                sub_head: SubHead {
                    text: event.severity.as_str(),
                },
            },
            body,
        },
    };
    let request = HttpRequest::post(url, &message);
    let request = request.with_authorization(config.token_header("")?);
    Ok(vec![request.into()])
}

//! Google Chat and Google Pub/Sub.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sluice_api::event::Event;
use url::Url;

use crate::address::{http_url, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::wire;
use crate::json;
use crate::request::{HttpRequest, Identity, Request};
use crate::text::{is_error, object_name};

#[derive(Serialize)]
struct ChatMessage<'a> {
    cards: [Card<'a>; 1],
}

#[derive(Serialize)]
struct Card<'a> {
    header: Header<'a>,
    sections: Vec<Section<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Header<'a> {
    title: String,
    subtitle: &'a str,
    image_url: Option<&'a str>,
    image_style: Option<&'a str>,
}

#[derive(Serialize)]
struct Section<'a> {
    header: &'a str,
    widgets: Vec<Widget<'a>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Widget<'a> {
    text_paragraph: Option<Paragraph>,
    key_value: Option<KeyValue<'a>>,
}

#[derive(Serialize)]
struct Paragraph {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyValue<'a> {
    top_label: &'a str,
    content: &'a str,
    content_multiline: bool,
    bottom_label: Option<&'a str>,
    icon: Option<&'a str>,
}

pub(super) fn chat(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Google Chat hook URL", config.address.expose())?;
    let text = if is_error(event) {
        format!("<font color=\"#ff0000\">{}</font>", event.message)
    } else {
        event.message.clone()
    };
    let mut sections = vec![Section {
        header: "",
        widgets: vec![Widget {
            text_paragraph: Some(Paragraph { text }),
            ..Widget::default()
        }],
    }];
    if !event.metadata.is_empty() {
        let widgets = event.metadata.iter().map(|(top_label, content)| Widget {
            key_value: Some(KeyValue {
                top_label,
                content,
                content_multiline: false,
                bottom_label: None,
                icon: None,
            }),
            ..Widget::default()
        });
        sections.push(Section {
            header: "",
            widgets: widgets.collect(),
        });
    }
    let message = ChatMessage {
        cards: [Card {
            header: Header {
                title: object_name(event),
                subtitle: &event.reporting_controller,
                image_url: None,
                image_style: None,
            },
            sections,
        }],
    };
    Ok(vec![HttpRequest::post(url, &message).into()])
}

/// REST request body. The reference makes the same call over gRPC.
#[derive(Serialize)]
struct Publish<'a> {
    messages: [PubSubMessage<'a>; 1],
}

#[derive(Serialize)]
struct PubSubMessage<'a> {
    data: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<&'a str, &'a str>,
}

pub(super) fn pub_sub(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let project = config.address.expose();
    if project.is_empty() {
        return Err(Error::Missing {
            message: "GCP project ID cannot be empty",
            hint: "set spec.address to the id of the project",
        });
    }
    if config.channel.is_empty() {
        return Err(Error::Missing {
            message: "GCP Pub/Sub topic ID cannot be empty",
            hint: "set spec.channel to the id of the topic",
        });
    }
    let base = Url::parse("https://pubsub.googleapis.com/v1").expect("the constant is a URL");
    let topic = format!("{}:publish", config.channel);
    let url = join(&base, ["projects", project, "topics", &topic]);
    let headers = config.headers.iter();
    let message = Publish {
        messages: [PubSubMessage {
            data: BASE64_STANDARD.encode(json::to_vec(&wire(event))),
            attributes: headers
                .map(|(name, value)| (name.as_str(), value.expose().as_str()))
                .collect(),
        }],
    };
    let key = (!config.token.expose().is_empty()).then(|| config.token.clone());
    let request = HttpRequest::post(url, &message).with_identity(Identity::Google { key });
    Ok(vec![request.into()])
}

//! Lark: an interactive card.

use std::fmt::Write as _;

use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, object_name};

#[derive(Serialize)]
struct Message<'a> {
    msg_type: &'a str,
    card: Card<'a>,
}

#[derive(Serialize)]
struct Card<'a> {
    config: Options,
    header: Header<'a>,
    elements: [Element<'a>; 1],
}

#[derive(Serialize)]
struct Options {
    wide_screen_mode: bool,
}

#[derive(Serialize)]
struct Header<'a> {
    title: Text<'a>,
    template: &'a str,
}

#[derive(Serialize)]
struct Element<'a> {
    tag: &'a str,
    text: Text<'a>,
}

#[derive(Serialize)]
struct Text<'a> {
    tag: &'a str,
    content: String,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Lark hook URL", config.address.expose())?;
    let (symbol, template) = if is_error(event) {
        ("🚨", "red")
    } else {
        ("💫", "turquoise")
    };
    let mut content = format!("**{}**\n\n", event.message);
    for (key, value) in &event.metadata {
        let _ = writeln!(content, "{key}: {value}");
    }
    let message = Message {
        msg_type: "interactive",
        card: Card {
            config: Options {
                wide_screen_mode: true,
            },
            header: Header {
                title: Text {
                    tag: "plain_text",
                    content: format!("{symbol} {}", object_name(event)),
                },
                template,
            },
            elements: [Element {
                tag: "div",
                text: Text {
                    tag: "lark_md",
                    content,
                },
            }],
        },
    };
    Ok(vec![HttpRequest::post(url, &message).into()])
}

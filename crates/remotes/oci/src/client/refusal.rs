//! Failed requests in the words of `go-containerregistry`, on which people grep and alert.

use std::fmt::Write as _;

use http::Method;
use serde::Deserialize;
use serde_json::Value;
use sluice_dial::retry::{is_transient_failure, retry_after};
use sluice_dial::{Response, explain, read_body};
use url::Url;

use crate::error::Error;
use crate::text::printable;

/// Maximum bytes of an error body.
const REFUSAL_LIMIT: usize = 64 << 10;
/// Maximum characters of an error code.
const MAX_CODE: usize = 60;
/// Maximum characters of a message.
const MAX_MESSAGE: usize = 300;
/// Query parameters that messages may show. Others may be signatures.
const SHOWN_PARAMETERS: [&str; 7] = ["scope", "service", "mount", "from", "digest", "n", "last"];

#[derive(Deserialize)]
struct Refusals {
    #[serde(default)]
    errors: Vec<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    detail: Value,
}

/// Returns a successful response, and the error of a registry otherwise.
pub(super) async fn check(method: &Method, response: Response) -> Result<Response, Error> {
    if response.status().is_success() {
        Ok(response)
    } else {
        Err(refusal(method, response).await)
    }
}

/// Reads the error of a registry.
pub(super) async fn refusal(method: &Method, response: Response) -> Error {
    let status = response.status();
    let after = retry_after(response.headers());
    let request = format!("{method} {}", display_url(response.url()));
    let body = read_body(response, REFUSAL_LIMIT).await.unwrap_or_default();
    let errors = serde_json::from_slice::<Refusals>(&body).map(|refusals| refusals.errors);
    let first = errors.ok().and_then(|errors| errors.into_iter().next());
    let (code, message) = match first {
        Some(refusal) => (printable(&refusal.code, MAX_CODE), refusal.text()),
        None if body.is_empty() && method == Method::HEAD => (
            String::new(),
            "(HEAD responses have no body, use GET for details)".to_owned(),
        ),
        None => (
            String::new(),
            printable(&String::from_utf8_lossy(&body), MAX_MESSAGE),
        ),
    };
    Error::Status {
        request,
        status,
        code,
        message,
        after,
    }
}

impl Refusal {
    /// The message with its detail, as Go prints it.
    fn text(&self) -> String {
        let mut text = self.message.clone();
        if !self.detail.is_null() {
            text.push_str("; ");
            push_value(&mut text, &self.detail);
        }
        printable(&text, MAX_MESSAGE)
    }
}

/// Adds a value as the verb `%v` of Go prints it.
fn push_value(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("<nil>"),
        Value::String(string) => text.push_str(string),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { " " } else { "" });
                push_value(text, item);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            text.push_str("map[");
            for (index, (name, field)) in fields.into_iter().enumerate() {
                text.push_str(if index > 0 { " " } else { "" });
                text.push_str(name);
                text.push(':');
                push_value(text, field);
            }
            text.push(']');
        }
        Value::Bool(_) | Value::Number(_) => {
            // Writing to a string cannot fail.
            let _infallible = write!(text, "{value}");
        }
    }
}

/// A request without an answer, as Go's HTTP client names it.
pub(super) fn broken(method: &Method, url: &Url, error: &sluice_dial::Error) -> Error {
    Error::Transport {
        action: unanswered(method, url),
        reason: explain(error),
        transient: is_transient_failure(error),
    }
}

/// The name of a request without an answer: `Get "https://…"`.
pub(super) fn unanswered(method: &Method, url: &Url) -> String {
    let (first, rest) = method.as_str().split_at(1);
    format!(
        "{first}{} {:?}",
        rest.to_ascii_lowercase(),
        display_url(url)
    )
}

/// A URL for messages: without user information, and with harmless parameters only.
fn display_url(url: &Url) -> String {
    let mut shown = url.clone();
    // A URL that cannot have user information has nothing to remove.
    let _cleared = shown
        .set_username("")
        .and_then(|()| shown.set_password(None));
    let parameters: Vec<(String, String)> = url
        .query_pairs()
        .map(|(name, value)| {
            let value = if SHOWN_PARAMETERS.contains(&&*name) {
                value.into_owned()
            } else {
                "REDACTED".to_owned()
            };
            (name.into_owned(), value)
        })
        .collect();
    shown.set_query(None);
    if !parameters.is_empty() {
        shown.query_pairs_mut().extend_pairs(parameters);
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn urls_show_harmless_parameters_only() {
        let shown = |url: &str| display_url(&Url::parse(url).unwrap());
        assert_eq!(
            shown("https://r.example/v2/a/tags/list?n=1000"),
            "https://r.example/v2/a/tags/list?n=1000"
        );
        assert_eq!(
            shown("https://user:canary@r.example/v2/a/blobs/x?sig=canary&digest=y"),
            "https://r.example/v2/a/blobs/x?sig=REDACTED&digest=y"
        );
        let url = Url::parse("https://r.example/v2/").unwrap();
        assert_eq!(
            unanswered(&Method::GET, &url),
            "Get \"https://r.example/v2/\""
        );
    }

    /// The forms of `fmt.Sprintf("%v")`.
    #[test]
    fn details_are_printed_like_go() {
        for (detail, expected) in [
            (json!(null), "no"),
            (json!("unknown tag=v1"), "no; unknown tag=v1"),
            (
                json!([{ "Type": "repository", "Action": "pull", "Name": "a/b" }]),
                "no; [map[Action:pull Name:a/b Type:repository]]",
            ),
            (
                json!({ "n": 1, "m": [true, null] }),
                "no; map[m:[true <nil>] n:1]",
            ),
        ] {
            let refusal = Refusal {
                code: "X".to_owned(),
                message: "no".to_owned(),
                detail,
            };
            assert_eq!(refusal.text(), expected);
        }
    }
}

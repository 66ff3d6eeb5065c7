//! Shares code between the Git hosts: states, pull request numbers and comment bodies.

use serde::Serialize;
use sluice_api::event::{Event, Severity, metadata};
use sluice_api::meta::reason::PROGRESSING;

use crate::config::ProviderConfig;
use crate::error::Error;
use crate::text;

/// Maximum comment length. GitHub accepts 65,536 characters.
const MAX_COMMENT_BYTES: usize = 65_000;

/// The body of a comment.
#[derive(Serialize)]
pub(super) struct Body {
    body: String,
}

/// Returns commit and state, or `None` for a progress event.
pub(super) fn commit_and_state(
    config: &ProviderConfig,
    event: &Event,
    host: &'static str,
    states: [&'static str; 2],
) -> Result<Option<(String, &'static str)>, Error> {
    check_commit_status(config)?;
    if event.reason == PROGRESSING {
        return Ok(None);
    }
    let commit = text::commit(event)?;
    Ok(Some((commit, state(event, host, states)?)))
}

/// Returns an error if the id of the status is missing.
pub(super) fn check_commit_status(config: &ProviderConfig) -> Result<(), Error> {
    if config.commit_status.is_empty() {
        Err(Error::Missing {
            message: "commit status cannot be empty",
            hint: "let spec.commitStatusExpr return a text that is not empty",
        })
    } else {
        Ok(())
    }
}

/// Returns the host's word for the state of an event.
pub(super) fn state(
    event: &Event,
    host: &'static str,
    [success, failure]: [&'static str; 2],
) -> Result<&'static str, Error> {
    match &event.severity {
        Severity::Info => Ok(success),
        Severity::Error => Ok(failure),
        severity => Err(Error::Severity {
            severity: severity.as_str().to_owned(),
            host,
        }),
    }
}

/// Returns the pull request number for a URL path.
pub(super) fn change_request(event: &Event) -> Result<String, Error> {
    let text = event.metadata.get(metadata::CHANGE_REQUEST);
    let text = text.ok_or(Error::NoChangeRequest)?;
    let number: Result<i64, _> = text.parse();
    match number {
        Ok(number) => Ok(number.to_string()),
        Err(_) => Err(Error::ChangeRequest(text.clone())),
    }
}

/// Returns the hidden text that marks a Provider's comments about an object.
pub(super) fn marker(prefix: &str, config: &ProviderConfig, event: &Event) -> String {
    let (uid, path) = (&config.identity.uid, text::object_path(event));
    format!("<!-- {prefix}:{uid}/{path} -->")
}

/// Returns the body of a comment, which starts with the marker.
pub(super) fn comment_body(marker: &str, event: &Event) -> Body {
    let body = format!("{marker}\n\n{}", text::markdown_post(event));
    Body {
        body: text::shorten(&body, MAX_COMMENT_BYTES).into_owned(),
    }
}

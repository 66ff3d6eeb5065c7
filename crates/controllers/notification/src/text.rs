//! Formats texts that several providers share: names, descriptions, Markdown and revisions.
//!
//! Parity: notification-controller: `internal/notifier/{util,markdown}.go`; pkg: `git/utils.go`.

use std::borrow::Cow;
use std::fmt::Write as _;

use sluice_api::event::{Event, Severity, metadata};
use sluice_golang::unicode::{is_digit, is_lower, is_upper};

use crate::error::Error;

/// Length of a SHA-1 commit in hexadecimal.
const COMMIT_LENGTH: usize = 40;

/// Whether the event is a failure.
pub fn is_error(event: &Event) -> bool {
    event.severity == Severity::Error
}

/// Returns the lower-case kind with name and namespace: `kustomization/apps.flux-system`.
pub fn object_name(event: &Event) -> String {
    let object = &event.involved_object;
    format!(
        "{}/{}.{}",
        object.kind.to_lowercase(),
        object.name,
        object.namespace
    )
}

/// Returns the kind with namespace and name: `Kustomization/flux-system/apps`.
pub fn object_path(event: &Event) -> String {
    let object = &event.involved_object;
    format!("{}/{}/{}", object.kind, object.namespace, object.name)
}

/// Returns the lower-case kind and name: `kustomization/apps`.
pub fn short_name(event: &Event) -> String {
    let object = &event.involved_object;
    format!("{}/{}", object.kind, object.name).to_lowercase()
}

/// Returns the reason as lower-case words: `health check failed`.
pub fn description(event: &Event) -> String {
    split_camel_case(&event.reason).join(" ").to_lowercase()
}

/// Splits at changes of the character class. The last capital before small letters starts a word,
/// so `PDFLoader` is `PDF` and `Loader`.
fn split_camel_case(text: &str) -> Vec<String> {
    let mut words: Vec<Vec<char>> = Vec::new();
    let mut last = 0;
    for character in text.chars() {
        let class = match character {
            character if is_lower(character) => 1,
            character if is_upper(character) => 2,
            character if is_digit(character) => 3,
            _ => 4,
        };
        match words.last_mut() {
            Some(word) if class == last => word.push(character),
            _ => words.push(vec![character]),
        }
        last = class;
    }
    for index in 1..words.len() {
        let (before, after) = words.split_at_mut(index);
        let (upper, lower) = (&mut before[index - 1], &mut after[0]);
        let starts_upper = upper.first().copied().is_some_and(is_upper);
        if starts_upper && lower.first().copied().is_some_and(is_lower) {
            lower.insert(0, upper.pop().expect("the word has a first character"));
        }
    }
    let words = words.into_iter().filter(|word| !word.is_empty());
    words.map(String::from_iter).collect()
}

/// Returns a Markdown message with status, object, message and metadata.
pub fn markdown_post(event: &Event) -> String {
    let symbol = if is_error(event) { "⚠️" } else { "ℹ️" };
    let mut post = format!(
        "## Flux Status\n\n{symbol} {}\n\n{}\n\nMetadata:\n",
        object_path(event),
        event.message
    );
    let shown = event.metadata.iter();
    for (key, value) in shown.filter(|(key, _)| *key != metadata::CHANGE_REQUEST) {
        let _ = writeln!(post, "* `{key}`: {value}");
    }
    post
}

/// Returns the commit of an event. The first key that is set counts: `commit`, `originRevision`,
/// `revision`.
pub fn commit(event: &Event) -> Result<String, Error> {
    let keys = [
        metadata::COMMIT,
        metadata::ORIGIN_REVISION,
        metadata::REVISION,
    ];
    let revision = keys.iter().find_map(|key| event.metadata.get(*key));
    let revision = revision.ok_or(Error::NoRevision)?;
    commit_of(revision).ok_or_else(|| Error::NoCommit(revision.clone()))
}

/// Parses `main@sha1:<hash>`, `main/<hash>` or a bare hash.
///
/// The reference checks only the length. The hash becomes part of a URL path here, so it must be
/// hexadecimal.
fn commit_of(revision: &str) -> Option<String> {
    let hash = revision.rsplit([':']).next().unwrap_or(revision);
    let hash = if revision.contains(':') {
        hash
    } else {
        revision.rsplit('/').next().unwrap_or(revision)
    };
    let is_commit = hash.len() == COMMIT_LENGTH && hash.bytes().all(|b| b.is_ascii_hexdigit());
    is_commit.then(|| hash.to_owned())
}

/// Truncates a text to a number of bytes. A truncated text ends in three dots.
pub fn shorten(text: &str, max_bytes: usize) -> Cow<'_, str> {
    const DOTS: &str = "...";
    if text.len() <= max_bytes {
        return text.into();
    }
    let end = text.floor_char_boundary(max_bytes.saturating_sub(DOTS.len()));
    let dots = &DOTS[..max_bytes.min(DOTS.len())];
    format!("{}{dots}", &text[..end]).into()
}

/// Returns a text in Go's title case: an upper-case letter starts each word, and the rest is
/// lower-case.
pub fn title(text: &str) -> String {
    let mut is_inside = false;
    let mut titled = String::with_capacity(text.len());
    for character in text.chars() {
        let is_word = character.is_alphanumeric() || character == '_' || character == '\'';
        if !is_word {
            titled.push(character);
        } else if is_inside {
            titled.extend(character.to_lowercase());
        } else {
            titled.push(sluice_golang::unicode::to_title(character));
        }
        is_inside = is_word;
    }
    titled
}

/// Returns the default id of a commit status, which is unique per object, Provider and cluster.
pub fn default_commit_status(provider_uid: &str, event: &Event) -> String {
    let first = provider_uid.split('-').next().unwrap_or_default();
    format!("{}/{first}", short_name(event)).to_lowercase()
}

#[cfg(test)]
mod tests;

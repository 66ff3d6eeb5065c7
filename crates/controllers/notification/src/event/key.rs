//! Computes the keys that identify duplicate events.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use sluice_api::event::{Event, metadata};
use sluice_digest::Digest;

use super::group;

/// Hash of the fields that identify an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// Returns the hash in hexadecimal.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Comparison of two messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// Equal texts, as in the reference.
    Exact,
    /// Texts that are equal apart from durations, times and counters.
    #[default]
    Meaning,
}

/// Returns the key of an event: object, message, and the revisions and token if present.
pub fn key(event: &Event, sameness: Sameness) -> Key {
    let object = &event.involved_object;
    let message = match sameness {
        Sameness::Exact => event.message.clone(),
        Sameness::Meaning => normalized(&event.message),
    };
    let mut parts = vec![
        "event".to_owned(),
        format!("name={}", object.name),
        format!("namespace={}", object.namespace),
        format!("kind={}", object.kind),
        format!("message={message}"),
    ];
    let group = group(object);
    for name in [
        metadata::ORIGIN_REVISION,
        metadata::REVISION,
        metadata::TOKEN,
    ] {
        if let Some(value) = event.metadata.get(&format!("{group}/{name}")) {
            parts.push(format!("{name}={value}"));
        }
    }
    Key(Digest::of(parts.join("/").as_bytes()).hex().to_owned())
}

/// A duration in Go's notation, an RFC 3339 time, `3/5`, or a number beside a counting word.
///
/// Other numbers distinguish messages: ports, exit codes, versions.
static CHANGING: LazyLock<Regex> = LazyLock::new(|| {
    const COUNTED: &str = "attempts?|retry|retries|tries|times?|failures?|more|remaining|\
        seconds?|minutes?|hours?|milliseconds?";
    let pattern = [
        r"(?P<time>\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?)",
        r"(?P<duration>(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|h|m|s))+)",
        r"(?P<ratio>\d+/\d+)",
        &format!(r"(?P<before>(?i:{COUNTED})[ :#]*)\d+"),
        &format!(r"\d+(?P<after> +(?i:{COUNTED}))"),
    ]
    .join("|");
    Regex::new(&pattern).expect("the constant is a pattern")
});

/// Replaces the parts of a message that change without a change of meaning.
pub fn normalized(message: &str) -> String {
    let replaced = CHANGING.replace_all(message, |found: &Captures<'_>| {
        let whole = found.get(0).expect("a match has a whole");
        let is_whole = stands_alone(message, whole.start(), whole.end());
        match (found.name("before"), found.name("after")) {
            _ if !is_whole => whole.as_str().to_owned(),
            (Some(before), _) => format!("{}#", before.as_str()),
            (_, Some(after)) => format!("#{}", after.as_str()),
            _ => "#".to_owned(),
        }
    });
    replaced.into_owned()
}

/// Whether a part is not within a name, version, path or digest.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_@/".contains(c);
    let mut before = text[..start].chars().rev();
    let mut after = text[end..].chars();
    let (last, next) = (before.next(), after.next());
    let is_joined = |c: Option<char>, further: Option<char>| match c {
        Some(c) if is_part(c) => true,
        // A dot or dash belongs to a name only if a letter or digit follows.
        Some('.' | '-' | ':') => further.is_some_and(char::is_alphanumeric),
        _ => false,
    };
    !is_joined(last, before.next()) && !is_joined(next, after.next())
}

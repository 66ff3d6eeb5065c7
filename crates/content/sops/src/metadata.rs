//! The section `sops` of a document: the metadata of its encryption.
//!
//! It is read from and written to a [`Branch`], as in YAML and JSON; other formats flatten it.
//! Parsing is as lenient as upstream: numbers and booleans may be texts, and unknown fields
//! are ignored.
//!
//! Parity: sops: stores/stores.go and stores/metadata.go.

mod read;
mod write;

use crate::recipient::Recipient;
use crate::rules::Rule;
#[cfg(doc)]
use crate::tree::Branch;

/// The maximum number of master keys in a document. Each may cost a request.
const MAX_KEYS: usize = 512;

/// The metadata of an encrypted document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The groups of master keys. One key of one group, or of several groups, decrypts it.
    pub groups: Vec<KeyGroup>,
    /// How many groups are needed, if there are several.
    pub threshold: usize,
    /// Which values are encrypted.
    pub rule: Rule,
    /// The message authentication code, encrypted.
    pub mac: String,
    /// Whether the code covers encrypted values only.
    pub mac_only_encrypted: bool,
    /// The time of encryption, in RFC 3339 format to the second.
    pub last_modified: String,
    /// The version of the program that wrote it.
    pub version: String,
}

/// Master keys that each wrap the same part of the data key.
pub type KeyGroup = Vec<MasterKey>;

/// A master key, and the part of the data key that it wraps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterKey {
    /// The key and its location.
    pub recipient: Recipient,
    /// The wrapped part of the data key.
    pub wrapped: String,
    /// The time of wrapping; not set for age keys.
    pub created_at: Option<String>,
}

/// Whether a text is a time in RFC 3339 format.
pub(crate) fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= "2006-01-02T15:04:05Z".len()
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[10] == b'T'
        && bytes[13] == b':'
        && bytes[16] == b':'
        && (text.ends_with('Z') || matches!(bytes[bytes.len() - 6], b'+' | b'-'))
        && text.parse::<jiff::Timestamp>().is_ok()
}

/// Truncates a time to the second, in its own zone.
fn to_the_second(time: &str) -> Option<String> {
    if !is_time(time) {
        return None;
    }
    let (seconds, rest) = time.split_at("2006-01-02T15:04:05".len());
    let zone = rest.find(['Z', '+', '-']).map_or("", |at| &rest[at..]);
    let zone = if matches!(zone, "+00:00" | "-00:00") {
        "Z"
    } else {
        zone
    };
    Some(format!("{seconds}{zone}"))
}

#[cfg(test)]
mod tests;

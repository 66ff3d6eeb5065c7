//! Handles a received event: decodes it, filters its metadata and detects duplicates.
//!
//! The steps of a request are [`decode()`], [`clean`], [`key()`] with [`Duplicates::admit`], and
//! [`drop_token`]. [`wire()`] prints an event as the reference does.
//!
//! Parity: notification-controller: `internal/server/{event_server,limits}.go`.

mod decode;
mod duplicates;
mod key;
mod wire;

pub use decode::{DecodeError, decode};
pub use duplicates::{Admission, Duplicates, MAX_ENTRIES, Recipients};
pub use key::{Key, Sameness, key, normalized};
pub use wire::{WireEvent, timestamp, unix_seconds, wire};

use sluice_api::event::{Event, InvolvedObject, metadata};
use sluice_api::meta::annotation::EVENT_PREFIX;

/// Maximum body of a request, for the event server and the webhook server.
pub const MAX_BODY_BYTES: usize = 3 * 1024 * 1024;
/// Larger events are read and written on a blocking thread.
pub const MAX_INLINE_BYTES: usize = 64 << 10;
/// Maximum size of a request's headers.
pub const MAX_HEADER_BYTES: usize = 256 * 1024;
/// Timeout for the headers of a request.
pub const HEADER_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);
/// Timeout for the whole request.
pub const READ_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(30);

/// Old metadata key of an artifact's digest.
const CHECKSUM: &str = "checksum";

/// Returns the API group of the involved object, or an empty text for an invalid API version.
pub fn group(object: &InvolvedObject) -> &str {
    match object.api_version.split_once('/') {
        Some((group, version)) if !version.contains('/') => group,
        _ => "",
    }
}

/// Removes metadata of other groups, and the digests of the artifact.
pub fn clean(event: &mut Event) {
    let prefix = format!("{}/", group(&event.involved_object));
    let excluded = [CHECKSUM, metadata::DIGEST].map(|key| format!("{prefix}{key}"));
    event.metadata.retain(|key, _| {
        let is_excluded = excluded
            .iter()
            .any(|other| key.to_lowercase() == other.to_lowercase());
        !is_excluded && (key.starts_with(EVENT_PREFIX) || key.starts_with(&prefix))
    });
}

/// Removes the token, which serves only to detect duplicates.
pub fn drop_token(event: &mut Event) {
    let key = format!("{}/{}", group(&event.involved_object), metadata::TOKEN);
    event.metadata.remove(&key);
}

#[cfg(test)]
mod tests;

//! Go's dialects, exactly: durations, booleans, numbers, quoting, semantic
//! versions, regular expressions and the Unicode classes that its libraries lean on.
//!
//! Flux users meet Go's text forms everywhere: `interval: 1m30s` in a spec,
//! `176.163666ms` in a status, `strconv.ParseBool: parsing "ja"` in an error,
//! `1e+21` in a manifest. Everything here is a pure function over text, has no
//! state and no sibling crate, and agrees with Go to the byte. What a function
//! cannot parse it refuses with Go's own error text, because users search for it.
//!
//! Where to start: [`duration`] for times, [`number`] and [`float`] for what YAML and JSON
//! print, [`quote`] for `%q`, [`boolean`] for flags and annotations,
//! [`semver`] for versions and ranges, [`regexp`] for patterns, [`unicode`] for the character classes that decide quoting and key order.

pub mod base64;
pub mod boolean;
pub mod duration;
pub mod error;
pub mod float;
pub mod number;
pub mod quote;
pub mod regexp;
pub mod semver;
pub mod sort;
pub mod unicode;

pub use duration::GoDuration;

//! Text forms of Go: durations, booleans, numbers, quoting, semantic versions, regular
//! expressions, Unicode classes and error chains.
//!
//! Flux users meet these forms everywhere: `interval: 1m30s` in a spec, `176.163666ms` in a
//! status, `strconv.ParseBool: parsing "ja"` in an error, `1e+21` in a manifest. The functions are
//! pure and agree with Go to the byte. Parse errors have Go's text, because users search for it.
//!
//! Where to start:
//! - times: [`duration`]; numbers: [`number`] and [`float`]; flags: [`boolean`]; encodings:
//!   [`base64`]
//! - `%q`: [`quote`]; versions and ranges: [`semver`]; patterns: [`regexp`]; causes: [`error`]
//! - paths: [`path`]; globs of one component: [`glob`]; globs over directories: [`doublestar`]

pub mod base64;
pub mod boolean;
pub mod doublestar;
pub mod duration;
pub mod error;
pub mod float;
pub mod glob;
pub mod number;
pub mod path;
pub mod quote;
pub mod regexp;
pub mod semver;
pub mod sort;
pub mod unicode;

pub use duration::GoDuration;

/// Returns a text that is not empty. To Go's flags, an empty text is the same as none.
pub fn non_empty<T: AsRef<str> + ?Sized>(text: Option<&T>) -> Option<&str> {
    text.map(AsRef::as_ref).filter(|text| !text.is_empty())
}

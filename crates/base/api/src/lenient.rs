//! Decoders that accept what Go would have accepted.
//!
//! In Flux an optional string is a plain Go string: absent, `null` and `""`
//! are one and the same. Folding them here keeps `Some("")` — an empty service
//! account, an empty namespace — from ever reaching a decision.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

/// Decodes an optional string; the empty one is `None`.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<Cow<'de, str>>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.is_empty()).map(Cow::into_owned))
}

/// Decodes a value, taking `null` for its default.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Tells whether a flag may be left out when it is written.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's skip_serializing_if passes a reference"
)]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

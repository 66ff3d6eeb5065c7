//! Decoders that are as lenient as Go's.
//!
//! In Flux an optional string is a plain Go string, so absent, `null` and `""` are equal. These
//! decoders return `None` for all three, so that an empty service account or namespace never
//! reaches a decision.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

/// Decodes an optional string. An empty string is `None`.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<Cow<'de, str>>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.is_empty()).map(Cow::into_owned))
}

/// Decodes a value. `null` is the default value.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Reports whether a flag is false, so it is not serialized.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's skip_serializing_if passes a reference"
)]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

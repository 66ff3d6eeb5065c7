//! Values of JSON as Protobuf writes them: bytes in base64 and large numbers as text.

use std::fmt;

use base64::Engine as _;
use base64::prelude::{
    BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD,
};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// Bytes in base64, of either alphabet, with or without padding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
        let (is_url, is_padded) = (text.contains(['-', '_']), text.len().is_multiple_of(4));
        let alphabet = match (is_url, is_padded) {
            (false, true) => BASE64_STANDARD,
            (false, false) => BASE64_STANDARD_NO_PAD,
            (true, true) => BASE64_URL_SAFE,
            (true, false) => BASE64_URL_SAFE_NO_PAD,
        };
        let decoded = alphabet.decode(text.as_bytes());
        decoded
            .map(Self)
            .map_err(|_| D::Error::custom("a value is not base64"))
    }
}

/// A number, or its text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Integer(pub(super) i64);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Integer;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number of 64 bits")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Integer, E> {
                Ok(Integer(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Integer, E> {
                let unexpected = || E::invalid_value(Unexpected::Unsigned(value), &self);
                i64::try_from(value).map(Integer).map_err(|_| unexpected())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Integer, E> {
                let unexpected = || E::invalid_value(Unexpected::Str("a text"), &self);
                text.parse().map(Integer).map_err(|_| unexpected())
            }
        }

        deserializer.deserialize_any(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_of_base64_are_read() {
        for text in ["\"+/8=\"", "\"-_8=\"", "\"+/8\"", "\"-_8\""] {
            let Bytes(bytes) = serde_json::from_str(text).unwrap();
            assert_eq!(bytes, [0xfb, 0xff], "{text}");
        }
        for text in ["\"a\"", "\"+_8=\"", "1", "\"a b=\""] {
            assert!(serde_json::from_str::<Bytes>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_their_texts_are_read() {
        for text in ["-5", "\"-5\""] {
            assert_eq!(serde_json::from_str::<Integer>(text).unwrap(), Integer(-5));
        }
        for text in ["\"\"", "1.5", "9223372036854775808", "null", "\"0x1\""] {
            assert!(serde_json::from_str::<Integer>(text).is_err(), "{text}");
        }
    }
}

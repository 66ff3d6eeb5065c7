//! Enums of words from a CRD that decode unknown words too.
//!
//! A plain serde enum rejects an unknown word, and with it the whole stored object. These enums
//! store it as `Other`, and the code that matches on the word decides.

/// Declares an enum of words.
///
/// The order of the words is that of `enum` in the schema.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )+
            /// A word of a stored object that the schema does not list.
            Other(String),
        }

        impl $name {
            /// Every word of the schema.
            pub const WORDS: &'static [&'static str] = &[$($text),+];

            /// Returns the word in its wire form.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $text, )+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $( $text => Self::$variant, )+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                Ok(Self::from(text.as_ref()))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::WORDS })
            }
        }
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use crate::event::Severity;

    #[test]
    fn unknown_word_survives_a_round_trip() {
        let severity: Severity = serde_json::from_str("\"grave\"").unwrap();
        assert_eq!(severity, Severity::Other("grave".to_owned()));
        assert_eq!(serde_json::to_string(&severity).unwrap(), "\"grave\"");
    }

    #[test]
    fn escaped_text_decodes_too() {
        let severity: Severity = serde_json::from_str(r#""\u0069nfo""#).unwrap();
        assert_eq!(severity, Severity::Info);
    }
}

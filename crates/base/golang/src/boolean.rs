//! Booleans as `strconv.ParseBool` reads them: twelve spellings; any other text is an error.

use crate::quote::quote;

/// The text is not one of Go's spellings of a boolean.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("strconv.ParseBool: parsing {}: invalid syntax", quote(.text))]
pub struct ParseBoolError {
    text: String,
}

/// Parses a boolean.
pub fn parse(text: &str) -> Result<bool, ParseBoolError> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(ParseBoolError {
            text: text.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn parse_accepts_every_spelling_of_go() {
        for text in ["1", "t", "T", "true", "TRUE", "True"] {
            assert_eq!(parse(text), Ok(true), "{text}");
        }
        for text in ["0", "f", "F", "false", "FALSE", "False"] {
            assert_eq!(parse(text), Ok(false), "{text}");
        }
    }

    #[test]
    fn parse_rejects_other_texts_with_go_error() {
        for text in ["", "yes", "tRUE", "on", " true", "2"] {
            assert_eq!(
                parse(text).unwrap_err().to_string(),
                format!("strconv.ParseBool: parsing \"{text}\": invalid syntax")
            );
        }
    }
}

//! Error texts in the form of Go's wrapped errors.

use std::error::Error;

/// Joins an error and its sources with `: `, outermost first.
///
/// A source is skipped if the text already ends with it, since some errors print their source.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::chain;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Outer {
        text: &'static str,
        source: std::io::Error,
    }

    #[test]
    fn chain_prints_each_cause_once() {
        for (text, expected) in [
            ("read a.yaml", "read a.yaml: disk on fire"),
            ("read a.yaml: disk on fire", "read a.yaml: disk on fire"),
        ] {
            let source = std::io::Error::other("disk on fire");
            assert_eq!(chain(&Outer { text, source }), expected);
        }
    }
}

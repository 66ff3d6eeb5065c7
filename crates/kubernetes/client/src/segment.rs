//! Escapes and validates names as path segments, as client-go does.
//!
//! Kubernetes accepts nearly any name of a role. Unescaped, `a#b` or `a?b` would be a request on
//! `a`. All names in paths pass this module.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that `url.PathEscape` of Go escapes.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b':')
    .remove(b'=')
    .remove(b'@');
/// Names with a meaning in paths.
const MAY_NOT_BE: [&str; 2] = [".", ".."];
/// Characters that proxies may take for the end of a segment, or for an escape.
const MAY_NOT_CONTAIN: [&str; 2] = ["/", "%"];
/// Two escaped names of this length fit into the URLs of `http`, which end at 64 KiB. Kubernetes
/// limits most names to 253 bytes.
const MAX_LENGTH: usize = 4096;

/// A name that no object can have, because it is not a path segment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct InvalidName {
    /// The use of the name, such as `resource name` or `namespace`.
    what: &'static str,
    name: String,
    problems: Vec<String>,
}

impl InvalidName {
    /// The message of client-go.
    fn message(&self) -> String {
        if self.name.is_empty() {
            return format!("{} may not be empty", self.what);
        }
        // A name that is too long is truncated.
        let shown: String = self.name.chars().take(MAX_LENGTH).collect();
        let problems = self.problems.join(" ");
        format!("invalid {} {shown:?}: [{problems}]", self.what)
    }
}

/// Escapes a name as one segment of a path.
pub(crate) fn segment(what: &'static str, name: &str) -> Result<String, InvalidName> {
    let mut problems = Vec::new();
    if MAY_NOT_BE.contains(&name) {
        problems.push(format!("may not be '{name}'"));
    }
    for part in MAY_NOT_CONTAIN {
        if name.contains(part) {
            problems.push(format!("may not contain '{part}'"));
        }
    }
    if name.len() > MAX_LENGTH {
        problems.push(format!("may not be longer than {MAX_LENGTH} bytes"));
    }
    if name.is_empty() || !problems.is_empty() {
        return Err(InvalidName {
            what,
            name: name.to_owned(),
            problems,
        });
    }
    Ok(utf8_percent_encode(name, ESCAPED).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_like_in_go() {
        for (name, escaped) in [
            ("web", "web"),
            ("system:node-proxier", "system:node-proxier"),
            ("a-b_c.d~e", "a-b_c.d~e"),
            ("$&+:=@", "$&+:=@"),
            ("web#x", "web%23x"),
            ("a?b", "a%3Fb"),
            ("my app", "my%20app"),
            ("a;b,c", "a%3Bb%2Cc"),
            ("!'()*", "%21%27%28%29%2A"),
            ("<>\"[]{}|^`\\", "%3C%3E%22%5B%5D%7B%7D%7C%5E%60%5C"),
            ("é\n\u{0}", "%C3%A9%0A%00"),
            ("...", "..."),
        ] {
            assert_eq!(segment("resource name", name).as_deref(), Ok(escaped));
        }
    }

    #[test]
    fn invalid_names_have_client_go_messages() {
        let message_of = |name: &str| segment("resource name", name).unwrap_err().to_string();
        assert_eq!(message_of(""), "resource name may not be empty");
        assert_eq!(
            message_of("."),
            r#"invalid resource name ".": [may not be '.']"#
        );
        assert_eq!(
            message_of(".."),
            r#"invalid resource name "..": [may not be '..']"#
        );
        assert_eq!(
            message_of("a/b%2e"),
            r#"invalid resource name "a/b%2e": [may not contain '/' may not contain '%']"#
        );
        let long = message_of(&"é".repeat(MAX_LENGTH));
        assert!(long.ends_with("é\": [may not be longer than 4096 bytes]"));
    }
}

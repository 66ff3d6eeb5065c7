//! Names as segments of a path, written and refused as client-go does.
//!
//! Kubernetes takes nearly anything for the name of a role. Written as it is, `a#b` or `a?b` would
//! be a request on `a`: what follows is no path any more. Whoever puts a name into a path asks
//! here, and nothing else escapes.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What `url.PathEscape` of Go escapes.
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
/// Names that a path takes for places of its own.
const MAY_NOT_BE: [&str; 2] = [".", ".."];
/// What would end a segment, or undo its escapes, on the way through proxies.
const MAY_NOT_CONTAIN: [&str; 2] = ["/", "%"];
/// Two names of this length, each of their bytes escaped, are still a URL to the libraries under
/// us, which know none beyond 64 KiB. Names of Kubernetes end at 253 bytes where it checks them.
const MAX_LENGTH: usize = 4096;

/// A name that no object can have, because no path leads to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said())]
pub struct InvalidName {
    /// What it would name, such as `resource name` or `namespace`.
    what: &'static str,
    name: String,
    problems: Vec<String>,
}

impl InvalidName {
    /// In the words of client-go.
    fn said(&self) -> String {
        if self.name.is_empty() {
            return format!("{} may not be empty", self.what);
        }
        // All of a name that is too long is too much for a message as well.
        let shown: String = self.name.chars().take(MAX_LENGTH).collect();
        let problems = self.problems.join(" ");
        format!("invalid {} {shown:?}: [{problems}]", self.what)
    }
}

/// Writes a name as one segment of a path.
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
    fn names_are_escaped_as_go_escapes_a_segment_of_a_path() {
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
    fn what_no_path_leads_to_is_refused_in_words_of_client_go() {
        let said = |name: &str| segment("resource name", name).unwrap_err().to_string();
        assert_eq!(said(""), "resource name may not be empty");
        assert_eq!(said("."), r#"invalid resource name ".": [may not be '.']"#);
        assert_eq!(
            said(".."),
            r#"invalid resource name "..": [may not be '..']"#
        );
        assert_eq!(
            said("a/b%2e"),
            r#"invalid resource name "a/b%2e": [may not contain '/' may not contain '%']"#
        );
        let long = said(&"é".repeat(MAX_LENGTH));
        assert!(long.ends_with("é\": [may not be longer than 4096 bytes]"));
    }
}

//! Removes secrets from the URLs that errors and messages show.

use std::borrow::Cow;

/// Returns a path or URL without secrets: user information that may hold a password or
/// token is removed. A query with other than upstream's parameters is dropped.
pub fn redact_url(path: &str) -> String {
    const HARMLESS: [&str; 4] = ["ref", "version", "timeout", "submodules"];
    let (address, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = query.split('&');
    let harmless = parts.all(|part| HARMLESS.contains(&part.split('=').next().unwrap_or(part)));
    let query = if harmless && !query.is_empty() {
        &path[address.len()..]
    } else {
        ""
    };
    let Some(scheme) = address.find("://") else {
        return path.to_owned();
    };
    let (scheme, rest) = address.split_at(scheme + 3);
    let host = rest.split('/').next().unwrap_or_default();
    match host.rfind('@') {
        // SSH needs the user name, and without a password it is not a secret.
        Some(at) if host[..at].contains(':') || scheme.contains("http") => {
            format!("{scheme}{}{query}", &rest[at + 1..])
        }
        _ => format!("{address}{query}"),
    }
}

/// Redacts every URL in a text. Errors quote paths and contents of a kustomization.
pub(crate) fn redact_urls(text: &str) -> Cow<'_, str> {
    const ENDS: &[char] = &[
        '\'', '"', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', '\\',
    ];
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find("://") {
        let is_scheme = |character: char| character.is_ascii_alphanumeric();
        let start = rest[..found].trim_end_matches(is_scheme).len();
        let is_end = |character: char| character.is_whitespace() || ENDS.contains(&character);
        let end = rest[found..].find(is_end);
        let end = end.map_or(rest.len(), |end| found + end);
        out.push_str(&rest[..start]);
        out.push_str(&redact_url(&rest[start..end]));
        rest = &rest[end..];
    }
    if out.is_empty() {
        return text.into();
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::{redact_url, redact_urls};

    #[test]
    fn redact_url_removes_credentials() {
        for (path, expected) in [
            (
                "https://example.com/a/b?ref=v1&timeout=5s",
                "https://example.com/a/b?ref=v1&timeout=5s",
            ),
            (
                "https://example.com/a/b?ref=v1&token=x",
                "https://example.com/a/b",
            ),
            ("https://x:y@example.com/a@b", "https://example.com/a@b"),
            (
                "git::https://token@example.com/a/b",
                "git::https://example.com/a/b",
            ),
            ("ssh://git@example.com/a/b", "ssh://git@example.com/a/b"),
            ("git@example.com:a/b", "git@example.com:a/b"),
            ("../base", "../base"),
        ] {
            assert_eq!(redact_url(path), expected);
        }
    }

    #[test]
    fn redact_urls_keeps_the_text_around_urls() {
        let redacted = |text| redact_urls(text).into_owned();
        assert_eq!(
            redacted("path: http://u:p@h/x\n`: read 'https://t@h/y?a=b': ssh://git@h/z?ref=a"),
            "path: http://h/x\n`: read 'https://h/y': ssh://git@h/z?ref=a"
        );
        for text in [
            "",
            "no address",
            "://",
            "http://",
            "a://b ://c",
            "http://h/x@y",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}

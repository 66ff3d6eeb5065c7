//! Formats of texts, which drafts up to 7 check. A format that is not listed is not checked.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The bytes of a compiled pattern.
pub(super) const PATTERN_BYTES: usize = 1 << 20;

/// The reason why a text does not have a format.
pub(super) fn check(format: &str, text: &str) -> Option<String> {
    let reason = |is_valid: bool, reason: &str| (!is_valid).then(|| reason.to_owned());
    match format {
        "ipv4" => reason(text.parse::<Ipv4Addr>().is_ok(), "expected four decimals"),
        "ipv6" => reason(text.parse::<Ipv6Addr>().is_ok(), "invalid ipv6 address"),
        "regex" => {
            let compiled = sluice_golang::regexp::compile(text, PATTERN_BYTES);
            compiled.err().map(|error| error.to_string())
        }
        "email" => {
            let parts = text.rsplit_once('@');
            match parts {
                None => Some("missing @".to_owned()),
                Some((local, domain)) => {
                    reason(!local.is_empty() && !domain.is_empty(), "empty part")
                }
            }
        }
        "uri" => {
            let scheme = text.split_once(':').map(|(scheme, _)| scheme);
            let is_absolute = scheme.is_some_and(|scheme| {
                scheme.starts_with(|next: char| next.is_ascii_alphabetic())
                    && scheme
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            });
            reason(is_absolute, "relative url")
        }
        _ => None,
    }
}

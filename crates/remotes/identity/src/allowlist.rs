//! Hosts that may receive tokens of the controller.

use crate::error::IdentityError;

/// Hosts besides those of the services themselves (`--identity-host-allowlist`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostAllowlist(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    Host(String),
    /// All hosts below a domain.
    Below(String),
}

impl HostAllowlist {
    /// Parses hosts, and domains as `*.example.com`.
    pub fn parse<'a>(rules: impl IntoIterator<Item = &'a str>) -> Result<Self, IdentityError> {
        let parse = |rule: &str| {
            let rule = rule.trim().to_ascii_lowercase();
            let (domain, is_below) = match rule.strip_prefix("*.") {
                Some(domain) => (domain.to_owned(), true),
                None => (rule.clone(), false),
            };
            if !is_host(&domain) {
                return Err(IdentityError::Unusable(format!(
                    "'{}' is neither a host nor a domain such as *.example.com",
                    rule.escape_debug()
                )));
            }
            Ok(if is_below {
                Rule::Below(domain)
            } else {
                Rule::Host(domain)
            })
        };
        let rules: Result<Vec<Rule>, IdentityError> = rules.into_iter().map(parse).collect();
        Ok(Self(rules?))
    }

    /// Whether a host is listed.
    pub fn allows(&self, host: &str) -> bool {
        self.0.iter().any(|rule| match rule {
            Rule::Host(listed) => host.eq_ignore_ascii_case(listed),
            Rule::Below(domain) => is_below(host, domain),
        })
    }
}

/// Whether a host is below a domain, at a boundary of labels.
pub(crate) fn is_below(host: &str, domain: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let before = host.strip_suffix(domain);
    !domain.is_empty() && before.is_some_and(|before| before.len() > 1 && before.ends_with('.'))
}

/// Whether a host is a name of plain labels, in lower case.
pub(crate) fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowlist_matches_whole_labels() {
        let list = HostAllowlist::parse(["git.example.com", " *.Azure.Local "]).unwrap();
        for (host, expected) in [
            ("git.example.com", true),
            ("GIT.example.com", true),
            ("a.git.example.com", false),
            ("a.azure.local", true),
            ("azure.local", false),
            (".azure.local", false),
            ("evilazure.local", false),
            ("a.azure.local.evil.io", false),
        ] {
            assert_eq!(list.allows(host), expected, "{host}");
        }
        assert!(!HostAllowlist::default().allows("git.example.com"));
        for bad in ["", "*", "*.", "a/b", "https://a", "a:1", "*.*.a"] {
            assert!(HostAllowlist::parse([bad]).is_err(), "{bad}");
        }
    }
}

//! Where a redirect may lead.

use url::Url;

/// Most hops of one request.
const MAX_HOPS: usize = 10;

/// What to do when a server answers with another address.
///
/// In both cases the client drops `Authorization` and cookies when host, port or
/// scheme changes; see [`crate::HttpClients`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Redirects {
    /// Follows within the same scheme, and from `http` up to `https`.
    #[default]
    Follow,
    /// Gives the redirect itself to the caller.
    Refuse,
}

/// Why a redirect was not followed. The addresses are left out: their queries
/// may be signed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("redirect from https to {0} refused")]
    Downgrade(String),
    #[error("more than {MAX_HOPS} redirects")]
    TooMany,
}

impl Redirects {
    pub(crate) fn policy(self) -> reqwest::redirect::Policy {
        match self {
            Self::Refuse => reqwest::redirect::Policy::none(),
            Self::Follow => reqwest::redirect::Policy::custom(|attempt| {
                match check(attempt.previous(), attempt.url()) {
                    Ok(()) => attempt.follow(),
                    Err(refused) => attempt.error(refused),
                }
            }),
        }
    }
}

/// Judges one hop; `previous` is every address so far, the first request first.
fn check(previous: &[Url], next: &Url) -> Result<(), Refused> {
    if previous.len() > MAX_HOPS {
        return Err(Refused::TooMany);
    }
    let from = previous.last().map_or("https", Url::scheme);
    match (from, next.scheme()) {
        (_, "https") | ("http", "http") => Ok(()),
        (_, other) => Err(Refused::Downgrade(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("test URL")
    }

    #[test]
    fn a_redirect_never_loses_encryption() {
        let cases = [
            ("https://a/x", "https://b/y", true),
            ("http://a/x", "http://b/y", true),
            ("http://a/x", "https://a/x", true),
            ("https://a/x", "http://a/x", false),
            ("https://a/x", "file:///etc/passwd", false),
            ("http://a/x", "ftp://a/x", false),
        ];
        for (from, to, allowed) in cases {
            assert_eq!(
                check(&[url(from)], &url(to)).is_ok(),
                allowed,
                "{from} -> {to}"
            );
        }
    }

    #[test]
    fn an_endless_redirect_ends() {
        let previous = vec![url("https://a/"); MAX_HOPS + 1];
        assert_eq!(check(&previous, &url("https://a/")), Err(Refused::TooMany));
    }
}

//! Redirect policies.

use url::Url;

/// Maximum number of redirects of a request.
const MAX_HOPS: usize = 10;

/// The redirect policy.
///
/// Both policies drop `Authorization` and cookies if host, port or scheme changes; see
/// [`crate::HttpClients`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Redirects {
    /// Follow within the same scheme, and from `http` to `https`.
    #[default]
    Follow,
    /// Return the redirect to the caller.
    Refuse,
}

/// The redirect is not followed. The message omits addresses, whose queries may contain a
/// signature.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RedirectError {
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

/// Checks a redirect. `previous` has all addresses so far, with the first request first.
fn check(previous: &[Url], next: &Url) -> Result<(), RedirectError> {
    if previous.len() > MAX_HOPS {
        return Err(RedirectError::TooMany);
    }
    let from = previous.last().map_or("https", Url::scheme);
    match (from, next.scheme()) {
        (_, "https") | ("http", "http") => Ok(()),
        (_, other) => Err(RedirectError::Downgrade(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("test URL")
    }

    #[test]
    fn redirect_never_drops_encryption() {
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
    fn endless_redirect_stops() {
        let previous = vec![url("https://a/"); MAX_HOPS + 1];
        assert_eq!(
            check(&previous, &url("https://a/")),
            Err(RedirectError::TooMany)
        );
    }
}

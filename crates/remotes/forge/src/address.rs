//! Addresses of hosts and repositories, parsed from user input.

use std::fmt;

use url::Url;

use crate::Kind;

/// A host as users type it: `git.example.com`, with an optional scheme, port or path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(Url);

/// The host or repository is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPlace {
    /// The host is invalid.
    #[error("invalid hostname {0:?}: it is a name such as git.example.com, with a port if need be")]
    Host(String),
    /// The host has credentials, which the message omits.
    #[error("the hostname holds credentials: the token is all that is needed")]
    Credentials,
    /// The owner or the name is invalid.
    #[error("invalid {what} {text:?}: {reason}")]
    Part {
        /// `owner` or `repository`.
        what: &'static str,
        /// Given text.
        text: String,
        /// Reason.
        reason: &'static str,
    },
}

impl Host {
    /// Parses user input. The default scheme is https.
    pub fn parse(text: &str) -> Result<Self, InvalidPlace> {
        let invalid = || InvalidPlace::Host(text.to_owned());
        let typed = text.trim();
        let full = if typed.contains("://") {
            typed.to_owned()
        } else {
            format!("https://{typed}")
        };
        let url = Url::parse(&full).map_err(|_| invalid())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidPlace::Credentials);
        }
        let is_bare = url.query().is_none() && url.fragment().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_bare {
            return Err(invalid());
        }
        Ok(Self(url))
    }

    /// Reports whether a token would be sent without TLS.
    pub fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// Returns the host name for SSH.
    pub fn name(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the address of a path on the host.
    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.0.as_str().trim_end_matches('/'))
    }

    /// Returns the API address of a kind of host.
    pub(crate) fn api(&self, kind: Kind) -> Url {
        let text = match kind {
            Kind::GitHub if self.name() == "github.com" => "https://api.github.com".to_owned(),
            Kind::GitHub => self.at("api/v3"),
            Kind::GitLab => self.at("api/v4"),
            Kind::Gitea => self.at("api/v1"),
            Kind::BitbucketServer => self.at("rest"),
        };
        Url::parse(&text).expect("a path below a valid address")
    }
}

/// Prints without the default scheme.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.as_str().trim_end_matches('/');
        f.write_str(text.strip_prefix("https://").unwrap_or(text))
    }
}

/// The place of a repository, which need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// User, organization, project, or path of groups.
    pub owner: String,
    /// Whether the owner is a user.
    pub is_personal: bool,
    /// Name.
    pub name: String,
}

impl Place {
    /// Creates a place. On GitLab the owner may be a path of groups, and the name may start with
    /// more groups.
    pub fn new(
        kind: Kind,
        owner: &str,
        is_personal: bool,
        name: &str,
    ) -> Result<Self, InvalidPlace> {
        check("owner", owner, kind == Kind::GitLab && !is_personal)?;
        check("repository", name, kind == Kind::GitLab)?;
        let (owner, name) = match name.rsplit_once('/') {
            // A user has no groups. As in Flux, the path before the name is ignored.
            Some((_, name)) if is_personal => (owner.to_owned(), name),
            Some((groups, name)) => (format!("{owner}/{groups}"), name),
            None => (owner.to_owned(), name),
        };
        Ok(Self {
            owner,
            is_personal,
            name: name.to_owned(),
        })
    }

    /// Returns the address for a browser.
    pub fn web_url(&self, host: &Host) -> String {
        host.at(&format!("{}/{}", self.owner, self.name))
    }
}

/// Rejects characters that would change the meaning of an address.
fn check(what: &'static str, text: &str, may_be_path: bool) -> Result<(), InvalidPlace> {
    let refuse = |reason| {
        Err(InvalidPlace::Part {
            what,
            text: text.to_owned(),
            reason,
        })
    };
    if text.is_empty() {
        return refuse("it is required");
    }
    if text.contains("://") || text.contains(['\\', '?', '#', '%', ':', '@']) {
        return refuse("it is a name, not an address");
    }
    if text.contains('/') && !may_be_path {
        return refuse("it has a '/', which only groups of GitLab have");
    }
    if text.split('/').any(|part| matches!(part, "" | "." | ".."))
        || text.chars().any(char::is_control)
    {
        return refuse("it is not a name");
    }
    Ok(())
}

impl crate::Repository {
    /// Returns the HTTP(S) clone address.
    pub fn https_url(&self, kind: Kind, host: &Host) -> String {
        let (owner, name) = (&self.owner, &self.name);
        match kind {
            Kind::BitbucketServer => host.at(&format!("scm/{owner}/{name}.git")),
            _ => host.at(&format!("{owner}/{name}.git")),
        }
    }

    /// Returns the SSH clone address. The SSH host may have another name.
    pub fn ssh_url(&self, ssh_host: &str) -> String {
        format!("ssh://git@{ssh_host}/{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Repository, Visibility};

    #[test]
    fn host_parses_user_input() {
        for (typed, shown, api) in [
            ("github.com", "github.com", "https://api.github.com/"),
            (
                "ghe.example.com",
                "ghe.example.com",
                "https://ghe.example.com/api/v3",
            ),
            ("h:8443/", "h:8443", "https://h:8443/api/v3"),
            ("https://h/git", "h/git", "https://h/git/api/v3"),
            ("http://h:80", "http://h", "http://h/api/v3"),
        ] {
            let host = Host::parse(typed).unwrap();
            assert_eq!(host.to_string(), shown);
            assert_eq!(host.api(Kind::GitHub).as_str(), api);
        }
        assert!(Host::parse("http://h").unwrap().is_plain());
        assert_eq!(Host::parse("h:8443").unwrap().name(), "h");
        for typed in ["", "ssh://h", "a b", "https://", "h?x", "h#x"] {
            assert_eq!(
                Host::parse(typed),
                Err(InvalidPlace::Host(typed.to_owned()))
            );
        }
        let refused = Host::parse("https://me:canary@h").unwrap_err();
        assert_eq!(refused, InvalidPlace::Credentials);
    }

    #[test]
    fn every_kind_has_its_own_api_address() {
        let host = Host::parse("h").unwrap();
        let repository = |owner: &str| Repository {
            owner: owner.to_owned(),
            name: "r".to_owned(),
            visibility: Visibility::Private,
            is_archived: false,
        };
        for (kind, base, clone) in [
            (Kind::GitHub, "https://h/api/v3", "https://h/o/r.git"),
            (Kind::GitLab, "https://h/api/v4", "https://h/o/r.git"),
            (Kind::Gitea, "https://h/api/v1", "https://h/o/r.git"),
            (
                Kind::BitbucketServer,
                "https://h/rest",
                "https://h/scm/o/r.git",
            ),
        ] {
            assert_eq!(host.api(kind).as_str(), base);
            assert_eq!(repository("o").https_url(kind, &host), clone);
        }
        assert_eq!(repository("~o").ssh_url("h:7999"), "ssh://git@h:7999/~o/r");
    }

    #[test]
    fn only_groups_of_gitlab_nest() {
        let place = |kind, owner, is_personal, name| {
            Place::new(kind, owner, is_personal, name).map(|place| (place.owner, place.name))
        };
        let pair = |owner: &str, name: &str| Ok((owner.to_owned(), name.to_owned()));
        assert_eq!(place(Kind::GitLab, "a", false, "b/c"), pair("a/b", "c"));
        assert_eq!(place(Kind::GitLab, "a/b", false, "c"), pair("a/b", "c"));
        assert_eq!(place(Kind::GitLab, "a", true, "b/c"), pair("a", "c"));
        assert_eq!(place(Kind::GitHub, "a", false, "c"), pair("a", "c"));
        for kind in [Kind::GitHub, Kind::Gitea, Kind::BitbucketServer] {
            assert!(place(kind, "a", false, "b/c").is_err());
            assert!(place(kind, "a/b", false, "c").is_err());
        }
    }

    #[test]
    fn names_that_change_an_address_are_rejected() {
        for bad in [
            "",
            ".",
            "..",
            "a/../b",
            "a//b",
            "/a",
            "a?b",
            "a#b",
            "a%2Fb",
            "a\nb",
            "https://h/a",
            "me@h",
        ] {
            assert!(
                Place::new(Kind::GitLab, bad, false, "r").is_err(),
                "{bad:?}"
            );
            assert!(
                Place::new(Kind::GitLab, "o", false, bad).is_err(),
                "{bad:?}"
            );
        }
    }
}

//! Errors of checkouts in the words of Flux.
//!
//! People grep and alert on these texts, which come from `fluxcd/pkg/git` and `go-git`. The facts
//! that only [`Error`] has follow behind them. Start at [`Error::checkout_message`].

use sluice_golang::error::chain;

use crate::address::{Address, AddressParts};
use crate::error::{Error, Phase};
use crate::reference::Reference;

/// The request of a checkout that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutStep {
    /// The list of references. It comes before a clone that may not be necessary.
    List,
    /// The clone.
    Clone,
}

impl CheckoutStep {
    /// The first request of a checkout. A commit and a range are cloned at once. A branch and a tag
    /// are listed first if an earlier checkout was `observed`.
    pub const fn first(reference: &Reference, observed: bool) -> Self {
        match reference {
            Reference::Name(_) => Self::List,
            Reference::Branch(_) | Reference::Tag(_) if observed => Self::List,
            _ => Self::Clone,
        }
    }

    const fn action(self) -> &'static str {
        match self {
            Self::List => "unable to list remote for",
            Self::Clone => "unable to clone",
        }
    }
}

impl Error {
    /// The message of Flux for a failed checkout of a reference, with the facts of this error
    /// behind it.
    pub fn checkout_message(
        &self,
        address: &Address,
        reference: &Reference,
        step: CheckoutStep,
    ) -> String {
        let url = address.without_password();
        match (self, reference) {
            (
                Self::NoVersion { .. } | Self::InvalidRange { .. } | Self::InvalidReference { .. },
                _,
            ) => chain(self),
            (Self::ReferenceNotFound { .. }, Reference::Name(name)) => {
                format!("unable to resolve ref '{name}' to a specific commit")
            }
            (Self::ReferenceNotFound { reference, .. }, _) => {
                format!("unable to clone '{url}': couldn't find remote ref {reference:?}")
            }
            (Self::EmptyRepository { .. }, Reference::Branch(_)) if step == CheckoutStep::Clone => {
                "git repository is empty".to_owned()
            }
            (Self::EmptyRepository { .. }, _) if step == CheckoutStep::Clone => {
                format!("unable to clone: remote repository is empty: git repository: '{url}'")
            }
            (Self::CommitNotFound { commit, .. }, _) => {
                format!("unable to resolve commit object for '{commit}': object not found")
            }
            (Self::NotOnBranch { commit, branch, .. }, _) => format!(
                "unable to resolve commit object for '{commit}': object not found: it is not \
                 reachable from branch '{branch}'"
            ),
            _ => format!("{} '{url}': {}", step.action(), self.cause(address)),
        }
    }

    /// The cause of a failed request.
    fn cause(&self, address: &Address) -> String {
        match self {
            Self::EmptyRepository { .. } => "remote repository is empty".to_owned(),
            Self::RepositoryNotFound { detail, .. } => {
                // Over HTTP, `go-git` appends the page of the server, also an empty one.
                let is_page = matches!(address.parts, AddressParts::Http { .. });
                let detail = detail.as_deref().or_else(|| is_page.then_some(""));
                let detail = detail.map(|detail| format!(": {detail}"));
                format!("repository not found{}", detail.unwrap_or_default())
            }
            Self::Authentication { reason, .. } if reason.starts_with("ssh: ") => {
                format!("ssh: handshake failed: {reason}")
            }
            Self::Authentication { reason, .. } => reason.clone(),
            Self::UnknownHost { host } => format!(
                "ssh: handshake failed: knownhosts: key is unknown: known_hosts has no entry for \
                 {host}"
            ),
            Self::HostKeyMismatch { .. } => {
                format!("ssh: handshake failed: knownhosts: key mismatch: {self}")
            }
            Self::HostKeyRevoked { .. } => {
                format!("ssh: handshake failed: knownhosts: key is revoked: {self}")
            }
            Self::Unavailable { status, .. } => unexpected(*status, address),
            Self::Answered { status, detail, .. } => {
                let detail = detail.as_deref().map(|text| format!(": {text}"));
                unexpected(*status, address) + &detail.unwrap_or_default()
            }
            Self::Timeout {
                phase: Phase::Resolve | Phase::Connect | Phase::Response,
                ..
            } => format!("{}context deadline exceeded: {self}", request(address)),
            Self::Timeout { .. } => format!("context deadline exceeded: {self}"),
            // The HTTP client has Go's words already.
            Self::Network { reason, .. } if reason.starts_with("dial tcp ") => {
                request(address) + reason
            }
            Self::Network { phase, reason, .. } => {
                let dialed = dial_error(*phase, reason, address);
                format!("{}{dialed}{self}", request(address))
            }
            // A page instead of a list.
            Self::Protocol { reason, .. } if reason.starts_with("the answer is of type") => {
                format!("invalid pkt-len found: {}", chain(self))
            }
            _ => chain(self),
        }
    }
}

/// The address of the list of references over HTTP.
fn list_url(address: &Address) -> String {
    format!(
        "{}/info/refs?service=git-upload-pack",
        address.without_password()
    )
}

/// Go's words for an HTTP status without a meaning of its own.
fn unexpected(status: u16, address: &Address) -> String {
    let url = list_url(address);
    format!("unexpected client error: unexpected requesting {url:?} status code: {status}")
}

/// The request of an HTTP client, as Go names it before its error.
fn request(address: &Address) -> String {
    match address.parts {
        AddressParts::Http { .. } => format!("Get {:?}: ", list_url(address)),
        AddressParts::Ssh { .. } => String::new(),
    }
}

/// Go's words for a connection that failed, as far as the reason is known.
fn dial_error(phase: Phase, reason: &str, address: &Address) -> String {
    let says = |words: &[&str]| words.iter().any(|words| reason.contains(words));
    match phase {
        Phase::Resolve => {
            let missing = says(&["not known", "No address associated", "no record"]);
            let missing = if missing { "no such host: " } else { "" };
            format!("dial tcp: lookup {}: {missing}", address.host())
        }
        Phase::Connect if says(&["refused"]) => format!(
            "dial tcp {}:{}: connect: connection refused: ",
            address.host(),
            address.port()
        ),
        Phase::Connect if says(&["UnknownIssuer"]) => {
            "tls: failed to verify certificate: x509: certificate signed by unknown authority: "
                .to_owned()
        }
        Phase::Connect if says(&["certificate expired", "Expired"]) => {
            "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: "
                .to_owned()
        }
        Phase::Connect if says(&["not valid for name", "NotValidForName"]) => {
            "tls: failed to verify certificate: x509: certificate is not valid for the host: "
                .to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const URL: &str = "https://example.com/org/app.git";

    fn message(url: &str, reference: &Reference, step: CheckoutStep, error: &Error) -> String {
        error.checkout_message(&Address::parse(url).unwrap(), reference, step)
    }

    fn cloned(error: &Error) -> String {
        let branch = Reference::Branch("main".to_owned());
        message(URL, &branch, CheckoutStep::Clone, error)
    }

    fn remote() -> String {
        URL.to_owned()
    }

    /// The first words are those of `fluxcd/pkg/git` 0.52.0 with `go-git` 5.19.1. They were run
    /// against servers with these faults.
    #[test]
    fn checkout_messages_start_with_the_words_of_flux() {
        let not_found = |detail: Option<&str>| Error::RepositoryNotFound {
            remote: remote(),
            detail: detail.map(str::to_owned),
        };
        let refused = Error::Network {
            remote: remote(),
            phase: Phase::Connect,
            reason: "Connection refused (os error 111)".to_owned(),
        };
        let refused_dial = Error::Network {
            remote: remote(),
            phase: Phase::Connect,
            reason: "dial tcp 192.0.2.1:443: connect: connection refused".to_owned(),
        };
        let slow = Error::Timeout {
            remote: remote(),
            phase: Phase::Response,
            limit: Duration::from_mins(1),
        };
        let busy = Error::Unavailable {
            remote: remote(),
            status: 503,
            retry_after: None,
        };
        let get = "Get \"https://example.com/org/app.git/info/refs?service=git-upload-pack\": ";
        for (error, expected) in [
            (
                not_found(Some("the reason")),
                "repository not found: the reason".to_owned(),
            ),
            (not_found(None), "repository not found: ".to_owned()),
            (
                Error::Authentication {
                    remote: remote(),
                    reason: "authentication required: no".to_owned(),
                },
                "authentication required: no".to_owned(),
            ),
            (
                refused,
                format!(
                    "{get}dial tcp example.com:443: connect: connection refused: connect to {URL}: \
                     Connection refused (os error 111)"
                ),
            ),
            (
                refused_dial,
                format!("{get}dial tcp 192.0.2.1:443: connect: connection refused"),
            ),
            (
                slow,
                format!(
                    "{get}context deadline exceeded: wait for an answer from {URL}: not done \
                     within 60s"
                ),
            ),
            (
                busy,
                "unexpected client error: unexpected requesting \
                 \"https://example.com/org/app.git/info/refs?service=git-upload-pack\" status \
                 code: 503"
                    .to_owned(),
            ),
        ] {
            let expected = format!("unable to clone '{URL}': {expected}");
            assert_eq!(cloned(&error), expected);
        }
    }

    #[test]
    fn empty_repository_is_named_by_its_request() {
        let empty = Error::EmptyRepository { remote: remote() };
        assert_eq!(cloned(&empty), "git repository is empty");
        let branch = Reference::Branch("main".to_owned());
        assert_eq!(
            message(URL, &branch, CheckoutStep::List, &empty),
            format!("unable to list remote for '{URL}': remote repository is empty")
        );
        let tag = Reference::Tag("v1".to_owned());
        assert_eq!(
            message(URL, &tag, CheckoutStep::Clone, &empty),
            format!("unable to clone: remote repository is empty: git repository: '{URL}'")
        );
    }

    #[test]
    fn missing_references_and_commits_are_named() {
        let missing = Error::ReferenceNotFound {
            reference: "refs/heads/gone".to_owned(),
            remote: remote(),
        };
        assert_eq!(
            cloned(&missing),
            format!("unable to clone '{URL}': couldn't find remote ref \"refs/heads/gone\"")
        );
        let name = Reference::Name("refs/pull/1/head".to_owned());
        assert_eq!(
            message(URL, &name, CheckoutStep::List, &missing),
            "unable to resolve ref 'refs/pull/1/head' to a specific commit"
        );
        let commit = Error::CommitNotFound {
            commit: "1".repeat(40),
            remote: remote(),
        };
        assert_eq!(
            cloned(&commit),
            format!(
                "unable to resolve commit object for '{}': object not found",
                "1".repeat(40)
            )
        );
    }

    #[test]
    fn known_references_are_listed_first() {
        let step = CheckoutStep::first;
        let (branch, range) = (
            Reference::Branch("main".to_owned()),
            Reference::Semver(">1".to_owned()),
        );
        assert_eq!(step(&branch, true), CheckoutStep::List);
        assert_eq!(step(&branch, false), CheckoutStep::Clone);
        assert_eq!(step(&range, true), CheckoutStep::Clone);
        let name = Reference::Name("refs/heads/main".to_owned());
        assert_eq!(step(&name, false), CheckoutStep::List);
    }

    #[test]
    fn ssh_messages_keep_the_user_and_hide_passwords() {
        let unknown = Error::UnknownHost {
            host: "example.com".to_owned(),
        };
        let branch = Reference::Branch("main".to_owned());
        let url = "ssh://git@example.com/org/app";
        assert_eq!(
            message(url, &branch, CheckoutStep::List, &unknown),
            format!(
                "unable to list remote for '{url}': ssh: handshake failed: knownhosts: key is \
                 unknown: known_hosts has no entry for example.com"
            )
        );
        let url = "https://user:hunter2@example.com/org/app.git";
        let unresolved = Error::Network {
            remote: remote(),
            phase: Phase::Resolve,
            reason: "failed to lookup address information: Name or service not known".to_owned(),
        };
        let said = message(url, &branch, CheckoutStep::Clone, &unresolved);
        assert!(
            said.contains("dial tcp: lookup example.com: no such host: "),
            "{said}"
        );
        assert!(!said.contains("hunter2"), "{said}");
    }
}

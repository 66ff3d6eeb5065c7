//! The parsed `spec` of a `GitRepository`. Pure.

use std::time::Duration;

use sluice_api::meta::reason;
use sluice_api::source::{
    GitCheckoutReference, GitInclude, GitProvider, GitRepository, GitRepositorySpec,
    GitVerificationMode,
};
use sluice_engine::{Failure, Retry};
use sluice_git::{Address, Error, Reference, ReferenceFields};
use sluice_gotemplate::sprig::url::parse_url;

use super::sparse::Sparse;
use crate::reconcile::SourceSpec;
use crate::timing;

/// A valid specification, parsed.
#[derive(Debug, PartialEq)]
pub(crate) struct Spec {
    pub(super) address: Address,
    pub(super) reference: Reference,
    /// The poll interval. Zero disables polling.
    pub(super) interval: Duration,
    pub(super) timeout: Duration,
    pub(super) transport: Transport,
    pub(super) provider: Provider,
    pub(super) includes: Vec<Include>,
    pub(super) sparse: Sparse,
    pub(super) submodules: bool,
    pub(super) verification: Option<Verification>,
}

/// The authentication method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    Generic,
    Github,
    /// The identity of a cloud.
    Cloud(sluice_identity::Provider),
}

/// An artifact to copy into this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Include {
    /// The name of the included repository.
    pub(super) name: String,
    pub(super) from: String,
    pub(super) to: String,
}

/// The signatures to verify, and the Secret with the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verification {
    pub(super) mode: GitVerificationMode,
    pub(super) secret: String,
}

impl Verification {
    /// Whether the tag must be signed.
    pub(super) fn of_tag(&self) -> bool {
        matches!(
            self.mode,
            GitVerificationMode::Tag | GitVerificationMode::TagAndHead
        )
    }

    /// Whether the commit must be signed. True for unknown modes.
    pub(super) fn of_head(&self) -> bool {
        self.mode != GitVerificationMode::Tag
    }

    /// The mode as a status records it.
    pub(super) fn recorded(&self) -> &str {
        match &self.mode {
            GitVerificationMode::HeadLowercase => GitVerificationMode::Head.as_str(),
            mode => mode.as_str(),
        }
    }
}

/// The transport to the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Http,
    Https,
    Ssh,
}

impl Transport {
    /// The scheme of its URLs.
    pub(super) const fn scheme(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ssh => "ssh",
        }
    }
}

impl SourceSpec for Spec {
    type Object = GitRepository;

    /// Parses a specification. A failure stands until an edit.
    fn parse(object: &GitRepository) -> Result<Self, Failure> {
        let spec = &object.spec;
        let provider = provider(spec)?;
        let interval = timing::interval(&spec.interval)?;
        let timeout = timing::timeout(spec.timeout.as_ref())?;
        let address = Address::parse(&spec.url).map_err(|error| {
            // The error shows the URL without user information. The whole URL may hold a password.
            let message = match error {
                Error::InvalidUrl { url, reason } => {
                    let reason = parse_url(url.as_bytes()).err().unwrap_or(reason);
                    format!("failed to parse url '{url}': {reason}")
                }
                error => error.to_string(),
            };
            Failure::message(reason::URL_INVALID, Retry::Stalled, message)
        })?;
        let transport = match spec.url.split_once(':').map(|(scheme, _)| scheme) {
            Some(scheme) if scheme.eq_ignore_ascii_case("http") => Transport::Http,
            Some(scheme) if scheme.eq_ignore_ascii_case("https") => Transport::Https,
            _ => Transport::Ssh,
        };
        let reference = reference(spec.reference.as_ref())?;
        Ok(Self {
            address,
            reference,
            interval,
            timeout,
            transport,
            provider,
            includes: spec.include.iter().map(include).collect(),
            sparse: Sparse::new(&spec.sparse_checkout),
            // Parity: go-git fetches no submodules for a sparse checkout.
            submodules: spec.recurse_submodules && spec.sparse_checkout.is_empty(),
            verification: spec.verify.as_ref().map(|verify| Verification {
                mode: verify.mode.clone().unwrap_or_default(),
                secret: verify.secret_ref.name.clone(),
            }),
        })
    }

    fn interval(&self) -> Duration {
        self.interval
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }
}

fn include(include: &GitInclude) -> Include {
    let name = include.repository.name.clone();
    Include {
        from: include.from_path.clone().unwrap_or_default(),
        to: include
            .to_path
            .clone()
            .filter(|to| !to.is_empty())
            .unwrap_or_else(|| name.clone()),
        name,
    }
}

/// Rejects unknown providers: ignoring one would send the wrong credentials.
fn provider(spec: &GitRepositorySpec) -> Result<Provider, Failure> {
    let refuse = |message: String| {
        let reason = reason::INVALID_PROVIDER_CONFIGURATION;
        Err(Failure::message(reason, Retry::Stalled, message))
    };
    match &spec.provider {
        None | Some(GitProvider::Generic) => Ok(Provider::Generic),
        Some(GitProvider::Github) if spec.secret_ref.is_none() => refuse(
            "secretRef with github app data must be specified when provider is set to github"
                .to_owned(),
        ),
        Some(GitProvider::Github) => Ok(Provider::Github),
        Some(GitProvider::Aws) => Ok(Provider::Cloud(sluice_identity::Provider::Aws)),
        Some(GitProvider::Azure) => Ok(Provider::Cloud(sluice_identity::Provider::Azure)),
        Some(GitProvider::Other(other)) => refuse(format!(
            "spec.provider '{other}' is unknown, must be one of: generic, github, aws, azure"
        )),
    }
}

/// The effective field of a reference.
fn reference(reference: Option<&GitCheckoutReference>) -> Result<Reference, Failure> {
    let fields = reference.map(|reference| ReferenceFields {
        branch: reference.branch.as_deref(),
        tag: reference.tag.as_deref(),
        semver: reference.semver.as_deref(),
        name: reference.name.as_deref(),
        commit: reference.commit.as_deref(),
    });
    Reference::pick(fields.unwrap_or_default())
        .map_err(|error| Failure::new(reason::GIT_OPERATION_FAILED, Retry::Stalled, &error))
}

/// Whether the fields contradict each other, which deserves a warning.
pub(super) fn is_ambiguous(spec: &GitRepositorySpec) -> bool {
    spec.reference.as_ref().is_some_and(|reference| {
        reference.tag.is_some()
            && reference.semver.is_some()
            && reference.commit.is_none()
            && reference.name.is_none()
    })
}

/// Returns a field without effect, if another field overrides it.
pub(super) fn without_effect(spec: &GitRepositorySpec) -> Option<&'static str> {
    (spec.recurse_submodules && !spec.sparse_checkout.is_empty()).then_some(
        "spec.recurseSubmodules has no effect with spec.sparseCheckout: no submodule is fetched",
    )
}

//! What to do with a `GitRepository`: decisions over the object alone, and over the revision that
//! the remote has. No client, no clock.

use std::time::Duration;

use kube::Resource;
use sluice_api::meta::{self, reason};
use sluice_api::source::{
    GitCheckoutReference, GitInclude, GitProvider, GitRepository, GitRepositorySpec,
    GitRepositoryStatus, GitVerificationMode,
};
use sluice_api::{Artifact, gaps, meta::DurationError};
use sluice_engine::{Failure, Retry};
use sluice_git::{Address, ObjectId, Reference};

use super::sparse::Sparse;
use crate::shelf::Fault;

/// The branch of Flux's early days, and still its default.
const DEFAULT_BRANCH: &str = "master";
/// For stored objects that predate the schema's default.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// No time is shorter: a remote is somebody's machine.
const LEAST: Duration = Duration::from_secs(1);

/// What becomes of an object.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// It is being deleted.
    Finalize,
    /// Its user suspended it.
    Sleep,
    /// Nothing can be done before it is edited.
    Stall(Fault),
    /// Its remote is to be asked.
    Work(Box<Work>),
}

/// A specification that has been understood.
#[derive(Debug, PartialEq)]
pub(super) struct Work {
    pub(super) address: Address,
    pub(super) reference: Reference,
    /// Until the remote is asked again; zero is never.
    pub(super) interval: Duration,
    pub(super) timeout: Duration,
    pub(super) transport: Transport,
    pub(super) provider: Provider,
    pub(super) includes: Vec<Include>,
    pub(super) sparse: Sparse,
    pub(super) submodules: bool,
    pub(super) verification: Option<Verification>,
}

/// Whose way of authentication is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    Generic,
    Github,
    Aws,
}

/// An artifact that is copied into this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Include {
    /// The repository whose artifact it is.
    pub(super) name: String,
    pub(super) from: String,
    pub(super) to: String,
}

/// What must be signed, by keys of which Secret.
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

    /// Whether the commit must be signed; also in a mode that is not known.
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

/// How the remote is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Http,
    Https,
    Ssh,
}

/// What becomes of the artifact.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is what the remote has.
    Keep,
    /// It is, but its signatures are to be looked at again.
    Verify,
    /// It is to be made.
    Pack {
        /// Whether the remote has moved, or only the way of packing has changed.
        new_revision: bool,
    },
}

/// Decides over the object alone.
pub(super) fn decide(object: &GitRepository) -> Decision {
    if object.meta().deletion_timestamp.is_some() {
        return Decision::Finalize;
    }
    if object.spec.suspend {
        return Decision::Sleep;
    }
    match understand(&object.spec) {
        Ok(work) => Decision::Work(Box::new(work)),
        Err(failure) => Decision::Stall(Fault::fetch(failure)),
    }
}

fn understand(spec: &GitRepositorySpec) -> Result<Work, Failure> {
    let provider = provider(spec)?;
    let mut interval = duration("spec.interval", &spec.interval)?;
    if !interval.is_zero() {
        interval = interval.max(LEAST);
    }
    let timeout = match &spec.timeout {
        None => DEFAULT_TIMEOUT,
        Some(timeout) => duration("spec.timeout", timeout)?.max(LEAST),
    };
    let address = Address::parse(&spec.url).map_err(|error| {
        // The error shows the URL without its user information; we must not show it whole.
        Failure::new(reason::URL_INVALID, Retry::Stalled, &error)
    })?;
    let transport = match spec.url.split_once(':').map(|(scheme, _)| scheme) {
        Some(scheme) if scheme.eq_ignore_ascii_case("http") => Transport::Http,
        Some(scheme) if scheme.eq_ignore_ascii_case("https") => Transport::Https,
        _ => Transport::Ssh,
    };
    let reference = reference(spec.reference.as_ref())?;
    Ok(Work {
        address,
        reference,
        interval,
        timeout,
        transport,
        provider,
        includes: spec.include.iter().map(include).collect(),
        sparse: Sparse::new(&spec.sparse_checkout),
        // Parity: go-git fetches no submodules for a checkout that is sparse.
        submodules: spec.recurse_submodules && spec.sparse_checkout.is_empty(),
        verification: spec.verify.as_ref().map(|verify| Verification {
            mode: verify.mode.clone().unwrap_or_default(),
            secret: verify.secret_ref.name.clone(),
        }),
    })
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

/// A provider that is silently ignored would send the wrong credentials, so it is refused.
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
        Some(GitProvider::Aws) => Ok(Provider::Aws),
        Some(provider) => refuse(gaps::GIT_PROVIDER.message(provider.as_str())),
    }
}

/// The schema checks it, but an object may have been stored around the schema.
fn duration(field: &str, value: &meta::Duration) -> Result<Duration, Failure> {
    value.parse().map_err(|error: DurationError| {
        let message = format!("{field}: {error}");
        Failure::message(reason::VALIDATION_FAILED, Retry::Stalled, message)
    })
}

/// Picks the field that counts.
///
/// Parity: fluxcd/pkg: git/gogit/client.go, where a tag beats a range, though the documentation
/// says otherwise: what is deployed must not change with the controller.
fn reference(reference: Option<&GitCheckoutReference>) -> Result<Reference, Failure> {
    let Some(reference) = reference else {
        return Ok(Reference::Branch(DEFAULT_BRANCH.to_owned()));
    };
    let picked = if let Some(commit) = &reference.commit {
        let id: ObjectId = commit.parse().map_err(|error| {
            let message = format!("spec.ref.commit '{commit}': {error}");
            Failure::message(reason::GIT_OPERATION_FAILED, Retry::Stalled, message)
        })?;
        Reference::Commit {
            id,
            branch: reference.branch.clone(),
            name: reference.name.clone(),
        }
    } else if let Some(name) = &reference.name {
        Reference::Name(name.clone())
    } else if let Some(tag) = &reference.tag {
        Reference::Tag(tag.clone())
    } else if let Some(range) = &reference.semver {
        Reference::Semver(range.clone())
    } else {
        let branch = reference.branch.as_deref().unwrap_or(DEFAULT_BRANCH);
        Reference::Branch(branch.to_owned())
    };
    picked
        .validate()
        .map_err(|error| Failure::new(reason::GIT_OPERATION_FAILED, Retry::Stalled, &error))?;
    Ok(picked)
}

/// Tells whether the fields contradict each other in a way that users should hear of.
pub(super) fn ambiguous(spec: &GitRepositorySpec) -> bool {
    spec.reference.as_ref().is_some_and(|reference| {
        reference.tag.is_some()
            && reference.semver.is_some()
            && reference.commit.is_none()
            && reference.name.is_none()
    })
}

/// Tells whether a field has no effect beside another one.
pub(super) fn without_effect(spec: &GitRepositorySpec) -> Option<&'static str> {
    (spec.recurse_submodules && !spec.sparse_checkout.is_empty()).then_some(
        "spec.recurseSubmodules has no effect with spec.sparseCheckout: no submodule is fetched",
    )
}

/// What else than the revision an artifact depends on, as it is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances<'a> {
    /// The artifacts to include, in the order of the spec.
    pub(super) included: &'a [Artifact],
    /// Whether the keys are others than those that the last verdict was found with.
    pub(super) keys_changed: bool,
}

/// The stored revision, if it is that of a pinned commit: nobody needs to be asked then.
pub(super) fn pinned(
    object: &GitRepository,
    artifact: Option<&Artifact>,
    work: &Work,
    now: Circumstances<'_>,
) -> Option<String> {
    let revision = work.reference.pinned_revision()?;
    (step(object, artifact, work, &revision, now) == Step::Keep).then_some(revision)
}

/// Decides over the artifact, given what the remote has and what is in storage.
pub(super) fn step(
    object: &GitRepository,
    artifact: Option<&Artifact>,
    work: &Work,
    revision: &str,
    now: Circumstances<'_>,
) -> Step {
    let Some(artifact) = artifact else {
        return Step::Pack { new_revision: true };
    };
    if !same_revision(&artifact.revision, revision) {
        return Step::Pack { new_revision: true };
    }
    let status = object.status.clone().unwrap_or_default();
    let spec = &object.spec;
    let same_content = spec.ignore == status.observed_ignore
        && spec.recurse_submodules == status.observed_recurse_submodules
        && spec.sparse_checkout == status.observed_sparse_checkout
        && spec.include == status.observed_include
        && same_artifacts(now.included, &status.included_artifacts);
    if !same_content {
        Step::Pack {
            new_revision: false,
        }
    } else if needs_verdict(work, &status, now.keys_changed) {
        Step::Verify
    } else {
        Step::Keep
    }
}

/// Tells whether two sets of included artifacts are the same.
pub(super) fn same_artifacts(one: &[Artifact], two: &[Artifact]) -> bool {
    one.len() == two.len()
        && one.iter().zip(two).all(|(one, two)| {
            same_revision(&one.revision, &two.revision) && one.digest == two.digest
        })
}

/// Tells whether signatures must be looked at although the revision is the same.
fn needs_verdict(work: &Work, status: &GitRepositoryStatus, keys_changed: bool) -> bool {
    let Some(verification) = &work.verification else {
        return false;
    };
    let recorded = status.source_verification_mode.as_deref();
    let tag = GitVerificationMode::Tag.as_str();
    let head = GitVerificationMode::Head.as_str();
    keys_changed
        || match recorded {
            None => true,
            Some(recorded) if recorded == tag => verification.of_head(),
            Some(recorded) if recorded == head => verification.of_tag(),
            Some(_) => false,
        }
}

/// Compares revisions in whatever form they were written.
fn same_revision(stored: &str, wanted: &str) -> bool {
    fn modern(revision: &str) -> String {
        if revision.contains(':') {
            return revision.to_owned();
        }
        match revision.rsplit_once('/') {
            None => format!("sha1:{revision}"),
            Some(("HEAD", commit)) => format!("sha1:{commit}"),
            Some((name, commit)) => format!("{name}@sha1:{commit}"),
        }
    }
    stored == wanted || modern(stored) == wanted
}

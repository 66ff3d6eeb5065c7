//! What to do with a `GitRepository`: decisions over the object alone, and over the revision that
//! the remote has. No client, no clock.

use std::time::Duration;

use kube::Resource;
use sluice_api::meta::{self, reason};
use sluice_api::source::{GitCheckoutReference, GitProvider, GitRepository, GitRepositorySpec};
use sluice_api::{Artifact, meta::DurationError};
use sluice_git::{Address, ObjectId, Reference};
use sluice_runtime::{Failure, Retry};

use super::Fault;

/// The branch of Flux's early days, and still its default.
const DEFAULT_BRANCH: &str = "master";
/// For stored objects that predate the schema's default.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// No time is shorter: a remote is somebody's machine.
const LEAST: Duration = Duration::from_secs(1);
/// The reason for a field that this version does not know to honour.
const NOT_SUPPORTED: &str = "NotSupported";

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
    unsupported(spec)?;
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
    })
}

/// A field that is silently ignored would change what reaches the cluster, so it is refused.
fn unsupported(spec: &GitRepositorySpec) -> Result<(), Failure> {
    let stalled = |reason, message: String| Err(Failure::message(reason, Retry::Stalled, message));
    match &spec.provider {
        None | Some(GitProvider::Generic) => {}
        Some(provider) => {
            return stalled(
                reason::INVALID_PROVIDER_CONFIGURATION,
                format!("spec.provider '{}' is not supported yet", provider.as_str()),
            );
        }
    }
    let only_semver = spec.reference.as_ref().is_some_and(|reference| {
        reference.semver.is_some()
            && reference.commit.is_none()
            && reference.name.is_none()
            && reference.tag.is_none()
    });
    let fields = [
        ("spec.include", !spec.include.is_empty()),
        ("spec.recurseSubmodules", spec.recurse_submodules),
        ("spec.sparseCheckout", !spec.sparse_checkout.is_empty()),
        ("spec.verify", spec.verify.is_some()),
        ("spec.ref.semver", only_semver),
    ];
    match fields.iter().find(|(_, used)| *used) {
        Some((field, _)) => stalled(NOT_SUPPORTED, format!("{field} is not supported yet")),
        None => Ok(()),
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

/// The stored revision, if it is that of a pinned commit: nobody needs to be asked then.
pub(super) fn pinned(
    object: &GitRepository,
    artifact: Option<&Artifact>,
    work: &Work,
) -> Option<String> {
    let revision = work.reference.pinned_revision()?;
    (step(object, artifact, &revision) == Step::Keep).then_some(revision)
}

/// Decides over the artifact, given what the remote has and what is in storage.
pub(super) fn step(object: &GitRepository, artifact: Option<&Artifact>, revision: &str) -> Step {
    let Some(artifact) = artifact else {
        return Step::Pack { new_revision: true };
    };
    if !same_revision(&artifact.revision, revision) {
        return Step::Pack { new_revision: true };
    }
    let status = object.status.clone().unwrap_or_default();
    // What this version refuses in a spec may still be in a status that Flux wrote.
    let same_content = object.spec.ignore == status.observed_ignore
        && !status.observed_recurse_submodules
        && status.observed_include.is_empty()
        && status.observed_sparse_checkout.is_empty();
    if same_content {
        Step::Keep
    } else {
        Step::Pack {
            new_revision: false,
        }
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

//! What the world says: the Secrets of a `GitRepository`, and the references of its remote.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kube::ResourceExt;
use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_auth::{Dial, Keys, Tls};
use sluice_git::{Access, Client, Error, ErrorKind, Reference, Remote, Resolved};
use sluice_runtime::reconcile::chain;
use sluice_runtime::{Failure, Retry, Secrets};
use tokio::time::Instant;

use super::Fault;
use super::plan::{Transport, Work};

/// How old an answer of a remote may be that several objects share.
const FRESH: Duration = Duration::from_secs(1);
/// A key by which a Secret shows that it is meant for another provider.
const GITHUB_APP: &str = "githubAppID";

/// Reads the Secrets of an object and says how its remote is reached.
pub(super) async fn remote(
    secrets: &Secrets,
    object: &GitRepository,
    work: &Work,
) -> Result<Remote, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let proxy = match &object.spec.proxy_secret_ref {
        None => None,
        Some(reference) => Some(
            secrets
                .get(&namespace, &reference.name)
                .await
                .and_then(|secret| secret.proxy())
                .map_err(|error| unauthenticated("configure proxy options", &error))?,
        ),
    };
    let mut remote = Remote {
        address: work.address.clone(),
        access: Access::Anonymous,
        dial: Dial {
            proxy,
            ..Dial::default()
        },
        timeout: work.timeout,
    };
    let Some(reference) = &object.spec.secret_ref else {
        if work.transport == Transport::Ssh {
            let message = "failed to configure authentication options: spec.secretRef with \
                           'identity' and 'known_hosts' is required for an ssh:// URL";
            return Err(Fault::fetch(Failure::message(
                reason::AUTHENTICATION_FAILED,
                Retry::Backoff,
                message,
            )));
        }
        return Ok(remote);
    };
    let secret = secrets
        .get(&namespace, &reference.name)
        .await
        .map_err(|error| {
            let action = format!("get secret '{namespace}/{}'", reference.name);
            unauthenticated(&action, &error)
        })?;
    if secret.present(GITHUB_APP).is_some() {
        let message = format!(
            "secretRef '{namespace}/{}' has github app data but provider is not set to github",
            reference.name
        );
        return Err(Fault::fetch(Failure::message(
            reason::INVALID_PROVIDER_CONFIGURATION,
            Retry::Backoff,
            message,
        )));
    }
    let invalid =
        |error: &dyn std::error::Error| unauthenticated("configure authentication options", error);
    if work.transport == Transport::Ssh {
        let identity = secret.ssh_identity().map_err(|error| invalid(&error))?;
        remote.access = Access::Ssh(identity);
    } else {
        if let Some(credentials) = secret.credentials().map_err(|error| invalid(&error))? {
            remote.access = Access::Http(credentials);
        }
        let tls: Option<Tls> = secret.tls(true).map_err(|error| invalid(&error))?;
        remote.dial.tls = tls.unwrap_or_default();
    }
    Ok(remote)
}

fn unauthenticated(action: &str, error: &dyn std::error::Error) -> Fault {
    let message = format!("failed to {action}: {}", chain(error));
    Fault::fetch(Failure::message(
        reason::AUTHENTICATION_FAILED,
        Retry::Backoff,
        message,
    ))
}

/// Tells what a remote's refusal means for the object.
pub(super) fn refused(error: &Error) -> Fault {
    let (reason, retry) = match (error.kind(), error) {
        (ErrorKind::Empty, _) => (reason::EMPTY_GIT_REPOSITORY, Retry::Backoff),
        (_, Error::InvalidUrl { .. }) => (reason::URL_INVALID, Retry::Stalled),
        // The Secret may be mended without the object being edited.
        (_, Error::InvalidCredentials { .. } | Error::InvalidKnownHosts { .. }) => {
            (reason::AUTHENTICATION_FAILED, Retry::Backoff)
        }
        (ErrorKind::Invalid, _) => (reason::GIT_OPERATION_FAILED, Retry::Stalled),
        _ => (reason::GIT_OPERATION_FAILED, Retry::Backoff),
    };
    let message = if error.kind() == ErrorKind::Empty {
        "git repository is empty".to_owned()
    } else {
        format!(
            "failed to checkout and determine revision: {}",
            chain(error)
        )
    };
    Fault::fetch(Failure::message(reason, retry, message))
}

/// Answers of remotes that objects with the same remote, credentials included, share for a
/// moment.
#[derive(Default)]
pub(super) struct Listings {
    slots: Mutex<HashMap<(Remote, Reference), Slot>>,
}

/// Locked while the remote is being asked: whoever comes meanwhile waits for the answer.
type Slot = Arc<tokio::sync::Mutex<Option<Answer>>>;

struct Answer {
    /// When the remote was asked.
    asked: Instant,
    resolved: Result<Resolved, Arc<Error>>,
}

impl Listings {
    /// Finds out what a reference means now.
    ///
    /// A `prompt` run takes only an answer to a question asked after it began: somebody has
    /// just pushed and wants to see it.
    pub(super) async fn resolve(
        &self,
        client: &Client,
        remote: &Remote,
        reference: &Reference,
        prompt: bool,
    ) -> Result<Resolved, Arc<Error>> {
        let now = Instant::now();
        let oldest = if prompt {
            now
        } else {
            now.checked_sub(FRESH).unwrap_or(now)
        };
        let slot = self.slot(remote, reference);
        let mut answer = slot.lock().await;
        match &*answer {
            Some(answer) if answer.asked >= oldest => answer.resolved.clone(),
            _ => {
                let asked = Instant::now();
                let resolved = client.resolve(remote, reference).await.map_err(Arc::new);
                *answer = Some(Answer {
                    asked,
                    resolved: resolved.clone(),
                });
                resolved
            }
        }
    }

    /// The slot for a question; those that hold nothing of use any more go.
    fn slot(&self, remote: &Remote, reference: &Reference) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || slot.try_lock().is_ok_and(|answer| {
                    answer
                        .as_ref()
                        .is_some_and(|answer| answer.asked.elapsed() < FRESH)
                })
        });
        let key = (remote.clone(), reference.clone());
        Arc::clone(slots.entry(key).or_default())
    }
}

//! Reads the Secrets of a `GitRepository` and the references of its remote.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_api::source::condition::INCLUDE_UNAVAILABLE;
use sluice_client::typed;
use sluice_client::typed::{Api, Resource as _, ResourceExt};
use sluice_dial::{Credentials, Dial, Tls};
use sluice_engine::{Failure, Retry};
use sluice_git::{
    Access, CheckoutStep, Client, Error, ErrorKind, Reference, Remote, ResolvedReference,
    TrustedKeys, fingerprint,
};
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_identity::GithubApp;
use tokio::time::Instant;

use super::spec::{Include, Provider, Spec, Transport};
use super::{Context, identity, verify};
use crate::fault::{FailureCondition, Fault};

/// Maximum age of an answer that objects share.
const MAX_ANSWER_AGE: Duration = Duration::from_secs(1);

/// Reads the Secrets of an object and configures its remote.
pub(super) async fn remote(
    context: &Context,
    object: &GitRepository,
    spec: &Spec,
) -> Result<Remote, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let secrets = &context.secrets;
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
        address: spec.address.clone(),
        access: Access::Anonymous,
        identity: None,
        dial: Dial {
            proxy,
            ..Dial::default()
        },
        timeout: spec.timeout,
    };
    by_secret(context, object, spec, &mut remote).await?;
    if let Provider::Cloud(provider) = spec.provider {
        identity::cloud(context, object, &mut remote, spec, provider).await?;
    }
    Ok(remote)
}

/// Configures a remote with the object's Secret, if it has one.
async fn by_secret(
    context: &Context,
    object: &GitRepository,
    spec: &Spec,
    remote: &mut Remote,
) -> Result<(), Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let is_cloud = matches!(spec.provider, Provider::Cloud(_));
    let is_ssh = spec.transport == Transport::Ssh && !is_cloud;
    let Some(reference) = &object.spec.secret_ref else {
        if is_ssh {
            let message = "failed to configure authentication options: spec.secretRef with \
                           'identity' and 'known_hosts' is required for an ssh:// URL";
            return Err(Fault::fetch(Failure::message(
                reason::AUTHENTICATION_FAILED,
                Retry::Backoff,
                message,
            )));
        }
        return Ok(());
    };
    let secret = context
        .secrets
        .get(&namespace, &reference.name)
        .await
        .map_err(|error| {
            let action = format!("failed to get secret '{namespace}/{}'", reference.name);
            // Flux repeats the action in this message.
            let message = format!("{action}: {action}: {}", error.server_message());
            Fault::retry(reason::AUTHENTICATION_FAILED, message)
        })?;
    let described = GithubApp::is_described_by(&secret);
    match spec.provider {
        Provider::Github if !described => {
            return Err(misplaced(
                "secretRef with github app data must be specified when provider is set to github"
                    .to_owned(),
            ));
        }
        Provider::Generic if described => {
            return Err(misplaced(format!(
                "secretRef '{namespace}/{}' has github app data but provider is not set to github",
                reference.name
            )));
        }
        _ => {}
    }
    let invalid =
        |error: &dyn std::error::Error| unauthenticated("configure authentication options", error);
    if is_ssh {
        let identity = secret.ssh_identity().map_err(|error| invalid(&error))?;
        remote.access = Access::Ssh(identity);
        return Ok(());
    }
    let tls: Option<Tls> = secret.tls().map_err(|error| invalid(&error))?;
    remote.dial.tls = tls.unwrap_or_default();
    if spec.provider == Provider::Github {
        let app = secret.github_app().map_err(|error| invalid(&error))?;
        let token = identity::github(context, object, &app, &remote.dial, spec).await?;
        remote.identity = Some(fingerprint(&app));
        remote.access = Access::Http(Credentials::Basic(token));
    } else if !is_cloud {
        let credentials = secret.git_credentials(spec.transport.scheme());
        let credentials = credentials.map_err(|error| invalid(&error))?;
        remote.access = credentials.map_or(Access::Anonymous, Access::Http);
    }
    Ok(())
}

/// The Secret belongs to another provider than the object.
fn misplaced(message: String) -> Fault {
    Fault::fetch(Failure::message(
        reason::INVALID_PROVIDER_CONFIGURATION,
        Retry::Backoff,
        message,
    ))
}

/// The currently advertised artifacts of the includes.
pub(super) async fn included(
    context: &Context,
    object: &GitRepository,
    spec: &Spec,
) -> Result<Vec<Artifact>, Fault> {
    if spec.includes.is_empty() {
        return Ok(Vec::new());
    }
    let namespace = object.namespace().unwrap_or_default();
    let cluster = &context.cluster;
    let api: Api<GitRepository> = Api::namespaced(cluster.client().clone(), &namespace);
    let unavailable = |reason: &'static str, message: String| Fault {
        condition: FailureCondition::True(INCLUDE_UNAVAILABLE),
        failure: Failure::message(reason, Retry::After(context.requeue_dependency), message),
    };
    let mut included = Vec::new();
    for Include { name, .. } in &spec.includes {
        // Not from the cache: the object may belong to another shard.
        let action = format!("could not get resource for include '{name}'");
        let found = match typed::get_opt(&api, name).await {
            Ok(Some(found)) => found,
            // Flux reads from a cache, which names the kind and not the resource.
            Ok(None) => {
                let (kind, group) = (GitRepository::kind(&()), GitRepository::group(&()));
                let message = format!("{action}: {kind}.{group} \"{name}\" not found");
                return Err(unavailable("NotFound", message));
            }
            Err(error) => {
                let error = cluster.error(action, error);
                return Err(unavailable("NotFound", error.to_string()));
            }
        };
        let artifact = found.status.and_then(|status| status.artifact);
        included.push(artifact.ok_or_else(|| {
            unavailable(
                "NoArtifact",
                format!("no artifact available for include '{name}'"),
            )
        })?);
    }
    Ok(included)
}

/// The trusted keys, or `None` if the object does not verify signatures.
pub(super) async fn keys(
    secrets: &Secrets,
    object: &GitRepository,
    spec: &Spec,
) -> Result<Option<TrustedKeys>, Fault> {
    let Some(verification) = &spec.verification else {
        return Ok(None);
    };
    let namespace = object.namespace().unwrap_or_default();
    let secret = secrets.get(&namespace, &verification.secret).await;
    let secret = secret.map_err(|error| verify::without_keys(&error))?;
    let entries = secret
        .names()
        .filter_map(|name| Some((name, secret.entry(name)?)));
    Ok(Some(TrustedKeys::read(entries)))
}

fn unauthenticated(action: &str, error: &dyn std::error::Error) -> Fault {
    let message = format!("failed to {action}: {}", chain(error));
    Fault::fetch(Failure::message(
        reason::AUTHENTICATION_FAILED,
        Retry::Backoff,
        message,
    ))
}

/// Converts an error of a checkout to a failure of the object.
pub(super) fn refused(error: &Error, spec: &Spec, step: CheckoutStep) -> Fault {
    let is_branch = matches!(spec.reference, Reference::Branch(_));
    let (reason, retry) = match (error.kind(), error) {
        // As in Flux, only the clone of a branch finds out.
        (ErrorKind::Empty, _) if is_branch && step == CheckoutStep::Clone => {
            (reason::EMPTY_GIT_REPOSITORY, Retry::Backoff)
        }
        (_, Error::InvalidUrl { .. }) => (reason::URL_INVALID, Retry::Stalled),
        // The Secret may be fixed without an edit of the object.
        (_, Error::InvalidCredentials { .. } | Error::InvalidKnownHosts { .. }) => {
            (reason::AUTHENTICATION_FAILED, Retry::Backoff)
        }
        (ErrorKind::Invalid, _) => (reason::GIT_OPERATION_FAILED, Retry::Stalled),
        // `RetryAfterLimit` bounds this delay.
        _ => (
            reason::GIT_OPERATION_FAILED,
            error.retry_after().map_or(Retry::Backoff, Retry::After),
        ),
    };
    let mut message = error.checkout_message(&spec.address, &spec.reference, step);
    if reason != reason::EMPTY_GIT_REPOSITORY {
        message.insert_str(0, "failed to checkout and determine revision: ");
    }
    Fault::fetch(Failure::message(reason, retry, message))
}

/// Answers of remotes, shared for a moment by objects with the same remote and credentials.
#[derive(Default)]
pub(super) struct ReferenceCache {
    slots: Mutex<HashMap<(Remote, Reference), Slot>>,
}

/// Locked during a request, so that concurrent callers share its answer.
type Slot = Arc<tokio::sync::Mutex<Option<CachedReference>>>;

struct CachedReference {
    /// When the request was sent.
    asked: Instant,
    resolved: Result<ResolvedReference, Arc<Error>>,
}

impl ReferenceCache {
    /// Resolves a reference at the remote.
    ///
    /// A `prompt` run accepts only an answer to a request sent after it began, since it may
    /// follow a push.
    pub(super) async fn resolve(
        &self,
        client: &Client,
        remote: &Remote,
        reference: &Reference,
        prompt: bool,
    ) -> Result<ResolvedReference, Arc<Error>> {
        let now = Instant::now();
        let oldest = if prompt {
            now
        } else {
            now.checked_sub(MAX_ANSWER_AGE).unwrap_or(now)
        };
        let slot = self.slot(remote, reference);
        let mut answer = slot.lock().await;
        match &*answer {
            Some(answer) if answer.asked >= oldest => answer.resolved.clone(),
            _ => {
                let asked = Instant::now();
                let resolved = Box::pin(client.resolve(remote, reference)).await;
                let resolved = resolved.map_err(Arc::new);
                *answer = Some(CachedReference {
                    asked,
                    resolved: resolved.clone(),
                });
                resolved
            }
        }
    }

    /// The slot of a request. Expired slots are removed.
    fn slot(&self, remote: &Remote, reference: &Reference) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || slot.try_lock().is_ok_and(|answer| {
                    answer
                        .as_ref()
                        .is_some_and(|answer| answer.asked.elapsed() < MAX_ANSWER_AGE)
                })
        });
        let key = (remote.clone(), reference.clone());
        Arc::clone(slots.entry(key).or_default())
    }
}

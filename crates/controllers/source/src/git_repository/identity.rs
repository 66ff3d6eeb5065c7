//! Short-lived credentials for Git remotes: tokens of GitHub Apps and of Azure DevOps, and
//! CodeCommit passwords signed with an AWS identity.
//!
//! An identity in a cloud is the controller's own, or that of a service account. Parity:
//! `pkg: auth/git.go`.

use std::fmt::Display;
use std::future::Future;

use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_api::source::condition::FETCH_FAILED;
use sluice_dial::{Basic, Dial};
use sluice_engine::{Failure, ObjectKey, Retry};
use sluice_git::{Access, Remote, fingerprint};
use sluice_host::{CloudError, IdentityUser};
use sluice_identity::{GithubApp, Provider};
use url::Url;

use super::Context;
use super::spec::Spec;
use crate::fault::{FailureCondition, Fault};

/// Returns the token of a GitHub App.
pub(super) async fn github(
    context: &Context,
    object: &GitRepository,
    app: &GithubApp,
    dial: &Dial,
    spec: &Spec,
) -> Result<Basic, Fault> {
    let key = ObjectKey::of(object);
    let identities = &context.clients.identities;
    let token = identities.github(user(context, object, &key), app, dial);
    limited(spec, "GitHub", token).await
}

/// Configures a remote with credentials of an identity in a cloud.
pub(super) async fn cloud(
    context: &Context,
    object: &GitRepository,
    remote: &mut Remote,
    spec: &Spec,
    provider: Provider,
) -> Result<(), Fault> {
    let identities = &context.clients.identities;
    identities
        .check_gate(object.spec.service_account_name.as_deref())
        .map_err(|error| Fault::gate_disabled(error, FailureCondition::True(FETCH_FAILED)))?;
    let url = &object.spec.url;
    let parsed = Url::parse(url).map_err(|error| refused(&error))?;
    let key = ObjectKey::of(object);
    let asking = identities.git(user(context, object, &key), provider, &parsed, &remote.dial);
    let found = limited(spec, provider.name(), asking).await?;
    remote.identity = Some(fingerprint(&(found.owner, url)));
    remote.access = Access::Http(found.credentials);
    Ok(())
}

fn user<'a>(
    context: &'a Context,
    object: &'a GitRepository,
    key: &'a ObjectKey,
) -> IdentityUser<'a> {
    IdentityUser {
        kind: context.source_storage.kind(),
        key,
        namespace: key.namespace(),
        account: object.spec.service_account_name.as_deref(),
    }
}

/// Waits for credentials within the object's timeout.
async fn limited<T>(
    spec: &Spec,
    issuer: &str,
    asking: impl Future<Output = Result<T, CloudError>>,
) -> Result<T, Fault> {
    let answer = tokio::time::timeout(spec.timeout, Box::pin(asking)).await;
    let Ok(answer) = answer else {
        let seconds = spec.timeout.as_secs_f64();
        return Err(refused(&format_args!(
            "get a token from {issuer}: not done within {seconds}s"
        )));
    };
    answer.map_err(|error| refused(&error))
}

fn refused(why: &dyn Display) -> Fault {
    Fault::fetch(Failure::message(
        reason::AUTHENTICATION_FAILED,
        Retry::Backoff,
        format!("failed to configure authentication options: {why}"),
    ))
}

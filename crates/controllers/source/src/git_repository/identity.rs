//! Short-lived passwords for Git remotes: GitHub App tokens, and CodeCommit passwords signed with
//! an AWS identity.
//!
//! The AWS identity is the controller's own, from [`Environment`], or the role in a service
//! account's annotation. Roles need the feature gate. With it, the operator's default account
//! serves objects that name none. Parity: `pkg: auth/{access_token,git}.go`, `pkg: auth/aws`.

use std::fmt::Display;
use std::time::SystemTime;

use jiff::Timestamp;
use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_client::typed::ResourceExt;
use sluice_dial::{Basic, Credentials, Dial, Sensitive};
use sluice_engine::metrics::TokenUser;
use sluice_engine::{Failure, ObjectKey, Retry};
use sluice_git::{Access, Remote, fingerprint};
use sluice_golang::error::chain;
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;
use sluice_host::remote::{Clusters, Requester};
use sluice_host::{ClusterOptions, Component, ServiceAccounts};
use sluice_identity::aws::{self, AssumeRole};
use sluice_identity::{Environment, GithubApp, IdentityError, Token, TokenCache, Transport};
use url::Url;

use super::Context;
use super::spec::Spec;
use crate::args::Args;
use crate::fault::{FailureCondition, Fault};

/// The operation label of these tokens in the cache metrics.
const RECONCILE: &str = "reconcile";

/// Caches passwords by issuer, subject and transport.
pub(crate) type Tokens = TokenCache<(Issuer, Dial), Basic>;

/// The issuer and the subject of a password.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Issuer {
    Github(GithubApp),
    /// For one repository, since the password signs its address.
    CodeCommit {
        url: String,
        taken: Option<Role>,
    },
}

/// A role, and the service account that assumes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Role {
    arn: String,
    account: ObjectKey,
    /// An account that is created again has another UID, and gets no cached password.
    uid: String,
}

/// Sources of AWS identities.
pub(crate) struct AwsIdentities {
    environment: Environment,
    /// Issues the tokens of service accounts.
    accounts: Clusters,
    /// Whether objects may choose a service account.
    object_level: bool,
    /// Reads service accounts, among them that of objects that name none.
    service_accounts: ServiceAccounts,
}

impl AwsIdentities {
    /// Reads the environment of the process.
    pub(crate) fn new(component: &Component, args: &Args) -> Self {
        Self {
            environment: Environment::of_process(),
            // The service account tokens need no cache: the credentials they buy are cached.
            accounts: Clusters::new(component, ClusterOptions::default()),
            object_level: component.gates().enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY),
            service_accounts: ServiceAccounts::new(
                component.cluster().clone(),
                &args.default_service_account,
            ),
        }
    }
}

/// Returns the token of a GitHub App.
pub(super) async fn github(
    context: &Context,
    object: &GitRepository,
    app: &GithubApp,
    dial: &Dial,
    spec: &Spec,
    now: Timestamp,
) -> Result<Basic, Fault> {
    let key = (Issuer::Github(app.clone()), dial.clone());
    let ask = || async {
        let token = app.token(&context.clients.http, dial, now.into()).await;
        token.map_err(|error| chain(&error))
    };
    cached_password(context, object, &key, spec, now, "GitHub", ask).await
}

/// Configures a remote with CodeCommit credentials.
pub(super) async fn code_commit(
    context: &Context,
    object: &GitRepository,
    remote: &mut Remote,
    spec: &Spec,
    now: Timestamp,
) -> Result<(), Fault> {
    // Certificates of the Secret apply to the repository, not to the issuer of credentials.
    let dial = &Dial {
        proxy: remote.dial.proxy.clone(),
        ..Dial::default()
    };
    let url = &object.spec.url;
    let parsed = Url::parse(url).map_err(|error| refused(&error))?;
    let repository = aws::Repository::parse(&parsed).map_err(|error| refused(&error))?;
    let taken = role(context, object).await?;
    let issuer = Issuer::CodeCommit {
        url: url.clone(),
        taken: taken.clone(),
    };
    let ask = || async {
        let region = repository.region();
        let credentials = match &taken {
            Some(role) => assume_role(context, object, role, dial, region)
                .await
                .map_err(|why| {
                    format!(
                        "failed to create provider access token for service account '{}': {why}",
                        role.account
                    )
                }),
            None => context
                .aws
                .environment
                .credentials(transport(context, dial), region, now.into())
                .await
                .map_err(|error| {
                    format!(
                        "failed to create provider access token for the controller: {}",
                        chain(&error)
                    )
                }),
        };
        let credentials = credentials
            .map_err(|why| format!("failed to get access token for Git repository: {why}"))?;
        Ok(repository.sign(&credentials, now.into()))
    };
    let key = (issuer, dial.clone());
    let password = cached_password(context, object, &key, spec, now, "AWS", ask).await?;
    // Passwords change, so access to fetched objects depends on the identity behind them.
    remote.identity = Some(fingerprint(&key.0));
    remote.access = Access::Http(Credentials::Basic(password));
    Ok(())
}

/// Gets a password from the cache or from `ask`, within the object's timeout, and counts it.
async fn cached_password<F: Future<Output = Result<Token<Basic>, String>>>(
    context: &Context,
    object: &GitRepository,
    key: &(Issuer, Dial),
    spec: &Spec,
    now: Timestamp,
    issuer: &str,
    ask: impl FnOnce() -> F,
) -> Result<Basic, Fault> {
    let asked = context.tokens.token(key, SystemTime::from(now), ask);
    let answer = tokio::time::timeout(spec.timeout, asked).await;
    let named = ObjectKey::new(&object.namespace().unwrap_or_default(), &object.name_any());
    let user = TokenUser {
        kind: context.source_storage.kind(),
        key: &named,
        operation: RECONCILE,
    };
    let lookup = match &answer {
        Ok(Ok((_, lookup))) => Some(*lookup),
        Ok(Err(_)) | Err(_) => None,
    };
    let metrics = context.metrics.tokens();
    metrics.count_lookup(&context.tokens, user, lookup);
    match answer {
        Ok(Ok((token, _))) => Ok(token),
        Ok(Err(why)) => Err(refused(&why)),
        Err(_) => {
            let seconds = spec.timeout.as_secs_f64();
            Err(refused(&format_args!(
                "get a token from {issuer}: not done within {seconds}s"
            )))
        }
    }
}

fn refused(why: &dyn Display) -> Fault {
    Fault::fetch(Failure::message(
        reason::AUTHENTICATION_FAILED,
        Retry::Backoff,
        format!("failed to configure authentication options: {why}"),
    ))
}

/// Reads the role of the object's service account. `None` means the controller's own identity.
async fn role(context: &Context, object: &GitRepository) -> Result<Option<Role>, Fault> {
    let aws = &context.aws;
    let chosen = object.spec.service_account_name.as_deref();
    if chosen.is_some_and(|name| !name.is_empty()) && !aws.object_level {
        return Err(Fault::workload_identity_disabled(FailureCondition::True(
            sluice_api::source::condition::FETCH_FAILED,
        )));
    }
    let failed = |why: &dyn Display| {
        refused(&format_args!(
            "failed to get access token for Git repository: {why}"
        ))
    };
    let namespace = object.namespace().unwrap_or_default();
    let found = aws.service_accounts.find(&namespace, chosen).await;
    let Some(found) = found.map_err(|error| failed(&error))? else {
        return Ok(None);
    };
    let account = ObjectKey::new(&namespace, &found.name_any());
    let arn = aws::role(found.annotations()).map_err(|error| {
        failed(&format_args!(
            "failed to get provider identity from service account '{account}' annotations: {error}"
        ))
    })?;
    Ok(Some(Role {
        arn,
        account,
        uid: found.uid().unwrap_or_default(),
    }))
}

/// Exchanges a token of the service account for credentials of the role.
async fn assume_role(
    context: &Context,
    object: &GitRepository,
    role: &Role,
    dial: &Dial,
    region: &str,
) -> Result<aws::AwsCredentials, String> {
    let key = ObjectKey::new(&object.namespace().unwrap_or_default(), &object.name_any());
    let asker = Requester {
        kind: context.source_storage.kind(),
        key: &key,
    };
    let aws = &context.aws;
    let account = role.account.name();
    let token = aws
        .accounts
        .token(asker, Some(account), aws::AUDIENCE, RECONCILE)
        .await
        .map_err(|error| chain(&error))?;
    let namespace = role.account.namespace();
    let session = aws::session_name(account, namespace, region);
    let who = AssumeRole {
        role: &role.arn,
        session: &session,
        token: &Sensitive::from(token.expose()),
    };
    let message = |error: IdentityError| chain(&error);
    let server = aws.environment.sts(region).map_err(message)?;
    server
        .assume(transport(context, dial), &who)
        .await
        .map_err(message)
}

fn transport<'a>(context: &'a Context, dial: &'a Dial) -> Transport<'a> {
    Transport {
        clients: &context.clients.http,
        dial,
    }
}

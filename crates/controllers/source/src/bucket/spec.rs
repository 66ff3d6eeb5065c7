//! The parsed `spec` of a `Bucket`. Pure.

use std::time::Duration;

use sluice_api::meta::reason;
use sluice_api::source::{
    Bucket, BucketProvider, BucketSpec, SecurityTokenProvider, SecurityTokenService,
};
use sluice_bucket::Endpoint;
use sluice_engine::{Failure, Retry};
use url::Url;

use crate::reconcile::SourceSpec;
use crate::timing;

/// A valid specification, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(super) store: StoreSpec,
    pub(super) bucket: String,
    pub(super) prefix: String,
    /// The poll interval. Zero disables polling.
    pub(super) interval: Duration,
    /// The time limit of the listing, and that of the download.
    pub(super) timeout: Duration,
}

/// The store of a bucket.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StoreSpec {
    S3(S3Store),
    Google,
    Azure {
        /// Address of the account.
        endpoint: Url,
    },
}

/// A store with the API of S3.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct S3Store {
    pub(super) endpoint: Endpoint,
    pub(super) region: Option<String>,
    /// Whether identities of AWS log in.
    pub(super) is_aws: bool,
    pub(super) token_service: Option<TokenService>,
}

/// A service that issues temporary keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenService {
    Aws { endpoint: String },
    Ldap { endpoint: Url },
}

impl StoreSpec {
    /// Whether identities of a cloud log in.
    pub(super) fn has_identities(&self) -> bool {
        match self {
            Self::S3(store) => store.is_aws,
            Self::Google | Self::Azure { .. } => true,
        }
    }
}

impl SourceSpec for Spec {
    type Object = Bucket;

    fn parse(object: &Bucket) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = timing::interval(&spec.interval)?;
        let timeout = timing::timeout(spec.timeout.as_ref())?;
        Ok(Self {
            store: store(spec)?,
            bucket: spec.bucket_name.clone(),
            prefix: spec.prefix.clone().unwrap_or_default(),
            interval,
            timeout,
        })
    }

    fn interval(&self) -> Duration {
        self.interval
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }
}

fn store(spec: &BucketSpec) -> Result<StoreSpec, Failure> {
    let provider = spec.provider.clone().unwrap_or_default();
    let token_service = spec.sts.as_ref();
    let token_service = token_service.map(|sts| token_service_of(&provider, sts));
    let token_service = token_service.transpose()?;
    match provider {
        BucketProvider::Generic | BucketProvider::Aws => {
            // Parity: Flux retries an invalid endpoint.
            let endpoint = Endpoint::parse(&spec.endpoint, spec.insecure);
            let endpoint = endpoint.map_err(|error| {
                Failure::new(reason::AUTHENTICATION_FAILED, Retry::Backoff, &error)
            })?;
            Ok(StoreSpec::S3(S3Store {
                endpoint,
                region: spec.region.clone().filter(|region| !region.is_empty()),
                is_aws: provider == BucketProvider::Aws,
                token_service,
            }))
        }
        BucketProvider::Gcp => Ok(StoreSpec::Google),
        BucketProvider::Azure => Ok(StoreSpec::Azure {
            endpoint: account_url(&spec.endpoint)?,
        }),
        BucketProvider::Other(other) => Err(stalled(
            reason::INVALID_PROVIDER_CONFIGURATION,
            format!("spec.provider '{other}' is unknown, must be one of: generic, aws, gcp, azure"),
        )),
    }
}

/// Parses the address of an account of Azure. Its query may be secret, so no message shows it.
fn account_url(text: &str) -> Result<Url, Failure> {
    let shown = text.split(['?', '#']).next().unwrap_or_default();
    let url = Url::parse(text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.host_str().is_some()
            && url.username().is_empty()
            && url.password().is_none()
    });
    url.ok_or_else(|| {
        let shown = shown.rsplit_once('@').map_or(shown, |(_, host)| host);
        let message = format!(
            "spec.endpoint '{shown}' must be the URL of an account, such as \
             https://ACCOUNT.blob.core.windows.net"
        );
        Failure::message(reason::AUTHENTICATION_FAILED, Retry::Backoff, message)
    })
}

/// Checks the token service, as Flux does beside the schema.
fn token_service_of(
    provider: &BucketProvider,
    sts: &SecurityTokenService,
) -> Result<TokenService, Failure> {
    let invalid = |message: String| stalled(reason::INVALID_STS_CONFIGURATION, message);
    let (bucket, name) = (provider.as_str(), sts.provider.as_str());
    let unneeded = |field: &str| {
        invalid(format!(
            "spec.sts.{field} is not required for the '{name}' STS provider"
        ))
    };
    match (provider, &sts.provider) {
        (BucketProvider::Aws, SecurityTokenProvider::Aws) if sts.secret_ref.is_some() => {
            Err(unneeded("secretRef"))
        }
        (BucketProvider::Aws, SecurityTokenProvider::Aws) if sts.cert_secret_ref.is_some() => {
            Err(unneeded("certSecretRef"))
        }
        (BucketProvider::Aws, SecurityTokenProvider::Aws) => Ok(TokenService::Aws {
            endpoint: sts.endpoint.clone(),
        }),
        (BucketProvider::Generic, SecurityTokenProvider::Ldap) => {
            let endpoint = Url::parse(&sts.endpoint).map_err(|error| {
                let message = format!("failed to parse STS endpoint '{}': {error}", sts.endpoint);
                stalled(reason::URL_INVALID, message)
            })?;
            Ok(TokenService::Ldap { endpoint })
        }
        (BucketProvider::Aws | BucketProvider::Generic, _) => Err(invalid(format!(
            "STS provider '{name}' is not supported for '{bucket}' bucket provider"
        ))),
        _ => Err(invalid(format!(
            "STS configuration is not supported for '{bucket}' bucket provider"
        ))),
    }
}

fn stalled(reason: &'static str, message: String) -> Failure {
    Failure::message(reason, Retry::Stalled, message)
}

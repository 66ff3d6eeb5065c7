//! The parsed `spec` of a `Bucket`. Pure.

use std::time::Duration;

use sluice_api::gaps;
use sluice_api::meta::reason;
use sluice_api::source::{Bucket, BucketProvider, SecurityTokenProvider};
use sluice_bucket::Endpoint;
use sluice_engine::{Failure, Retry};

use crate::reconcile::SourceSpec;
use crate::timing;

/// A valid specification, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(super) endpoint: Endpoint,
    pub(super) bucket: String,
    pub(super) prefix: String,
    pub(super) region: Option<String>,
    /// The poll interval. Zero disables polling.
    pub(super) interval: Duration,
    /// The time limit of the listing, and that of the download.
    pub(super) timeout: Duration,
}

impl SourceSpec for Spec {
    type Object = Bucket;

    fn parse(object: &Bucket) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = timing::interval(&spec.interval)?;
        let timeout = timing::timeout(spec.timeout.as_ref())?;
        let provider = spec.provider.clone().unwrap_or_default();
        if provider != BucketProvider::Generic {
            let message = gaps::BUCKET_PROVIDER.message(provider.as_str());
            let reason = reason::INVALID_PROVIDER_CONFIGURATION;
            return Err(Failure::message(reason, Retry::Stalled, message));
        }
        if let Some(sts) = &spec.sts {
            let message = if sts.provider == SecurityTokenProvider::Ldap {
                gaps::BUCKET_STS.message("")
            } else {
                let name = sts.provider.as_str();
                format!("STS provider '{name}' is not supported for 'generic' bucket provider")
            };
            let reason = reason::INVALID_STS_CONFIGURATION;
            return Err(Failure::message(reason, Retry::Stalled, message));
        }
        // Parity: Flux retries an invalid endpoint.
        let endpoint = Endpoint::parse(&spec.endpoint, spec.insecure)
            .map_err(|error| Failure::new(reason::AUTHENTICATION_FAILED, Retry::Backoff, &error))?;
        Ok(Self {
            endpoint,
            bucket: spec.bucket_name.clone(),
            prefix: spec.prefix.clone().unwrap_or_default(),
            region: spec.region.clone().filter(|region| !region.is_empty()),
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

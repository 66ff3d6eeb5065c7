//! The parsed `spec` of a `HelmRepository` of type `default`. Pure.

use std::time::Duration;

use sluice_api::meta::reason;
use sluice_api::source::HelmRepository;
use sluice_engine::{Failure, Retry};
use url::Url;

use crate::helm::address;
use crate::reconcile::SourceSpec;
use crate::timing;

/// For objects without an interval.
const DEFAULT_INTERVAL: Duration = Duration::from_mins(1);

/// The beginning of Flux's message if the index cannot be downloaded.
pub(super) const CACHE_INDEX: &str =
    "failed to fetch Helm repository index: failed to cache index to temporary file";

/// A valid specification, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// The address of the repository, with one slash at its end.
    pub(super) url: Url,
    /// The address of the index.
    pub(super) index: Url,
    pub(super) interval: Duration,
    /// The time limit of the download.
    pub(super) timeout: Duration,
}

impl SourceSpec for Spec {
    type Object = HelmRepository;

    fn parse(object: &HelmRepository) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = spec.interval.as_ref().map(timing::interval).transpose()?;
        let timeout = timing::timeout(spec.timeout.as_ref())?;
        let invalid = |why: String| {
            let message = format!("invalid Helm repository URL: {why}");
            Failure::message(reason::URL_INVALID, Retry::Stalled, message)
        };
        if address::is_registry(&spec.url) {
            let why = "'oci' URL scheme cannot be used with 'default' HelmRepository type";
            return Err(invalid(why.to_owned()));
        }
        if let Some(index) = address::index_without_host(&spec.url) {
            // Flux finds out by its request, and repeats that.
            let message = format!("{CACHE_INDEX}: Get \"{index}\": http: no Host in request URL");
            return Err(Failure::message(reason::FAILED, Retry::Backoff, message));
        }
        let unreadable = |error| invalid(address::unreadable(&spec.url, error));
        let url = address::normalize(&spec.url).map_err(unreadable)?;
        let index = address::index(&spec.url).map_err(unreadable)?;
        let scheme = url.scheme();
        if !matches!(scheme, "http" | "https") {
            let message =
                format!("failed to construct Helm client: scheme \"{scheme}\" not supported");
            return Err(Failure::message(reason::FAILED, Retry::Stalled, message));
        }
        Ok(Self {
            url,
            index,
            // As in Flux, zero is the default too.
            interval: interval
                .filter(|interval| !interval.is_zero())
                .unwrap_or(DEFAULT_INTERVAL),
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

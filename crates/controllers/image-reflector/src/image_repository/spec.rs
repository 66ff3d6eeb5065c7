//! The parsed `spec` of an `ImageRepository`. Pure.

use std::time::Duration;

use sluice_api::image::{ImageRepository, reason as image_reason};
use sluice_api::meta::reason;
use sluice_engine::ready::Fault;
use sluice_host::GateDisabled;
use sluice_images::image::ImageName;
use sluice_images::scan;

use crate::registry::needs_workload_identity;

/// A valid specification.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spec {
    pub(super) image: ImageName,
    pub(super) interval: Duration,
    /// The time limit for all requests of one run.
    pub(super) timeout: Duration,
    /// The patterns of excluded tags.
    pub(super) exclusions: Vec<String>,
}

impl Spec {
    /// Parses a specification. A fault stands until an edit.
    pub(super) fn parse(
        repository: &ImageRepository,
        has_workload_identity: bool,
    ) -> Result<Self, Fault> {
        if needs_workload_identity(repository) && !has_workload_identity {
            return Err(Fault::stalled(
                reason::FEATURE_GATE_DISABLED,
                GateDisabled.to_string(),
            ));
        }
        let spec = &repository.spec;
        let image = ImageName::parse(&spec.image)
            .map_err(|error| Fault::stalled(image_reason::IMAGE_URL_INVALID, error.to_string()))?;
        let interval = parse_duration("spec.interval", &spec.interval)?;
        let timeout = spec.timeout.as_ref();
        let timeout = timeout.map(|timeout| parse_duration("spec.timeout", timeout));
        Ok(Self {
            image,
            interval,
            timeout: scan::timeout(interval, timeout.transpose()?),
            exclusions: scan::exclusions(spec),
        })
    }
}

/// Parses a duration. The schema validates it, but an object may be older than the schema.
pub(crate) fn parse_duration(
    field: &str,
    duration: &sluice_api::meta::Duration,
) -> Result<Duration, Fault> {
    let parsed = duration.parse();
    parsed.map_err(|error| Fault::stalled(reason::VALIDATION_FAILED, format!("{field}: {error}")))
}

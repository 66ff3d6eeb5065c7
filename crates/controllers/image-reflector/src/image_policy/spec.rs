//! The parsed `spec` of an `ImagePolicy`. Pure.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::image::{DigestReflectionPolicy, ImagePolicy, reason};
use sluice_client::typed::ResourceExt as _;
use sluice_engine::ready::Fault;
use sluice_images::policy::Selector;

use crate::image_repository::parse_duration;

/// The annotation that keeps a later tag that the registry does not list.
const PREVENT_DOWNGRADE: &str = "sluice.dev/prevent-downgrade";

/// A specification. An invalid rule stalls only after the repository was found, as in Flux.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    pub(super) selector: Result<Arc<Selector>, Fault>,
    /// The interval of digest lookups.
    pub(super) interval: Option<Duration>,
    /// Whether a tag stays selected that is later than all listed ones.
    pub(super) prevents_downgrade: bool,
}

impl Spec {
    /// Parses a specification. A fault stands until an edit.
    pub(super) fn parse(policy: &ImagePolicy) -> Result<Self, Fault> {
        let spec = &policy.spec;
        let is_always = spec.digest_reflection_policy == Some(DigestReflectionPolicy::Always);
        let interval = match &spec.interval {
            Some(interval) if is_always => Some(parse_duration("spec.interval", interval)?),
            None if is_always => {
                return Err(Fault::stalled(
                    reason::INTERVAL_NOT_CONFIGURED,
                    "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'",
                ));
            }
            _ => None,
        };
        let annotation = policy.annotations().get(PREVENT_DOWNGRADE);
        let selector = Selector::parse(&spec.policy, spec.filter_tags.as_ref());
        Ok(Self {
            selector: selector
                .map(Arc::new)
                .map_err(|error| Fault::stalled(reason::INVALID_POLICY, error.to_string())),
            interval,
            prevents_downgrade: annotation.is_some_and(|value| value == "true"),
        })
    }
}

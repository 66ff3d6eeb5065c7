//! The flags of controllers whose objects have identities in clouds.

use std::time::Duration;

use super::{ArgsError, parse_duration};
use crate::gates::{FeatureGates, OBJECT_LEVEL_WORKLOAD_IDENTITY};

/// The flags of identities in clouds.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args)]
pub struct IdentityArgs {
    /// Maximum number of cached cloud provider tokens
    #[arg(long, default_value_t = 100, value_name = "NUMBER")]
    pub token_cache_max_size: usize,

    /// Maximum time to cache a cloud provider token
    #[arg(long, default_value = "1h", value_parser = parse_duration, value_name = "DURATION")]
    pub token_cache_max_duration: Duration,

    /// Service account to use if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_service_account: String,
}

impl IdentityArgs {
    /// Checks how the flags relate to the feature gates.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), ArgsError> {
        let has_default = !self.default_service_account.is_empty();
        if has_default && !gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY) {
            return Err(ArgsError::DefaultServiceAccount);
        }
        Ok(())
    }
}

//! Feature gates: each controller declares its table, and `--feature-gates` overrides it. An
//! unknown name is a start-up error.

use std::collections::BTreeMap;

/// Caches Secrets and `ConfigMap`s instead of reading them at each use.
pub const CACHE_SECRETS_AND_CONFIG_MAPS: &str = "CacheSecretsAndConfigMaps";

/// Lets objects name the service accounts of their identities.
pub const OBJECT_LEVEL_WORKLOAD_IDENTITY: &str = "ObjectLevelWorkloadIdentity";

/// One feature gate of a controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Its name, as Flux spells it.
    pub name: &'static str,
    /// Whether it is on by default.
    pub default: bool,
}

impl Gate {
    /// A gate that is off by default.
    pub const fn off(name: &'static str) -> Self {
        Self {
            name,
            default: false,
        }
    }

    /// A gate that is on by default.
    pub const fn on(name: &'static str) -> Self {
        Self {
            name,
            default: true,
        }
    }
}

/// The resolved feature gates of one controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureGates(BTreeMap<&'static str, bool>);

/// An invalid `--feature-gates` entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// The gate is unknown.
    #[error("feature-gate '{0}' not supported")]
    Unknown(String),
    /// The entry is not `name=true` or `name=false`.
    #[error("feature-gate '{0}' is not of the form name=true or name=false")]
    Malformed(String),
}

impl FeatureGates {
    /// Applies `name=bool` overrides to a table.
    pub fn resolve(table: &[Gate], overrides: &[String]) -> Result<Self, GateError> {
        let mut gates: BTreeMap<_, _> =
            table.iter().map(|gate| (gate.name, gate.default)).collect();
        for text in overrides
            .iter()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty())
        {
            let (name, value) = text.split_once('=').unwrap_or((text, "true"));
            let value = sluice_golang::boolean::parse(value.trim())
                .map_err(|_| GateError::Malformed(text.to_owned()))?;
            let slot = gates
                .get_mut(name.trim())
                .ok_or_else(|| GateError::Unknown(name.trim().to_owned()))?;
            *slot = value;
        }
        Ok(Self(gates))
    }

    /// Whether a gate is on. An unknown gate is off.
    pub fn enabled(&self, name: &str) -> bool {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// Every gate and its state, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, bool)> + '_ {
        self.0.iter().map(|(name, on)| (*name, *on))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Gate] = &[
        Gate::off("ExternalArtifact"),
        Gate::on("StrictPostBuildSubstitutions"),
    ];

    fn resolve(overrides: &[&str]) -> Result<FeatureGates, GateError> {
        FeatureGates::resolve(
            TABLE,
            &overrides
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn overrides_replace_defaults() {
        let gates = resolve(&["ExternalArtifact=true"]).unwrap();
        assert!(gates.enabled("ExternalArtifact"));
        assert!(gates.enabled("StrictPostBuildSubstitutions"));
        assert!(!gates.enabled("NoSuchGate"));
    }

    #[test]
    fn unknown_gate_is_rejected() {
        assert_eq!(
            resolve(&["Nonsense=true"]).unwrap_err().to_string(),
            "feature-gate 'Nonsense' not supported"
        );
    }

    #[test]
    fn non_boolean_value_is_rejected() {
        assert_eq!(
            resolve(&["ExternalArtifact=perhaps"]).unwrap_err(),
            GateError::Malformed("ExternalArtifact=perhaps".to_owned())
        );
    }
}

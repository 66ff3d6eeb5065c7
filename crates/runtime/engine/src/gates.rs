//! Feature gates: each controller declares its table, `--feature-gates` overrides
//! it, and an unknown name is a start-up error.

use std::collections::BTreeMap;

/// Cache Secrets and `ConfigMap`s instead of reading them when used.
pub const CACHE_SECRETS_AND_CONFIG_MAPS: &str = "CacheSecretsAndConfigMaps";

/// One gate that a controller knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Its name, as Flux spells it.
    pub name: &'static str,
    /// Whether it is on unless overridden.
    pub default: bool,
}

impl Gate {
    /// A gate that is off unless turned on.
    pub const fn off(name: &'static str) -> Self {
        Self {
            name,
            default: false,
        }
    }

    /// A gate that is on unless turned off.
    pub const fn on(name: &'static str) -> Self {
        Self {
            name,
            default: true,
        }
    }
}

/// The gates of one controller, as resolved from its table and the flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureGates(BTreeMap<&'static str, bool>);

/// Why gates could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// No such gate.
    #[error("feature-gate '{0}' not supported")]
    Unknown(String),
    /// Not `name=true` or `name=false`.
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

    /// Whether a gate is on. A gate outside the table is off.
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
    fn defaults_hold_until_overridden() {
        let gates = resolve(&["ExternalArtifact=true"]).unwrap();
        assert!(gates.enabled("ExternalArtifact"));
        assert!(gates.enabled("StrictPostBuildSubstitutions"));
        assert!(!gates.enabled("NoSuchGate"));
    }

    #[test]
    fn an_unknown_gate_is_refused_by_name() {
        assert_eq!(
            resolve(&["Nonsense=true"]).unwrap_err().to_string(),
            "feature-gate 'Nonsense' not supported"
        );
    }

    #[test]
    fn a_value_that_is_no_boolean_is_refused() {
        assert_eq!(
            resolve(&["ExternalArtifact=perhaps"]).unwrap_err(),
            GateError::Malformed("ExternalArtifact=perhaps".to_owned())
        );
    }
}

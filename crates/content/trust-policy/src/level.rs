//! Levels of verification: the action after each failed check.

use std::fmt;

/// A check of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The envelope is well formed, and its signature is valid.
    Integrity,
    /// The chain is trusted.
    Authenticity,
    /// The time of the signature is within the life of the chain.
    AuthenticTimestamp,
    /// The signature has not expired.
    Expiry,
    /// No certificate is revoked.
    Revocation,
}

/// The action after a failed check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Refuse the signature.
    Enforce,
    /// Report the failure.
    Log,
    /// Leave the check out.
    Skip,
}

/// The actions of all checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level([Action; 5]);

impl Check {
    pub(super) const ALL: [Self; 5] = [
        Self::Integrity,
        Self::Authenticity,
        Self::AuthenticTimestamp,
        Self::Expiry,
        Self::Revocation,
    ];

    /// The name in a policy.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integrity => "integrity",
            Self::Authenticity => "authenticity",
            Self::AuthenticTimestamp => "authenticTimestamp",
            Self::Expiry => "expiry",
            Self::Revocation => "revocation",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Action {
    pub(super) const ALL: [Self; 3] = [Self::Enforce, Self::Log, Self::Skip];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Log => "log",
            Self::Skip => "skip",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

impl Level {
    /// The level of a name. The level `skip` checks nothing and has none.
    pub(super) fn named(name: &str) -> Option<Self> {
        use Action::{Enforce, Log};
        match name {
            "strict" => Some(Self([Enforce; 5])),
            "permissive" => Some(Self([Enforce, Enforce, Log, Log, Log])),
            "audit" => Some(Self([Enforce, Log, Log, Log, Log])),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, check: Check, action: Action) {
        self.0[check as usize] = action;
    }

    /// The action after a failed check.
    pub fn action(&self, check: Check) -> Action {
        self.0[check as usize]
    }
}

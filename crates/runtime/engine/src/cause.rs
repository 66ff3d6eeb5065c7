//! Why an object is reconciled.

use std::borrow::Cow;
use std::fmt;

use crate::key::ObjectKey;

/// Why an object was enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A snapshot of a watch delivered it.
    Listed,
    /// It was created while it was watched.
    Created,
    /// Its generation changed.
    Edited,
    /// `reconcile.fluxcd.io/requestedAt` changed.
    Requested,
    /// Its deletion began.
    Deleted,
    /// Its interval passed.
    Interval,
    /// A retry was due, or its last run asked for another one at once.
    Retry,
    /// An object that it refers to changed.
    Related(Origin),
}

impl Cause {
    /// Whether a person or a change caused the run, rather than a timer or a snapshot. Such runs
    /// overtake the others of their namespace.
    pub fn is_prompt(&self) -> bool {
        !matches!(self, Self::Listed | Self::Interval | Self::Retry)
    }

    /// Whether a timer caused the run.
    pub fn is_timer(&self) -> bool {
        matches!(self, Self::Interval | Self::Retry)
    }
}

/// The object whose change enqueued another one. Prints as `Kind/namespace/name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its kind.
    pub kind: Cow<'static, str>,
    /// Its name.
    pub key: ObjectKey,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.key)
    }
}

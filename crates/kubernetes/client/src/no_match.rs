//! The error for a kind that is not served.

use std::fmt;

use sluice_gvk::{GroupKind, GroupVersionKind};

/// A kind that the server does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct NoMatch {
    /// The kind.
    pub kind: String,
    /// `group/version`, or the group alone when no version was asked for.
    pub version: String,
    /// Whether a version was asked for.
    versioned: bool,
}

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.versioned { "version" } else { "group" };
        write!(
            f,
            "no matches for kind {:?} in {place} {:?}",
            self.kind, self.version
        )
    }
}

impl NoMatch {
    pub(crate) fn versioned(gvk: &GroupVersionKind) -> Self {
        Self {
            kind: gvk.kind.clone(),
            version: gvk.api_version(),
            versioned: true,
        }
    }

    pub(crate) fn grouped(kind: &GroupKind) -> Self {
        Self {
            kind: kind.kind.clone(),
            version: kind.group.clone(),
            versioned: false,
        }
    }
}

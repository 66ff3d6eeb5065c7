//! Group, version and kind of a Kubernetes object.
//!
//! A crate of its own, because crates that must not link the Kubernetes client need the types too.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of an object, as `apiVersion` and `kind` spell it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupVersionKind {
    /// API group; empty for the core group.
    pub group: String,
    /// Version without its group.
    pub version: String,
    /// Kind, as `kind` spells it.
    pub kind: String,
}

impl GroupVersionKind {
    /// Builds a type from its three parts. The group is empty for the core group.
    pub fn gvk(group: &str, version: &str, kind: &str) -> Self {
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
        }
    }

    /// Builds a type from an `apiVersion` (`apps/v1`, `v1`) and a kind.
    pub fn new(api_version: &str, kind: &str) -> Self {
        let (group, version) = split_api_version(api_version);
        Self::gvk(group, version, kind)
    }

    /// Returns `group/version`, or the bare version for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Returns the type without its version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind::new(&self.group, &self.kind)
    }
}

/// `group/version/Kind`, or `version/Kind` for the core group.
impl fmt::Display for GroupVersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.group.is_empty() {
            write!(f, "{}/", self.group)?;
        }
        write!(f, "{}/{}", self.version, self.kind)
    }
}

/// A type without its version, which stays the same when an API is promoted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupKind {
    /// API group; empty for the core group.
    pub group: String,
    /// Kind, as `kind` spells it.
    pub kind: String,
}

impl GroupKind {
    /// Builds a type from a group, empty for the core group, and a kind.
    pub fn new(group: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            group: group.into(),
            kind: kind.into(),
        }
    }
}

/// `Kind.group`, or the bare kind for the core group, as API errors print it.
impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if !self.group.is_empty() {
            write!(f, ".{}", self.group)?;
        }
        Ok(())
    }
}

/// Splits `apps/v1` into `("apps", "v1")` and `v1` into `("", "v1")`.
pub fn split_api_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_group_is_empty() {
        let pod = GroupVersionKind::new("v1", "Pod");
        assert_eq!((pod.group.as_str(), pod.version.as_str()), ("", "v1"));
        assert_eq!(pod.api_version(), "v1");
        assert_eq!(pod.to_string(), "v1/Pod");
        assert_eq!(pod.group_kind().to_string(), "Pod");
    }

    #[test]
    fn named_group_round_trips() {
        let deployment = GroupVersionKind::new("apps/v1", "Deployment");
        assert_eq!(deployment.api_version(), "apps/v1");
        assert_eq!(deployment.to_string(), "apps/v1/Deployment");
        assert_eq!(deployment.group_kind().to_string(), "Deployment.apps");
    }
}

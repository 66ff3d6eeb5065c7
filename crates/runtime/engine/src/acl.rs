//! Whether an object may refer across namespaces (`--no-cross-namespace-refs`).

use crate::cause::Origin;

/// A reference that the access rules forbid. Retries do not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("can't access '{target}', cross-namespace references have been blocked")]
pub struct AccessDenied {
    /// The referenced object.
    pub target: Origin,
}

/// Whether references may leave the namespace of the object that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct References {
    /// `--no-cross-namespace-refs`.
    pub no_cross_namespace: bool,
}

impl References {
    /// Checks a reference of an object in `namespace`.
    pub fn check(self, namespace: &str, target: &Origin) -> Result<(), AccessDenied> {
        if self.no_cross_namespace && target.key.namespace() != namespace {
            return Err(AccessDenied {
                target: target.clone(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::ObjectKey;

    fn target(namespace: &str) -> Origin {
        Origin {
            kind: "GitRepository".into(),
            key: ObjectKey::new(namespace, "podinfo"),
        }
    }

    #[test]
    fn flag_blocks_other_namespaces() {
        let blocked = References {
            no_cross_namespace: true,
        };
        assert_eq!(
            blocked
                .check("apps", &target("sources"))
                .unwrap_err()
                .to_string(),
            "can't access 'GitRepository/sources/podinfo', cross-namespace references have been blocked"
        );
        assert_eq!(
            References::default().check("apps", &target("sources")),
            Ok(())
        );
    }

    #[test]
    fn own_namespace_is_allowed() {
        assert_eq!(
            References {
                no_cross_namespace: true
            }
            .check("apps", &target("apps")),
            Ok(())
        );
    }
}

//! Whether a policy may read an image repository of another namespace.

use std::collections::BTreeMap;

use sluice_api::meta::AccessFrom;

use crate::store::Key;

/// The policy may not read the repository. The reason is `AccessDenied`, and the policy is retried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessDenied {
    /// The flag `--no-cross-namespace-refs` is set.
    #[error("cannot access 'ImageRepository/{0}', cross-namespace references have been blocked")]
    Blocked(Key),
    /// The repository lists no namespaces.
    #[error("access denied: '{0}' can't be accessed due to missing ACL labels on 'accessFrom'")]
    NoList(Key),
    /// No selector of the repository matches.
    #[error(
        "access denied: '{repository}' can't be accessed due to ACL labels mismatch on namespace '{namespace}'"
    )]
    Mismatch {
        /// The repository.
        repository: Key,
        /// Namespace of the policy.
        namespace: String,
    },
}

/// A reference of a policy to a repository.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// Namespace of the policy.
    pub namespace: &'a str,
    /// Labels of that namespace. They matter only for a repository of another one.
    pub labels: &'a BTreeMap<String, String>,
    /// The repository.
    pub repository: &'a Key,
    /// The namespaces that the repository accepts.
    pub access_from: Option<&'a AccessFrom>,
    /// References to other namespaces are blocked.
    pub is_blocked: bool,
}

impl Access<'_> {
    /// Checks the reference.
    pub fn check(&self) -> Result<(), AccessDenied> {
        let repository = self.repository;
        if repository.namespace == self.namespace {
            return Ok(());
        }
        if self.is_blocked {
            return Err(AccessDenied::Blocked(repository.clone()));
        }
        let Some(access_from) = self.access_from else {
            return Err(AccessDenied::NoList(repository.clone()));
        };
        let has = |(key, value): (&String, &String)| self.labels.get(key) == Some(value);
        let mut selectors = access_from.namespace_selectors.iter();
        if selectors.any(|selector| selector.match_labels.iter().all(has)) {
            return Ok(());
        }
        Err(AccessDenied::Mismatch {
            repository: repository.clone(),
            namespace: self.namespace.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use sluice_api::meta::NamespaceSelector;

    use super::*;

    fn labels(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
        let labels = labels.iter();
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        labels.map(owned).collect()
    }

    /// The rules are those of the reference's `HasAccessToRef`, as are the messages.
    #[test]
    fn access_needs_a_matching_selector() {
        let from = |selectors: &[&[(&str, &str)]]| {
            let selector = |given: &&[(&str, &str)]| NamespaceSelector {
                match_labels: labels(given),
            };
            Some(AccessFrom {
                namespace_selectors: selectors.iter().map(selector).collect(),
            })
        };
        let missing = "access denied: 'images/app' can't be accessed due to missing ACL labels on 'accessFrom'";
        let mismatch = "access denied: 'images/app' can't be accessed due to ACL labels mismatch on namespace 'tenant'";
        let blocked = "cannot access 'ImageRepository/images/app', cross-namespace references have been blocked";
        let repository = Key::new("images", "app");
        let of_tenant = labels(&[("team", "a"), ("env", "prod")]);
        for (namespace, access_from, is_blocked, expected) in [
            ("images", None, true, None),
            ("tenant", None, false, Some(missing)),
            ("tenant", from(&[&[]]), true, Some(blocked)),
            ("tenant", from(&[]), false, Some(mismatch)),
            ("tenant", from(&[&[]]), false, None),
            ("tenant", from(&[&[("team", "b")]]), false, Some(mismatch)),
            (
                "tenant",
                from(&[&[("team", "b")], &[("team", "a")]]),
                false,
                None,
            ),
            (
                "tenant",
                from(&[&[("team", "a"), ("env", "dev")]]),
                false,
                Some(mismatch),
            ),
            (
                "tenant",
                from(&[&[("team", "a"), ("env", "prod")]]),
                false,
                None,
            ),
        ] {
            let access = Access {
                namespace,
                labels: &of_tenant,
                repository: &repository,
                access_from: access_from.as_ref(),
                is_blocked,
            };
            let denied = access.check().err().map(|denied| denied.to_string());
            assert_eq!(denied.as_deref(), expected, "{access:?}");
        }
    }
}

//! The identity that a client impersonates.

use std::fmt::{self, Write as _};

use http::{HeaderName, HeaderValue};

/// An identity to impersonate, never empty.
///
/// With an empty or missing impersonation header, the API server uses the rights of the caller. A
/// controller may do everything (CVE-2026-23990). So this type rejects empty parts and characters
/// that a header cannot carry. [`crate::Cluster::impersonate`] takes nothing else.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    user: String,
    groups: Vec<String>,
    uid: Option<String>,
    extra: Vec<(String, String)>,
}

/// Why an identity is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// A required part is empty.
    #[error("impersonation needs a {0}: it is empty")]
    Empty(&'static str),
    /// A part has characters that an HTTP header cannot carry.
    #[error("impersonation {part} {value:?} holds characters that cannot be sent")]
    NotSendable {
        /// The part.
        part: &'static str,
        /// Its value.
        value: String,
    },
}

impl Identity {
    /// Impersonates a user.
    pub fn user(name: &str) -> Result<Self, IdentityError> {
        Ok(Self {
            user: part("user", name)?,
            groups: Vec::new(),
            uid: None,
            extra: Vec::new(),
        })
    }

    /// Impersonates a service account. The API server derives its groups.
    pub fn service_account(namespace: &str, name: &str) -> Result<Self, IdentityError> {
        let namespace = part("namespace of the service account", namespace)?;
        let name = part("name of the service account", name)?;
        // A colon would move the boundary between namespace and name.
        for value in [&namespace, &name] {
            if value.contains(':') {
                return Err(IdentityError::NotSendable {
                    part: "service account",
                    value: value.clone(),
                });
            }
        }
        Self::user(&format!("system:serviceaccount:{namespace}:{name}"))
    }

    /// Adds a group.
    pub fn group(mut self, group: &str) -> Result<Self, IdentityError> {
        self.groups.push(part("group", group)?);
        Ok(self)
    }

    /// Sets the uid.
    pub fn uid(mut self, uid: &str) -> Result<Self, IdentityError> {
        self.uid = Some(part("uid", uid)?);
        Ok(self)
    }

    /// Adds one value of an extra attribute.
    pub fn extra(mut self, key: &str, value: &str) -> Result<Self, IdentityError> {
        let key = part("extra key", key)?;
        if extra_header(&key).is_none() {
            return Err(IdentityError::NotSendable {
                part: "extra key",
                value: key,
            });
        }
        self.extra.push((key, part("extra value", value)?));
        Ok(self)
    }

    /// The user's name.
    pub fn name(&self) -> &str {
        &self.user
    }

    /// The impersonation headers.
    pub(crate) fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let value = |text: &str| HeaderValue::from_str(text).expect("the constructor checked it");
        let mut headers = vec![(
            HeaderName::from_static("impersonate-user"),
            value(&self.user),
        )];
        if let Some(uid) = &self.uid {
            headers.push((HeaderName::from_static("impersonate-uid"), value(uid)));
        }
        for group in &self.groups {
            headers.push((HeaderName::from_static("impersonate-group"), value(group)));
        }
        for (key, text) in &self.extra {
            let name = extra_header(key).expect("the constructor checked it");
            headers.push((name, value(text)));
        }
        headers
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.user)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity")
            .field(&self.user)
            .finish_non_exhaustive()
    }
}

fn part(what: &'static str, value: &str) -> Result<String, IdentityError> {
    // White space at the ends is dropped in transfer, so " " is empty too.
    if value.trim().is_empty() {
        return Err(IdentityError::Empty(what));
    }
    if value.trim() != value || HeaderValue::from_str(value).is_err() {
        return Err(IdentityError::NotSendable {
            part: what,
            value: value.to_owned(),
        });
    }
    Ok(value.to_owned())
}

/// The header of an extra attribute; characters that a header name cannot hold
/// are percent-encoded, as the API server expects.
fn extra_header(key: &str) -> Option<HeaderName> {
    let mut name = String::from("impersonate-extra-");
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&'*+-.^_`|~".contains(&byte) {
            name.push(char::from(byte));
        } else {
            write!(name, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    HeaderName::from_bytes(name.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parts_are_rejected() {
        for empty in ["", " ", "\t"] {
            assert!(Identity::user(empty).is_err(), "{empty:?}");
            assert!(Identity::service_account(empty, "sa").is_err(), "{empty:?}");
            assert!(Identity::service_account("ns", empty).is_err(), "{empty:?}");
            let someone = Identity::user("someone").unwrap();
            assert!(someone.clone().group(empty).is_err(), "{empty:?}");
            assert!(someone.clone().uid(empty).is_err(), "{empty:?}");
            assert!(someone.clone().extra(empty, "v").is_err(), "{empty:?}");
            assert!(someone.extra("k", empty).is_err(), "{empty:?}");
        }
    }

    #[test]
    fn service_account_rejects_colons() {
        assert!(Identity::service_account("team", "a:b").is_err());
        assert!(Identity::service_account("kube-system:admin", "b").is_err());
    }

    #[test]
    fn unsendable_parts_are_rejected_untrimmed() {
        for value in ["a\nb", "a\0", " a", "a "] {
            assert!(Identity::user(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn headers_have_all_parts() {
        let identity = Identity::service_account("apps", "deployer")
            .and_then(|i| i.group("one"))
            .and_then(|i| i.group("two"))
            .and_then(|i| i.uid("7"))
            .and_then(|i| i.extra("example.com/scope", "view"))
            .unwrap();
        let headers: Vec<(String, String)> = identity
            .headers()
            .into_iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let expected = [
            ("impersonate-user", "system:serviceaccount:apps:deployer"),
            ("impersonate-uid", "7"),
            ("impersonate-group", "one"),
            ("impersonate-group", "two"),
            ("impersonate-extra-example.com%2fscope", "view"),
        ];
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        assert_eq!(headers, expected);
    }
}

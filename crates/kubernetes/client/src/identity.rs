//! Whom a client acts as.

use std::fmt::{self, Write as _};

use http::{HeaderName, HeaderValue};

/// Someone to act as, never nobody.
///
/// An impersonation header that is empty or missing makes the API server use the
/// caller's own rights, which for a controller are everything (CVE-2026-23990
/// came from there). So this type cannot be built from empty parts, cannot hold
/// what no header can carry, and [`crate::Cluster::impersonate`] takes nothing
/// else.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    user: String,
    groups: Vec<String>,
    uid: Option<String>,
    extra: Vec<(String, String)>,
}

/// Why no identity could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoIdentity {
    /// A part that must say something says nothing.
    #[error("impersonation needs a {0}: it is empty")]
    Empty(&'static str),
    /// A part that no HTTP header can carry.
    #[error("impersonation {part} {value:?} holds characters that cannot be sent")]
    NotSendable {
        /// Which part.
        part: &'static str,
        /// What it is.
        value: String,
    },
}

impl Identity {
    /// Acts as a user.
    pub fn user(name: &str) -> Result<Self, NoIdentity> {
        Ok(Self {
            user: part("user", name)?,
            groups: Vec::new(),
            uid: None,
            extra: Vec::new(),
        })
    }

    /// Acts as a service account. The API server derives its groups.
    pub fn service_account(namespace: &str, name: &str) -> Result<Self, NoIdentity> {
        let namespace = part("namespace of the service account", namespace)?;
        let name = part("name of the service account", name)?;
        // A colon would let one field reach into the other.
        for value in [&namespace, &name] {
            if value.contains(':') {
                return Err(NoIdentity::NotSendable {
                    part: "service account",
                    value: value.clone(),
                });
            }
        }
        Self::user(&format!("system:serviceaccount:{namespace}:{name}"))
    }

    /// Adds a group.
    pub fn group(mut self, group: &str) -> Result<Self, NoIdentity> {
        self.groups.push(part("group", group)?);
        Ok(self)
    }

    /// Sets the uid.
    pub fn uid(mut self, uid: &str) -> Result<Self, NoIdentity> {
        self.uid = Some(part("uid", uid)?);
        Ok(self)
    }

    /// Adds one value of an extra attribute.
    pub fn extra(mut self, key: &str, value: &str) -> Result<Self, NoIdentity> {
        let key = part("extra key", key)?;
        if extra_header(&key).is_none() {
            return Err(NoIdentity::NotSendable {
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

    /// The headers that say it to an API server.
    pub(crate) fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let value = |text: &str| HeaderValue::from_str(text).expect("checked when it was taken in");
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
            let name = extra_header(key).expect("checked when it was taken in");
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

fn part(what: &'static str, value: &str) -> Result<String, NoIdentity> {
    // White space at the ends is dropped on the wire, so " " is nobody too.
    if value.trim().is_empty() {
        return Err(NoIdentity::Empty(what));
    }
    if value.trim() != value || HeaderValue::from_str(value).is_err() {
        return Err(NoIdentity::NotSendable {
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
    fn nobody_is_not_an_identity() {
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
    fn a_service_account_cannot_name_another_namespace() {
        assert!(Identity::service_account("team", "a:b").is_err());
        assert!(Identity::service_account("kube-system:admin", "b").is_err());
    }

    #[test]
    fn what_cannot_be_sent_is_refused_and_not_trimmed() {
        for value in ["a\nb", "a\0", " a", "a "] {
            assert!(Identity::user(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn headers_say_all_of_it() {
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

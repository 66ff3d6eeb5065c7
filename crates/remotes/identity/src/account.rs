//! Service accounts of objects, and tokens for them.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use sluice_dial::Sensitive;

use crate::error::IdentityError;
use crate::jwt::Claims;
use crate::service_account::ServiceAccount;

/// Maximum length of a name.
const MAX_NAME: usize = 253;

/// A service account of the cluster, read for each use: a changed annotation counts at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    namespace: String,
    name: String,
    uid: String,
    annotations: BTreeMap<String, String>,
}

/// The future of [`TokenRequest::request`].
pub type TokenRequestFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Sensitive<String>, String>> + Send + 'a>>;

/// Issues tokens of service accounts: the `TokenRequest` of the API server.
pub trait TokenRequest: Send + Sync {
    /// Requests a token for audiences. The error is shown to the owner of the object.
    fn request<'a>(
        &'a self,
        account: &'a Account,
        audiences: &'a [String],
    ) -> TokenRequestFuture<'a>;
}

impl Account {
    /// Creates an account. The names must be valid in Kubernetes, because they enter addresses.
    pub fn new(
        namespace: &str,
        name: &str,
        uid: &str,
        annotations: BTreeMap<String, String>,
    ) -> Result<Self, IdentityError> {
        if !is_name(namespace) || !is_name(name) {
            return Err(IdentityError::Unusable(format!(
                "'{}/{}' does not name a service account",
                namespace.escape_debug(),
                name.escape_debug()
            )));
        }
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            uid: uid.to_owned(),
            annotations,
        })
    }

    /// Returns the namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the UID: an account of the same name that is created later has another one.
    pub fn uid(&self) -> &str {
        &self.uid
    }

    /// Returns the value of an annotation; `None` if it is absent or empty.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        let value = self.annotations.get(key).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    pub(crate) fn annotations(&self) -> &BTreeMap<String, String> {
        &self.annotations
    }

    /// Requests a token and checks that it is for this account and these audiences.
    pub(crate) async fn token(
        &self,
        requests: &dyn TokenRequest,
        audiences: &[String],
    ) -> Result<Sensitive<String>, IdentityError> {
        let failed = |why: &str| {
            IdentityError::Unusable(format!(
                "failed to create kubernetes token for service account '{self}': {why}"
            ))
        };
        let token = requests.request(self, audiences).await;
        let token = token.map_err(|why| failed(&why))?;
        let claims = Claims::of_token(token.expose()).map_err(|_| failed("it is not a JWT"))?;
        let owner =
            ServiceAccount::of_token(token.expose()).map_err(|error| failed(&error.to_string()))?;
        if (owner.namespace.as_str(), owner.name.as_str()) != (self.namespace(), self.name()) {
            return Err(failed("it is the token of another service account"));
        }
        if !audiences
            .iter()
            .all(|audience| claims.has_audience(audience))
        {
            return Err(failed("it has other audiences than requested"));
        }
        Ok(token)
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// Whether a text is a DNS subdomain of RFC 1123.
fn is_name(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    text.len() <= MAX_NAME && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_name_stays_one_segment() {
        let long = "a".repeat(300);
        for name in ["../x", "", "a/b", "A", "a b", "-a", "a.", long.as_str()] {
            let error = Account::new("apps", name, "1", BTreeMap::new()).unwrap_err();
            let message = error.to_string();
            assert!(
                message.ends_with("does not name a service account"),
                "{message}"
            );
            assert!(Account::new(name, "flux", "1", BTreeMap::new()).is_err());
        }
        let account = Account::new("apps", "flux.v1", "1", BTreeMap::new()).unwrap();
        assert_eq!(account.to_string(), "apps/flux.v1");
    }
}

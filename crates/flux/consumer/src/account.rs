//! The service account that the requests of an object impersonate. Pure.

use sluice_client::{Identity, IdentityError};

/// The identity that requests impersonate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpersonatedAccount {
    /// Name of the service account in the object's namespace.
    pub name: String,
    /// Its user name at the API server.
    pub identity: Identity,
}

/// The name of the service account cannot be sent.
#[derive(Debug, thiserror::Error)]
#[error("spec.serviceAccountName: {0}")]
pub struct InvalidAccount(IdentityError);

impl ImpersonatedAccount {
    /// The account that an object names, or the default one. `None` for the controller's own
    /// identity.
    pub fn of(
        namespace: Option<&str>,
        named: Option<&str>,
        default: Option<&str>,
    ) -> Result<Option<Self>, InvalidAccount> {
        let named = named.filter(|name| !name.is_empty());
        let Some(name) = named.or(default) else {
            return Ok(None);
        };
        let identity = Identity::service_account(namespace.unwrap_or_default(), name);
        let identity = identity.map_err(InvalidAccount)?;
        Ok(Some(Self {
            name: name.to_owned(),
            identity,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_account_precedes_the_default() {
        let user = |named, default| {
            let account = ImpersonatedAccount::of(Some("team"), named, default).unwrap();
            account.map(|account| account.identity.name().to_owned())
        };
        let user_of = |name: &str| Some(format!("system:serviceaccount:team:{name}"));
        assert_eq!(user(Some("own"), Some("default")), user_of("own"));
        assert_eq!(user(Some(""), Some("default")), user_of("default"));
        assert_eq!(user(None, Some("default")), user_of("default"));
        assert_eq!(user(Some(""), None), None);
        let error = ImpersonatedAccount::of(Some("team"), Some("a:b"), None).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("spec.serviceAccountName: "), "{text}");
    }
}

//! The Kubernetes service account of a token.
//!
//! The token is not verified here: it comes from the API server, and its receiver verifies it. No
//! error quotes a token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// Prefix of the subject of a service account token.
const PREFIX: &str = "system:serviceaccount:";

/// A service account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceAccount {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
}

/// The token does not name a service account.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownAccount {
    /// The token does not have three parts.
    #[error("not a JWT")]
    NotAToken,
    /// The second part is not base64.
    #[error("the token's payload is not base64")]
    NotBase64,
    /// The second part is not a JSON object of claims.
    #[error("the token's payload is not JSON")]
    NotJson,
    /// The subject is not a service account.
    #[error("unexpected token subject '{0}'")]
    Subject(String),
}

impl ServiceAccount {
    /// Returns the service account of a token.
    pub fn of_token(token: &str) -> Result<Self, UnknownAccount> {
        let parts: Vec<&str> = token.trim().split('.').collect();
        let [_, payload, _] = parts.as_slice() else {
            return Err(UnknownAccount::NotAToken);
        };
        let claims = URL_SAFE_NO_PAD
            .decode(payload)
            .map_err(|_| UnknownAccount::NotBase64)?;
        let claims: Value = serde_json::from_slice(&claims).map_err(|_| UnknownAccount::NotJson)?;
        let subject = claims
            .get("sub")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let account = subject.strip_prefix(PREFIX);
        match account.and_then(|account| account.split_once(':')) {
            // A name has no colon, so a subject with more colons is invalid.
            Some((namespace, name))
                if !namespace.is_empty() && !name.is_empty() && !name.contains(':') =>
            {
                Ok(Self {
                    namespace: namespace.to_owned(),
                    name: name.to_owned(),
                })
            }
            _ => Err(UnknownAccount::Subject(subject.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(claims: &str) -> String {
        format!("e30.{}.sig\n", URL_SAFE_NO_PAD.encode(claims))
    }

    #[test]
    fn token_names_its_account() {
        let found =
            ServiceAccount::of_token(&token(r#"{"sub":"system:serviceaccount:flux-system:ks"}"#));
        let account = ServiceAccount {
            namespace: "flux-system".to_owned(),
            name: "ks".to_owned(),
        };
        assert_eq!(found, Ok(account));
    }

    #[test]
    fn invalid_token_has_a_reason_and_is_not_quoted() {
        let subject = |text: &str| UnknownAccount::Subject(text.to_owned());
        for (token, error) in [
            ("nonsense".to_owned(), UnknownAccount::NotAToken),
            ("a.?.c".to_owned(), UnknownAccount::NotBase64),
            (token("nonsense"), UnknownAccount::NotJson),
            (token("{}"), subject("")),
            (token(r#"{"sub":7}"#), subject("")),
            (
                token(r#"{"sub":"system:node:a"}"#),
                subject("system:node:a"),
            ),
            (
                token(r#"{"sub":"system:serviceaccount:a"}"#),
                subject("system:serviceaccount:a"),
            ),
            (
                token(r#"{"sub":"system:serviceaccount::b"}"#),
                subject("system:serviceaccount::b"),
            ),
            (
                token(r#"{"sub":"system:serviceaccount:a:b:c"}"#),
                subject("system:serviceaccount:a:b:c"),
            ),
        ] {
            assert_eq!(ServiceAccount::of_token(&token), Err(error), "{token}");
        }
    }
}

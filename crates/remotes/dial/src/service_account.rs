//! The Kubernetes service account that a token is of, as the token itself says.
//!
//! Nothing is verified here: the tokens are our own, fresh from the API server or from the
//! folder that it fills, and whoever is shown one verifies it. No error quotes a token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// What the subject of a service account's token begins with.
const PREFIX: &str = "system:serviceaccount:";

/// A service account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceAccount {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// Why a token tells no account.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownAccount {
    /// It has not three parts.
    #[error("not a JWT")]
    NotAToken,
    /// Its second part is not base64.
    #[error("the token's payload is not base64")]
    NotBase64,
    /// It holds no claims.
    #[error("the token's payload is not JSON")]
    NotJson,
    /// It is of somebody else.
    #[error("unexpected token subject '{0}'")]
    Subject(String),
}

impl ServiceAccount {
    /// The account that a token is of.
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
            // A name holds no colon: with one, the subject is not what it seems.
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
    fn a_token_names_its_account() {
        let found =
            ServiceAccount::of_token(&token(r#"{"sub":"system:serviceaccount:flux-system:ks"}"#));
        let account = ServiceAccount {
            namespace: "flux-system".to_owned(),
            name: "ks".to_owned(),
        };
        assert_eq!(found, Ok(account));
    }

    #[test]
    fn what_names_no_account_is_told_apart_and_not_quoted() {
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

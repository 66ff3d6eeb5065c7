//! Basic and bearer credentials for the `Authorization` header.

use std::fmt;

use ::http::HeaderValue;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::secret::{BEARER_TOKEN, Invalid, Keys, PASSWORD, USERNAME};
use crate::sensitive::{Sensitive, hide};

/// A user name with its password.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Basic {
    /// User name.
    pub username: String,
    /// Password.
    pub password: Sensitive<String>,
}

/// A CodeCommit user name ends with a token after a percent sign.
impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.username.split('%').next().unwrap_or_default();
        f.debug_struct("Basic")
            .field("username", &name)
            .field("password", &self.password)
            .finish()
    }
}

impl Basic {
    /// Creates credentials.
    pub fn new(username: impl Into<String>, password: impl Into<Sensitive<String>>) -> Self {
        Self {
            username: username.into(),
            password: password.into(),
        }
    }

    /// Reads `username` and `password` from a Secret: both or neither.
    pub fn from_keys(keys: &dyn Keys) -> Result<Option<Self>, Invalid> {
        match (keys.text(USERNAME)?, keys.text(PASSWORD)?) {
            (Some(username), Some(password)) => Ok(Some(Self::new(username, password))),
            (Some(_), None) => Err(Invalid::Half {
                present: USERNAME,
                absent: PASSWORD,
            }),
            (None, Some(_)) => Err(Invalid::Half {
                present: PASSWORD,
                absent: USERNAME,
            }),
            (None, None) => Ok(None),
        }
    }

    /// Returns the value of `Authorization` or `Proxy-Authorization`, marked sensitive.
    pub fn header(&self) -> HeaderValue {
        let pair = Sensitive::new(format!("{}:{}", self.username, self.password.expose()));
        let encoded = Sensitive::new(format!("Basic {}", BASE64_STANDARD.encode(pair.expose())));
        sensitive_header(encoded.expose()).expect("base64 is always a valid header value")
    }
}

/// A bearer token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bearer(Sensitive<String>);

impl Bearer {
    /// Wraps a token. Surrounding white space is dropped, such as the line break at the end of a
    /// file. Characters that are invalid in a header are an error.
    pub fn new(token: &str) -> Result<Self, Invalid> {
        let token = token.trim();
        if sensitive_header(token).is_none() {
            return Err(Invalid::NotSendable(BEARER_TOKEN));
        }
        Ok(Self(token.into()))
    }

    /// Returns the token.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Returns the value of `Authorization`, marked sensitive.
    pub fn header(&self) -> HeaderValue {
        let value = Sensitive::new(format!("Bearer {}", self.expose()));
        sensitive_header(value.expose()).expect("the token was checked when it was taken in")
    }
}

/// Credentials of an HTTP request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Credentials {
    /// `Authorization: Basic`.
    Basic(Basic),
    /// `Authorization: Bearer`.
    Bearer(Bearer),
}

impl Credentials {
    /// Reads the Secret of a Git repository. A bearer token overrides the others. Git hosts accept
    /// a token as the user name, so a user name needs no password.
    ///
    /// Parity: fluxcd/pkg: `git/options.go`.
    pub fn from_keys(keys: &dyn Keys) -> Result<Option<Self>, Invalid> {
        if keys.key(BEARER_TOKEN).is_some() {
            let token = keys.text(BEARER_TOKEN)?.map(Bearer::new).transpose()?;
            return Ok(token.map(Self::Bearer));
        }
        let basic = match (keys.text(USERNAME)?, keys.text(PASSWORD)?) {
            (Some(username), None) => Some(Basic::new(username, String::new())),
            _ => Basic::from_keys(keys)?,
        };
        Ok(basic.map(Self::Basic))
    }

    /// Returns the value of `Authorization`, marked sensitive.
    pub fn header(&self) -> HeaderValue {
        match self {
            Self::Basic(basic) => basic.header(),
            Self::Bearer(bearer) => bearer.header(),
        }
    }

    /// Removes the credentials from a server's text, which may repeat them.
    pub fn hide(&self, text: &str) -> String {
        let header = self.header();
        let sent = header.to_str().unwrap_or_default();
        let encoded = sent.split_once(' ').map_or(sent, |(_, encoded)| encoded);
        let plain = match self {
            Self::Basic(basic) => basic.password.expose(),
            Self::Bearer(bearer) => bearer.expose(),
        };
        hide(text, [encoded, plain])
    }
}

fn sensitive_header(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn keys(pairs: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.as_bytes().to_vec()))
            .collect()
    }

    type Case = (
        &'static [(&'static str, &'static str)],
        Result<Option<Credentials>, Invalid>,
    );

    /// Parity: fluxcd/pkg: `git/options.go`, `git/options_test.go`.
    #[test]
    fn secret_keys_determine_the_credentials() {
        let basic = |name: &str, word: &str| {
            let basic = Basic::new(name, word.to_owned());
            Ok(Some(Credentials::Basic(basic)))
        };
        let bearer = || {
            let bearer = Bearer::new("t").expect("plain token");
            Ok(Some(Credentials::Bearer(bearer)))
        };
        let nameless = Err(Invalid::Half {
            present: "password",
            absent: "username",
        });
        let cases: [Case; 10] = [
            (&[], Ok(None)),
            (&[("username", ""), ("password", "")], Ok(None)),
            (&[("username", "u"), ("password", "p")], basic("u", "p")),
            (&[("username", "u")], basic("u", "")),
            (&[("username", "u"), ("password", "")], basic("u", "")),
            (&[("password", "p")], nameless),
            (&[("bearerToken", "t\n")], bearer()),
            (
                &[("bearerToken", "t"), ("username", "u"), ("password", "p")],
                bearer(),
            ),
            (&[("bearerToken", ""), ("username", "u")], Ok(None)),
            (
                &[("bearerToken", "a\nb")],
                Err(Invalid::NotSendable("bearerToken")),
            ),
        ];
        for (pairs, expected) in cases {
            assert_eq!(Credentials::from_keys(&keys(pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn header_value_is_hidden_in_debug() {
        let basic = Basic::new("u", "p");
        assert_eq!(basic.header(), "Basic dTpw");
        assert!(basic.header().is_sensitive());
        let text = format!("{:?}", Credentials::Basic(basic));
        assert!(!text.contains("\"p\""), "{text}");
    }

    #[test]
    fn echoed_credentials_are_hidden() {
        let basic = Credentials::Basic(Basic::new("u", "canary"));
        let text = "no: Basic dTpjYW5hcnk= of u:canary";
        assert_eq!(basic.hide(text), "no: Basic *** of u:***");
        let bearer = Credentials::Bearer(Bearer::new("canary").expect("plain token"));
        assert_eq!(bearer.hide("not canary"), "not ***");
        let nobody = Credentials::Basic(Basic::new("u", ""));
        assert_eq!(nobody.hide("no: Basic dTo="), "no: Basic ***");
    }
}

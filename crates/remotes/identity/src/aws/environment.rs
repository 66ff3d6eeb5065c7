//! Environment variables of AWS, and the web identity that they or a profile name.

use std::collections::BTreeMap;

use sluice_dial::Sensitive;
use sluice_system::fs;

use super::Sts;
use crate::error::IdentityError;

/// Maximum size of a file with keys.
pub(super) const MAX_FILE: u64 = 1 << 20;

/// The AWS variables of a process.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

/// Prints only names, because values may be secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(variables: T) -> Self {
        let owned = variables.into_iter();
        Self {
            variables: owned
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        }
    }
}

impl Environment {
    /// Returns the environment of this process.
    pub fn of_process() -> Self {
        let variables = std::env::vars_os();
        variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("AWS_") || name == "HOME")
            .collect()
    }

    /// Returns the value of a variable. An empty one counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    }

    /// Returns the STS endpoint of a region.
    pub fn sts(&self, region: &str) -> Result<Sts, IdentityError> {
        match self.get("AWS_ENDPOINT_URL_STS") {
            Some(address) => Sts::at(address),
            None => Ok(Sts::of_region(region)),
        }
    }
}

/// A web identity token and the role to assume.
pub(super) struct WebIdentity {
    pub(super) role: String,
    pub(super) token: Sensitive<String>,
}

/// Reads the token of a web identity. `named` is the setting of the role, for errors.
pub(super) fn web_identity(
    file: Option<&str>,
    role: Option<&str>,
    named: &str,
) -> Result<Option<WebIdentity>, IdentityError> {
    let Some(file) = file else {
        return Ok(None);
    };
    let Some(role) = role else {
        return Err(incomplete_pair("a file with a web identity's token", named));
    };
    let text = String::from_utf8_lossy(&fs::read_limited(file, MAX_FILE)?).into_owned();
    let token = Sensitive::new(text.trim().to_owned());
    if token.expose().is_empty() {
        return Err(IdentityError::Unusable(format!("{file} holds no token")));
    }
    Ok(Some(WebIdentity {
        role: role.to_owned(),
        token,
    }))
}

pub(super) fn incomplete_pair(present: &str, absent: &str) -> IdentityError {
    IdentityError::Unusable(format!("{present} is set, and {absent} is not"))
}

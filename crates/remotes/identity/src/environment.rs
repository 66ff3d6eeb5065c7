//! Environment variables of the clouds, and files that they name.

use std::collections::BTreeMap;

use sluice_dial::Sensitive;
use sluice_system::fs;

use crate::error::IdentityError;

/// Prefixes of the variables that matter.
const PREFIXES: [&str; 5] = ["AWS_", "AZURE_", "GOOGLE_", "GCE_", "SOPS_GCP_"];
/// Maximum size of a file with a token or a key.
pub(crate) const MAX_TOKEN_FILE: u64 = 64 << 10;

/// The variables of a process that name identities.
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
            .filter(|(name, _)| {
                ["HOME", "STORAGE_EMULATOR_HOST"].contains(&name.as_str())
                    || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            })
            .collect()
    }

    /// Sets a variable.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Returns the value of a variable. An empty one counts as absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    }
}

/// Reads the token in a file, which is replaced while the process runs.
pub(crate) fn read_token(file: &str) -> Result<Sensitive<String>, IdentityError> {
    let text = String::from_utf8_lossy(&fs::read_limited(file, MAX_TOKEN_FILE)?).into_owned();
    let text = Sensitive::new(text);
    let token = text.expose().trim();
    if token.is_empty() {
        return Err(IdentityError::Unusable(format!("{file} holds no token")));
    }
    Ok(Sensitive::from(token))
}

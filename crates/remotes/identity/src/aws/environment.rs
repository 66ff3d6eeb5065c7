//! The web identity that variables or a profile name.

use sluice_dial::Sensitive;

use crate::environment::read_token;
use crate::error::IdentityError;

/// Maximum size of a file with keys.
pub(super) const MAX_FILE: u64 = 1 << 20;

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
    Ok(Some(WebIdentity {
        role: role.to_owned(),
        token: read_token(file)?,
    }))
}

pub(super) fn incomplete_pair(present: &str, absent: &str) -> IdentityError {
    IdentityError::Unusable(format!("{present} is set, and {absent} is not"))
}

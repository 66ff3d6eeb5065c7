//! Roles of Kubernetes service accounts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sluice_golang::regexp::{self, Regex};

use crate::error::IdentityError;

/// The audience of service account tokens for AWS.
pub const AUDIENCE: &str = "sts.amazonaws.com";
/// The annotation of a service account that names its role.
const ROLE: &str = "eks.amazonaws.com/role-arn";
const ROLE_PATTERN: &str = r"^arn:aws[\w-]*:iam::[0-9]{1,30}:role/.{1,200}$";
/// Size limit of the compiled pattern.
const PATTERN_LIMIT: usize = 1 << 20;

/// Returns the role in the annotations of a service account.
pub fn role(annotations: &BTreeMap<String, String>) -> Result<String, IdentityError> {
    let arn = annotations.get(ROLE).map_or("", String::as_str);
    if is_role(arn) {
        return Ok(arn.to_owned());
    }
    Err(IdentityError::Unusable(format!(
        "invalid {ROLE} annotation: '{arn}'. must match {ROLE_PATTERN}"
    )))
}

/// Returns the session name of a service account in AWS's logs.
pub fn session_name(name: &str, namespace: &str, region: &str) -> String {
    format!("{name}.{namespace}.{region}.fluxcd.io")
}

/// Whether a text matches [`ROLE_PATTERN`], as Go reads the pattern.
fn is_role(arn: &str) -> bool {
    static PATTERN: LazyLock<Option<Regex>> =
        LazyLock::new(|| regexp::compile(ROLE_PATTERN, PATTERN_LIMIT).ok());
    PATTERN
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(arn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_must_match_whole_pattern() {
        for good in [
            "arn:aws:iam::123456789012:role/flux",
            "arn:aws-cn:iam::1:role/path/to/flux",
            "arn:aws-us-gov:iam::123456789012:role/a:b",
        ] {
            assert!(is_role(good), "{good}");
        }
        for bad in [
            "",
            "arn:aws:iam::123456789012:user/flux",
            "arn:aws:iam:::role/flux",
            "arn:aws:iam::12a:role/flux",
            "arn:aws:iam::123456789012:role/",
            "arn:aws.x:iam::123456789012:role/flux",
            " arn:aws:iam::123456789012:role/flux",
        ] {
            assert!(!is_role(bad), "{bad}");
        }
    }
}

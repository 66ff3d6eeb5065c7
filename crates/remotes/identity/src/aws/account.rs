//! Roles of Kubernetes service accounts.

use std::collections::BTreeMap;

use aws_lc_rs::digest;

use crate::error::IdentityError;
use crate::pattern::pattern;

/// The audience of service account tokens for AWS.
pub const AUDIENCE: &str = "sts.amazonaws.com";
/// The annotation of a service account that names its role.
const ROLE: &str = "eks.amazonaws.com/role-arn";
const ROLE_PATTERN: &str = r"^arn:aws[\w-]*:iam::[0-9]{1,30}:role/.{1,200}$";
/// Maximum length of a session name.
const MAX_SESSION: usize = 64;
/// Length of the part of a long session name before its hash.
const CUT_SESSION: usize = 55;

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

/// Returns the session name of a service account in AWS's logs. AWS refuses a long one, so it ends
/// with a hash instead.
pub fn session_name(name: &str, namespace: &str, region: &str) -> String {
    let session = format!("{name}.{namespace}.{region}.fluxcd.io");
    if session.len() <= MAX_SESSION || !session.is_ascii() {
        return session;
    }
    let hash = hex::encode(digest::digest(&digest::SHA256, session.as_bytes()));
    format!("{}-{}", &session[..CUT_SESSION], &hash[..8])
}

/// Whether a text matches [`ROLE_PATTERN`], as Go reads the pattern.
fn is_role(arn: &str) -> bool {
    pattern!(ROLE_ARN, ROLE_PATTERN);
    ROLE_ARN.is_match(arn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_session_name_ends_with_a_hash() {
        assert_eq!(
            session_name("flux", "apps", "eu-west-1"),
            "flux.apps.eu-west-1.fluxcd.io"
        );
        let names = ["a", "b"].map(|end| {
            let name = format!("{}{end}", "a".repeat(60));
            session_name(&name, "apps", "eu-west-1")
        });
        assert_ne!(names[0], names[1]);
        assert!(
            names.iter().all(|name| name.len() == MAX_SESSION),
            "{names:?}"
        );
    }

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

//! `spec.verify`: checks the signatures of a fetched commit or tag. Pure.
//!
//! Success always names a key. A missing tag, signature or key fails, each with its own reason.

use std::fmt::Write as _;
use std::time::SystemTime;

use sluice_api::meta::reason;
use sluice_api::source::condition::SOURCE_VERIFIED;
use sluice_engine::{Failure, Retry};
use sluice_git::{ObjectId, Reference, SignedObject, SignedTag, TrustedKeys};
use sluice_host::SecretError;

use super::spec::Verification;
use crate::fault::{FailureCondition, Fault};

const INVALID_MODE: &str = "InvalidVerificationMode";
const INVALID_OBJECT: &str = "InvalidGitObject";
const INVALID_TAG: &str = "InvalidTagSignature";
const INVALID_COMMIT: &str = "InvalidCommitSignature";

/// The objects to verify.
pub(super) struct Evidence<'a> {
    /// The short name of the tag that resolved to the commit.
    pub(super) tag_name: Option<&'a str>,
    /// The tag object, which lightweight tags lack.
    pub(super) tag: Option<&'a SignedTag>,
    pub(super) commit: (ObjectId, &'a SignedObject),
}

/// The short tag name of a reference, from the resolved revision.
pub(super) fn tag_name<'a>(reference: &'a Reference, label: Option<&'a str>) -> Option<&'a str> {
    let short = |name: &'a str| {
        let name = name.strip_suffix("^{}").unwrap_or(name);
        name.strip_prefix("refs/tags/")
    };
    match reference {
        Reference::Tag(name) => Some(name),
        Reference::Semver(_) => label,
        Reference::Name(name)
        | Reference::Commit {
            name: Some(name), ..
        } => short(name),
        Reference::Branch(_) | Reference::Commit { .. } => None,
    }
}

/// Verifies the required signatures and returns a message with the keys.
pub(super) fn check_signatures(
    verification: &Verification,
    evidence: &Evidence<'_>,
    keys: &TrustedKeys,
    now: SystemTime,
) -> Result<String, Fault> {
    let mut message = "verified signature of".to_owned();
    if verification.of_tag() {
        let Some(name) = evidence.tag_name else {
            return Err(refused(
                INVALID_MODE,
                Retry::Stalled,
                "cannot verify tag object's signature if a tag reference is not specified",
            ));
        };
        let Some(tag) = evidence.tag.filter(|tag| tag.signed.is_signed()) else {
            let shown = evidence
                .tag
                .map_or_else(|| name.to_owned(), ToString::to_string);
            let message =
                format!("cannot verify signature of tag '{shown}' since it is not signed");
            // The tag may be replaced by a signed one.
            return Err(refused(INVALID_OBJECT, Retry::Backoff, message));
        };
        // A signed tag of an old version may not stand for another one.
        if tag.name != name {
            let message = format!(
                "signature verification of tag '{tag}' failed: it was signed as '{}', but the \
                 reference is '{name}'",
                tag.name
            );
            return Err(refused(INVALID_TAG, Retry::Backoff, message));
        }
        let key = keys.verify(&tag.signed, now).map_err(|error| {
            let message = format!("signature verification of tag '{tag}' failed: {error}");
            refused(INVALID_TAG, Retry::Backoff, message)
        })?;
        let _ = write!(message, "\n\t- tag '{tag}' with key '{key}'");
    }
    if verification.of_head() {
        let (id, signed) = evidence.commit;
        let key = keys.verify(signed, now).map_err(|error| {
            let message = format!("signature verification of commit '{id}' failed: {error}");
            refused(INVALID_COMMIT, Retry::Backoff, message)
        })?;
        let _ = write!(message, "\n\t- commit '{id}' with key '{key}'");
    }
    Ok(message)
}

/// The keys cannot be read.
pub(super) fn without_keys(error: &SecretError) -> Fault {
    let message = format!("public keys secret error: {}", error.server_message());
    refused(reason::VERIFICATION_ERROR, Retry::Backoff, message)
}

fn refused(reason: &'static str, retry: Retry, message: impl Into<String>) -> Fault {
    Fault {
        condition: FailureCondition::False(SOURCE_VERIFIED),
        failure: Failure::message(reason, retry, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_api::source::GitVerificationMode;

    #[test]
    fn signed_tag_under_another_name_is_refused() {
        let verification = Verification {
            mode: GitVerificationMode::Tag,
            secret: String::new(),
        };
        let object = b"object 0000000000000000000000000000000000000000\ntype commit\ntag v1\n\n\
            one\n-----BEGIN SSH SIGNATURE-----\n";
        let tag = SignedTag {
            id: ObjectId::from_bytes([1; 20]),
            name: "v1".to_owned(),
            signed: SignedObject::tag(object),
        };
        let commit = SignedObject::commit(b"");
        let check = |name| {
            let evidence = Evidence {
                tag_name: Some(name),
                tag: Some(&tag),
                commit: (tag.id, &commit),
            };
            let keys = TrustedKeys::default();
            let fault = check_signatures(&verification, &evidence, &keys, SystemTime::UNIX_EPOCH);
            fault.unwrap_err().failure.message
        };
        let other = "it was signed as 'v1', but the reference is 'v2'";
        assert!(check("v2").contains(other), "{}", check("v2"));
        assert!(!check("v1").contains("signed as"), "{}", check("v1"));
    }
}

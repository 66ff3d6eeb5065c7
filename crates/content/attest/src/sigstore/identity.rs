//! Identities that may sign: patterns for the issuer and the subject of a certificate.

use sluice_golang::regexp::{self, Regex};

use super::certificate::Signer;

/// Maximum number of identities.
const MAX_IDENTITIES: usize = 100;
/// Maximum length of a pattern.
const MAX_PATTERN_BYTES: usize = 4 << 10;
/// Maximum size of a compiled pattern.
const MAX_PROGRAM_BYTES: usize = 1 << 20;

/// An identity is invalid. The message names it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidIdentity(String);

/// The identities of which one must have signed. Without any, every identity may.
#[derive(Debug, Default)]
pub struct Identities(Vec<Identity>);

#[derive(Debug)]
struct Identity {
    issuer: Regex,
    subject: Regex,
}

impl Identities {
    /// Compiles pairs of patterns for the issuer and the subject.
    pub fn compile<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidIdentity> {
        let mut identities = Vec::new();
        for (index, (issuer, subject)) in pairs.into_iter().enumerate() {
            if index >= MAX_IDENTITIES {
                return Err(InvalidIdentity(format!(
                    "matchOIDCIdentity has more than {MAX_IDENTITIES} entries"
                )));
            }
            let pattern = |field: &str, text: &str| {
                compile(field, text)
                    .map_err(|why| InvalidIdentity(format!("matchOIDCIdentity[{index}]: {why}")))
            };
            identities.push(Identity {
                issuer: pattern("issuer", issuer)?,
                subject: pattern("subject", subject)?,
            });
        }
        Ok(Self(identities))
    }

    /// Whether every identity may sign.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that one of the identities signed.
    pub(super) fn check(&self, signer: &Signer) -> Result<(), String> {
        let matches = |identity: &Identity| {
            let mut subjects = signer.subjects.iter();
            identity.issuer.is_match(&signer.issuer)
                && subjects.any(|subject| identity.subject.is_match(subject))
        };
        if self.is_empty() || self.0.iter().any(matches) {
            return Ok(());
        }
        let subjects = signer.subjects.join(", ");
        Err(format!(
            "none of the expected identities matched what was in the certificate, got subjects \
             [{subjects}] with issuer {}",
            signer.issuer
        ))
    }
}

fn compile(field: &str, text: &str) -> Result<Regex, String> {
    if text.is_empty() {
        return Err(format!("{field} is required"));
    }
    if text.len() > MAX_PATTERN_BYTES {
        return Err(format!("{field} has more than {MAX_PATTERN_BYTES} bytes"));
    }
    regexp::compile(text, MAX_PROGRAM_BYTES)
        .map_err(|error| format!("malformed {field} in identity: {text} : {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(pairs: &[(&str, &str)]) -> Result<Identities, String> {
        Identities::compile(pairs.iter().copied()).map_err(|error| error.to_string())
    }

    #[test]
    fn pattern_matches_any_part_of_any_subject() {
        let signer = Signer {
            issuer: "https://token.example.com".to_owned(),
            subjects: vec!["first@example.com".to_owned(), "https://host/ci".to_owned()],
        };
        for (pairs, is_allowed) in [
            (&[][..], true),
            (&[(".*", ".*")], true),
            (&[("token", "^https://host/ci$")], true),
            (&[("^token", ".*")], false),
            (&[("token", "^host")], false),
            (&[("^token", ".*"), ("example", "first@")], true),
            // The issuer of one entry and the subject of another one are not an identity.
            (&[("other", "first@"), ("token", "second@")], false),
        ] {
            let checked = compile(pairs).unwrap().check(&signer);
            assert_eq!(checked.is_ok(), is_allowed, "{pairs:?}: {checked:?}");
        }
        let refused = compile(&[("a", "b")]).unwrap().check(&signer).unwrap_err();
        assert_eq!(
            refused,
            "none of the expected identities matched what was in the certificate, got subjects \
             [first@example.com, https://host/ci] with issuer https://token.example.com"
        );
    }

    #[test]
    fn invalid_pattern_is_named() {
        let long = "a".repeat(100 << 10);
        for (pairs, expected) in [
            (
                [(".*", ".*"), ("(", ".*")],
                "matchOIDCIdentity[1]: malformed issuer in identity: ( : error parsing regexp: \
                 missing closing ): `(`",
            ),
            (
                [(".*", ""), ("a", "b")],
                "matchOIDCIdentity[0]: subject is required",
            ),
            (
                [("", ".*"), ("a", "b")],
                "matchOIDCIdentity[0]: issuer is required",
            ),
            (
                [(".*", &*long), ("a", "b")],
                "matchOIDCIdentity[0]: subject has more than 4096 bytes",
            ),
        ] {
            assert_eq!(compile(&pairs).unwrap_err(), expected);
        }
        let many = vec![(".*", ".*"); 101];
        assert!(compile(&many).unwrap_err().contains("more than 100"));
    }
}

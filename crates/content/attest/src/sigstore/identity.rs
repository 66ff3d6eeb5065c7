//! Identities that may sign: patterns for the issuer and the subject of a certificate.
//!
//! Patterns and certificates may both come from one tenant. So the size of all patterns is limited
//! together, and each match is charged by the size of its pattern.

use sluice_golang::regexp::{self, Regex};
use sluice_system::budget::{Budget, BudgetExceeded};

use super::Refusal;
use super::certificate::Signer;

/// Maximum number of identities.
const MAX_IDENTITIES: usize = 100;
/// Maximum length of a pattern.
const MAX_PATTERN_BYTES: usize = 4 << 10;
/// Sizes of compiled patterns. The smallest one that holds a pattern counts as its size.
const PROGRAM_BYTES: [usize; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
/// Maximum size of all compiled patterns.
const MAX_PROGRAMS_BYTES: usize = 8 << 20;
/// The bytes of a compiled pattern that one byte of text passes in a step.
const BYTES_PER_STEP: usize = 64;

/// An identity is invalid. The message names it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidIdentity(String);

/// The identities of which one must have signed. Without any, every identity may.
#[derive(Debug, Default)]
pub struct Identities(Vec<Identity>);

#[derive(Debug)]
struct Identity {
    issuer: Pattern,
    subject: Pattern,
}

#[derive(Debug)]
struct Pattern {
    regex: Regex,
    /// The size of the compiled pattern.
    size: usize,
}

impl Identities {
    /// Compiles pairs of patterns for the issuer and the subject.
    pub fn compile<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidIdentity> {
        let (mut identities, mut size) = (Vec::new(), 0);
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
            let identity = Identity {
                issuer: pattern("issuer", issuer)?,
                subject: pattern("subject", subject)?,
            };
            size += identity.issuer.size + identity.subject.size;
            if size > MAX_PROGRAMS_BYTES {
                return Err(InvalidIdentity(format!(
                    "matchOIDCIdentity[{index}]: the compiled patterns have more than \
                     {MAX_PROGRAMS_BYTES} bytes"
                )));
            }
            identities.push(identity);
        }
        Ok(Self(identities))
    }

    /// Whether every identity may sign.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that one of the identities signed.
    pub(super) fn check(&self, signer: &Signer, budget: &Budget) -> Result<(), Refusal> {
        if self.is_empty() {
            return Ok(());
        }
        for identity in &self.0 {
            if identity.matches(signer, budget)? {
                return Ok(());
            }
        }
        let subjects = signer.subjects.join(", ");
        Err(format!(
            "none of the expected identities matched what was in the certificate, got subjects \
             [{subjects}] with issuer {}",
            signer.issuer
        )
        .into())
    }
}

impl Identity {
    fn matches(&self, signer: &Signer, budget: &Budget) -> Result<bool, BudgetExceeded> {
        let issuers = std::slice::from_ref(&signer.issuer);
        Ok(self.issuer.matches_any(issuers, budget)?
            && self.subject.matches_any(&signer.subjects, budget)?)
    }
}

impl Pattern {
    /// Whether the pattern matches a part of one of the texts.
    fn matches_any(&self, texts: &[String], budget: &Budget) -> Result<bool, BudgetExceeded> {
        let length: usize = texts.iter().map(String::len).sum();
        let steps = length.saturating_mul(self.size / BYTES_PER_STEP);
        budget.charge_steps(u64::try_from(steps).unwrap_or(u64::MAX))?;
        // A clone has caches of its own, so those of all patterns never coexist.
        let regex = self.regex.clone();
        Ok(texts.iter().any(|text| regex.is_match(text)))
    }
}

fn compile(field: &str, text: &str) -> Result<Pattern, String> {
    if text.is_empty() {
        return Err(format!("{field} is required"));
    }
    if text.len() > MAX_PATTERN_BYTES {
        return Err(format!("{field} has more than {MAX_PATTERN_BYTES} bytes"));
    }
    let mut refused = String::new();
    for size in PROGRAM_BYTES {
        match regexp::compile(text, size) {
            Ok(regex) => return Ok(Pattern { regex, size }),
            Err(error) => {
                refused = format!("malformed {field} in identity: {text} : {error}");
            }
        }
    }
    Err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(pairs: &[(&str, &str)]) -> Result<Identities, String> {
        Identities::compile(pairs.iter().copied()).map_err(|error| error.to_string())
    }

    fn budget() -> Budget {
        Budget::new(1 << 20, 0)
    }

    #[test]
    fn patterns_are_limited_together() {
        // Each of these has more than 64 KiB.
        let large = (".*", "[a-z]{1000}[0-9]{1000}[a-z]{1000}[0-9]{1000}");
        let compiled = compile(&[large]).unwrap();
        assert!(compiled.0[0].subject.size >= 64 << 10, "{compiled:?}");
        let error = compile(&[large; 100]).unwrap_err();
        assert!(error.contains("have more than 8388608 bytes"), "{error}");
        compile(&[(".*", "^https://github.com/acme/.*$"); 100]).unwrap();
    }

    #[test]
    fn matches_are_charged_by_pattern_and_text() {
        let signer = Signer {
            issuer: "https://token.example.com".to_owned(),
            subjects: vec!["first@example.com".to_owned(); 30],
        };
        let identities = compile(&[("token", "second"); 100]).unwrap();
        let refused = identities.check(&signer, &budget()).unwrap_err();
        assert_eq!(refused, Refusal::Budget(BudgetExceeded::Steps(1 << 20)));
        let identities = compile(&[("token", "second"); 10]).unwrap();
        let refused = identities.check(&signer, &budget()).unwrap_err();
        assert!(matches!(refused, Refusal::Invalid(_)), "{refused}");
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
            let checked = compile(pairs).unwrap().check(&signer, &budget());
            assert_eq!(checked.is_ok(), is_allowed, "{pairs:?}: {checked:?}");
        }
        let identities = compile(&[("a", "b")]).unwrap();
        let refused = identities.check(&signer, &budget()).unwrap_err();
        assert_eq!(
            refused.to_string(),
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

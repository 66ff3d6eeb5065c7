//! The rules that select the encrypted leaves of a document.
//!
//! A document has at most one rule. A pattern is an unanchored regular expression of Go. An
//! invalid pattern is an error. Upstream treats it as a pattern that never matches, and leaves
//! values in plain text.
//!
//! Parity: sops: `shouldBeEncrypted` in sops.go.

use regex::Regex;
use sluice_golang::regexp;

use crate::tree::Position;

/// The default suffix of keys with plain values.
const DEFAULT_UNENCRYPTED_SUFFIX: &str = "_unencrypted";

/// The maximum size of a compiled pattern, in bytes, because documents are untrusted.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// The rule of the metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Leaves without a key with this suffix on their path.
    UnencryptedSuffix(String),
    /// Leaves with such a key on their path.
    EncryptedSuffix(String),
    /// Leaves without a matching key on their path.
    UnencryptedRegex(String),
    /// Leaves with a matching key on their path.
    EncryptedRegex(String),
    /// Leaves without a matching comment.
    UnencryptedCommentRegex(String),
    /// Leaves with a matching comment.
    EncryptedCommentRegex(String),
}

/// A pattern that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct PatternError {
    /// The field of the metadata.
    pub field: &'static str,
    /// The problem.
    pub reason: String,
}

impl Default for Rule {
    fn default() -> Self {
        Self::UnencryptedSuffix(DEFAULT_UNENCRYPTED_SUFFIX.to_owned())
    }
}

impl Rule {
    /// Returns the field of the metadata.
    pub fn field(&self) -> &'static str {
        match self {
            Self::UnencryptedSuffix(_) => "unencrypted_suffix",
            Self::EncryptedSuffix(_) => "encrypted_suffix",
            Self::UnencryptedRegex(_) => "unencrypted_regex",
            Self::EncryptedRegex(_) => "encrypted_regex",
            Self::UnencryptedCommentRegex(_) => "unencrypted_comment_regex",
            Self::EncryptedCommentRegex(_) => "encrypted_comment_regex",
        }
    }

    /// Returns the value of that field.
    pub fn value(&self) -> &str {
        match self {
            Self::UnencryptedSuffix(value)
            | Self::EncryptedSuffix(value)
            | Self::UnencryptedRegex(value)
            | Self::EncryptedRegex(value)
            | Self::UnencryptedCommentRegex(value)
            | Self::EncryptedCommentRegex(value) => value,
        }
    }

    /// Whether comments select the encrypted leaves. Kustomize drops comments, and then such a
    /// document cannot be decrypted.
    pub fn is_by_comment(&self) -> bool {
        matches!(
            self,
            Self::UnencryptedCommentRegex(_) | Self::EncryptedCommentRegex(_)
        )
    }

    /// Returns the rule for a field of the metadata.
    pub(crate) fn named(field: &str, value: &str) -> Option<Self> {
        let make = match field {
            "unencrypted_suffix" => Self::UnencryptedSuffix,
            "encrypted_suffix" => Self::EncryptedSuffix,
            "unencrypted_regex" => Self::UnencryptedRegex,
            "encrypted_regex" => Self::EncryptedRegex,
            "unencrypted_comment_regex" => Self::UnencryptedCommentRegex,
            "encrypted_comment_regex" => Self::EncryptedCommentRegex,
            _ => return None,
        };
        Some(make(value.to_owned()))
    }

    pub(crate) fn compile(&self) -> Result<Matcher, PatternError> {
        let pattern = |text: &str| {
            regexp::compile(text, MAX_PATTERN_BYTES).map_err(|error| PatternError {
                field: self.field(),
                reason: error.to_string(),
            })
        };
        Ok(match self {
            Self::UnencryptedSuffix(suffix) => Matcher::Suffix(suffix.clone(), false),
            Self::EncryptedSuffix(suffix) => Matcher::Suffix(suffix.clone(), true),
            Self::UnencryptedRegex(text) => Matcher::Key(pattern(text)?, false),
            Self::EncryptedRegex(text) => Matcher::Key(pattern(text)?, true),
            Self::UnencryptedCommentRegex(text) => Matcher::Comment(pattern(text)?, false),
            Self::EncryptedCommentRegex(text) => Matcher::Comment(pattern(text)?, true),
        })
    }
}

/// A compiled rule; the flag is whether matching leaves are encrypted.
#[derive(Debug)]
pub(crate) enum Matcher {
    Suffix(String, bool),
    Key(Regex, bool),
    Comment(Regex, bool),
}

impl Matcher {
    /// Whether the leaf at a position is encrypted.
    pub(crate) fn is_encrypted(&self, place: &Position, is_comment: bool) -> bool {
        match self {
            Self::Suffix(suffix, encrypted) => {
                *encrypted == place.path.iter().any(|key| key.ends_with(suffix.as_str()))
            }
            Self::Key(pattern, encrypted) => {
                *encrypted == place.path.iter().any(|key| pattern.is_match(key))
            }
            Self::Comment(pattern, false) => !place
                .comments
                .iter()
                .flatten()
                .any(|text| pattern.is_match(text)),
            Self::Comment(pattern, true) => {
                let mut speaking: Vec<&String> = place.comments.iter().flatten().collect();
                // A comment that requests encryption stays plain.
                if is_comment {
                    speaking.pop();
                }
                speaking.iter().any(|text| pattern.is_match(text))
            }
        }
    }

    /// Whether this text would disable the encryption of what follows.
    pub(crate) fn disables_encryption(&self, text: &str) -> bool {
        matches!(self, Self::Comment(pattern, false) if pattern.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &[&str], comments: &[&[&str]]) -> Position {
        let texts = |level: &&[&str]| level.iter().map(|text| (*text).to_owned()).collect();
        Position {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            comments: comments.iter().map(texts).collect(),
        }
    }

    #[track_caller]
    fn matches(rule: &Rule, path: &[&str], comments: &[&[&str]]) -> bool {
        rule.compile()
            .unwrap()
            .is_encrypted(&place(path, comments), false)
    }

    #[test]
    fn any_key_on_the_path_matches() {
        let rule = Rule::default();
        assert!(matches(&rule, &["a", "b"], &[]));
        assert!(!matches(&rule, &["a_unencrypted", "b"], &[]));
        let rule = Rule::EncryptedSuffix("_secret".to_owned());
        assert!(!matches(&rule, &["a", "b"], &[]));
        assert!(matches(&rule, &["a_secret", "b"], &[]));
        let rule = Rule::EncryptedRegex("^(data|stringData)$".to_owned());
        assert!(matches(&rule, &["data", "x"], &[]));
        assert!(!matches(&rule, &["metadata", "x"], &[]));
        let rule = Rule::UnencryptedRegex("meta".to_owned());
        assert!(!matches(&rule, &["metadata", "x"], &[]));
        assert!(matches(&rule, &["data", "x"], &[]));
    }

    #[test]
    fn comment_applies_to_the_next_entry_and_below() {
        let rule = Rule::EncryptedCommentRegex("sops:enc".to_owned());
        assert!(matches(&rule, &["a", "b"], &[&["sops:enc"], &[]]));
        assert!(!matches(&rule, &["a", "b"], &[&[], &["other"]]));
        let rule = Rule::UnencryptedCommentRegex("sops:dec".to_owned());
        assert!(!matches(&rule, &["a", "b"], &[&["sops:dec"], &[]]));
        assert!(matches(&rule, &["a", "b"], &[&[], &[]]));
    }

    #[test]
    fn comment_that_requests_encryption_stays_plain() {
        let rule = Rule::EncryptedCommentRegex("sops:enc".to_owned());
        let matcher = rule.compile().unwrap();
        assert!(!matcher.is_encrypted(&place(&[], &[&["sops:enc"]]), true));
        assert!(matcher.is_encrypted(&place(&[], &[&["sops:enc", "sops:enc"]]), true));
    }

    #[test]
    fn invalid_pattern_is_rejected() {
        let error = Rule::EncryptedRegex("(".to_owned()).compile().unwrap_err();
        assert!(
            error.to_string().starts_with("encrypted_regex: "),
            "{error}"
        );
    }
}

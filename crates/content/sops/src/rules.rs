//! Which leaves of a document are encrypted.
//!
//! A document has one rule at most. A pattern is one of Go's regular expressions,
//! unanchored; one that cannot be compiled is an error here, where upstream takes
//! it for one that never matches and so leaves the values as they are.
//!
//! Parity: sops: `shouldBeEncrypted` in sops.go.

use regex::Regex;
use sluice_golang::regexp;

use crate::tree::Place;

/// What a key ends with that stays in the clear, unless a document says otherwise.
const DEFAULT_UNENCRYPTED_SUFFIX: &str = "_unencrypted";

/// The size of a compiled pattern, in bytes. Documents come from strangers.
const MAX_PATTERN: usize = 1 << 20;

/// Which leaves are encrypted, in the words of the metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Those without a key on their way that ends like this.
    UnencryptedSuffix(String),
    /// Those with such a key.
    EncryptedSuffix(String),
    /// Those without a key on their way that matches.
    UnencryptedRegex(String),
    /// Those with such a key.
    EncryptedRegex(String),
    /// Those for which no comment speaks that matches.
    UnencryptedCommentRegex(String),
    /// Those for which such a comment speaks.
    EncryptedCommentRegex(String),
}

/// A pattern that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct PatternError {
    /// The field of the metadata.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl Default for Rule {
    fn default() -> Self {
        Self::UnencryptedSuffix(DEFAULT_UNENCRYPTED_SUFFIX.to_owned())
    }
}

impl Rule {
    /// The field of the metadata.
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

    /// The value of that field.
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

    /// Whether comments decide. Then a document that lost its comments, as one that
    /// went through kustomize did, cannot be decrypted any more.
    pub fn is_by_comment(&self) -> bool {
        matches!(
            self,
            Self::UnencryptedCommentRegex(_) | Self::EncryptedCommentRegex(_)
        )
    }

    /// The rule with the name of the field that it stands in.
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

    pub(crate) fn compile(&self) -> Result<Judge, PatternError> {
        let pattern = |text: &str| {
            regexp::compile(text, MAX_PATTERN).map_err(|error| PatternError {
                field: self.field(),
                reason: error.to_string(),
            })
        };
        Ok(match self {
            Self::UnencryptedSuffix(suffix) => Judge::Suffix(suffix.clone(), false),
            Self::EncryptedSuffix(suffix) => Judge::Suffix(suffix.clone(), true),
            Self::UnencryptedRegex(text) => Judge::Key(pattern(text)?, false),
            Self::EncryptedRegex(text) => Judge::Key(pattern(text)?, true),
            Self::UnencryptedCommentRegex(text) => Judge::Comment(pattern(text)?, false),
            Self::EncryptedCommentRegex(text) => Judge::Comment(pattern(text)?, true),
        })
    }
}

/// A rule that can be applied; the flag is whether what it finds is encrypted.
#[derive(Debug)]
pub(crate) enum Judge {
    Suffix(String, bool),
    Key(Regex, bool),
    Comment(Regex, bool),
}

impl Judge {
    /// Is the leaf encrypted that stands here?
    pub(crate) fn is_encrypted(&self, place: &Place, is_comment: bool) -> bool {
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
                // The comment that asks for encryption stays in the clear itself.
                if is_comment {
                    speaking.pop();
                }
                speaking.iter().any(|text| pattern.is_match(text))
            }
        }
    }

    /// Would this text switch encryption off for what follows?
    pub(crate) fn switches_off(&self, text: &str) -> bool {
        matches!(self, Self::Comment(pattern, false) if pattern.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &[&str], comments: &[&[&str]]) -> Place {
        let texts = |level: &&[&str]| level.iter().map(|text| (*text).to_owned()).collect();
        Place {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            comments: comments.iter().map(texts).collect(),
        }
    }

    #[track_caller]
    fn judged(rule: &Rule, path: &[&str], comments: &[&[&str]]) -> bool {
        rule.compile()
            .unwrap()
            .is_encrypted(&place(path, comments), false)
    }

    #[test]
    fn a_key_anywhere_on_the_way_decides() {
        let rule = Rule::default();
        assert!(judged(&rule, &["a", "b"], &[]));
        assert!(!judged(&rule, &["a_unencrypted", "b"], &[]));
        let rule = Rule::EncryptedSuffix("_secret".to_owned());
        assert!(!judged(&rule, &["a", "b"], &[]));
        assert!(judged(&rule, &["a_secret", "b"], &[]));
        let rule = Rule::EncryptedRegex("^(data|stringData)$".to_owned());
        assert!(judged(&rule, &["data", "x"], &[]));
        assert!(!judged(&rule, &["metadata", "x"], &[]));
        let rule = Rule::UnencryptedRegex("meta".to_owned());
        assert!(!judged(&rule, &["metadata", "x"], &[]));
        assert!(judged(&rule, &["data", "x"], &[]));
    }

    #[test]
    fn a_comment_speaks_for_what_follows_and_for_what_is_below_it() {
        let rule = Rule::EncryptedCommentRegex("sops:enc".to_owned());
        assert!(judged(&rule, &["a", "b"], &[&["sops:enc"], &[]]));
        assert!(!judged(&rule, &["a", "b"], &[&[], &["other"]]));
        let rule = Rule::UnencryptedCommentRegex("sops:dec".to_owned());
        assert!(!judged(&rule, &["a", "b"], &[&["sops:dec"], &[]]));
        assert!(judged(&rule, &["a", "b"], &[&[], &[]]));
    }

    #[test]
    fn the_comment_that_asks_for_encryption_stays_in_the_clear() {
        let rule = Rule::EncryptedCommentRegex("sops:enc".to_owned());
        let judge = rule.compile().unwrap();
        assert!(!judge.is_encrypted(&place(&[], &[&["sops:enc"]]), true));
        assert!(judge.is_encrypted(&place(&[], &[&["sops:enc", "sops:enc"]]), true));
    }

    #[test]
    fn a_pattern_that_cannot_be_compiled_is_refused() {
        let error = Rule::EncryptedRegex("(".to_owned()).compile().unwrap_err();
        assert!(
            error.to_string().starts_with("encrypted_regex: "),
            "{error}"
        );
    }
}

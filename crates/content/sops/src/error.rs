//! The errors of decryption, encryption and formats.
//!
//! No message contains a value, plain or encrypted. Messages quote only keys, paths and the
//! names of master keys.

use std::fmt;

use crate::format::Format;
use crate::recipient::{Recipient, redact_name};
use crate::rules::PatternError;

/// Why a document cannot be processed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be parsed.
    #[error("failed to load encrypted {format} data")]
    Load {
        /// The expected format.
        format: Format,
        /// The cause.
        source: LoadError,
    },
    /// No master key unwraps its data key.
    #[error("cannot get sops data key")]
    DataKey(#[source] DataKeyError),
    /// A value cannot be decrypted.
    #[error("error decrypting sops tree")]
    Decrypt(#[source] ValueError),
    /// A value cannot be encrypted.
    #[error("error encrypting sops tree")]
    Encrypt(#[source] ValueError),
    /// The document was changed after encryption.
    #[error("failed to verify sops data integrity")]
    Mac(#[source] MacError),
    /// It cannot be rendered in a format.
    #[error("failed to emit encrypted {from} file as decrypted {to}")]
    Emit {
        /// The format of the document.
        from: Format,
        /// The requested format.
        to: Format,
        /// The cause.
        source: EmitError,
    },
}

/// Why a document cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A syntax error.
    #[error("{0}")]
    Syntax(String),
    /// The section `sops` is missing.
    #[error("sops metadata not found")]
    NoMetadata,
    /// The section has no master key.
    #[error("No keys found in file")]
    NoKeys,
    /// A field of the section is wrong.
    #[error("field {field} of the sops metadata: {reason}")]
    Metadata {
        /// The field.
        field: String,
        /// The problem.
        reason: &'static str,
    },
    /// A pattern of the section cannot be compiled.
    #[error("sops metadata: {0}")]
    Pattern(#[from] PatternError),
    /// A shape that SOPS does not support.
    #[error("{0}")]
    Shape(String),
}

/// A value that cannot be decrypted or encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    /// The keys on the path to the value, separated by dots.
    pub path: String,
    /// The problem.
    pub reason: ValueProblem,
}

/// The problem of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ValueProblem {
    /// The encrypted value is invalid.
    #[error("Could not decrypt value: {0}")]
    Cipher(#[from] CipherError),
    /// The value should be encrypted, but is not a text.
    #[error("an encrypted value is a text, and this is {0}")]
    NotText(&'static str),
    /// The value decrypts to a comment, which is only valid in lists.
    #[error("it decrypts to a comment")]
    Comment,
    /// The comment, once encrypted, would disable the encryption of what follows.
    #[error("once encrypted, the comment matches unencrypted_comment_regex")]
    CommentMatches,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "comment: {}", self.reason)
        } else {
            write!(f, "value of {}: {}", redact_name(&self.path), self.reason)
        }
    }
}

impl std::error::Error for ValueError {}

/// Why a value cannot be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CipherError {
    /// It does not have the form of an encrypted value.
    #[error("Input string <redacted> does not match sops' data format")]
    Form,
    /// A part of it is not base64.
    #[error("its {0} is not base64")]
    Base64(&'static str),
    /// The size of the nonce is not supported.
    #[error("its nonce has {0} bytes, which is not supported")]
    Nonce(usize),
    /// Authentication failed: the key, the path or the value differs.
    #[error(
        "Could not decrypt with AES_GCM: message authentication failed: \
         the value was changed or moved, or the data key is another one"
    )]
    Authentication,
    /// The type is unknown.
    #[error("its type is unknown")]
    Type,
    /// The decrypted text does not fit its type.
    #[error("the decrypted text is not of type {0}")]
    Mismatch(&'static str),
    /// The data key has a wrong length.
    #[error("the data key has {0} bytes instead of 32")]
    Key(usize),
}

/// Why a key cannot be split or combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShamirError {
    /// Fewer than two parts.
    #[error("fewer than two parts cannot make the data key")]
    TooFew,
    /// The parts belong to different keys.
    #[error("the parts of the data key differ in length")]
    Lengths,
    /// A part has no content.
    #[error("a part of the data key is empty")]
    Empty,
    /// A part occurs twice.
    #[error("a part of the data key occurs twice")]
    Twice,
    /// The threshold does not fit the number of groups.
    #[error("a threshold of {needed} is not valid for {parts} key groups")]
    Split {
        /// The number of groups.
        parts: usize,
        /// The threshold.
        needed: usize,
    },
}

/// Why the message authentication code of a document is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MacError {
    /// The code cannot be decrypted.
    #[error("message authentication code: {0}")]
    Cipher(#[from] CipherError),
    /// The document has no code.
    #[error("the document has no message authentication code")]
    Missing,
    /// The code belongs to other content.
    #[error("MAC mismatch: the document was changed after it was encrypted")]
    Mismatch,
}

/// Why a document cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// The text `data` of a binary file is missing.
    #[error("error emitting binary store: no binary data found in tree")]
    NoData,
    /// The number of documents is not one.
    #[error("there must be exactly one document")]
    Documents,
    /// The format does not support this nesting.
    #[error(
        "cannot use complex value in {format} file; offending key {}",
        redact_name(key)
    )]
    Complex {
        /// The format.
        format: Format,
        /// The key of the value.
        key: String,
    },
    /// A section of an ini file is not a mapping.
    #[error("the value of section {} is not a mapping", redact_name(.0))]
    Section(String),
    /// JSON does not support the number.
    #[error("json: unsupported value")]
    Number,
    /// A key is reserved for the metadata.
    #[error("key {} is reserved for the metadata of SOPS", redact_name(.0))]
    Reserved(String),
    /// Two flattened keys are equal.
    #[error("the metadata has two fields named {} once it is flat", redact_name(.0))]
    Collision(String),
}

/// Why the data key is not available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataKeyError {
    /// Too few groups unwrapped their part.
    Groups {
        /// How many groups are needed; zero counts as one.
        needed: usize,
        /// How many groups unwrapped their part.
        got: usize,
        /// The failures of the other groups, in order.
        failures: Vec<KeyFailure>,
    },
    /// The parts cannot be combined.
    Parts(ShamirError),
}

/// A master key that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFailure {
    /// The number of its group.
    pub group: usize,
    /// The key.
    pub recipient: Recipient,
    /// The reason, without secrets.
    pub reason: String,
}

/// The maximum number of failures in a message.
const MAX_SHOWN_FAILURES: usize = 20;

impl fmt::Display for DataKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (needed, got, failures) = match self {
            Self::Parts(error) => return error.fmt(f),
            Self::Groups {
                needed,
                got,
                failures,
            } => (needed, got, failures),
        };
        if *needed > 1 {
            write!(f, "{got} of {needed} key groups gave their part: ")?;
        } else {
            f.write_str("no key decrypts it: ")?;
        }
        for (index, failure) in failures.iter().take(MAX_SHOWN_FAILURES).enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            if *needed > 1 {
                write!(f, "group {}: ", failure.group)?;
            }
            write!(f, "{}: {}", failure.recipient, failure.reason)?;
        }
        match failures.len().checked_sub(MAX_SHOWN_FAILURES) {
            Some(more @ 1..) => write!(f, "; and {more} more keys"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for DataKeyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_that_looks_like_a_value_is_redacted() {
        let error = |path: &str| {
            let reason = ValueProblem::Comment;
            let path = path.to_owned();
            ValueError { path, reason }.to_string()
        };
        assert_eq!(
            error("data.ENC[AES256_GCM,data:canary"),
            "value of <redacted>: it decrypts to a comment"
        );
        assert!(!error("a\n\u{1b}[31mb").contains(['\n', '\u{1b}']));
        assert!(error(&"x".repeat(5000)).len() < 300);
    }
}

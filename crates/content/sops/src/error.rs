//! Why a document cannot be decrypted, encrypted or printed.
//!
//! No message has a value in it, plain or encrypted: what is quoted of a document
//! is keys, paths, and the names of master keys.

use std::fmt;

use crate::cipher::CipherError;
use crate::format::Format;
use crate::metadata::Recipient;
use crate::rules::PatternError;
use crate::shamir::ShamirError;

/// Why a document is of no use.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("failed to load encrypted {format} data")]
    Load {
        /// As what.
        format: Format,
        /// Why.
        source: LoadError,
    },
    /// No key gives its data key.
    #[error("cannot get sops data key")]
    DataKey(#[source] DataKeyError),
    /// A value cannot be decrypted.
    #[error("error decrypting sops tree")]
    Decrypt(#[source] ValueError),
    /// A value cannot be encrypted.
    #[error("error encrypting sops tree")]
    Encrypt(#[source] ValueError),
    /// It is not what was encrypted.
    #[error("failed to verify sops data integrity")]
    Mac(#[source] MacError),
    /// It cannot be printed in that format.
    #[error("failed to emit encrypted {from} file as decrypted {to}")]
    Emit {
        /// What it was.
        from: Format,
        /// What it should be.
        to: Format,
        /// Why.
        source: EmitError,
    },
}

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It is not of its format.
    #[error("{0}")]
    Syntax(String),
    /// There is no section `sops`.
    #[error("sops metadata not found")]
    NoMetadata,
    /// The section names no master key.
    #[error("No keys found in file")]
    NoKeys,
    /// A field of the section is wrong.
    #[error("field {field} of the sops metadata: {reason}")]
    Metadata {
        /// Which.
        field: String,
        /// How.
        reason: &'static str,
    },
    /// A pattern of the section cannot be compiled.
    #[error("sops metadata: {0}")]
    Pattern(#[from] PatternError),
    /// It has a shape that SOPS does not know.
    #[error("{0}")]
    Shape(String),
}

/// A value that cannot be decrypted or encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    /// The keys on the way to it, apart by dots.
    pub path: String,
    /// What is wrong.
    pub reason: ValueFault,
}

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ValueFault {
    /// Its encryption.
    #[error("Could not decrypt value: {0}")]
    Cipher(#[from] CipherError),
    /// It should be encrypted, and is not even a text.
    #[error("an encrypted value is a text, and this is {0}")]
    NotText(&'static str),
    /// It decrypts to a comment, and only items of lists may.
    #[error("it decrypts to a comment")]
    Comment,
    /// A comment that would switch off the encryption of what follows once it is
    /// encrypted itself.
    #[error("once encrypted, the comment matches unencrypted_comment_regex")]
    CommentMatches,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "comment: {}", self.reason)
        } else {
            write!(f, "value of {}: {}", shown(&self.path), self.reason)
        }
    }
}

impl std::error::Error for ValueError {}

/// A name that a stranger wrote, in a message: one line, and not the whole of a
/// post-quantum key, which has two thousand characters. What looks like a value that
/// stands where a key should is not repeated.
pub(crate) fn shown(name: &str) -> String {
    const MOST: usize = 160;
    if name.contains("ENC[") {
        return "<redacted>".to_owned();
    }
    let clean = |character: char| {
        if character.is_control() {
            '\u{fffd}'
        } else {
            character
        }
    };
    let short: String = name.chars().take(MOST).map(clean).collect();
    if name.chars().count() > MOST {
        format!("{short}…")
    } else {
        short
    }
}

/// Why a document is not what was encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MacError {
    /// The code itself cannot be decrypted.
    #[error("message authentication code: {0}")]
    Cipher(#[from] CipherError),
    /// There is none.
    #[error("the document has no message authentication code")]
    Missing,
    /// It is that of another document.
    #[error("MAC mismatch: the document was changed after it was encrypted")]
    Mismatch,
}

/// Why a document cannot be printed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// A binary file is the text `data` of a document, and this one has none.
    #[error("error emitting binary store: no binary data found in tree")]
    NoData,
    /// There are several documents, or none.
    #[error("there must be exactly one document")]
    Documents,
    /// The format has no nesting, or no more than one level.
    #[error(
        "cannot use complex value in {format} file; offending key {}",
        shown(key)
    )]
    Complex {
        /// Which format.
        format: Format,
        /// The key of the value.
        key: String,
    },
    /// Sections of ini files hold entries.
    #[error("the value of section {} is not a mapping", shown(.0))]
    Section(String),
    /// JSON has no such number.
    #[error("json: unsupported value")]
    Number,
    /// A key that stands for the metadata.
    #[error("key {} is reserved for the metadata of SOPS", shown(.0))]
    Reserved(String),
    /// Keys that are one once they are flat.
    #[error("the metadata has two fields named {} once it is flat", shown(.0))]
    Collision(String),
}

/// Why there is no data key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataKeyError {
    /// Too few groups gave their part.
    Groups {
        /// How many are needed; none says that one is.
        needed: usize,
        /// How many gave it.
        got: usize,
        /// What was tried in the others, in order.
        failures: Vec<KeyFailure>,
    },
    /// The parts do not make a key.
    Parts(ShamirError),
}

/// A master key that gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFailure {
    /// The group that it is in.
    pub group: usize,
    /// Which key.
    pub recipient: Recipient,
    /// Why, without any secret.
    pub reason: String,
}

/// How many failures are told.
const MAX_TOLD: usize = 20;

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
        for (index, failure) in failures.iter().take(MAX_TOLD).enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            if *needed > 1 {
                write!(f, "group {}: ", failure.group)?;
            }
            write!(f, "{}: {}", failure.recipient, failure.reason)?;
        }
        match failures.len().checked_sub(MAX_TOLD) {
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
    fn a_key_that_is_a_value_by_mistake_is_not_repeated() {
        let error = |path: &str| {
            let reason = ValueFault::Comment;
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

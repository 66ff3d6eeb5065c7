//! Who signed a commit or a tag: what was signed, the keys that are trusted, and the verdict.
//!
//! Pure: bytes, keys and a time in, a verdict out. A signature is valid by a key that is on the
//! list, or it is not valid; there is no third answer. A type of signature that nobody here
//! reads (X.509) is not valid.
//!
//! Start at [`TrustedKeys::read`] and [`TrustedKeys::verify`].

use std::fmt;
use std::time::SystemTime;

use crate::error::printable;
use crate::id::ObjectId;

mod openpgp;
mod ssh;

/// Entries of a Secret that hold SSH keys end so.
const SSH_SUFFIX: &str = ".sshpub";
/// Entries of a Secret that hold OpenPGP keys end so; others are taken for such, too.
const OPENPGP_SUFFIX: &str = ".asc";

/// An object and the signature on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The exact bytes that were signed.
    pub payload: Vec<u8>,
    /// The armored signature; empty when there is none.
    pub signature: String,
}

impl Signed {
    /// Takes a commit apart. Every header named `gpgsig` or `gpgsig-sha256` goes; the
    /// signature is the first of the former.
    pub fn commit(object: &[u8]) -> Self {
        let mut payload = Vec::with_capacity(object.len());
        let mut signature: Option<Vec<u8>> = None;
        // In which header the line before was, as far as that matters.
        let mut within = Header::Other;
        let mut rest = object;
        while !rest.is_empty() {
            let end = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            if line == b"\n" {
                payload.extend_from_slice(rest);
                break;
            }
            rest = after;
            let text = if let Some(text) = line.strip_prefix(b" ") {
                text
            } else if let Some(text) = line.strip_prefix(b"gpgsig ") {
                within = if signature.is_none() {
                    Header::Signature
                } else {
                    Header::Dropped
                };
                text
            } else if line.starts_with(b"gpgsig-sha256 ") {
                within = Header::Dropped;
                continue;
            } else {
                within = Header::Other;
                line
            };
            match within {
                Header::Signature => signature.get_or_insert_default().extend_from_slice(text),
                Header::Dropped => {}
                Header::Other => payload.extend_from_slice(line),
            }
        }
        let signature = signature.unwrap_or_default();
        Self {
            payload,
            signature: String::from_utf8_lossy(&signature).into_owned(),
        }
    }

    /// Takes a tag apart: its signature is the armor at the end of its message.
    pub fn tag(object: &[u8]) -> Self {
        const BEGINNINGS: [&[u8]; 4] = [
            b"-----BEGIN PGP SIGNATURE-----",
            b"-----BEGIN PGP MESSAGE-----",
            b"-----BEGIN SSH SIGNATURE-----",
            b"-----BEGIN SIGNED MESSAGE-----",
        ];
        let mut start = None;
        let mut at = 0;
        for line in object.split_inclusive(|byte| *byte == b'\n') {
            // As git does: the last line that begins so.
            if BEGINNINGS
                .iter()
                .any(|beginning| line.starts_with(beginning))
            {
                start = Some(at);
            }
            at += line.len();
        }
        let (payload, signature) = object.split_at(start.unwrap_or(object.len()));
        Self {
            // A hash of another kind signs beside it, as in a commit.
            payload: Self::commit(payload).payload,
            signature: String::from_utf8_lossy(signature).into_owned(),
        }
    }

    /// Whether there is a signature at all.
    pub fn is_signed(&self) -> bool {
        !self.signature.is_empty()
    }
}

/// A tag object and the signature on it. Prints as `name@id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTag {
    /// The object itself.
    pub id: ObjectId,
    /// What the object calls itself: a reference to it may have another name.
    pub name: String,
    /// What is signed, and how.
    pub signed: Signed,
}

impl SignedTag {
    pub(crate) fn read(id: ObjectId, object: &[u8]) -> Self {
        let name = object
            .split(|byte| *byte == b'\n')
            .take_while(|line| !line.is_empty())
            .find_map(|line| line.strip_prefix(b"tag "))
            .unwrap_or_default();
        Self {
            id,
            name: printable(name),
            signed: Signed::tag(object),
        }
    }
}

impl fmt::Display for SignedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.id)
    }
}

#[derive(Clone, Copy)]
enum Header {
    Signature,
    Dropped,
    Other,
}

/// The keys of a Secret, as text: what cannot be read is told when it is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedKeys {
    openpgp: Vec<String>,
    ssh: Vec<String>,
}

/// Why an object is not verified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// There is no signature.
    #[error("unsupported signature type: empty")]
    Unsigned,
    /// The signature is of a type that nobody here reads.
    #[error("unsupported signature type: {0}")]
    Unsupported(&'static str),
    /// There is no key of the signature's type.
    #[error(
        "{signature} signature detected but no {signature} public keys found in secret (keys with {suffix} suffix)"
    )]
    NoKeys {
        /// The type of the signature.
        signature: &'static str,
        /// What entries with such keys are called.
        suffix: &'static str,
    },
    /// The signature itself cannot be read.
    #[error("unable to read the {kind} signature: {reason}")]
    Malformed {
        /// The type of the signature.
        kind: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// No entry with keys can be read.
    #[error("unable to read the {kind} public keys: {reason}")]
    UnreadableKeys {
        /// The type of the keys.
        kind: &'static str,
        /// What is wrong with the first of them.
        reason: String,
    },
    /// None of the keys made it.
    #[error("unable to verify payload with any of the given {keys}: no matching key")]
    NoMatch {
        /// What was tried.
        keys: &'static str,
    },
    /// One of the keys made it, and is not to be trusted with it.
    #[error("signature of key '{key}' is not valid: {reason}")]
    Invalid {
        /// The key.
        key: String,
        /// Why it does not count.
        reason: &'static str,
    },
}

impl TrustedKeys {
    /// Sorts the entries of a Secret by their names.
    pub fn read<'a>(entries: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut keys = Self::default();
        for (name, content) in entries {
            let content = String::from_utf8_lossy(content).into_owned();
            if name.ends_with(SSH_SUFFIX) {
                keys.ssh.push(content);
            } else {
                keys.openpgp.push(content);
            }
        }
        keys
    }

    /// Finds the key that made the signature, and names it: the identifier of an OpenPGP key,
    /// or the fingerprint of an SSH key.
    pub fn verify(&self, signed: &Signed, now: SystemTime) -> Result<String, Unverified> {
        let signature = signed.signature.trim();
        let begins = |with: &str| signature.starts_with(with);
        if begins("-----BEGIN PGP SIGNATURE-----") {
            if self.openpgp.is_empty() {
                return Err(Unverified::NoKeys {
                    signature: "PGP",
                    suffix: OPENPGP_SUFFIX,
                });
            }
            openpgp::verify(&self.openpgp, &signed.payload, signature, now)
        } else if begins("-----BEGIN SSH SIGNATURE-----") {
            if self.ssh.is_empty() {
                return Err(Unverified::NoKeys {
                    signature: "SSH",
                    suffix: SSH_SUFFIX,
                });
            }
            ssh::verify(&self.ssh, &signed.payload, signature)
        } else if begins("-----BEGIN SIGNED MESSAGE-----") {
            Err(Unverified::Unsupported("x509"))
        } else if signature.is_empty() {
            Err(Unverified::Unsigned)
        } else {
            Err(Unverified::Unsupported("unknown"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_taken_apart_and_nothing_else_of_it_changes() {
        let object = b"tree 1\nparent 2\nauthor a\ncommitter b\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\nencoding x\ngpgsig-sha256 other\n more\n\nsubject\n\ngpgsig in the body\n body";
        let signed = Signed::commit(object);
        assert_eq!(
            signed.payload,
            b"tree 1\nparent 2\nauthor a\ncommitter b\nencoding x\n\nsubject\n\ngpgsig in the body\n body"
        );
        assert_eq!(
            signed.signature,
            "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
        );
        let unsigned = b"tree 1\n\nsubject\n";
        assert_eq!(Signed::commit(unsigned).payload, unsigned);
        assert!(!Signed::commit(unsigned).is_signed());
    }

    #[test]
    fn a_second_signature_is_neither_signed_nor_a_signature() {
        let signed = Signed::commit(b"tree 1\ngpgsig one\n 1\ngpgsig two\n 2\n\ns\n");
        assert_eq!(signed.payload, b"tree 1\n\ns\n");
        assert_eq!(signed.signature, "one\n1\n");
    }

    #[test]
    fn the_signature_of_a_tag_is_the_last_armor_of_its_message() {
        let signed = Signed::tag(
            b"object 1\ntag v1\n\nsays -----BEGIN SSH SIGNATURE-----\n-----BEGIN SSH SIGNATURE-----\nx\n-----END SSH SIGNATURE-----\n",
        );
        assert_eq!(
            signed.payload,
            b"object 1\ntag v1\n\nsays -----BEGIN SSH SIGNATURE-----\n"
        );
        assert!(
            signed
                .signature
                .starts_with("-----BEGIN SSH SIGNATURE-----\nx\n")
        );
        assert!(!Signed::tag(b"object 1\ntag v1\n\nmessage\n").is_signed());
    }

    #[test]
    fn what_nobody_can_check_is_not_verified() {
        let keys = TrustedKeys::read([("a.asc", b"".as_slice())]);
        let verdict = |signature: &str| {
            let signed = Signed {
                payload: b"x".to_vec(),
                signature: signature.to_owned(),
            };
            keys.verify(&signed, SystemTime::UNIX_EPOCH)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(verdict(""), "unsupported signature type: empty");
        assert_eq!(
            verdict("-----BEGIN SIGNED MESSAGE-----\n"),
            "unsupported signature type: x509"
        );
        assert_eq!(verdict("hello"), "unsupported signature type: unknown");
        assert_eq!(
            verdict("-----BEGIN SSH SIGNATURE-----\n"),
            "SSH signature detected but no SSH public keys found in secret (keys with .sshpub suffix)"
        );
    }
}

//! Verifies signatures of commits and tags with trusted keys.
//!
//! The module does no I/O. A signature is valid if it was made by a trusted key, and invalid
//! otherwise. Unsupported signature types such as X.509 are invalid.
//!
//! Start at [`TrustedKeys::read`] and [`TrustedKeys::verify`].

use std::fmt;
use std::time::SystemTime;

use crate::error::printable;
use crate::id::ObjectId;

mod openpgp;
mod ssh;

/// The suffix of Secret entries with SSH keys.
const SSH_SUFFIX: &str = ".sshpub";
/// The suffix of Secret entries with OpenPGP keys. Entries without a known suffix are OpenPGP keys,
/// too.
const OPENPGP_SUFFIX: &str = ".asc";

/// An object and its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedObject {
    /// The signed bytes.
    pub payload: Vec<u8>,
    /// The armored signature, or empty.
    pub signature: String,
}

impl SignedObject {
    /// Splits a commit into payload and signature. All headers `gpgsig` and `gpgsig-sha256` are
    /// removed. The signature is the first `gpgsig`.
    pub fn commit(object: &[u8]) -> Self {
        let mut payload = Vec::with_capacity(object.len());
        let mut signature: Option<Vec<u8>> = None;
        // The header of the previous line.
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

    /// Splits a tag into payload and signature. The signature is the armor at the end of its
    /// message.
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
            // Like git, use the last line that starts with a marker.
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
            // The header can hold a signature over another hash, as in a commit.
            payload: Self::commit(payload).payload,
            signature: String::from_utf8_lossy(signature).into_owned(),
        }
    }

    /// Whether the object is signed.
    pub fn is_signed(&self) -> bool {
        !self.signature.is_empty()
    }
}

/// A tag object and its signature. It is displayed as `name@id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTag {
    /// The object ID.
    pub id: ObjectId,
    /// The name in the object. A reference to it may have another name.
    pub name: String,
    /// The payload and the signature.
    pub signed: SignedObject,
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
            signed: SignedObject::tag(object),
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

/// The keys of a Secret, as text. Invalid keys are reported during verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedKeys {
    openpgp: Vec<String>,
    ssh: Vec<String>,
}

/// Why a verification failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerificationError {
    /// The object is not signed.
    #[error("unsupported signature type: empty")]
    Unsigned,
    /// The signature type is not supported.
    #[error("unsupported signature type: {0}")]
    Unsupported(&'static str),
    /// The Secret has no key for the type of the signature.
    #[error(
        "{signature} signature detected but no {signature} public keys found in secret (keys with {suffix} suffix)"
    )]
    NoKeys {
        /// The type of the signature.
        signature: &'static str,
        /// The suffix of entries with such keys.
        suffix: &'static str,
    },
    /// The signature is malformed.
    #[error("unable to read the {kind} signature: {reason}")]
    Malformed {
        /// The type of the signature.
        kind: &'static str,
        /// The reason.
        reason: String,
    },
    /// All entries with keys are malformed.
    #[error("unable to read the {kind} public keys: {reason}")]
    UnreadableKeys {
        /// The type of the keys.
        kind: &'static str,
        /// The problem of the first one.
        reason: String,
    },
    /// None of the keys made the signature.
    #[error("unable to verify payload with any of the given {keys}: no matching key")]
    NoMatch {
        /// The tried keys.
        keys: &'static str,
    },
    /// One of the keys made the signature, but is not valid for it.
    #[error("signature of key '{key}' is not valid: {reason}")]
    Invalid {
        /// The key.
        key: String,
        /// The reason.
        reason: &'static str,
    },
}

impl TrustedKeys {
    /// Reads the entries of a Secret by their names.
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

    /// Verifies the signature. Returns the ID of the OpenPGP key or the fingerprint of the SSH key.
    pub fn verify(
        &self,
        signed: &SignedObject,
        now: SystemTime,
    ) -> Result<String, VerificationError> {
        let signature = signed.signature.trim();
        let begins = |with: &str| signature.starts_with(with);
        if begins("-----BEGIN PGP SIGNATURE-----") {
            if self.openpgp.is_empty() {
                return Err(VerificationError::NoKeys {
                    signature: "PGP",
                    suffix: OPENPGP_SUFFIX,
                });
            }
            openpgp::verify(&self.openpgp, &signed.payload, signature, now)
        } else if begins("-----BEGIN SSH SIGNATURE-----") {
            if self.ssh.is_empty() {
                return Err(VerificationError::NoKeys {
                    signature: "SSH",
                    suffix: SSH_SUFFIX,
                });
            }
            ssh::verify(&self.ssh, &signed.payload, signature)
        } else if begins("-----BEGIN SIGNED MESSAGE-----") {
            Err(VerificationError::Unsupported("x509"))
        } else if signature.is_empty() {
            Err(VerificationError::Unsigned)
        } else {
            Err(VerificationError::Unsupported("unknown"))
        }
    }
}

/// Verifies an OpenPGP message in the cleartext signature framework, such as the provenance of a
/// Helm chart. The key ring is binary or armored. Returns the text.
pub fn verify_cleartext(
    ring: &[u8],
    message: &str,
    now: SystemTime,
) -> Result<String, VerificationError> {
    openpgp::verify_cleartext(ring, message, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commit_is_split_into_payload_and_signature() {
        let object = b"tree 1\nparent 2\nauthor a\ncommitter b\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\nencoding x\ngpgsig-sha256 other\n more\n\nsubject\n\ngpgsig in the body\n body";
        let signed = SignedObject::commit(object);
        assert_eq!(
            signed.payload,
            b"tree 1\nparent 2\nauthor a\ncommitter b\nencoding x\n\nsubject\n\ngpgsig in the body\n body"
        );
        assert_eq!(
            signed.signature,
            "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
        );
        let unsigned = b"tree 1\n\nsubject\n";
        assert_eq!(SignedObject::commit(unsigned).payload, unsigned);
        assert!(!SignedObject::commit(unsigned).is_signed());
    }

    #[test]
    fn second_signature_is_ignored() {
        let signed = SignedObject::commit(b"tree 1\ngpgsig one\n 1\ngpgsig two\n 2\n\ns\n");
        assert_eq!(signed.payload, b"tree 1\n\ns\n");
        assert_eq!(signed.signature, "one\n1\n");
    }

    #[test]
    fn tag_signature_is_last_armor() {
        let signed = SignedObject::tag(
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
        assert!(!SignedObject::tag(b"object 1\ntag v1\n\nmessage\n").is_signed());
    }

    #[test]
    fn unsupported_signatures_are_not_verified() {
        let keys = TrustedKeys::read([("a.asc", b"".as_slice())]);
        let verdict = |signature: &str| {
            let signed = SignedObject {
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

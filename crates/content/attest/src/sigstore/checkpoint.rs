//! Checkpoints: the head of a log's tree, signed by the log.
//!
//! Parity: `SignedNote` and `Checkpoint` of rekor for the first form, and `note` of
//! `golang.org/x/mod` for the second one.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::key::{Hash, KeyKind, PublicKey, sha256};

/// The start of a line with a signature.
const SIGNATURE: &str = "\u{2014} ";
/// Maximum number of signatures, as in Go's `note`.
const MAX_SIGNATURES: usize = 100;

/// The head of a tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) size: i64,
    pub(super) root: Vec<u8>,
}

/// A checkpoint and its signatures.
struct Note<'a> {
    /// The signed lines, each with its line feed.
    text: &'a str,
    origin: &'a str,
    tree: Tree,
    signatures: Vec<Signature<'a>>,
}

struct Signature<'a> {
    name: &'a str,
    key: [u8; 4],
    bytes: Vec<u8>,
}

/// Whether the origin of a checkpoint ends with the number of a tree, as in Rekor 1.
pub(super) fn has_tree(checkpoint: &str) -> bool {
    let mut lines = checkpoint.split('\n');
    let origin = lines.next().unwrap_or_default();
    let number = origin.rsplit_once(" - ").map_or("", |(_, number)| number);
    lines.count() >= 3 && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

/// Verifies a checkpoint of Rekor 1, and returns the root of its tree. Each signature must be of
/// the log.
pub(super) fn verify_first(checkpoint: &str, key: &PublicKey) -> Result<Vec<u8>, String> {
    let note = Note::parse(checkpoint)?;
    let [a, b, c, d, ..] = sha256(key.spki());
    let is_signed = note.signatures.iter().all(|signature| {
        signature.key == [a, b, c, d]
            && key.verify(Hash::Sha256, note.text.as_bytes(), &signature.bytes)
    });
    if is_signed {
        Ok(note.tree.root)
    } else {
        Err(unsigned())
    }
}

/// Verifies a checkpoint of Rekor 2. Witnesses may have signed it, too.
pub(super) fn verify_second(
    checkpoint: &str,
    origin: &str,
    key: &PublicKey,
) -> Result<Tree, String> {
    let note = Note::parse(checkpoint)?;
    if note.origin != origin {
        return Err("a checkpoint is of another log".to_owned());
    }
    let id = key_id(origin, key);
    let mut ours = note
        .signatures
        .iter()
        .filter(|signature| signature.name == origin && signature.key == id)
        .peekable();
    let is_signed = ours.peek().is_some()
        && ours.all(|signature| key.verify(key.hash(), note.text.as_bytes(), &signature.bytes));
    if is_signed {
        Ok(note.tree)
    } else {
        Err(unsigned())
    }
}

fn unsigned() -> String {
    "a checkpoint is not signed by its log".to_owned()
}

/// The number of a key in notes.
fn key_id(name: &str, key: &PublicKey) -> [u8; 4] {
    let hash = match key.kind {
        KeyKind::P256 | KeyKind::P384 | KeyKind::P521 => sha256(key.spki()),
        KeyKind::Ed25519 => {
            let bytes = key.spki();
            // The key is the last 32 bytes.
            let bytes = &bytes[bytes.len().saturating_sub(32)..];
            sha256(&[name.as_bytes(), b"\n\x01", bytes].concat())
        }
        KeyKind::Rsa => {
            let kind = b"\n\xffPKIX-RSA-PKCS#1v1.5";
            sha256(&[name.as_bytes(), kind, key.spki()].concat())
        }
    };
    let [a, b, c, d, ..] = hash;
    [a, b, c, d]
}

impl<'a> Note<'a> {
    fn parse(note: &'a str) -> Result<Self, String> {
        Self::read(note).ok_or_else(|| "a checkpoint cannot be read".to_owned())
    }

    fn read(note: &'a str) -> Option<Self> {
        let end = note.rfind("\n\n")?;
        let (text, signatures) = (note.get(..=end)?, note.get(end + 2..)?);
        let signatures = signatures.strip_suffix('\n')?;
        let signatures: Vec<_> = signatures
            .split('\n')
            .take(MAX_SIGNATURES + 1)
            .map(Signature::read)
            .collect::<Option<_>>()?;
        let mut lines = text.split('\n');
        let origin = lines.next().filter(|origin| !origin.is_empty())?;
        let size = lines.next()?.parse().ok()?;
        let root = BASE64_STANDARD.decode(lines.next()?).ok()?;
        (signatures.len() <= MAX_SIGNATURES).then_some(Self {
            text,
            origin,
            tree: Tree { size, root },
            signatures,
        })
    }
}

impl<'a> Signature<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (name, bytes) = line.strip_prefix(SIGNATURE)?.split_once(' ')?;
        let bytes = BASE64_STANDARD.decode(bytes).ok()?;
        let (key, bytes) = bytes.split_first_chunk::<4>()?;
        (!name.is_empty() && !bytes.is_empty()).then(|| Self {
            name,
            key: *key,
            bytes: bytes.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_number_ends_the_origin() {
        for (checkpoint, expected) in [
            (
                "rekor.sigstore.dev - 2605736670972794746\n1\nAA==\n\n\u{2014} a b\n",
                true,
            ),
            (
                "log2025-1.rekor.sigstore.dev\n1\nAA==\n\n\u{2014} a b\n",
                false,
            ),
            ("rekor - 1", false),
            ("rekor - 1x\n\n\n\n", false),
            ("rekor - \n\n\n\n", false),
            ("", false),
        ] {
            assert_eq!(has_tree(checkpoint), expected, "{checkpoint}");
        }
    }

    #[test]
    fn malformed_checkpoint_is_refused() {
        for note in [
            "",
            "\n\n",
            "log\n1\nAA==\n",
            "log\n1\nAA==\n\n",
            "log\n1\nAA==\n\n\u{2014} log AAAAAAA=",
            "log\n1\nAA==\n\n- log AAAAAAA=\n",
            "log\n1\nAA==\n\n\u{2014} log AAAA\n",
            "log\n-x\nAA==\n\n\u{2014} log AAAAAAA=\n",
            "log\n1\n?\n\n\u{2014} log AAAAAAA=\n",
            "\n1\nAA==\n\n\u{2014} log AAAAAAA=\n",
        ] {
            assert!(Note::parse(note).is_err(), "{note:?}");
        }
        let note = Note::parse("log\n7\nAA==\nmore\n\n\u{2014} log AAAAAAA=\n").unwrap();
        assert_eq!((note.origin, note.tree.size), ("log", 7));
        assert_eq!(note.text, "log\n7\nAA==\nmore\n");
    }
}

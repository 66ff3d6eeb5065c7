//! Verifies SSH signatures (`ssh-keygen -Y sign -n git`) with keys in the format of
//! `authorized_keys`.

use russh::keys::HashAlg;
use russh::keys::ssh_key::authorized_keys::Entry;
use russh::keys::ssh_key::{PublicKey, SshSig};

use super::VerificationError;
use crate::error::printable;

/// The required namespace of a signature. Signatures for e-mail or files are invalid for commits.
const NAMESPACE: &str = "git";
/// The line width of armor that the parser expects.
const WIDTH: usize = 70;

/// Verifies a signature, and returns the fingerprint of the key.
pub(super) fn verify(
    entries: &[String],
    payload: &[u8],
    signature: &str,
) -> Result<String, VerificationError> {
    let malformed = |reason: String| VerificationError::Malformed {
        kind: "SSH",
        reason,
    };
    let signature =
        SshSig::from_pem(rewrapped(signature)).map_err(|error| malformed(error.to_string()))?;
    if signature.namespace() != NAMESPACE {
        let namespace = printable(signature.namespace().as_bytes());
        return Err(malformed(format!(
            "it is made for '{namespace}', not for '{NAMESPACE}'"
        )));
    }
    let mut unreadable = None;
    let mut tried = false;
    for entry in entries {
        // One invalid line makes the whole entry invalid, because it is probably a mistake.
        match keys(entry) {
            Err(reason) => unreadable = unreadable.or(Some(reason)),
            Ok(keys) => {
                tried = true;
                let made = |key: &&PublicKey| key.verify(NAMESPACE, payload, &signature).is_ok();
                if let Some(key) = keys.iter().find(made) {
                    return Ok(key.fingerprint(HashAlg::Sha256).to_string());
                }
            }
        }
    }
    match unreadable {
        Some(reason) if !tried => Err(VerificationError::UnreadableKeys {
            kind: "SSH",
            reason,
        }),
        _ => Err(VerificationError::NoMatch {
            keys: "authorized keys",
        }),
    }
}

fn keys(text: &str) -> Result<Vec<PublicKey>, String> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let entry: Result<Entry, _> = line.parse();
            entry
                .map(|entry| entry.public_key().clone())
                .map_err(|error| format!("line {number}: {error}"))
        })
        .collect()
}

/// Wraps armor at the expected width.
fn rewrapped(armor: &str) -> String {
    let mut lines = armor.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    let (mut body, mut last) = (String::new(), "");
    for line in lines {
        if line.starts_with("-----") {
            last = line;
            break;
        }
        body.push_str(line);
    }
    let mut out = format!("{first}\n");
    for (index, character) in body.chars().enumerate() {
        if index > 0 && index % WIDTH == 0 {
            out.push('\n');
        }
        out.push(character);
    }
    out.push('\n');
    out.push_str(last);
    out.push('\n');
    out
}

//! Implements `create secret sops`: the decryption keys of a Kustomization.
//!
//! The name of an entry is its file name with the ending that kustomize-controller expects. Keys
//! that the controller cannot use are rejected. Error texts never contain a key.

use std::path::Path;

use sluice_golang::non_empty;
use sluice_sops::import::{AGE_SUFFIX, PGP_SUFFIX, VAULT_TOKEN_ENTRY};
use sluice_sops::keys::age::Identities;
use sluice_sops::keys::pgp::SecretKeys;

use super::{OPAQUE, Secret, file};
use crate::error::CommandError;
use crate::flags;

#[derive(clap::Args, Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are named like their flags"
)]
pub struct Args {
    /// Files with age private keys
    #[arg(long, value_parser = flags::csv, value_name = "FILE")]
    age_key_file: Vec<Vec<String>>,
    /// Files with armored OpenPGP private keys without passphrase
    #[arg(long, value_parser = flags::csv, value_name = "FILE")]
    gpg_key_file: Vec<Vec<String>>,
    /// File with a Vault token
    #[arg(long, value_name = "FILE")]
    vault_token_file: Option<String>,
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    secret.kind = Some(OPAQUE);
    for path in args.age_key_file.concat() {
        let keys = read("age-key-file", &path, |keys| {
            Identities::default().import(keys)
        })?;
        add(&mut secret, &path, AGE_SUFFIX, keys)?;
    }
    for path in args.gpg_key_file.concat() {
        let keys = read("gpg-key-file", &path, |keys| {
            SecretKeys::default().import(keys.as_bytes())
        })?;
        add(&mut secret, &path, PGP_SUFFIX, keys)?;
    }
    if let Some(path) = non_empty(args.vault_token_file.as_deref()) {
        let token = file("vault-token-file", path)?;
        if token.trim().is_empty() {
            return Err(CommandError::user(format!(
                "--vault-token-file {path}: the file has no token"
            )));
        }
        secret.put(VAULT_TOKEN_ENTRY, token.trim());
    }
    if secret.entries.is_empty() {
        return Err(CommandError::user(
            "a key is required: --age-key-file, --gpg-key-file or --vault-token-file",
        ));
    }
    Ok(secret)
}

/// Reads key files, and rejects keys that the controller cannot use.
fn read<E: std::fmt::Display>(
    flag: &str,
    path: &str,
    import: impl FnOnce(&str) -> Result<(), E>,
) -> Result<String, CommandError> {
    let keys = file(flag, path)?;
    import(&keys).map_err(|error| CommandError::user(format!("--{flag} {path}: {error}")))?;
    Ok(keys)
}

/// Adds keys under their file name, with the ending of their kind.
fn add(
    secret: &mut Secret,
    path: &str,
    ending: &'static str,
    keys: String,
) -> Result<(), CommandError> {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    let entry = format!("{}{ending}", stem.to_string_lossy());
    let is_key = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !entry.chars().all(is_key) {
        return Err(CommandError::user(format!(
            "{entry:?} is not a valid entry of a Secret: only letters, digits, '-', '_' and '.' are allowed"
        ))
        .hint(format!("rename the file '{path}'")));
    }
    if secret.entries.iter().any(|(other, _)| *other == entry) {
        return Err(CommandError::user(format!(
            "two files have the entry name '{entry}' in the Secret"
        ))
        .hint("rename one of the files: entries have their names"));
    }
    secret.put(entry, keys);
    Ok(())
}

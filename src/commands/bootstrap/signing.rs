//! The key that signs the commits, as the flags name it. It is opened before anything else
//! happens: one that is locked, expired or not there must not be found out after a clone.

use sluice_dial::Sensitive;
use sluice_git::{Signer, SigningKeyError};
use sluice_system::{Clock as _, SystemClock, fs};

use super::{Common, filled};
use crate::error::CommandError;
use sluice_golang::error::chain;

/// The key that is asked for; `transport` is what opens the key of --private-key-file.
pub(super) fn signer(
    common: &Common,
    transport: Option<&Sensitive<String>>,
) -> Result<Option<Signer>, CommandError> {
    let refuse = |message: String| Err(CommandError::user(message));
    let ring = filled(common.gpg_key_ring.as_ref());
    let file = filled(common.ssh_signing_key_file.as_ref());
    let reuse = common.ssh_signing_reuse_private_key;
    if ring.is_some() && (file.is_some() || reuse) {
        return refuse(
            "--gpg-* and --ssh-signing-* are mutually exclusive; pick one signing format".into(),
        );
    }
    if file.is_some() && reuse {
        return refuse(
            "--ssh-signing-key-file and --ssh-signing-reuse-private-key are mutually exclusive"
                .into(),
        );
    }
    let private = common.key.private_key_file();
    if reuse && private.is_none() {
        return refuse("--ssh-signing-reuse-private-key requires --private-key-file".into());
    }
    let password = password(common)?;
    if password.is_some() && file.is_none() {
        return refuse("--ssh-signing-password requires --ssh-signing-key-file".into());
    }
    let now = SystemClock.now().into();
    if let Some(path) = ring {
        let failed =
            |reason: String| CommandError::user(format!("invalid GPG signing key: {reason}"));
        let ring = fs::read(path)
            .map_err(|error| failed(format!("unable to open GPG key ring: {}", chain(&error))))?;
        let passphrase = filled(common.gpg_passphrase.as_ref()).map(Sensitive::from);
        let id = filled(common.gpg_key_id.as_ref());
        return Signer::openpgp(&ring, passphrase.as_ref(), id, now)
            .map(Some)
            .map_err(|error| advised(failed(error.to_string()), &error));
    }
    let (path, password, what) = match (file, private) {
        (Some(path), _) => (path, password.as_ref(), "invalid SSH signing key"),
        (None, Some(path)) if reuse => (
            path,
            transport,
            "invalid signing key (reused from --private-key-file)",
        ),
        _ => return Ok(None),
    };
    let text = fs::read_to_string(path).map_err(|error| {
        CommandError::user(format!(
            "failed to read SSH signing key file: {}",
            chain(&error)
        ))
    })?;
    Signer::ssh(&text, password, now)
        .map(Some)
        .map_err(|error| CommandError::user(format!("{what}: {error}")))
}

/// Adds a hint to the error about a key ring that cannot sign.
fn advised(told: CommandError, error: &SigningKeyError) -> CommandError {
    match error {
        SigningKeyError::Unreadable(_) => told.hint(
            "--gpg-key-ring is a file that 'gpg --export-secret-keys' wrote: public keys alone do not sign",
        ),
        SigningKeyError::Locked => told.hint("--gpg-passphrase opens it"),
        SigningKeyError::NotInRing { .. } => told.hint(
            "--gpg-key-id is one of these, or a whole fingerprint",
        ),
        SigningKeyError::Unusable(_) => told.hint(
            "prolong the key and export it anew, or name another one with --gpg-key-id",
        ),
        SigningKeyError::Failed(_) => told,
    }
}

/// The passphrase, under either of its two names.
fn password(common: &Common) -> Result<Option<Sensitive<String>>, CommandError> {
    let one = filled(common.ssh_signing_password.as_ref());
    let other = filled(common.ssh_signing_passphrase.as_ref());
    match (one, other) {
        (Some(one), Some(other)) if one != other => Err(CommandError::user(
            "--ssh-signing-password and --ssh-signing-passphrase are aliases; do not pass both",
        )),
        (one, other) => Ok(one.or(other).map(Sensitive::from)),
    }
}

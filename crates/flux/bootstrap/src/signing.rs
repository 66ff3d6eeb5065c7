//! The key that signs commits. It is opened before the first request, so that a locked, expired or
//! missing key fails early.

use sluice_dial::Sensitive;
use sluice_git::{Signer, SigningKeyError};
use sluice_golang::error::chain;
use sluice_golang::non_empty;
use sluice_lifecycle::Error;
use sluice_system::{Clock as _, SystemClock, fs};

use crate::options::{KeyOptions, SigningOptions};

/// Opens the signing key. `passphrase` belongs to the key of `--private-key-file`.
pub(crate) fn signer(
    options: &SigningOptions,
    key: &KeyOptions,
    passphrase: Option<&Sensitive<String>>,
) -> Result<Option<Signer>, Error> {
    let refuse = |message: String| Err(Error::user(message));
    let ring = non_empty(options.gpg_key_ring.as_ref());
    let file = non_empty(options.ssh_key_file.as_ref());
    let reuse = options.reuse_private_key;
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
    let private = key.file();
    if reuse && private.is_none() {
        return refuse("--ssh-signing-reuse-private-key requires --private-key-file".into());
    }
    let password = password(options)?;
    if password.is_some() && file.is_none() {
        return refuse("--ssh-signing-password requires --ssh-signing-key-file".into());
    }
    let now = SystemClock.now().into();
    if let Some(path) = ring {
        let failed = |reason: String| Error::user(format!("invalid GPG signing key: {reason}"));
        let ring = fs::read(path)
            .map_err(|error| failed(format!("unable to open GPG key ring: {}", chain(&error))))?;
        let passphrase = non_empty(options.gpg_passphrase.as_ref()).map(Sensitive::from);
        let id = non_empty(options.gpg_key_id.as_ref());
        return Signer::openpgp(&ring, passphrase.as_ref(), id, now)
            .map(Some)
            .map_err(|error| advised(failed(error.to_string()), &error));
    }
    let (path, password, what) = match (file, private) {
        (Some(path), _) => (path, password.as_ref(), "invalid SSH signing key"),
        (None, Some(path)) if reuse => (
            path,
            passphrase,
            "invalid signing key (reused from --private-key-file)",
        ),
        _ => return Ok(None),
    };
    let text = fs::read_to_string(path).map_err(|error| {
        Error::user(format!(
            "failed to read SSH signing key file: {}",
            chain(&error)
        ))
    })?;
    Signer::ssh(&text, password, now)
        .map(Some)
        .map_err(|error| Error::user(format!("{what}: {error}")))
}

/// Adds a hint to the error about a key ring that cannot sign.
fn advised(failure: Error, error: &SigningKeyError) -> Error {
    match error {
        SigningKeyError::Unreadable(_) => failure.hint(
            "set --gpg-key-ring to the output of 'gpg --export-secret-keys': public keys do not sign",
        ),
        SigningKeyError::Locked => failure.hint("set --gpg-passphrase"),
        SigningKeyError::NotInRing { .. } => failure.hint(
            "set --gpg-key-id to one of these, or to a whole fingerprint",
        ),
        SigningKeyError::Unusable(_) => failure.hint(
            "renew and export the key, or set another --gpg-key-id",
        ),
        SigningKeyError::Failed(_) => failure,
    }
}

/// The passphrase, under either of its two names.
fn password(options: &SigningOptions) -> Result<Option<Sensitive<String>>, Error> {
    let one = non_empty(options.ssh_password.as_ref());
    let other = non_empty(options.ssh_passphrase.as_ref());
    match (one, other) {
        (Some(one), Some(other)) if one != other => Err(Error::user(
            "--ssh-signing-password and --ssh-signing-passphrase are aliases; do not pass both",
        )),
        (one, other) => Ok(one.or(other).map(Sensitive::from)),
    }
}

//! Verifies a chart with its provenance file, as `helm template --verify` does.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sluice_chart::check_provenance;
use sluice_git::verify_cleartext;
use sluice_golang::error::chain;
use sluice_system::{Clock as _, SystemClock, fs};

use crate::Error;

/// Suffix of a provenance file.
pub(super) const SUFFIX: &str = ".prov";
/// Maximum size of a provenance file, which contains a `Chart.yaml`.
pub(super) const MAX_PROVENANCE_BYTES: u64 = 5 << 20;
/// Maximum size of a key ring.
const MAX_KEYRING_BYTES: u64 = 64 << 20;

/// Verifies the archive of a file name with its provenance and the keys of a file.
pub(super) fn check(
    keyring: &Path,
    name: &str,
    archive: &[u8],
    provenance: &[u8],
) -> Result<(), Error> {
    let failed = |reason: &dyn std::fmt::Display| {
        Error::user(format!("failed to verify chart '{name}': {reason}"))
    };
    let ring = read_file(keyring, MAX_KEYRING_BYTES).map_err(|error| {
        failed(&format!("failed to load keyring: {error}"))
            .hint("set --keyring to a file of `gpg --export`")
    })?;
    let text = str::from_utf8(provenance).map_err(|error| failed(&error))?;
    let now = SystemClock.now().into();
    let text = verify_cleartext(&ring, text, now).map_err(|error| failed(&error))?;
    check_provenance(&text, name, archive).map_err(|error| failed(&error))
}

/// Returns the provenance of a local archive.
pub(super) fn read_provenance(archive: &Path) -> Result<Vec<u8>, Error> {
    if archive.is_dir() {
        return Err(Error::user("unpacked charts cannot be verified")
            .hint("use an archive with a .prov file of `helm package --sign`"));
    }
    let is_archive = archive.extension();
    if !is_archive.is_some_and(|suffix| suffix.eq_ignore_ascii_case("tgz")) {
        return Err(Error::user("chart must be a tgz file"));
    }
    let mut path = archive.as_os_str().to_owned();
    path.push(SUFFIX);
    let path = PathBuf::from(path);
    read_file(&path, MAX_PROVENANCE_BYTES).map_err(|error| {
        let shown = path.display();
        // Go names the call that finds the file.
        let cause = error.replacen("open", "stat", 1);
        Error::user(format!("could not load provenance file {shown}: {cause}"))
    })
}

/// Reads a file. The error has Go's text, which Helm prints.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let shown = path.display();
    fs::read_limited(path, limit).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("open {shown}: no such file or directory"),
        ErrorKind::PermissionDenied => format!("open {shown}: permission denied"),
        _ => chain(&error),
    })
}

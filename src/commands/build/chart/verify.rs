//! Verifies a chart with its provenance file, as `helm template --verify` does.

use std::path::{Path, PathBuf};

use sluice_chart::check_provenance;
use sluice_git::verify_cleartext;
use sluice_system::{Clock as _, SystemClock};

use super::inputs::read_file;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;

/// Suffix of a provenance file.
pub(super) const SUFFIX: &str = ".prov";
/// Maximum size of a provenance file, which contains a `Chart.yaml`.
pub(super) const MAX_PROVENANCE_BYTES: u64 = 5 << 20;
/// Maximum size of a key ring.
const MAX_KEYRING_BYTES: u64 = 64 << 20;

/// Verification of charts.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct VerifyFlags {
    /// Verify the archive with its provenance file
    #[arg(long = "verify", switch = false)]
    is_on: bool,
    #[arg(
        long,
        help = "Public keys for --verify; the default is GnuPG's pubring.gpg",
        value_name = "FILE"
    )]
    keyring: Option<PathBuf>,
}

impl VerifyFlags {
    /// Whether charts are verified.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Verifies the archive of a file name with its provenance.
    pub(super) fn check(
        &self,
        name: &str,
        archive: &[u8],
        provenance: &[u8],
    ) -> Result<(), CommandError> {
        let failed = |reason: &dyn std::fmt::Display| {
            CommandError::user(format!("failed to verify chart '{name}': {reason}"))
        };
        let path = match &self.keyring {
            Some(path) => path.clone(),
            None => default_keyring(),
        };
        let ring = read_file(&path, MAX_KEYRING_BYTES).map_err(|error| {
            failed(&format!("failed to load keyring: {error}"))
                .hint("set --keyring to a file of `gpg --export`")
        })?;
        let text = str::from_utf8(provenance).map_err(|error| failed(&error))?;
        let now = SystemClock.now().into();
        let text = verify_cleartext(&ring, text, now).map_err(|error| failed(&error))?;
        check_provenance(&text, name, archive).map_err(|error| failed(&error))
    }
}

/// Returns the provenance of a local archive.
pub(super) fn read_provenance(archive: &Path) -> Result<Vec<u8>, CommandError> {
    if archive.is_dir() {
        return Err(CommandError::user("unpacked charts cannot be verified")
            .hint("use an archive with a .prov file of `helm package --sign`"));
    }
    let is_archive = archive.extension();
    if !is_archive.is_some_and(|suffix| suffix.eq_ignore_ascii_case("tgz")) {
        return Err(CommandError::user("chart must be a tgz file"));
    }
    let mut path = archive.as_os_str().to_owned();
    path.push(SUFFIX);
    let path = PathBuf::from(path);
    read_file(&path, MAX_PROVENANCE_BYTES).map_err(|error| {
        let shown = path.display();
        // Go names the call that finds the file.
        let cause = error.replacen("open", "stat", 1);
        CommandError::user(format!("could not load provenance file {shown}: {cause}"))
    })
}

/// Returns the key ring of `GnuPG`, as in Helm.
#[expect(
    clippy::disallowed_methods,
    reason = "the variable belongs to GnuPG, and --keyring replaces it"
)]
fn default_keyring() -> PathBuf {
    let home = std::env::var_os("GNUPGHOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".gnupg")));
    home.unwrap_or_default().join("pubring.gpg")
}

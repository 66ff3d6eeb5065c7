//! Provides the program under test, under both of its names.
//!
//! Users and scripts of Flux type `flux`. Tests use that name, unless they test the other one.
//! `docs/command-line.md` lists the differences of the names.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sluice_system::fs;

/// Returns the built binary under our own name, or the one that `SLUICE_PROGRAM` names.
#[expect(
    clippy::disallowed_methods,
    reason = "the variable selects the shipped binary before a release"
)]
pub(crate) fn sluice() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let named = std::env::var_os("SLUICE_PROGRAM").map(PathBuf::from);
        named.unwrap_or_else(|| env!("CARGO_BIN_EXE_sluice").into())
    })
}

/// Returns a link to the binary, under Flux's name.
pub(crate) fn flux() -> &'static Path {
    static LINK: OnceLock<PathBuf> = OnceLock::new();
    LINK.get_or_init(|| {
        let link = sluice().with_file_name("flux");
        // The link is moved into place atomically, because other tests use it concurrently.
        let place = tempfile::tempdir_in(link.parent().unwrap()).unwrap();
        let made = place.path().join("flux");
        fs::symlink(sluice().file_name().unwrap(), &made).unwrap();
        fs::rename(&made, &link).unwrap();
        link
    })
}

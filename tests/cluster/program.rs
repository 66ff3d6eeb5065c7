//! The program under test, under the two names that the command line answers to.
//!
//! Users and scripts of Flux type `flux`. Tests run the program under that name, unless they test the
//! other one. `docs/command-line.md` lists the differences of the names.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sluice_system::fs;

/// Under our own name: as it was built.
pub(crate) fn sluice() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_sluice"))
}

/// Under Flux's: a link beside it.
pub(crate) fn flux() -> &'static Path {
    static LINK: OnceLock<PathBuf> = OnceLock::new();
    LINK.get_or_init(|| {
        let link = sluice().with_file_name("flux");
        // Made elsewhere and moved there: another test may be looking for it just now.
        let place = tempfile::tempdir_in(link.parent().unwrap()).unwrap();
        let made = place.path().join("flux");
        fs::symlink("sluice", &made).unwrap();
        fs::rename(&made, &link).unwrap();
        link
    })
}

//! The reference's controllers, for comparisons.
//!
//! `REFERENCE_BIN_DIR` names a directory that contains each controller under the name of its
//! Deployment (`kustomize-controller`, …). Without it tests replay recorded outcomes and print a
//! note. `RECORD=1` writes a new recording.
//!
//! Start at [`Reference::find`].

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Once;

use sluice_digest::Digest;

use crate::Sluice;

/// A directory with the reference's controllers.
#[derive(Debug, Clone)]
pub struct Reference {
    directory: PathBuf,
}

impl Reference {
    /// Returns the controllers of `REFERENCE_BIN_DIR`; prints a note once if it is not set.
    #[expect(clippy::print_stderr, reason = "reports a skipped comparison")]
    pub fn find() -> Option<Self> {
        static NOTE: Once = Once::new();
        let directory = variable("REFERENCE_BIN_DIR").map(PathBuf::from);
        if directory.is_none() {
            NOTE.call_once(|| {
                eprintln!(
                    "REFERENCE_BIN_DIR is not set: tests use recorded outcomes of the reference"
                );
            });
        }
        directory.map(|directory| Self { directory })
    }

    /// Whether the directory has a controller.
    pub fn has(&self, controller: &str) -> bool {
        self.directory.join(controller).is_file()
    }

    /// Path of a controller's binary.
    pub fn binary(&self, controller: &str) -> PathBuf {
        let path = self.directory.join(controller);
        assert!(
            path.is_file(),
            "REFERENCE_BIN_DIR has no {controller}: {} is not a file",
            path.display()
        );
        path
    }

    /// Returns a controller, to be started with its flags.
    pub fn controller(&self, name: &str) -> Sluice {
        Sluice::at(self.binary(name))
    }

    /// Whether to write a new recording of the reference.
    pub fn is_recording() -> bool {
        variable("RECORD").is_some_and(|value| value == "1")
    }

    /// Reduces manifests to the comparable part: all documents, but only the names of CRDs, whose
    /// descriptions are our own.
    pub fn comparable(manifests: &str) -> String {
        let mut kept = String::new();
        for document in manifests.split("---\n") {
            if document.contains("\nkind: CustomResourceDefinition\n") {
                let name = document.lines().find(|line| line.starts_with("  name: "));
                writeln!(kept, "definition{}", name.unwrap()).unwrap();
            } else {
                write!(kept, "---\n{document}").unwrap();
            }
        }
        kept
    }

    /// Digest that represents a text in a recording, where we may not store the text itself.
    pub fn digest(text: &str) -> String {
        Digest::of(text.as_bytes()).hex().to_owned()
    }
}

#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

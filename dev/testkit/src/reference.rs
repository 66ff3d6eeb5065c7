//! The reference's own controllers, where there are any: for comparisons side by side.
//!
//! Owns how they are found. Nothing here builds or fetches them: `REFERENCE_BIN_DIR` names a
//! directory that holds each under the name of its Deployment (`kustomize-controller`, …). Where it
//! is not set, tests replay what was recorded of them earlier, and say so; `RECORD=1` writes such a
//! recording anew.
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
    /// The controllers in `REFERENCE_BIN_DIR`, if it is set; says so once where it is not.
    #[expect(clippy::print_stderr, reason = "what is not compared has to be said")]
    pub fn find() -> Option<Self> {
        static SAID: Once = Once::new();
        let directory = variable("REFERENCE_BIN_DIR").map(PathBuf::from);
        if directory.is_none() {
            SAID.call_once(|| {
                eprintln!(
                    "REFERENCE_BIN_DIR is not set: of the reference, what was recorded is used"
                );
            });
        }
        directory.map(|directory| Self { directory })
    }

    /// The executable of a controller.
    pub fn binary(&self, controller: &str) -> PathBuf {
        let path = self.directory.join(controller);
        assert!(
            path.is_file(),
            "REFERENCE_BIN_DIR has no {controller}: there is no file {}",
            path.display()
        );
        path
    }

    /// A controller as a child process, to be started with its flags.
    pub fn controller(&self, name: &str) -> Sluice {
        Sluice::at(self.binary(name))
    }

    /// Whether what is recorded of the reference shall be written anew.
    pub fn is_recording() -> bool {
        variable("RECORD").is_some_and(|value| value == "1")
    }

    /// What of manifests is compared: all documents as they are, of definitions only the names, whose
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

    /// By what a text is recorded that is not ours to keep.
    pub fn digest(text: &str) -> String {
        Digest::of(text.as_bytes()).hex().to_owned()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests are told by the environment where things are"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

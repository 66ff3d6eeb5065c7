//! Generated artifacts: files of other artifacts, copied together and published again.
//!
//! The controller behind `sluice controller source-watcher`, a drop-in for Flux's source-watcher.
//! An `ArtifactGenerator` names sources and copies. Each of its artifacts is stored, served and
//! published as an `ExternalArtifact`, which other controllers use as a source.
//!
//! Start at [`run`] for the process, and at `artifact_generator` for a run. `build` copies files,
//! `expand` makes artifacts of directories, and `external_artifact` is the published object.
//!
//! Parity: source-watcher 2.2.3: internal/{controller,builder}. `docs/differences.md` lists the
//! differences.

mod args;
mod artifact_generator;
mod build;
mod expand;
mod external_artifact;
#[cfg(feature = "fuzz")]
pub mod fuzz;
#[cfg(test)]
mod lockdown_tests;
mod serve;
mod sources;

pub use args::{Args, GATES, NAME};
pub use serve::{Error, run};

//! `kustomize build` as a pure function over a file tree.
//!
//! The engine reads files only through [`Fs`]. It starts no process, opens no
//! connection, reads no environment variable and has no global state. So builds run
//! in parallel, and errors show paths of the tree instead of paths of the machine.
//!
//! Start at [`build()`], which returns objects in order, or at [`build_yaml`], which
//! returns the bytes that upstream prints. [`flux`] adds the behaviour of
//! kustomize-controller, such as generating a missing kustomization file.

mod build;
mod configuration;
mod decode;
mod error;
pub mod flux;
pub mod fs;
mod generators;
mod growth;
mod hash;
mod id;
mod kustomization;
mod loader;
mod options;
mod order;
mod origin;
mod parallel;
mod pattern;
mod read;
mod redact;
pub mod remote;
mod resource;
mod resource_map;
mod schema;
pub mod substitute;
mod target;
mod transform;

pub use build::{ResMap, build, build_repository, build_repository_yaml, build_yaml, set_metadata};
pub use error::{Code, Error};
pub use fs::Fs;
pub use kustomization::FILE_NAMES;
pub use options::{Limits, LoadRestrictor, Options, Reorder, SchemaMode, WarningHandler};
pub use redact::redact_url;
pub use remote::{FetchError, Fetcher, Repository};

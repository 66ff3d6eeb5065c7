//! `kustomize build` as a pure function over a file tree.
//!
//! The engine sees files only through [`Fs`], starts no process, opens no
//! connection, reads no environment and has no global state: builds run in
//! parallel, and a path that it prints is one of the tree, never one of the
//! machine. What it returns is [`ResMap`]: objects in order, and the bytes that
//! upstream would print.
//!
//! Start at [`build()`]. [`flux`] is the layer that kustomize-controller has on
//! top: a folder without a kustomization file gets one made.
//!
//! Of a kustomization, `resources` (files, folders, other kustomizations),
//! `buildMetadata: [originAnnotations]`, `sortOptions` and `metadata` work. Any
//! other field that is set is an error that names it and the file it is in: to
//! skip it silently would apply something else than what was asked for.

mod build;
mod decode;
mod error;
mod facts;
pub mod flux;
pub mod fs;
mod generators;
mod hash;
mod id;
mod kustomization;
mod order;
mod origin;
mod pattern;
mod read;
mod resmap;
mod resource;
pub mod substitute;
mod transform;

pub use build::{Limits, LoadRestrictor, Options, Reorder, ResMap, build};
pub use error::{Code, Error};
pub use fs::Fs;
pub use kustomization::FILE_NAMES;

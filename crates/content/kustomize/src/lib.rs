//! `kustomize build` as a pure function over a file tree.
//!
//! The engine sees files only through [`Fs`], starts no process, opens no
//! connection, reads no environment and has no global state: builds run in
//! parallel, and a path that it prints is one of the tree, never one of the
//! machine. What it returns is [`ResMap`]: objects in order, and the bytes that
//! upstream would print.
//!
//! Start at [`build()`], or for the bytes alone at [`print()`]. [`flux`] is the layer that kustomize-controller has on
//! top: a folder without a kustomization file gets one made.

mod build;
mod configuration;
mod decode;
mod error;
mod facts;
pub mod flux;
pub mod fs;
mod generators;
mod growth;
mod hash;
mod id;
mod kustomization;
mod loader;
mod order;
mod origin;
mod parallel;
mod pattern;
mod pipeline;
mod plugins;
mod read;
pub mod remote;
mod resmap;
mod resource;
pub mod substitute;
mod target;
mod transform;

pub use build::{
    Limits, LoadRestrictor, Options, Reorder, ResMap, SchemaMode, Warn, build, build_repository,
    print, print_repository,
};
pub use error::{Code, Error};
pub use fs::Fs;
pub use kustomization::FILE_NAMES;
pub use remote::{Fetcher, Repository, Unfetched};

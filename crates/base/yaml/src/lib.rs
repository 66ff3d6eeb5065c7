//! YAML as Go's libraries read and write it, and JSON as Go prints it.
//!
//! Flux, kustomize and kubectl read manifests through a chain of Go libraries
//! whose quirks are part of every user's data: `yes` is a boolean, `0o17` is 15,
//! a line folds at column 80, keys sort so that `item10` follows `item9`. A
//! byte of difference shows up as drift, so this crate reproduces the chain
//! rather than YAML as a standard has it.
//!
//! The way of a text, each step a module of its own:
//!
//! ```text
//! bytes ─reader→ characters ─scanner→ tokens ─parser→ events ─node→ Document
//!                                                                     │
//!                             Value ←────────── decode ───────────────┘
//!                               └─ v2::encode → events ─emitter→ text
//! ```
//!
//! Scanner, parser and emitter are the event machine of libyaml, which both
//! generations of go-yaml share; a dialect is what resolves scalars and drives
//! the emitter. [`v2`] is the dialect of `sigs.k8s.io/yaml`, in which manifests
//! are read and printed; [`v3`] is the one in which kustomize reads resources;
//! [`json`] is Go's `encoding/json`.
//!
//! Values are [`serde_json::Value`], because that is what the rest of the house
//! and the API server speak. The crate refuses what cannot be one: infinities,
//! NaN, keys that are collections, and nesting beyond [`MAX_DEPTH`].

mod decode;
mod emitter;
mod error;
pub mod event;
pub mod json;
pub mod node;
mod parser;
mod reader;
mod scanner;
pub mod tree;
pub mod v2;
pub mod v3;

pub use error::{Error, ErrorKind};
pub use serde_json::{Map, Number, Value};
pub use tree::Node;

/// How deep a [`Value`] may nest.
///
/// Go's readers stop at 10,000 levels, which costs Go nothing as its stacks
/// grow. A `serde_json::Value` is dropped, cloned, compared and serialised by
/// recursion on stacks of two megabytes, so the bound for values is lower; it
/// is far beyond what any manifest has.
pub const MAX_DEPTH: usize = 256;

/// Which library's rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// go-yaml v2 behind `sigs.k8s.io/yaml`; of duplicate keys the last one wins.
    V2,
    /// The same, but a duplicate key is an error.
    V2Strict,
    /// go-yaml v3 behind kyaml; a duplicate key is an error.
    V3,
}

impl Dialect {
    fn is_v2(self) -> bool {
        self != Self::V3
    }
}

//! YAML as Go's libraries read and write it, and JSON as Go prints it.
//!
//! Flux, kustomize and kubectl read manifests with a chain of Go libraries. Their quirks are part
//! of every user's data: `yes` is a boolean, `0o17` is 15, a line folds at column 80, `item10`
//! sorts after `item9`. Each different byte shows up as drift, so this crate follows the
//! libraries rather than the YAML standard.
//!
//! Each step from a text to a value is a module:
//!
//! ```text
//! bytes ─reader→ characters ─scanner→ tokens ─parser→ events ─node→ Document
//!                                                                     │
//!                             Value ←────────── decode ───────────────┘
//!                               └─ v2::encode → events ─emitter→ text
//! ```
//!
//! Scanner, parser and emitter are the event machine of libyaml, which both versions of go-yaml
//! share. A dialect resolves scalars and drives the emitter. [`v2`] is the dialect of
//! `sigs.k8s.io/yaml`, for reading and printing manifests. [`v3`] is the dialect in which
//! kustomize reads resources. [`tree`] is an editable document, and [`edit`] replaces scalars in a
//! text in place. [`stream`] reads a large document part by part. [`json`] is Go's `encoding/json`.
//!
//! Values are [`serde_json::Value`]s. A text is rejected if a value cannot represent it:
//! infinities, NaN, collections as keys, and nesting beyond [`MAX_DEPTH`].

mod decode;
pub mod edit;
mod emitter;
mod error;
pub mod event;
pub mod json;
pub mod limits;
pub mod node;
mod parser;
mod reader;
mod scanner;
pub mod stream;
pub mod tree;
pub mod v2;
pub mod v3;

pub use error::{Error, ErrorKind};
pub use serde_json::{Map, Number, Value};
pub use tree::Node;

/// Maximum nesting of a [`Value`].
///
/// Go's readers allow 10,000 levels on growing stacks. A `serde_json::Value` is dropped, cloned,
/// compared and serialized by recursion on stacks of two megabytes. So the limit is lower here.
/// Manifests stay far below it.
pub const MAX_DEPTH: usize = 256;

/// The library whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// go-yaml v2 behind `sigs.k8s.io/yaml`. The last of several equal keys wins.
    V2,
    /// As `V2`, but a duplicate key is an error.
    V2Strict,
    /// go-yaml v3 behind kyaml. A duplicate key is an error.
    V3,
}

impl Dialect {
    fn is_v2(self) -> bool {
        self != Self::V3
    }
}

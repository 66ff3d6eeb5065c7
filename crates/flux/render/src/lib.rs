//! One pipeline from a Kustomization node to objects: generate the kustomization
//! file, decrypt, build, substitute variables, expand lists.
//!
//! Controllers and the command line share this pipeline, so that `build` and `diff`
//! show the objects that the controller applies. It is pure: the caller hands in the
//! file tree, the keys, the variables and the fetcher of remote bases.
//!
//! Start at [`render()`]. [`preview`] is the variant for people: it masks encrypted
//! values instead of decrypting them. [`Masks`] and [`conceal_secret`] conceal values in the
//! difference between an object and the cluster.

mod concealed;
mod decryption;
mod error;
pub mod mask;
mod metadata;
mod node;
mod pipeline;
mod secret;
pub mod variables;

pub use concealed::{InvalidMask, Masks};
pub use decryption::Waiter;
pub use error::RenderError;
pub use metadata::{parse_common_metadata, set_common_metadata};
pub use node::{Node, RenderedNode, View};
pub use pipeline::{preview, render};
pub use secret::conceal_secret;

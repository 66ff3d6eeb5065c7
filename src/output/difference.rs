//! How two versions of a value differ, told as `flux diff` tells it: path by path, with entries
//! of lists known by their names.
//!
//! [`compare()`] finds the changes, [`render()`] writes them. Both are pure; the width of the
//! terminal is an argument, since short blocks are set side by side.
//!
//! Parity: dyff: `pkg/dyff` v1.10.2 with the settings of flux2: `internal/build/diff.go`.
//! Differences: certificates are compared as the texts they are, an underscore in a path stays,
//! and of several fields that could name the entries of a list the first is taken.

mod compare;
mod render;
mod yaml;

pub use compare::{Change, compare};
pub use render::render;

#[cfg(test)]
mod tests;

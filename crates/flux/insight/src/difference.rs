//! Differences between two versions of a value, in the form of `flux diff`: path by path, with
//! entries of lists identified by their names.
//!
//! [`compare()`] finds the changes, [`render()`] writes them. Both are pure. The width of the
//! terminal is an argument, since short blocks stand side by side.
//!
//! Parity: dyff: `pkg/dyff` v1.10.2 with the settings of flux2: `internal/build/diff.go`.
//! Differences: certificates are compared as texts, and an underscore in a path stays. Of several
//! fields that could name the entries of a list, ours takes the first.

mod compare;
mod render;
mod yaml;

pub use compare::{Change, compare};
pub use render::render;

#[cfg(test)]
mod tests;

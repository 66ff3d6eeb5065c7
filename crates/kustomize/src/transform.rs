//! The transformers: what a build does to its resources.

pub(crate) mod patch;

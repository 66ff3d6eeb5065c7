//! An entry point for the fuzzer of xtask, to code that otherwise needs a remote.

pub use crate::store::index::index_pack;

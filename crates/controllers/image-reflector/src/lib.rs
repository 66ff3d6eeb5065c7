//! Images: the tags of repositories, and the policies that select one of them.
//!
//! The parts here are pure or only touch the disk. An `ImageRepository` is scanned when
//! [`scan::decide`] says so. Its tags go into the [`store::TagStore`], sorted from the greatest to
//! the smallest. An `ImagePolicy` reads them as a stream through a [`policy::Selector`], and
//! [`digest`] decides on the digest of the selected tag. [`access`] says who may read whose tags. [`policy::explain()`] answers why a tag was
//! selected.
//!
//! Parity: image-reflector-controller 1.2.4: internal/{controller,policy,storage}.

pub mod access;
pub mod digest;
pub mod image;
pub mod policy;
pub mod revision;
pub mod scan;
pub mod store;

//! What each command does: `commands/<verb>.rs`, or `commands/<verb>/<noun>.rs` where a verb
//! takes nouns. A module holds `Args` (whose doc comments are the help text) and
//! `run(args, &Context)`, which computes a value and hands it to [`crate::output`].

pub mod build;
pub mod check;
pub mod completion;
pub mod controller;
pub mod create;
pub mod delete;
#[cfg(feature = "dev")]
pub mod dev;
pub mod diff;
pub mod envsubst;
pub mod events;
pub mod export;
pub mod get;
pub mod install;
pub mod list;
pub mod logs;
mod nouns;
pub mod pull;
pub mod push;
pub mod reconcile;
pub mod resume;
mod settled;
pub mod suspend;
pub mod tag;
pub mod tree;
pub mod uninstall;
pub mod version;

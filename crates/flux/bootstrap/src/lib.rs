//! Installs Flux and syncs a cluster from a Git repository.
//!
//! A host adds the address and the credentials. [`git`] takes both from flags, and [`provider`]
//! adds a host with an API, whose requests are in `hosted`. Both return [`Settings`], and
//! [`Bootstrap`] runs the steps. `layout` computes the committed files with pure functions.
//! `repository` clones, commits and pushes without a worktree. `secret` is the cluster's access to
//! the repository.
//!
//! Nothing here prints or asks. Progress goes to a [`Reporter`](sluice_lifecycle::Reporter), and
//! questions to a [`Prompt`].
//!
//! Start at [`Bootstrap::begin`].

mod cluster;
mod export;
pub mod git;
mod host_keys;
mod hosted;
mod layout;
mod loss;
mod options;
pub mod plan;
mod prompt;
pub mod provider;
mod reconciled;
mod repository;
mod run;
mod secret;
mod settings;
mod signing;

pub use layout::safe_path;
pub use options::{KeyOptions, Options, SigningOptions};
pub use prompt::Prompt;
pub use run::Bootstrap;
pub use settings::Settings;

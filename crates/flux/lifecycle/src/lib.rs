//! Installs, upgrades, uninstalls, migrates, takes over and gives back a Flux
//! installation, as plans and steps.
//!
//! Decisions are pure: [`takeover::judge`] compares an installation with this version,
//! [`upgrade`] compares definitions, [`rewrite`] finds old API versions in manifests.
//! Steps run on a [`Session`]: a cluster, a namespace, a deadline and a [`Progress`].
//! The caller asks the user and prints.
//!
//! Start at [`Session`].

mod error;
pub mod installation;
mod installer;
pub mod kubernetes;
pub mod observe;
pub mod other_tool;
mod package;
mod pull_secret;
pub mod ready;
mod release;
pub mod rewrite;
mod session;
pub mod storage;
pub mod takeover;
pub mod topology;
pub mod uninstall;
mod upgrade;

pub use error::{Error, ErrorKind};
pub use installer::Installer;
pub use package::Package;
pub use pull_secret::PullSecret;
pub use release::{RELEASES, Release};
pub use session::{FIELD_MANAGER, Mark, Progress, Reporter, Session};
pub use upgrade::Upgrade;

//! The actions on releases: install, upgrade, roll back, uninstall, test.
//!
//! Each action observes the history and the cluster, makes a [`Plan`] of [`Step`]s, and performs
//! it. Plans are data, so that their order is tested without a cluster. Statuses, descriptions and
//! messages are Helm's.

mod install;
mod options;
mod perform;
mod plan;
mod rollback;
mod test;
mod uninstall;
mod upgrade;

pub use install::install;
pub use options::{Install, Reuse, Rollback, ServerSide, Test, Uninstall, Upgrade};
pub use plan::{Plan, Step};
pub use rollback::rollback;
pub use test::test;
pub use uninstall::{UninstalledRelease, uninstall};
pub use upgrade::upgrade;

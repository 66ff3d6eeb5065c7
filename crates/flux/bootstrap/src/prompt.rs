//! Questions to the user.

use sluice_lifecycle::Error;
use sluice_lifecycle::other_tool::OtherTool;

/// Asks the user. An error ends the bootstrap.
pub trait Prompt {
    /// Confirms that the installation of another tool may be changed.
    fn confirm_override(&self, other: &OtherTool) -> Result<(), Error>;

    /// Confirms that controllers, and the objects of their kinds, may be deleted.
    fn confirm_loss(&self) -> Result<(), Error>;

    /// Confirms that the key of the cluster has access to the repository.
    fn confirm_key_access(&self) -> Result<(), Error>;
}

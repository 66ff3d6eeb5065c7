//! Size limit of the values that functions create.

use super::error::{INTERRUPTED, Result};

/// Maximum size of a text in bytes, or of a list in elements.
const MAX_SIZE: usize = 10 << 20;

/// Rejects a result that would exceed [`MAX_SIZE`], before it is created.
pub(super) fn check_size(size: usize) -> Result<()> {
    if size > MAX_SIZE {
        return Err(INTERRUPTED.to_owned());
    }
    Ok(())
}

//! Prints the result of a comparison with the cluster.

use sluice_preview::comparison::Comparison;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, output};

/// Exit code of a failed comparison.
pub(in crate::commands) const FAILED: u8 = 2;

/// Prints the differences, and returns the exit code.
pub(super) fn print(comparison: &Comparison, context: &Context) -> CommandResult {
    output::stdout(&output::plain(&comparison.text))?;
    if !comparison.failures.is_empty() {
        return Err(CommandError::cluster(comparison.failures.join("\n")));
    }
    if comparison.changed {
        context
            .progress
            .warning("identified at least one change, exiting with non-zero exit code");
        return Ok(Exit::FAILURE);
    }
    Ok(Exit::SUCCESS)
}

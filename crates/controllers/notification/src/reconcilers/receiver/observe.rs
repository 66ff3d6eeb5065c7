//! Checks the spec. It needs no reads.

use sluice_api::notification::Receiver;

use super::model::Facts;
use crate::receiver::check;

/// Returns the facts for the first plan.
pub(super) fn observe(receiver: &Receiver) -> Facts {
    Facts {
        spec_error: check(&receiver.spec).err(),
        path: None,
    }
}

//! Parses the spec. It needs no reads.

use sluice_api::notification::Receiver;

use super::model::Facts;
use super::spec::Spec;

/// Returns the facts for the first plan.
pub(super) fn observe(receiver: &Receiver) -> Facts {
    Facts {
        spec: Spec::parse(receiver).map_err(Into::into),
        path: None,
    }
}

//! Classifies errors of a registry. Pure.

use sluice_api::meta::reason::AUTHENTICATION_FAILED;
use sluice_golang::error::chain;
use sluice_oci::RequestError;

use crate::fault::Fault;

/// Returns the failure of the object after a failed request.
pub(super) fn classify(error: &RequestError, reason: &'static str, action: &str) -> Fault {
    let hint = match error {
        RequestError::Refused(error @ sluice_oci::Error::Login { .. }) => {
            return Fault::retry(AUTHENTICATION_FAILED, chain(error));
        }
        RequestError::Refused(_) if error.is_denied() => {
            ": check spec.secretRef and what its credentials may read"
        }
        RequestError::Refused(_) => "",
        RequestError::TooLate { .. } => ": spec.timeout limits all requests of a run",
    };
    Fault::retry(reason, format!("{action}: {}{hint}", error.describe()))
}

//! The failures of Flux's chart builder: a reason, a summary and a condition each. Pure.
//!
//! Parity: source-controller: internal/helm/chart/errors.go.

use std::borrow::Cow;
use std::fmt::Display;

use sluice_api::meta::reason;
use sluice_engine::{Failure, Retry};

use crate::fault::{FailureCondition, Fault};

/// The name, the version or the path of the chart is not valid.
pub(super) fn reference(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartFetch,
        reason::INVALID_CHART_REFERENCE,
        Retry::Stalled,
        format!("invalid chart reference: {error}"),
    )
}

/// The chart could not be pulled.
pub(super) fn pull(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartFetch,
        reason::CHART_PULL_ERROR,
        Retry::Backoff,
        format!("chart pull error: {error}"),
    )
}

/// The version cannot have build metadata.
pub(super) fn metadata(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartBuild,
        reason::METADATA_PATCH_ERROR,
        Retry::Stalled,
        format!("chart metadata patch error: {error}"),
    )
}

/// Values files could not be merged.
pub(super) fn values(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartBuild,
        reason::VALUES_FILES_ERROR,
        Retry::Stalled,
        format!("values files merge error: {error}"),
    )
}

/// Dependencies could not be added.
pub(super) fn dependency(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartBuild,
        reason::DEPENDENCY_BUILD_ERROR,
        Retry::Backoff,
        format!("dependency build error: {error}"),
    )
}

/// The chart could not be loaded or packaged.
pub(super) fn package(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartBuild,
        reason::CHART_PACKAGE_ERROR,
        Retry::Backoff,
        format!("chart package error: {error}"),
    )
}

/// The signature is not valid.
pub(super) fn verification(error: impl Display) -> Fault {
    fault(
        FailureCondition::ChartVerification,
        reason::CHART_VERIFICATION_ERROR,
        Retry::Backoff,
        format!("chart verification error: {error}"),
    )
}

/// Another retry than with back-off.
pub(super) fn retried(fault: Fault, retry: Retry) -> Fault {
    let Fault { condition, failure } = fault;
    Fault {
        condition,
        failure: Failure { retry, ..failure },
    }
}

/// The signers could not be read.
pub(super) fn signers(error: Fault) -> Fault {
    Fault {
        condition: FailureCondition::UnknownVerification,
        ..error
    }
}

/// A failure outside of the chart builder. Its condition says so, and its event has the reason.
pub(super) fn outside(
    reason: impl Into<Cow<'static, str>>,
    retry: Retry,
    message: impl Into<String>,
) -> Fault {
    fault(FailureCondition::UnknownBuild, reason, retry, message)
}

/// The repository has no usable credentials.
pub(super) fn unauthenticated(message: impl Into<String>) -> Fault {
    outside(reason::AUTHENTICATION_FAILED, Retry::Backoff, message)
}

/// The credentials or the certificates of the repository are not accepted.
pub(super) fn denied(error: &Fault) -> Fault {
    let message = format!(
        "failed to authenticate with the Helm repository: {}",
        error.failure.message
    );
    unauthenticated(message)
}

fn fault(
    condition: FailureCondition,
    reason: impl Into<Cow<'static, str>>,
    retry: Retry,
    message: impl Into<String>,
) -> Fault {
    Fault {
        condition,
        failure: Failure::message(reason, retry, message),
    }
}

//! The failure of a run, and the condition that reports it.

use sluice_api::meta::reason;
use sluice_api::source::condition::{
    BUILD_FAILED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_engine::conditions::ConditionSet;
use sluice_engine::{Failure, ReportError, Retry, StepTimeout};
use sluice_host::GateDisabled;
use sluice_producer::StorageFailure;

/// A failure, and the condition that reports it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) condition: FailureCondition,
    pub(crate) failure: Failure,
}

/// The condition that reports a failure, in addition to `Ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureCondition {
    /// A condition that is bad while it is true.
    True(&'static str),
    /// A condition that is good while it is true.
    False(&'static str),
    /// Only `Ready` reports it.
    ReadyOnly,
    /// A chart could not be found or pulled, so its build did not fail.
    ChartFetch,
    /// A chart could not be built, so its fetch did not fail.
    ChartBuild,
    /// The signature of a chart is not valid.
    ChartVerification,
    /// A failure outside of Flux's chart builder.
    UnknownBuild,
    /// The keys for the signature of a chart could not be read.
    UnknownVerification,
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Self {
            condition: FailureCondition::ReadyOnly,
            failure: Failure::new(reason::PATCH_OPERATION_FAILED, Retry::Backoff, &error),
        }
    }
}

impl From<StepTimeout> for Fault {
    fn from(error: StepTimeout) -> Self {
        Self {
            condition: FailureCondition::ReadyOnly,
            failure: Failure::new(reason::FAILED, Retry::Backoff, &error),
        }
    }
}

impl From<StorageFailure> for Fault {
    fn from(StorageFailure(failure): StorageFailure) -> Self {
        Self {
            condition: FailureCondition::True(STORAGE_OPERATION_FAILED),
            failure,
        }
    }
}

impl Fault {
    pub(crate) fn fetch(failure: Failure) -> Self {
        Self {
            condition: FailureCondition::True(FETCH_FAILED),
            failure,
        }
    }

    /// A failed fetch that is retried with back-off.
    pub(crate) fn retry(reason: &'static str, message: impl Into<String>) -> Self {
        Self::fetch(Failure::message(reason, Retry::Backoff, message))
    }

    /// The object names a service account, but the feature gate is off.
    pub(crate) fn gate_disabled(error: GateDisabled, condition: FailureCondition) -> Self {
        let failure = Failure::new(reason::FEATURE_GATE_DISABLED, Retry::Stalled, &error);
        Self { condition, failure }
    }

    /// Whether the object only waits for another one.
    pub(crate) fn is_wait(&self) -> bool {
        self.condition == FailureCondition::True(INCLUDE_UNAVAILABLE)
            || self.failure.reason == reason::NO_SOURCE_ARTIFACT
    }

    /// Sets the condition of this failure.
    pub(crate) fn report(&self, condition_set: &mut ConditionSet) {
        let Failure {
            reason: cause,
            message,
            ..
        } = &self.failure;
        match self.condition {
            FailureCondition::True(condition) => condition_set.set_true(condition, cause, message),
            FailureCondition::False(condition) => {
                condition_set.set_false(condition, cause, message);
            }
            FailureCondition::ReadyOnly => {}
            FailureCondition::ChartFetch => {
                condition_set.remove(BUILD_FAILED);
                condition_set.set_true(FETCH_FAILED, cause, message);
            }
            FailureCondition::ChartBuild => {
                condition_set.remove(FETCH_FAILED);
                condition_set.set_true(BUILD_FAILED, cause, message);
            }
            FailureCondition::ChartVerification => {
                condition_set.remove(FETCH_FAILED);
                condition_set.set_true(BUILD_FAILED, cause, message);
                condition_set.set_false(SOURCE_VERIFIED, reason::VERIFICATION_ERROR, message);
            }
            FailureCondition::UnknownBuild | FailureCondition::UnknownVerification => {
                if self.condition == FailureCondition::UnknownVerification {
                    condition_set.set_false(SOURCE_VERIFIED, cause, message);
                }
                condition_set.remove(BUILD_FAILED);
                let message = format!("unknown build error: {message}");
                condition_set.set_true(FETCH_FAILED, reason::UNKNOWN_BUILD_ERROR, message);
            }
        }
    }
}

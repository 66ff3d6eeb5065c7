//! The strategies after failures: how often an action is tried, and what follows the last failure.
//! Pure.
//!
//! Parity: `helm-controller: api/v2/helmrelease_types.go`.

use std::time::Duration;

use sluice_api::helm::{
    HelmReleaseSpec, HelmReleaseStatus, InstallRemediation, ReleaseAction, RemediationStrategy,
    StrategyName, UpgradeRemediation,
};
use sluice_api::meta;

/// Interval between retries if the spec has none.
const RETRY_INTERVAL: Duration = Duration::from_mins(5);

/// The remediation of failed installs or upgrades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remediation {
    action: ReleaseAction,
    retries: i64,
    ignores_tests: Option<bool>,
    remediates_last: bool,
    strategy: RemediationStrategy,
}

impl Remediation {
    /// The remediation of a failed install.
    pub(super) fn of_install(spec: &HelmReleaseSpec) -> Self {
        let default = InstallRemediation::default();
        let install = spec.install.as_ref();
        let own = install.and_then(|install| install.remediation.as_ref());
        let own = own.unwrap_or(&default);
        Self {
            action: ReleaseAction::Install,
            retries: own.retries.unwrap_or_default().into(),
            ignores_tests: own.ignore_test_failures,
            remediates_last: own.remediate_last_failure.unwrap_or_default(),
            strategy: RemediationStrategy::Uninstall,
        }
    }

    /// The remediation of a failed upgrade.
    pub(super) fn of_upgrade(spec: &HelmReleaseSpec) -> Self {
        let default = UpgradeRemediation::default();
        let upgrade = spec.upgrade.as_ref();
        let own = upgrade.and_then(|upgrade| upgrade.remediation.as_ref());
        let own = own.unwrap_or(&default);
        let retries = own.retries.unwrap_or_default().into();
        Self {
            action: ReleaseAction::Upgrade,
            retries,
            ignores_tests: own.ignore_test_failures,
            remediates_last: own.remediate_last_failure.unwrap_or(retries > 0),
            strategy: own
                .strategy
                .clone()
                .unwrap_or(RemediationStrategy::Rollback),
        }
    }

    /// The remediation of the last action, if that was an install or an upgrade.
    pub(super) fn active(spec: &HelmReleaseSpec, status: &HelmReleaseStatus) -> Option<Self> {
        match status.last_attempted_release_action {
            Some(ReleaseAction::Install) => Some(Self::of_install(spec)),
            Some(ReleaseAction::Upgrade) => Some(Self::of_upgrade(spec)),
            _ => None,
        }
    }

    /// The number of failures that count.
    pub(super) fn failures(&self, status: &HelmReleaseStatus) -> i64 {
        match self.action {
            ReleaseAction::Install => status.install_failures,
            _ => status.upgrade_failures,
        }
    }

    /// Counts a failure.
    pub(super) fn count(&self, status: &mut HelmReleaseStatus) {
        match self.action {
            ReleaseAction::Install => status.install_failures += 1,
            _ => status.upgrade_failures += 1,
        }
    }

    /// Whether no retry is left. A negative number of retries means any number.
    pub(super) fn is_exhausted(&self, status: &HelmReleaseStatus) -> bool {
        self.retries >= 0 && self.failures(status) > self.retries
    }

    /// Whether the last failure is remediated, too.
    pub(super) fn remediates_last(&self) -> bool {
        self.remediates_last
    }

    /// Whether failed tests do not count as failures.
    pub(super) fn ignores_tests(&self, spec: &HelmReleaseSpec) -> bool {
        self.ignores_tests.unwrap_or_else(|| ignores_tests(spec))
    }

    /// The kind of remediation.
    pub(super) fn strategy(&self) -> &RemediationStrategy {
        &self.strategy
    }

    /// Whether an upgrade is remediated by an uninstall.
    pub(super) fn uninstalls_upgrade(&self) -> bool {
        self.action == ReleaseAction::Upgrade && self.strategy == RemediationStrategy::Uninstall
    }
}

/// Whether the spec ignores failed tests.
pub(super) fn ignores_tests(spec: &HelmReleaseSpec) -> bool {
    spec.test.as_ref().is_some_and(|test| test.ignore_failures)
}

/// Whether tests run.
pub(super) fn has_tests(spec: &HelmReleaseSpec) -> bool {
    spec.test.as_ref().is_some_and(|test| test.enable)
}

/// The interval between retries of an action, if it is retried instead of remediated.
pub(super) fn retry_of(
    action: &ReleaseAction,
    spec: &HelmReleaseSpec,
    retries_by_default: bool,
) -> Option<Duration> {
    let strategy: Option<(&StrategyName, Option<&meta::Duration>)> = match action {
        ReleaseAction::Install => {
            let strategy = spec
                .install
                .as_ref()
                .and_then(|install| install.strategy.as_ref());
            strategy.map(|strategy| (&strategy.name, strategy.retry_interval.as_ref()))
        }
        ReleaseAction::Upgrade => {
            let strategy = spec
                .upgrade
                .as_ref()
                .and_then(|upgrade| upgrade.strategy.as_ref());
            strategy.map(|strategy| (&strategy.name, strategy.retry_interval.as_ref()))
        }
        ReleaseAction::Other(_) => return None,
    };
    match strategy {
        None => retries_by_default.then_some(RETRY_INTERVAL),
        Some((StrategyName::RetryOnFailure, interval)) => {
            let interval = interval.and_then(|interval| interval.parse().ok());
            Some(interval.unwrap_or(RETRY_INTERVAL))
        }
        Some(_) => None,
    }
}

/// The interval between retries of the last action, if it is retried instead of remediated.
pub(super) fn active_retry(
    spec: &HelmReleaseSpec,
    status: &HelmReleaseStatus,
    retries_by_default: bool,
) -> Option<Duration> {
    let action = status.last_attempted_release_action.as_ref()?;
    retry_of(action, spec, retries_by_default)
}

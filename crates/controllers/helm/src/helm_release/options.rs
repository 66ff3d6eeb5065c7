//! The options of Helm's actions, from the spec of a release. Pure.
//!
//! Parity: `helm-controller: internal/action/{install,upgrade,rollback,uninstall,test}.go`.

use std::time::Duration;

use sluice_api::helm::{
    CrdPolicy, DeletionPropagation, HelmRelease, HelmReleaseSpec, ServerSideApply, WaitStrategyName,
};
use sluice_helm::Delivery;
use sluice_helm::action::{Install, Reuse, Rollback, ServerSide, Test, Uninstall, Upgrade};
use sluice_helm::cluster::{Propagation, WaitStrategy};
use sluice_helm::post_render::{PostRenderer, Strategy};

use super::model::Action;
use super::policy::Policy;
use super::spec;

/// Revisions in the storage if the spec does not limit them.
const MAX_HISTORY: usize = 5;

/// The most revisions in the storage after an action. Zero means no limit.
pub(super) fn max_history(action: &Action, spec: &HelmReleaseSpec) -> usize {
    if !matches!(action, Action::Upgrade | Action::Rollback(_)) {
        return 0;
    }
    let own = spec
        .max_history
        .map(|most| usize::try_from(most).unwrap_or_default());
    own.unwrap_or(MAX_HISTORY)
}

/// The wait strategy of an action.
fn wait(spec: &HelmReleaseSpec, is_disabled: bool, policy: &Policy) -> WaitStrategy {
    let name = spec.wait_strategy.as_ref().map(|strategy| &strategy.name);
    match name {
        _ if is_disabled => WaitStrategy::HookOnly,
        Some(WaitStrategyName::Legacy) => WaitStrategy::Legacy,
        None if policy.helm3_defaults => WaitStrategy::Legacy,
        _ => WaitStrategy::Watcher,
    }
}

/// Whether an action leaves out the validation of the values by the schemas of the chart.
pub(super) fn skips_schema(action: &Action, spec: &HelmReleaseSpec) -> bool {
    let (install, upgrade) = (spec.install.as_ref(), spec.upgrade.as_ref());
    match action {
        Action::Install => install.is_some_and(|own| own.disable_schema_validation),
        _ => upgrade.is_some_and(|own| own.disable_schema_validation),
    }
}

/// The policy for custom resource definitions of an action.
pub(super) fn crd_policy(action: &Action, spec: &HelmReleaseSpec) -> Result<CrdPolicy, String> {
    let (install, upgrade) = (spec.install.as_ref(), spec.upgrade.as_ref());
    let policy = match action {
        Action::Install => install.and_then(|own| own.crds.as_ref()),
        _ => upgrade.and_then(|own| own.crds.as_ref()),
    };
    match policy {
        None => Ok(CrdPolicy::Create),
        Some(CrdPolicy::Other(other)) => Err(format!(
            "invalid CRD upgrade policy '{other}', valid values are 'Skip', 'Create' or \
             'CreateReplace'"
        )),
        Some(policy) => Ok(policy.clone()),
    }
}

/// The options of an install.
pub(super) fn install(object: &HelmRelease, policy: &Policy) -> Install {
    let spec = &object.spec;
    let own = spec.install.clone().unwrap_or_default();
    let is_server_side = own.server_side_apply.unwrap_or(!policy.helm3_defaults);
    let has_target = spec
        .target_namespace
        .as_ref()
        .is_some_and(|name| !name.is_empty());
    Install {
        name: spec::short_name(object),
        namespace: spec::release_namespace(object).to_owned(),
        create_namespace: has_target && own.create_namespace,
        replace: own.replace,
        // The controller applies them by its policy.
        skips_crds: true,
        delivery: Delivery {
            server_side: is_server_side,
            force_conflicts: is_server_side,
            force_replace: false,
            take_ownership: !own.disable_take_ownership,
            validates: !own.disable_openapi_validation,
            runs_hooks: !own.disable_hooks,
            wait: wait(spec, own.disable_wait, policy),
            waits_for_jobs: !own.disable_wait_for_jobs,
            timeout: Action::Install.timeout(spec),
        },
        ..Install::default()
    }
}

/// Whether an action applies on the server. `last` is the method of the last revision.
pub(super) fn is_server_side(mode: Option<&ServerSideApply>, last: &str) -> bool {
    match mode {
        Some(ServerSideApply::Enabled) => true,
        Some(ServerSideApply::Disabled) => false,
        _ => last == "ssa",
    }
}

fn server_side(is_on: bool) -> ServerSide {
    if is_on {
        ServerSide::On
    } else {
        ServerSide::Off
    }
}

/// The options of an upgrade. `last` is the apply method of the last revision.
pub(super) fn upgrade(object: &HelmRelease, policy: &Policy, last: &str) -> Upgrade {
    let spec = &object.spec;
    let own = spec.upgrade.clone().unwrap_or_default();
    let is_server_side = is_server_side(own.server_side_apply.as_ref(), last);
    Upgrade {
        reuse: if own.preserve_values {
            Reuse::Reuse
        } else {
            Reuse::Reset
        },
        server_side: server_side(is_server_side),
        cleans_up: own.cleanup_on_fail,
        delivery: Delivery {
            server_side: is_server_side,
            force_conflicts: is_server_side,
            force_replace: own.force && !is_server_side,
            take_ownership: !own.disable_take_ownership,
            validates: !own.disable_openapi_validation,
            runs_hooks: !own.disable_hooks,
            wait: wait(spec, own.disable_wait, policy),
            waits_for_jobs: !own.disable_wait_for_jobs,
            timeout: Action::Upgrade.timeout(spec),
        },
        ..Upgrade::default()
    }
}

/// The options of a roll-back. `previous` is the apply method of the revision to roll back to.
pub(super) fn rollback(
    object: &HelmRelease,
    policy: &Policy,
    version: i64,
    timeout: Duration,
    previous: &str,
) -> Rollback {
    let spec = &object.spec;
    let own = spec.rollback.clone().unwrap_or_default();
    let is_server_side = is_server_side(own.server_side_apply.as_ref(), previous);
    Rollback {
        version,
        server_side: server_side(is_server_side),
        cleans_up: own.cleanup_on_fail,
        delivery: Delivery {
            server_side: is_server_side,
            force_conflicts: is_server_side,
            force_replace: own.force && !is_server_side,
            runs_hooks: !own.disable_hooks,
            wait: wait(spec, own.disable_wait, policy),
            waits_for_jobs: !own.disable_wait_for_jobs,
            timeout,
            ..Delivery::default()
        },
    }
}

/// The options of an uninstall.
pub(super) fn uninstall(object: &HelmRelease, policy: &Policy) -> Uninstall {
    let spec = &object.spec;
    let own = spec.uninstall.clone().unwrap_or_default();
    Uninstall {
        runs_hooks: !own.disable_hooks,
        keeps_history: own.keep_history,
        propagation: match own.deletion_propagation {
            Some(DeletionPropagation::Foreground) => Propagation::Foreground,
            Some(DeletionPropagation::Orphan) => Propagation::Orphan,
            _ => Propagation::Background,
        },
        wait: wait(spec, own.disable_wait, policy),
        timeout: Action::Uninstall.timeout(spec),
        ..Uninstall::default()
    }
}

/// The options of a test.
pub(super) fn test(object: &HelmRelease) -> Test {
    let spec = &object.spec;
    let filters = spec.test.as_ref().map(|test| test.filters.as_slice());
    let names = |is_excluded: bool| {
        let filters = filters.into_iter().flatten();
        let filters = filters.filter(|filter| filter.exclude == is_excluded);
        filters.map(|filter| filter.name.clone()).collect()
    };
    Test {
        includes: names(false),
        excludes: names(true),
        timeout: Action::Test.timeout(spec),
    }
}

/// The steps that change rendered documents.
pub(super) fn post_renderer(object: &HelmRelease, policy: &Policy) -> PostRenderer {
    let default = if policy.helm3_defaults {
        Strategy::NoHooks
    } else {
        Strategy::Combined
    };
    sluice_release::post_renderer(object, default)
}

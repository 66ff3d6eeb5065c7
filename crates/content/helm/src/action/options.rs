//! The options of actions.

use std::time::Duration;

use crate::cluster::{Propagation, WaitStrategy};
use crate::context::Delivery;
use crate::record::{Labels, Release};

/// How a release is installed.
#[derive(Debug, Clone, Default)]
pub struct Install {
    /// The name of the release.
    pub name: String,
    /// The namespace of the release.
    pub namespace: String,
    /// Labels of the record.
    pub labels: Labels,
    /// The description of a deployed release, in place of Helm's.
    pub description: Option<String>,
    /// Whether the namespace is created.
    pub create_namespace: bool,
    /// Whether the name of an uninstalled or failed release may be used again.
    pub replace: bool,
    /// Whether the definitions of `crds/` are left out.
    pub skips_crds: bool,
    /// Whether a failed release is uninstalled.
    pub rolls_back: bool,
    /// Whether nothing is changed, neither in the cluster nor in the history.
    pub dry_run: bool,
    /// How objects are reached.
    pub delivery: Delivery,
}

/// Whether the API server merges objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerSide {
    /// As in the revision before.
    #[default]
    Auto,
    /// It does.
    On,
    /// It does not.
    Off,
}

impl ServerSide {
    pub(super) fn resolve(self, former: &Release) -> bool {
        match self {
            Self::Auto => former.apply_method == "ssa",
            Self::On => true,
            Self::Off => false,
        }
    }

    pub(super) fn of(server_side: bool) -> Self {
        if server_side { Self::On } else { Self::Off }
    }
}

/// The fate of the values of the revision before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reuse {
    /// They are used if new values are missing.
    #[default]
    IfEmpty,
    /// They are not used.
    Reset,
    /// They are merged with new ones, over the defaults of the former chart.
    Reuse,
    /// They are merged with new ones, over the defaults of the new chart.
    ResetThenReuse,
}

/// How a release is upgraded.
#[derive(Debug, Clone, Default)]
pub struct Upgrade {
    /// Labels of the record; the value `null` removes one.
    pub labels: Labels,
    /// The description of a deployed release, in place of Helm's.
    pub description: Option<String>,
    /// The fate of former values.
    pub reuse: Reuse,
    /// Whether the API server merges objects.
    pub server_side: ServerSide,
    /// Whether objects are deleted that a failed upgrade has created.
    pub cleans_up: bool,
    /// Whether a failed upgrade is rolled back.
    pub rolls_back: bool,
    /// Whether nothing is changed, neither in the cluster nor in the history.
    pub dry_run: bool,
    /// How objects are reached, beside `server_side`.
    pub delivery: Delivery,
}

/// How a release is rolled back.
#[derive(Debug, Clone, Default)]
pub struct Rollback {
    /// The revision, or zero for the one before the last.
    pub version: i64,
    /// Whether the API server merges objects.
    pub server_side: ServerSide,
    /// Whether objects are deleted that a failed roll-back has created.
    pub cleans_up: bool,
    /// How objects are reached, beside `server_side`.
    pub delivery: Delivery,
}

/// How a release is uninstalled.
#[derive(Debug, Clone)]
pub struct Uninstall {
    /// Whether hooks run.
    pub runs_hooks: bool,
    /// Whether the history stays.
    pub keeps_history: bool,
    /// The fate of the dependents of objects.
    pub propagation: Propagation,
    /// The description of the release, in place of Helm's.
    pub description: Option<String>,
    /// How to wait until the objects are gone.
    pub wait: WaitStrategy,
    /// The time of each wait.
    pub timeout: Duration,
}

impl Default for Uninstall {
    fn default() -> Self {
        let delivery = Delivery::default();
        Self {
            runs_hooks: true,
            keeps_history: false,
            propagation: Propagation::default(),
            description: None,
            wait: delivery.wait,
            timeout: delivery.timeout,
        }
    }
}

/// Which tests run.
#[derive(Debug, Clone, Default)]
pub struct Test {
    /// The names of the tests that run; all if empty.
    pub includes: Vec<String>,
    /// The names of tests that do not run.
    pub excludes: Vec<String>,
    /// The time of each wait.
    pub timeout: Duration,
}

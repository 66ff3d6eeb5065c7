//! Simulates the decision about one object, given the answers of the server.
//!
//! Fuzz targets use it to check that decisions never panic, whatever `managedFields` and ignore
//! rules contain. Start at [`simulate`].

use sluice_object::{Object, Value};

use crate::IgnoreRules;
use crate::applier::evaluate::{Rules, Step, decide};
use crate::cleanup::former_managers;
use crate::markers::Markers;

/// The input of a decision.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The desired object.
    pub desired: Object,
    /// The live object.
    pub live: Option<Object>,
    /// The result of the dry-run.
    pub dry_run: Object,
    /// Our field manager.
    pub field_manager: String,
    /// Overridden field managers.
    pub overridden: Vec<String>,
    /// The API group of labels and annotations.
    pub group: String,
    /// The ignored fields.
    pub ignore: IgnoreRules,
}

/// The decision.
#[derive(Debug, Clone, PartialEq)]
pub enum SimulatedAction {
    /// The object is excluded.
    Skip,
    /// The object is as desired.
    Keep,
    /// The object is created.
    Create,
    /// The object is changed.
    Configure {
        /// The patch that takes over fields of former managers.
        clean_up: Option<Value>,
        /// The payload that replaces the desired object.
        payload: Option<Object>,
    },
}

/// Decides on an object whose dry-run passed.
pub fn simulate(stage: &Simulation) -> SimulatedAction {
    let former = former_managers(&stage.field_manager, &stage.overridden);
    let rules = Rules {
        markers: &Markers::new(&stage.group),
        former: &former,
        field_manager: &stage.field_manager,
        ignore: &stage.ignore,
        is_migrated: false,
    };
    match decide(rules, &stage.desired, stage.live.as_ref(), &stage.dry_run) {
        Err(_) | Ok(Step::Keep(_)) => SimulatedAction::Keep,
        Ok(Step::Skip) => SimulatedAction::Skip,
        // Only what a dry-run refuses is recreated.
        Ok(Step::Create | Step::Recreate { .. }) => SimulatedAction::Create,
        Ok(Step::Configure { clean_up, payload }) => {
            SimulatedAction::Configure { clean_up, payload }
        }
    }
}

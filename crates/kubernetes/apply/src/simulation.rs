//! An apply on paper: what would be done to one object, by what the server would answer of it.
//!
//! No cluster is asked. Whatever is stored in `managedFields`, and whatever fields are left to
//! others, must be decided about without a panic: this is where that is tried on arbitrary objects.
//! Start at [`simulate`].

use sluice_object::{Object, Value};

use crate::IgnoreRules;
use crate::applier::evaluate::{Rules, Step, decide};
use crate::cleanup::former_managers;
use crate::markers::Markers;

/// What an object meets.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// As it is wanted.
    pub desired: Object,
    /// As it is there, if it is.
    pub live: Option<Object>,
    /// As the server says it would become.
    pub dry_run: Object,
    /// Who applies.
    pub field_manager: String,
    /// Whose fields are taken over, by flag.
    pub overridden: Vec<String>,
    /// Whose labels and annotations count.
    pub group: String,
    /// Which fields are left to others.
    pub ignore: IgnoreRules,
}

/// What would be done.
#[derive(Debug, Clone, PartialEq)]
pub enum SimulatedAction {
    /// Nothing: it does not take part.
    Skip,
    /// Nothing: it is as desired.
    Keep,
    /// It is made.
    Create,
    /// It is applied over what is there.
    Configure {
        /// The patch that takes former managers' fields over, before.
        clean_up: Option<Value>,
        /// What is sent in place of the desired object.
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

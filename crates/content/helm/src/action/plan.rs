//! The steps of an action as data.

use std::fmt;

use sluice_object::Object;

use super::options::{Install, Upgrade};
use crate::context::Delivery;
use crate::record::{Release, Status};
use crate::resources::Write;

/// A step of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Creates the namespace of the release.
    CreateNamespace,
    /// Stores the former revision, whose status the plan has changed.
    StoreFormer,
    /// Stores the new revision.
    Create,
    /// Runs the hooks of an event. The text stands before an error.
    Hooks {
        /// The event.
        event: &'static str,
        /// The start of the error.
        error: &'static str,
    },
    /// Creates the objects, of which none exists.
    CreateObjects,
    /// Updates the objects, and deletes those that left.
    UpdateObjects(Write),
    /// Waits until the objects are ready.
    Wait,
    /// Marks the former revision as superseded.
    SupersedeFormer,
    /// Marks all deployed revisions as superseded.
    SupersedeDeployed,
    /// Marks the new revision as deployed.
    Deploy {
        /// The description, unless the release has its own.
        description: Option<String>,
    },
}

/// The kind of an action, which decides about failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Install,
    Upgrade,
    Rollback,
}

/// An action that is ready to be performed.
#[derive(Clone)]
pub struct Plan {
    pub(super) kind: Kind,
    /// The new revision.
    pub release: Release,
    /// The revision before it.
    pub former: Option<Release>,
    /// The objects of the former revision, and those to adopt.
    pub current: Vec<Object>,
    /// The objects of the new revision.
    pub target: Vec<Object>,
    /// How the steps reach objects.
    pub delivery: Delivery,
    /// The steps, in their order.
    pub steps: Vec<Step>,
    /// Whether objects are deleted that a failed action has created.
    pub cleans_up: bool,
    /// Whether a failed action is undone.
    pub rolls_back: bool,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Objects may be secret.
        f.debug_struct("Plan")
            .field("release", &self.release)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// The plan of an install.
    pub(super) fn install(
        release: Release,
        former: Option<Release>,
        (adopted, target): (Vec<Object>, Vec<Object>),
        options: &Install,
    ) -> Self {
        let delivery = options.delivery;
        let mut steps = Vec::new();
        steps.extend(options.create_namespace.then_some(Step::CreateNamespace));
        let is_superseded = former
            .as_ref()
            .is_some_and(|former| former.info.status == Status::SUPERSEDED);
        steps.extend(is_superseded.then_some(Step::StoreFormer));
        steps.push(Step::Create);
        let hooks = |event, error| delivery.runs_hooks.then_some(Step::Hooks { event, error });
        steps.extend(hooks("pre-install", "failed pre-install: "));
        if adopted.is_empty() {
            steps.extend((!target.is_empty()).then_some(Step::CreateObjects));
        } else {
            steps.push(Step::UpdateObjects(Write {
                server_side: delivery.server_side,
                force_conflicts: delivery.force_conflicts,
                force_replace: delivery.force_replace,
                three_way: delivery.take_ownership && !delivery.server_side,
                migrate: true,
            }));
        }
        steps.push(Step::Wait);
        steps.extend(hooks("post-install", "failed post-install: "));
        let description = options.description.as_deref();
        steps.push(Step::Deploy {
            description: Some(description.unwrap_or("Install complete").to_owned()),
        });
        Self {
            kind: Kind::Install,
            release,
            former: None,
            current: adopted,
            target,
            delivery,
            steps,
            cleans_up: false,
            rolls_back: options.rolls_back,
        }
        .with_former(former)
    }

    fn with_former(mut self, former: Option<Release>) -> Self {
        self.former = former;
        self
    }

    /// The plan of an upgrade.
    pub(super) fn upgrade(
        release: Release,
        former: Release,
        (current, target): (Vec<Object>, Vec<Object>),
        options: &Upgrade,
        delivery: Delivery,
    ) -> Self {
        let hooks = |event, error| delivery.runs_hooks.then_some(Step::Hooks { event, error });
        let was_client_side = matches!(&*former.apply_method, "" | "csa");
        let mut steps = vec![Step::Create];
        steps.extend(hooks("pre-upgrade", "pre-upgrade hooks failed: "));
        steps.push(Step::UpdateObjects(Write {
            server_side: delivery.server_side,
            force_conflicts: delivery.force_conflicts,
            force_replace: delivery.force_replace,
            three_way: false,
            migrate: was_client_side && delivery.server_side,
        }));
        steps.push(Step::Wait);
        steps.extend(hooks("post-upgrade", "post-upgrade hooks failed: "));
        steps.push(Step::SupersedeFormer);
        let description = options.description.as_deref();
        steps.push(Step::Deploy {
            description: Some(description.unwrap_or("Upgrade complete").to_owned()),
        });
        Self {
            kind: Kind::Upgrade,
            release,
            former: Some(former),
            current,
            target,
            delivery,
            steps,
            cleans_up: options.cleans_up,
            rolls_back: options.rolls_back,
        }
    }

    /// The plan of a roll-back.
    pub(super) fn rollback(
        release: Release,
        former: Release,
        (current, target): (Vec<Object>, Vec<Object>),
        cleans_up: bool,
        delivery: Delivery,
    ) -> Self {
        let hooks = |event| {
            let error = "";
            delivery.runs_hooks.then_some(Step::Hooks { event, error })
        };
        let mut steps = vec![Step::Create];
        steps.extend(hooks("pre-rollback"));
        steps.push(Step::UpdateObjects(Write {
            server_side: delivery.server_side,
            force_conflicts: delivery.force_conflicts,
            force_replace: delivery.force_replace,
            three_way: false,
            migrate: true,
        }));
        steps.push(Step::Wait);
        steps.extend(hooks("post-rollback"));
        steps.push(Step::SupersedeDeployed);
        steps.push(Step::Deploy { description: None });
        Self {
            kind: Kind::Rollback,
            release,
            former: Some(former),
            current,
            target,
            delivery,
            steps,
            cleans_up,
            rolls_back: false,
        }
    }
}

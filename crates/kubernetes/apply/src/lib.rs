//! Applies desired objects to a cluster: staged server-side apply, drift, prune, wait and
//! inventory.
//!
//! [`Applier`] acts as one identity on one cluster. [`Applier::apply_staged`] applies objects,
//! [`Applier::preview`] predicts the changes, [`Applier::prune`] deletes stale objects, and
//! [`Applier::wait`] waits for their health.
//!
//! Pure functions make the decisions, and [`simulation`] runs them without a cluster:
//!
//! * `markers`: ownership and exclusion;
//! * `normalize` and `drift`: the differences of an object;
//! * `ignore` and `unknown`: ignored and unknown fields;
//! * `cleanup`, `fields` and `migrate`: managed fields, of former managers and older versions;
//! * `immutable`: recreation;
//! * `prune::decide`: deletion;
//! * `wait/progress`: health.
//!
//! The crate reconciles no custom resource. Inventories are texts, `spec.ignore` is the only used
//! type of `api`, and callers decide how failures are reported or retried.
//!
//! # Requests of an apply
//!
//! Flux sends three requests for each new object (read, dry-run, apply) and two for an unchanged
//! one (read, dry-run). Then it reads all of them again for their health. Here:
//!
//! * *An object that the inventory lacks* is expected to be new and not read: the answer of the
//!   dry-run has a resource version only when the object exists. Then it is read, and all rules
//!   that need it apply. A wrong expectation costs one read. The dry-run remains, because it makes
//!   a stage all or nothing and runs admission.
//! * *A known object* gets both requests in parallel. From eight objects of a kind and namespace
//!   on, a list by owner label replaces the reads. The dry-run alone is not enough: its answer
//!   shows the future state, and the times of managed fields do not reveal changes by mutating
//!   webhooks.
//! * *Excluded objects* need no request, since the desired object says so. Neither do objects that
//!   a prune finds terminating.
//! * *Health* starts with the answers to the applies. When all objects are Current, no request
//!   follows. Otherwise the others are watched from the resource version of their answer, without a
//!   list. At the end, the objects that were Current before are read once more: by one list for
//!   eight of a kind and namespace, else one by one. The same holds for states that were observed
//!   before a prune or before a long stage.
//!
//! So a set of new objects costs two requests per object and a final check of unwatched objects.
//! All waits in a namespace share one watch.

mod applier;
mod changes;
mod cleanup;
mod drift;
mod error;
mod fields;
mod health;
mod ignore;
mod immutable;
mod inventory;
mod markers;
mod mask;
pub mod migrate;
mod normalize;
mod prune;
pub mod simulation;
mod target;
mod unknown;
mod wait;

pub use applier::preview::{Preview, PreviewOptions, PreviewedObject};
pub use applier::{
    Applier, ApplierSettings, ApplyOptions, ApplyOutcome, ServedBackoff, WaitRunner,
};
pub use changes::{Action, ChangeSet, ChangeSetEntry};
pub use drift::has_drifted;
pub use error::{ApplyError, ApplyFailure, ObjectFailure, Operation, PruneError};
pub use health::{
    HealthCheck, HealthEvaluator, HealthEvaluators, InvalidEvaluator, InvalidHealthCheck,
};
pub use ignore::{IgnoreRule, IgnoreRules, IgnoreTarget, InvalidIgnoreRule};
pub use inventory::{Inventory, InventoryEntry};
pub use markers::Owner;
pub use mask::SecretValues;
pub use normalize::normalize;
pub use prune::{PruneOutcome, PrunePlan};
pub use target::WaitTarget;
pub use wait::{WaitError, WaitOptions, Watches};

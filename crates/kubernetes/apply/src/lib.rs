//! Desired objects to plan to staged server-side apply, drift, prune, wait and inventory.
//!
//! [`Applier`] is the hand of one identity on one cluster. [`Applier::apply_staged`] brings
//! objects there, [`Applier::preview`] says what that would change, [`Applier::prune`] takes stale ones out, [`Applier::wait`] follows their health.
//! What is decided on the way is decided by pure functions, each in a module of its own:
//! `markers` (who owns, what is skipped), `normalize`, `drift`, `ignore` (fields that are left to
//! others), `cleanup` and `fields` (former managers), `migrate` (versions of managed fields), `immutable` (when to recreate),
//! `unknown` (fields that no schema has), `prune::decide`, `wait/board`. [`simulation`] plays them on
//! paper.
//!
//! The crate reconciles no custom resource: inventories come and go as texts, of the types of
//! `api` only `spec.ignore` is read, and whether a failure is reported or retried is the caller's
//! business.
//!
//! # What an apply costs
//!
//! Flux sends three requests for each new object (read, dry-run, apply) and two for an unchanged
//! one (read, dry-run), then reads all of them again to see their health. Ours:
//!
//! * *An object that the inventory does not know* is expected to be absent, and is not read: the
//!   dry-run's answer carries a resource version exactly if there is a live object. Should there
//!   be one, it is read then and all rules that need it (exclusions, create-only, take-over,
//!   drift) apply as usual; expecting wrongly costs that one read. The dry-run itself stays: it
//!   is what makes a stage all or nothing, and no check of ours replaces admission.
//! * *A known object* needs both, and they go out at the same time. From eight of a kind and
//!   namespace on, one list by owner label replaces the reads. The dry-run alone would not do:
//!   its answer shows what will be, not what is, and the server's managed-field times, which
//!   betray most differences, do not move for those that a mutating webhook makes.
//! * *Excluded objects* need no request at all, since the desired object says so; nor do objects
//!   that are found on their way out, when pruning.
//! * *Health* begins with the answers to the applies. Where all is Current by them, nothing is
//!   asked for again. Else a watch for what is not starts at the resource version of that answer,
//!   without a list, and in the end the others (most kinds are Current at once) are looked at once
//!   more: by one list for eight of a kind and namespace, by reads for fewer. So is what was seen
//!   before a prune, or before a stage that took its time.
//!
//! So a set of new objects costs twice its writes, one watch, shared with whoever else waits in
//! that namespace, and a look at what was not watched.

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
pub use applier::{Applier, ApplierSettings, ApplyOptions, ApplyOutcome, WaitRunner};
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

//! Compares objects with the cluster by dry-runs, and formats the differences.

mod walk;

use std::fmt::Write as _;
use std::sync::Arc;

use sluice_apply::{
    Action, Applier, ApplierSettings, ChangeSet, ChangeSetEntry, IgnoreRules, Inventory,
    InventoryEntry, Owner, Preview, PreviewOptions, PreviewedObject, Watches,
};
use sluice_client::GroupVersionKind;
use sluice_insight::{difference, fields};
use sluice_object::{Object, order};
use sluice_render::{InvalidMask, Masks, conceal_secret};
use sluice_system::SystemClock;

pub use self::walk::{Walk, with_status_of};
use crate::{Error, Host};

/// Maximum concurrent requests.
const CONCURRENCY: usize = 16;

/// Results of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Lines about changed objects, with their differences.
    pub text: String,
    /// Whether an object changes.
    pub changed: bool,
    /// Errors of objects that could not be compared.
    pub failures: Vec<String>,
}

impl Comparison {
    fn add(&mut self, object: &Object, outcome: &Preview, width: usize) {
        let word = match outcome {
            Preview::Unchanged => return,
            Preview::Skipped => "skipped",
            Preview::Created => "created",
            Preview::Recreated => "recreated",
            Preview::Drifted { .. } => "drifted",
        };
        let _ = writeln!(self.text, "► {} {word}", object.id());
        self.changed |= *outcome != Preview::Skipped;
        if let Preview::Drifted { live, merged } = outcome {
            let changes = difference::compare(&live.to_value(), &merged.to_value());
            self.text.push_str(&difference::render(&changes, width));
        }
    }
}

/// Settings of the owner of compared objects.
pub struct OwnerSettings {
    /// Namespace and name of the owner.
    pub owner: Owner,
    /// Objects that the owner applied last.
    pub inventory: Inventory,
    /// Fields that are not compared.
    pub ignore: IgnoreRules,
    /// Whether objects with changed immutable fields are recreated.
    pub force: bool,
    /// Whether objects of the inventory that are gone from the owner are deleted.
    pub prunes: bool,
    /// Whether a live object that is gone from the owner stays. Without a rule, none does.
    pub survives: Option<fn(&Object) -> bool>,
}

/// Compares objects within the command's timeout.
pub struct Comparer<'a, H> {
    host: &'a H,
    applier: Applier,
    masks: &'a Masks,
    width: usize,
    deadline: tokio::time::Instant,
}

impl<'a, H: Host> Comparer<'a, H> {
    /// Compares as a field manager. `group` is the API group of the owners.
    pub fn new(
        host: &'a H,
        manager: &str,
        group: &str,
        masks: &'a Masks,
        width: usize,
    ) -> Result<Self, Error> {
        let mut settings = ApplierSettings::new(manager, group);
        settings.concurrency = CONCURRENCY;
        let applier = Applier::new(
            host.cluster()?.clone(),
            Arc::new(settings),
            Watches::default(),
            Arc::new(SystemClock),
        );
        Ok(Self {
            host,
            applier,
            masks,
            width,
            deadline: tokio::time::Instant::now() + host.timeout(),
        })
    }

    /// Compares the objects of an owner. `each` receives every object that could be compared.
    pub fn compare(
        &self,
        owner: OwnerSettings,
        objects: Vec<Object>,
        mut each: impl FnMut(&Object, &Preview, &mut Comparison),
    ) -> Result<Comparison, Error> {
        let options = PreviewOptions {
            owner: &owner.owner,
            known: &owner.inventory,
            force: owner.force,
        };
        let applier = self.applier.clone();
        let applier = applier.with_ignore_rules(Arc::new(owner.ignore));
        let applier = applier.with_secret_values(self.masks.secret_values(&objects));
        let previews = self.in_time(applier.preview(objects, &options))?;
        let mut comparison = Comparison::default();
        let mut applied = ChangeSet::default();
        for previewed in previews {
            let PreviewedObject {
                object,
                outcome,
                unknown_fields,
            } = previewed;
            if !unknown_fields.is_empty() {
                self.host.warn(&format!(
                    "{} has fields that the cluster does not know, which an apply leaves out: {}",
                    object.id(),
                    unknown_fields.join(", ")
                ));
            }
            let outcome = match outcome {
                Ok(outcome) => {
                    applied.extend([ChangeSetEntry::of(&object, Action::Unknown)]);
                    self.masks.conceal(conceal_secret(&object, outcome))
                }
                Err(failure) => {
                    comparison.failures.push(failure.to_string());
                    continue;
                }
            };
            comparison.add(&object, &outcome, self.width);
            each(&object, &outcome, &mut comparison);
        }
        if owner.prunes && comparison.failures.is_empty() {
            let stale = owner.inventory.stale(&Inventory::of(&applied));
            for entry in self.deleted(&owner.owner, &stale, owner.survives)? {
                let _ = writeln!(comparison.text, "► {} deleted", entry.id);
                comparison.changed = true;
            }
        }
        Ok(comparison)
    }

    fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        self.host
            .block_on(async { tokio::time::timeout_at(self.deadline, work).await })?
            .map_err(|_| {
                Error::cluster(format!(
                    "timed out after {} waiting for dry-runs",
                    sluice_golang::duration::GoDuration::from_std(self.host.timeout())
                ))
            })
    }

    /// Returns the objects that the controller would delete, in apply order.
    fn deleted(
        &self,
        owner: &Owner,
        stale: &Inventory,
        survives: Option<fn(&Object) -> bool>,
    ) -> Result<Vec<InventoryEntry>, Error> {
        if stale.is_empty() {
            return Ok(Vec::new());
        }
        let plan = self.in_time(self.applier.plan_prune(stale, owner))?;
        let mut entries: Vec<InventoryEntry> =
            plan.deletions().chain(plan.unreadable()).cloned().collect();
        if let Some(survives) = survives {
            let mut deleted = Vec::new();
            for entry in entries {
                let live = self.live(&entry)?;
                if !live.is_some_and(|live| survives(&live)) {
                    deleted.push(entry);
                }
            }
            entries = deleted;
        }
        entries.sort_by(|left, right| order::compare(&left.id, &right.id));
        Ok(entries)
    }

    fn live(&self, entry: &InventoryEntry) -> Result<Option<Object>, Error> {
        let id = &entry.id;
        let gvk = GroupVersionKind::gvk(&id.group, &entry.version, &id.kind);
        self.host.find(&gvk, &id.namespace, &id.name)
    }
}

/// Returns the inventory in the status of an owner.
pub fn inventory(owner: &Object) -> Result<Inventory, Error> {
    Inventory::parse(fields::inventory(owner)).map_err(|error| {
        let (kind, namespace, name) = (owner.kind(), owner.namespace(), owner.name());
        Error::cluster(format!("inventory of {kind} '{namespace}/{name}': {error}"))
    })
}

/// Parses the masks of `--mask`.
pub fn masks(rules: &[Vec<String>]) -> Result<Masks, Error> {
    Masks::parse(&rules.concat()).map_err(|InvalidMask(rule)| {
        let rule = sluice_golang::quote::quote(&rule);
        Error::user(format!(
            "invalid argument {rule} for \"--mask\" flag: must be KIND/PATH"
        ))
        .hint("ConfigMap/data/password masks that entry; in names, '/' is written '~1' and '~' is written '~0'")
    })
}

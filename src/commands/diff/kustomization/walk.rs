//! Compares a Kustomization with the cluster, then the Kustomizations among its objects.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Once};

use serde_json::Value;
use sluice_apply::{
    Action, Applier, ChangeSet, ChangeSetEntry, IgnoreRule, IgnoreRules, Inventory, InventoryEntry,
    Owner, Preview, PreviewOptions, PreviewedObject,
};
use sluice_insight::fields;
use sluice_insight::fields::at;
use sluice_object::{Object, order};
use sluice_render::{Masks, conceal_secret};

use crate::build::{Key, Pipeline, is_kustomization};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output;
use sluice_insight::difference;

/// Results of a comparison.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) text: String,
    pub(super) changed: bool,
    pub(super) failures: Vec<String>,
}

pub(super) struct Walk<'a> {
    context: &'a Context,
    pipeline: &'a Pipeline<'a>,
    applier: Applier,
    masks: &'a Masks,
    deadline: tokio::time::Instant,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        context: &'a Context,
        pipeline: &'a Pipeline<'a>,
        applier: Applier,
        masks: &'a Masks,
    ) -> Self {
        Self {
            context,
            pipeline,
            applier,
            masks,
            deadline: tokio::time::Instant::now() + context.timeout(),
        }
    }

    /// Compares a Kustomization. Its spec and the inventory in its status are used.
    pub(super) fn compare(
        &self,
        owner: &Object,
        directory: &Path,
    ) -> Result<Comparison, CommandError> {
        self.below(&mut Vec::new(), owner, directory)
    }

    fn below(
        &self,
        chain: &mut Vec<Key>,
        owner: &Object,
        directory: &Path,
    ) -> Result<Comparison, CommandError> {
        let key = self.pipeline.key(owner);
        chain.push(key.clone());
        let objects = self.pipeline.build_one(owner, directory)?;
        let label = Owner {
            namespace: key.0,
            name: key.1,
        };
        let inventory = inventory(owner)?;
        let previews = self.preview(owner, &label, &inventory, objects)?;
        let mut found = Comparison::default();
        let mut applied = ChangeSet::default();
        for PreviewedObject { object, outcome } in previews {
            let outcome = match outcome {
                Ok(outcome) => {
                    applied.extend([ChangeSetEntry::of(&object, Action::Unknown)]);
                    self.masks.conceal(conceal_secret(&object, outcome))
                }
                Err(failure) => {
                    found.failures.push(failure.to_string());
                    continue;
                }
            };
            found.tell(&object, &outcome);
            if self.pipeline.recursive && is_kustomization(&object) {
                self.child(chain, &object, &outcome, &mut found);
            }
        }
        if at(owner, "/spec/prune") == Some(&Value::Bool(true)) && found.failures.is_empty() {
            let stale = inventory.stale(&Inventory::of(&applied));
            for entry in self.deleted(&label, &stale)? {
                let _ = writeln!(found.text, "► {} deleted", entry.id);
                found.changed = true;
            }
        }
        chain.pop();
        Ok(found)
    }

    fn preview(
        &self,
        owner: &Object,
        label: &Owner,
        known: &Inventory,
        objects: Vec<Object>,
    ) -> Result<Vec<PreviewedObject>, CommandError> {
        let options = PreviewOptions {
            owner: label,
            known,
            force: at(owner, "/spec/force") == Some(&Value::Bool(true)),
        };
        let ignore = Arc::new(ignore_rules(owner)?);
        let applier = self.applier.clone().with_ignore_rules(ignore);
        let applier = applier.with_secret_values(self.masks.secret_values(&objects));
        self.in_time(applier.preview(objects, &options))
    }

    fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, CommandError> {
        self.context
            .block_on(async { tokio::time::timeout_at(self.deadline, work).await })?
            .map_err(|_| {
                CommandError::cluster(format!(
                    "timed out after {} waiting for dry-runs",
                    sluice_golang::duration::GoDuration::from_std(self.context.timeout())
                ))
            })
    }

    /// Returns the objects that the controller would prune, in apply order.
    fn deleted(
        &self,
        label: &Owner,
        stale: &Inventory,
    ) -> Result<Vec<InventoryEntry>, CommandError> {
        if stale.is_empty() {
            return Ok(Vec::new());
        }
        let plan = self.in_time(self.applier.plan_prune(stale, label))?;
        let mut entries: Vec<InventoryEntry> =
            plan.deletions().chain(plan.unreadable()).cloned().collect();
        entries.sort_by(|left, right| order::compare(&left.id, &right.id));
        Ok(entries)
    }

    /// Compares a Kustomization among the objects.
    fn child(
        &self,
        chain: &mut Vec<Key>,
        object: &Object,
        outcome: &Preview,
        found: &mut Comparison,
    ) {
        if chain.contains(&self.pipeline.key(object)) || *outcome == Preview::Skipped {
            return;
        }
        let id = object.id();
        if at(object, "/spec/kubeConfig").is_some_and(|config| !config.is_null()) {
            let _ = writeln!(
                found.text,
                "⚠️ {id} skipped: diff not supported for remote clusters"
            );
            return;
        }
        let directory = match self.pipeline.directory_of(object) {
            Ok(directory) => directory,
            Err(_) if *outcome == Preview::Created => {
                // Flux skips such Kustomizations, so they are not an error.
                static HINT: Once = Once::new();
                HINT.call_once(|| {
                    self.context.progress.warning(format!(
                        "{id} is new: with its source among --local-sources, what it creates is shown too"
                    ));
                });
                return;
            }
            Err(error) => {
                found.failures.push(error.message().to_owned());
                return;
            }
        };
        let below = self
            .pipeline
            .live(&self.pipeline.key(object))
            .and_then(|live| {
                let owner = with_status_of(object.clone(), live.as_ref());
                self.below(chain, &owner, &directory)
            });
        match below {
            Ok(below) => {
                if below.changed {
                    found.changed = true;
                    let _ = write!(found.text, "📁 {id} changed\n{}", below.text);
                }
                found.failures.extend(below.failures);
            }
            Err(error) => found.failures.push(error.message().to_owned()),
        }
    }
}

impl Comparison {
    fn tell(&mut self, object: &Object, outcome: &Preview) {
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
            self.text
                .push_str(&difference::render(&changes, output::width()));
        }
    }
}

/// Adds the live status to a local Kustomization.
pub(super) fn with_status_of(mut object: Object, live: Option<&Object>) -> Object {
    object.as_map_mut().shift_remove("status");
    if let Some(status) = live.and_then(|live| live.get("status")) {
        object
            .as_map_mut()
            .insert("status".to_owned(), status.clone());
    }
    object
}

/// Returns the ignore rules of the Kustomization's spec.
fn ignore_rules(owner: &Object) -> Result<IgnoreRules, CommandError> {
    let refused = |why: &dyn std::fmt::Display| CommandError::user(format!("spec.ignore: {why}"));
    let written = at(owner, "/spec/ignore").filter(|rules| !rules.is_null());
    let written: Vec<sluice_api::kustomize::IgnoreRule> = match written {
        Some(rules) => serde_json::from_value(rules.clone()).map_err(|error| refused(&error))?,
        None => Vec::new(),
    };
    IgnoreRules::new(written.iter().map(IgnoreRule::from)).map_err(|error| refused(&error))
}

/// Returns the inventory of the Kustomization.
fn inventory(owner: &Object) -> Result<Inventory, CommandError> {
    Inventory::parse(fields::inventory(owner)).map_err(|error| {
        let (namespace, name) = (owner.namespace(), owner.name());
        CommandError::cluster(format!(
            "inventory of Kustomization '{namespace}/{name}': {error}"
        ))
    })
}

//! Compares a Kustomization with the cluster, then the Kustomizations among its objects.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Once;

use serde_json::Value;
use sluice_apply::{IgnoreRule, IgnoreRules, Owner, Preview};
use sluice_insight::fields::at;
use sluice_object::Object;

use super::{Comparer, Comparison, OwnerSettings, inventory};
use crate::kustomization::{Key, Pipeline, is_kustomization};
use crate::{Error, Host};

/// Compares Kustomizations.
pub struct Walk<'a, H> {
    host: &'a H,
    pipeline: &'a Pipeline<'a>,
    comparer: Comparer<'a, H>,
}

impl<'a, H: Host> Walk<'a, H> {
    /// Compares with a pipeline that builds the objects.
    pub fn new(host: &'a H, pipeline: &'a Pipeline<'a>, comparer: Comparer<'a, H>) -> Self {
        Self {
            host,
            pipeline,
            comparer,
        }
    }

    /// Compares a Kustomization. Its spec and the inventory in its status are used.
    pub fn compare(&self, owner: &Object, directory: &Path) -> Result<Comparison, Error> {
        self.below(&mut Vec::new(), owner, directory)
    }

    fn below(
        &self,
        chain: &mut Vec<Key>,
        owner: &Object,
        directory: &Path,
    ) -> Result<Comparison, Error> {
        let key = self.pipeline.key(owner);
        chain.push(key.clone());
        let objects = self.pipeline.build_one(owner, directory)?;
        let is_true = |path| at(owner, path) == Some(&Value::Bool(true));
        let settings = OwnerSettings {
            owner: Owner {
                namespace: key.0,
                name: key.1,
            },
            inventory: inventory(owner)?,
            ignore: ignore_rules(owner)?,
            force: is_true("/spec/force"),
            prunes: is_true("/spec/prune"),
            survives: None,
        };
        let comparer = &self.comparer;
        let found = comparer.compare(settings, objects, |object, outcome, found| {
            if self.pipeline.recursive && is_kustomization(object) {
                self.child(chain, object, outcome, found);
            }
        });
        chain.pop();
        found
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
                    self.host.warn(&format!(
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

/// Adds the live status to a local Kustomization.
pub fn with_status_of(mut object: Object, live: Option<&Object>) -> Object {
    object.as_map_mut().shift_remove("status");
    if let Some(status) = live.and_then(|live| live.get("status")) {
        object
            .as_map_mut()
            .insert("status".to_owned(), status.clone());
    }
    object
}

/// Returns the ignore rules of the Kustomization's spec.
fn ignore_rules(owner: &Object) -> Result<IgnoreRules, Error> {
    let refused = |why: &dyn std::fmt::Display| Error::user(format!("spec.ignore: {why}"));
    let written = at(owner, "/spec/ignore").filter(|rules| !rules.is_null());
    let written: Vec<sluice_api::kustomize::IgnoreRule> = match written {
        Some(rules) => serde_json::from_value(rules.clone()).map_err(|error| refused(&error))?,
        None => Vec::new(),
    };
    IgnoreRules::new(written.iter().map(IgnoreRule::from)).map_err(|error| refused(&error))
}

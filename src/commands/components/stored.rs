//! Versions that a cluster stores objects in, around an upgrade of their definitions.
//!
//! A definition without a version in which something may still be stored is refused by the server,
//! so what is stored in older ones is written anew first. Where the definition that is there stores
//! a version that the new one has, that is all. Where it does not, the new definition is applied
//! with the old versions beside its own, and without them when nothing is stored in them any more:
//! the release in between that was skipped. Only whoever applies definitions itself can do that; a
//! cluster that is kept in Git is refused, and told of the release in between.
//!
//! A version that is newer than all that the new definition has means a downgrade, which would make
//! objects unreadable: it is refused before anything is changed. [`judge`] decides, and is pure.

use futures::{StreamExt as _, TryStreamExt as _};
use kube::core::Version;
use serde_json::{Value, json};
use sluice_object::Object;

use super::apply::Installer;
use crate::cluster::{Context, object, refusal};
use crate::commands::migrate::cluster::migrate_definition;
use crate::error::CommandError;
use crate::resource::{self, at};

/// Definitions that are read at once.
const CONCURRENCY: usize = 8;

/// What has to be done around the new definitions of an installation.
#[derive(Debug, Default)]
pub(in crate::commands) struct Upgrade {
    /// Definitions whose objects are written anew before.
    rewrites: Vec<Object>,
    /// Definitions that are applied with these older versions at first.
    bridges: Vec<(Object, Vec<Value>)>,
}

#[derive(Debug, PartialEq)]
enum Step {
    Nothing,
    Rewrite,
    Bridge(Vec<Value>),
}

impl Upgrade {
    /// Looks at the definitions that are there, and refuses a downgrade.
    pub(in crate::commands) async fn of(
        context: &Context,
        objects: &[Object],
    ) -> Result<Self, CommandError> {
        let cluster = context.cluster()?;
        let kind = resource::definition();
        let wanted: Vec<&Object> = objects
            .iter()
            .filter(|object| is_definition(object))
            .collect();
        let found: Vec<(&Object, Option<Value>)> = futures::stream::iter(wanted)
            .map(async |wanted: &Object| {
                let found = cluster.get(&kind, None, wanted.name()).await;
                found.map(|found| (wanted, found))
            })
            .buffered(CONCURRENCY)
            .try_collect()
            .await
            .map_err(|error| refusal(&error))?;
        let mut upgrade = Self::default();
        for (wanted, live) in found {
            let Some(live) = live.and_then(object) else {
                continue;
            };
            match judge(&live, wanted)? {
                Step::Nothing => {}
                Step::Rewrite => upgrade.rewrites.push(live),
                Step::Bridge(older) => upgrade.bridges.push((wanted.clone(), older)),
            }
        }
        Ok(upgrade)
    }

    /// Refuses what only somebody can do who applies the definitions: from Git they come as they
    /// are.
    pub(in crate::commands) fn within_git(&self) -> Result<(), CommandError> {
        let Some((definition, older)) = self.bridges.first() else {
            return Ok(());
        };
        let names: Vec<&str> = older.iter().filter_map(name).collect();
        Err(CommandError::cluster(format!(
            "{} stores its objects in {}, which this version does not have any more",
            definition.name(),
            names.join(", ")
        ))
        .hint("bootstrap a release in between first, such as Flux 2.8, and let `migrate` run"))
    }

    /// The definitions of which something is to be written anew.
    pub(in crate::commands) fn names(&self) -> Vec<String> {
        let bridged = self.bridges.iter().map(|(definition, _)| definition);
        let all = self.rewrites.iter().chain(bridged);
        all.map(|definition| definition.name().to_owned()).collect()
    }

    /// Writes anew what the definitions that are there can store in a version that stays.
    pub(in crate::commands) async fn before(&self, context: &Context) -> Result<(), CommandError> {
        for definition in &self.rewrites {
            migrate_definition(context, definition).await?;
        }
        Ok(())
    }

    /// The objects to apply at first.
    pub(in crate::commands) fn bridged(&self, objects: &[Object]) -> Vec<Object> {
        let bridged = objects.iter().cloned().map(|mut object| {
            if let Some(older) = self.older(&object)
                && let Some(Value::Array(versions)) = object.at_mut(&["spec", "versions"])
            {
                versions.extend(older.iter().cloned());
            }
            object
        });
        bridged.collect()
    }

    fn older(&self, object: &Object) -> Option<&[Value]> {
        let mut bridges = self.bridges.iter();
        let found = bridges.find(|(definition, _)| definition.id() == object.id())?;
        Some(&found.1)
    }

    /// Writes anew what was stored in versions that go, and takes those off again.
    pub(in crate::commands) async fn after(
        &self,
        context: &Context,
        installer: &Installer,
        objects: &[Object],
    ) -> Result<(), CommandError> {
        let (kind, mut plain) = (resource::definition(), Vec::new());
        for object in objects.iter().filter(|object| self.older(object).is_some()) {
            let live = context.cluster()?.get(&kind, None, object.name()).await;
            let live = live.map_err(|error| refusal(&error))?;
            if let Some(live) = live.and_then(crate::cluster::object) {
                migrate_definition(context, &live).await?;
            }
            plain.push(object.clone());
        }
        if !plain.is_empty() {
            installer.apply(plain).await?;
        }
        Ok(())
    }
}

fn is_definition(object: &Object) -> bool {
    object.is("apiextensions.k8s.io", "CustomResourceDefinition")
}

fn versions(definition: &Object) -> &[Value] {
    let versions = at(definition, "/spec/versions").and_then(Value::as_array);
    versions.map_or(&[], Vec::as_slice)
}

fn name(version: &Value) -> Option<&str> {
    version["name"].as_str()
}

/// Decides what has to be done around a definition that takes the place of another.
fn judge(live: &Object, wanted: &Object) -> Result<Step, CommandError> {
    let known: Vec<&str> = versions(wanted).iter().filter_map(name).collect();
    let is_known = |version: &str| known.contains(&version);
    let stored = at(live, "/status/storedVersions").and_then(Value::as_array);
    let stored = stored.into_iter().flatten().filter_map(Value::as_str);
    let unknown: Vec<&str> = stored.filter(|version| !is_known(version)).collect();
    if unknown.is_empty() {
        return Ok(Step::Nothing);
    }
    let age = |version: &str| Version::parse(version).generation();
    let newest = known.iter().map(|version| age(version)).max();
    let newer = unknown
        .iter()
        .find(|version| newest.as_ref().is_some_and(|newest| age(version) > *newest));
    if let Some(newer) = newer {
        return Err(CommandError::cluster(format!(
            "{} stores objects in {newer}, of which this version knows nothing: it would be a downgrade after which they cannot be read",
            live.name()
        ))
        .hint("use a release that is at least as new as the one that is installed; nothing was changed"));
    }
    let current = versions(live)
        .iter()
        .find(|version| version["storage"] == true);
    if current.and_then(name).is_some_and(is_known) {
        return Ok(Step::Rewrite);
    }
    let older = versions(live)
        .iter()
        .filter(|version| !name(version).is_some_and(is_known));
    let older = older.cloned().map(|mut version| {
        version["storage"] = json!(false);
        version
    });
    Ok(Step::Bridge(older.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(versions: &[&str], storage: &str, stored: &[&str]) -> Object {
        let versions = versions.iter();
        let versions = versions
            .map(|name| json!({ "name": name, "served": true, "storage": *name == storage }));
        Object::try_from(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": "buckets.source.toolkit.fluxcd.io" },
            "spec": { "versions": versions.collect::<Vec<_>>() },
            "status": { "storedVersions": stored },
        }))
        .unwrap()
    }

    #[test]
    fn what_is_stored_in_versions_that_stay_needs_nothing() {
        let wanted = definition(&["v1"], "v1", &[]);
        for live in [
            definition(&["v1"], "v1", &["v1"]),
            definition(&["v1beta2", "v1"], "v1", &["v1"]),
            definition(&["v1"], "v1", &[]),
        ] {
            assert_eq!(judge(&live, &wanted).unwrap(), Step::Nothing, "{live:?}");
        }
    }

    #[test]
    fn older_objects_are_written_anew_before_where_the_definition_stores_what_stays() {
        let live = definition(&["v1beta2", "v1"], "v1", &["v1beta2", "v1"]);
        let wanted = definition(&["v1"], "v1", &[]);
        assert_eq!(judge(&live, &wanted).unwrap(), Step::Rewrite);
    }

    #[test]
    fn a_skipped_release_is_made_up_for_by_serving_both() {
        let live = definition(&["v1beta1", "v1beta2"], "v1beta2", &["v1beta1", "v1beta2"]);
        let wanted = definition(&["v1"], "v1", &[]);
        let Step::Bridge(older) = judge(&live, &wanted).unwrap() else {
            panic!("no bridge");
        };
        let upgrade = Upgrade {
            rewrites: Vec::new(),
            bridges: vec![(wanted.clone(), older)],
        };
        let bridged = upgrade.bridged(&[Object::new("v1", "Namespace", "", "a"), wanted]);
        assert_eq!(
            versions(&bridged[1]),
            [
                json!({ "name": "v1", "served": true, "storage": true }),
                json!({ "name": "v1beta1", "served": true, "storage": false }),
                json!({ "name": "v1beta2", "served": true, "storage": false }),
            ]
        );
        let refused = upgrade.within_git().unwrap_err();
        assert_eq!(
            refused.message(),
            "buckets.source.toolkit.fluxcd.io stores its objects in v1beta1, v1beta2, which this version does not have any more"
        );
    }

    #[test]
    fn objects_of_a_newer_release_are_not_made_unreadable() {
        let wanted = definition(&["v1"], "v1", &[]);
        for newer in ["v2", "v2beta1"] {
            let live = definition(&["v1", newer], newer, &["v1", newer]);
            let refused = judge(&live, &wanted).unwrap_err();
            let said = format!("stores objects in {newer}, of which this version knows nothing");
            assert!(refused.message().contains(&said), "{refused:?}");
        }
    }
}

//! Migrates stored versions around an upgrade of definitions.
//!
//! The API server rejects a definition without a version that objects may be stored in. If the
//! new definition has the current storage version, objects are rewritten first. If it does
//! not, the new definition is applied together with the old versions. Then objects are
//! rewritten, and the old versions removed. This bridge replaces a skipped release. A cluster that
//! is synced from Git cannot use it and needs the release in between.
//!
//! A stored version newer than the new definition means a downgrade, which is rejected.

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::Version;
use sluice_insight::fields::at;
use sluice_insight::kinds;
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::installer::Installer;
use crate::session::Session;
use crate::storage::migrate_definition;

/// Concurrent requests.
const CONCURRENCY: usize = 8;

/// The migrations around the new definitions.
#[derive(Debug, Default)]
pub struct Upgrade {
    /// Definitions whose objects are rewritten before.
    rewrites: Vec<Object>,
    /// Definitions that are first applied with these older versions.
    bridges: Vec<(Object, Vec<Value>)>,
}

#[derive(Debug, PartialEq)]
enum Step {
    Nothing,
    Rewrite,
    Bridge(Vec<Value>),
}

impl Upgrade {
    /// Compares the installed definitions with the new ones and rejects a downgrade.
    pub async fn of(session: &Session<'_>, objects: &[Object]) -> Result<Self, Error> {
        let cluster = session.cluster;
        let kind = kinds::definition();
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
            let Some(live) = live.and_then(crate::session::object) else {
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

    /// Rejects a bridge, which definitions from Git cannot use.
    pub fn within_git(&self) -> Result<(), Error> {
        let Some((definition, older)) = self.bridges.first() else {
            return Ok(());
        };
        let names: Vec<&str> = older.iter().filter_map(name).collect();
        Err(Error::cluster(format!(
            "{} stores its objects in {}, which this version does not have any more",
            definition.name(),
            names.join(", ")
        ))
        .hint("bootstrap an earlier release first, such as Flux 2.8, and run `migrate`"))
    }

    /// The definitions whose objects are rewritten.
    pub fn names(&self) -> Vec<String> {
        let bridged = self.bridges.iter().map(|(definition, _)| definition);
        let all = self.rewrites.iter().chain(bridged);
        all.map(|definition| definition.name().to_owned()).collect()
    }

    /// Rewrites objects whose storage version stays.
    pub async fn before(&self, session: &Session<'_>) -> Result<(), Error> {
        for definition in &self.rewrites {
            migrate_definition(session, definition).await?;
        }
        Ok(())
    }

    /// The objects to apply first.
    pub fn bridged(&self, objects: &[Object]) -> Vec<Object> {
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

    /// Rewrites objects of removed versions and applies the plain definitions.
    pub async fn after(
        &self,
        session: &Session<'_>,
        installer: &Installer,
        objects: &[Object],
    ) -> Result<(), Error> {
        let (kind, mut plain) = (kinds::definition(), Vec::new());
        for object in objects.iter().filter(|object| self.older(object).is_some()) {
            let live = session.cluster.get(&kind, None, object.name()).await;
            let live = live.map_err(|error| refusal(&error))?;
            if let Some(live) = live.and_then(crate::session::object) {
                migrate_definition(session, &live).await?;
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

/// Compares an installed definition with the new one.
fn judge(live: &Object, wanted: &Object) -> Result<Step, Error> {
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
        return Err(Error::cluster(format!(
            "{} stores objects in {newer}, of which this version knows nothing: it would be a downgrade after which they cannot be read",
            live.name()
        ))
        .hint("use a release that is not older than the installed one; nothing was changed"));
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
    fn known_stored_versions_need_nothing() {
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
    fn older_objects_are_rewritten_first() {
        let live = definition(&["v1beta2", "v1"], "v1", &["v1beta2", "v1"]);
        let wanted = definition(&["v1"], "v1", &[]);
        assert_eq!(judge(&live, &wanted).unwrap(), Step::Rewrite);
    }

    #[test]
    fn skipped_release_is_bridged() {
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
    fn downgrade_is_rejected() {
        let wanted = definition(&["v1"], "v1", &[]);
        for newer in ["v2", "v2beta1"] {
            let live = definition(&["v1", newer], newer, &["v1", newer]);
            let refused = judge(&live, &wanted).unwrap_err();
            let said = format!("stores objects in {newer}, of which this version knows nothing");
            assert!(refused.message().contains(&said), "{refused:?}");
        }
    }
}

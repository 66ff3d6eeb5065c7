//! Rewrites stored objects in the storage version of their definition. Then removes older versions
//! from the definition's status.

use futures::StreamExt as _;
use serde_json::{Value, json};
use sluice_apply::ServedBackoff;
use sluice_client::{GroupVersionKind, ListOptions, PatchOptions};
use sluice_insight::fields::{at, text};
use sluice_insight::kinds;
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::session::{FIELD_MANAGER, Session, object, objects};

/// Concurrent requests.
const CONCURRENCY: usize = 8;
/// Attempts to write an object or a definition that changes meanwhile.
const TRIES: usize = 5;

/// Rewrites the objects of all of Flux's definitions.
pub async fn migrate_all(session: &Session<'_>) -> Result<(), Error> {
    let options = ListOptions {
        labels: Some("app.kubernetes.io/part-of=flux".to_owned()),
        ..ListOptions::default()
    };
    let listed = session
        .cluster
        .list(&kinds::definition(), None, &options)
        .await
        .map_err(|error| refusal(&error).while_doing("failed to list CRDs"))?;
    for definition in objects(listed) {
        migrate_definition(session, &definition).await?;
    }
    Ok(())
}

/// Rewrites every object of a definition in the storage version.
pub async fn migrate_definition(session: &Session<'_>, definition: &Object) -> Result<(), Error> {
    let name = definition.name();
    let mut definition = definition.clone();
    let mut rewritten = None;
    let mut tries = 1;
    loop {
        let Some(gvk) = stored_as(&definition) else {
            return Err(Error::cluster(format!(
                "no storage version found for CRD {name}"
            )));
        };
        if rewritten.as_ref() != Some(&gvk) {
            every_object(session, &gvk).await.map_err(|error| {
                error.while_doing(format!("failed to migrate resources for CRD {name}"))
            })?;
        }
        let Some(patch) = forget_older(&definition, &gvk.version) else {
            return Ok(());
        };
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let kind = kinds::definition();
        let patched = session.cluster.merge(&kind, None, name, &patch, options);
        match patched.await {
            Ok(_) => {
                let version = &gvk.version;
                session
                    .progress
                    .success(format!("{name} migrated to storage version {version}"));
                return Ok(());
            }
            // The server also writes the status, after each change of the definition.
            Err(error) if error.is_conflict() && tries < TRIES => tries += 1,
            Err(error) => {
                let doing = format!("failed to update CRD {name} status");
                return Err(refusal(&error).while_doing(doing));
            }
        }
        let live = session.cluster.get(&kind, None, name).await;
        match live.map_err(|error| refusal(&error))?.and_then(object) {
            Some(live) => definition = live,
            None => return Ok(()),
        }
        rewritten = Some(gvk);
    }
}

/// The kind of a definition in its storage version.
fn stored_as(definition: &Object) -> Option<GroupVersionKind> {
    let versions = at(definition, "/spec/versions")?.as_array()?;
    let stored = versions.iter().find(|version| version["storage"] == true)?;
    Some(GroupVersionKind::gvk(
        text(definition, "/spec/group"),
        stored["name"].as_str()?,
        text(definition, "/spec/names/kind"),
    ))
}

/// The patch that leaves one stored version, if there are others. It tests the resource version,
/// because a changed definition may store objects in other versions.
fn forget_older(definition: &Object, version: &str) -> Option<Value> {
    let stored = at(definition, "/status/storedVersions")?.as_array()?;
    if stored.iter().all(|stored| stored == version) {
        return None;
    }
    Some(json!({
        "metadata": { "resourceVersion": definition.resource_version() },
        "status": { "storedVersions": [version] },
    }))
}

async fn every_object(session: &Session<'_>, gvk: &GroupVersionKind) -> Result<(), Error> {
    let listed = list(session, gvk).await?;
    let mut done = futures::stream::iter(&listed)
        .map(|object| async move { (object, migrate_object(session, gvk, object).await) })
        .buffered(CONCURRENCY);
    while let Some((object, migrated)) = done.next().await {
        let id = format!("{}/{}/{}", gvk.kind, object.namespace(), object.name());
        match migrated {
            Ok(true) => session
                .progress
                .success(format!("{id} migrated to version {}", gvk.version)),
            Ok(false) => {}
            Err(error) => return Err(error.while_doing(format!("{id} failed to migrate"))),
        }
    }
    Ok(())
}

/// Lists all objects of a kind. The server serves a new version of its definition with a delay.
async fn list(session: &Session<'_>, gvk: &GroupVersionKind) -> Result<Vec<Object>, Error> {
    let mut backoff = ServedBackoff::start();
    let options = ListOptions::default();
    loop {
        match session.cluster.list(gvk, None, &options).await {
            Ok(listed) => return Ok(objects(listed)),
            Err(error) if (error.has_no_match() || error.is_unserved()) && backoff.has_time() => {
                backoff.wait().await;
            }
            Err(error) => return Err(refusal(&error)),
        }
    }
}

/// Makes the server write an object again; `false` if the object is gone.
async fn migrate_object(
    session: &Session<'_>,
    gvk: &GroupVersionKind,
    listed: &Object,
) -> Result<bool, Error> {
    let cluster = session.cluster;
    let options = PatchOptions {
        field_manager: Some(FIELD_MANAGER),
        ..PatchOptions::default()
    };
    let namespace = Some(listed.namespace()).filter(|namespace| !namespace.is_empty());
    let api_version = format!("{}/{}", gvk.group, gvk.version);
    let mut object = listed.clone();
    let mut tries = 1;
    loop {
        let written = match sluice_apply::migrate::patch(&object, &api_version) {
            Some(patch) => {
                cluster
                    .json_patch(gvk, namespace, object.name(), &patch, options)
                    .await
            }
            // An empty change makes the server store the object in its storage version.
            None => {
                cluster
                    .merge(gvk, namespace, object.name(), &json!({}), options)
                    .await
            }
        };
        match written {
            Ok(_) => return Ok(true),
            Err(error) if error.is_not_found() => return Ok(false),
            Err(error) if error.is_conflict() && tries < TRIES => tries += 1,
            Err(error) => return Err(refusal(&error)),
        }
        let live = cluster
            .get(gvk, namespace, listed.name())
            .await
            .map_err(|error| refusal(&error))?;
        match live.and_then(|live| Object::try_from(live).ok()) {
            Some(live) => object = live,
            None => return Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(stored: &Value) -> Object {
        serde_json::from_value(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "buckets.source.toolkit.fluxcd.io", "resourceVersion": "7"},
            "spec": {"group": "source.toolkit.fluxcd.io", "names": {"kind": "Bucket"}, "versions": [
                {"name": "v1", "storage": true}, {"name": "v1beta2", "storage": false}]},
            "status": {"storedVersions": stored},
        }))
        .unwrap()
    }

    #[test]
    fn storage_version_comes_from_the_definition() {
        let gvk = stored_as(&definition(&json!(["v1"]))).unwrap();
        assert_eq!((gvk.version.as_str(), gvk.kind.as_str()), ("v1", "Bucket"));
    }

    #[test]
    fn older_stored_versions_are_removed() {
        for current in [json!(["v1"]), json!([]), Value::Null] {
            assert_eq!(forget_older(&definition(&current), "v1"), None, "{current}");
        }
        for older in [json!(["v1beta2", "v1"]), json!(["v1beta2"])] {
            assert_eq!(
                forget_older(&definition(&older), "v1"),
                Some(json!({
                    "metadata": {"resourceVersion": "7"}, "status": {"storedVersions": ["v1"]},
                })),
                "{older}"
            );
        }
    }
}

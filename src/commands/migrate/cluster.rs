//! What a cluster stores: every object of Flux's kinds written anew in the version that is stored,
//! its managed fields with it, and then the older versions taken off the definition.

use futures::StreamExt as _;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, ListOptions, PatchOptions};
use sluice_object::Object;

use crate::cluster::{Context, FIELD_MANAGER, objects, refusal};
use crate::error::CommandError;
use crate::resource::{self, at, text};
use crate::{CommandResult, Exit};

/// Requests under way at once.
const CONCURRENCY: usize = 8;
/// How often an object is read again that someone else changes meanwhile.
const TRIES: usize = 5;

pub(super) fn migrate(context: &Context) -> CommandResult {
    context
        .progress
        .action("starting migration of custom resources");
    let limit = context.timeout();
    context.block_on(async {
        tokio::time::timeout(limit, every_definition(context))
            .await
            .unwrap_or_else(|_| {
                let limit = sluice_golang::duration::GoDuration::from_std(limit);
                Err(
                    CommandError::cluster(format!("the migration was not finished within {limit}"))
                        .hint("run it again, with more --timeout: what was migrated stays so"),
                )
            })
    })??;
    context
        .progress
        .success("custom resources migrated successfully");
    Ok(Exit::SUCCESS)
}

async fn every_definition(context: &Context) -> Result<(), CommandError> {
    let options = ListOptions {
        labels: Some("app.kubernetes.io/part-of=flux".to_owned()),
        ..ListOptions::default()
    };
    let listed = context
        .cluster()?
        .list(&resource::definition(), None, &options)
        .await
        .map_err(|error| refusal(&error).while_doing("failed to list CRDs"))?;
    for definition in objects(listed) {
        migrate_definition(context, &definition).await?;
    }
    Ok(())
}

/// Writes every object of a definition in the version that is stored, and forgets the others.
pub(in crate::commands) async fn migrate_definition(
    context: &Context,
    definition: &Object,
) -> Result<(), CommandError> {
    let name = definition.name();
    let Some(gvk) = stored_as(definition) else {
        return Err(CommandError::cluster(format!(
            "no storage version found for CRD {name}"
        )));
    };
    every_object(context, &gvk).await.map_err(|error| {
        error.while_doing(format!("failed to migrate resources for CRD {name}"))
    })?;
    let Some(patch) = forget_older(definition, &gvk.version) else {
        return Ok(());
    };
    let options = PatchOptions {
        field_manager: Some(FIELD_MANAGER),
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    context
        .cluster()?
        .merge(&resource::definition(), None, name, &patch, options)
        .await
        .map_err(|error| {
            refusal(&error).while_doing(format!("failed to update CRD {name} status"))
        })?;
    context.progress.success(format!(
        "{name} migrated to storage version {}",
        gvk.version
    ));
    Ok(())
}

/// The kind of a definition in the version that is stored.
fn stored_as(definition: &Object) -> Option<GroupVersionKind> {
    let versions = at(definition, "/spec/versions")?.as_array()?;
    let stored = versions.iter().find(|version| version["storage"] == true)?;
    Some(GroupVersionKind::gvk(
        text(definition, "/spec/group"),
        stored["name"].as_str()?,
        text(definition, "/spec/names/kind"),
    ))
}

/// The change that leaves one stored version, if there is another. It names the resource version
/// that was read: should the definition have got another one meanwhile, objects may be stored in it.
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

async fn every_object(context: &Context, gvk: &GroupVersionKind) -> Result<(), CommandError> {
    let listed = context
        .cluster()?
        .list(gvk, None, &ListOptions::default())
        .await
        .map_err(|error| refusal(&error))?;
    let listed = objects(listed);
    let mut done = futures::stream::iter(&listed)
        .map(|object| async move { (object, migrate_object(context, gvk, object).await) })
        .buffered(CONCURRENCY);
    while let Some((object, migrated)) = done.next().await {
        let id = format!("{}/{}/{}", gvk.kind, object.namespace(), object.name());
        match migrated {
            Ok(true) => context
                .progress
                .success(format!("{id} migrated to version {}", gvk.version)),
            Ok(false) => {}
            Err(error) => return Err(error.while_doing(format!("{id} failed to migrate"))),
        }
    }
    Ok(())
}

/// Has the server write an object anew; `false` if it is gone.
async fn migrate_object(
    context: &Context,
    gvk: &GroupVersionKind,
    listed: &Object,
) -> Result<bool, CommandError> {
    let cluster = context.cluster()?;
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
            // A change of nothing: the server stores what it reads in the version it stores now.
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
    fn what_is_stored_is_named_by_the_definition() {
        let gvk = stored_as(&definition(&json!(["v1"]))).unwrap();
        assert_eq!((gvk.version.as_str(), gvk.kind.as_str()), ("v1", "Bucket"));
    }

    #[test]
    fn only_versions_that_are_no_longer_stored_are_forgotten() {
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

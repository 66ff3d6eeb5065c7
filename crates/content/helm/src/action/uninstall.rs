//! Uninstalls a release.

use sluice_chart::manifest::{self, UNINSTALL_ORDER};
use sluice_chart::{Files, is_release_name};
use sluice_golang::quote::quote;
use sluice_object::Object;
use sluice_yaml::v2;

use super::options::Uninstall;
use crate::cluster::{Goal, Propagation, WaitStrategy, build};
use crate::context::{ActionError, Context, Delivery, Failure};
use crate::log::LogLine;
use crate::ownership::{KEEP, RESOURCE_POLICY};
use crate::record::{Release, Status};
use crate::store::StoreError;
use crate::{hook, resources};

/// An uninstalled release.
#[derive(Debug, Clone)]
pub struct UninstalledRelease {
    /// The last revision.
    pub release: Release,
    /// The objects that stay by their policy, for the user.
    pub info: String,
}

/// Uninstalls a release.
pub async fn uninstall(
    context: &Context<'_>,
    name: &str,
    options: &Uninstall,
) -> Result<UninstalledRelease, Failure> {
    let reached = context.cluster.reach().await;
    reached.map_err(|error| ActionError::Failed(error.to_string()))?;
    let (history, mut release) = load(context, name).await?;
    let info = String::new();
    if release.info.status == Status::UNINSTALLED {
        if options.keeps_history {
            let text = format!("the release named {} is already deleted", quote(name));
            return Err(ActionError::Failed(text).into());
        }
        let purged = purge(context, &history, &release).await;
        purged.map_err(ActionError::Failed)?;
        return Ok(UninstalledRelease { release, info });
    }
    context.log(LogLine::debug("uninstall: deleting release").with("name", name));
    release.info.deleted = Some(context.now());
    let description = "Deletion in progress (or silently failed)";
    release.set_status(Status::UNINSTALLING, description);
    let delivery = Delivery {
        wait: options.wait,
        timeout: options.timeout,
        ..Delivery::default()
    };
    if options.runs_hooks {
        let ran = hook::run(context, &mut release, "pre-delete", &delivery).await;
        if let Err(text) = ran {
            return Err(failure(text, release));
        }
    } else {
        context.log(LogLine::debug("delete hooks disabled").with("release", name));
    }
    context.record(&release).await;
    let (deleted, info) = match delete_objects(context, &release, options.propagation).await {
        Ok(deleted) => deleted,
        Err(error) => {
            // Helm does not tell the cause.
            tracing::error!(name, error, "uninstall: Failed to delete release");
            let line = LogLine::debug("uninstall: Failed to delete release");
            context.log(line.with("error", vec![sluice_yaml::Map::default()]));
            let text = format!("failed to delete release: {name}");
            return Err(failure(text, release));
        }
    };
    let mut errors = Vec::new();
    if options.wait != WaitStrategy::HookOnly {
        let (wait, timeout) = (options.wait, options.timeout);
        let waited = context.cluster.wait(&deleted, Goal::Deleted, wait, timeout);
        let waited = context.until_cancelled(waited).await;
        errors.extend(waited.err().map(|error| error.to_string()));
    }
    if options.runs_hooks {
        let ran = hook::run(context, &mut release, "post-delete", &delivery).await;
        errors.extend(ran.err());
    }
    let description = options.description.as_deref();
    let description = description.unwrap_or("Uninstallation complete");
    release.set_status(Status::UNINSTALLED, description);
    if options.keeps_history {
        context.record(&release).await;
        let superseded = context.supersede_deployed(name).await;
        superseded.map_err(ActionError::from)?;
    } else {
        context.log(LogLine::debug("purge requested").with("release", name));
        errors.extend(purge(context, &history, &release).await.err());
    }
    if !errors.is_empty() {
        let (count, errors) = (errors.len(), errors.join("; "));
        let text = format!("uninstallation completed with {count} error(s): {errors}");
        return Err(failure(text, release));
    }
    Ok(UninstalledRelease { release, info })
}

/// Loads the revisions of a release. The last one is apart.
async fn load(context: &Context<'_>, name: &str) -> Result<(Vec<Release>, Release), ActionError> {
    if !is_release_name(name) {
        let text = format!("uninstall: Release name is invalid: {name}");
        return Err(ActionError::Name(text));
    }
    let loaded = context.store.history(name).await;
    let mut history = loaded.map_err(|error| match error {
        StoreError::NotFound => {
            let text = "uninstall: Release not loaded";
            ActionError::Failed(format!("{text}: {name}: {error}"))
        }
        error => ActionError::Store(error),
    })?;
    match history.pop() {
        Some(last) => Ok((history, last)),
        None => Err(ActionError::Failed("no release provided".to_owned())),
    }
}

fn failure(text: String, release: Release) -> Failure {
    Failure {
        error: ActionError::Failed(text),
        release: Some(Box::new(release)),
    }
}

/// Removes the history.
async fn purge(context: &Context<'_>, history: &[Release], last: &Release) -> Result<(), String> {
    for release in history.iter().chain([last]) {
        let deleted = context.store.delete(&release.name, release.version).await;
        deleted.map_err(|error| format!("uninstall: Failed to purge the release: {error}"))?;
    }
    Ok(())
}

/// Deletes the objects of a release, and returns them with a text about those that stay.
async fn delete_objects(
    context: &Context<'_>,
    release: &Release,
    propagation: Propagation,
) -> Result<(Vec<Object>, String), String> {
    let documents = manifest::split(release.manifest.as_bytes()).into_iter();
    let files: Files = documents
        .enumerate()
        .map(|(index, document)| (format!("manifest-{index}"), document.into()))
        .collect();
    let sorted = manifest::sort(&files).map_err(|error| {
        format!("corrupted release record. You must manually delete the resources: {error}")
    })?;
    let mut manifests = sorted.manifests;
    manifests.sort_by(|one, two| manifest::compare(&one.kind, &two.kind, UNINSTALL_ORDER));
    let (mut kept, mut deleted) = (String::new(), String::new());
    for manifest in manifests {
        let object = v2::from_slice(&manifest.content).unwrap_or_default();
        let metadata = &object["metadata"];
        // A policy that is not known neither keeps nor deletes the object, as in Helm.
        match metadata["annotations"][RESOURCE_POLICY].as_str() {
            Some(policy) if policy.trim().to_lowercase() == KEEP => {
                let name = metadata["name"].as_str().unwrap_or_default();
                kept.extend(["[", &manifest.kind, "] ", name, "\n"]);
            }
            Some(_) => {}
            None => {
                deleted.push_str("\n---\n");
                deleted.push_str(&String::from_utf8_lossy(&manifest.content));
            }
        }
    }
    let built = build(context.cluster, &deleted, &release.namespace, false).await;
    let objects =
        built.map_err(|error| format!("unable to build kubernetes objects for delete: {error}"))?;
    if !objects.is_empty() {
        let errors = resources::delete(context.cluster, &objects, propagation).await;
        if !errors.is_empty() {
            return Err(resources::texts(&errors, "; "));
        }
    }
    if !kept.is_empty() {
        kept.insert_str(0, "These resources were kept due to the resource policy:\n");
    }
    Ok((objects, kept))
}

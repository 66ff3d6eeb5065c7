//! Shows an image update: a new tag in the registry becomes a commit, and the commit an alert.

use std::time::Instant;

use sluice_client::GroupVersionKind;
use sluice_devcluster::TagServer;
use sluice_git::serve::Change;
use sluice_insight::fields::text;
use sluice_insight::kinds::{Resource, by_kind};
use tokio::sync::broadcast;

use super::stage::{NAME, NAMESPACE, Stage, seconds, source};
use super::story::{FILE, MANIFESTS, commit_files, ready_at, request, wait_for, within};
use crate::cluster::Context;
use crate::error::CommandError;

/// The objects of the update. `REGISTRY` stands for the address of the registry.
const UPDATE: &str = include_str!("image.yaml");
const RESOURCES: &str = "resources: [web.yaml, release.yaml, image.yaml]\n";
/// The image of `web` before the update.
const IMAGE: &str = "example.com/web:v1";
const OLD: &str = "1.0.0";
const NEW: &str = "1.1.0";

/// Commits the objects, publishes a tag, and waits for the commit, the workload and the alert.
pub(super) async fn update(
    stage: &Stage,
    registry: &TagServer,
    context: &Context,
) -> Result<(), CommandError> {
    let progress = context.progress;
    let host = registry.host();
    let (old, new) = (format!("{host}/web:{OLD}"), format!("{host}/web:{NEW}"));
    registry.tag("web", OLD);
    let marked = format!("{old} # {{\"$imagepolicy\": \"{NAMESPACE}:{NAME}\"}}");
    let files = [
        Change::write(FILE, MANIFESTS.replace(IMAGE, &marked)),
        Change::write("image.yaml", UPDATE.replace("REGISTRY", &host)),
        Change::write("kustomization.yaml", RESOURCES),
    ];
    let committed = commit_files(stage, "Update images", &files)?;
    progress.action(format!("committed an image update: {}", &committed[..8]));
    request(stage, source()?).await?;
    within(context, ready_at(stage, &committed)).await?;

    let mut notifications = stage.notifications.subscribe();
    registry.tag("web", NEW);
    let began = Instant::now();
    progress.action(format!("published a new tag: {new}"));
    request(stage, kind("ImageRepository")?).await?;
    let mut pushed = String::new();
    let automation = kind("ImageUpdateAutomation")?.gvk();
    let has_pushed = wait_for(stage, &automation, NAMESPACE, NAME, |object| {
        text(object, "/status/lastPushCommit").clone_into(&mut pushed);
        !pushed.is_empty()
    });
    within(context, has_pushed).await?;
    let short = pushed.get(..8).unwrap_or(&pushed);
    progress.action(format!("image-automation-controller committed {short}"));
    request(stage, source()?).await?;
    within(context, ready_at(stage, &pushed)).await?;
    let deployments = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let runs = wait_for(stage, &deployments, "demo", "web", |object| {
        text(object, "/spec/template/spec/containers/0/image") == new
    });
    within(context, runs).await?;
    progress.success(format!("tag → rolled out in {}", seconds(began.elapsed())));
    within(context, alerted(&mut notifications, &pushed)).await?;
    progress.success(format!("tag → alert in {}", seconds(began.elapsed())));
    Ok(())
}

/// Waits for a notification about a commit.
async fn alerted(
    notifications: &mut broadcast::Receiver<String>,
    commit: &str,
) -> Result<(), CommandError> {
    use broadcast::error::RecvError;

    loop {
        match notifications.recv().await {
            Ok(shown) if shown.contains(commit) => return Ok(()),
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => {
                return Err(CommandError::internal("notifications have ended"));
            }
        }
    }
}

fn kind(name: &str) -> Result<&'static Resource, CommandError> {
    by_kind(name).ok_or_else(|| CommandError::internal(format!("no kind {name}")))
}

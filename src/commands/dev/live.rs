//! Shows the inventory tree at each change, and every event, until Ctrl-C.

use std::path::Path;
use std::time::Duration;

use sluice_client::GroupVersionKind;
use sluice_git::serve::Change;
use sluice_insight::fields;
use sluice_insight::fields::text;
use sluice_insight::kinds::{RESOURCES, by_kind, ready};
use sluice_object::{Object, ObjectId};

use super::stage::{NAMESPACE, Stage};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::{self, Progress, tree::Node};
use sluice_golang::error::chain;
use sluice_insight::watch::{WatchTarget, each_state};

/// Interval at which a plain directory is compared with its last commit. The system cannot watch a
/// directory tree as a whole.
const LOOK: Duration = Duration::from_secs(1);

pub(super) async fn show(stage: &Stage, context: &Context) -> Result<(), CommandError> {
    let progress = context.progress;
    progress.wait("watching; Ctrl-C ends it and removes everything");
    let kubeconfig = stage.kubeconfig();
    if let Some(path) = kubeconfig {
        progress.action(format!("export KUBECONFIG={}", path.display()));
    }
    tokio::try_join!(
        trees(stage),
        events(stage),
        mirror(stage, stage.mirrored.as_deref(), progress),
    )?;
    Ok(())
}

/// Prints the inventory tree when it or the state of its owner changes.
async fn trees(stage: &Stage) -> Result<(), CommandError> {
    let resource =
        by_kind("Kustomization").ok_or_else(|| CommandError::internal("no Kustomization"))?;
    let mut shown = String::new();
    each(stage, &resource.gvk(), |object| {
        let (status, message) = ready(resource, object);
        let mut root = Node::new(format!(
            "Kustomization/{}/{} ready={status} {}",
            object.namespace(),
            object.name(),
            output::one_line(message)
        ));
        root.children = fields::inventory(object)
            .filter_map(|(id, _)| ObjectId::parse_inventory(id).ok())
            .map(|id| Node::new(id.to_string()))
            .collect();
        let text = root.render();
        if text != shown && status != "Unknown" {
            output::stderr(&text);
            shown = text;
        }
    })
    .await
}

async fn events(stage: &Stage) -> Result<(), CommandError> {
    let gvk = GroupVersionKind::gvk("", "v1", "Event");
    each(stage, &gvk, |event| {
        let kind = text(event, "/involvedObject/kind");
        if RESOURCES.iter().any(|resource| resource.kind == kind) {
            let mark = if text(event, "/type") == "Warning" {
                "✗"
            } else {
                "·"
            };
            output::stderr(&format!(
                "{mark} {kind}/{} {}: {}\n",
                text(event, "/involvedObject/name"),
                text(event, "/reason"),
                output::one_line(text(event, "/message"))
            ));
        }
    })
    .await
}

/// Commits changes in a plain directory.
async fn mirror(
    stage: &Stage,
    directory: Option<&Path>,
    progress: Progress,
) -> Result<(), CommandError> {
    let Some(directory) = directory else {
        return std::future::pending().await;
    };
    let mut ticks = tokio::time::interval(LOOK);
    let mut last = Change::directory(directory).ok();
    loop {
        ticks.tick().await;
        let Ok(now) = Change::directory(directory) else {
            continue;
        };
        if last.as_ref() == Some(&now) {
            continue;
        }
        let mut changes = now.clone();
        for gone in last.iter().flatten() {
            if !now.iter().any(|kept| kept.path() == gone.path()) {
                changes.push(Change::remove(gone.path()));
            }
        }
        let id = stage
            .repository
            .commit(&stage.branch, "Change in the directory", &changes)
            .map_err(|error| CommandError::user(chain(&error)))?
            .to_string();
        progress.action(format!("committed {}", &id[..8]));
        last = Some(now);
        let source =
            by_kind("GitRepository").ok_or_else(|| CommandError::internal("no GitRepository"))?;
        super::story::request(stage, source).await?;
    }
}

/// Passes on every state of a kind's objects, until the watch fails.
async fn each(
    stage: &Stage,
    gvk: &GroupVersionKind,
    mut show: impl FnMut(&Object),
) -> Result<(), CommandError> {
    let which = WatchTarget {
        namespace: Some(NAMESPACE),
        ..WatchTarget::default()
    };
    each_state(&stage.cluster, gvk, which, |object| {
        show(object);
        Ok(None)
    })
    .await
}

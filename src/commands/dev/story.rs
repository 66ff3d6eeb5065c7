//! Runs and times the demonstration: a first commit, a change, a reverted drift, and a Helm
//! release.

use std::time::{Duration, Instant};

use serde_json::json;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT as REQUESTED_AT;
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_git::serve::Change;
use sluice_insight::fields::text;
use sluice_insight::kinds::Resource;
use sluice_object::Object;
use sluice_system::Clock as _;

use super::stage::{NAME, NAMESPACE, Stage, apply, head, kustomization, seconds, source};
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::commands::waiting;
use crate::error::CommandError;
use sluice_golang::error::chain;
use sluice_insight::watch::{WatchTarget, each_state};

/// Files of the demonstration's repository: a namespace, a workload and its configuration.
pub(super) const MANIFESTS: &str = include_str!("manifests.yaml");
pub(super) const FILE: &str = "web.yaml";
/// Files of the Helm release: its chart, and the list of what the Kustomization applies.
const RELEASE: [(&str, &str); 4] = [
    (
        "kustomization.yaml",
        "resources: [web.yaml, release.yaml]\n",
    ),
    (
        "charts/hello/Chart.yaml",
        "apiVersion: v2\nname: hello\nversion: 1.0.0\n",
    ),
    (
        "charts/hello/templates/hello.yaml",
        include_str!("hello.yaml"),
    ),
    ("release.yaml", include_str!("release.yaml")),
];

/// Runs all parts.
pub(super) async fn run(stage: &Stage, context: &Context) -> Result<(), CommandError> {
    let progress = context.progress;
    commit(stage, "Add web", MANIFESTS)?;
    first_commit(stage, context).await?;

    let second = commit(
        stage,
        "Greet the evening",
        &MANIFESTS.replace("good morning", "good evening"),
    )?;
    let began = Instant::now();
    progress.action(format!("committed a change: {}", &second[..8]));
    request(stage, source()?).await?;
    within(context, ready_at(stage, &second)).await?;
    let greeting = setting(stage).await?;
    if greeting != "good evening" {
        return Err(CommandError::cluster(format!(
            "the change did not arrive: the setting is '{greeting}'"
        )));
    }
    progress.success(format!("change → ready in {}", seconds(began.elapsed())));

    progress.action("changing the setting by hand, behind Git's back");
    stage
        .cluster
        .merge(
            &config_maps(),
            Some("demo"),
            "web",
            &json!({ "data": { "greeting": "drifted" } }),
            PatchOptions {
                field_manager: Some("by-hand"),
                ..PatchOptions::default()
            },
        )
        .await
        .map_err(|error| refusal(&error))?;
    let began = Instant::now();
    request(stage, kustomization()?).await?;
    within(
        context,
        wait_for(stage, &config_maps(), "demo", "web", |object| {
            text(object, "/data/greeting") == "good evening"
        }),
    )
    .await?;
    progress.success(format!("drift → reverted in {}", seconds(began.elapsed())));
    release(stage, context).await
}

/// Commits a chart and a HelmRelease, and waits until the release is installed.
async fn release(stage: &Stage, context: &Context) -> Result<(), CommandError> {
    let progress = context.progress;
    let files = RELEASE.map(|(path, content)| Change::write(path, content));
    let committed = commit_files(stage, "Add a Helm release", &files)?;
    let began = Instant::now();
    progress.action(format!("committed a Helm release: {}", &committed[..8]));
    request(stage, source()?).await?;
    within(context, ready_at(stage, &committed)).await?;
    let gvk = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
    let installed = wait_for(stage, &gvk, "demo", "hello", |object| {
        text(object, "/status/history/0/status") == "deployed"
    });
    within(context, installed).await?;
    progress.success(format!(
        "release → installed in {}",
        seconds(began.elapsed())
    ));
    Ok(())
}

/// Deploys the repository, and waits until it is applied.
async fn first_commit(stage: &Stage, context: &Context) -> Result<(), CommandError> {
    let began = Instant::now();
    let head = deploy(stage, context).await?;
    within(context, ready_at(stage, &head)).await?;
    context
        .progress
        .success(format!("commit → ready in {}", seconds(began.elapsed())));
    Ok(())
}

/// Creates a GitRepository and a Kustomization. Returns the commit that they begin with.
pub(super) async fn deploy(stage: &Stage, context: &Context) -> Result<String, CommandError> {
    let head = head(&stage.repository, &stage.branch)?;
    context.progress.action(format!(
        "reconciling commit {} of {}",
        &head[..8],
        stage.branch
    ));
    let repository = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": { "name": NAME, "namespace": NAMESPACE },
        "spec": { "interval": "5s", "url": stage.url, "ref": { "branch": stage.branch } },
    });
    let mut applied = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": { "name": NAME, "namespace": NAMESPACE },
        "spec": {
            "interval": "1m0s",
            "retryInterval": "5s",
            "timeout": "2m0s",
            "path": stage.directory,
            "prune": true,
            "wait": true,
            "sourceRef": { "kind": "GitRepository", "name": NAME },
        },
    });
    if let Some(policy) = stage.deletion_policy() {
        applied["spec"]["deletionPolicy"] = json!(policy);
    }
    apply(
        &stage.cluster,
        &source()?.gvk(),
        Some(NAMESPACE),
        &repository,
    )
    .await?;
    apply(
        &stage.cluster,
        &kustomization()?.gvk(),
        Some(NAMESPACE),
        &applied,
    )
    .await?;
    Ok(head)
}

fn commit(stage: &Stage, message: &str, content: &str) -> Result<String, CommandError> {
    commit_files(stage, message, &[Change::write(FILE, content)])
}

pub(super) fn commit_files(
    stage: &Stage,
    message: &str,
    files: &[Change],
) -> Result<String, CommandError> {
    stage
        .repository
        .commit(&stage.branch, message, files)
        .map(|id| id.to_string())
        .map_err(|error| CommandError::internal(chain(&error)))
}

fn config_maps() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "ConfigMap")
}

/// Requests a reconciliation, like `reconcile` and webhooks.
pub(super) async fn request(stage: &Stage, resource: &Resource) -> Result<(), CommandError> {
    let now = sluice_system::SystemClock.now().to_string();
    stage
        .cluster
        .merge(
            &resource.gvk(),
            Some(NAMESPACE),
            NAME,
            &json!({ "metadata": { "annotations": { REQUESTED_AT: now } } }),
            PatchOptions {
                field_manager: Some(FIELD_MANAGER),
                ..PatchOptions::default()
            },
        )
        .await
        .map_err(|error| refusal(&error))?;
    Ok(())
}

async fn setting(stage: &Stage) -> Result<String, CommandError> {
    let found = stage
        .cluster
        .get(&config_maps(), Some("demo"), "web")
        .await
        .map_err(|error| refusal(&error))?;
    Ok(found
        .as_ref()
        .and_then(|object| object["data"]["greeting"].as_str())
        .unwrap_or_default()
        .to_owned())
}

/// Waits until the Kustomization is ready at this commit. A failure ends the wait, because the
/// demonstration does not retry.
pub(super) async fn ready_at(stage: &Stage, commit: &str) -> Result<(), CommandError> {
    let resource = kustomization()?;
    let mut failure = None;
    wait_for(stage, &resource.gvk(), NAMESPACE, NAME, |object| {
        let applied = text(object, "/status/lastAppliedRevision").ends_with(commit);
        match waiting::settled(resource, object) {
            Some(Ok(_)) => applied,
            Some(Err(error)) if text(object, "/status/lastAttemptedRevision").ends_with(commit) => {
                failure = Some(error);
                true
            }
            _ => false,
        }
    })
    .await?;
    failure.map_or(Ok(()), Err)
}

/// Watches an object until it is as wanted.
pub(super) async fn wait_for(
    stage: &Stage,
    gvk: &GroupVersionKind,
    namespace: &str,
    name: &str,
    mut wanted: impl FnMut(&Object) -> bool,
) -> Result<(), CommandError> {
    let which = WatchTarget {
        namespace: Some(namespace),
        name: Some(name),
        labels: None,
    };
    each_state(&stage.cluster, gvk, which, |object| {
        Ok(wanted(object).then_some(()))
    })
    .await
}

pub(super) async fn within(
    context: &Context,
    work: impl Future<Output = Result<(), CommandError>>,
) -> Result<(), CommandError> {
    let limit = context.timeout().min(Duration::from_mins(2));
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        Err(CommandError::cluster(format!(
            "nothing happened within {}",
            seconds(limit)
        )))
    })
}

//! Installs a release.

use std::time::Duration;

use sluice_chart::values::Values;
use sluice_chart::{Chart, RenderedChart, dependency, is_release_name, render};

use super::options::Install;
use super::plan::Plan;
use crate::cluster::{ClusterError, Goal, WaitStrategy, build};
use crate::context::{ActionError, Context, Failure, Renderer, find_existing};
use crate::log::LogLine;
use crate::record::{Hook, Release, Status, go_text, stored_chart};
use crate::store::has_system_labels;
use crate::{ownership, resources};

/// The time in which definitions must be established.
const CRD_TIMEOUT: Duration = Duration::from_mins(1);

/// Installs a release of a chart.
pub async fn install(
    context: &Context<'_>,
    chart: Chart,
    values: Values,
    options: &Install,
    renderer: &dyn Renderer,
) -> Result<Release, Failure> {
    let cluster = context.cluster;
    cluster
        .reach()
        .await
        .map_err(|error| format!("cluster reachability check failed: {error}"))
        .inspect_err(|text| context.log(LogLine::error(text)))
        .map_err(ActionError::Failed)?;
    check_name(context, options).await.inspect_err(|_| {
        context.log(LogLine::error("release name check failed").with_error());
    })?;
    if !options.skips_crds && !options.dry_run {
        install_crds(context, &chart, &values, options)
            .await
            .map_err(ActionError::Failed)?;
    }
    if has_system_labels(&options.labels) {
        return Err(ActionError::SystemLabels.into());
    }
    let mut options = options.clone();
    if options.rolls_back && options.delivery.wait == WaitStrategy::HookOnly {
        options.delivery.wait = WaitStrategy::Watcher;
    }
    let scope = render::Release {
        name: options.name.clone(),
        namespace: options.namespace.clone(),
        revision: 1,
        is_upgrade: false,
    };
    let rendered = renderer.render(chart, &values, &scope).await?;
    let now = context.now();
    let mut release = Release {
        name: options.name.clone(),
        namespace: options.namespace.clone(),
        config: Some(values),
        version: 1,
        labels: options.labels.clone(),
        apply_method: apply_method(options.delivery.server_side).to_owned(),
        ..Release::default()
    };
    release.info.first_deployed = Some(now.clone());
    release.info.last_deployed = Some(now);
    fill(&mut release, &rendered);
    release.set_status(Status::PENDING_INSTALL, "Initial install underway");

    let validates = options.delivery.validates;
    let built = build(cluster, &release.manifest, &release.namespace, validates).await;
    let mut target = built.map_err(|error| {
        let text = "unable to build kubernetes objects from release manifest";
        ActionError::Failed(format!("{text}: {error}"))
    })?;
    for object in &mut target {
        ownership::set(object, &release.name, &release.namespace);
    }
    let take = options.delivery.take_ownership;
    let adopted = find_existing(cluster, &target, &release, take).await;
    let adopted = adopted.map_err(|error| {
        ActionError::Failed(format!("unable to continue with install: {error}"))
    })?;
    if options.dry_run {
        "Dry run complete".clone_into(&mut release.info.description);
        return Ok(release);
    }
    let former = if options.replace {
        replace(context, &mut release).await?
    } else {
        None
    };
    let plan = Plan::install(release, former, (adopted, target), &options);
    plan.perform(context).await
}

/// The method of a record.
pub(super) fn apply_method(server_side: bool) -> &'static str {
    if server_side { "ssa" } else { "csa" }
}

/// Takes over what a chart was rendered to.
pub(super) fn fill(release: &mut Release, rendered: &RenderedChart) {
    release.chart = Some(stored_chart(&rendered.chart));
    release.manifest = go_text(&rendered.manifest());
    release.hooks = rendered.hooks.iter().map(Hook::new).collect();
    release.info.notes = go_text(&rendered.notes);
}

async fn check_name(context: &Context<'_>, options: &Install) -> Result<(), ActionError> {
    let name = &options.name;
    if !is_release_name(name) {
        let error = sluice_chart::Error::ReleaseName(name.clone());
        return Err(ActionError::Name(error.to_string()));
    }
    if options.dry_run {
        return Ok(());
    }
    let Ok(last) = context.store.last(name).await else {
        return Ok(());
    };
    let status = last.info.status;
    if options.replace && (status == Status::UNINSTALLED || status == Status::FAILED) {
        return Ok(());
    }
    Err(ActionError::NameInUse)
}

/// Takes the next revision after the last one, which is superseded unless it had failed.
async fn replace(
    context: &Context<'_>,
    release: &mut Release,
) -> Result<Option<Release>, ActionError> {
    let Ok(mut last) = context.store.last(&release.name).await else {
        return Ok(None);
    };
    release.version = last.version + 1;
    if last.info.status == Status::FAILED {
        return Ok(None);
    }
    last.set_status(Status::SUPERSEDED, "superseded by new release");
    Ok(Some(last))
}

/// Creates the definitions of a chart, and waits until they are established.
async fn install_crds(
    context: &Context<'_>,
    chart: &Chart,
    values: &Values,
    options: &Install,
) -> Result<(), String> {
    let mut enabled = chart.clone();
    dependency::process(&mut enabled, values)
        .map_err(|error| format!("chart dependencies processing failed: {error}"))?;
    let delivery = options.delivery;
    let mut created = Vec::new();
    for crd in enabled.crds() {
        let name = crd.path.rsplit_once("crds/").map_or("", |(_, name)| name);
        let failed =
            |error: &dyn std::fmt::Display| format!("failed to install CRD crds/{name}: {error}");
        let text = go_text(&crd.data);
        let built = build(context.cluster, &text, &options.namespace, false).await;
        let objects = built.map_err(|error| failed(&error))?;
        if objects.is_empty() {
            return Err(failed(&"resources are empty"));
        }
        let (server_side, force) = (delivery.server_side, delivery.force_conflicts);
        match resources::create(context.cluster, &objects, server_side, force).await {
            Ok(()) => created.extend(objects),
            Err(ClusterError::Exists(_)) => {
                let line = LogLine::debug("CRD is already present. Skipping");
                context.log(line.with("crd", format!("crds/{name}")));
            }
            Err(error) => return Err(failed(&error)),
        }
    }
    if created.is_empty() {
        return Ok(());
    }
    if delivery.wait != WaitStrategy::HookOnly {
        let cluster = context.cluster;
        let wait = cluster.wait(&created, Goal::Ready, delivery.wait, CRD_TIMEOUT);
        let waited = context.until_cancelled(wait).await;
        waited.map_err(|error| error.to_string())?;
    }
    context.cluster.forget_kinds().await;
    Ok(())
}

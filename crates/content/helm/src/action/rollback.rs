//! Rolls a release back to an earlier revision.

use sluice_chart::is_release_name;

use super::install::apply_method;
use super::options::Rollback;
use super::plan::Plan;
use crate::cluster::build;
use crate::context::{ActionError, Context, Failure};
use crate::log::LogLine;
use crate::ownership;
use crate::record::{Release, Status};

/// Rolls a release back.
pub async fn rollback(
    context: &Context<'_>,
    name: &str,
    options: &Rollback,
) -> Result<Release, Failure> {
    let reached = context.cluster.reach().await;
    reached.map_err(|error| ActionError::Failed(error.to_string()))?;
    context.log(LogLine::debug("preparing rollback").with("name", name));
    if !is_release_name(name) {
        let text = format!("prepareRollback: Release name is invalid: {name}");
        return Err(ActionError::Name(text).into());
    }
    if options.version < 0 {
        return Err(ActionError::Failed("invalid release revision".to_owned()).into());
    }
    let former = context.store.last(name).await.map_err(ActionError::from)?;
    let version = match options.version {
        0 => former.version - 1,
        version => version,
    };
    let history = context.store.history(name).await;
    let history = history.map_err(ActionError::from)?;
    if !history.iter().any(|release| release.version == version) {
        let text = format!("release has no {version} version");
        return Err(ActionError::Failed(text).into());
    }
    context.log(
        LogLine::debug("rolling back")
            .with("name", name)
            .with("currentVersion", former.version)
            .with("targetVersion", version),
    );
    let previous = context.store.get(name, version).await;
    let previous = previous.map_err(ActionError::from)?;
    let mut delivery = options.delivery;
    delivery.server_side = options.server_side.resolve(&previous);
    let mut release = Release {
        name: name.to_owned(),
        namespace: former.namespace.clone(),
        version: former.version + 1,
        apply_method: apply_method(delivery.server_side).to_owned(),
        chart: previous.chart,
        config: previous.config,
        manifest: previous.manifest,
        hooks: previous.hooks,
        labels: previous.labels,
        ..Release::default()
    };
    release
        .info
        .first_deployed
        .clone_from(&former.info.first_deployed);
    release.info.last_deployed = Some(context.now());
    release.info.notes = previous.info.notes;
    release.set_status(Status::PENDING_ROLLBACK, format!("Rollback to {version}"));
    let failed = |of: &str, error: &dyn std::fmt::Display| {
        ActionError::Failed(format!(
            "unable to build kubernetes objects from {of} release manifest: {error}"
        ))
    };
    let built = build(context.cluster, &former.manifest, &former.namespace, false).await;
    let current = built.map_err(|error| failed("current", &error))?;
    let built = build(
        context.cluster,
        &release.manifest,
        &release.namespace,
        false,
    )
    .await;
    let mut target = built.map_err(|error| failed("new", &error))?;
    for object in &mut target {
        ownership::set(object, &release.name, &release.namespace);
    }
    let objects = (current, target);
    let plan = Plan::rollback(release, former, objects, options.cleans_up, delivery);
    plan.perform(context).await
}

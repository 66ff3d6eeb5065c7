//! Upgrades a release.

use std::collections::HashSet;

use sluice_chart::values::Values;
use sluice_chart::{Chart, coalesce, is_release_name, render};
use sluice_object::Object;

use super::install::{apply_method, fill};
use super::options::{Reuse, Upgrade};
use super::plan::Plan;
use crate::cluster::{WaitStrategy, build};
use crate::context::{ActionError, Context, Delivery, Failure, Renderer, find_existing};
use crate::log::LogLine;
use crate::ownership;
use crate::record::{Labels, Release, Status, restored_chart};
use crate::store::{StoreError, has_system_labels};

/// Upgrades a release to a chart.
pub async fn upgrade(
    context: &Context<'_>,
    name: &str,
    mut chart: Chart,
    values: Values,
    options: &Upgrade,
    renderer: &dyn Renderer,
) -> Result<Release, Failure> {
    let cluster = context.cluster;
    let reached = cluster.reach().await;
    reached.map_err(|error| ActionError::Failed(error.to_string()))?;
    if !is_release_name(name) {
        return Err(ActionError::Name(format!("release name is invalid: {name}")).into());
    }
    context.log(LogLine::debug("preparing upgrade").with("name", name));
    let (last, current) = observe(context, name).await?;
    log_reuse(context, &current, &values, options.reuse);
    let values = reuse(&mut chart, &current, values, options.reuse)?;
    let revision = last.version + 1;
    let scope = render::Release {
        name: name.to_owned(),
        namespace: current.namespace.clone(),
        revision,
        is_upgrade: true,
    };
    let rendered = renderer.render(chart, &values, &scope).await?;
    if has_system_labels(&options.labels) {
        return Err(ActionError::SystemLabels.into());
    }
    let mut delivery = options.delivery;
    delivery.server_side = options.server_side.resolve(&last);
    context.log(
        LogLine::debug("determined release apply method")
            .with("server_side_apply", delivery.server_side)
            .with("previous_release_apply_method", &*last.apply_method),
    );
    if options.rolls_back && delivery.wait == WaitStrategy::HookOnly {
        delivery.wait = WaitStrategy::Watcher;
    }
    let mut release = Release {
        name: name.to_owned(),
        namespace: current.namespace.clone(),
        config: Some(values),
        version: revision,
        labels: merge_labels(&last.labels, &options.labels),
        apply_method: apply_method(delivery.server_side).to_owned(),
        ..Release::default()
    };
    release
        .info
        .first_deployed
        .clone_from(&current.info.first_deployed);
    release.info.last_deployed = Some(context.now());
    fill(&mut release, &rendered);
    release.set_status(Status::PENDING_UPGRADE, "Preparing upgrade");

    let (objects, target) = build_objects(context, &release, &current, &delivery).await?;
    if options.dry_run {
        let description = options.description.as_deref().unwrap_or("Dry run complete");
        description.clone_into(&mut release.info.description);
        return Ok(release);
    }
    let plan = Plan::upgrade(release, current, (objects, target), options, delivery);
    plan.perform(context).await
}

/// Builds the current objects, with those that the release adopts, and the objects of the upgrade.
async fn build_objects(
    context: &Context<'_>,
    release: &Release,
    current: &Release,
    delivery: &Delivery,
) -> Result<(Vec<Object>, Vec<Object>), ActionError> {
    let cluster = context.cluster;
    let built = build(
        cluster,
        &release.manifest,
        &release.namespace,
        delivery.validates,
    )
    .await;
    let mut target = built.map_err(|error| ActionError::Failed(error.to_string()))?;
    context.log(LogLine::debug("performing update").with("name", &*release.name));
    let built = build(cluster, &current.manifest, &current.namespace, false).await;
    let mut objects = built.map_err(|error| former_error(&error.to_string()))?;
    for object in &mut target {
        ownership::set(object, &release.name, &release.namespace);
    }
    let key = |object: &Object| {
        let (kind, name) = (object.kind().to_owned(), object.name().to_owned());
        let version = object.api_version().to_owned();
        (version, kind, object.namespace().to_owned(), name)
    };
    let known: HashSet<_> = objects.iter().map(key).collect();
    let new = target.iter().filter(|object| !known.contains(&key(object)));
    let new: Vec<_> = new.cloned().collect();
    let adopted = find_existing(cluster, &new, release, delivery.take_ownership).await;
    objects.extend(adopted.map_err(|error| {
        ActionError::Failed(format!("unable to continue with update: {error}"))
    })?);
    Ok((objects, target))
}

/// Finds the last revision, and the one whose objects are in the cluster.
async fn observe(context: &Context<'_>, name: &str) -> Result<(Release, Release), ActionError> {
    let last = match context.store.last(name).await {
        Err(StoreError::NotFound) => return Err(StoreError::NoDeployed(name.to_owned()).into()),
        last => last?,
    };
    let status = &last.info.status;
    if status.is_pending() {
        return Err(ActionError::Pending);
    }
    if *status == Status::DEPLOYED {
        return Ok((last.clone(), last));
    }
    match context.store.deployed(name).await {
        Ok(deployed) => Ok((last, deployed)),
        Err(StoreError::NoDeployed(_))
            if *status == Status::FAILED || *status == Status::SUPERSEDED =>
        {
            Ok((last.clone(), last))
        }
        Err(error) => Err(error.into()),
    }
}

/// The error of a former manifest that does not build, perhaps because its API is gone.
fn former_error(error: &str) -> ActionError {
    ActionError::Failed(
        if error.contains("unable to recognize \"\": no matches for kind") {
            format!(
                "current release manifest contains removed kubernetes api(s) for this kubernetes \
                 version and it is therefore unable to build the kubernetes objects for \
                 performing the diff. error from kubernetes: {error}"
            )
        } else {
            let text = "unable to build kubernetes objects from current release manifest";
            format!("{text}: {error}")
        },
    )
}

/// Logs which values an upgrade has.
fn log_reuse(context: &Context<'_>, current: &Release, values: &Values, reuse: Reuse) {
    let former = current
        .config
        .as_ref()
        .is_some_and(|former| !former.is_empty());
    context.log(match reuse {
        Reuse::Reset => LogLine::debug("resetting values to the chart's original version"),
        Reuse::Reuse => LogLine::debug("reusing the old release's values"),
        Reuse::ResetThenReuse => LogLine::debug("merging values from old release to new values"),
        Reuse::IfEmpty if values.is_empty() && former => {
            LogLine::debug("copying values from old release")
                .with("name", &*current.name)
                .with("version", current.version)
        }
        Reuse::IfEmpty => return,
    });
}

/// The values of an upgrade.
fn reuse(
    chart: &mut Chart,
    current: &Release,
    values: Values,
    reuse: Reuse,
) -> Result<Values, ActionError> {
    let former = current.config.clone().unwrap_or_default();
    Ok(match reuse {
        Reuse::ResetThenReuse => coalesce::with_weaker(&values, &former),
        Reuse::Reuse => {
            let stored = current.chart.as_ref();
            let old = stored.map(restored_chart).unwrap_or_default();
            let old = coalesce::with_user(&old, &former).map_err(|error| {
                ActionError::Failed(format!("failed to rebuild old values: {error}"))
            })?;
            chart.values = old;
            chart.has_values = true;
            coalesce::with_weaker(&values, &former)
        }
        Reuse::IfEmpty if values.is_empty() => former,
        Reuse::Reset | Reuse::IfEmpty => values,
    })
}

fn merge_labels(former: &Labels, new: &Labels) -> Labels {
    let mut labels = former.clone();
    labels.extend(new.clone());
    labels.retain(|_, value| value != "null");
    labels
}

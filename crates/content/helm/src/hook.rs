//! Runs the hooks of an event.
//!
//! Hooks run one after another: by weight, then by name. The record is stored before each hook,
//! so that an interrupted action shows the hook that ran.

use sluice_golang::quote::quote;
use sluice_yaml::v2;

use crate::cluster::{self, ClusterError, Goal, Propagation, WaitStrategy};
use crate::context::{Context, Delivery};
use crate::record::{Execution, Hook, Phase, Release, Time};
use crate::resources;

const BEFORE_CREATION: &str = "before-hook-creation";
const SUCCEEDED: &str = "hook-succeeded";
const FAILED: &str = "hook-failed";

/// The hooks of an event in the order in which they run, by their places in the release.
pub(crate) fn order(hooks: &[Hook], event: &str) -> Vec<usize> {
    let places = hooks.iter().enumerate();
    let places = places.flat_map(|(place, hook)| {
        let events = hook.events.iter().filter(|known| *known == event);
        events.map(move |_| place)
    });
    let mut places: Vec<usize> = places.collect();
    places.sort_by_key(|place| (hooks[*place].weight, &hooks[*place].name));
    places
}

/// Runs the hooks of an event, and deletes them as their policies say.
pub(crate) async fn run(
    context: &Context<'_>,
    release: &mut Release,
    event: &str,
    delivery: &Delivery,
) -> Result<(), String> {
    let order = order(&release.hooks, event);
    for (done, place) in order.iter().enumerate() {
        if let Err(failure) = run_one(context, release, *place, event, delivery).await {
            if !failure.has_run {
                return Err(failure.text);
            }
            let failed = &release.hooks[*place];
            if let Err(error) = delete(context, release, failed, FAILED, delivery).await {
                tracing::warn!(%error, "error deleting the hook resource on hook failure");
            }
            for earlier in &order[..done] {
                let hook = &release.hooks[*earlier];
                delete(context, release, hook, SUCCEEDED, delivery).await?;
            }
            return Err(failure.text);
        }
    }
    for place in order.iter().rev() {
        let hook = &release.hooks[*place];
        show_logs(context, release, hook, SUCCEEDED).await;
        delete(context, release, hook, SUCCEEDED, delivery).await?;
    }
    Ok(())
}

/// Why a hook failed.
struct Failure {
    text: String,
    /// Whether the objects of the hook were created.
    has_run: bool,
}

async fn run_one(
    context: &Context<'_>,
    release: &mut Release,
    place: usize,
    event: &str,
    delivery: &Delivery,
) -> Result<(), Failure> {
    let before = |text: String| Failure {
        text,
        has_run: false,
    };
    if release.hooks[place].delete_policies.is_empty() {
        release.hooks[place].delete_policies = vec![BEFORE_CREATION.to_owned()];
    }
    let hook = &release.hooks[place];
    let deleted = delete(context, release, hook, BEFORE_CREATION, delivery).await;
    deleted.map_err(before)?;
    let (manifest, namespace) = (hook.manifest.clone(), release.namespace.clone());
    let objects = cluster::build(context.cluster, &manifest, &namespace, true).await;
    let path = hook.path.clone();
    let objects = objects.map_err(|error| {
        before(format!(
            "unable to build kubernetes object for {event} hook {path}: {error}"
        ))
    })?;
    release.hooks[place].last_run = Execution::started(context.now());
    context.record(release).await;
    release.hooks[place].last_run.phase = Phase::UNKNOWN;
    let created = context.until_cancelled(resources::create(
        context.cluster,
        &objects,
        delivery.server_side,
        false,
    ));
    if let Err(error) = created.await {
        end(release, place, Phase::FAILED, context.now());
        return Err(before(format!(
            "warning: Hook {event} {path} failed: {error}"
        )));
    }
    let waited = context.until_cancelled(context.cluster.wait(
        &objects,
        Goal::HookDone,
        delivery.wait,
        delivery.timeout,
    ));
    match waited.await {
        Ok(()) => {
            end(release, place, Phase::SUCCEEDED, context.now());
            Ok(())
        }
        Err(error) => {
            end(release, place, Phase::FAILED, context.now());
            show_logs(context, release, &release.hooks[place], FAILED).await;
            Err(Failure {
                text: error.to_string(),
                has_run: true,
            })
        }
    }
}

fn end(release: &mut Release, place: usize, phase: std::borrow::Cow<'static, str>, now: Time) {
    let run = &mut release.hooks[place].last_run;
    run.completed_at = Some(now);
    run.phase = phase;
}

/// Deletes the objects of a hook that has a policy. Definitions stay, because their objects would
/// go with them.
async fn delete(
    context: &Context<'_>,
    release: &Release,
    hook: &Hook,
    policy: &str,
    delivery: &Delivery,
) -> Result<(), String> {
    let has_policy = hook.delete_policies.iter().any(|known| known == policy);
    if hook.kind == "CustomResourceDefinition" || !has_policy {
        return Ok(());
    }
    let built = cluster::build(context.cluster, &hook.manifest, &release.namespace, false).await;
    let objects = built.map_err(|error| {
        let path = &hook.path;
        format!("unable to build kubernetes object for deleting hook {path}: {error}")
    })?;
    let errors = resources::delete(context.cluster, &objects, Propagation::Background).await;
    if !errors.is_empty() {
        return Err(resources::texts(&errors, "; "));
    }
    if delivery.wait == WaitStrategy::HookOnly {
        return Ok(());
    }
    let waited = context.until_cancelled(context.cluster.wait(
        &objects,
        Goal::Deleted,
        delivery.wait,
        delivery.timeout,
    ));
    waited
        .await
        .map_err(|error: ClusterError| error.to_string())
}

/// Hands on the logs of a hook that has a policy. A failure is not one of the hook.
async fn show_logs(context: &Context<'_>, release: &Release, hook: &Hook, policy: &str) {
    let has_policy = hook.output_log_policies.iter().any(|known| known == policy);
    if !has_policy || !matches!(&*hook.kind, "Job" | "Pod") {
        return;
    }
    let named = v2::from_slice(hook.manifest.as_bytes()).ok();
    let named = named.and_then(|hook| Some(hook["metadata"]["namespace"].as_str()?.to_owned()));
    let namespace = named.filter(|namespace| !namespace.is_empty());
    let namespace = namespace.unwrap_or_else(|| release.namespace.clone());
    let logs = context.cluster.logs(&namespace, &hook.kind, &hook.name);
    if let Err(error) = logs.await {
        let name = quote(&hook.name);
        tracing::warn!("error outputting logs of hook {name}: {error}");
    }
}

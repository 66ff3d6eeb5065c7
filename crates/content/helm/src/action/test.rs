//! Runs the tests of a release, which are hooks of the event `test`.

use sluice_chart::is_release_name;

use super::options::Test;
use crate::cluster::WaitStrategy;
use crate::context::{ActionError, Context, Delivery, Failure};
use crate::hook;
use crate::record::Release;

/// Runs the tests of the last revision, and stores their results.
pub async fn test(context: &Context<'_>, name: &str, options: &Test) -> Result<Release, Failure> {
    let reached = context.cluster.reach().await;
    reached.map_err(|error| ActionError::Failed(error.to_string()))?;
    if !is_release_name(name) {
        let text = format!("releaseTest: Release name is invalid: {name}");
        return Err(ActionError::Name(text).into());
    }
    let mut release = context.store.last(name).await.map_err(ActionError::from)?;
    let is_selected = |name: &String| {
        !options.excludes.contains(name)
            && (options.includes.is_empty() || options.includes.contains(name))
    };
    let hooks = std::mem::take(&mut release.hooks);
    let (selected, mut skipped): (Vec<_>, Vec<_>) =
        hooks.into_iter().partition(|hook| is_selected(&hook.name));
    release.hooks = selected;
    let delivery = Delivery {
        server_side: release.apply_method == "ssa",
        wait: WaitStrategy::Watcher,
        timeout: options.timeout,
        ..Delivery::default()
    };
    let ran = hook::run(context, &mut release, "test", &delivery).await;
    // As in Helm, the skipped hooks come first afterwards.
    skipped.append(&mut release.hooks);
    release.hooks = skipped;
    let updated = context.store.update(&release).await;
    if let Err(text) = ran {
        return Err(Failure {
            error: ActionError::Failed(text),
            release: Some(Box::new(release)),
        });
    }
    updated.map_err(ActionError::from)?;
    Ok(release)
}

//! Waits for an object with a watch, for `create`, `reconcile`, `resume`, `wait` and `bootstrap`.
//!
//! The timeout error has the object's last message, its unready dependencies and its unhealthy
//! objects. It keeps Flux's own text.

use sluice_golang::GoDuration;
use sluice_insight::kinds::Resource;
use sluice_insight::{observe, settled};
use sluice_object::Object;

use crate::cluster::Context;
use crate::error::CommandError;
use sluice_insight::watch::{Event, Watch, WatchTarget};

/// Waits until `verdict` returns a result for the object, or the timeout ends.
pub(super) async fn until<T>(
    context: &Context,
    resource: &Resource,
    namespace: &str,
    name: &str,
    verdict: impl Fn(&Object) -> Option<T>,
) -> Result<T, CommandError> {
    let which = WatchTarget {
        namespace: Some(namespace),
        name: Some(name),
        labels: None,
    };
    let what = format!("{} '{namespace}/{name}'", resource.kind);
    let watch = Watch::new(context.cluster()?, resource.gvk(), which);
    let mut last = None;
    let seen = watch.each(|event| match event {
        Event::Is(object) => {
            let found = verdict(&object);
            last = Some(object);
            Ok(found)
        }
        Event::Gone(_) => Err(CommandError::cluster(format!(
            "{what} was deleted while it was waited for"
        ))),
        Event::Synced => Ok(None),
    });
    if let Ok(found) = tokio::time::timeout(context.timeout(), seen).await {
        return found;
    }
    let error = timed_out(context, &what).details(watch.trouble());
    Err(match last {
        Some(object) => error.details(stand(context, &object).await),
        None => error.details(["it was never seen".to_owned()]),
    })
}

/// Returns the timeout error. It ends in Flux's text, because scripts search for it.
pub(super) fn timed_out(context: &Context, what: &str) -> CommandError {
    let timeout = GoDuration::from_std(context.timeout());
    CommandError::cluster(format!(
        "timed out after {timeout} waiting for {what}: context deadline exceeded"
    ))
}

/// Returns the state of an object and its dependencies, within a short timeout.
pub(super) async fn stand(context: &Context, object: &Object) -> Vec<String> {
    match context.cluster() {
        Ok(cluster) => observe::wait_report(cluster, object).await.lines(),
        Err(_) => Vec::new(),
    }
}

/// The result of a reconciliation; `None` while it is in progress.
pub(super) fn settled(
    resource: &Resource,
    object: &Object,
) -> Option<Result<Object, CommandError>> {
    settled::result(resource, object).map(|result| result.map_err(CommandError::cluster))
}

//! Waiting for an object, by a watch: what `create`, `reconcile`, `resume`, `wait` and `bootstrap`
//! have in common. When the time is up, the error says what the object said last, what it needs that is
//! not ready, and what it applied that is not healthy; Flux's own words for it stay.

use futures::StreamExt as _;
use sluice_golang::GoDuration;
use sluice_object::{Object, ObjectId};

use super::{health, release};
use crate::cluster::{Context, LAST_LOOK};
use crate::error::CommandError;
use crate::resource::{Resource, by_kind};
use crate::watch::{Event, Watch, Which};
use crate::why::{Id, Snapshot, standstill};

/// How far from the object.
const ROUNDS: usize = 8;
/// Requests under way at once.
const CONCURRENCY: usize = 16;

/// Waits until `verdict` has one on the object, or the timeout ends.
pub(super) async fn until<T>(
    context: &Context,
    resource: &Resource,
    namespace: &str,
    name: &str,
    verdict: impl Fn(&Object) -> Option<T>,
) -> Result<T, CommandError> {
    let which = Which {
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

/// That the time is up: what Flux says of it stands at the end, for those who look for that.
pub(super) fn timed_out(context: &Context, what: &str) -> CommandError {
    let timeout = GoDuration::from_std(context.timeout());
    CommandError::cluster(format!(
        "timed out after {timeout} waiting for {what}: context deadline exceeded"
    ))
}

/// What keeps an object from being ready, line by line, as far as it can be found out in short.
pub(super) async fn stand(context: &Context, object: &Object) -> Vec<String> {
    let (mut snapshot, mut unready) = (Snapshot::default(), Vec::new());
    let look = async {
        look_along(context, object, &mut snapshot).await;
        unready = not_well(context, object).await;
    };
    // What was not found in this time is left out.
    drop(tokio::time::timeout(LAST_LOOK, look).await);
    standstill::of(&snapshot, object, unready).lines()
}

/// Reads the chain of what an object needs. What may not be read is left out.
async fn look_along(context: &Context, object: &Object, snapshot: &mut Snapshot) {
    let mut asked: Vec<Id> = Vec::new();
    for _ in 0..ROUNDS {
        let mut wanted = standstill::needed(snapshot, object);
        wanted.retain(|id| !asked.contains(id));
        if wanted.is_empty() {
            return;
        }
        let found: Vec<_> = futures::stream::iter(&wanted)
            .map(|id| async move {
                let kind = by_kind(&id.kind)?;
                let found = context.find_in(kind, &id.namespace, &id.name).await;
                Some((id.clone(), found.ok()?))
            })
            .buffered(CONCURRENCY)
            .collect()
            .await;
        for (id, found) in found.into_iter().flatten() {
            match found {
                Some(object) => snapshot.add(object),
                None => snapshot.note_absent(id),
            }
        }
        asked.append(&mut wanted);
    }
}

/// What an object waits for the health of, and is not healthy.
async fn not_well(context: &Context, object: &Object) -> Vec<(ObjectId, String)> {
    let awaited = match object.kind() {
        "HelmRelease" => release::awaited(context, object).await,
        _ => standstill::awaited(object),
    };
    futures::stream::iter(awaited)
        .map(|id| async move {
            let fares = health::of(context, &id).await.ok()?;
            (!fares.is_well()).then(|| (id, fares.to_string()))
        })
        .buffered(CONCURRENCY)
        .filter_map(std::future::ready)
        .collect()
        .await
}

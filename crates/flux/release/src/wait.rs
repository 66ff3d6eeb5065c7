//! Waits for objects: by watches, or by the polls of Helm 3.
//!
//! [`sluice_helm::wait`] decides when an object is ready. One watch follows all objects of a kind
//! and namespace.

mod legacy;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use jiff::Timestamp;
use sluice_client::watch::{Backoff, Event, Scope, Watcher};
use sluice_client::{Cluster, GroupVersionKind};
use sluice_helm::cluster::{ClusterError, Goal};
use sluice_helm::wait;
use sluice_object::Object;
use sluice_object::status::Health;
use sluice_system::Clock;

pub(crate) use legacy::legacy;

/// The end of a wait in Go's words.
const DEADLINE: &str = "context deadline exceeded";
/// The time of a wait without one.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// How often the states are looked at that depend on the clock. This sends no request.
const RECHECK: Duration = Duration::from_secs(2);
const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(500),
    max: Duration::from_secs(10),
};

/// The time of a wait; Helm has a default for zero.
fn limit(timeout: Duration) -> Duration {
    if timeout.is_zero() {
        DEFAULT_TIMEOUT
    } else {
        timeout
    }
}

/// An object that is waited for.
struct AwaitedObject {
    /// The object of the manifest.
    object: Object,
    /// Its last state in the cluster.
    live: Option<Object>,
    /// Whether the state was read.
    is_known: bool,
}

struct State {
    goal: Goal,
    objects: Vec<AwaitedObject>,
}

impl State {
    fn set(&mut self, index: usize, live: Option<Object>) {
        self.objects[index].live = live;
        self.objects[index].is_known = true;
    }

    fn health(&self, awaited: &AwaitedObject, now: Timestamp) -> Health {
        wait::health(awaited.live.as_ref(), self.goal, now)
    }

    fn is_over(&self, now: Timestamp) -> bool {
        let mut objects = self.objects.iter();
        objects.all(|awaited| {
            awaited.is_known && wait::is_over(self.health(awaited, now).status, self.goal)
        })
    }

    /// The objects that have not reached the goal, and the reason of an early end.
    fn result(&self, now: Timestamp, reason: Option<String>) -> Result<(), ClusterError> {
        let problems = self.objects.iter().filter_map(|awaited| {
            let health = self.health(awaited, now);
            wait::problem(&awaited.object, &health, self.goal)
        });
        let lines: Vec<String> = problems.chain(reason).collect();
        if lines.is_empty() {
            return Ok(());
        }
        Err(ClusterError::Failed(lines.join("\n")))
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The objects of one watch, by name.
struct Group {
    gvk: GroupVersionKind,
    namespace: Option<String>,
    members: BTreeMap<String, usize>,
}

/// Waits by watches until all objects have reached a goal, or cannot reach it any more.
pub(crate) async fn watch(
    cluster: &Cluster,
    clock: &dyn Clock,
    objects: &[Object],
    goal: Goal,
    timeout: Duration,
) -> Result<(), ClusterError> {
    let awaited = objects
        .iter()
        .filter(|object| goal == Goal::Deleted || wait::is_awaited(object));
    let objects: Vec<AwaitedObject> = awaited
        .map(|object| AwaitedObject {
            object: object.clone(),
            live: None,
            is_known: false,
        })
        .collect();
    if objects.is_empty() {
        return Ok(());
    }
    let groups = groups(&objects);
    let state = Mutex::new(State { goal, objects });
    let watches = groups
        .iter()
        .map(|group| follow(cluster, clock, group, &state));
    let mut watches: FuturesUnordered<_> = watches.collect();
    let recheck = async {
        let mut interval = tokio::time::interval(RECHECK);
        loop {
            interval.tick().await;
            if lock(&state).is_over(clock.now()) {
                return;
            }
        }
    };
    let reason = tokio::select! {
        ended = watches.next() => ended.flatten(),
        () = recheck => None,
        () = tokio::time::sleep(limit(timeout)) => Some(DEADLINE.to_owned()),
    };
    drop(watches);
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.result(clock.now(), reason)
}

fn groups(objects: &[AwaitedObject]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, awaited) in objects.iter().enumerate() {
        let object = &awaited.object;
        let gvk = object.gvk();
        let namespace = crate::error::namespace(object).map(str::to_owned);
        let name = object.name().to_owned();
        let known = groups
            .iter_mut()
            .find(|group| group.gvk == gvk && group.namespace == namespace);
        match known {
            Some(group) => {
                group.members.insert(name, index);
            }
            None => groups.push(Group {
                gvk,
                namespace,
                members: BTreeMap::from([(name, index)]),
            }),
        }
    }
    groups
}

/// Follows the objects of a group until all objects of the wait are over. Returns the reason of an
/// earlier end.
async fn follow(
    cluster: &Cluster,
    clock: &dyn Clock,
    group: &Group,
    state: &Mutex<State>,
) -> Option<String> {
    let mut names = group.members.keys();
    let fields = match (names.next(), names.next()) {
        (Some(name), None) => Some(format!("metadata.name={name}")),
        _ => None,
    };
    let scope = Scope {
        namespace: group.namespace.clone(),
        fields,
        ..Scope::default()
    };
    let mut watcher = Watcher::new(cluster.clone(), group.gvk.clone(), scope, BACKOFF);
    let mut listed = BTreeSet::new();
    let member = |value| {
        let object = Object::try_from(value).ok()?;
        let index = *group.members.get(object.name())?;
        Some((index, object))
    };
    watcher
        .run(|event| {
            let mut state = lock(state);
            match event {
                Event::Connected => return ControlFlow::Continue(()),
                Event::Restarted => listed.clear(),
                Event::Listed(value) | Event::Applied(value) => {
                    if let Some((index, object)) = member(value) {
                        listed.insert(index);
                        state.set(index, Some(object));
                    }
                }
                Event::Deleted(value) => {
                    if let Some((index, _)) = member(value) {
                        state.set(index, None);
                    }
                }
                Event::Synced { .. } => {
                    for index in group.members.values() {
                        if !listed.contains(index) {
                            state.set(*index, None);
                        }
                    }
                }
                // Objects of a kind that is gone are gone as well.
                Event::Failed(failure) if failure.is_absent() => {
                    for index in group.members.values() {
                        state.set(*index, None);
                    }
                }
                Event::Failed(failure) if failure.is_refusal() => {
                    return ControlFlow::Break(Some(failure.error.message()));
                }
                Event::Failed(_) => {}
            }
            if state.is_over(clock.now()) {
                ControlFlow::Break(None)
            } else {
                ControlFlow::Continue(())
            }
        })
        .await
}

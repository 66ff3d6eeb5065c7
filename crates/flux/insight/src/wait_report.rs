//! The report of a wait that timed out: the object's own status, the prerequisites that are
//! not ready and the applied objects that are not healthy.
//!
//! [`report`] is pure. [`needed`] and [`awaited`] return the ids to read for it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;
use sluice_object::{GroupVersionKind, Object, ObjectId};

use crate::fields::{at, inventory};
use crate::kinds::{by_kind, is_suspended};
use crate::relation::prerequisites;
use crate::snapshot::{Id, Snapshot};
use crate::state;

/// The number of unhealthy objects that are listed.
const MAX_LISTED: usize = 10;

/// The report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitReport {
    /// The status of the object.
    pub message: String,
    /// The prerequisites that are not ready, directly or not.
    pub chain: Vec<UnreadyObject>,
    /// The applied objects that are not healthy, with their status.
    pub unready: Vec<(ObjectId, String)>,
}

/// A prerequisite that is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadyObject {
    /// The number of objects in between.
    pub depth: usize,
    /// The object.
    pub object: Id,
    /// Its status.
    pub message: String,
}

/// Builds the report. `unready` has the objects of [`awaited`] that are not healthy.
pub fn report(
    snapshot: &Snapshot,
    object: &Object,
    unready: Vec<(ObjectId, String)>,
) -> WaitReport {
    let mut chain = Vec::new();
    Chain::over(snapshot).follow(object, &mut |link| chain.push(link));
    WaitReport {
        message: status_text(object),
        chain,
        unready,
    }
}

/// Prerequisites that the snapshot does not have.
pub fn needed(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let mut named = BTreeSet::new();
    let mut note = |object: &Object| {
        named.extend(prerequisites(snapshot, object));
    };
    note(object);
    Chain::over(snapshot).follow(object, &mut |link| {
        if let Some(object) = snapshot.get(&link.object) {
            note(object);
        }
    });
    named.retain(|id| !snapshot.knows(id));
    named.into_iter().collect()
}

/// The objects whose health a Kustomization waits for.
pub fn awaited(object: &Object) -> Vec<ObjectId> {
    let is_here = at(object, "/spec/kubeConfig").is_none_or(Value::is_null);
    if object.kind() != "Kustomization" || !is_here {
        return Vec::new();
    }
    let list = |pointer: &str| {
        at(object, pointer)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    if at(object, "/spec/wait").and_then(Value::as_bool) == Some(true) {
        return inventory(object)
            .filter_map(|(id, _)| ObjectId::parse_inventory(id).ok())
            .collect();
    }
    list("/spec/healthChecks")
        .map(|check| {
            let text = |field: &str| check[field].as_str().unwrap_or_default();
            let gvk = GroupVersionKind::new(text("apiVersion"), text("kind"));
            ObjectId {
                namespace: text("namespace").to_owned(),
                name: text("name").to_owned(),
                group: gvk.group,
                kind: gvk.kind,
            }
        })
        .collect()
}

/// Walks the prerequisites that are not ready.
struct Chain<'s> {
    snapshot: &'s Snapshot,
    /// The path to the current object.
    path: Vec<Id>,
    /// The reported objects.
    reported: BTreeSet<Id>,
}

impl<'s> Chain<'s> {
    fn over(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            path: Vec::new(),
            reported: BTreeSet::new(),
        }
    }

    fn follow(&mut self, object: &Object, report_link: &mut impl FnMut(UnreadyObject)) {
        let depth = self.path.len();
        self.path.push(Id::of(object));
        for id in prerequisites(self.snapshot, object) {
            if !self.snapshot.knows(&id) {
                continue;
            }
            let mut report = |message: String| {
                report_link(UnreadyObject {
                    depth,
                    object: id.clone(),
                    message,
                });
            };
            if self.path.contains(&id) {
                report("is part of a dependency cycle".to_owned());
                continue;
            }
            let Some(needed) = self.snapshot.get(&id) else {
                report("not found".to_owned());
                continue;
            };
            let is_static = by_kind(needed.kind()).is_some_and(|kind| kind.is_static(needed));
            if is_static || is_ready(needed) || !self.reported.insert(id.clone()) {
                continue;
            }
            report(status_text(needed));
            self.follow(needed, report_link);
        }
        self.path.pop();
    }
}

fn is_ready(object: &Object) -> bool {
    state::condition(object, "Ready").is_some_and(|ready| ready.is("True"))
        && !state::is_unseen(object)
}

/// The status of an object as text.
fn status_text(object: &Object) -> String {
    let mut text = String::new();
    if is_suspended(object) {
        text.push_str("suspended; ");
    }
    if let Some(stalled) = state::condition(object, "Stalled").filter(|stalled| stalled.is("True"))
    {
        let _infallible = write!(text, "stalled ({}); ", stalled.reason());
    }
    match state::condition(object, "Ready") {
        Some(ready) => {
            let (status, reason) = (ready.status(), ready.reason());
            let message = ready.message().trim_end();
            let _infallible = write!(text, "Ready is {status} ({reason}): {message}");
            if state::is_unseen(object) {
                text.push_str("; its controller has not handled the last request yet");
            }
        }
        None => text.push_str("no controller has reported a status yet"),
    }
    text
}

impl WaitReport {
    /// The report as lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.message.clone()];
        for link in &self.chain {
            let indent = "  ".repeat(link.depth);
            lines.push(format!("{indent}needs {}: {}", link.object, link.message));
        }
        for (object, message) in self.unready.iter().take(MAX_LISTED) {
            lines.push(format!("not ready: {object}: {message}"));
        }
        if let Some(more) = self
            .unready
            .len()
            .checked_sub(MAX_LISTED)
            .filter(|more| *more > 0)
        {
            lines.push(format!("not ready: {more} more"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kustomization(name: &str, depends_on: &[&str], status: &str, more: Value) -> Object {
        let depends_on: Vec<Value> = depends_on
            .iter()
            .map(|name| json!({ "name": name }))
            .collect();
        let mut spec = json!({
            "dependsOn": depends_on, "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        });
        if let (Some(spec), Value::Object(more)) = (spec.as_object_mut(), more) {
            spec.extend(more);
        }
        serde_json::from_value(json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": "flux-system", "generation": 1 },
            "spec": spec,
            "status": {
                "observedGeneration": 1,
                "inventory": { "entries": [{ "id": "apps_web_apps_Deployment", "v": "v1" }] },
                "conditions": [{ "type": "Ready", "status": status, "reason": "Because",
                    "message": format!("{name} says so") }],
            },
        }))
        .unwrap()
    }

    #[test]
    fn chain_follows_unready_prerequisites() {
        let apps = kustomization("apps", &["infra", "ready", "gone"], "False", json!({}));
        let mut snapshot: Snapshot = [
            kustomization("infra", &["base"], "False", json!({})),
            kustomization("base", &[], "Unknown", json!({})),
            kustomization("ready", &["base"], "True", json!({})),
        ]
        .into_iter()
        .collect();
        snapshot.note_absent(Id::new("Kustomization", "flux-system", "gone"));
        assert_eq!(
            needed(&snapshot, &apps),
            [Id::new("GitRepository", "flux-system", "fleet")]
        );
        assert_eq!(
            report(&snapshot, &apps, Vec::new()).lines(),
            [
                "Ready is False (Because): apps says so",
                "needs Kustomization/flux-system/infra: Ready is False (Because): infra says so",
                "  needs Kustomization/flux-system/base: Ready is Unknown (Because): base says so",
                "needs Kustomization/flux-system/gone: not found",
            ]
        );
    }

    #[test]
    fn dependency_cycle_is_reported_once() {
        let one = kustomization("one", &["two"], "False", json!({}));
        let snapshot: Snapshot = [
            one.clone(),
            kustomization("two", &["one"], "False", json!({})),
        ]
        .into_iter()
        .collect();
        let lines = report(&snapshot, &one, Vec::new()).lines();
        assert_eq!(
            lines[2],
            "  needs Kustomization/flux-system/one: is part of a dependency cycle"
        );
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn only_health_checked_objects_are_awaited() {
        let names = |more: Value| -> Vec<String> {
            let object = kustomization("apps", &[], "False", more);
            awaited(&object).iter().map(ToString::to_string).collect()
        };
        assert_eq!(names(json!({})), Vec::<String>::new());
        assert_eq!(names(json!({ "wait": true })), ["Deployment/apps/web"]);
        let checks = json!([{ "apiVersion": "apps/v1", "kind": "Deployment",
            "namespace": "apps", "name": "api" }]);
        assert_eq!(
            names(json!({ "healthChecks": checks })),
            ["Deployment/apps/api"]
        );
        let remote = json!({ "wait": true, "kubeConfig": { "secretRef": { "name": "x" } } });
        assert_eq!(names(remote), Vec::<String>::new());
    }

    #[test]
    fn many_unready_objects_are_counted() {
        let report = WaitReport {
            message: "so".to_owned(),
            chain: Vec::new(),
            unready: (0..12)
                .map(|each| {
                    let id = ObjectId::parse_inventory(&format!("apps_web-{each}_apps_Deployment"));
                    (id.unwrap(), "InProgress".to_owned())
                })
                .collect(),
        };
        let lines = report.lines();
        assert_eq!(lines.len(), 12);
        assert_eq!(lines[1], "not ready: Deployment/apps/web-0: InProgress");
        assert_eq!(lines[11], "not ready: 2 more");
    }
}

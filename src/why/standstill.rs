//! What keeps an object from being ready, in few lines: its own last word, the chain of what it needs
//! and what of that is not ready, and what it applied that is not healthy.
//!
//! Less than [`super::explain`], which goes after the first that fails: this is what a wait says when
//! its time is up. Pure, too: [`needed`] and [`awaited`] tell what has to be looked at for it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;
use sluice_object::{Object, ObjectId};

use super::relation::{How, needs};
use super::snapshot::{Id, Snapshot};
use super::state;
use crate::resource::{self, at, by_kind, is_suspended};

/// Objects that are not healthy are told by name up to this number.
const NAMED: usize = 10;

/// What there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// The object's own word.
    pub says: String,
    /// What it needs, directly or through another, and what of that is not ready.
    pub chain: Vec<Link>,
    /// What it applied, and how that fares.
    pub unready: Vec<(ObjectId, String)>,
}

/// One object of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Through how many others it is needed.
    pub depth: usize,
    pub object: Id,
    pub says: String,
}

/// Puts together what was seen. `unready` is what [`awaited`] named and is not healthy.
pub fn of(snapshot: &Snapshot, object: &Object, unready: Vec<(ObjectId, String)>) -> Standstill {
    let mut chain = Vec::new();
    Chain::over(snapshot).follow(object, &mut |link| chain.push(link));
    Standstill {
        says: word(object),
        chain,
        unready,
    }
}

/// Objects that are named on the chain and were not looked for.
pub fn needed(snapshot: &Snapshot, object: &Object) -> Vec<Id> {
    let mut named = BTreeSet::new();
    let mut note = |object: &Object| {
        let needs = needs(snapshot, object).into_iter();
        named.extend(
            needs
                .filter(|need| need.how != How::Owner)
                .map(|need| need.id),
        );
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

/// What a Kustomization applied whose health it waits for.
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
        return resource::inventory(object)
            .filter_map(|(id, _)| ObjectId::parse_inventory(id).ok())
            .collect();
    }
    list("/spec/healthChecks")
        .map(|check| {
            let text = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
            let group = text("apiVersion");
            ObjectId {
                namespace: text("namespace"),
                name: text("name"),
                group: group
                    .split_once('/')
                    .map_or_else(String::new, |(group, _)| group.to_owned()),
                kind: text("kind"),
            }
        })
        .collect()
}

/// What an object needs, as far as that is not ready.
struct Chain<'s> {
    snapshot: &'s Snapshot,
    /// From the first object to the one that is looked at.
    way: Vec<Id>,
    /// What has been told.
    told: BTreeSet<Id>,
}

impl<'s> Chain<'s> {
    fn over(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            way: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    fn follow(&mut self, object: &Object, tell: &mut impl FnMut(Link)) {
        let depth = self.way.len();
        self.way.push(Id::of(object));
        for need in needs(self.snapshot, object) {
            if need.how == How::Owner || !self.snapshot.knows(&need.id) {
                continue;
            }
            let mut say = |says: String| {
                tell(Link {
                    depth,
                    object: need.id.clone(),
                    says,
                });
            };
            if self.way.contains(&need.id) {
                say("waits for what waits for it".to_owned());
                continue;
            }
            let Some(needed) = self.snapshot.get(&need.id) else {
                say("not found".to_owned());
                continue;
            };
            let is_static = by_kind(needed.kind()).is_some_and(|kind| kind.is_static(needed));
            if is_static || is_ready(needed) || !self.told.insert(need.id.clone()) {
                continue;
            }
            say(word(needed));
            self.follow(needed, tell);
        }
        self.way.pop();
    }
}

fn is_ready(object: &Object) -> bool {
    state::condition(object, "Ready").is_some_and(|ready| ready.is("True"))
        && !state::is_unseen(object)
}

/// How an object fares, in its own words.
fn word(object: &Object) -> String {
    let mut word = String::new();
    if is_suspended(object) {
        word.push_str("suspended; ");
    }
    if let Some(stalled) = state::condition(object, "Stalled").filter(|stalled| stalled.is("True"))
    {
        let _infallible = write!(word, "stalled ({}); ", stalled.reason());
    }
    match state::condition(object, "Ready") {
        Some(ready) => {
            let (status, reason) = (ready.status(), ready.reason());
            let message = ready.message().trim_end();
            let _infallible = write!(word, "Ready is {status} ({reason}): {message}");
            if state::is_unseen(object) {
                word.push_str("; its controller has not taken note of the last request yet");
            }
        }
        None => word.push_str("no controller has said anything of it yet"),
    }
    word
}

impl Standstill {
    /// As a person reads it, without an indent.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.says.clone()];
        for link in &self.chain {
            let indent = "  ".repeat(link.depth);
            lines.push(format!("{indent}needs {}: {}", link.object, link.says));
        }
        for (object, fares) in self.unready.iter().take(NAMED) {
            lines.push(format!("not ready: {object}: {fares}"));
        }
        if let Some(more) = self
            .unready
            .len()
            .checked_sub(NAMED)
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
    fn the_chain_goes_as_deep_as_things_are_not_ready() {
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
            of(&snapshot, &apps, Vec::new()).lines(),
            [
                "Ready is False (Because): apps says so",
                "needs Kustomization/flux-system/infra: Ready is False (Because): infra says so",
                "  needs Kustomization/flux-system/base: Ready is Unknown (Because): base says so",
                "needs Kustomization/flux-system/gone: not found",
            ]
        );
    }

    #[test]
    fn a_circle_of_dependencies_ends_where_it_closes() {
        let one = kustomization("one", &["two"], "False", json!({}));
        let snapshot: Snapshot = [
            one.clone(),
            kustomization("two", &["one"], "False", json!({})),
        ]
        .into_iter()
        .collect();
        let lines = of(&snapshot, &one, Vec::new()).lines();
        assert_eq!(
            lines[2],
            "  needs Kustomization/flux-system/one: waits for what waits for it"
        );
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn only_objects_whose_health_is_waited_for_are_looked_at() {
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
        let standstill = Standstill {
            says: "so".to_owned(),
            chain: Vec::new(),
            unready: (0..12)
                .map(|each| {
                    let id = ObjectId::parse_inventory(&format!("apps_web-{each}_apps_Deployment"));
                    (id.unwrap(), "InProgress".to_owned())
                })
                .collect(),
        };
        let lines = standstill.lines();
        assert_eq!(lines.len(), 12);
        assert_eq!(lines[1], "not ready: Deployment/apps/web-0: InProgress");
        assert_eq!(lines[11], "not ready: 2 more");
    }
}

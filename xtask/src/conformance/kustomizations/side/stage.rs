//! Waits until Kustomizations are done, and records their outcomes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::{Value, json};
use sluice_client::{ListOptions, PatchOptions};
use sluice_testkit::audit::{self, Mark};
use sluice_testkit::outcome::{self, Outcome};

use super::{
    ENTRY_TIMEOUT, Entry, PLAYED, POLL, REMOVAL, REST, Side, Subject, USER, entry_of, inventory,
    kind_of, kustomizations,
};

/// An object in the audit log: group, plural, namespace and name.
type Place = (String, String, String, String);

/// State of the Kustomizations of one run.
pub(super) struct Board<'s> {
    subjects: &'s [&'s Subject],
    outcomes: Vec<Outcome>,
    /// Last seen objects; `None` if deleted.
    pub(super) objects: Vec<Option<Value>>,
    /// Inventories.
    applied: Vec<BTreeSet<Entry>>,
    /// Locations of the objects of inventories and manifests. They are kept, because a kind may
    /// disappear with its last object.
    places: Vec<BTreeSet<Place>>,
    /// Number of writes.
    statuses: Vec<usize>,
    /// Number of earlier events.
    heard: usize,
}

impl<'s> Board<'s> {
    pub(super) fn of(subjects: &'s [&'s Subject], heard: usize) -> Self {
        let count = subjects.len();
        Self {
            subjects,
            outcomes: vec![Outcome::default(); count],
            objects: vec![None; count],
            applied: vec![BTreeSet::new(); count],
            places: vec![BTreeSet::new(); count],
            statuses: vec![0; count],
            heard,
        }
    }
}

/// Whether a run of a Kustomization has ended.
pub(super) fn has_ended(object: &Value) -> bool {
    let status = &object["status"];
    let conditions = || status["conditions"].as_array().into_iter().flatten();
    let ready = conditions().find(|condition| condition["type"] == "Ready");
    let Some(ready) = ready.filter(|ready| ready["status"] != "Unknown") else {
        return false;
    };
    let works = conditions().any(|it| it["type"] == "Reconciling" && it["reason"] == "Progressing");
    !works
        && (ready["status"] != "True"
            || status["observedGeneration"] == object["metadata"]["generation"])
}

/// Whether a run of the given revision has ended; a stalled one has no revision.
pub(super) fn has_tried(object: &Value, revision: &str) -> bool {
    let status = &object["status"];
    let is_of = |field: &str| {
        let text = status[field].as_str();
        text.is_some_and(|text| text.contains(revision))
    };
    let conditions = status["conditions"].as_array();
    let is_true = |kind: &str| {
        let mut conditions = conditions.into_iter().flatten();
        conditions.any(|it| it["type"] == kind && it["status"] == "True")
    };
    let applied = !is_true("Ready") || is_of("lastAppliedRevision");
    has_ended(object) && (is_true("Stalled") || (is_of("lastAttemptedRevision") && applied))
}

fn versions(objects: &[Option<Value>]) -> Vec<Option<&Value>> {
    objects
        .iter()
        .map(|object| object.as_ref().map(|it| &it["metadata"]["resourceVersion"]))
        .collect()
}

impl Side {
    /// Waits until a condition holds for all Kustomizations, up to a timeout.
    pub(super) async fn until(
        &self,
        subjects: &[&Subject],
        stage: &str,
        is_it: impl Fn(&Value) -> bool,
    ) -> anyhow::Result<Vec<Option<Value>>> {
        let began = Instant::now();
        loop {
            let objects = self.played(subjects).await?;
            let missing = objects
                .iter()
                .position(|object| !object.as_ref().is_some_and(&is_it));
            let Some(missing) = missing else {
                // The reference needs several writes to end a run.
                tokio::time::sleep(REST).await;
                let later = self.played(subjects).await?;
                if versions(&objects) == versions(&later) {
                    return Ok(later);
                }
                continue;
            };
            if began.elapsed() > ENTRY_TIMEOUT || !self.process.is_running() {
                eprintln!(
                    "{stage} of {} has no end: {}\n{}",
                    subjects[missing].about,
                    objects[missing]
                        .as_ref()
                        .map_or(&Value::Null, |it| &it["status"]["conditions"]),
                    self.printed()
                );
                return Ok(objects);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until all are deleted; removes finalizers after a timeout.
    pub(super) async fn until_gone(
        &self,
        subjects: &[&Subject],
    ) -> anyhow::Result<Vec<Option<Value>>> {
        let began = Instant::now();
        loop {
            let objects = self.played(subjects).await?;
            if objects.iter().all(Option::is_none) {
                return Ok(objects);
            }
            if began.elapsed() > REMOVAL {
                let patch = json!({ "metadata": { "finalizers": null } });
                for (subject, _) in subjects.iter().zip(&objects).filter(|(_, it)| it.is_some()) {
                    let (namespace, name) = subject.key();
                    let options = PatchOptions::default();
                    // The object may disappear meanwhile.
                    self.cluster
                        .merge(&kustomizations(), Some(namespace), name, &patch, options)
                        .await
                        .ok();
                }
                return Ok(objects);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    async fn played(&self, subjects: &[&Subject]) -> anyhow::Result<Vec<Option<Value>>> {
        let options = ListOptions {
            labels: Some(PLAYED.to_owned()),
            ..ListOptions::default()
        };
        let list = self.cluster.list(&kustomizations(), None, &options).await?;
        let mut by_key: BTreeMap<(String, String), Value> = list
            .items
            .into_iter()
            .map(|object| {
                let text = |field: &str| {
                    let value = object["metadata"][field].as_str();
                    value.unwrap_or_default().to_owned()
                };
                ((text("namespace"), text("name")), object)
            })
            .collect();
        let found = subjects.iter().map(|subject| {
            let (namespace, name) = subject.key();
            by_key.remove(&(namespace.to_owned(), name.to_owned()))
        });
        Ok(found.collect())
    }

    /// Records Kustomizations, applied objects, and the writes since a position.
    pub(super) async fn look(&self, board: &mut Board<'_>, since: Mark, stage: &str) {
        self.cluster.invalidate_discovery();
        self.mark().await;
        let mut entries = self.testbed.audit().since(since);
        entries.retain(|entry| entry.user == USER);
        for (at, subject) in board.subjects.iter().enumerate() {
            let (namespace, name) = subject.key();
            let outcome = &mut board.outcomes[at];
            match &board.objects[at] {
                Some(object) => {
                    board.applied[at].extend(inventory(object));
                    let lines = outcome::of_kustomization(object, &self.addresses);
                    outcome.push(format!("{stage} Kustomization"), lines);
                }
                None if stage == "delete" => {}
                None => outcome.push(format!("{stage} Kustomization"), vec!["gone".to_owned()]),
            }
            let is_own = |entry: &audit::Entry| entry.namespace == namespace && entry.name == name;
            board.statuses[at] += entries
                .iter()
                .filter(|entry| is_own(entry))
                .filter(|entry| entry.is_write() && entry.resource == "kustomizations")
                .count();
            let mut own: BTreeSet<Entry> = subject.rendered.iter().map(entry_of).collect();
            own.extend(board.applied[at].iter().cloned());
            let places = &mut board.places[at];
            self.find(&own, places).await;
            outcome.push(
                format!("{stage} writes"),
                outcome::of_writes(&written(places, &entries), is_own),
            );
            if stage == "create" || stage == "delete" {
                for entry in &board.applied[at] {
                    let title = format!(
                        "{stage} {}/{}/{}",
                        entry.0.kind, entry.0.namespace, entry.0.name
                    );
                    if let Some(lines) = self.lines_of(entry, stage).await {
                        outcome.push(title, lines);
                    }
                }
            }
        }
    }

    /// Adds the locations of objects whose kind is served.
    async fn find(&self, objects: &BTreeSet<Entry>, places: &mut BTreeSet<Place>) {
        for entry in objects {
            if let Ok(resource) = self.cluster.resolve(&kind_of(entry)).await {
                let id = entry.0.clone();
                let namespace = if resource.namespaced {
                    id.namespace
                } else {
                    String::new()
                };
                places.insert((id.group, resource.api.plural.clone(), namespace, id.name));
            }
        }
    }

    /// Records an applied object, or that it outlived its Kustomization.
    async fn lines_of(&self, entry: &Entry, stage: &str) -> Option<Vec<String>> {
        let id = &entry.0;
        let namespace = Some(id.namespace.as_str()).filter(|name| !name.is_empty());
        let object = self.cluster.get(&kind_of(entry), namespace, &id.name).await;
        match (object, stage) {
            (Ok(Some(object)), "delete") => {
                let stays = object["metadata"]["deletionTimestamp"].is_null();
                stays.then(|| vec!["is still there".to_owned()])
            }
            (_, "delete") => None,
            (Ok(Some(object)), _) => Some(outcome::of_object(&object)),
            (Ok(None), _) => Some(vec!["is not there".to_owned()]),
            (Err(_), _) => Some(vec!["cannot be read".to_owned()]),
        }
    }

    /// Records each Kustomization with its events, and all applied objects.
    pub(super) fn complete_outcomes(&self, board: Board<'_>) -> (Vec<Outcome>, BTreeSet<Entry>) {
        let Board {
            subjects,
            mut outcomes,
            applied,
            statuses,
            heard,
            ..
        } = board;
        let events = self.sink.events();
        for (at, subject) in subjects.iter().enumerate() {
            let (namespace, name) = subject.key();
            let is_about = |event: &&sluice_api::Event| {
                let object = &event.involved_object;
                object.kind == "Kustomization"
                    && object.namespace == namespace
                    && object.name == name
            };
            let lines = events
                .iter()
                .skip(heard)
                .filter(is_about)
                .map(|event| outcome::of_event(event, &self.addresses))
                .collect();
            outcomes[at].push("events".to_owned(), lines);
            outcomes[at].push(
                "cost".to_owned(),
                vec![format!("writes of Kustomizations: {}", statuses[at])],
            );
        }
        (outcomes, applied.into_iter().flatten().collect())
    }
}

/// Returns the writes of some objects.
fn written(places: &BTreeSet<Place>, entries: &[audit::Entry]) -> Vec<audit::Entry> {
    let is_own = |entry: &&audit::Entry| {
        // Kubernetes sets the namespace of a Namespace to its own name.
        let namespace = if entry.resource == "namespaces" {
            String::new()
        } else {
            entry.namespace.clone()
        };
        let (group, resource) = (entry.group.clone(), entry.resource.clone());
        places.contains(&(group, resource, namespace, entry.name.clone()))
    };
    entries.iter().filter(is_own).cloned().collect()
}

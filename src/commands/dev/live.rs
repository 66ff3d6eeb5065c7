//! Shows the inventory tree at each change, every event, and the cause of a standstill, until
//! Ctrl-C.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use sluice_api::meta::reason::RECONCILIATION_SUCCEEDED;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_git::serve::Change;
use sluice_insight::explain::explain;
use sluice_insight::fields::text;
use sluice_insight::kinds::{RESOURCES, ready};
use sluice_insight::settled::{Readiness, readiness};
use sluice_insight::{fields, observe, read};
use sluice_object::{Object, ObjectId};

use super::stage::{NAME, NAMESPACE, Stage, kustomization, source};
use super::story::request;
use crate::cluster::{Context, refusal};
use crate::commands::why;
use crate::error::CommandError;
use crate::output::{self, tree::Node};
use sluice_golang::error::chain;
use sluice_insight::watch::{WatchTarget, each_state};

/// Interval at which a plain directory is compared with its last commit. The system cannot watch a
/// directory tree as a whole.
const LOOK: Duration = Duration::from_secs(1);
/// Time without news after which the cause is shown.
const STANDSTILL: Duration = Duration::from_secs(5);

/// The display until Ctrl-C.
pub(super) struct Live<'a> {
    stage: &'a Stage,
    context: &'a Context,
    /// Resource versions of older events, which are not shown.
    old: BTreeSet<String>,
    /// Time of the last news.
    news: Cell<Instant>,
}

impl<'a> Live<'a> {
    /// Events from now on are news.
    pub(super) async fn begin(
        stage: &'a Stage,
        context: &'a Context,
    ) -> Result<Self, CommandError> {
        let options = ListOptions::default();
        let events = stage.cluster.list(&events(), None, &options).await;
        let events = events.map_err(|error| refusal(&error))?.items;
        let versions = events
            .iter()
            .filter_map(|event| event["metadata"]["resourceVersion"].as_str());
        Ok(Self {
            stage,
            context,
            old: versions.map(ToOwned::to_owned).collect(),
            news: Cell::new(Instant::now()),
        })
    }

    pub(super) async fn show(&self) -> Result<(), CommandError> {
        self.context.progress.wait("watching until Ctrl-C");
        tokio::try_join!(
            self.trees(),
            self.events(),
            self.standstills(),
            self.mirror(self.stage.mirrored.as_deref()),
        )?;
        Ok(())
    }

    fn print(&self, text: &str) {
        output::stderr(text);
        self.news.set(Instant::now());
    }

    /// Prints the inventory tree when it or the state of its owner changes.
    async fn trees(&self) -> Result<(), CommandError> {
        let resource = kustomization()?;
        let mut shown = BTreeMap::new();
        self.each(&resource.gvk(), |object| {
            let (status, message) = ready(resource, object);
            let mut root = Node::new(format!(
                "Kustomization/{}/{} ready={status} {}",
                object.namespace(),
                object.name(),
                output::one_line(message)
            ));
            root.children = fields::inventory(object)
                .filter_map(|(id, _)| ObjectId::parse_inventory(id).ok())
                .map(|id| Node::new(id.to_string()))
                .collect();
            let text = root.render();
            let last = shown.entry(object.id());
            let last: &mut String = last.or_default();
            // Later reconciliations are shown by their end.
            if text != *last && (status != "Unknown" || last.is_empty()) {
                self.print(&text);
                *last = text;
            }
        })
        .await
    }

    async fn events(&self) -> Result<(), CommandError> {
        let mut warnings = BTreeMap::new();
        self.each(&events(), |event| {
            let (kind, reason) = (text(event, "/involvedObject/kind"), text(event, "/reason"));
            let is_old = self.old.contains(text(event, "/metadata/resourceVersion"));
            // The tree shows that a Kustomization is ready.
            let is_shown = kind == "Kustomization" && reason == RECONCILIATION_SUCCEEDED;
            if is_old || is_shown || !RESOURCES.iter().any(|resource| resource.kind == kind) {
                return;
            }
            let is_warning = text(event, "/type") == "Warning";
            let line = format!(
                "{} {kind}/{} {reason}: {}\n",
                if is_warning { "✗" } else { "·" },
                text(event, "/involvedObject/name"),
                output::one_line(text(event, "/message"))
            );
            // Each retry repeats its warning.
            let uid = text(event, "/involvedObject/uid").to_owned();
            if !is_warning || warnings.insert(uid, line.clone()).as_ref() != Some(&line) {
                self.print(&line);
            }
        })
        .await
    }

    /// Prints once why the Kustomization is not ready, after some time without news.
    async fn standstills(&self) -> Result<(), CommandError> {
        let mut shown = String::new();
        loop {
            let quiet = self.news.get().elapsed();
            if quiet < STANDSTILL {
                tokio::time::sleep(STANDSTILL.saturating_sub(quiet)).await;
                continue;
            }
            // An explanation that cannot be read yet is tried again.
            let (cause, text) = self.standstill().await.unwrap_or_default();
            if !cause.is_empty() && cause != shown {
                self.print(&output::plain(&text));
            }
            shown = cause;
            self.news.set(Instant::now());
        }
    }

    /// Returns the cause and the explanation of a Kustomization that is not ready. Both are empty
    /// for one that is ready.
    async fn standstill(&self) -> Result<(String, String), CommandError> {
        let cluster = &self.stage.cluster;
        let resource = kustomization()?;
        let root = read::find(cluster, resource, NAMESPACE, NAME).await?;
        let Some(root) = root.filter(|root| readiness(resource, root) != Readiness::Ready) else {
            return Ok((String::new(), String::new()));
        };
        let served = cluster.resources().await.map_err(|error| refusal(&error))?;
        let mut suspects = vec![root.clone()];
        for (id, _) in observe::unhealthy(cluster, &root).await {
            let kind = served
                .iter()
                .find(|served| served.api.kind == id.kind && served.api.group == id.group);
            if let Some(kind) = kind {
                suspects.extend(read::get(cluster, kind, &id.namespace, &id.name).await?);
            }
        }
        for suspect in &suspects {
            let snapshot = observe::surroundings(cluster, &served, suspect).await?;
            let answer = explain(&snapshot, suspect, self.context.program);
            if answer.cause.is_some() {
                return Ok((answer.text(""), answer.text(&why::since(&answer))));
            }
        }
        let lines = observe::wait_report(cluster, &root).await.lines();
        let text = format!(
            "◎ Kustomization/{NAMESPACE}/{NAME} waits: {}\n",
            lines.join("\n  ")
        );
        Ok((text.clone(), text))
    }

    /// Commits changes in a plain directory.
    async fn mirror(&self, directory: Option<&Path>) -> Result<(), CommandError> {
        let Some(directory) = directory else {
            return std::future::pending().await;
        };
        let stage = self.stage;
        let mut ticks = tokio::time::interval(LOOK);
        let mut last = Change::directory(directory).ok();
        loop {
            ticks.tick().await;
            let Ok(now) = Change::directory(directory) else {
                continue;
            };
            if last.as_ref() == Some(&now) {
                continue;
            }
            let mut changes = now.clone();
            for gone in last.iter().flatten() {
                if !now.iter().any(|kept| kept.path() == gone.path()) {
                    changes.push(Change::remove(gone.path()));
                }
            }
            let id = stage
                .repository
                .commit(&stage.branch, "Change in the directory", &changes)
                .map_err(|error| CommandError::user(chain(&error)))?
                .to_string();
            self.context
                .progress
                .action(format!("committed {}", &id[..8]));
            self.news.set(Instant::now());
            last = Some(now);
            request(stage, source()?).await?;
        }
    }

    /// Passes on every state of a kind's objects, until the watch fails.
    async fn each(
        &self,
        gvk: &GroupVersionKind,
        mut show: impl FnMut(&Object),
    ) -> Result<(), CommandError> {
        each_state(&self.stage.cluster, gvk, WatchTarget::default(), |object| {
            show(object);
            Ok(None)
        })
        .await
    }
}

fn events() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Event")
}

//! `uninstall`: the controllers, their rights and their definitions, and nothing of what they
//! applied.
//!
//! The order matters. Controllers go first, so that nobody acts on what follows; then the
//! finalizers are taken off every object, so that deleting a definition does not mean deleting
//! what the object had applied; then the definitions; the namespace last. With `--purge-workloads`
//! what was applied goes before all that, by the controllers' own hands: [`purge`].
//!
//! The cluster may have another release of Flux than ours: its own definitions tell which kinds and
//! versions there are. One whose objects cannot be freed stays, since deleting it would not end.
//!
//! Nothing is said to be gone that has not been seen to be.

mod purge;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sluice_apply::WaitTarget;
use sluice_client::{DeleteOptions, Error, GroupVersionKind, ListOptions, PatchOptions};
use sluice_object::Object;

use super::components::apply::Installer;
use crate::cluster::{Context, FIELD_MANAGER, object, objects};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::resource::{self, RESOURCES, Resource, at, text};
use crate::{CommandResult, Exit, compat, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what would be deleted, and delete nothing
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Leave the namespace
    #[arg(long, switch = false)]
    keep_namespace: bool,
    /// Delete first what Kustomizations and Helm releases have applied; asks for the namespace's name
    #[arg(long, switch = false, help_heading = flags::OURS)]
    purge_workloads: bool,
    /// Do not ask
    #[arg(long, short, switch = false)]
    silent: bool,
}

/// What is deleted by labels, in this order; the last field says whether it has a namespace.
const PARTS: [(&str, &str, &str, bool); 9] = [
    ("apps", "v1", "Deployment", true),
    ("", "v1", "Service", true),
    ("networking.k8s.io", "v1", "NetworkPolicy", true),
    ("", "v1", "ServiceAccount", true),
    ("", "v1", "ResourceQuota", true),
    ("rbac.authorization.k8s.io", "v1", "Role", true),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding", true),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", false),
    (
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        false,
    ),
];

pub fn run(args: &Args, context: &Context) -> CommandResult {
    if !args.dry_run
        && !args.silent
        && !output::confirm(
            "Are you sure you want to delete Flux and its custom resource definitions",
        )?
    {
        return Err(CommandError::user("aborting"));
    }
    if args.purge_workloads && !args.dry_run {
        purge::confirm(&context.namespace())?;
    }
    let progress = context.progress;
    let namespace = context.namespace();
    let mut work = Work {
        context,
        namespace: namespace.clone(),
        dry_run: args.dry_run,
        deadline: Instant::now() + context.timeout(),
        deleted: Vec::new(),
        remaining: Vec::new(),
    };
    context.block_on(async {
        if args.purge_workloads {
            progress.action("deleting what was applied");
            work.purge().await?;
        }
        progress.action(format!("deleting components in {namespace} namespace"));
        work.components().await?;
        progress.action("deleting toolkit.fluxcd.io finalizers in all namespaces");
        let free = work.finalizers().await?;
        progress.action("deleting toolkit.fluxcd.io custom resource definitions");
        for definition in free {
            work.delete(&resource::definition(), &definition).await?;
        }
        if !args.keep_namespace {
            work.namespace().await?;
        }
        work.are_gone().await?;
        Ok::<(), CommandError>(())
    })??;
    if !work.remaining.is_empty() {
        let remain = CommandError::cluster(format!(
            "{} objects remain: {}",
            work.remaining.len(),
            work.remaining.join("; ")
        ))
        .hint("run uninstall again when the cause is gone");
        return Err(remain.code(compat::told_failure().0));
    }
    progress.success("uninstall finished");
    Ok(Exit::SUCCESS)
}

struct Work<'a> {
    context: &'a Context,
    namespace: String,
    dry_run: bool,
    deadline: Instant,
    /// What the server said it would delete.
    deleted: Vec<Object>,
    /// What could not be deleted, and why.
    remaining: Vec<String>,
}

impl Work<'_> {
    /// What everything of this installation is labelled with.
    fn labels(&self) -> String {
        format!(
            "app.kubernetes.io/part-of=flux,app.kubernetes.io/instance={}",
            self.namespace
        )
    }

    async fn list(
        &mut self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        labels: Option<String>,
    ) -> Result<Vec<Object>, CommandError> {
        let options = ListOptions {
            labels,
            ..ListOptions::default()
        };
        match self.context.cluster()?.list(gvk, namespace, &options).await {
            Ok(list) => Ok(objects(list)),
            Err(error) if error.is_no_match() => Ok(Vec::new()),
            Err(error @ Error::Unreachable { .. }) => Err(crate::cluster::refusal(&error)),
            Err(error) => {
                self.remaining.push(error.to_string());
                Ok(Vec::new())
            }
        }
    }

    async fn components(&mut self) -> Result<(), CommandError> {
        let labels = self.labels();
        for (group, version, kind, namespaced) in PARTS {
            let gvk = GroupVersionKind::gvk(group, version, kind);
            let namespace = namespaced.then(|| self.namespace.clone());
            for object in self
                .list(&gvk, namespace.as_deref(), Some(labels.clone()))
                .await?
            {
                self.delete(&gvk, &object).await?;
            }
        }
        Ok(())
    }

    /// Takes every finalizer off every object of ours: what a controller would do on deletion
    /// is just what must not happen now. Returns the definitions that can be deleted after it.
    async fn finalizers(&mut self) -> Result<Vec<Object>, CommandError> {
        let labels = Some("app.kubernetes.io/part-of=flux".to_owned());
        let all = self.list(&resource::definition(), None, labels).await?;
        let mut free = Vec::new();
        for definition in &all {
            match self.free_of(definition).await? {
                Ok(()) => free.push(definition.clone()),
                Err(why) => {
                    let left = format!("{}: {why}", definition.id());
                    self.context.progress.failure(format!("{left}: it stays"));
                    self.remaining.push(left);
                }
            }
        }
        // Definitions that bear no label of Flux's stay, and nobody is there for their objects.
        let is_there = |resource: &Resource| {
            all.iter().any(|definition| {
                text(definition, "/spec/group") == resource.group
                    && text(definition, "/spec/names/kind") == resource.kind
            })
        };
        for resource in RESOURCES.iter().filter(|resource| !is_there(resource)) {
            let gvk = resource.gvk();
            let objects = self.list(&gvk, None, None).await?;
            self.unfinalized(&gvk, &objects).await?;
        }
        Ok(free)
    }

    /// Takes the finalizers off what a definition defines, or says why one may be left.
    async fn free_of(&mut self, definition: &Object) -> Result<Result<(), String>, CommandError> {
        let Some(gvk) = served_as(definition) else {
            return Ok(Err(
                "it serves no version that its objects could be listed in".to_owned(),
            ));
        };
        let options = ListOptions::default();
        let objects = match self.context.cluster()?.list(&gvk, None, &options).await {
            Ok(list) => objects(list),
            Err(error @ Error::Unreachable { .. }) => return Err(crate::cluster::refusal(&error)),
            // What was never established, as its names are taken, has no objects.
            Err(error) if error.is_no_match() && !is_established(definition) => Vec::new(),
            Err(error) => {
                let why = error.message();
                return Ok(Err(format!("its objects cannot be listed: {why}")));
            }
        };
        let is_free = self.unfinalized(&gvk, &objects).await?;
        Ok(is_free.then_some(()).ok_or_else(|| {
            "objects of it keep their finalizers, which nobody answers any more".to_owned()
        }))
    }

    /// Whether the finalizers of all these could be taken off.
    async fn unfinalized(
        &mut self,
        gvk: &GroupVersionKind,
        objects: &[Object],
    ) -> Result<bool, CommandError> {
        let patch = json!({ "metadata": { "finalizers": [] } });
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let held = objects
            .iter()
            .filter(|object| object.finalizers().next().is_some());
        let mut is_free = true;
        for object in held {
            let done = if self.dry_run {
                Ok(())
            } else {
                let (namespace, name) = (Some(object.namespace()), object.name());
                let cluster = self.context.cluster()?;
                let merged = cluster.merge(gvk, namespace, name, &patch, options).await;
                merged.map(drop)
            };
            is_free &= done.as_ref().err().is_none_or(Error::is_not_found);
            self.report("finalizers deleted", object, done);
        }
        Ok(is_free)
    }

    async fn namespace(&mut self) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Namespace");
        let namespace = Object::new("v1", "Namespace", "", &self.namespace);
        self.delete(&gvk, &namespace).await
    }

    async fn delete(
        &mut self,
        gvk: &GroupVersionKind,
        object: &Object,
    ) -> Result<(), CommandError> {
        let namespace = Some(object.namespace()).filter(|namespace| !namespace.is_empty());
        let done = if self.dry_run {
            Ok(())
        } else {
            self.context
                .cluster()?
                .delete(gvk, namespace, object.name(), &DeleteOptions::default())
                .await
                .map(|_| ())
        };
        if done.is_ok() && !self.dry_run {
            let (api_version, kind) = (gvk.api_version(), gvk.kind.as_str());
            let (namespace, name) = (object.namespace(), object.name());
            self.deleted
                .push(Object::new(&api_version, kind, namespace, name));
        }
        self.report("deleted", object, done);
        Ok(())
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Waits until what was deleted is gone, and notes what is not, with what the server says of it.
    async fn are_gone(&mut self) -> Result<(), CommandError> {
        let targets: Vec<WaitTarget> = self.deleted.iter().map(target).collect();
        // A moment is kept for asking after those that remain.
        let limit = self.left().saturating_sub(Duration::from_secs(2));
        if targets.is_empty() || Installer::new(self.context)?.gone(targets, limit).await {
            return Ok(());
        }
        for deleted in std::mem::take(&mut self.deleted) {
            let gvk = deleted.gvk();
            let gvk = GroupVersionKind::gvk(&gvk.group, &gvk.version, &gvk.kind);
            let namespace = Some(deleted.namespace()).filter(|namespace| !namespace.is_empty());
            let found = self.context.cluster()?.get(&gvk, namespace, deleted.name());
            match found.await {
                Ok(None) => {}
                Ok(Some(live)) => {
                    let why = object(live)
                        .map(|live| hindrance(&live))
                        .unwrap_or_default();
                    self.remaining.push(format!("{}: {why}", deleted.id()));
                }
                Err(error) => {
                    let id = deleted.id();
                    self.remaining.push(format!("{id}: {}", error.message()));
                }
            }
        }
        Ok(())
    }

    fn report(&mut self, what: &str, object: &Object, done: Result<(), Error>) {
        let id = object.id();
        match done {
            Ok(()) => self.context.progress.success(format!(
                "{id} {what}{}",
                if self.dry_run { " (dry run)" } else { "" }
            )),
            Err(error) if error.is_not_found() => {}
            Err(error) => {
                self.context
                    .progress
                    .failure(format!("{id} {what} failed: {}", error.message()));
                self.remaining.push(format!("{id}: {}", error.message()));
            }
        }
    }
}

/// The kind of a definition in a version that can be read: the one that is stored, if it is served.
fn served_as(definition: &Object) -> Option<GroupVersionKind> {
    let versions = at(definition, "/spec/versions")?.as_array()?;
    let served = || versions.iter().filter(|version| version["served"] == true);
    let stored = served().find(|version| version["storage"] == true);
    Some(GroupVersionKind::gvk(
        text(definition, "/spec/group"),
        stored.or_else(|| served().next())?["name"].as_str()?,
        text(definition, "/spec/names/kind"),
    ))
}

fn is_established(definition: &Object) -> bool {
    let conditions = at(definition, "/status/conditions").and_then(Value::as_array);
    let mut conditions = conditions.into_iter().flatten();
    conditions.any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

fn target(object: &Object) -> WaitTarget {
    WaitTarget::new(object.id(), object.version())
}

/// What keeps an object that is being deleted: what its conditions say, or its finalizers.
fn hindrance(live: &Object) -> String {
    if live.deletion_timestamp().is_none() {
        return "somebody made it anew".to_owned();
    }
    let conditions = at(live, "/status/conditions").and_then(Value::as_array);
    let told = conditions.into_iter().flatten().filter(|condition| {
        let kind = condition["type"].as_str().unwrap_or_default();
        condition["status"] == "True" && (kind == "Terminating" || kind.starts_with("Namespace"))
    });
    let told = told.filter_map(|condition| condition["message"].as_str());
    let mut told: Vec<String> = told.map(str::to_owned).collect();
    if told.is_empty() {
        let finalizers: Vec<&str> = live.finalizers().collect();
        told.push(match finalizers.as_slice() {
            [] => "it is being deleted".to_owned(),
            held => format!("it is held by {}", held.join(", ")),
        });
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_in_the_version_that_is_stored_if_it_is_served() {
        let version = |name: &str, served: bool, storage: bool| json!({ "name": name, "served": served, "storage": storage });
        for (versions, expected) in [
            (
                json!([version("v1", true, false), version("v1beta2", true, true)]),
                Some("v1beta2"),
            ),
            (
                json!([version("v1", true, false), version("v2", false, true)]),
                Some("v1"),
            ),
            (json!([version("v1beta2", false, true)]), None),
            (json!([]), None),
        ] {
            let definition = json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": { "name": "imagepolicies.image.toolkit.fluxcd.io" },
                "spec": {
                    "group": "image.toolkit.fluxcd.io", "names": { "kind": "ImagePolicy" },
                    "versions": versions,
                },
            });
            let gvk = served_as(&Object::try_from(definition).unwrap());
            let found = gvk.as_ref().map(|gvk| gvk.version.as_str());
            assert_eq!(found, expected, "{versions}");
        }
    }

    #[test]
    fn what_remains_says_what_holds_it() {
        let live = |metadata: Value, conditions: Value| {
            let object = json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": metadata,
                "status": { "conditions": conditions },
            });
            hindrance(&Object::try_from(object).unwrap())
        };
        let going = json!({ "name": "a", "deletionTimestamp": "2026-01-01T00:00:00Z" });
        let conditions = json!([
            { "type": "NamespaceDeletionContentFailure", "status": "False", "message": "fine" },
            { "type": "NamespaceContentRemaining", "status": "True", "message": "widgets remain" },
        ]);
        assert_eq!(live(going.clone(), conditions), "widgets remain");
        assert_eq!(live(going.clone(), json!([])), "it is being deleted");
        let mut held = going;
        held["finalizers"] = json!(["a/b", "c/d"]);
        assert_eq!(live(held, json!([])), "it is held by a/b, c/d");
        assert_eq!(
            live(json!({ "name": "a" }), json!([])),
            "somebody made it anew"
        );
    }
}

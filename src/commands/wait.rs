//! Implements `wait`: watches objects until they are ready or have a revision. The exit code has
//! the result, for pipelines.
//!
//! Named objects must exist at the start. `wait all` waits for all objects, new ones included,
//! except suspended ones. [`sluice_insight::progress`] decides when an object is done.

use std::cell::RefCell;

use futures::FutureExt as _;
use futures::future::{LocalBoxFuture, join_all, select_all};
use sluice_insight::Id;
use sluice_insight::kinds::{RESOURCES, Resource, by_word, is_suspended, revision};
use sluice_insight::progress::{self, Goal, Progress, WaitProgress};

use super::nouns::unknown_kind;
use super::trace::target;
use super::waiting;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags};
use sluice_insight::watch::{Event, Watch, WatchTarget};

/// Maximum number of objects that a timeout error explains.
const EXPLAINED: usize = 5;

/// Word for the objects of all kinds.
const ALL: &str = "all";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Objects, as KIND/NAME… or KIND NAME…, or all
    #[arg(value_name = "OBJECT")]
    objects: Vec<String>,
    /// Condition: ready, or revision=PREFIX of a commit or digest
    #[arg(long = "for", default_value = "ready", value_parser = progress::parse_goal, value_name = "GOAL")]
    goal: Goal,
    /// Wait for objects in all namespaces (only with all)
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// Wait only for objects of these kinds (only with all)
    #[arg(long = "kind", value_parser = flags::csv, value_name = "KIND")]
    kinds: Vec<Vec<String>>,
    /// Wait only for objects with labels KEY=VALUE,… (only with all)
    #[arg(long, short = 'l', value_name = "SELECTOR")]
    label_selector: Option<String>,
}

/// The objects of one watch.
struct WatchScope {
    resource: &'static Resource,
    namespace: Option<String>,
    name: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let is_all = args.objects.len() == 1 && args.objects[0] == ALL;
    if !is_all {
        let narrowed =
            args.all_namespaces || !args.kinds.is_empty() || args.label_selector.is_some();
        if narrowed {
            return Err(CommandError::user(
                "--all-namespaces, --kind and --label-selector go with `wait all` only",
            ));
        }
    }
    let scopes = if is_all {
        all(args, context)?
    } else {
        named(args, context)?
    };
    // Named objects are counted before the watch. Without names, the number is unknown until the
    // first list.
    let unknown = if is_all { scopes.len() } else { 0 };
    let state = RefCell::new(WaitProgress::new(args.goal.clone(), !is_all, unknown));
    let wait = Wait {
        context,
        labels: args.label_selector.as_deref(),
        is_all,
        state: &state,
    };
    context.block_on(wait.begin(&scopes))??;
    let waited = context.block_on(async {
        tokio::time::timeout(context.timeout(), wait.until_over(&scopes)).await
    })?;
    match waited {
        Ok(ended) => ended?,
        Err(_) => {
            let state = state.into_inner();
            return Err(context.block_on(overdue(context, &state))?);
        }
    }
    conclude(&state.into_inner(), args, context)
}

/// Returns a scope for each named object.
fn named(args: &Args, context: &Context) -> Result<Vec<WatchScope>, CommandError> {
    let pairs = target::pairs(&args.objects)?;
    pairs
        .into_iter()
        .map(|(word, name)| {
            Ok(WatchScope {
                resource: kind(word)?,
                namespace: Some(context.namespace()),
                name: Some(name.to_owned()),
            })
        })
        .collect()
}

/// Returns a scope for each kind that a controller reconciles.
fn all(args: &Args, context: &Context) -> Result<Vec<WatchScope>, CommandError> {
    let wanted = args.kinds.iter().flatten().map(|word| kind(word));
    let wanted: Vec<&Resource> = wanted.collect::<Result<_, _>>()?;
    let namespace = (!args.all_namespaces).then(|| context.namespace());
    let reconciled = RESOURCES
        .iter()
        .filter(|resource| !matches!(resource.kind, "Alert" | "Provider" | "ExternalArtifact"));
    Ok(reconciled
        .filter(|resource| {
            wanted.is_empty() || wanted.iter().any(|kind| kind.kind == resource.kind)
        })
        .map(|resource| WatchScope {
            resource,
            namespace: namespace.clone(),
            name: None,
        })
        .collect())
}

fn kind(word: &str) -> Result<&'static Resource, CommandError> {
    by_word(word).ok_or_else(|| {
        if word == ALL {
            return CommandError::user("all cannot be combined with objects")
                .hint("name all alone, or only objects");
        }
        unknown_kind(format!("kind '{word}' is not one of Flux's"), word)
    })
}

struct Wait<'w> {
    context: &'w Context,
    labels: Option<&'w str>,
    is_all: bool,
    state: &'w RefCell<WaitProgress>,
}

impl Wait<'_> {
    /// Checks that the named objects exist, and reports the wait.
    async fn begin(&self, scopes: &[WatchScope]) -> Result<(), CommandError> {
        if self.is_all {
            self.context.progress.wait("waiting for all objects");
            return Ok(());
        }
        let found = join_all(scopes.iter().map(|scope| {
            let name = scope.name.as_deref().unwrap_or_default();
            self.context.required(scope.resource, name)
        }));
        for (scope, found) in scopes.iter().zip(found.await) {
            let object = found?;
            let id = Id::of(&object);
            if self.state.borrow_mut().record(scope.resource, object) {
                self.report_ready(&id);
            } else {
                self.context.progress.wait(format!("waiting for {id}"));
            }
        }
        Ok(())
    }

    fn report_ready(&self, id: &Id) {
        self.context.progress.success(format!("{id} is ready"));
    }

    /// Runs the watches until every object is done.
    async fn until_over(&self, scopes: &[WatchScope]) -> Result<(), CommandError> {
        let mut watches: Vec<LocalBoxFuture<'_, Result<(), CommandError>>> = scopes
            .iter()
            .map(|scope| self.watch(scope).boxed_local())
            .collect();
        while !watches.is_empty() && !self.state.borrow().is_over() {
            let (ended, _, rest) = select_all(watches).await;
            ended?;
            watches = rest;
        }
        Ok(())
    }

    /// Watches one scope until every object is done. An unknown kind counts as empty.
    async fn watch(&self, scope: &WatchScope) -> Result<(), CommandError> {
        let cluster = self.context.cluster()?;
        let gvk = scope.resource.gvk();
        if self.is_all
            && let Err(error) = cluster.resolve(&gvk).await
            && error.has_no_match()
        {
            self.state.borrow_mut().record_sync();
            return Ok(());
        }
        let which = WatchTarget {
            namespace: scope.namespace.as_deref(),
            name: scope.name.as_deref(),
            labels: self.labels,
        };
        let watch = Watch::new(cluster, gvk, which);
        let mut is_there = false;
        watch
            .each(|event| {
                let mut state = self.state.borrow_mut();
                match event {
                    Event::Is(object) if self.is_all && is_left_out(scope.resource, &object) => {
                        state.record_deletion(&Id::of(&object));
                    }
                    Event::Is(object) => {
                        is_there = true;
                        let id = Id::of(&object);
                        if state.record(scope.resource, *object) && !self.is_all {
                            self.report_ready(&id);
                        }
                    }
                    Event::Gone(object) => state.record_deletion(&Id::of(&object)),
                    Event::Synced => {
                        state.record_sync();
                        // The object may be deleted between the read and the watch.
                        if let (Some(name), false) = (&scope.name, is_there) {
                            let namespace = scope.namespace.as_deref().unwrap_or_default();
                            state.record_deletion(&Id::new(scope.resource.kind, namespace, name));
                        }
                    }
                }
                Ok(state.is_over().then_some(()))
            })
            .await
    }
}

/// Whether `wait all` skips an object, because it is suspended or has no controller.
fn is_left_out(resource: &Resource, object: &sluice_object::Object) -> bool {
    is_suspended(object) || resource.is_static(object)
}

/// Reports the result after the last object.
fn conclude(state: &WaitProgress, args: &Args, context: &Context) -> CommandResult {
    if state.is_empty() {
        let place = if args.all_namespaces {
            "any namespace".to_owned()
        } else {
            format!("\"{}\" namespace", context.namespace())
        };
        return Err(CommandError::user(format!(
            "no objects to wait for found in {place}"
        )));
    }
    let hopeless: Vec<String> = state
        .unreached()
        .map(|(id, entry)| match &entry.progress {
            Progress::Hopeless(why) => format!("{id}: {why}"),
            Progress::Reached | Progress::Waiting => id.to_string(),
        })
        .collect();
    if hopeless.is_empty() {
        if args.objects.len() == 1 && args.objects[0] == ALL {
            let count = state.len();
            context
                .progress
                .success(format!("{count} object(s) are ready"));
        }
        return Ok(Exit::SUCCESS);
    }
    let (count, all) = (hopeless.len(), state.len());
    Err(CommandError::cluster(format!(
        "{count} of {all} object(s) will not be ready by themselves"
    ))
    .details(hopeless))
}

/// Returns the timeout error with the remaining objects and their causes.
async fn overdue(context: &Context, state: &WaitProgress) -> CommandError {
    let others: Vec<_> = state.unreached().collect();
    let (count, all) = (others.len(), state.len());
    let what = match others[..] {
        [(id, _)] => id.to_string(),
        _ => format!("{count} of {all} objects"),
    };
    let explained = others
        .iter()
        .take(EXPLAINED)
        .map(|(_, entry)| waiting::stand(context, &entry.object));
    let explained: Vec<Vec<String>> = join_all(explained).await;
    let mut lines = Vec::new();
    for ((id, entry), said) in others.iter().zip(&explained) {
        lines.push(id.to_string());
        lines.extend(said.iter().map(|line| format!("  {line}")));
        let has = revision(entry.resource, &entry.object);
        if !has.is_empty() {
            lines.push(format!("  has {has}"));
        }
    }
    lines.extend(others.iter().skip(EXPLAINED).map(|(id, _)| id.to_string()));
    let error = waiting::timed_out(context, &what).details(lines);
    match others.first() {
        Some((id, _)) => error.hint(format!(
            "{} why {}/{} -n {}",
            context.program,
            id.kind.to_lowercase(),
            id.name,
            id.namespace
        )),
        None => error,
    }
}

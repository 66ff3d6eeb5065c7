//! `wait`: until objects are ready or have come to a revision, by watches, with an exit code that a
//! pipeline can go by.
//!
//! Named objects have to be there when the wait begins. `wait all` waits for what is there, and what
//! comes while it waits, but not for what is suspended. When an object has arrived is decided in
//! [`sluice_insight::progress`].

use std::cell::RefCell;

use futures::FutureExt as _;
use futures::future::{LocalBoxFuture, join_all, select_all};
use sluice_insight::Id;
use sluice_insight::kinds::{RESOURCES, Resource, by_word, is_suspended, revision};
use sluice_insight::progress::{self, Goal, Progress, WaitProgress};

use super::trace::target;
use super::waiting;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags};
use sluice_insight::watch::{Event, Watch, Which};

/// Maximum number of objects that a timeout explains.
const EXPLAINED: usize = 5;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// KIND/NAME…, KIND NAME…, or all
    #[arg(value_name = "OBJECT")]
    objects: Vec<String>,
    /// Goal: ready, or revision=REVISION (prefix of a commit or digest)
    #[arg(long = "for", default_value = "ready", value_parser = progress::parse_goal, value_name = "GOAL")]
    goal: Goal,
    /// With all: wait for the objects of all namespaces
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// With all: wait only for objects of these kinds
    #[arg(long = "kind", value_parser = flags::csv, value_name = "KIND,…")]
    kinds: Vec<Vec<String>>,
    /// With all: wait only for objects with these labels, as KEY=VALUE,…
    #[arg(long, short = 'l', value_name = "SELECTOR")]
    label_selector: Option<String>,
}

/// The objects of one watch.
struct Part {
    resource: &'static Resource,
    namespace: Option<String>,
    name: Option<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let is_all = args.objects.len() == 1 && args.objects[0] == "all";
    if !is_all {
        let narrowed =
            args.all_namespaces || !args.kinds.is_empty() || args.label_selector.is_some();
        if narrowed {
            return Err(CommandError::user(
                "--all-namespaces, --kind and --label-selector go with `wait all` only",
            ));
        }
    }
    let parts = if is_all {
        all(args, context)?
    } else {
        named(args, context)?
    };
    // Named objects are read before the watch. The others are unknown until then.
    let unknown = if is_all { parts.len() } else { 0 };
    let board = RefCell::new(WaitProgress::new(args.goal.clone(), !is_all, unknown));
    let wait = Wait {
        context,
        labels: args.label_selector.as_deref(),
        is_all,
        board: &board,
    };
    context.block_on(wait.begin(&parts))??;
    let waited = context.block_on(async {
        tokio::time::timeout(context.timeout(), wait.until_over(&parts)).await
    })?;
    match waited {
        Ok(ended) => ended?,
        Err(_) => {
            let board = board.into_inner();
            return Err(context.block_on(overdue(context, &board))?);
        }
    }
    conclude(&board.into_inner(), args, context)
}

/// The objects that were named.
fn named(args: &Args, context: &Context) -> Result<Vec<Part>, CommandError> {
    let pairs = target::pairs(&args.objects)?;
    pairs
        .into_iter()
        .map(|(word, name)| {
            Ok(Part {
                resource: kind(word)?,
                namespace: Some(context.namespace()),
                name: Some(name.to_owned()),
            })
        })
        .collect()
}

/// Everything that a controller looks after.
fn all(args: &Args, context: &Context) -> Result<Vec<Part>, CommandError> {
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
        .map(|resource| Part {
            resource,
            namespace: namespace.clone(),
            name: None,
        })
        .collect())
}

fn kind(word: &str) -> Result<&'static Resource, CommandError> {
    by_word(word).ok_or_else(|| CommandError::user(format!("kind '{word}' is not one of Flux's")))
}

struct Wait<'w> {
    context: &'w Context,
    labels: Option<&'w str>,
    is_all: bool,
    board: &'w RefCell<WaitProgress>,
}

impl Wait<'_> {
    /// Looks whether what was named is there, and says what is waited for.
    async fn begin(&self, parts: &[Part]) -> Result<(), CommandError> {
        if self.is_all {
            self.context.progress.waiting("waiting for all objects");
            return Ok(());
        }
        let found = join_all(parts.iter().map(|part| {
            let name = part.name.as_deref().unwrap_or_default();
            self.context.required(part.resource, name)
        }));
        for (part, found) in parts.iter().zip(found.await) {
            let object = found?;
            let id = Id::of(&object);
            if self.board.borrow_mut().record(part.resource, object) {
                self.tell(&id);
            } else {
                self.context.progress.waiting(format!("waiting for {id}"));
            }
        }
        Ok(())
    }

    fn tell(&self, id: &Id) {
        self.context.progress.success(format!("{id} is ready"));
    }

    /// Watches everything until nothing is waited for. A kind that the cluster does not know has no
    /// objects.
    async fn until_over(&self, parts: &[Part]) -> Result<(), CommandError> {
        let mut watches: Vec<LocalBoxFuture<'_, Result<(), CommandError>>> = parts
            .iter()
            .map(|part| self.watch(part).boxed_local())
            .collect();
        while !watches.is_empty() && !self.board.borrow().is_over() {
            let (ended, _, rest) = select_all(watches).await;
            ended?;
            watches = rest;
        }
        Ok(())
    }

    /// Watches until everything is over, or there is nothing to watch.
    async fn watch(&self, part: &Part) -> Result<(), CommandError> {
        let cluster = self.context.cluster()?;
        let gvk = part.resource.gvk();
        if self.is_all
            && let Err(error) = cluster.resolve(&gvk).await
            && error.is_no_match()
        {
            self.board.borrow_mut().record_sync();
            return Ok(());
        }
        let which = Which {
            namespace: part.namespace.as_deref(),
            name: part.name.as_deref(),
            labels: self.labels,
        };
        let watch = Watch::new(cluster, gvk, which);
        let mut is_there = false;
        watch
            .each(|event| {
                let mut board = self.board.borrow_mut();
                match event {
                    Event::Is(object) if self.is_all && is_left_out(part.resource, &object) => {
                        board.record_deletion(&Id::of(&object));
                    }
                    Event::Is(object) => {
                        is_there = true;
                        let id = Id::of(&object);
                        if board.record(part.resource, *object) && !self.is_all {
                            self.tell(&id);
                        }
                    }
                    Event::Gone(object) => board.record_deletion(&Id::of(&object)),
                    Event::Synced => {
                        board.record_sync();
                        // It may have gone after it was read and before it was watched.
                        if let (Some(name), false) = (&part.name, is_there) {
                            let namespace = part.namespace.as_deref().unwrap_or_default();
                            board.record_deletion(&Id::new(part.resource.kind, namespace, name));
                        }
                    }
                }
                Ok(board.is_over().then_some(()))
            })
            .await
    }
}

/// Whether `wait all` skips an object: one that is suspended, or that no controller reconciles.
fn is_left_out(resource: &Resource, object: &sluice_object::Object) -> bool {
    is_suspended(object) || resource.is_static(object)
}

/// Nothing is waited for any more: whether it went well.
fn conclude(board: &WaitProgress, args: &Args, context: &Context) -> CommandResult {
    if board.is_empty() {
        let place = if args.all_namespaces {
            "any namespace".to_owned()
        } else {
            format!("\"{}\" namespace", context.namespace())
        };
        return Err(CommandError::user(format!(
            "no objects to wait for found in {place}"
        )));
    }
    let hopeless: Vec<String> = board
        .unreached()
        .map(|(id, entry)| match &entry.progress {
            Progress::Hopeless(why) => format!("{id}: {why}"),
            Progress::Reached | Progress::Waiting => id.to_string(),
        })
        .collect();
    if hopeless.is_empty() {
        if args.objects.len() == 1 && args.objects[0] == "all" {
            let count = board.len();
            context
                .progress
                .success(format!("{count} object(s) are ready"));
        }
        return Ok(Exit::SUCCESS);
    }
    let (count, all) = (hopeless.len(), board.len());
    Err(CommandError::cluster(format!(
        "{count} of {all} object(s) will not be ready by themselves"
    ))
    .details(hopeless))
}

/// The time is up: what is still waited for, and what keeps it.
async fn overdue(context: &Context, board: &WaitProgress) -> CommandError {
    let others: Vec<_> = board.unreached().collect();
    let (count, all) = (others.len(), board.len());
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

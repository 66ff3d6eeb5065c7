//! Implements `reconcile all`: reconciles the selected objects, dependencies first, several at
//! once.
//!
//! [`sluice_insight::order`] decides the order. An object whose source or dependency failed is
//! skipped, as it would fail or use an old revision.

use std::collections::BTreeSet;

use clap::{Arg, ArgMatches, Command};
use futures::future::join_all;
use futures::stream::{FuturesUnordered, StreamExt as _};
use sluice_insight::kinds::{RESOURCES, Resource, by_word};
use sluice_insight::order::{self, Plan, SkipReason, Step};
use sluice_insight::settled::{self, Readiness};
use sluice_insight::{Id, Snapshot};

use super::{request, settle};
use crate::cluster::{Context, ListError};
use crate::commands::nouns::unknown_kind;
use crate::error::CommandError;
use crate::{CommandResult, Exit, flags};

/// Default number of concurrent reconciliations.
const PARALLEL: &str = "8";

pub(super) fn augment(command: Command) -> Command {
    command
        .about("Reconcile all objects, with sources and dependencies first")
        .arg(
            flags::switch("all-namespaces")
                .short('A')
                .help("Reconcile objects in all namespaces"),
        )
        .arg(
            Arg::new("kind")
                .long("kind")
                .value_name("KIND")
                .action(clap::ArgAction::Append)
                .value_parser(flags::csv)
                .help("Reconcile only objects of these kinds"),
        )
        .arg(
            Arg::new("label-selector")
                .long("label-selector")
                .short('l')
                .value_name("SELECTOR")
                .help("Reconcile only objects with these labels, as KEY=VALUE,…"),
        )
        .arg(flags::switch("not-ready").help("Reconcile only objects that are not ready"))
        .arg(
            Arg::new("parallel")
                .long("parallel")
                .value_name("N")
                .default_value(PARALLEL)
                .value_parser(positive)
                .help("Number of objects to reconcile at once"),
        )
}

pub(super) fn run(leaf: &ArgMatches, context: &Context) -> CommandResult {
    let words = leaf.get_many::<Vec<String>>("kind").into_iter().flatten();
    let kinds = words
        .flatten()
        .map(|word| kind(word))
        .collect::<Result<Vec<_>, _>>()?;
    let namespace = (!leaf.get_flag("all-namespaces")).then(|| context.namespace());
    let labels = leaf.get_one::<String>("label-selector").map(String::as_str);
    let only_unready = leaf.get_flag("not-ready");
    let parallel = leaf.get_one::<u16>("parallel").copied().unwrap_or(1);

    let (snapshot, chosen) = context.block_on(observe(context, namespace.as_deref(), labels))??;
    let plan = order::plan(&snapshot, |resource, object| {
        (kinds.is_empty() || kinds.iter().any(|kind| kind.kind == resource.kind))
            && chosen.contains(&Id::of(object))
            && !(only_unready && settled::readiness(resource, object) == Readiness::Ready)
    });
    let mut failed = 0;
    for (id, why) in &plan.skipped {
        context
            .progress
            .warning(format!("{id} is passed over: {why}"));
        failed += usize::from(*why != SkipReason::Suspended);
    }
    if plan.steps.is_empty() && failed == 0 {
        let none = if only_unready {
            "no objects that are not ready"
        } else {
            "no objects"
        };
        let place = namespace.map_or_else(
            || "any namespace".to_owned(),
            |namespace| format!("\"{namespace}\" namespace"),
        );
        context
            .progress
            .success(format!("{none} to reconcile in {place}"));
        return Ok(Exit::SUCCESS);
    }
    let all = plan.steps.len() + failed;
    context
        .progress
        .wait(format!("reconciling {} object(s)", plan.steps.len()));
    failed += context.block_on(perform(context, &plan, usize::from(parallel)))?;
    if failed > 0 {
        return Err(CommandError::cluster(format!(
            "reconciliation failed for {failed} of {all} object(s)"
        )));
    }
    context
        .progress
        .success(format!("{all} object(s) reconciled"));
    Ok(Exit::SUCCESS)
}

/// Parses a number of at least one.
fn positive(text: &str) -> Result<u16, String> {
    let number = u16::try_from(flags::integer(text)?).ok();
    let number = number.filter(|number| *number > 0);
    number.ok_or_else(|| format!("must be from 1 to {}", u16::MAX))
}

fn kind(word: &str) -> Result<&'static Resource, CommandError> {
    let known = by_word(word).filter(|kind| kind.verbs.reconciles());
    known.ok_or_else(|| {
        unknown_kind(
            format!("objects of kind '{word}' cannot be reconciled"),
            word,
        )
    })
}

/// Lists the objects of the namespace or of all namespaces, filtered by labels.
async fn observe(
    context: &Context,
    namespace: Option<&str>,
    labels: Option<&str>,
) -> Result<(Snapshot, BTreeSet<Id>), CommandError> {
    let kinds: Vec<&Resource> = RESOURCES
        .iter()
        .filter(|resource| resource.verbs.reconciles())
        .collect();
    let lists = |labels| {
        kinds
            .iter()
            .map(move |kind| context.list(kind, namespace, None, labels))
    };
    let (mut snapshot, mut chosen) = (Snapshot::default(), BTreeSet::new());
    for list in join_all(lists(None)).await {
        for object in list.or_else(ListError::or_empty)? {
            chosen.insert(Id::of(&object));
            snapshot.add(object);
        }
    }
    if labels.is_some() {
        chosen.clear();
        for list in join_all(lists(labels)).await {
            chosen.extend(list.or_else(ListError::or_empty)?.iter().map(Id::of));
        }
    }
    Ok((snapshot, chosen))
}

/// Executes a plan with limited concurrency. Returns the number of failed or skipped steps.
async fn perform(context: &Context, plan: &Plan, parallel: usize) -> usize {
    // Whether each finished step succeeded.
    let mut ended: Vec<Option<bool>> = vec![None; plan.steps.len()];
    let mut begun = vec![false; plan.steps.len()];
    let mut running = FuturesUnordered::new();
    loop {
        for index in plan.ready(&begun, &ended) {
            if running.len() >= parallel {
                break;
            }
            begun[index] = true;
            let step = &plan.steps[index];
            match step
                .after
                .iter()
                .find(|before| ended[**before] == Some(false))
            {
                Some(before) => {
                    ended[index] = Some(false);
                    let (id, failed) = (&step.id, &plan.steps[*before].id);
                    context
                        .progress
                        .failure(format!("{id} was not tried: {failed} failed"));
                }
                None => running.push(async move { (index, one(context, step).await) }),
            }
        }
        if let Some((index, result)) = running.next().await {
            ended[index] = Some(result.is_ok());
            let id = &plan.steps[index].id;
            match result {
                Ok(summary) => context.progress.success(match summary {
                    Some(summary) => format!("{id}: {summary}"),
                    None => format!("{id} is reconciled"),
                }),
                Err(error) => context.progress.error(&error.while_doing(id)),
            }
        } else if plan.ready(&begun, &ended).is_empty() {
            return ended.iter().filter(|ended| **ended != Some(true)).count();
        }
    }
}

async fn one(context: &Context, step: &Step) -> Result<Option<String>, CommandError> {
    let (
        resource,
        Id {
            namespace, name, ..
        },
    ) = (step.resource, &step.id);
    let requested = request(context, resource, namespace, name, &[]).await?;
    let object = settle(context, resource, namespace, name, &requested).await?;
    Ok(settled::summary(resource, &object))
}

//! Implements `get`: prints objects as tables, one per kind, or in kubectl's formats with `-o`.

mod format;
mod selector;

use std::cell::Cell;
use std::collections::BTreeMap;

use clap::{ArgMatches, Command};
use futures::stream::{self, StreamExt as _};
use sluice_insight::kinds::{Column, RESOURCES, Resource};
use sluice_object::Object;
use sluice_system::{Clock as _, SystemClock};

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError, listing};
use crate::error::CommandError;
use crate::output::table::Table;
use crate::{CommandResult, Exit, compat, flags, output};
use format::Format;
use selector::StatusSelector;
use sluice_insight::watch::{Event, WatchTarget};
use sluice_object::jsonpath::JsonPath;
use sluice_object::sort::{self, Order, SortEntry};

/// Kinds that are listed concurrently. Each response stays in memory until it is read, and more of
/// them do not finish sooner.
const AT_ONCE: usize = 4;

/// Parsed flags of `get`.
struct Request {
    all_namespaces: bool,
    label_selector: Option<String>,
    header: bool,
    status: Option<StatusSelector>,
    watch: bool,
    show_source: bool,
    name: Option<String>,
    format: Format,
    sort_by: Option<JsonPath>,
}

pub fn augment(command: Command) -> Command {
    let command = command
        .arg(
            flags::switch("all-namespaces")
                .short('A')
                .global(true)
                .help("List objects in all namespaces"),
        )
        .arg(
            clap::Arg::new("label-selector")
                .long("label-selector")
                .short('l')
                .global(true)
                .value_name("SELECTOR")
                .help("List only objects with these labels, as KEY=VALUE,…"),
        )
        .arg(
            flags::switch("no-header")
                .global(true)
                .help("Omit the table header"),
        )
        .arg(
            clap::Arg::new("status-selector")
                .long("status-selector")
                .global(true)
                .value_name("TYPE=STATUS")
                .value_parser(selector::parse)
                .help("List only objects with this condition, as TYPE=STATUS or TYPE!=STATUS"),
        )
        .arg(
            clap::Arg::new("output")
                .long("output")
                .short('o')
                .global(true)
                .value_name("FORMAT")
                .value_parser(format::CHOICE)
                .help("Output format: whole objects, names, or a wider table"),
        )
        .arg(
            clap::Arg::new("sort-by")
                .long("sort-by")
                .global(true)
                .value_name("PATH")
                .value_parser(sort::path)
                .help("Sort by a JSONPath, such as .metadata.creationTimestamp"),
        )
        .arg(
            flags::switch("watch")
                .short('w')
                .global(true)
                .help("Watch for changes after listing"),
        );
    let command = nouns::add(command, Form::Listed, |_| true, leaf);
    command
        .subcommand(
            Command::new("all")
                .about("List objects of all kinds")
                .arg(nouns::names().hide(true)),
        )
        .mut_subcommand("sources", |group| {
            group.subcommand(
                Command::new("all")
                    .about("List all source objects")
                    .arg(nouns::names().hide(true)),
            )
        })
        .mut_subcommand("images", |group| {
            group.subcommand(
                Command::new("all")
                    .about("List all image automation objects")
                    .arg(nouns::names().hide(true)),
            )
        })
}

fn leaf(resource: &Resource, command: Command) -> Command {
    let command = command
        .about(format!("List {} objects", resource.kind))
        .arg(nouns::names());
    if matches!(resource.kind, "Kustomization" | "HelmRelease") {
        command.arg(flags::switch("show-source").help("Show each object's source"))
    } else {
        command
    }
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let request = Request {
        all_namespaces: leaf.get_flag("all-namespaces"),
        label_selector: leaf.get_one::<String>("label-selector").cloned(),
        header: !leaf.get_flag("no-header"),
        status: leaf.get_one::<StatusSelector>("status-selector").cloned(),
        watch: leaf.get_flag("watch"),
        show_source: leaf
            .try_get_one::<bool>("show-source")
            .ok()
            .flatten()
            .copied()
            .unwrap_or_default(),
        name: nouns::only(leaf, context),
        format: Format::named(leaf.get_one::<String>("output").map(String::as_str)),
        sort_by: leaf
            .get_one::<Option<JsonPath>>("sort-by")
            .cloned()
            .flatten(),
    };
    if words.last() == Some(&"all") {
        let group = words.first().copied().filter(|word| *word != "all");
        return every_kind(&request, group, context);
    }
    let resource = nouns::resource(Form::Listed, &words)?;
    if request.watch {
        return watch(&request, resource, context);
    }
    one_kind(&request, resource, context)
}

fn one_kind(request: &Request, resource: &Resource, context: &Context) -> CommandResult {
    let text = if request.format.is_table() {
        let row = |object: Object| request.row(resource, &object, false);
        let (rows, is_there) = one_list(request, resource, context, row)?;
        if !is_there {
            return nothing_found(request, resource, context);
        }
        request.table(resource, rows).render(request.header)
    } else {
        let (objects, is_there) = one_list(request, resource, context, |object| object)?;
        // A missing object is an error. An empty list is one only in table format.
        if !is_there && request.name.is_some() {
            return nothing_found(request, resource, context);
        }
        let is_one = request.name.is_some() && !objects.is_empty();
        request.format.all(objects, is_one)?
    };
    output::stdout(&text)?;
    Ok(Exit::SUCCESS)
}

/// Maps the objects of a kind with `keep`, in order. Also returns whether any object exists,
/// because a list filtered by status may be empty.
fn one_list<T>(
    request: &Request,
    resource: &Resource,
    context: &Context,
    keep: impl Fn(Object) -> T,
) -> Result<(Vec<T>, bool), CommandError> {
    // One named object needs no sorting.
    let path = request.sort_by.as_ref();
    let mut order = Order::by(path.filter(|_| request.name.is_none()));
    let (listed, is_there) = context
        .block_on(fetch(request, resource, context, &order, keep))?
        .map_err(ListError::into_command)?;
    let sorted = order.sort(listed)?;
    order.end()?;
    Ok((sorted, is_there))
}

/// Prints one table per kind that has objects, and lists several kinds at once. A missing CRD is
/// not an error. Other failures are reported after the tables.
fn every_kind(request: &Request, group: Option<&str>, context: &Context) -> CommandResult {
    if request.watch {
        return Err(CommandError::user(
            "expected a single resource type, but found all",
        ));
    }
    let mut order = request.order();
    let mut text = String::new();
    let failures = if request.format.is_table() {
        let row = |resource: &Resource, object: Object| request.row(resource, &object, true);
        let answers = every_list(request, group, context, &order, row)?;
        for (resource, rows) in answers.listed {
            let rows = order.sort(rows)?;
            if !rows.is_empty() {
                text.push_str(&request.table(resource, rows).render(request.header));
                text.push('\n');
            }
        }
        order.end()?;
        answers.failures
    } else {
        let answers = every_list(request, group, context, &order, |_, object| object)?;
        let listed = answers.listed.into_iter();
        let objects = order.sort(listed.flat_map(|(_, objects)| objects).collect())?;
        order.end()?;
        // An unreachable cluster must not look like an empty list.
        if answers.is_reached {
            text = request.format.all(objects, false)?;
        }
        answers.failures
    };
    output::stdout(&text)?;
    for failure in &failures {
        output::stderr(&failure.text());
    }
    Ok(if failures.is_empty() {
        Exit::SUCCESS
    } else {
        compat::reported_failure()
    })
}

/// Results of listing several kinds.
struct KindLists<T> {
    listed: Vec<(&'static Resource, Vec<SortEntry<T>>)>,
    /// Errors of kinds that could not be listed.
    failures: Vec<CommandError>,
    /// Whether any request reached the cluster.
    is_reached: bool,
}

/// Maps the objects of every kind with `keep`.
fn every_list<T>(
    request: &Request,
    group: Option<&str>,
    context: &Context,
    order: &Order<'_>,
    keep: impl Fn(&Resource, Object) -> T,
) -> Result<KindLists<T>, CommandError> {
    let kinds = RESOURCES
        .iter()
        // Flux's tables omit some kinds, but other formats include them.
        .filter(|resource| resource.in_all() || request.format != Format::Table)
        .filter(|resource| group.is_none_or(|group| resource.listed.first() == Some(&group)));
    let keep = &keep;
    let asked = stream::iter(kinds)
        .map(|resource| async move {
            let keep = |object: Object| keep(resource, object);
            let answer = fetch(request, resource, context, order, keep).await;
            (resource, answer)
        })
        .buffered(AT_ONCE);
    let mut answers = KindLists {
        listed: Vec::new(),
        failures: Vec::new(),
        is_reached: true,
    };
    let mut unreached = None;
    for (resource, answer) in context.block_on(asked.collect::<Vec<_>>())? {
        match answer {
            Ok((listed, _)) => answers.listed.push((resource, listed)),
            Err(ListError::NoKind(_)) => {}
            // The other kinds would fail alike, so one error is enough.
            Err(ListError::NoAnswer(error)) => {
                unreached.get_or_insert(error);
            }
            Err(ListError::Other(error)) => answers.failures.push(error),
        }
    }
    answers.is_reached = unreached.is_none();
    answers.failures.extend(unreached);
    Ok(answers)
}

/// Prints the header once, then one row or object per event, until Ctrl-C or the timeout.
fn watch(request: &Request, resource: &Resource, context: &Context) -> CommandResult {
    let mut header = request.header;
    let mut show = |object: Object, is_gone: bool| {
        if !request.format.is_table() {
            return output::stdout(&request.format.next(object)?);
        }
        let mut table = request.table(resource, [request.row(resource, &object, false)]);
        if is_gone && request.format == Format::Wide {
            table.mark_first("-");
        }
        let shown = output::stdout(&table.render(header));
        header = false;
        shown
    };
    // Collects the existing objects, to sort them first.
    let mut first = request.sort_by.is_some().then(BTreeMap::new);
    if first.is_some() {
        context
            .progress
            .warning("--sort-by orders what is there now, not what changes while it is watched");
    }
    let each = |event: Event| {
        let (object, is_gone) = match event {
            Event::Is(object) => (*object, false),
            Event::Gone(object) => (*object, true),
            Event::Synced => {
                let mut order = request.order();
                let objects = first.take().unwrap_or_default().into_values();
                let placed = objects.filter_map(|object| order.place(object, |object| object));
                let placed = placed.collect();
                return order
                    .sort(placed)?
                    .into_iter()
                    .try_for_each(|object| show(object, false));
            }
        };
        if let Some(first) = &mut first {
            let id = (object.namespace().to_owned(), object.name().to_owned());
            first.remove(&id);
            if !is_gone && request.wants(resource, &object) {
                first.insert(id, object);
            }
            return Ok(());
        }
        if request.wants(resource, &object) {
            show(object, is_gone)
        } else {
            Ok(())
        }
    };
    let namespace = request.namespace(context);
    let which = WatchTarget {
        namespace: namespace.as_deref(),
        name: request.name.as_deref(),
        labels: request.label_selector.as_deref(),
    };
    context.block_on_at_leisure(context.follow(&resource.gvk(), which, each))??;
    Ok(Exit::SUCCESS)
}

/// Maps the requested objects of a kind with `keep`. Also returns whether any object exists, of
/// whatever status.
async fn fetch<T>(
    request: &Request,
    resource: &Resource,
    context: &Context,
    order: &Order<'_>,
    keep: impl Fn(Object) -> T,
) -> Result<(Vec<SortEntry<T>>, bool), ListError> {
    let mut options = listing(request.name.as_deref(), request.label_selector.as_deref());
    // Only `wide` and sort paths read the field managers, and none prints them.
    options.without_managers = request.format != Format::Wide && request.sort_by.is_none();
    let namespace = request.namespace(context);
    let is_there = Cell::new(false);
    let keep = |object: Object| {
        is_there.set(true);
        if request.wants(resource, &object) {
            order.place(object, &keep)
        } else {
            None
        }
    };
    let listed = context
        .list_as(resource, namespace.as_deref(), &options, keep)
        .await?;
    Ok((listed, is_there.get()))
}

fn nothing_found(request: &Request, resource: &Resource, context: &Context) -> CommandResult {
    let place = match request.namespace(context) {
        Some(namespace) => format!("\"{namespace}\" namespace"),
        None => "any namespace".to_owned(),
    };
    match &request.name {
        Some(name) => Err(CommandError::user(format!(
            "{} object '{name}' not found in {place}",
            resource.kind
        ))),
        None => Err(CommandError::user(format!(
            "no {} objects found in {place}",
            resource.kind
        ))),
    }
}

impl Request {
    fn namespace(&self, context: &Context) -> Option<String> {
        (!self.all_namespaces).then(|| context.namespace())
    }

    fn wants(&self, resource: &Resource, object: &Object) -> bool {
        self.status
            .as_ref()
            .is_none_or(|status| status.matches(resource, object))
    }

    fn order(&self) -> Order<'_> {
        Order::by(self.sort_by.as_ref())
    }

    fn columns(&self, resource: &Resource) -> impl Iterator<Item = Column> {
        let source = self.show_source.then_some(Column::SourceReference);
        source.into_iter().chain(resource.columns.iter().copied())
    }

    /// Returns the cells of an object.
    fn row(&self, resource: &Resource, object: &Object, with_kind: bool) -> Vec<String> {
        let mut cells = Vec::with_capacity(resource.columns.len() + 5);
        if self.all_namespaces {
            cells.push(object.namespace().to_owned());
        }
        cells.push(if with_kind {
            format!("{}/{}", resource.kind.to_lowercase(), object.name())
        } else {
            object.name().to_owned()
        });
        let columns = self.columns(resource);
        cells.extend(columns.map(|column| column.cell(resource, object).into_owned()));
        if self.format == Format::Wide {
            cells.extend(format::wide(object, SystemClock.now()));
        }
        cells
    }

    fn table(&self, resource: &Resource, rows: impl IntoIterator<Item = Vec<String>>) -> Table {
        let namespace = self.all_namespaces.then_some("Namespace");
        let titles = self.columns(resource).map(Column::title);
        let wide = (self.format == Format::Wide).then_some(format::WIDE);
        let mut table = Table::new(
            namespace
                .into_iter()
                .chain(["Name"])
                .chain(titles)
                .chain(wide.into_iter().flatten()),
        );
        for row in rows {
            table.row(row);
        }
        table
    }
}

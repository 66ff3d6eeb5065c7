//! `get`: objects as tables, one per kind, or with `-o` as kubectl prints them.

mod format;
mod selector;
mod sort;

use std::borrow::Cow;
use std::collections::BTreeMap;

use clap::{ArgMatches, Command};
use futures::future::join_all;
use sluice_object::Object;
use sluice_system::{Clock as _, SystemClock};

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::jsonpath::JsonPath;
use crate::output::table::Table;
use crate::resource::{Column, RESOURCES, Resource};
use crate::watch::{Event, Which};
use crate::{CommandResult, Exit, compat, flags, output};
use format::Format;
use selector::StatusSelector;
use sort::Order;

/// What the flags of `get` ask for.
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
                .help("List the objects of all namespaces"),
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
                .help("Leave the header out"),
        )
        .arg(
            clap::Arg::new("status-selector")
                .long("status-selector")
                .global(true)
                .value_name("TYPE=STATUS")
                .value_parser(selector::parse)
                .help("List only objects whose condition has, or with != has not, this status"),
        )
        .arg(
            clap::Arg::new("output")
                .long("output")
                .short('o')
                .global(true)
                .value_name("FORMAT")
                .value_parser(format::CHOICE)
                .help("Format of the output: objects as kubectl prints them, or more columns"),
        )
        .arg(
            clap::Arg::new("sort-by")
                .long("sort-by")
                .global(true)
                .value_name("PATH")
                .value_parser(sort::path)
                .help("Order by the value at this JSONPath, such as .metadata.creationTimestamp, as kubectl does"),
        )
        .arg(
            flags::switch("watch")
                .short('w')
                .global(true)
                .help("Go on listing what changes"),
        );
    let command = nouns::add(command, Form::Listed, |_| true, leaf);
    command
        .subcommand(
            Command::new("all")
                .about("List the objects of every kind")
                .arg(nouns::names().hide(true)),
        )
        .mut_subcommand("sources", |group| {
            group.subcommand(
                Command::new("all")
                    .about("List every source")
                    .arg(nouns::names().hide(true)),
            )
        })
        .mut_subcommand("images", |group| {
            group.subcommand(
                Command::new("all")
                    .about("List every image automation object")
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
    let mut objects = context
        .block_on(fetch(request, resource, context))?
        .map_err(ListError::into_command)?;
    objects.retain(|object| request.wants(resource, object));
    // One that was named is no list.
    if request.name.is_none() {
        let mut order = request.order();
        order.sort(&mut objects)?;
        order.end()?;
    }
    // An empty list is an answer, but for who reads a table.
    let is_list = !request.format.is_table() && request.name.is_none();
    if objects.is_empty() && !is_list {
        return nothing_found(request, resource, context);
    }
    if !request.format.is_table() {
        output::stdout(&request.format.all(objects, request.name.is_some())?)?;
        return Ok(Exit::SUCCESS);
    }
    let columns = request.columns(resource);
    let table = table(request, resource, &columns, &objects, false);
    output::stdout(&table.render(request.header))?;
    Ok(Exit::SUCCESS)
}

/// One table per kind that has objects, all kinds listed at once. A cluster without some CRD is
/// not an error; any other failure is, after everything that could be listed was.
fn every_kind(request: &Request, group: Option<&str>, context: &Context) -> CommandResult {
    if request.watch {
        return Err(CommandError::user(
            "expected a single resource type, but found all",
        ));
    }
    let kinds: Vec<&Resource> = RESOURCES
        .iter()
        // What Flux leaves out of its tables is in the other formats.
        .filter(|resource| resource.in_all() || request.format != Format::Table)
        .filter(|resource| group.is_none_or(|group| resource.listed.first() == Some(&group)))
        .collect();
    let answers = context.block_on(join_all(
        kinds
            .iter()
            .map(|resource| fetch(request, resource, context)),
    ))?;
    let mut text = String::new();
    let mut failures: Vec<CommandError> = Vec::new();
    let mut unreached = None;
    let mut listed = Vec::new();
    let mut order = request.order();
    for (resource, answer) in kinds.into_iter().zip(answers) {
        match answer {
            Ok(mut objects) => {
                objects.retain(|object| request.wants(resource, object));
                if !request.format.is_table() {
                    listed.append(&mut objects);
                } else if !objects.is_empty() {
                    order.sort(&mut objects)?;
                    let columns = request.columns(resource);
                    text.push_str(
                        &table(request, resource, &columns, &objects, true).render(request.header),
                    );
                    text.push('\n');
                }
            }
            Err(ListError::NoKind(_)) => {}
            // The same is true of the other kinds, and said once.
            Err(ListError::NoAnswer(error)) => {
                unreached
                    .get_or_insert_with(|| error.while_doing(format!("list {}", resource.plural)));
            }
            Err(ListError::Other(error)) => failures.push(error),
        }
    }
    order.sort(&mut listed)?;
    order.end()?;
    // A cluster that does not answer is no empty list.
    if !request.format.is_table() && unreached.is_none() {
        text = request.format.all(listed, false)?;
    }
    output::stdout(&text)?;
    failures.extend(unreached);
    for failure in &failures {
        context.progress.failure(failure.message());
    }
    Ok(if failures.is_empty() {
        Exit::SUCCESS
    } else {
        compat::told_failure()
    })
}

/// The header once, then a row for each event, or one object after the other, until the user leaves
/// or the timeout that was asked for ends it.
fn watch(request: &Request, resource: &Resource, context: &Context) -> CommandResult {
    let columns = request.columns(resource);
    let mut header = request.header;
    let mut show = |object: Object, is_gone: bool| {
        if !request.format.is_table() {
            return output::stdout(&request.format.next(object)?);
        }
        let object = std::slice::from_ref(&object);
        let mut table = table(request, resource, &columns, object, false);
        if is_gone && request.format == Format::Wide {
            table.mark_first("-");
        }
        let shown = output::stdout(&table.render(header));
        header = false;
        shown
    };
    // What is there when the watch begins, until it is put into order.
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
                let mut objects = first.take().unwrap_or_default().into_values().collect();
                request.order().sort(&mut objects)?;
                return objects
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
    let which = Which {
        namespace: namespace.as_deref(),
        name: request.name.as_deref(),
        labels: request.label_selector.as_deref(),
    };
    context.block_on_at_leisure(context.follow(&resource.gvk(), which, each))??;
    Ok(Exit::SUCCESS)
}

async fn fetch(
    request: &Request,
    resource: &Resource,
    context: &Context,
) -> Result<Vec<Object>, ListError> {
    context
        .list(
            resource,
            request.namespace(context).as_deref(),
            request.name.as_deref(),
            request.label_selector.as_deref(),
        )
        .await
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

    fn columns(&self, resource: &Resource) -> Vec<Column> {
        let source = self.show_source.then_some(Column::SourceReference);
        source
            .into_iter()
            .chain(resource.columns.iter().copied())
            .collect()
    }
}

fn table(
    request: &Request,
    resource: &Resource,
    columns: &[Column],
    objects: &[Object],
    with_kind: bool,
) -> Table {
    let namespace = request.all_namespaces.then_some("Namespace");
    let titles = columns.iter().map(|column| column.title());
    let is_wide = request.format == Format::Wide;
    let wide = is_wide.then_some(format::WIDE).into_iter().flatten();
    let mut table = Table::new(
        namespace
            .into_iter()
            .chain(["Name"])
            .chain(titles)
            .chain(wide),
    );
    let now = SystemClock.now();
    for object in objects {
        let name = if with_kind {
            format!("{}/{}", resource.kind.to_lowercase(), object.name())
        } else {
            object.name().to_owned()
        };
        let mut cells = Vec::with_capacity(columns.len() + 2);
        if request.all_namespaces {
            cells.push(object.namespace().into());
        }
        cells.push(name.into());
        cells.extend(columns.iter().map(|column| column.cell(resource, object)));
        if is_wide {
            cells.extend(format::wide(object, now).map(Cow::Owned));
        }
        table.row(cells);
    }
    table
}

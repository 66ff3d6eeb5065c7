//! `get`: objects as tables, one per kind.

mod selector;

use clap::{ArgMatches, Command};
use futures::future::join_all;
use sluice_object::Object;

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::output::table::Table;
use crate::resource::{Column, RESOURCES, Resource};
use crate::{CommandResult, Exit, flags, output};
use selector::StatusSelector;

/// What the flags of `get` ask for.
struct Request {
    all_namespaces: bool,
    label_selector: Option<String>,
    header: bool,
    status: Option<StatusSelector>,
    watch: bool,
    show_source: bool,
    name: Option<String>,
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
        name: nouns::typed(leaf).into_iter().next(),
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
    if objects.is_empty() {
        return nothing_found(request, resource, context);
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
        .filter(|resource| resource.in_all())
        .filter(|resource| group.is_none_or(|group| resource.listed.first() == Some(&group)))
        .collect();
    let answers = context.block_on(join_all(
        kinds
            .iter()
            .map(|resource| fetch(request, resource, context)),
    ))?;
    let (mut text, mut failed, mut reachable) = (String::new(), None, false);
    for (resource, answer) in kinds.into_iter().zip(answers) {
        match answer {
            Ok(mut objects) => {
                reachable = true;
                objects.retain(|object| request.wants(resource, object));
                if !objects.is_empty() {
                    let columns = request.columns(resource);
                    text.push_str(
                        &table(request, resource, &columns, &objects, true).render(request.header),
                    );
                    text.push('\n');
                }
            }
            Err(ListError::NoKind(_)) => reachable = true,
            Err(error) => {
                let error = error.into_command();
                if reachable || failed.is_none() {
                    failed = Some((resource, error));
                }
            }
        }
    }
    output::stdout(&text)?;
    match failed {
        None => Ok(Exit::SUCCESS),
        Some((resource, error)) => Err(error.while_doing(format!("list {}", resource.plural))),
    }
}

/// The header once, then a row for each event, until the user leaves or the timeout that was
/// asked for ends it.
fn watch(request: &Request, resource: &Resource, context: &Context) -> CommandResult {
    let columns = request.columns(resource);
    let mut header = request.header;
    let each = |object: &Object| {
        if !request.wants(resource, object) {
            return Ok(());
        }
        let table = table(
            request,
            resource,
            &columns,
            std::slice::from_ref(object),
            false,
        );
        let shown = output::stdout(&table.render(header));
        header = false;
        shown
    };
    context.block_on(context.follow(
        resource,
        request.namespace(context).as_deref(),
        request.name.as_deref(),
        request.label_selector.as_deref(),
        each,
    ))??;
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
        None => {
            context
                .progress
                .failure(format!("no {} objects found in {place}", resource.kind));
            Ok(Exit::SUCCESS)
        }
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
    let mut table = Table::new(namespace.into_iter().chain(["Name"]).chain(titles));
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
        table.row(cells);
    }
    table
}

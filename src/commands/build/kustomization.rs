//! `build kustomization`: what the controller would apply, from manifests on this disk.
//!
//! The object comes from a file or from the cluster, its manifests from `--path`. Nothing is
//! ever written beside them. The steps are in [`pipeline`]; here is what the flags mean.

mod mask;
mod pipeline;
mod rules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sluice_golang::quote::quote;
use sluice_object::Object;
use sluice_system::fs;
use sluice_yaml::v2;

use crate::cluster::Context;
use crate::error::{CommandError, chain};
use crate::flags::BooleanFlag as _;
use crate::resource::by_kind;
use crate::{CommandResult, Exit, flags, output};

const GROUP: &str = "kustomize.toolkit.fluxcd.io";
const KIND: &str = "Kustomization";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Ask no cluster: the Kustomization is that of --kustomization-file, and variables come from its own list only
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Paths to leave out, in the format of .gitignore
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Read nothing outside of the working directory
    #[arg(long, switch = false)]
    in_memory_build: bool,
    /// File with the Kustomization
    #[arg(long, value_name = "FILE")]
    kustomization_file: Option<PathBuf>,
    /// Folders of sources, as KIND/NAMESPACE/NAME=PATH,…
    #[arg(long, value_parser = local_sources, value_name = "SOURCE=PATH")]
    local_sources: Vec<BTreeMap<String, String>>,
    /// Folder of the manifests
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "DIR"
    )]
    path: String,
    /// Build the Kustomizations among the objects too
    #[arg(long, short, switch = false)]
    recursive: bool,
    /// Fail on variables that have neither value nor default
    #[arg(long, switch = false)]
    strict_substitute: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let name = args
        .name
        .first()
        .ok_or_else(|| CommandError::user("kustomization name is required"))?;
    let directory = std::path::absolute(&args.path).unwrap_or_default();
    if args.path.is_empty() || !directory.is_dir() {
        let path = quote(&args.path);
        return Err(CommandError::user(format!("invalid resource path {path}"))
            .hint("--path names the folder of the manifests"));
    }
    if args.dry_run && args.kustomization_file.is_none() {
        return Err(
            CommandError::user("dry-run mode requires a kustomization file")
                .hint("--kustomization-file names it"),
        );
    }
    if let Some(file) = args
        .kustomization_file
        .as_ref()
        .filter(|file| !file.is_file())
    {
        let file = quote(&file.display().to_string());
        return Err(CommandError::user(format!(
            "invalid kustomization file {file}"
        )));
    }
    let pipeline = pipeline::Pipeline {
        cluster: (!args.dry_run).then_some(context),
        namespace: context.namespace(),
        patterns: args.ignore_paths.iter().flatten().cloned().collect(),
        confined: args.in_memory_build,
        recursive: args.recursive,
        sources: args.local_sources.iter().flatten().map(owned).collect(),
        strict: args.strict_substitute,
    };
    let object = match &args.kustomization_file {
        Some(file) => from_file(file, name, &pipeline.namespace),
        None => from_cluster(context, name),
    };
    let object = object.map_err(|error| error.while_doing("failed to get kustomization object"))?;
    let objects = pipeline.build(&object, &normal(&directory))?;
    output::stdout(&printed(objects))?;
    Ok(Exit::SUCCESS)
}

/// The documents as Flux prints them: each one ended, the last as well.
fn printed(objects: Vec<Object>) -> String {
    let mut text = String::new();
    for object in objects {
        text.push_str(&v2::to_string(&object.into_value()));
        text.push_str("---\n");
    }
    text
}

fn owned((source, path): (&String, &String)) -> (String, String) {
    (source.clone(), path.clone())
}

/// Goes without `.` and `..`, as Go's `filepath.Clean` does: links are not looked at.
fn normal(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => drop(clean.pop()),
            std::path::Component::CurDir => {}
            component => clean.push(component),
        }
    }
    clean
}

/// One use of `--local-sources`: `a=b,c=d`.
fn local_sources(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut sources = BTreeMap::new();
    for pair in flags::csv(text)? {
        let (source, path) = pair
            .split_once('=')
            .ok_or_else(|| format!("{pair} must be formatted as key=value"))?;
        sources.insert(source.to_owned(), path.to_owned());
    }
    Ok(sources)
}

fn from_cluster(context: &Context, name: &str) -> Result<Object, CommandError> {
    let resource =
        by_kind(KIND).ok_or_else(|| CommandError::internal(format!("no kind is called {KIND}")))?;
    context.block_on(context.required(resource, name))?
}

/// Finds the object in a file of many. One without a namespace fits any.
fn from_file(file: &Path, name: &str, namespace: &str) -> Result<Object, CommandError> {
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| {
        CommandError::user(format!(
            "failed to read kustomization file {shown}: {}",
            chain(&error)
        ))
    })?;
    let documents = v2::documents(&text).map_err(|error| {
        CommandError::user(format!(
            "failed to unmarshall kustomization file {shown}: {error}"
        ))
    })?;
    documents
        .into_iter()
        .filter_map(|document| match document {
            Value::Object(map) => Some(Object::from_map(map)),
            _ => None,
        })
        .find(|object| {
            object.is(GROUP, KIND)
                && object.name() == name
                && [namespace, ""].contains(&object.namespace())
        })
        .ok_or_else(|| {
            CommandError::user(format!(
                "failed find kustomization with name '{name}' and namespace '{namespace}' in file '{shown}'"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_sources_are_pairs() {
        let sources = local_sources("GitRepository/a/b=./x,OCIRepository/a/c=/y=z").unwrap();
        assert_eq!(sources["GitRepository/a/b"], "./x");
        assert_eq!(sources["OCIRepository/a/c"], "/y=z");
        assert!(local_sources("GitRepository/a/b").is_err());
        assert!(local_sources("").unwrap().is_empty());
    }

    #[test]
    fn a_path_is_cleaned_without_a_look_at_the_disk() {
        let clean = |path: &str| normal(Path::new(path)).display().to_string();
        assert_eq!(clean("/a/./b/../c/"), "/a/c");
        assert_eq!(clean("/../a"), "/a");
    }
}

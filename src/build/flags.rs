//! Defines the flags of commands that build a Kustomization.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sluice_golang::quote::quote;
use sluice_kustomize::Code;
use sluice_object::Object;
use sluice_preview::kustomization::types::declare_types;
use sluice_preview::kustomization::{Pipeline, is_kustomization, normal};
use sluice_preview::{ObjectLookup, remote_bases};
use sluice_system::fs;
use sluice_yaml::v2;

use crate::error::CommandError;
use crate::flags;
use crate::flags::BooleanFlag as _;
use crate::output::Progress;
use sluice_golang::error::chain;

/// Maximum number of Kustomizations in a hint.
const MAX_LISTED: usize = 10;

#[derive(clap::Args, Clone, Debug)]
#[expect(missing_docs, reason = "a doc comment would become help text")]
pub struct BuildFlags {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Paths to exclude, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Forbid reads outside the working directory
    #[arg(long, switch = false)]
    in_memory_build: bool,
    /// File with the Flux Kustomization
    #[arg(long, value_name = "FILE")]
    kustomization_file: Option<PathBuf>,
    /// Local directories of sources, as KIND/NAMESPACE/NAME=PATH,…
    #[arg(long, value_parser = local_sources, value_name = "SOURCE=PATH")]
    local_sources: Vec<BTreeMap<String, String>>,
    /// Warn about variables whose values lose their line breaks
    #[arg(long, switch = false, help_heading = flags::OURS)]
    multiline_vars: bool,
    /// Directory with the manifests
    #[arg(long, default_value = "", value_name = "DIR")]
    path: String,
    /// Also build the Kustomizations found in the output
    #[arg(long, short, switch = false)]
    pub recursive: bool,
    /// Fail on variables without value and default
    #[arg(long, switch = false)]
    strict_substitute: bool,
}

impl BuildFlags {
    /// Returns the only name argument.
    pub fn name(&self) -> Result<&str, CommandError> {
        let name = self.name.first();
        name.map(String::as_str)
            .ok_or_else(|| CommandError::missing_name("kustomization name is required"))
    }

    /// Returns the directory of the manifests. A path that is not a directory is an error.
    pub fn directory(&self) -> Result<PathBuf, CommandError> {
        let directory = std::path::absolute(&self.path).unwrap_or_default();
        if self.path.is_empty() || !directory.is_dir() {
            let path = quote(&self.path);
            return Err(CommandError::user(format!("invalid resource path {path}"))
                .hint("set --path to the manifests directory"));
        }
        Ok(normal(&directory))
    }

    /// Returns the file with the Kustomization, if the flag is set.
    pub fn file(&self) -> Result<Option<&Path>, CommandError> {
        match &self.kustomization_file {
            // A pipe is accepted as well.
            Some(file) if !file.exists() || file.is_dir() => {
                let file = quote(&file.display().to_string());
                Err(
                    CommandError::user(format!("invalid kustomization file {file}"))
                        .hint("set --kustomization-file to the file of the Kustomization"),
                )
            }
            file => Ok(file.as_deref()),
        }
    }

    /// Returns the pipeline for these flags.
    pub fn pipeline<'c>(
        &self,
        known: Option<&'c dyn ObjectLookup>,
        namespace: String,
    ) -> Pipeline<'c> {
        Pipeline {
            known,
            namespace,
            patterns: self.ignore_paths.iter().flatten().cloned().collect(),
            confined: self.in_memory_build,
            recursive: self.recursive,
            sources: self
                .local_sources
                .iter()
                .flatten()
                .map(|(source, path)| (source.clone(), path.clone()))
                .collect(),
            strict: self.strict_substitute,
            joined: RefCell::default(),
            fetcher: remote_bases::fetcher(),
        }
    }

    /// Reports variables whose values lost their line breaks, where progress is shown.
    pub fn warn_of_lines(&self, pipeline: &Pipeline<'_>, progress: Progress) {
        let joined = pipeline.joined.borrow();
        if self.multiline_vars && !joined.is_empty() {
            let names: Vec<&str> = joined.iter().map(String::as_str).collect();
            progress.warning(format!(
                "values of several lines become one line, as they do in the cluster: {}",
                names.join(", ")
            ));
        }
    }
}

/// Parses one use of `--local-sources`: `a=b,c=d`.
pub(crate) fn local_sources(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut sources = BTreeMap::new();
    for pair in flags::csv(text)? {
        let (source, path) = pair
            .split_once('=')
            .ok_or_else(|| format!("{pair} must be formatted as key=value"))?;
        sources.insert(source.to_owned(), path.to_owned());
    }
    Ok(sources)
}

/// Finds the object in a file with many. An object without a namespace matches any namespace.
pub fn from_file(file: &Path, name: &str, namespace: &str) -> Result<Object, CommandError> {
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| {
        CommandError::user(format!(
            "failed to read kustomization file {shown}: {}",
            chain(&error)
        ))
    })?;
    let documents = v2::documents(&text).map_err(|error| {
        CommandError::user(format!(
            "failed to unmarshall kustomization file {shown}: error converting YAML to JSON: {error}"
        ))
        .hint_after(Code::MalformedYaml)
    })?;
    let documents = documents.into_iter().filter_map(|document| match document {
        Value::Object(map) => Some(Object::from_map(map)),
        _ => None,
    });
    let mut known: Vec<Object> = documents.filter(is_kustomization).collect();
    let is_wanted =
        |object: &Object| object.name() == name && [namespace, ""].contains(&object.namespace());
    let Some(found) = known.iter().position(is_wanted) else {
        return Err(CommandError::user(format!(
            "failed find kustomization with name '{name}' and namespace '{namespace}' in file '{shown}'"
        ))
        .hint(other_kustomizations(&known, name)));
    };
    let mut object = known.swap_remove(found);
    declare_types(&mut object).map_err(|error| {
        let context = format!("failed to unmarshall kustomization file {shown}");
        CommandError::from(error).while_doing(context)
    })?;
    Ok(object)
}

/// Returns the hint below the error of a Kustomization that a file does not have.
fn other_kustomizations(known: &[Object], name: &str) -> String {
    if known.is_empty() {
        return "the file has no Kustomization of kustomize.toolkit.fluxcd.io".to_owned();
    }
    if let Some(same) = known.iter().find(|object| object.name() == name) {
        return format!("set --namespace to {}", same.namespace());
    }
    let names = known.iter().take(MAX_LISTED).map(Object::name);
    let names: Vec<&str> = names.collect();
    let more = known.len() - names.len();
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("the file has {}{rest}", names.join(", "))
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
}

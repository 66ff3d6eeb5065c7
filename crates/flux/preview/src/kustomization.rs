//! Renders a Kustomization from a directory of this machine, and the Kustomizations among its
//! objects in turn.
//!
//! [`sluice_render`] does the rendering. This module reads what the render needs: the Kustomization
//! and variables through [`ObjectLookup`], ignore files and manifests from disk.
//!
//! Parity: flux2: `internal/build/build.go`. Unlike there, a Kustomization that leads back to
//! itself is skipped instead of built forever.

mod rules;
pub mod types;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use serde_json::Value;
use sluice_api::kustomize::{SubstituteReference, SubstituteReferenceKind};
use sluice_apply::Owner;
use sluice_artifact::ignore::Rules;
use sluice_client::GroupVersionKind;
use sluice_golang::error::chain;
use sluice_insight::kinds::KUSTOMIZE;
use sluice_kustomize::flux::{Filter, Spec};
use sluice_kustomize::fs::{DiskFs, SecureFs};
use sluice_kustomize::remote::Fetcher;
use sluice_kustomize::substitute::{self, Variables};
use sluice_kustomize::{Fs, Options};
use sluice_object::Object;
use sluice_render::variables::{SourceData, VariableCollector, parse_references};
use sluice_render::{
    Node, RenderError, View, mask, parse_common_metadata, preview, set_common_metadata,
};

use crate::{Error, ObjectLookup, next_step, remote_bases};

/// Kind of the built objects.
pub const KIND: &str = "Kustomization";

/// Threads for one build: the available cores, up to a limit above which builds do not get faster.
pub fn threads() -> NonZeroUsize {
    const MOST: NonZeroUsize = NonZeroUsize::new(8).expect("eight is not zero");
    thread::available_parallelism().map_or(NonZeroUsize::MIN, |threads| threads.min(MOST))
}

/// Settings of a build.
pub struct Pipeline<'c> {
    /// Source of Kustomizations and variables, or `None` for an offline build.
    pub known: Option<&'c dyn ObjectLookup>,
    /// The namespace of objects without one.
    pub namespace: String,
    /// Ignore patterns besides those of ignore files.
    pub patterns: Vec<String>,
    /// Whether files outside the working directory are rejected.
    pub confined: bool,
    /// Whether Kustomizations among the objects are built as well.
    pub recursive: bool,
    /// Local directories of the sources, by `Kind/namespace/name`.
    pub sources: BTreeMap<String, String>,
    /// Whether a variable without a value is an error.
    pub strict: bool,
    /// Variables of this build whose multi-line values were joined into one line.
    pub joined: RefCell<BTreeSet<String>>,
    /// Fetches remote bases. All Kustomizations share it, so each base is fetched once.
    pub fetcher: Arc<dyn Fetcher>,
}

/// Namespace and name of a Kustomization.
pub type Key = (String, String);

impl<'c> Pipeline<'c> {
    /// Creates a pipeline with default settings that reads from the cluster.
    pub fn of_cluster(known: &'c dyn ObjectLookup, namespace: String) -> Self {
        Self {
            known: Some(known),
            namespace,
            patterns: Vec::new(),
            confined: false,
            recursive: false,
            sources: BTreeMap::new(),
            strict: false,
            joined: RefCell::default(),
            fetcher: remote_bases::fetcher(),
        }
    }

    /// Builds a Kustomization from a directory, and with `recursive` those below it.
    pub fn build(&self, owner: &Object, directory: &Path) -> Result<Vec<Object>, Error> {
        self.build_below(&mut Vec::new(), owner, directory)
    }

    fn build_below(
        &self,
        chain: &mut Vec<Key>,
        owner: &Object,
        directory: &Path,
    ) -> Result<Vec<Object>, Error> {
        chain.push(self.key(owner));
        let mut objects = self.build_one(owner, directory)?;
        if self.recursive {
            let mut below = Vec::new();
            for object in objects.iter().filter(|object| is_kustomization(object)) {
                let key = self.key(object);
                if chain.contains(&key) {
                    continue;
                }
                let directory = self.directory_of(object)?;
                let object = self.live(&key)?.unwrap_or_else(|| object.clone());
                below.append(&mut self.build_below(chain, &object, &directory)?);
            }
            objects.append(&mut below);
        }
        chain.pop();
        Ok(objects)
    }

    /// Returns namespace and name of an object.
    pub fn key(&self, object: &Object) -> Key {
        (
            self.namespace_of(object).to_owned(),
            object.name().to_owned(),
        )
    }

    fn namespace_of<'o>(&'o self, object: &'o Object) -> &'o str {
        match object.namespace() {
            "" => &self.namespace,
            namespace => namespace,
        }
    }

    /// Returns the object of this name in the cluster.
    pub fn live(&self, (namespace, name): &Key) -> Result<Option<Object>, Error> {
        let Some(known) = self.known else {
            return Ok(None);
        };
        known
            .find(&kustomizations(), namespace, name)
            .map_err(|error| error.while_doing("failed to get kustomization object"))
    }

    /// Returns the directory of a Kustomization among the built objects.
    pub fn directory_of(&self, object: &Object) -> Result<PathBuf, Error> {
        let text = |field| {
            object
                .str_at(&["spec", "sourceRef", field])
                .unwrap_or_default()
        };
        let namespace = match text("namespace") {
            "" => self.namespace_of(object),
            namespace => namespace,
        };
        let source = format!("{}/{namespace}/{}", text("kind"), text("name"));
        let Some(folder) = self.sources.get(&source) else {
            let name = object.name();
            return Err(Error::user(format!(
                "cannot get local path for {source} of kustomization {name}"
            ))
            .hint(format!("set --local-sources {source}=PATH")));
        };
        let path = object.str_at(&["spec", "path"]).unwrap_or_default();
        let path = Path::new(folder).join(path.trim_start_matches('/'));
        let path = std::path::absolute(path).map_err(|error| Error::user(chain(&error)))?;
        Ok(normal(&path))
    }

    /// Returns the objects of one Kustomization, in apply order.
    pub fn build_one(&self, owner: &Object, directory: &Path) -> Result<Vec<Object>, Error> {
        let spec = owner.get("spec").cloned().unwrap_or_default();
        let (tree, place) = self.tree(directory)?;
        let written = rules::read_patterns(directory, &self.patterns)
            .map_err(|error| ungenerated(&chain(&error)))?;
        // Without patterns a walk finds every file; listed files are always filtered.
        let is_plain = written.is_empty();
        let rules = Rules::with_defaults(written);
        let ignored = |path: &Path, folder: bool| rules::exclude(&rules, &place, path, folder);
        let filter = Filter {
            found: (!is_plain).then_some(&ignored),
            listed: &ignored,
        };
        let (namespace, name) = self.key(owner);
        let view = View {
            owner: &Owner { name, namespace },
            filter: &filter,
        };
        let options = Options {
            fetcher: Some(Arc::clone(&self.fetcher)),
            threads: threads(),
            ..Options::flux()
        };
        let node = self.node(owner, &spec, place.clone());
        let mut objects = preview(&*tree, node, &view, &options).map_err(worded)?;
        let common = parse_common_metadata(&spec);
        for object in &mut objects {
            set_common_metadata(object, &common);
        }
        Ok(objects)
    }

    fn node(&self, owner: &Object, spec: &Value, directory: PathBuf) -> Node {
        let post_build = spec.get("postBuild").filter(|value| !value.is_null());
        let strategy = post_build.and_then(|post_build| post_build.get("substituteStrategy"));
        Node {
            directory,
            spec: Spec::from_value(spec),
            variables: post_build.map(|post_build| self.variables(owner, post_build)),
            substitution: substitute::Options {
                strict: self.strict,
                always: strategy.and_then(Value::as_str) == Some("Always"),
            },
            ..Node::default()
        }
    }

    /// Returns the file system to read, and the directory's path in it.
    fn tree(&self, directory: &Path) -> Result<(Box<dyn Fs>, PathBuf), Error> {
        if !self.confined {
            return Ok((Box::new(DiskFs), directory.to_path_buf()));
        }
        let open = || {
            let root = sluice_system::fs::canonicalize(".")?;
            let directory = sluice_system::fs::canonicalize(directory)?;
            Ok::<_, sluice_system::fs::Error>((SecureFs::new(&root)?, root, directory))
        };
        let (tree, root, directory) = open().map_err(|error| Error::user(chain(&error)))?;
        let Ok(below) = directory.strip_prefix(&root) else {
            return Err(Error::user(format!(
                "{} is not in or below the working directory",
                directory.display()
            ))
            .hint("change to a directory above it: --in-memory-build reads no other files"));
        };
        Ok((Box::new(tree), Path::new("/").join(below)))
    }

    /// Returns the object's inline variables, which override those of the cluster.
    pub fn variables(&self, owner: &Object, post_build: &Value) -> Result<Variables, String> {
        let mut collector = VariableCollector::default();
        if let Some(known) = self.known {
            for reference in parse_references(post_build) {
                collector.add(&reference, self.read_source(known, owner, &reference))?;
            }
        }
        let own = post_build.get("substitute").and_then(Value::as_object);
        let own = own.into_iter().flatten();
        let collected =
            collector.finish(own.map(|(name, value)| (name, value.as_str().unwrap_or_default())));
        self.joined.borrow_mut().extend(collected.joined);
        Ok(collected.variables)
    }

    fn read_source(
        &self,
        known: &dyn ObjectLookup,
        owner: &Object,
        reference: &SubstituteReference,
    ) -> Result<Option<SourceData>, String> {
        let gvk = GroupVersionKind::gvk("", "v1", &reference.kind.to_string());
        let found = known
            .find(&gvk, self.namespace_of(owner), &reference.name)
            .map_err(|error| error.message().to_owned())?;
        let Some(found) = found else {
            return Ok(None);
        };
        let data = found.get("data").and_then(Value::as_object);
        let data = data
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default()));
        Ok(Some(match reference.kind {
            SubstituteReferenceKind::Secret => SourceData::Secret(
                data.map(|(name, value)| Ok((name, mask::decode(value)?)))
                    .collect::<Result<_, String>>()?,
            ),
            _ => {
                SourceData::ConfigMap(data.map(|(name, value)| (name, value.to_owned())).collect())
            }
        }))
    }
}

/// Converts a render error to the text of Flux's command line.
fn worded(error: RenderError) -> Error {
    match error {
        RenderError::Directory(cause) => ungenerated(&cause),
        RenderError::Generate(cause, code) => hinted(ungenerated(&cause), code),
        RenderError::Build(cause, code) => hinted(
            Error::user(format!("kustomize build failed: {cause}")),
            code,
        ),
        RenderError::Substitute { name, cause, .. } => {
            Error::user(format!("var substitution failed for '{name}': {cause}"))
        }
        RenderError::Decrypt(cause) | RenderError::Conflict(cause) | RenderError::Mask(cause) => {
            Error::user(cause)
        }
    }
}

/// Adds the hint for an error of kustomize, if there is one.
fn hinted(error: Error, code: sluice_kustomize::Code) -> Error {
    match next_step(code) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn ungenerated(cause: &str) -> Error {
    Error::user(format!("failed to generate kustomization.yaml: {cause}"))
}

/// Whether the object is a Flux Kustomization, of any version.
pub fn is_kustomization(object: &Object) -> bool {
    object.is(KUSTOMIZE, KIND)
}

fn kustomizations() -> GroupVersionKind {
    GroupVersionKind::gvk(KUSTOMIZE, "v1", KIND)
}

/// Removes `.` and `..` lexically, like Go's `filepath.Clean`. Links are not resolved.
pub fn normal(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_cleaned_without_the_disk() {
        let clean = |path: &str| normal(Path::new(path)).display().to_string();
        assert_eq!(clean("/a/./b/../c/"), "/a/c");
        assert_eq!(clean("/../a"), "/a");
    }
}

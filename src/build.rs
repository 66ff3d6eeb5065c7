//! From a Kustomization and a folder to objects: the kustomization file made or adapted, built,
//! variables put in, owner labels set, secrets masked, and the Kustomizations among the objects
//! built in turn.
//!
//! A build never asks a cluster by itself: what it has to know of one it asks [`Known`] for, and
//! folders of sources are given. `build kustomization` prints what comes of it, `diff
//! kustomization` compares it.
//!
//! Parity: flux2: `internal/build/build.go`. Unlike there, a Kustomization that leads back to
//! one it came from is passed over, and not built for ever.

pub mod flags;
pub mod mask;
mod rules;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use serde_json::Value;
use sluice_artifact::ignore::Rules;
use sluice_client::GroupVersionKind;
use sluice_kustomize::flux::{self, Filter, PostBuildError, Spec};
use sluice_kustomize::fs::{DiskFs, SecureFs};
use sluice_kustomize::remote::Fetcher;
use sluice_kustomize::substitute::{self, Variables};
use sluice_kustomize::{Fs, Options};
use sluice_object::{Object, documents};

use crate::cluster::{Context, refusal};
use crate::error::{CommandError, chain};
use crate::remote_bases;
use crate::resource::KUSTOMIZE;

pub const KIND: &str = "Kustomization";

/// Objects that a build may ask for: Kustomizations, and what variables come from.
pub trait Known {
    fn find(
        &self,
        gvk: &GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, CommandError>;
}

impl Known for Context {
    fn find(
        &self,
        gvk: &GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, CommandError> {
        let cluster = self.cluster()?;
        let found = self
            .block_on(cluster.get(gvk, Some(namespace), name))?
            .map_err(|error| refusal(&error))?;
        Ok(found.and_then(|value| Object::try_from(value).ok()))
    }
}

/// Threads for one build: as many as the machine has to give, and no more than bring
/// something.
pub fn threads() -> NonZeroUsize {
    const MOST: NonZeroUsize = NonZeroUsize::new(8).expect("eight is not zero");
    thread::available_parallelism().map_or(NonZeroUsize::MIN, |threads| threads.min(MOST))
}

/// How Kustomizations are built.
pub struct Pipeline<'c> {
    /// Where Kustomizations and variables are read; without it, nowhere.
    pub known: Option<&'c dyn Known>,
    /// That of objects which do not say theirs.
    pub namespace: String,
    /// What is left out besides what ignore files say.
    pub patterns: Vec<String>,
    /// Nothing outside of the working directory is read.
    pub confined: bool,
    /// Kustomizations among the objects are built as well.
    pub recursive: bool,
    /// The folders of sources, by `Kind/namespace/name`.
    pub sources: BTreeMap<String, String>,
    /// Variables without a value are errors.
    pub strict: bool,
    /// The variables so far whose values had several lines, which became one.
    pub joined: RefCell<BTreeSet<String>>,
    /// Brings what kustomizations name by URL; for all of them, each once.
    pub fetcher: Arc<dyn Fetcher>,
}

/// Namespace and name of a Kustomization.
pub type Key = (String, String);

impl<'c> Pipeline<'c> {
    /// A pipeline as no flag changes it, for what the cluster has.
    pub fn of_cluster(known: &'c dyn Known, namespace: String) -> Self {
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

    pub fn build(&self, owner: &Object, directory: &Path) -> Result<Vec<Object>, CommandError> {
        self.build_below(&mut Vec::new(), owner, directory)
    }

    fn build_below(
        &self,
        chain: &mut Vec<Key>,
        owner: &Object,
        directory: &Path,
    ) -> Result<Vec<Object>, CommandError> {
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

    /// What the cluster has under this name.
    pub fn live(&self, (namespace, name): &Key) -> Result<Option<Object>, CommandError> {
        let Some(known) = self.known else {
            return Ok(None);
        };
        known
            .find(&kustomizations(), namespace, name)
            .map_err(|error| error.while_doing("failed to get kustomization object"))
    }

    /// The folder of a Kustomization that was built.
    pub fn directory_of(&self, object: &Object) -> Result<PathBuf, CommandError> {
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
            return Err(CommandError::user(format!(
                "cannot get local path for {source} of kustomization {name}"
            ))
            .hint(format!("--local-sources {source}=PATH names it")));
        };
        let path = object.str_at(&["spec", "path"]).unwrap_or_default();
        let path = Path::new(folder).join(path.trim_start_matches('/'));
        Ok(normal(&std::path::absolute(path)?))
    }

    /// The objects of one Kustomization, in the order of apply.
    pub fn build_one(&self, owner: &Object, directory: &Path) -> Result<Vec<Object>, CommandError> {
        let spec = owner.get("spec").cloned().unwrap_or_default();
        let (tree, place) = self.tree(directory)?;
        let generated = self.generate(&*tree, &place, directory, &spec)?;
        let options = Options {
            fetcher: Some(Arc::clone(&self.fetcher)),
            threads: threads(),
            ..Options::flux()
        };
        let built = flux::build_generated(&*tree, &place, generated, &options);
        let built = built
            .map_err(|error| CommandError::user(format!("kustomize build failed: {error}")))?;
        let objects = self.post_build(owner, &spec, built.into_objects())?;
        let mut values = Vec::with_capacity(objects.len());
        for mut object in objects {
            self.label(owner, &mut object);
            mask::secret(&mut object).map_err(CommandError::user)?;
            values.push(object.into_value());
        }
        let mut objects = documents::expand(values);
        objects.retain(|object| !documents::is_kustomization_config(object));
        for object in &mut objects {
            set_common_metadata(object, &spec);
        }
        Ok(objects)
    }

    /// The tree that is read, and where in it the folder is.
    fn tree(&self, directory: &Path) -> Result<(Box<dyn Fs>, PathBuf), CommandError> {
        if !self.confined {
            return Ok((Box::new(DiskFs), directory.to_path_buf()));
        }
        let open = || {
            let root = sluice_system::fs::canonicalize(".")?;
            let directory = sluice_system::fs::canonicalize(directory)?;
            Ok::<_, sluice_system::fs::Error>((SecureFs::new(&root)?, root, directory))
        };
        let (tree, root, directory) = open().map_err(|error| CommandError::user(chain(&error)))?;
        let Ok(below) = directory.strip_prefix(&root) else {
            return Err(CommandError::user(format!(
                "{} is not in or below the working directory",
                directory.display()
            ))
            .hint("--in-memory-build reads nothing else"));
        };
        Ok((Box::new(tree), Path::new("/").join(below)))
    }

    fn generate(
        &self,
        tree: &dyn Fs,
        place: &Path,
        directory: &Path,
        spec: &Value,
    ) -> Result<flux::Generated, CommandError> {
        let failed = |why: &dyn std::fmt::Display| {
            CommandError::user(format!("failed to generate kustomization.yaml: {why}"))
        };
        let written =
            rules::written(directory, &self.patterns).map_err(|error| failed(&chain(&error)))?;
        // A walk leaves nothing out by default; lists of files are always thinned out.
        let is_plain = written.is_empty();
        let rules = Rules::with_defaults(written);
        let ignored = |path: &Path, folder: bool| rules::exclude(&rules, place, path, folder);
        let filter = Filter {
            found: (!is_plain).then_some(&ignored),
            listed: &ignored,
        };
        flux::generate_filtered(tree, place, &Spec::of(spec), &filter)
            .map_err(|error| failed(&error))
    }

    fn post_build(
        &self,
        owner: &Object,
        spec: &Value,
        objects: Vec<Object>,
    ) -> Result<Vec<Object>, CommandError> {
        let Some(post_build) = spec.get("postBuild").filter(|value| !value.is_null()) else {
            return Ok(objects);
        };
        let failed = |name: &str, why: &dyn std::fmt::Display| {
            CommandError::user(format!("var substitution failed for '{name}': {why}"))
        };
        let variables = match self.variables(owner, post_build) {
            Ok(variables) => variables,
            // Told of the first object that needs them, as Flux does, which reads them then.
            Err(why) => {
                let needs = objects.iter().find(|object| !flux::is_switched_off(object));
                return match needs {
                    Some(object) => Err(failed(object.name(), &why)),
                    None => Ok(objects),
                };
            }
        };
        let options = substitute::Options {
            strict: self.strict,
            always: post_build.get("substituteStrategy").and_then(Value::as_str) == Some("Always"),
        };
        flux::substitute(objects, &variables, options).map_err(|error| match &error {
            PostBuildError::Object { name, .. } => failed(name, &error),
            PostBuildError::Conflict(_) => CommandError::user(error.to_string()),
        })
    }

    /// The variables of the object's own list, over those of the cluster.
    pub fn variables(&self, owner: &Object, post_build: &Value) -> Result<Variables, String> {
        let mut variables = Collected::default();
        let references = post_build.get("substituteFrom").and_then(Value::as_array);
        if let Some(known) = self.known {
            for reference in references.into_iter().flatten() {
                self.read(known, owner, reference, &mut variables)?;
            }
        }
        let own = post_build.get("substitute").and_then(Value::as_object);
        for (name, value) in own.into_iter().flatten() {
            variables.set(name, value.as_str().unwrap_or_default());
        }
        self.joined.borrow_mut().extend(variables.joined);
        Ok(variables.values)
    }

    fn read(
        &self,
        known: &dyn Known,
        owner: &Object,
        reference: &Value,
        variables: &mut Collected,
    ) -> Result<(), String> {
        let text = |field: &str| {
            reference
                .get(field)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (kind, name) = (text("kind"), text("name"));
        if !["ConfigMap", "Secret"].contains(&kind) {
            return Ok(());
        }
        let told = |why: String| format!("substitute from '{kind}/{name}' error: {why}");
        let gvk = GroupVersionKind::gvk("", "v1", kind);
        let found = known
            .find(&gvk, self.namespace_of(owner), name)
            .map_err(|error| told(error.message().to_owned()))?;
        let Some(found) = found else {
            if reference.get("optional") == Some(&Value::Bool(true)) {
                return Ok(());
            }
            let resource = format!("{}s", kind.to_lowercase());
            return Err(told(format!("{resource} \"{name}\" not found")));
        };
        let data = found.get("data").and_then(Value::as_object);
        for (name, value) in data.into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            if kind == "Secret" {
                let bytes = mask::decode(value).map_err(told)?;
                variables.set(name, &String::from_utf8_lossy(&bytes));
            } else {
                variables.set(name, value);
            }
        }
        Ok(())
    }

    fn label(&self, owner: &Object, object: &mut Object) {
        object.set_label("kustomize.toolkit.fluxcd.io/name", owner.name());
        let namespace = self.namespace_of(owner);
        object.set_label("kustomize.toolkit.fluxcd.io/namespace", namespace);
    }
}

/// Variables, and which of their values had several lines.
#[derive(Default)]
struct Collected {
    values: Variables,
    joined: BTreeSet<String>,
}

impl Collected {
    /// Sets a variable; a later value wins.
    fn set(&mut self, name: &str, value: &str) {
        // An end of the last line is no second one.
        if value.trim_end_matches('\n').contains('\n') {
            self.joined.insert(name.to_owned());
        } else {
            self.joined.remove(name);
        }
        self.values.set(name, value);
    }
}

/// Whether this is one of Flux's Kustomizations, in whatever version.
pub fn is_kustomization(object: &Object) -> bool {
    object.is(KUSTOMIZE, KIND)
}

fn kustomizations() -> GroupVersionKind {
    GroupVersionKind::gvk(KUSTOMIZE, "v1", KIND)
}

/// Goes without `.` and `..`, as Go's `filepath.Clean` does: links are not looked at.
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

/// Labels and annotations of `spec.commonMetadata`, which win.
fn set_common_metadata(object: &mut Object, spec: &Value) {
    let Some(common) = spec.get("commonMetadata") else {
        return;
    };
    let entries = |field| {
        let map = common.get(field).and_then(Value::as_object);
        map.into_iter()
            .flatten()
            .filter_map(|(key, value)| Some((key, value.as_str()?)))
    };
    for (key, value) in entries("labels") {
        object.set_label(key, value);
    }
    for (key, value) in entries("annotations") {
        object.set_annotation(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_joined_by_the_value_that_counts() {
        let mut variables = Collected::default();
        for (name, value) in [
            ("a", "1\n2"),
            ("b", "1\n2\n"),
            ("c", "1\n"),
            ("b", "1"),
            ("c", "\n"),
            ("d", "1"),
            ("d", "1\n\n2"),
        ] {
            variables.set(name, value);
        }
        let joined: Vec<String> = variables.joined.into_iter().collect();
        assert_eq!(joined, ["a", "d"]);
        assert_eq!(variables.values.value("a"), Some("12"));
    }

    #[test]
    fn a_path_is_cleaned_without_a_look_at_the_disk() {
        let clean = |path: &str| normal(Path::new(path)).display().to_string();
        assert_eq!(clean("/a/./b/../c/"), "/a/c");
        assert_eq!(clean("/../a"), "/a");
    }
}

//! The build: from a folder to a list of objects.
//!
//! [`build`] accumulates the kustomization of the folder and all below it, and
//! then does what can only be done once, at the top: hashes go into names, then
//! references follow the names, then vars get their values; local configuration
//! is dropped, the result sorted and rid of what was noted on the way.
//!
//! Parity: kustomize: `api/krusty/kustomizer.go`.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use sluice_object::openapi::SchemaRegistry;
use sluice_object::{Object, Value};
use sluice_yaml::tree::Text;
use sluice_yaml::{Map, v2};

use crate::error::{Code, Error};
use crate::facts::{FieldSpec, Schema};
use crate::fs::Fs;
use crate::hash;
use crate::loader::{Root, Session};
use crate::order;
use crate::origin::{self, Origin};
use crate::parallel;
use crate::read;
use crate::remote::{Fetcher, Repository};
use crate::resmap;
use crate::resource::Resource;
use crate::target::{Accumulated, Bases, Target};
use crate::transform::{name_reference, pairs};

const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";
const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// What upstream's command calls itself.
const MANAGER: &str = "kustomize-v5.8.1";
/// Between the documents that are printed.
const SEPARATOR: &str = "---\n";

/// The order of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reorder {
    /// As accumulated.
    None,
    /// Upstream's own order of kinds.
    Legacy,
}

/// Which files a kustomization may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadRestrictor {
    /// Those in and below its own folder.
    RootOnly,
    /// All of the tree.
    None,
}

/// Which types are known besides those of `openapi`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaMode {
    /// As in upstream's command: a document of one's own replaces the built-in one.
    Cli,
    /// As in Flux: it adds to it.
    Flux,
}

/// Bounds on what a build may take in and make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files that are read.
    pub total_bytes: u64,
    /// Bytes that aliases, patches, replacements and other fields add to that, in memory.
    pub added_bytes: u64,
    /// Objects in the result.
    pub resources: usize,
    /// Kustomizations below one another.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 512 << 20,
            added_bytes: 512 << 20,
            resources: 200_000,
            depth: 256,
        }
    }
}

/// Hears what a build has to say besides its result.
pub type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// How to build.
#[derive(Clone)]
pub struct Options {
    /// The order of the result, unless the kustomization says otherwise.
    pub reorder: Reorder,
    /// Which files a kustomization may read.
    pub load_restrictor: LoadRestrictor,
    /// Which types are known.
    pub schema: SchemaMode,
    /// Bounds on the input.
    pub limits: Limits,
    /// Label everything as managed by kustomize.
    pub managed_by_label: bool,
    /// Brings what is not in the tree; without one, that is refused.
    pub fetcher: Option<Arc<dyn Fetcher>>,
    /// How many threads one build may use, that of the caller included.
    pub threads: NonZeroUsize,
    /// Hears of deprecated fields and vars that nobody uses.
    pub warn: Option<Warn>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("reorder", &self.reorder)
            .field("load_restrictor", &self.load_restrictor)
            .field("schema", &self.schema)
            .field("limits", &self.limits)
            .field("managed_by_label", &self.managed_by_label)
            .field("fetcher", &self.fetcher.is_some())
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// What the command `kustomize build` does.
    pub fn cli() -> Self {
        Self {
            reorder: Reorder::Legacy,
            load_restrictor: LoadRestrictor::RootOnly,
            schema: SchemaMode::Cli,
            limits: Limits::default(),
            managed_by_label: false,
            fetcher: None,
            threads: NonZeroUsize::MIN,
            warn: None,
        }
    }

    /// What Flux does: no order of its own, and the tree is the limit.
    pub fn flux() -> Self {
        Self {
            reorder: Reorder::None,
            load_restrictor: LoadRestrictor::None,
            schema: SchemaMode::Flux,
            ..Self::cli()
        }
    }
}

/// The result of a build: objects with distinct identities, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResMap {
    resources: Vec<Object>,
    /// The namespace of each as it counts; none for what is certainly of the
    /// cluster.
    namespaces: Vec<Option<Text>>,
}

impl ResMap {
    /// The objects.
    pub fn resources(&self) -> &[Object] {
        &self.resources
    }

    /// The objects, given away.
    pub fn into_objects(self) -> Vec<Object> {
        self.resources
    }

    /// The bytes that `kustomize build` prints; [`print()`] needs less memory for them.
    pub fn as_yaml(&self) -> String {
        let documents = self.resources.iter();
        let documents: Vec<String> = documents
            .map(|object| v2::to_string(&object.to_value()))
            .collect();
        documents.join(SEPARATOR)
    }

    /// The files that `kustomize build -o DIR` writes, by their names.
    pub fn files(&self) -> Vec<(String, String)> {
        let used: BTreeSet<_> = self.namespaces.iter().flatten().collect();
        let resources = self.resources.iter().zip(&self.namespaces);
        let files = resources.map(|(object, namespace)| {
            let prefix = namespace.as_ref().filter(|_| used.len() > 1);
            let parts = [
                prefix.map_or("", |namespace| namespace),
                object.group(),
                object.version(),
                object.kind(),
                object.name(),
            ];
            let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let name = format!("{}.yaml", parts.join("_").to_lowercase());
            (name, v2::to_string(&object.to_value()))
        });
        files.collect()
    }
}

impl IntoIterator for ResMap {
    type Item = Object;
    type IntoIter = std::vec::IntoIter<Object>;

    fn into_iter(self) -> Self::IntoIter {
        self.resources.into_iter()
    }
}

/// Builds the kustomization in a folder of the tree.
pub fn build(fs: &dyn Fs, directory: &Path, options: &Options) -> Result<ResMap, Error> {
    build_at(options, || Root::top(fs, directory, options), Done::objects)
}

/// Builds the kustomization in a folder of a repository, which is fetched.
pub fn build_repository(repository: Repository, options: &Options) -> Result<ResMap, Error> {
    let top = || Root::of_repository(repository, None, options);
    build_at(options, top, Done::objects)
}

/// The bytes that `kustomize build` prints of a folder of the tree. Each object is gone as soon
/// as it is text.
pub fn print(fs: &dyn Fs, directory: &Path, options: &Options) -> Result<String, Error> {
    build_at(options, || Root::top(fs, directory, options), Done::text)
}

/// The same of a folder of a repository.
pub fn print_repository(repository: Repository, options: &Options) -> Result<String, Error> {
    let top = || Root::of_repository(repository, None, options);
    build_at(options, top, Done::text)
}

fn build_at<'a, T>(
    options: &'a Options,
    top: impl FnOnce() -> Result<Rc<Root<'a>>, Error>,
    form: impl FnOnce(Done) -> Result<T, Error>,
) -> Result<T, Error> {
    let choice = match options.schema {
        SchemaMode::Cli => SchemaRegistry::lazy(),
        SchemaMode::Flux => SchemaRegistry::with_builtin(),
    };
    let mut session = Session::new(options, Arc::new(Schema { choice }));
    let root = top().map_err(Error::without_secrets)?;
    session.survey(&root);
    let shown = root.shown();
    build_top(session, root, form).map_err(|error| error.through(shown).without_secrets())
}

fn build_top<'a, T>(
    session: Session<'a>,
    root: Rc<Root<'a>>,
    form: impl FnOnce(Done) -> Result<T, Error>,
) -> Result<T, Error> {
    let file = session.kustomization(&root)?;
    let bases = Bases::default();
    let target = Target {
        session: &session,
        bases: &bases,
        root,
        file: Rc::clone(&file),
        origin: (!file.fields.build_metadata.is_empty()).then(Origin::default),
    };
    let shown = target.shown(file.name);
    let here = |error: Error| error.at_file(shown.clone());
    target.choose_schema().map_err(here)?;
    let accumulated = target.accumulate(Accumulated::within(&session.growth))?;
    let done = conclude(&target, accumulated).map_err(here)?;
    // What was read is of no more use.
    drop(target);
    drop((bases, session));
    form(done).map_err(here)
}

/// Does what can only be done once, at the top.
fn conclude(target: &Target<'_, '_>, accumulated: Accumulated) -> Result<Done, Error> {
    let Accumulated {
        mut resources,
        config,
        variables,
    } = accumulated;
    let (session, fields) = (target.session, &target.file.fields);
    let metadata = |option: &str| fields.build_metadata.iter().any(|wanted| wanted == option);
    hash::apply(&mut resources)?;
    name_reference::apply(&mut resources, &config)?;
    let unused = variables.resolve(&mut resources, &config.var_reference)?;
    if !unused.is_empty() {
        let names = unused.join(",");
        session.warn(&format!(
            "well-defined vars that were never replaced: {names}"
        ));
    }
    drop_local(&mut resources)?;
    match (&fields.sort_options, session.options.reorder) {
        (Some(sort), _) => order::apply(&mut resources, sort)?,
        (None, Reorder::Legacy) => order::legacy(&mut resources),
        (None, Reorder::None) => {}
    }
    if session.options.managed_by_label || metadata("managedByLabel") {
        let labels = [(MANAGED_BY.to_owned(), MANAGER.to_owned())].into();
        let field = FieldSpec {
            path: "metadata/labels".into(),
            create: true,
            ..FieldSpec::default()
        };
        pairs::apply(&mut resources, &labels, &[field])?;
    }
    let strip = Strip {
        origin: !metadata("originAnnotations"),
        transformations: !metadata("transformerAnnotations"),
    };
    Ok(Done {
        resources,
        strip,
        threads: session.options.threads,
    })
}

/// Drops what configures other tools only. What is left must still be objects.
fn drop_local(resources: &mut resmap::ResMap) -> Result<(), Error> {
    for resource in &*resources {
        read::validate(resource.node())?;
    }
    resources.retain(|resource| {
        let local = resource.annotation(LOCAL_CONFIG);
        !resource.is_empty() && local.is_none_or(|value| value == "false")
    });
    resources.check_distinct()
}

/// The annotations that nobody asked for.
struct Strip {
    origin: bool,
    transformations: bool,
}

impl Strip {
    fn apply(&self, resource: &mut Resource) {
        if self.origin {
            resource.remove_annotation(origin::ANNOTATION);
        }
        if self.transformations {
            resource.remove_annotation(origin::TRANSFORMATIONS);
        }
        resource.strip_internal_annotations(self.origin || self.transformations);
    }
}

/// What a build came to.
struct Done {
    resources: resmap::ResMap,
    strip: Strip,
    threads: NonZeroUsize,
}

impl Done {
    fn objects(self) -> Result<ResMap, Error> {
        let object = |map, namespace| (Object::from_map(map), namespace);
        let (resources, namespaces) = self.each(object)?.into_iter().unzip();
        Ok(ResMap {
            resources,
            namespaces,
        })
    }

    fn text(self) -> Result<String, Error> {
        let text = |map, _| v2::to_string(&Value::Object(map));
        Ok(self.each(text)?.join(SEPARATOR))
    }

    /// Makes something of each resource as it is printed, and of the namespace that it counts to.
    fn each<R: Send>(
        self,
        make: impl Fn(Map<String, Value>, Option<Text>) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let strip = self.strip;
        let finish = |mut resource: Resource| {
            strip.apply(&mut resource);
            let (map, namespace) = finished(&resource)?;
            drop(resource);
            Ok(make(map, namespace))
        };
        let resources = self.resources.into_iter().collect();
        let made = parallel::map(self.threads, resources, finish);
        made.into_iter().collect()
    }
}

/// A resource as it is printed, and the namespace that it counts to.
fn finished(resource: &Resource) -> Result<(Map<String, Value>, Option<Text>), Error> {
    let id = resource.cur_id();
    let namespace = (!id.cluster_scoped).then(|| Text::from(id.effective_namespace()));
    let value = resource.node().to_value().map_err(|error| {
        let code = crate::kustomization::yaml_code(&error);
        // The beginning is what upstream prints of a map that is none.
        Error::new(
            code,
            format!("map[string]interface {{}}(nil): {error} in {id}"),
        )
    })?;
    let Value::Object(map) = value else {
        let message = format!("{id} is no object");
        return Err(Error::new(Code::ResourceInvalid, message));
    };
    Ok((map, namespace))
}

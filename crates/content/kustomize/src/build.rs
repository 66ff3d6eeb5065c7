//! Builds a folder into a list of objects.
//!
//! [`build`] accumulates the kustomization of the folder and all kustomizations below
//! it. Then it takes the steps that happen once per build, at the top: add hashes to
//! names, update references to renamed resources, resolve vars, drop local
//! configuration, sort, and strip internal annotations.
//!
//! Parity: kustomize: `api/krusty/kustomizer.go`.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use sluice_object::openapi::SchemaRegistry;
use sluice_object::{Object, Value};
use sluice_yaml::tree::Text;
use sluice_yaml::{Map, v2};

use crate::configuration::FieldSpec;
use crate::error::{Code, Error};
use crate::fs::Fs;
use crate::growth::GrowthBudget;
use crate::hash;
use crate::loader::{Root, Session};
use crate::options::{Limits, Options, Reorder, SchemaMode};
use crate::order;
use crate::origin::Origin;
use crate::parallel;
use crate::read;
use crate::remote::Repository;
use crate::resource::{ORIGIN_ANNOTATION, Resource, TRANSFORMATIONS_ANNOTATION};
use crate::resource_map;
use crate::schema::Schema;
use crate::target::{Accumulator, Bases, Target};
use crate::transform::{name_reference, pairs};

const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";
const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The value of [`MANAGED_BY`] that upstream writes.
const MANAGER: &str = "kustomize-v5.8.1";
/// Separates the documents of the output.
const SEPARATOR: &str = "---\n";

/// The output of a build: objects with distinct identities, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResMap {
    resources: Vec<Object>,
    /// The effective namespace of each object; `None` if its type is known to be
    /// cluster-scoped.
    namespaces: Vec<Option<Text>>,
}

impl ResMap {
    /// The objects.
    pub fn resources(&self) -> &[Object] {
        &self.resources
    }

    /// Converts the output into its objects.
    pub fn into_objects(self) -> Vec<Object> {
        self.resources
    }

    /// Renders the bytes that `kustomize build` prints; [`build_yaml`] needs less memory.
    pub fn to_yaml(&self) -> String {
        let documents = self.resources.iter();
        let documents: Vec<String> = documents
            .map(|object| v2::to_string(&object.to_value()))
            .collect();
        documents.join(SEPARATOR)
    }

    /// Renders the files that `kustomize build -o DIR` writes, with their names.
    pub fn to_files(&self) -> Vec<(String, String)> {
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
    build_at(
        options,
        || Root::top(fs, directory, options),
        FinishedBuild::objects,
    )
}

/// Fetches a repository and builds the kustomization in its folder.
pub fn build_repository(repository: Repository, options: &Options) -> Result<ResMap, Error> {
    let top = || Root::from_repository(repository, None, options);
    build_at(options, top, FinishedBuild::objects)
}

/// Renders the bytes that `kustomize build` prints for a folder. Drops each object once
/// it is rendered.
pub fn build_yaml(fs: &dyn Fs, directory: &Path, options: &Options) -> Result<String, Error> {
    build_at(
        options,
        || Root::top(fs, directory, options),
        FinishedBuild::text,
    )
}

/// Renders the bytes that `kustomize build` prints for a folder of a repository.
pub fn build_repository_yaml(repository: Repository, options: &Options) -> Result<String, Error> {
    let top = || Root::from_repository(repository, None, options);
    build_at(options, top, FinishedBuild::text)
}

/// Sets labels and annotations in the metadata of all objects of a text, as helm-controller does.
///
/// Unlike a build, it keeps local configuration and does not change the types of values.
pub fn set_metadata(
    text: &str,
    labels: &BTreeMap<String, String>,
    annotations: &BTreeMap<String, String>,
    limits: &Limits,
) -> Result<String, Error> {
    let growth = GrowthBudget::new(limits);
    let choice = SchemaRegistry::with_builtin();
    let read = read::parse(text.as_bytes(), "", &Arc::new(Schema { choice }), &growth)?;
    let mut resources = resource_map::ResourceMap::with_budget(&growth);
    resources.append_all(read)?;
    let label_field = metadata_field("metadata/labels");
    pairs::apply(&mut resources, labels, &[label_field])?;
    let annotation_field = metadata_field("metadata/annotations");
    pairs::apply(&mut resources, annotations, &[annotation_field])?;
    let finished = FinishedBuild {
        resources,
        strip: None,
        threads: NonZeroUsize::MIN,
    };
    finished.text()
}

/// A field that is created where it is missing.
fn metadata_field(path: &str) -> FieldSpec {
    FieldSpec {
        path: path.into(),
        create: true,
        ..FieldSpec::default()
    }
}

fn build_at<'a, T>(
    options: &'a Options,
    top: impl FnOnce() -> Result<Rc<Root<'a>>, Error>,
    form: impl FnOnce(FinishedBuild) -> Result<T, Error>,
) -> Result<T, Error> {
    let choice = match options.schema {
        SchemaMode::Cli => SchemaRegistry::lazy(),
        SchemaMode::Flux => SchemaRegistry::with_builtin(),
    };
    let mut session = Session::new(options, Arc::new(Schema { choice }));
    let root = top().map_err(Error::redacted)?;
    session.scan_bases(&root);
    let shown = root.display_path();
    build_top(session, root, form).map_err(|error| error.below_folder(shown).redacted())
}

fn build_top<'a, T>(
    session: Session<'a>,
    root: Rc<Root<'a>>,
    form: impl FnOnce(FinishedBuild) -> Result<T, Error>,
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
    let shown = target.display_path(file.name);
    let here = |error: Error| error.at_file(shown.clone());
    target.choose_schema().map_err(here)?;
    let accumulator = target.accumulate(Accumulator::with_budget(&session.growth))?;
    let finished = finish(&target, accumulator).map_err(here)?;
    // Frees the input before the output is rendered.
    drop(target);
    drop((bases, session));
    form(finished).map_err(here)
}

/// Runs the steps that happen once per build.
fn finish(target: &Target<'_, '_>, accumulator: Accumulator) -> Result<FinishedBuild, Error> {
    let Accumulator {
        mut resources,
        config,
        variables,
    } = accumulator;
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
        pairs::apply(
            &mut resources,
            &labels,
            &[metadata_field("metadata/labels")],
        )?;
    }
    let strip = AnnotationStrip {
        origin: !metadata("originAnnotations"),
        transformations: !metadata("transformerAnnotations"),
    };
    Ok(FinishedBuild {
        resources,
        strip: Some(strip),
        threads: session.options.threads,
    })
}

/// Drops configuration of local tools, and checks that the rest are valid objects.
fn drop_local(resources: &mut resource_map::ResourceMap) -> Result<(), Error> {
    for resource in &*resources {
        read::validate(resource.node())?;
    }
    resources.retain(|resource| {
        let local = resource.annotation(LOCAL_CONFIG);
        !resource.is_empty() && local.is_none_or(|value| value == "false")
    });
    resources.check_distinct()
}

/// The annotations to strip because `buildMetadata` does not ask for them.
struct AnnotationStrip {
    origin: bool,
    transformations: bool,
}

impl AnnotationStrip {
    fn apply(&self, resource: &mut Resource) {
        if self.origin {
            resource.remove_annotation(ORIGIN_ANNOTATION);
        }
        if self.transformations {
            resource.remove_annotation(TRANSFORMATIONS_ANNOTATION);
        }
        resource.strip_internal_annotations(self.origin || self.transformations);
    }
}

/// The resources of a finished build, before their conversion.
struct FinishedBuild {
    resources: resource_map::ResourceMap,
    /// `None` keeps all annotations.
    strip: Option<AnnotationStrip>,
    threads: NonZeroUsize,
}

impl FinishedBuild {
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

    /// Converts each resource and its effective namespace, on several threads.
    fn each<R: Send>(
        self,
        make: impl Fn(Map<String, Value>, Option<Text>) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let strip = self.strip;
        let convert = |mut resource: Resource| {
            if let Some(strip) = &strip {
                strip.apply(&mut resource);
            }
            let (map, namespace) = to_fields(&resource)?;
            drop(resource);
            Ok(make(map, namespace))
        };
        let resources = self.resources.into_iter().collect();
        let made = parallel::map(self.threads, resources, convert);
        made.into_iter().collect()
    }
}

/// Converts a resource into its fields and its effective namespace.
fn to_fields(resource: &Resource) -> Result<(Map<String, Value>, Option<Text>), Error> {
    let id = resource.cur_id();
    let namespace = (!id.cluster_scoped).then(|| Text::from(id.effective_namespace()));
    let value = resource.node().to_value().map_err(|error| {
        let code = crate::kustomization::yaml_code(&error);
        // Upstream prints the failed map in front of the message.
        Error::new(
            code,
            format!("map[string]interface {{}}(nil): {error} in {id}"),
        )
    })?;
    let Value::Object(map) = value else {
        let message = format!("{id} is not an object");
        return Err(Error::new(Code::ResourceInvalid, message));
    };
    Ok((map, namespace))
}

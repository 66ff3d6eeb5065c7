//! Accumulates one kustomization: collects its resources and transforms them.
//!
//! The order is upstream's: resources, configurations, crds, generators, components,
//! transformers, validators, vars. A base has its own accumulator, which is merged into the
//! parent's. A component works on the accumulator of its parent.
//!
//! Start at [`Target::accumulate`]. [`pipeline`] configures transformers, and [`plugins`]
//! configures plugins.
//!
//! Parity: kustomize: `api/internal/target/kusttarget.go`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use sluice_golang::quote::quote;
use sluice_object::openapi::OpenApiField;
use sluice_yaml::{Value, v2};

use crate::configuration;
use crate::configuration::TransformerConfig;
use crate::error::{Code, Error};
use crate::generators::{self, Generator};
use crate::growth::GrowthBudget;
use crate::kustomization::fields::GeneratorArguments;
use crate::kustomization::is_component;
use crate::loader::{File, PrefetchedFile, Root, Session};
use crate::origin::{self, Origin};
use crate::redact::redact_url;
use crate::remote::{self, Repository};
use crate::resource::{ORIGIN_ANNOTATION, Resource};
use crate::resource_map::ResourceMap;
use crate::transform::variables::Variables;

mod pipeline;
mod plugins;

use pipeline::Step;

/// The resources collected so far, with their transformer configuration and vars.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accumulator {
    pub(crate) resources: ResourceMap,
    pub(crate) config: Arc<TransformerConfig>,
    pub(crate) variables: Variables,
}

impl Accumulator {
    /// Creates an empty accumulator with a budget.
    pub(crate) fn with_budget(growth: &GrowthBudget) -> Self {
        Self {
            resources: ResourceMap::with_budget(growth),
            ..Self::default()
        }
    }
}

/// The accumulators of shared bases, by folder and origin.
pub(crate) type Bases = RefCell<HashMap<(PathBuf, String), Accumulator>>;

/// A kustomization while its resources are accumulated.
pub(crate) struct Target<'s, 'a> {
    pub(crate) session: &'s Session<'a>,
    pub(crate) bases: &'s Bases,
    pub(crate) root: Rc<Root<'a>>,
    pub(crate) file: Rc<File>,
    /// Its origin, if `buildMetadata` asks for origins.
    pub(crate) origin: Option<Origin>,
}

impl<'a> Target<'_, 'a> {
    /// Collects and transforms the resources. An error without a file is attributed to the
    /// kustomization file.
    pub(crate) fn accumulate(&self, into: Accumulator) -> Result<Accumulator, Error> {
        self.collect(into)
            .map_err(|error| error.at_file(self.display_path(self.file.name)))
    }

    fn collect(&self, into: Accumulator) -> Result<Accumulator, Error> {
        let limit = self.session.options.limits.depth;
        if self.root.depth() > limit {
            let message = format!("bases are nested deeper than {limit}");
            return Err(Error::new(Code::Limit, message));
        }
        self.session.count_kustomization()?;
        let fields = &self.file.fields;
        let prefetched = self.session.take_prefetched(&self.root);
        let mut into = self
            .accumulate_resources(into, &fields.resources, prefetched)
            .map_err(|error| error.with_context("accumulating resources"))?;
        self.configure(&mut into)?;
        self.generate(&mut into)?;
        let mut into = self
            .accumulate_components(into)
            .map_err(|error| error.with_context("accumulating components"))?;
        self.transform(&mut into)?;
        self.validate(&mut into)?;
        into.variables
            .add(
                fields.vars.as_deref().unwrap_or_default(),
                &mut into.resources,
            )
            .map_err(|error| error.with_context("merging vars"))?;
        Ok(into)
    }

    /// Reads a file that the kustomization refers to.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.root.read(path, self.session)
    }

    /// Formats the path of such a file for errors.
    pub(crate) fn display_path(&self, path: &str) -> String {
        self.root.display_file(path)
    }

    /// Merges the built-in field tables and those of the kustomization.
    fn configure(&self, into: &mut Accumulator) -> Result<(), Error> {
        let fields = &self.file.fields;
        let files = fields.configurations.iter().map(|path| {
            let contents = self.read(path)?;
            configuration::read(&contents).map_err(|error| error.at_file(self.display_path(path)))
        });
        let config = configuration::with_defaults(files)?;
        into.config = configuration::accumulate(&into.config, &config)
            .map_err(|error| error.with_context("merging config"))?;
        let mut types = Arc::new(TransformerConfig::default());
        let loading = |error: Error| {
            let paths: Vec<_> = fields.crds.iter().map(|path| redact_url(path)).collect();
            let paths = paths.join(" ");
            error.with_context(format!("loading CRDs [{paths}]"))
        };
        for path in &fields.crds {
            types = self
                .read(path)
                .and_then(|contents| {
                    configuration::read_crds(&contents, path)
                        .map_err(|error| error.at_file(self.display_path(path)))
                })
                .and_then(|config| configuration::accumulate(&types, &Arc::new(config)))
                .map_err(loading)?;
        }
        into.config = configuration::accumulate(&into.config, &types)
            .map_err(|error| error.with_context("merging CRDs"))?;
        Ok(())
    }

    /// Runs the generators and the generator plugins.
    fn generate(&self, into: &mut Accumulator) -> Result<(), Error> {
        let fields = &self.file.fields;
        // Upstream configures everything before it runs anything.
        if let Some(chart) = fields.helm_charts.first() {
            let mut config = fields.helm_globals.clone().unwrap_or_default();
            config.extend(chart.clone());
            let config = v2::to_string(&Value::Object(config));
            return Err(plugins::helm_denied().with_context(format!(
                "trouble configuring builtin HelmChartInflationGenerator with config: `\n{config}`"
            )));
        }
        let external = plugins::generators(self)
            .map_err(|error| error.with_context("loading generator plugins"))?;
        let maps = fields.config_map_generator.iter();
        let maps = maps.map(|arguments| (Generator::ConfigMap, arguments));
        let secrets = fields.secret_generator.iter();
        let secrets = secrets.map(|arguments| (Generator::Secret, arguments));
        for (generator, arguments) in maps.chain(secrets) {
            let options = generators::merge_options(
                arguments.options.as_ref(),
                fields.generator_options.as_ref(),
            );
            let arguments = GeneratorArguments {
                options,
                ..arguments.clone()
            };
            let resource = self.generate_map(generator, &arguments)?;
            let origin = self.builtin_origin(generator.name());
            absorb(into, vec![resource], origin.as_ref(), generator.name())?;
            self.check_count(into)?;
        }
        for plugin in external {
            let generated = plugin.generate(self)?;
            absorb(into, generated, plugin.origin.as_ref(), plugin.kind())?;
        }
        Ok(())
    }

    pub(crate) fn generate_map(
        &self,
        generator: Generator,
        arguments: &GeneratorArguments,
    ) -> Result<Resource, Error> {
        let schema = &self.session.schema;
        generators::generate(generator, arguments, schema, &mut |path| self.read(path))
    }

    fn builtin_origin(&self, kind: &str) -> Option<Origin> {
        let origin = self.origin.as_ref()?;
        Some(origin.builtin(self.file.name, kind))
    }

    /// Runs the transformers, then the transformer plugins.
    fn transform(&self, into: &mut Accumulator) -> Result<(), Error> {
        let config = Arc::clone(&into.config);
        let mut steps = pipeline::configure(self, &config)?;
        steps.extend(plugins::transformers(self, &self.file.fields.transformers)?);
        for step in steps {
            self.run(step, &mut into.resources, &config)?;
        }
        Ok(())
    }

    fn run(
        &self,
        step: Step<'_>,
        resources: &mut ResourceMap,
        config: &TransformerConfig,
    ) -> Result<(), Error> {
        (step.apply)(resources, config)?;
        let origin = match step.builtin {
            Some(kind) => self.builtin_origin(kind),
            None => step.origin,
        };
        if let Some(origin) = origin {
            origin::record(resources, &origin)?;
        }
        resources.drop_empties();
        Ok(())
    }

    /// Runs the validators, which must not change anything.
    fn validate(&self, into: &mut Accumulator) -> Result<(), Error> {
        let validators = &self.file.fields.validators;
        if validators.is_empty() {
            return Ok(());
        }
        let config = Arc::clone(&into.config);
        for step in plugins::transformers(self, validators)? {
            let before = into.resources.clone();
            (step.apply)(&mut into.resources, &config)?;
            plugins::check_unmodified(&before, &into.resources)?;
        }
        Ok(())
    }

    /// Adds files or other kustomizations. Some files may be prefetched.
    pub(crate) fn accumulate_resources(
        &self,
        mut into: Accumulator,
        paths: &[String],
        prefetched: Vec<Option<PrefetchedFile>>,
    ) -> Result<Accumulator, Error> {
        let mut prefetched = prefetched.into_iter();
        for path in paths {
            into = self.accumulate_path(into, path, prefetched.next().flatten())?;
            self.check_count(&into)?;
        }
        Ok(into)
    }

    fn check_count(&self, into: &Accumulator) -> Result<(), Error> {
        let limit = self.session.options.limits.resources;
        if into.resources.len() > limit {
            let message = format!("more than {limit} resources");
            return Err(Error::new(Code::Limit, message));
        }
        Ok(())
    }

    fn accumulate_path(
        &self,
        mut into: Accumulator,
        path: &str,
        prefetched: Option<PrefetchedFile>,
    ) -> Result<Accumulator, Error> {
        let Err(as_file) = self.accumulate_file(&mut into, path, prefetched) else {
            return Ok(into);
        };
        // Neither a limit nor an HTTP error of a file is retried as a folder.
        let is_final = match as_file.code() {
            Code::Limit | Code::RemoteDenied | Code::RemoteTimeout => true,
            Code::RemoteFailed => as_file.to_string().contains(remote::HTTP_ERROR),
            _ => false,
        };
        if is_final {
            return Err(as_file);
        }
        let base = match self.root.descend(path, self.session) {
            Ok(base) => base,
            Err(error) if matches!(error.code(), Code::RemoteDenied | Code::Limit) => {
                return Err(error);
            }
            Err(error) => {
                let malformed = as_file.to_string().contains("MalformedYAMLError");
                if malformed && error.code() != Code::RemoteTimeout {
                    return Err(as_file);
                }
                // The error of the file counts if the path exists or leads out of the tree.
                // A repository is not a file.
                let exists = Repository::parse(path).is_none()
                    && !matches!(
                        as_file.code(),
                        Code::PathNotFound | Code::NotAFile | Code::NotADirectory
                    );
                let message = format!("accumulation err='{as_file}': {error}");
                let fault = if exists { as_file } else { error };
                return Err(fault.with_message(message));
            }
        };
        self.accumulate_directory(into, &base, path, false)
            .map_err(|error| error.with_context(format!("accumulation err='{as_file}'")))
    }

    fn accumulate_file(
        &self,
        into: &mut Accumulator,
        path: &str,
        prefetched: Option<PrefetchedFile>,
    ) -> Result<(), Error> {
        let mut resources = ResourceMap::new();
        let shown = redact_url(path);
        self.session
            .resources(&self.root, path, prefetched)
            // Two resources with the same id in one file are an error of the file.
            .and_then(|parsed| resources.append_all(parsed))
            .map_err(|error| {
                error.with_context(format!("accumulating resources from '{shown}'"))
            })?;
        if let Some(origin) = &self.origin {
            let text = origin.append(path).to_text();
            for resource in resources.iter_mut_keeping(true) {
                resource.set_annotation(ORIGIN_ANNOTATION, &text);
            }
        }
        into.resources
            .append_all(resources)
            .map_err(|error| error.with_context(format!("merging resources from '{shown}'")))
    }

    fn accumulate_components(&self, mut into: Accumulator) -> Result<Accumulator, Error> {
        for path in &self.file.fields.components {
            let base = self.root.descend(path, self.session).map_err(|error| {
                let message = format!("loader.New {}", quote(&error.to_string()));
                error.with_message(message)
            })?;
            into = self
                .accumulate_directory(into, &base, path, true)
                .map_err(|error| {
                    let message = format!("accumulateDirectory: {}", quote(&error.to_string()));
                    error.with_message(message)
                })?;
        }
        Ok(into)
    }

    fn accumulate_directory(
        &self,
        into: Accumulator,
        base: &Rc<Root<'a>>,
        path: &str,
        component: bool,
    ) -> Result<Accumulator, Error> {
        self.accumulate_base(into, base, path, component)
            .map_err(|error| error.below_folder(base.display_path()))
    }

    fn accumulate_base(
        &self,
        mut into: Accumulator,
        base: &Rc<Root<'a>>,
        path: &str,
        component: bool,
    ) -> Result<Accumulator, Error> {
        let shown = base.display_path();
        let file = self.session.kustomization(base).map_err(|error| {
            error.with_context(format!("couldn't make target for path '{shown}'"))
        })?;
        let target = Target {
            session: self.session,
            bases: self.bases,
            root: Rc::clone(base),
            file,
            origin: self.origin.as_ref().map(|origin| origin.append(path)),
        };
        let here = |error: Error| error.at_file(target.display_path(target.file.name));
        target.choose_schema().map_err(here)?;
        let kind = &target.file.fields.kind;
        if component && !is_component(kind) {
            let message = format!("expected kind 'Component' for path '{shown}' but got '{kind}'");
            return Err(here(Error::new(Code::WrongKind, message)));
        }
        if !component && is_component(kind) {
            let message = format!("expected kind != 'Component' for path '{shown}'");
            return Err(here(Error::new(Code::WrongKind, message)));
        }
        let recursed =
            |error: Error| error.with_context(format!("recursed accumulation of path '{shown}'"));
        let below = if component {
            target
                .accumulate(std::mem::take(&mut into))
                .map_err(recursed)?
        } else {
            target.accumulate_alone().map_err(recursed)?
        };
        into.merge(below)
            .map_err(|error| error.with_context(format!("recursed merging from path '{shown}'")))?;
        Ok(into)
    }

    /// Accumulates a base. A shared base is accumulator once.
    fn accumulate_alone(&self) -> Result<Accumulator, Error> {
        if !self.session.is_shared(&self.root) {
            return self.accumulate(Accumulator::with_budget(&self.session.growth));
        }
        let origin = self
            .origin
            .as_ref()
            .map(Origin::to_text)
            .unwrap_or_default();
        let key = (self.root.path().to_path_buf(), origin);
        if let Some(known) = self.bases.borrow().get(&key) {
            return Ok(known.clone());
        }
        let accumulator = self.accumulate(Accumulator::with_budget(&self.session.growth))?;
        self.bases.borrow_mut().insert(key, accumulator.clone());
        Ok(accumulator)
    }

    /// Applies the `openapi` field. The first one of a build decides.
    pub(crate) fn choose_schema(&self) -> Result<(), Error> {
        let Some(openapi) = &self.file.fields.openapi else {
            return Ok(());
        };
        let invalid = |message: String| Error::new(Code::ConfigurationInvalid, message);
        let document = match openapi.get("path") {
            None => None,
            Some(path) => {
                let contents = self.read(path)?;
                let value = if contents.first() == Some(&b'{') {
                    serde_json::from_slice(&contents).map_err(|error| error.to_string())
                } else {
                    v2::from_slice(&contents).map_err(|error| error.to_string())
                };
                let value = value.map_err(|error| {
                    invalid(format!("invalid schema file: {error}"))
                        .at_file(self.display_path(path))
                });
                Some(value?)
            }
        };
        let choice = match (&document, openapi.get("version")) {
            (Some(_), Some(_)) => OpenApiField::Both,
            (Some(document), None) => OpenApiField::Document(document),
            (None, Some(version)) => OpenApiField::Version(version),
            (None, None) => OpenApiField::Unset,
        };
        let schema = &self.session.schema;
        schema
            .choice
            .select(choice)
            .map_err(|error| invalid(error.to_string()))
    }
}

impl Accumulator {
    /// Merges the accumulator of a base.
    fn merge(&mut self, below: Self) -> Result<(), Error> {
        if self.resources.is_empty() {
            // Transformers may have given two resources of the base the same id.
            below.resources.check_distinct()?;
            self.resources = below.resources;
        } else {
            self.resources.append_all(below.resources)?;
        }
        self.config = configuration::accumulate(&self.config, &below.config)?;
        self.variables.merge(below.variables)
    }
}

fn absorb(
    into: &mut Accumulator,
    generated: Vec<Resource>,
    origin: Option<&Origin>,
    name: &str,
) -> Result<(), Error> {
    for mut resource in generated {
        if let Some(origin) = origin
            && resource.annotation(ORIGIN_ANNOTATION).is_none()
        {
            resource.set_annotation(ORIGIN_ANNOTATION, &origin.to_text());
        }
        into.resources
            .absorb(resource)
            .map_err(|error| error.with_context(format!("merging from generator {name}")))?;
    }
    Ok(())
}

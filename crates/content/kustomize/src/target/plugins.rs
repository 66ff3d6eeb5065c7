//! Configures `generators`, `transformers` and `validators`. An object configures each
//! builtin; it stands in a file, in a folder or inline.
//!
//! Only builtins run. Other plugins would start a program and are rejected. Helm charts are
//! rejected too, as in Flux.
//!
//! Parity: kustomize: `api/internal/plugins/loader`, `api/internal/builtins`.

use serde::de::DeserializeOwned;
use sluice_yaml::{Map, Value, v2};

use super::pipeline::{self, Apply, Step};
use super::{Accumulator, Target};
use crate::configuration::{FieldSpec, TransformerConfig};
use crate::decode::{self, Struct, UnknownFields};
use crate::error::{Code, Error};
use crate::generators::Generator;
use crate::kustomization::fields::{FieldSpecArguments, GeneratorArguments, Selector};
use crate::origin::{ConfiguredBy, Origin};
use crate::read;
use crate::resource::{ORIGIN_ANNOTATION, Resource};
use crate::resource_map::ResourceMap;
use crate::transform::names::Affix;
use crate::transform::namespace::{Namespace, Subjects};
use crate::transform::patch::legacy::{JsonPatch, StrategicPatches};
use crate::transform::patch::{Files, Patch, select};
use crate::transform::value_add::{self, ValueTarget};
use crate::transform::{iam_policy, images, names, namespace, pairs, replicas};

mod arguments;

use arguments::{
    ANNOTATIONS, CONFIG_MAP, IAM_POLICY, IMAGE_TAG, JSON_PATCH, LABELS, NAMESPACE,
    NamespaceArguments, PATCH_TRANSFORMER, PREFIX, PairsArguments, REPLACEMENTS, REPLICAS, SECRET,
    STRATEGIC_PATCHES, SUFFIX, TargetsArguments, VALUE_ADD, VALUE_ADD_TARGETS, ValueAddArguments,
};

/// The label that a validator may add.
const VALIDATED_BY: &str = "validated-by";

/// Creates the error for a Helm chart, which would start a program.
pub(crate) fn helm_denied() -> Error {
    Error::new(Code::HelmDenied, "must specify --enable-helm")
}

/// An object that configures a plugin.
pub(crate) struct Plugin {
    resource: Resource,
    pub(crate) origin: Option<Origin>,
}

impl Plugin {
    fn new(mut resource: Resource) -> Self {
        let described = resource.annotation(ORIGIN_ANNOTATION);
        let origin = described.map(|text| {
            let origin = Origin::parse(&text);
            Origin {
                path: String::new(),
                configured_in: origin.path,
                configured_by: ConfiguredBy {
                    api_version: resource.api_version().into(),
                    kind: resource.kind().into(),
                    name: resource.name().into(),
                    namespace: resource.namespace().into(),
                },
                ..origin
            }
        });
        resource.remove_annotation(ORIGIN_ANNOTATION);
        Self { resource, origin }
    }

    pub(crate) fn kind(&self) -> &str {
        self.resource.node().text_at(&["kind"]).unwrap_or_default()
    }

    /// Rejects plugins that are not built in.
    fn check_builtin(&self) -> Result<(), Error> {
        if self.resource.api_version() == "builtin" {
            return Ok(());
        }
        let kind = self.resource.orig_id().gvk.kind().to_owned();
        let message = format!("external plugins disabled; unable to load external plugin '{kind}'");
        Err(Error::new(Code::PluginDenied, message))
    }

    fn unknown(&self) -> Error {
        let message = format!("unable to load builtin {}", self.resource.gvk());
        Error::new(Code::PluginDenied, message)
    }

    fn is_not(&self, what: &str) -> Error {
        let message = format!("plugin {} not a {what}", self.resource.orig_id());
        Error::new(Code::PluginInvalid, message)
    }

    fn failed(&self, error: Error) -> Error {
        let id = self.resource.orig_id();
        error.with_context(format!("plugin {id} fails configuration"))
    }

    /// Decodes the configuration; ignores unknown fields.
    fn arguments<T: DeserializeOwned>(&self, of: &'static Struct) -> Result<T, Error> {
        let value = self.resource.node().to_value();
        let value = value.map_err(|error| {
            let message = format!(
                "marshalling yaml from res {}: {error}",
                self.resource.orig_id()
            );
            Error::new(Code::MalformedYaml, message)
        })?;
        read_arguments(value, of)
    }

    /// Runs a generator.
    pub(crate) fn generate(&self, target: &Target<'_, '_>) -> Result<Vec<Resource>, Error> {
        let (generator, of) = match self.kind() {
            "ConfigMapGenerator" => (Generator::ConfigMap, &CONFIG_MAP),
            "SecretGenerator" => (Generator::Secret, &SECRET),
            "IAMPolicyGenerator" => {
                let arguments = self
                    .arguments(&IAM_POLICY)
                    .map_err(|error| self.failed(error))?;
                let node = iam_policy::generate(&arguments)?;
                let schema = &target.session.schema;
                return Ok(vec![Resource::new(node, std::sync::Arc::clone(schema))]);
            }
            _ => return Err(self.unknown()),
        };
        let mut arguments: GeneratorArguments =
            self.arguments(of).map_err(|error| self.failed(error))?;
        if arguments.name.is_empty() {
            arguments.name = self.resource.name().into();
        }
        if arguments.namespace.is_empty() {
            arguments.namespace = self.resource.namespace().into();
        }
        Ok(vec![target.generate_map(generator, &arguments)?])
    }

    /// Configures a transformer.
    fn transformer<'t>(&self, target: &'t Target<'_, '_>) -> Result<Apply<'t>, Error> {
        Ok(match self.kind() {
            "AnnotationsTransformer" => {
                let PairsArguments {
                    annotations: pairs,
                    field_specs,
                    ..
                } = self.arguments(&ANNOTATIONS)?;
                set_pairs(pairs, &field_specs)
            }
            "LabelTransformer" => {
                let PairsArguments {
                    labels: pairs,
                    field_specs,
                    ..
                } = self.arguments(&LABELS)?;
                set_pairs(pairs, &field_specs)
            }
            "HashTransformer" => Box::new(|resources, _| crate::hash::apply(resources)),
            "NamespaceTransformer" => {
                let arguments: NamespaceArguments = self.arguments(&NAMESPACE)?;
                let namespace = Namespace {
                    name: arguments.metadata.namespace.into(),
                    unset_only: arguments.unset_only,
                    subjects: Subjects::parse(&arguments.set_role_binding_subjects)?,
                };
                let fields = field_specs(&arguments.field_specs);
                Box::new(move |resources, _| namespace::apply(resources, &namespace, &fields))
            }
            "PrefixTransformer" => self.affixes(true, false)?,
            "SuffixTransformer" => self.affixes(false, true)?,
            "PrefixSuffixTransformer" => self.affixes(true, true)?,
            "ImageTagTransformer" => {
                let arguments: TargetsArguments = self.arguments(&IMAGE_TAG)?;
                let fields = field_specs(&arguments.field_specs);
                Box::new(move |resources, _| {
                    images::apply(
                        resources,
                        std::slice::from_ref(&arguments.image_tag),
                        &fields,
                    )
                })
            }
            "ReplicaCountTransformer" => {
                let arguments: TargetsArguments = self.arguments(&REPLICAS)?;
                let fields = field_specs(&arguments.field_specs);
                Box::new(move |resources, _| {
                    replicas::apply(resources, &arguments.replica, &fields)
                })
            }
            "ReplacementTransformer" => {
                let arguments: TargetsArguments = self.arguments(&REPLACEMENTS)?;
                let replacements = pipeline::replacements(target, &arguments.replacements)?;
                pipeline::replace(replacements)
            }
            "PatchTransformer" | "PatchJson6902Transformer" | "PatchStrategicMergeTransformer" => {
                self.patch(target)?
            }
            "ValueAddTransformer" => self.value_add(target)?,
            _ => return Err(self.unknown()),
        })
    }

    fn affixes<'t>(&self, prefix: bool, suffix: bool) -> Result<Apply<'t>, Error> {
        #[derive(Default, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct Arguments {
            prefix: String,
            suffix: String,
            field_specs: Option<Vec<FieldSpecArguments>>,
        }
        let of = |wanted: bool, of: &'static Struct| {
            wanted.then(|| self.arguments::<Arguments>(of)).transpose()
        };
        let (prefix, suffix) = (of(prefix, &PREFIX)?, of(suffix, &SUFFIX)?);
        // An empty list is valid and has no effect.
        let fields = |of: &Option<Arguments>| match of.as_ref().map(|of| &of.field_specs) {
            Some(None) => {
                let message = "fieldSpecs is not expected to be nil";
                Err(Error::new(Code::PluginInvalid, message))
            }
            Some(Some(specs)) => Ok(field_specs(specs)),
            None => Ok(Vec::new()),
        };
        let (prefix_fields, suffix_fields) = (fields(&prefix)?, fields(&suffix)?);
        Ok(Box::new(move |resources, _| {
            if let Some(arguments) = prefix {
                names::apply(resources, Affix::Prefix(&arguments.prefix), &prefix_fields)?;
            }
            if let Some(arguments) = suffix {
                names::apply(resources, Affix::Suffix(&arguments.suffix), &suffix_fields)?;
            }
            Ok(())
        }))
    }

    fn patch<'t>(&self, target: &Target<'_, '_>) -> Result<Apply<'t>, Error> {
        let (read, parse) = (pipeline::reader(target), pipeline::parser(target));
        let files = Files {
            read: &read,
            parse: &parse,
        };
        Ok(match self.kind() {
            "PatchJson6902Transformer" => {
                let patch = JsonPatch::configure(&self.arguments(&JSON_PATCH)?, &files)?;
                Box::new(move |resources, _| patch.apply(resources))
            }
            "PatchStrategicMergeTransformer" => {
                let arguments = self.arguments(&STRATEGIC_PATCHES)?;
                let patches = StrategicPatches::configure(&arguments, &files)?;
                Box::new(move |resources, _| patches.apply(resources))
            }
            _ => {
                let config = self
                    .resource
                    .node()
                    .to_value()
                    .map_err(|error| Error::new(Code::MalformedYaml, error.to_string()))?;
                let config = v2::to_string(&config);
                let patch =
                    Patch::configure(&self.arguments(&PATCH_TRANSFORMER)?, &config, &files)?;
                Box::new(move |resources, _| patch.apply(resources))
            }
        })
    }

    fn value_add<'t>(&self, target: &Target<'_, '_>) -> Result<Apply<'t>, Error> {
        let mut arguments: ValueAddArguments = self.arguments(&VALUE_ADD)?;
        let mut value = arguments.value.trim().to_owned();
        if value.is_empty() {
            let name = target.root.path().file_name();
            value = name.map_or_else(
                || "/".to_owned(),
                |name| name.to_string_lossy().into_owned(),
            );
        }
        if !arguments.target_file_path.is_empty() {
            let contents = target.read(&arguments.target_file_path)?;
            let read = v2::from_slice(&contents).map_err(|error| {
                let code = crate::kustomization::yaml_code(&error);
                Error::new(code, format!("error converting YAML to JSON: {error}"))
            })?;
            let more: ValueAddArguments = read_arguments(read, &VALUE_ADD_TARGETS)?;
            arguments.targets.extend(more.targets);
        }
        if arguments.targets.is_empty() {
            let message = "must specify at least one target";
            return Err(Error::new(Code::PluginInvalid, message));
        }
        let mut places = Vec::new();
        for target in arguments.targets {
            let place = ValueTarget {
                field_path: target.field_path,
                file_path_position: target.file_path_position,
            };
            place.validate()?;
            places.push((target.selector, place));
        }
        Ok(Box::new(move |resources, _| {
            for (selector, place) in &places {
                let positions = selected(resources, selector.as_ref())?;
                let growth = resources.growth();
                growth.add_to_each(value.len(), positions.len())?;
                for position in positions {
                    resources.edit(position, |resource| {
                        value_add::apply(resource, &value, place, &growth)
                    })?;
                }
            }
            Ok(())
        }))
    }
}

fn selected(resources: &ResourceMap, selector: Option<&Selector>) -> Result<Vec<usize>, Error> {
    match selector {
        None => Ok((0..resources.len()).collect()),
        Some(selector) => select::Target::new(selector).select(resources),
    }
}

fn set_pairs<'t>(
    pairs: crate::kustomization::fields::Pairs,
    fields: &[FieldSpecArguments],
) -> Apply<'t> {
    let fields = field_specs(fields);
    Box::new(move |resources: &mut ResourceMap, _: &TransformerConfig| {
        pairs::apply(resources, &pairs, &fields)
    })
}

fn field_specs(arguments: &[FieldSpecArguments]) -> Vec<FieldSpec> {
    arguments.iter().map(FieldSpec::from).collect()
}

fn invalid(message: impl std::fmt::Display) -> Error {
    let message = format!("error unmarshaling JSON: while decoding JSON: {message}");
    Error::new(Code::PluginInvalid, message)
}

fn normalise(value: Value, of: &'static Struct) -> Result<Map<String, Value>, Error> {
    decode::normalise_yaml(value, of, UnknownFields::Drop).map_err(invalid)
}

fn read_arguments<T: DeserializeOwned>(value: Value, of: &'static Struct) -> Result<T, Error> {
    decode::typed(normalise(value, of)?).map_err(invalid)
}

/// Loads the objects that configure plugins, inline ones first.
fn load(target: &Target<'_, '_>, entries: &[String], inline: &str) -> Result<Vec<Plugin>, Error> {
    let growth = &target.session.growth;
    let mut into = Accumulator::with_budget(growth);
    let mut paths = Vec::new();
    for entry in entries {
        let nodes = match read::nodes(entry.as_bytes()) {
            Ok(nodes) => nodes,
            Err(error) if error.code() == Code::Limit => return Err(error),
            // Text that does not parse as objects is a path.
            Err(_) => {
                paths.push(entry.clone());
                continue;
            }
        };
        growth.add(nodes.copied)?;
        for node in nodes.list {
            let schema = std::sync::Arc::clone(&target.session.schema);
            let mut resource = Resource::new(node, schema);
            if let Some(origin) = &target.origin {
                let origin = origin.append(target.file.name);
                resource.set_annotation(ORIGIN_ANNOTATION, &origin.to_text());
            }
            into.resources
                .append(resource)
                .map_err(|error| error.with_context(format!("configuring external {inline}")))?;
        }
    }
    let into = target.accumulate_resources(into, &paths, Vec::new())?;
    Ok(into.resources.into_iter().map(Plugin::new).collect())
}

/// Loads the generator plugins of a kustomization.
pub(crate) fn generators(target: &Target<'_, '_>) -> Result<Vec<Plugin>, Error> {
    let entries = &target.file.fields.generators;
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let plugins = load(target, entries, "generator")?;
    for plugin in &plugins {
        check_generator(plugin).map_err(|error| error.with_context("failed to load generator"))?;
    }
    Ok(plugins)
}

const TRANSFORMERS: [&str; 14] = [
    "AnnotationsTransformer",
    "HashTransformer",
    "ImageTagTransformer",
    "LabelTransformer",
    "NamespaceTransformer",
    "PatchJson6902Transformer",
    "PatchStrategicMergeTransformer",
    "PatchTransformer",
    "PrefixSuffixTransformer",
    "PrefixTransformer",
    "ReplacementTransformer",
    "ReplicaCountTransformer",
    "SuffixTransformer",
    "ValueAddTransformer",
];

fn check_generator(plugin: &Plugin) -> Result<(), Error> {
    plugin.check_builtin()?;
    match plugin.kind() {
        "ConfigMapGenerator" | "SecretGenerator" | "IAMPolicyGenerator" => Ok(()),
        "HelmChartInflationGenerator" => Err(plugin.failed(helm_denied())),
        kind if TRANSFORMERS.contains(&kind) => Err(plugin.is_not("generator")),
        _ => Err(plugin.unknown()),
    }
}

/// Loads the transformer or validator plugins of a kustomization.
pub(crate) fn transformers<'t>(
    target: &'t Target<'_, '_>,
    entries: &[String],
) -> Result<Vec<Step<'t>>, Error> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let plugins = load(target, entries, "transformer")?;
    let steps = plugins.into_iter().map(|plugin| {
        plugin.check_builtin()?;
        match plugin.kind() {
            "HelmChartInflationGenerator" => return Err(plugin.failed(helm_denied())),
            "ConfigMapGenerator" | "SecretGenerator" | "IAMPolicyGenerator" => {
                return Err(plugin.is_not("transformer"));
            }
            _ => {}
        }
        let apply = plugin
            .transformer(target)
            .map_err(|error| match error.code() {
                Code::PluginDenied => error,
                _ => plugin.failed(error),
            })?;
        Ok(Step {
            builtin: None,
            origin: plugin.origin,
            apply,
        })
    });
    steps.collect()
}

/// Checks that a validator changed nothing but its own label.
pub(crate) fn check_unmodified(before: &ResourceMap, after: &ResourceMap) -> Result<(), Error> {
    let same = before.len() == after.len()
        && before.iter().all(|resource| {
            let id = resource.cur_id();
            let [place] = after.matching_current(&id) else {
                return false;
            };
            let mut after = after.get(*place).clone();
            let mut labels = after.labels();
            if labels.remove(VALIDATED_BY).is_some() {
                after.set_labels(&labels);
            }
            resource.node() == after.node()
        });
    if same {
        return Ok(());
    }
    let message = "validator shouldn't modify the resource map";
    Err(Error::new(Code::ValidatorModifies, message))
}

//! Configures the transformers of a kustomization, in upstream's order.
//!
//! All transformers are configured, and their files read, before the first one runs. So an
//! error of the last is reported before the first has an effect.
//!
//! Parity: kustomize: `api/internal/target/kusttarget_configplugin.go`.

use sluice_yaml::{Value, v2};

use super::Target;
use crate::configuration::TransformerConfig;
use crate::decode::{self, UnknownFields};
use crate::error::{Code, Error};
use crate::kustomization::fields::{self, REPLACEMENT_ONLY, Replacement, ReplacementField};
use crate::origin::Origin;
use crate::read;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::names::Affix;
use crate::transform::namespace::Namespace;
use crate::transform::patch::legacy::{JsonPatch, StrategicPatches};
use crate::transform::patch::{Files, Patch};
use crate::transform::{images, names, namespace, pairs, replacements, replicas};

/// A configured transformer.
pub(crate) struct Step<'t> {
    /// The name of the builtin, unless the step is a plugin.
    pub(crate) builtin: Option<&'static str>,
    /// The origin of the plugin, if `buildMetadata` asks for origins.
    pub(crate) origin: Option<Origin>,
    pub(crate) apply: Apply<'t>,
}

/// Applies a transformer.
pub(crate) type Apply<'t> =
    Box<dyn FnOnce(&mut ResourceMap, &TransformerConfig) -> Result<(), Error> + 't>;

/// Configures the transformers of a kustomization.
pub(crate) fn configure<'t>(
    target: &'t Target<'_, '_>,
    config: &TransformerConfig,
) -> Result<Vec<Step<'t>>, Error> {
    let (read, parse) = (reader(target), parser(target));
    let files = Files {
        read: &read,
        parse: &parse,
    };
    let mut pipeline = Pipeline {
        target,
        steps: Vec::new(),
    };
    pipeline.add_strategic_merges(&files)?;
    pipeline.add_patches(&files)?;
    pipeline.add_namespace();
    pipeline.add_affixes();
    pipeline.add_labels(config)?;
    pipeline.add_annotations();
    pipeline.add_json_patches(&files)?;
    pipeline.add_replicas();
    pipeline.add_images();
    pipeline.add_replacements()?;
    Ok(pipeline.steps)
}

/// The configured transformers so far.
struct Pipeline<'t, 's, 'a> {
    target: &'t Target<'s, 'a>,
    steps: Vec<Step<'t>>,
}

impl<'t> Pipeline<'t, '_, '_> {
    fn add(
        &mut self,
        builtin: &'static str,
        apply: impl FnOnce(&mut ResourceMap, &TransformerConfig) -> Result<(), Error> + 't,
    ) {
        self.steps.push(Step {
            builtin: Some(builtin),
            origin: None,
            apply: Box::new(apply),
        });
    }

    fn fields(&self) -> &'t fields::Fields {
        let target = self.target;
        &target.file.fields
    }

    fn add_strategic_merges(&mut self, files: &Files<'_>) -> Result<(), Error> {
        let merges = self.fields().patches_strategic_merge.as_deref();
        let merges = merges.unwrap_or_default();
        if !merges.is_empty() {
            let patches = StrategicPatches::from_field(merges, files)?;
            self.add("PatchStrategicMergeTransformer", move |resources, _| {
                patches.apply(resources)
            });
        }
        Ok(())
    }

    fn add_patches(&mut self, files: &Files<'_>) -> Result<(), Error> {
        let target = self.target;
        for entry in &self.fields().patches {
            let patch =
                Patch::from_field(entry, files).map_err(|error| at(target, entry, error))?;
            self.add("PatchTransformer", move |resources, _| {
                let applied = patch.apply(resources);
                applied.map_err(|error| at(target, entry, error))
            });
        }
        Ok(())
    }

    fn add_namespace(&mut self) {
        let name = &self.fields().namespace;
        if !name.is_empty() {
            let namespace = Namespace {
                name: name.as_str().into(),
                ..Namespace::default()
            };
            self.add("NamespaceTransformer", move |resources, config| {
                namespace::apply(resources, &namespace, &config.namespace)
            });
        }
    }

    fn add_affixes(&mut self) {
        let fields = self.fields();
        if !fields.name_prefix.is_empty() {
            self.add("PrefixTransformer", |resources, config| {
                let prefix = Affix::Prefix(&fields.name_prefix);
                names::apply(resources, prefix, &config.name_prefix)
            });
        }
        if !fields.name_suffix.is_empty() {
            self.add("SuffixTransformer", |resources, config| {
                let suffix = Affix::Suffix(&fields.name_suffix);
                names::apply(resources, suffix, &config.name_suffix)
            });
        }
    }

    fn add_labels(&mut self, config: &TransformerConfig) -> Result<(), Error> {
        let fields = self.fields();
        for label in &fields.labels {
            let specs = pairs::label_fields(label, config)?;
            self.add("LabelTransformer", move |resources, _| {
                pairs::apply(resources, &label.pairs, &specs)
            });
        }
        let common = fields.common_labels.as_ref();
        // Upstream also has this transformer if only `labels` is set.
        if !fields.labels.is_empty() || common.is_some_and(|labels| !labels.is_empty()) {
            self.add("LabelTransformer", move |resources, config| match common {
                Some(labels) => pairs::apply(resources, labels, &config.common_labels),
                None => Ok(()),
            });
        }
        Ok(())
    }

    fn add_annotations(&mut self) {
        let annotations = &self.fields().common_annotations;
        if !annotations.is_empty() {
            self.add("AnnotationsTransformer", |resources, config| {
                pairs::apply(resources, annotations, &config.common_annotations)
            });
        }
    }

    fn add_json_patches(&mut self, files: &Files<'_>) -> Result<(), Error> {
        let target = self.target;
        for entry in self.fields().patches_json6902.iter().flatten() {
            let patch =
                JsonPatch::from_field(entry, files).map_err(|error| at(target, entry, error))?;
            self.add("PatchJson6902Transformer", move |resources, _| {
                let applied = patch.apply(resources);
                applied.map_err(|error| at(target, entry, error))
            });
        }
        Ok(())
    }

    fn add_replicas(&mut self) {
        for replica in &self.fields().replicas {
            self.add("ReplicaCountTransformer", |resources, config| {
                replicas::apply(resources, replica, &config.replicas)
            });
        }
    }

    fn add_images(&mut self) {
        let images = &self.fields().images;
        // One step for all images, unless each must be recorded as a transformer.
        let chunk_size = if self.target.origin.is_some() {
            1
        } else {
            images.len().max(1)
        };
        for images in images.chunks(chunk_size) {
            self.add("ImageTagTransformer", |resources, config| {
                images::apply(resources, images, &config.images)
            });
        }
    }

    fn add_replacements(&mut self) -> Result<(), Error> {
        let fields = &self.fields().replacements;
        if !fields.is_empty() {
            let replacements = replacements(self.target, fields)?;
            self.add("ReplacementTransformer", replace(replacements));
        }
        Ok(())
    }
}

/// Attributes an error to the file of a patch, if the patch has one that was read.
fn at(target: &Target<'_, '_>, patch: &fields::Patch, error: Error) -> Error {
    let is_of_the_patch = matches!(
        error.code(),
        Code::PatchInvalid | Code::PatchTarget | Code::PatchFailed | Code::YamlLimit
    );
    match patch.path.as_str() {
        path if is_of_the_patch && !path.is_empty() => error.at_file(target.display_path(path)),
        _ => error,
    }
}

/// Returns a function that reads files of a kustomization.
pub(crate) fn reader(target: &Target<'_, '_>) -> impl Fn(&str) -> Result<Vec<u8>, Error> {
    |path| target.read(path)
}

/// Returns a function that parses resources.
pub(crate) fn parser(
    target: &Target<'_, '_>,
) -> impl Fn(&[u8], &str) -> Result<Vec<Resource>, Error> {
    |text, path| {
        let session = target.session;
        read::parse(text, path, &session.schema, &session.growth).map_err(|error| match path {
            "" => error,
            path => error.at_file(target.display_path(path)),
        })
    }
}

/// Returns a step that applies replacements.
pub(crate) fn replace<'t>(replacements: Vec<Replacement>) -> Apply<'t> {
    Box::new(move |resources, _| replacements::apply(resources, &replacements))
}

/// Reads replacements from files, and returns them together with inline ones.
pub(crate) fn replacements(
    target: &Target<'_, '_>,
    fields: &[ReplacementField],
) -> Result<Vec<Replacement>, Error> {
    let invalid = |message: String| Error::new(Code::ReplacementInvalid, message);
    let mut all = Vec::new();
    for field in fields {
        if field.path.is_empty() {
            all.push(field.replacement.clone());
            continue;
        }
        if field.replacement.source.is_some() || !field.replacement.targets.is_empty() {
            return Err(invalid(
                "cannot specify both path and inline replacement".to_owned(),
            ));
        }
        let contents = target.read(&field.path)?;
        let here = |error: Error| error.at_file(target.display_path(&field.path));
        let value = v2::from_slice(&contents).map_err(|error| {
            let code = crate::kustomization::yaml_code(&error);
            let message = format!("error converting YAML to JSON: {error}");
            here(Error::new(code, message))
        })?;
        let values = match value {
            Value::Array(values) => values,
            value @ Value::Object(_) => vec![value],
            other => {
                let kind = match other {
                    Value::Null => "invalid",
                    Value::Bool(_) => "bool",
                    Value::Number(_) => "float64",
                    _ => "string",
                };
                return Err(here(invalid(format!(
                    "unsupported replacement type encountered within replacement path: {kind}"
                ))));
            }
        };
        for value in values {
            let reading = |message: String| {
                here(invalid(format!(
                    "error unmarshaling JSON: while decoding JSON: {message}"
                )))
            };
            let map = decode::normalise_yaml(value, &REPLACEMENT_ONLY, UnknownFields::Drop)
                .map_err(reading)?;
            all.push(decode::typed(map).map_err(reading)?);
        }
    }
    Ok(all)
}

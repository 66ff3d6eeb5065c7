//! Patches resources: `patches` and the older `patchesStrategicMerge` and `patchesJson6902`.
//!
//! A patch is read when its transformer is configured, before any transformer runs. This
//! module has the rules of `patches`. [`strategic`] and [`json`] apply a patch to a resource,
//! [`select`] selects its targets, and [`legacy`] has the older fields.
//!
//! Parity: kustomize: `api/internal/builtins/PatchTransformer.go`.

pub(crate) mod json;
pub(crate) mod legacy;
pub(crate) mod select;
pub(crate) mod strategic;

use serde::Serialize;
use sluice_golang::quote::quote;
use sluice_object::json_patch;
use sluice_yaml::{Value, v2};

use crate::error::{Code, Error};
use crate::kustomization::fields;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use select::Target;

/// Parses the resources of a text.
type Parse<'a> = dyn Fn(&[u8], &str) -> Result<Vec<Resource>, Error> + 'a;

/// Reads and parses the texts of patches.
pub(crate) struct Files<'a> {
    /// Reads a file that the kustomization refers to.
    pub(crate) read: &'a dyn Fn(&str) -> Result<Vec<u8>, Error>,
    /// Parses resources; the second argument is the file, or empty for an inline text.
    pub(crate) parse: &'a Parse<'a>,
}

/// A configured transformer of `patches`.
#[derive(Debug)]
pub(crate) struct Patch {
    content: Content,
    target: Option<Target>,
    /// Its source, for errors.
    source: String,
}

#[derive(Debug)]
enum Content {
    Strategic(Vec<Resource>),
    Json(json_patch::Patch),
}

impl Patch {
    /// Configures an entry of `patches`.
    pub(crate) fn from_field(entry: &fields::Patch, files: &Files<'_>) -> Result<Self, Error> {
        let config = config(entry);
        Self::configure(entry, &config, files)
            .map_err(|error| misconfigured("PatchTransformer", &config, error))
    }

    /// Configures the builtin; `config` is the text of its configuration.
    pub(crate) fn configure(
        entry: &fields::Patch,
        config: &str,
        files: &Files<'_>,
    ) -> Result<Self, Error> {
        let invalid = |message: String| Err(Error::new(Code::PatchInvalid, message));
        let inline = entry.patch.trim();
        let (text, source) = match (inline, entry.path.as_str()) {
            ("", "") => return invalid(format!("must specify one of patch and path in\n{config}")),
            (text, "") => (
                text.as_bytes().to_vec(),
                format!("[patch: {}]", quote(text)),
            ),
            ("", path) => {
                let text = (files.read)(path).map_err(|error| {
                    error.with_context(format_args!(
                        "failed to get the patch file from path({path})"
                    ))
                })?;
                (text, format!("[path: {}]", quote(path)))
            }
            _ => {
                return invalid(format!(
                    "patch and path can't be set at the same time\n{config}"
                ));
            }
        };
        let resources = (files.parse)(&text, "");
        let operations = json::parse(&String::from_utf8_lossy(&text));
        let content = match (resources, operations) {
            (Ok(resources), Ok(operations)) if !resources.is_empty() && !operations.is_empty() => {
                return invalid(format!(
                    "illegally qualifies as both an SM and JSON patch: {source}"
                ));
            }
            (Err(error), Err(_)) => {
                let message = format!("unable to parse SM or JSON patch from {source}");
                return Err(match error.code() {
                    Code::YamlLimit => error,
                    _ => Error::new(Code::PatchInvalid, message),
                });
            }
            (Ok(mut resources), _) => {
                let options = entry.options.unwrap_or_default();
                for patch in &mut resources {
                    if options.allow_name_change {
                        patch.allow_name_change();
                    }
                    if options.allow_kind_change {
                        patch.allow_kind_change();
                    }
                }
                Content::Strategic(resources)
            }
            (Err(_), Ok(operations)) => Content::Json(operations),
        };
        Ok(Self {
            content,
            target: entry.target.as_ref().map(Target::new),
            source,
        })
    }

    /// Applies the patch to its targets.
    pub(crate) fn apply(&self, resources: &mut ResourceMap) -> Result<(), Error> {
        match (&self.content, &self.target) {
            (Content::Strategic(patches), None) => {
                for patch in patches {
                    merge_by_id(resources, patch)?;
                }
                Ok(())
            }
            (Content::Strategic(patches), Some(target)) => match patches.as_slice() {
                [] => Ok(()),
                [patch] => {
                    let selected = target.select(resources).map_err(|error| {
                        error.with_context(format_args!(
                            "unable to find patch target {} in `resources`",
                            quote(&target.to_string())
                        ))
                    })?;
                    strategic::apply_to(resources, &selected, patch)
                }
                _ => Err(Error::new(
                    Code::PatchInvalid,
                    format!(
                        "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field: {}",
                        self.source
                    ),
                )),
            },
            (Content::Json(_), None) => Err(Error::new(
                Code::PatchTarget,
                format!("must specify a target for JSON patch {}", self.source),
            )),
            (Content::Json(operations), Some(target)) => {
                let growth = resources.growth();
                for place in target.select(resources)? {
                    resources.edit(place, |resource| {
                        resource.store_previous_id();
                        json::apply(resource, operations, &growth)
                    })?;
                }
                Ok(())
            }
        }
    }
}

fn merge_by_id(resources: &mut ResourceMap, patch: &Resource) -> Result<(), Error> {
    let id = patch.orig_id();
    let place = resources.by_any_id(&id).map_err(|error| {
        error.with_context(format_args!(
            "no resource matches strategic merge patch {}",
            quote(&id.to_string())
        ))
    })?;
    let growth = resources.growth();
    resources.edit(place, |resource| strategic::merge(resource, patch, &growth))
}

/// Renders the configuration of a transformer as upstream does, without empty fields.
fn config(fields: &impl Serialize) -> String {
    let value = serde_json::to_value(fields).expect("the fields are texts, lists and maps");
    v2::to_string(&without_empty(value))
}

fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let set = fields.filter(|(_, value)| match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                _ => true,
            });
            Value::Object(
                set.map(|(key, value)| (key, without_empty(value)))
                    .collect(),
            )
        }
        other => other,
    }
}

/// Adds the builtin and its configuration to an error.
fn misconfigured(kind: &str, config: &str, error: Error) -> Error {
    error.with_context(format_args!(
        "trouble configuring builtin {kind} with config: `\n{config}`"
    ))
}

#[cfg(test)]
mod tests;

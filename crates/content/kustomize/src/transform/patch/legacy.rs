//! The older fields `patchesStrategicMerge` and `patchesJson6902`.
//!
//! They differ from `patches` in their effects. A JSON patch does not store the previous id,
//! so the resource may not have annotations to add to. A strategic merge patch is applied like
//! one with a target, which converts null labels to texts.
//!
//! Parity: kustomize: `api/internal/builtins/PatchStrategicMergeTransformer.go`
//! and `PatchJson6902Transformer.go`.

use serde::{Deserialize, Serialize};
use sluice_object::json_patch;

use super::select::Target;
use super::{Files, config, json, misconfigured, strategic};
use crate::error::{Code, Error};
use crate::kustomization::fields;
use crate::resource::Resource;
use crate::resource_map::ResourceMap;

/// The arguments of the builtin `PatchStrategicMergeTransformer`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct StrategicArguments {
    /// Each entry is a patch, or the path of a file with patches.
    pub(crate) paths: Vec<String>,
    pub(crate) patches: String,
}

/// The arguments of the builtin `PatchJson6902Transformer`.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JsonArguments {
    pub(crate) target: Option<fields::Selector>,
    pub(crate) path: String,
    pub(crate) json_op: String,
}

/// A configured transformer of `patchesStrategicMerge`.
#[derive(Debug)]
pub(crate) struct StrategicPatches {
    patches: Vec<Resource>,
}

/// A configured transformer of an entry of `patchesJson6902`.
#[derive(Debug)]
pub(crate) struct JsonPatch {
    operations: json_patch::Patch,
    target: Target,
}

impl StrategicPatches {
    /// Configures the field, which has at least one entry.
    pub(crate) fn from_field(entries: &[String], files: &Files<'_>) -> Result<Self, Error> {
        let arguments = StrategicArguments {
            paths: entries.to_vec(),
            patches: String::new(),
        };
        Self::configure(&arguments, files).map_err(|error| {
            misconfigured("PatchStrategicMergeTransformer", &config(&arguments), error)
        })
    }

    pub(crate) fn configure(
        arguments: &StrategicArguments,
        files: &Files<'_>,
    ) -> Result<Self, Error> {
        let StrategicArguments {
            paths,
            patches: inline,
        } = arguments;
        if paths.is_empty() && inline.is_empty() {
            let message = "empty file path and empty patch content";
            return Err(Error::new(Code::PatchInvalid, message));
        }
        let mut patches = Vec::new();
        for path in paths {
            // In older kustomizations an entry may be the patch itself.
            patches.extend(match (files.parse)(path.as_bytes(), "") {
                Ok(patches) => patches,
                Err(error) if error.code() == Code::Limit => return Err(error),
                Err(_) => (files.parse)(&(files.read)(path)?, path)?,
            });
        }
        if !inline.is_empty() {
            patches.extend((files.parse)(inline.as_bytes(), "")?);
        }
        if patches.is_empty() {
            let message = format!(
                "patch appears to be empty; files=[{}], Patch={inline}",
                paths.join(" ")
            );
            return Err(Error::new(Code::PatchInvalid, message));
        }
        Ok(Self { patches })
    }

    pub(crate) fn apply(&self, resources: &mut ResourceMap) -> Result<(), Error> {
        for patch in &self.patches {
            let place = resources.by_any_id(&patch.orig_id())?;
            strategic::apply_to(resources, &[place], patch)?;
        }
        Ok(())
    }
}

impl JsonPatch {
    /// Configures an entry of the field.
    pub(crate) fn from_field(entry: &fields::Patch, files: &Files<'_>) -> Result<Self, Error> {
        let arguments = JsonArguments {
            target: entry.target.clone(),
            path: entry.path.clone(),
            json_op: entry.patch.clone(),
        };
        Self::configure(&arguments, files)
            .map_err(|error| misconfigured("PatchJson6902Transformer", &config(&arguments), error))
    }

    pub(crate) fn configure(arguments: &JsonArguments, files: &Files<'_>) -> Result<Self, Error> {
        let invalid = |message: String| Error::new(Code::PatchInvalid, message);
        // Upstream has a different error for a missing target.
        let target = arguments.target.as_ref();
        let Some(target) = target.filter(|target| !target.name.is_empty()) else {
            let message = "must specify the target name";
            return Err(Error::new(Code::PatchTarget, message));
        };
        let path = &arguments.path;
        let text = match (path.as_str(), arguments.json_op.as_str()) {
            ("", "") => return Err(invalid("empty file path and empty jsonOp".to_owned())),
            ("", text) => text.to_owned(),
            (path, "") => {
                let text = (files.read)(path)?;
                if text.is_empty() {
                    return Err(invalid(format!(
                        "patch file '{path}' empty seems to be empty"
                    )));
                }
                String::from_utf8_lossy(&text).into_owned()
            }
            _ => {
                let message = "must specify a file path or jsonOp, not both";
                return Err(invalid(message.to_owned()));
            }
        };
        let text = json::to_json(&text)?;
        let operations = json_patch::Patch::from_json(&text)
            .map_err(|error| invalid(format!("decoding {text}: {error}")))?;
        if operations.is_empty() {
            return Err(invalid(format!(
                "patch appears to be empty; file={path}, JsonOp={text}"
            )));
        }
        Ok(Self {
            operations,
            target: Target::new(target),
        })
    }

    pub(crate) fn apply(&self, resources: &mut ResourceMap) -> Result<(), Error> {
        let growth = resources.growth();
        for place in self.target.select(resources)? {
            resources.edit(place, |resource| {
                json::apply(resource, &self.operations, &growth)
            })?;
        }
        Ok(())
    }
}

//! Changes rendered files before they are sorted, as Helm's post-renderers do.
//!
//! helm-controller always runs a last step that labels each object with its `HelmRelease`. So each
//! manifest that it stores was read and printed by kustomize. Start at [`PostRenderer`].

mod stream;

use std::collections::BTreeMap;

use serde_json::json;
use sluice_chart::manifest::{self, SortedManifests};
use sluice_chart::values::Json;
use sluice_chart::{Error, Files};
use sluice_kustomize::fs::MemFs;
use sluice_kustomize::{Limits, Options, build_yaml, set_metadata};

/// Which documents the steps see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Hooks and manifests in one stream, the default of Helm 4.
    #[default]
    Combined,
    /// Hooks and manifests apart, so that an object can be in both.
    Separate,
    /// Manifests only, as in Helm 3.
    NoHooks,
}

impl Strategy {
    /// Reads the name of a strategy.
    pub fn from_name(name: &str) -> Result<Self, String> {
        match name {
            "" | "combined" => Ok(Self::Combined),
            "separate" => Ok(Self::Separate),
            "nohooks" => Ok(Self::NoHooks),
            _ => Err(format!("unknown post-render strategy: '{name}'")),
        }
    }
}

/// A step of a post-renderer.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Builds a kustomization, whose only resource is the stream.
    Kustomize(Json),
    /// Sets labels and annotations in the metadata of each object.
    Metadata {
        /// The labels.
        labels: BTreeMap<String, String>,
        /// The annotations.
        annotations: BTreeMap<String, String>,
    },
}

impl Step {
    /// The labels that name the `HelmRelease` of an object.
    pub fn origin_labels(group: &str, namespace: &str, name: &str) -> Self {
        let labels = [
            (format!("{group}/name"), name.to_owned()),
            (format!("{group}/namespace"), namespace.to_owned()),
        ];
        Self::Metadata {
            labels: labels.into(),
            annotations: BTreeMap::new(),
        }
    }

    /// Changes a stream of documents.
    fn run(&self, stream: String) -> Result<String, String> {
        match self {
            Self::Kustomize(kustomization) => build(kustomization.clone(), stream),
            Self::Metadata {
                labels,
                annotations,
            } if labels.is_empty() && annotations.is_empty() => Ok(stream),
            Self::Metadata {
                labels,
                annotations,
            } => {
                let changed = set_metadata(&stream, labels, annotations, &Limits::default());
                changed.map_err(|error| error.to_string())
            }
        }
    }
}

/// The name of the stream in the tree of a kustomization.
const INPUT: &str = "helm-output.yaml";

fn build(mut kustomization: Json, stream: String) -> Result<String, String> {
    kustomization["apiVersion"] = "kustomize.config.k8s.io/v1beta1".into();
    kustomization["kind"] = "Kustomization".into();
    kustomization["resources"] = json!([INPUT]);
    let tree = MemFs::new()
        .with(INPUT, stream)
        .with("kustomization.yaml", kustomization.to_string());
    let built = build_yaml(&tree, std::path::Path::new("/"), &Options::flux());
    built.map_err(|error| error.to_string())
}

/// The steps that change rendered files, in their order.
#[derive(Debug, Clone, Default)]
pub struct PostRenderer {
    /// The strategy.
    pub strategy: Strategy,
    /// The steps.
    pub steps: Vec<Step>,
}

impl PostRenderer {
    /// Changes rendered files. Without steps they stay as they are.
    pub fn run(&self, files: Files) -> Result<Files, Error> {
        if self.steps.is_empty() {
            return Ok(files);
        }
        if self.strategy == Strategy::Combined {
            let merged = stream::merge(&files);
            let merged = merged.map_err(refused("error merging manifests"))?;
            let rendered = self.apply(merged);
            let rendered = rendered.map_err(refused("error while running post render on files"))?;
            let files = stream::split(&rendered, None);
            return files.map_err(refused("error while parsing post rendered output"));
        }
        let SortedManifests { hooks, manifests } = manifest::sort(&files)?;
        let mut hook_files = Files::new();
        for hook in hooks {
            append(&mut hook_files, hook.path, &hook.content);
        }
        let mut manifest_files = Files::new();
        for manifest in manifests {
            append(&mut manifest_files, manifest.path, &manifest.content);
        }
        let groups = [("hooks", hook_files), ("manifests", manifest_files)];
        let mut files = Files::new();
        for (group, mut own) in groups {
            if own.is_empty() {
                continue;
            }
            if group == "manifests" || self.strategy == Strategy::Separate {
                own = self.run_group(group, &own)?;
            }
            for (path, content) in own {
                append(&mut files, path, &content);
            }
        }
        Ok(files)
    }

    /// Changes the files of a group.
    fn run_group(&self, group: &str, files: &Files) -> Result<Files, Error> {
        let merged = stream::merge(files);
        let merged = merged.map_err(refused(&format!("error merging {group}")))?;
        let rendered = self.apply(merged);
        let action = format!("error while running post render on {group}");
        let rendered = rendered.map_err(refused(&action))?;
        let action = format!("error while parsing post rendered output for {group}");
        stream::split(&rendered, Some(group)).map_err(refused(&action))
    }

    fn apply(&self, stream: String) -> Result<String, String> {
        let mut steps = self.steps.iter();
        steps.try_fold(stream, |stream, step| step.run(stream))
    }
}

/// Makes an error of an action and a reason.
fn refused(action: &str) -> impl FnOnce(String) -> Error {
    move |reason| Error::PostRender(format!("{action}: {reason}"))
}

/// Adds a document to a file.
fn append(files: &mut Files, path: String, content: &[u8]) {
    match files.get_mut(&path) {
        None => {
            files.insert(path, content.into());
        }
        Some(existing) => {
            *existing = [existing, b"\n---\n".as_slice(), content].concat().into();
        }
    }
}

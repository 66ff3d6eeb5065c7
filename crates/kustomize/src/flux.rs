//! What Flux adds: a kustomization file for a folder that has none, and the
//! fields of a `Kustomization` object put into it.
//!
//! The tree is never written to: the file is laid over it.
//!
//! Parity: `fluxcd/pkg`: `kustomize/kustomize_generator.go`.

use std::path::{Path, PathBuf};

use sluice_object::Object;
use sluice_yaml::{Value, json};

use crate::build::{self, Options, ResMap};
use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, OverlayFs, join};
use crate::kustomization::{FILE_NAMES, Kustomization, Unknown};
use crate::read;

/// The namespace that keeps an otherwise empty file from being refused.
const PLACEHOLDER: &str = "_placeholder";

/// The fields of a `Kustomization` object that go into the kustomization file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spec {
    /// `targetNamespace`
    pub target_namespace: Option<String>,
    /// `namePrefix`
    pub name_prefix: Option<String>,
    /// `nameSuffix`
    pub name_suffix: Option<String>,
    /// `patches`: patch and target.
    pub patches: Vec<Value>,
    /// `components`: local paths.
    pub components: Vec<String>,
    /// `ignoreMissingComponents`
    pub ignore_missing_components: bool,
    /// `images`: name, newName, newTag, digest.
    pub images: Vec<Value>,
    /// `buildMetadata`; replaces what the file says.
    pub build_metadata: Option<Vec<String>>,
}

/// Whether a folder had a kustomization file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It had none.
    Created,
    /// It had one, which was adapted.
    Unchanged,
}

/// The kustomization file to build with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The text of the file.
    pub manifest: String,
    /// Where it belongs.
    pub path: PathBuf,
    /// Whether there was one.
    pub action: Action,
}

/// Makes the kustomization file for a folder of the tree.
pub fn generate(fs: &dyn Fs, directory: &Path, spec: &Spec) -> Result<Generated, Error> {
    let existing = FILE_NAMES.iter().map(|name| directory.join(name));
    let existing = existing.into_iter().find(|path| fs.is_file(path));
    let limit = build::Limits::default().file_bytes;
    let (mut file, path, action) = if let Some(path) = existing {
        let mut file = Kustomization::decode(&fs.read(&path, limit)?, Unknown::Drop)?;
        if file.texts("resources").next().is_none() {
            // Anything at all, so that the file is not refused as empty.
            file.set("buildMetadata", vec!["originAnnotations"]);
        }
        (file, path, Action::Unchanged)
    } else {
        let mut file = Kustomization::default();
        let mut resources = Vec::new();
        scan(fs, directory, "./", &mut resources)?;
        if resources.is_empty() {
            file.set("namespace", PLACEHOLDER);
        } else {
            file.set("resources", resources);
        }
        (file, directory.join(FILE_NAMES[0]), Action::Created)
    };
    merge(&mut file, fs, directory, spec)?;
    Ok(Generated {
        manifest: file.encode(),
        path,
        action,
    })
}

/// Collects the files and the kustomizations below a folder, in the order of names.
fn scan(
    fs: &dyn Fs,
    directory: &Path,
    within: &str,
    resources: &mut Vec<String>,
) -> Result<(), Error> {
    for name in fs.read_dir(directory)? {
        let path = directory.join(&name);
        let relative = format!("{within}{name}");
        // Upstream's walk does not follow links; what a link leads to is read
        // only where its name says that it is a manifest.
        let link = fs.is_link(&path)?;
        let kind = if link { None } else { fs.kind(&path)? };
        if kind == Some(EntryKind::Directory) {
            let is_file = |name: &str| fs.is_file(&path.join(name));
            if FILE_NAMES.iter().any(|name| is_file(name)) {
                resources.push(relative);
            } else {
                scan(fs, &path, &format!("{relative}/"), resources)?;
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("yaml" | "yml")) {
            continue;
        }
        let contents = fs.read(&path, build::Limits::default().file_bytes)?;
        read::nodes(&contents).map_err(|error| {
            let shown = fs.display(&path);
            error.within(format!("failed to decode Kubernetes YAML from {shown}"))
        })?;
        resources.push(relative);
    }
    Ok(())
}

fn merge(
    file: &mut Kustomization,
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
) -> Result<(), Error> {
    for (name, value) in [
        ("namespace", &spec.target_namespace),
        ("namePrefix", &spec.name_prefix),
        ("nameSuffix", &spec.name_suffix),
    ] {
        if let Some(value) = value {
            file.set(name, value.as_str());
        }
    }
    file.append("patches", spec.patches.iter().cloned());
    for component in &spec.components {
        let path = join(directory, component);
        let local = !component.contains("://") && !component.starts_with('/');
        let Some(path) = path.filter(|_| local) else {
            let message = format!("component path '{component}' must be local and relative");
            return Err(Error::new(Code::KustomizationInvalid, message));
        };
        if spec.ignore_missing_components && fs.kind(&path)?.is_none() {
            continue;
        }
        file.append("components", [component.as_str().into()]);
    }
    if !spec.images.is_empty() {
        merge_images(file.list_mut("images"), &spec.images);
    }
    if let Some(metadata) = &spec.build_metadata {
        file.set("buildMetadata", metadata.clone());
    }
    Ok(())
}

/// Images merge by name: the new name on its own, tag and digest as one.
fn merge_images(images: &mut Vec<Value>, wanted: &[Value]) {
    let text = |image: &Value, field: &str| {
        let value = image.get(field).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    for image in wanted {
        let name = text(image, "name");
        let known = images.iter_mut().find(|known| text(known, "name") == name);
        let Some(Value::Object(known)) = known else {
            images.push(image.clone());
            continue;
        };
        let mut put = |field: &str, value: String| {
            if value.is_empty() {
                known.remove(field);
            } else {
                known.insert(field.to_owned(), value.into());
            }
        };
        let new_name = text(image, "newName");
        if !new_name.is_empty() {
            put("newName", new_name);
        }
        let (tag, digest) = (text(image, "newTag"), text(image, "digest"));
        if !(tag.is_empty() && digest.is_empty()) {
            put("newTag", tag);
            put("digest", digest);
        }
    }
}

/// Builds a folder as the controller does: with a file made or adapted, within
/// the tree, in the order of the files. Each object must have what it takes to
/// be applied.
pub fn build(
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
    options: &Options,
) -> Result<ResMap, Error> {
    let generated = generate(fs, directory, spec)?;
    let tree = OverlayFs::new(fs).with(generated.path, generated.manifest);
    let built = build::build(&tree, directory, options)?;
    for object in built.resources() {
        complete(object)?;
    }
    Ok(built)
}

fn complete(object: &Object) -> Result<(), Error> {
    if !object.api_version().is_empty() && !object.kind().is_empty() && !object.name().is_empty() {
        return Ok(());
    }
    // Only the identity is told: the object may be a Secret.
    let identity = serde_json::json!({
        "apiVersion": object.api_version(),
        "kind": object.kind(),
        "metadata": {"name": object.name(), "namespace": object.namespace()},
    });
    let identity = json::to_string(&identity);
    let message = format!("failed to decode Kubernetes apiVersion, kind and name from: {identity}");
    Err(Error::new(Code::ResourceInvalid, message))
}

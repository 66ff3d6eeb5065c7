//! Builds as kustomize-controller does: generates a kustomization file for a folder that
//! has none, and adds fields of a `Kustomization` object to it.
//!
//! The generated file lies in an overlay, so the tree stays unchanged. [`build()`] does
//! all but variable substitution, which [`substitute`] does with the result.
//!
//! Parity: `fluxcd/pkg`: `kustomize/kustomize_generator.go`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use sluice_object::Object;
use sluice_yaml::{Value, json};

use crate::build::{self, ResMap};
use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, OverlayFs, join, not_found, not_text, security_violation};
use crate::kustomization::{FILE_NAMES, Kustomization, UnknownFields};
use crate::options::{Limits, Options};
use crate::read;

mod post_build;

pub use post_build::{PostBuildError, documents, format_gvk, is_substitution_disabled, substitute};

/// The namespace of a generated file without resources, which would otherwise be empty.
const PLACEHOLDER: &str = "_placeholder";

/// The fields of a `Kustomization` object that go into the kustomization file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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
    /// `buildMetadata`; replaces the field of the file.
    pub build_metadata: Option<Vec<String>>,
}

impl Spec {
    /// Reads the fields of the `spec` of a `Kustomization` object; ignores fields of
    /// unexpected types.
    pub fn from_value(spec: &Value) -> Self {
        let text = |field: &str| spec.get(field).and_then(Value::as_str).map(str::to_owned);
        let list = |field: &str| {
            let items = spec.get(field).and_then(Value::as_array);
            items.cloned().unwrap_or_default()
        };
        let texts = |field: &str| {
            let items = list(field).into_iter();
            let texts = items.filter_map(|item| item.as_str().map(str::to_owned));
            texts.collect::<Vec<_>>()
        };
        let metadata = texts("buildMetadata");
        Self {
            target_namespace: text("targetNamespace"),
            name_prefix: text("namePrefix"),
            name_suffix: text("nameSuffix"),
            patches: list("patches"),
            components: texts("components"),
            ignore_missing_components: spec.get("ignoreMissingComponents")
                == Some(&Value::Bool(true)),
            images: list("images"),
            build_metadata: (!metadata.is_empty()).then_some(metadata),
        }
    }
}

/// Returns whether to ignore an entry of the tree; the flag is set for folders.
pub type IgnoreFn<'i> = dyn Fn(&Path, bool) -> bool + 'i;

/// The ignore rules of the command line.
pub struct Filter<'i> {
    /// Applied to files that a scan finds in a folder without a kustomization file.
    pub found: Option<&'i IgnoreFn<'i>>,
    /// Applied to the entries of the kustomization file.
    pub listed: &'i IgnoreFn<'i>,
}

/// Whether the kustomization file existed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It did not exist.
    Created,
    /// It existed and was extended.
    Unchanged,
}

/// The kustomization file for a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedKustomization {
    /// The text of the file.
    pub manifest: String,
    /// The path of the file.
    pub path: PathBuf,
    /// Whether it existed.
    pub action: Action,
}

/// Generates the kustomization file for a folder of the tree.
pub fn generate(
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
) -> Result<GeneratedKustomization, Error> {
    generate_with(fs, directory, spec, None)
}

/// Generates the kustomization file with the ignore rules of the command line. These also
/// remove entries from an existing file. Each entry that is not a URL must exist.
pub fn generate_filtered(
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
    filter: &Filter<'_>,
) -> Result<GeneratedKustomization, Error> {
    generate_with(fs, directory, spec, Some(filter))
}

fn generate_with(
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
    filter: Option<&Filter<'_>>,
) -> Result<GeneratedKustomization, Error> {
    let existing = FILE_NAMES.iter().map(|name| directory.join(name));
    let existing = existing.into_iter().find(|path| fs.is_file(path));
    let limit = Limits::default().file_bytes;
    let (mut file, path, action) = if let Some(path) = existing {
        let mut file = Kustomization::decode(&fs.read(&path, limit)?, UnknownFields::Drop)?;
        if file.texts("resources").next().is_none() {
            // Upstream sets a field so that the file is not rejected as empty.
            file.set("buildMetadata", vec!["originAnnotations"]);
        }
        (file, path, Action::Unchanged)
    } else {
        let mut file = Kustomization::default();
        let mut resources = Vec::new();
        let ignored = filter.and_then(|filter| filter.found);
        let scan = Scan { fs, ignored };
        scan.folder(directory, &mut resources)?;
        if resources.is_empty() {
            file.set("namespace", PLACEHOLDER);
        } else {
            file.set("resources", resources);
        }
        (file, directory.join(FILE_NAMES[0]), Action::Created)
    };
    if let Some(filter) = filter {
        for field in ["resources", "components", "crds"] {
            remove_ignored(&mut file, field, fs, directory, filter.listed)?;
        }
    }
    merge(&mut file, fs, directory, spec)?;
    Ok(GeneratedKustomization {
        manifest: file.encode(),
        path,
        action,
    })
}

/// Scans a folder for manifests.
struct Scan<'s> {
    fs: &'s dyn Fs,
    ignored: Option<&'s IgnoreFn<'s>>,
}

impl Scan<'_> {
    /// Collects the files and kustomizations below a folder, sorted by name. Uses a list
    /// instead of recursion because folders may nest deeper than the stack allows.
    fn folder(&self, directory: &Path, resources: &mut Vec<String>) -> Result<(), Error> {
        let fs = self.fs;
        let open_folder = |directory: PathBuf, prefix: String| {
            let names = fs.read_dir(&directory)?.into_iter();
            Ok::<_, Error>((directory, prefix, names))
        };
        let mut open = vec![open_folder(directory.to_path_buf(), "./".to_owned())?];
        while let Some((directory, prefix, names)) = open.last_mut() {
            let Some(name) = names.next() else {
                open.pop();
                continue;
            };
            let path = directory.join(&name);
            // Upstream's walk does not follow links. It reads the target of a link only
            // if the name of the link is that of a manifest.
            let link = fs.is_link(&path)?;
            let kind = if link { None } else { fs.kind(&path)? };
            // In Go, `.yaml` alone is an extension too.
            let is_manifest = [".yaml", ".yml"]
                .iter()
                .any(|extension| name.as_encoded_bytes().ends_with(extension.as_bytes()));
            let is_directory = kind == Some(EntryKind::Directory);
            if !is_directory && !is_manifest {
                continue;
            }
            let name = name.to_str().ok_or_else(|| not_text(&fs.display(&path)))?;
            let relative = format!("{prefix}{name}");
            if is_directory {
                let is_file = |name: &str| fs.is_file(&path.join(name));
                if FILE_NAMES.iter().any(|name| is_file(name)) {
                    resources.push(relative);
                } else {
                    open.push(open_folder(path, format!("{relative}/"))?);
                }
                continue;
            }
            if self.ignored.is_some_and(|ignored| ignored(&path, false)) {
                continue;
            }
            let contents = fs.read(&path, Limits::default().file_bytes)?;
            read::nodes(&contents).map_err(|error| {
                let shown = fs.display(&path);
                error.with_context(format!("failed to decode Kubernetes YAML from {shown}"))
            })?;
            resources.push(relative);
        }
        Ok(())
    }
}

/// Removes ignored entries from a list of paths.
fn remove_ignored(
    file: &mut Kustomization,
    field: &str,
    fs: &dyn Fs,
    directory: &Path,
    ignored: &IgnoreFn<'_>,
) -> Result<(), Error> {
    if file.texts(field).next().is_none() {
        return Ok(());
    }
    let mut kept = Vec::new();
    for entry in file.texts(field) {
        // A URL is not accepted in `crds`.
        if field == "crds" || !is_url(entry) {
            let path = join(directory, entry).ok_or_else(|| security_violation("lstat", entry))?;
            let link = fs.is_link(&path)?;
            if !link && fs.kind(&path)?.is_none() {
                return Err(not_found("lstat", &fs.display(&path)));
            }
            let folder = !link && fs.is_dir(&path);
            if ignored(&path, folder) {
                continue;
            }
        }
        kept.push(entry.to_owned());
    }
    file.set(field, kept);
    Ok(())
}

/// Whether Go's `url.ParseRequestURI` finds a scheme.
fn is_url(entry: &str) -> bool {
    entry.split_once(':').is_some_and(|(scheme, _)| {
        let mut bytes = scheme.bytes();
        bytes
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !entry.contains(|character: char| character.is_ascii_control())
    })
}

/// Whether a path is relative and not remote.
fn is_local(path: &str) -> bool {
    const REMOTE: [&str; 8] = [
        "git::",
        "gh:",
        "ssh://",
        "https://",
        "http://",
        "git@",
        "github.com:",
        "github.com/",
    ];
    let lower = path.to_lowercase();
    // A prefix alone is a valid local name.
    let remote = |prefix: &str| lower.len() > prefix.len() && lower.starts_with(prefix);
    let absolute = lower
        .strip_prefix("file://")
        .unwrap_or(&lower)
        .starts_with('/');
    !absolute && !REMOTE.into_iter().any(remote)
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
    file.append("patches", spec.patches.iter().map(patch));
    for component in &spec.components {
        if !is_local(component) {
            let message = format!("component path '{component}' must be local and relative");
            return Err(Error::new(Code::KustomizationInvalid, message));
        }
        // A path outside of the tree counts as missing.
        let exists = join(directory, component)
            .is_some_and(|path| fs.kind(&path).is_ok_and(|kind| kind.is_some()));
        if exists || !spec.ignore_missing_components {
            file.append("components", [component.as_str().into()]);
        }
    }
    if !spec.images.is_empty() {
        merge_images(file.list_mut("images"), &spec.images);
    }
    if let Some(metadata) = &spec.build_metadata {
        file.set("buildMetadata", metadata.clone());
    }
    Ok(())
}

/// Converts a patch of Flux to the fields that kustomize has.
fn patch(patch: &Value) -> Value {
    let mut result = serde_json::Map::new();
    if let Some(text) = patch.get("patch") {
        result.insert("patch".to_owned(), text.clone());
    }
    if let Some(Value::Object(target)) = patch.get("target") {
        let filled = target
            .iter()
            .filter(|(_, value)| value.as_str() != Some(""));
        let target: serde_json::Map<_, _> = filled
            .map(|(field, value)| (field.clone(), value.clone()))
            .collect();
        result.insert("target".to_owned(), Value::Object(target));
    }
    Value::Object(result)
}

/// Merges images by name. An entry overrides the new name alone, but tag and digest together.
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

/// Builds a folder as the controller does. Checks that each object has an API version,
/// a kind and a name.
pub fn build(
    fs: &dyn Fs,
    directory: &Path,
    spec: &Spec,
    options: &Options,
) -> Result<ResMap, Error> {
    let generated = generate(fs, directory, spec)?;
    build_generated(fs, directory, generated, options)
}

/// Builds a folder with a kustomization file that was generated before.
pub fn build_generated(
    fs: &dyn Fs,
    directory: &Path,
    generated: GeneratedKustomization,
    options: &Options,
) -> Result<ResMap, Error> {
    let tree = OverlayFs::new(fs).with(generated.path, generated.manifest);
    let built = build::build(&tree, directory, options)?;
    for object in built.resources() {
        check_complete(object)?;
    }
    Ok(built)
}

fn check_complete(object: &Object) -> Result<(), Error> {
    if !object.api_version().is_empty() && !object.kind().is_empty() && !object.name().is_empty() {
        return Ok(());
    }
    // The message shows the identity only, because the object may be a Secret.
    let identity = serde_json::json!({
        "apiVersion": object.api_version(),
        "kind": object.kind(),
        "metadata": {"name": object.name(), "namespace": object.namespace()},
    });
    let identity = json::to_string(&identity);
    let message = format!("failed to decode Kubernetes apiVersion, kind and name from: {identity}");
    Err(Error::new(Code::ResourceInvalid, message))
}

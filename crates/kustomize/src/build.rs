//! The build: from a folder to a list of objects.
//!
//! Each kustomization is accumulated depth first: its resources in order, files
//! as they are, folders by recursion. A path is tried as a file, then as a
//! folder, and if neither works both errors are told, as upstream does.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use sluice_object::Object;
use sluice_yaml::v2;

use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, join, not_a_file, not_found, violation};
use crate::kustomization::{FILE_NAMES, Kustomization, Unknown};
use crate::order;
use crate::read::{self, Id};

const ORIGIN: &str = "config.kubernetes.io/origin";
const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";

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

/// Bounds on what a build may take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files that are read.
    pub total_bytes: u64,
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
            resources: 200_000,
            depth: 256,
        }
    }
}

/// How to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The order of the result, unless the kustomization says otherwise.
    pub reorder: Reorder,
    /// Which files a kustomization may read.
    pub load_restrictor: LoadRestrictor,
    /// Bounds on the input.
    pub limits: Limits,
}

impl Options {
    /// What the command `kustomize build` does.
    pub fn cli() -> Self {
        Self {
            reorder: Reorder::Legacy,
            load_restrictor: LoadRestrictor::RootOnly,
            limits: Limits::default(),
        }
    }

    /// What Flux does: no order of its own, and the tree is the limit.
    pub fn flux() -> Self {
        Self {
            reorder: Reorder::None,
            load_restrictor: LoadRestrictor::None,
            limits: Limits::default(),
        }
    }
}

/// The result of a build: objects with distinct identities, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResMap {
    resources: Vec<Object>,
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

    /// The bytes that `kustomize build` prints.
    pub fn as_yaml(&self) -> String {
        let documents: Vec<_> = self
            .resources
            .iter()
            .map(|object| v2::to_string(&object.to_value()))
            .collect();
        documents.join("---\n")
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
    let mut builder = Builder {
        fs,
        options,
        bytes: 0,
        with_origin: false,
        visited: Vec::new(),
    };
    let root = builder
        .confirm_directory(directory)
        .map_err(|error| error.within("must build at directory"))?;
    let file = builder.load(&root)?;
    builder.with_origin = builder.wants_origin(&file, &root)?;
    let reorder = builder.reorder(&file, &root)?;
    let accumulated = builder.accumulate(&file, &root, Path::new(""))?;
    let mut resources = accumulated.objects;
    resources.retain(|object| !is_local_config(object));
    if reorder == Reorder::Legacy {
        order::sort(&mut resources);
    }
    Ok(ResMap { resources })
}

fn is_local_config(object: &Object) -> bool {
    object
        .annotation(LOCAL_CONFIG)
        .is_some_and(|value| value != "false")
}

/// Objects so far, and the identities that are taken.
#[derive(Default)]
struct Accumulated {
    objects: Vec<Object>,
    ids: HashSet<Id>,
}

impl Accumulated {
    fn append(&mut self, objects: Vec<Object>, limits: &Limits) -> Result<(), Error> {
        for object in objects {
            if !self.ids.insert(Id::of(&object)) {
                return Err(read::conflict(&object));
            }
            self.objects.push(object);
        }
        if self.objects.len() > limits.resources {
            let message = format!("more than {} resources", limits.resources);
            return Err(Error::new(Code::Limit, message));
        }
        Ok(())
    }
}

struct Builder<'a> {
    fs: &'a dyn Fs,
    options: &'a Options,
    /// How much was read.
    bytes: u64,
    with_origin: bool,
    /// The folders that lead to the one at hand, each resolved.
    visited: Vec<PathBuf>,
}

impl Builder<'_> {
    fn show(&self, path: &Path) -> String {
        self.fs.display(path)
    }

    /// Resolves a path that must lead to a folder.
    fn confirm_directory(&self, path: &Path) -> Result<PathBuf, Error> {
        let shown = self.show(path);
        let resolved = self.fs.resolve(path).map_err(|error| match error.code() {
            Code::PathNotFound => {
                let missing = not_found("lstat", &shown);
                let context = format!("evalsymlink failure on '{shown}' ");
                missing.within(context).within("not a valid directory")
            }
            _ => error,
        })?;
        if self.fs.kind(&resolved)? != Some(EntryKind::Directory) {
            let message = format!("'{shown}': file is not directory");
            return Err(Error::new(Code::NotADirectory, message));
        }
        Ok(resolved)
    }

    fn read(&mut self, path: &Path) -> Result<Vec<u8>, Error> {
        let limits = &self.options.limits;
        let contents = self.fs.read(path, limits.file_bytes)?;
        self.bytes += contents.len() as u64;
        if self.bytes > limits.total_bytes {
            let message = format!("the input is larger than {} bytes", limits.total_bytes);
            return Err(Error::new(Code::Limit, message));
        }
        Ok(contents)
    }

    /// Finds and decodes the kustomization file of a folder.
    fn load(&mut self, directory: &Path) -> Result<Kustomization, Error> {
        let shown = self.show(directory);
        let mut found = Vec::new();
        for name in FILE_NAMES {
            let path = directory.join(name);
            match self.fs.kind(&path) {
                Ok(Some(EntryKind::File)) => found.push(path),
                Ok(_) => {}
                // A link out of the tree is no file, but it is no absence either.
                Err(error) => return Err(error),
            }
        }
        let path = match found.as_slice() {
            [path] => path,
            [] => {
                let [first, second, third] = FILE_NAMES;
                let message = format!(
                    "unable to find one of '{first}', '{second}' or '{third}' in directory '{shown}'"
                );
                return Err(Error::new(Code::KustomizationMissing, message));
            }
            _ => {
                let message = format!("Found multiple kustomization files under: {shown}\n");
                return Err(Error::new(Code::KustomizationAmbiguous, message));
            }
        };
        let path = path.clone();
        let file = Kustomization::decode(&self.read(&path)?, Unknown::Refuse)?;
        file.validate(&shown)?;
        Ok(file)
    }

    fn unsupported(&self, field: &str, directory: &Path) -> Error {
        let mut names = FILE_NAMES.iter().map(|name| directory.join(name));
        let file = names.find(|path| self.fs.is_file(path));
        let shown = self.show(&file.unwrap_or_else(|| directory.to_path_buf()));
        let message = format!("the field '{field}' of {shown} is not supported");
        Error::new(Code::Unsupported, message)
    }

    /// The list at the top decides for the whole build.
    fn wants_origin(&self, file: &Kustomization, directory: &Path) -> Result<bool, Error> {
        let mut wanted = false;
        for option in file.texts("buildMetadata") {
            match option {
                "originAnnotations" => wanted = true,
                _ => {
                    let field = format!("buildMetadata: {option}");
                    return Err(self.unsupported(&field, directory));
                }
            }
        }
        Ok(wanted)
    }

    /// The order that the kustomization at the top asks for.
    fn reorder(&self, file: &Kustomization, directory: &Path) -> Result<Reorder, Error> {
        let Some(sort) = file.get("sortOptions") else {
            return Ok(self.options.reorder);
        };
        let order = sort.get("order").and_then(|order| order.as_str());
        match (order, sort.get("legacySortOptions")) {
            (Some("fifo"), None) => Ok(Reorder::None),
            (Some("legacy"), None) => Ok(Reorder::Legacy),
            _ => Err(self.unsupported("sortOptions", directory)),
        }
    }

    /// Collects the objects of a kustomization. `origin` is the way to it from
    /// the top.
    fn accumulate(
        &mut self,
        file: &Kustomization,
        directory: &Path,
        origin: &Path,
    ) -> Result<Accumulated, Error> {
        self.visited.push(directory.to_path_buf());
        if self.visited.len() > self.options.limits.depth {
            let message = format!("bases are nested deeper than {}", self.options.limits.depth);
            return Err(Error::new(Code::Limit, message));
        }
        let mut accumulated = Accumulated::default();
        for path in file.texts("resources").chain(file.texts("bases")) {
            self.accumulate_resource(&mut accumulated, path, directory, origin)
                .map_err(|error| error.within("accumulating resources"))?;
        }
        self.visited.pop();
        // A transformation of nothing is none: Flux's placeholder relies on it.
        let nothing = accumulated.objects.is_empty();
        let mut unsupported = file.unsupported();
        if let Some(field) = unsupported.find(|field| !(nothing && *field == "namespace")) {
            return Err(self.unsupported(field, directory));
        }
        Ok(accumulated)
    }

    fn accumulate_resource(
        &mut self,
        accumulated: &mut Accumulated,
        path: &str,
        directory: &Path,
        origin: &Path,
    ) -> Result<(), Error> {
        if is_url(path) {
            return Err(remote(path));
        }
        let Err(as_file) = self.accumulate_file(accumulated, path, directory, origin) else {
            return Ok(());
        };
        // Limits are ours, and no second attempt makes sense of them.
        if as_file.code() == Code::Limit {
            return Err(as_file);
        }
        let outcome = self
            .base(path, directory)
            .map_err(|error| (error, true))
            .and_then(|base| {
                self.accumulate_directory(accumulated, &base, path, origin)
                    .map_err(|error| (error, false))
            });
        let Err((as_directory, is_no_base)) = outcome else {
            return Ok(());
        };
        let malformed = matches!(as_file.code(), Code::MalformedYaml | Code::YamlLimit)
            && as_file.to_string().contains("MalformedYAMLError");
        if is_no_base && malformed {
            return Err(as_file);
        }
        // The fault that matters is the file's if there is a file, or if its
        // path leads out of the tree.
        let exists = !matches!(
            as_file.code(),
            Code::PathNotFound | Code::NotAFile | Code::LoadRestricted | Code::NotADirectory
        );
        let code = if exists && is_no_base {
            as_file.code()
        } else if as_directory.code() == Code::PathNotFound && is_remote(path) {
            return Err(remote(path));
        } else if as_file.code() == Code::LoadRestricted && is_no_base {
            Code::LoadRestricted
        } else {
            as_directory.code()
        };
        let message = format!("accumulation err='{as_file}': {as_directory}");
        Err(Error::new(code, message))
    }

    fn accumulate_file(
        &mut self,
        accumulated: &mut Accumulated,
        path: &str,
        directory: &Path,
        origin: &Path,
    ) -> Result<(), Error> {
        let mut objects = self
            .locate(path, directory)
            .and_then(|file| self.read(&file))
            .and_then(|contents| read::parse(&contents, path))
            .and_then(|objects| {
                // Two of one identity in a file are a fault of the file.
                let mut own = Accumulated::default();
                own.append(objects, &self.options.limits)?;
                Ok(own.objects)
            })
            .map_err(|error| error.within(format!("accumulating resources from '{path}'")))?;
        if self.with_origin {
            let origin = way(origin, path);
            let value = v2::to_string(&serde_json::json!({ "path": origin.to_string_lossy() }));
            for object in &mut objects {
                object.set_annotation(ORIGIN, &value);
            }
        }
        accumulated
            .append(objects, &self.options.limits)
            .map_err(|error| error.within(format!("merging resources from '{path}'")))
    }

    /// The path of a file that the kustomization may read.
    fn locate(&self, path: &str, directory: &Path) -> Result<PathBuf, Error> {
        let absolute = if path.starts_with('/') {
            PathBuf::from(path)
        } else {
            join(directory, path).ok_or_else(|| violation("read", path))?
        };
        if self.options.load_restrictor == LoadRestrictor::None {
            if path.starts_with('/') {
                // Absolute paths are paths of the machine, not of the tree.
                return Err(violation("read", path));
            }
            return Ok(absolute);
        }
        let shown = self.show(&absolute);
        let resolved = self
            .fs
            .resolve(&absolute)
            .map_err(|error| match error.code() {
                Code::PathNotFound => {
                    let context = format!("evalsymlink failure on '{shown}' ");
                    not_found("lstat", &shown).within(context)
                }
                _ => error,
            })?;
        if self.fs.kind(&resolved)? == Some(EntryKind::Directory) {
            return Err(not_a_file(&shown));
        }
        if !resolved.starts_with(directory) {
            let directory = self.show(directory);
            let message = format!("security; file '{shown}' is not in or below '{directory}'");
            return Err(Error::new(Code::LoadRestricted, message));
        }
        Ok(resolved)
    }

    /// The folder that a path leads to, unless that includes one we come from.
    fn base(&self, path: &str, directory: &Path) -> Result<PathBuf, Error> {
        if path.is_empty() {
            let message = "new root cannot be empty";
            return Err(Error::new(Code::PathNotFound, message));
        }
        if path.starts_with('/') {
            let message = format!("new root '{path}' cannot be absolute");
            return Err(Error::new(Code::NotADirectory, message));
        }
        let joined = join(directory, path).ok_or_else(|| violation("read", path))?;
        let base = self
            .confirm_directory(&joined)
            .map_err(|error| error.within("must build at directory"))?;
        for visited in self.visited.iter().rev() {
            if visited.starts_with(&base) {
                let (candidate, visited) = (self.show(&base), self.show(visited));
                let message = format!(
                    "cycle detected: candidate root '{candidate}' contains visited root '{visited}'"
                );
                return Err(Error::new(Code::Cycle, message));
            }
        }
        Ok(base)
    }

    fn accumulate_directory(
        &mut self,
        accumulated: &mut Accumulated,
        base: &Path,
        path: &str,
        origin: &Path,
    ) -> Result<(), Error> {
        let shown = self.show(base);
        let file = self
            .load(base)
            .map_err(|error| error.within(format!("couldn't make target for path '{shown}'")))?;
        if file.is_component() {
            let message = format!("expected kind != 'Component' for path '{shown}'");
            return Err(Error::new(Code::WrongKind, message));
        }
        let origin = way(origin, path);
        let below = self
            .accumulate(&file, base, &origin)
            .map_err(|error| error.within(format!("recursed accumulation of path '{shown}'")))?;
        accumulated
            .append(below.objects, &self.options.limits)
            .map_err(|error| error.within(format!("recursed merging from path '{shown}'")))
    }
}

/// The way from the top to a resource, which may lead upwards.
fn way(origin: &Path, path: &str) -> PathBuf {
    let mut way = origin.to_path_buf();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => way.push(name),
            Component::ParentDir
                if matches!(way.components().next_back(), Some(Component::Normal(_))) =>
            {
                way.pop();
            }
            Component::ParentDir => way.push(".."),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    way
}

fn is_url(path: &str) -> bool {
    ["http://", "https://", "ssh://", "git::", "file://"]
        .iter()
        .any(|scheme| path.starts_with(scheme))
}

/// Would upstream take a path that leads to nothing for a repository?
fn is_remote(path: &str) -> bool {
    is_url(path)
        || ["git@", "github.com/", "github.com:"]
            .iter()
            .any(|prefix| path.starts_with(prefix))
}

fn remote(path: &str) -> Error {
    // The query may carry a token.
    let shown = path.split('?').next().unwrap_or_default();
    let message = format!("remote resource '{shown}' is not supported");
    Error::new(Code::RemoteDenied, message)
}

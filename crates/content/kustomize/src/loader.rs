//! Loads the files of a build: checks where a kustomization may read, limits the number of
//! bytes, and caches decoded files.
//!
//! All kustomizations of a build share a [`Session`]. A [`Root`] is the folder of one
//! kustomization, with the folders that led to it. A path is resolved, including links,
//! before it is checked.
//!
//! Parity: kustomize: `api/internal/loader`.

mod prefetch;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use sluice_golang::quote::quote;

pub(crate) use prefetch::PrefetchedFile;
use prefetch::{FileScope, PrefetchedFiles};

use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, join, not_found, security_violation};
use crate::growth::GrowthBudget;
use crate::kustomization::{FILE_NAMES, Fields, Kustomization, UnknownFields};
use crate::options::{LoadRestrictor, Options};
use crate::read;
use crate::redact::redact_url;
use crate::remote::{self, Repository};
use crate::resource::Resource;
use crate::schema::Schema;

/// The state that all kustomizations of a build share.
pub(crate) struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) schema: Arc<Schema>,
    /// How many bytes were read.
    bytes: Cell<u64>,
    /// How many bytes were added to them.
    pub(crate) growth: GrowthBudget,
    /// The number of built kustomizations. A component counts for each reference to it.
    kustomizations_built: Cell<usize>,
    /// Folders that several kustomizations refer to.
    shared: HashSet<PathBuf>,
    kustomizations: RefCell<HashMap<PathBuf, Rc<File>>>,
    resources: RefCell<HashMap<PathBuf, Vec<Resource>>>,
    /// Prefetched files, by folder.
    prefetched: RefCell<HashMap<PathBuf, PrefetchedFiles>>,
}

/// A decoded kustomization file.
#[derive(Debug)]
pub(crate) struct File {
    /// Its file name.
    pub(crate) name: &'static str,
    pub(crate) fields: Fields,
}

/// A tree of files.
#[derive(Clone)]
enum Tree<'a> {
    Local(&'a dyn Fs),
    Fetched(Arc<dyn Fs>),
}

/// The folder of a kustomization.
pub(crate) struct Root<'a> {
    tree: Tree<'a>,
    path: PathBuf,
    restrictor: LoadRestrictor,
    referrer: Option<Rc<Self>>,
    /// The repository, if the tree is the checkout of one.
    repository: Option<Repository>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options, schema: Arc<Schema>) -> Self {
        Self {
            options,
            schema,
            bytes: Cell::new(0),
            growth: GrowthBudget::new(&options.limits),
            kustomizations_built: Cell::new(0),
            shared: HashSet::new(),
            kustomizations: RefCell::default(),
            resources: RefCell::default(),
            prefetched: RefCell::default(),
        }
    }

    pub(crate) fn warn(&self, message: &str) {
        if let Some(warn) = &self.options.warn {
            warn(message);
        }
    }

    /// Finds folders that several kustomizations refer to, so that their content is cached,
    /// and prefetches resource files. Ignores errors, because the build finds them again.
    pub(crate) fn scan_bases(&mut self, root: &Rc<Root<'a>>) {
        // A fetched tree is read once, so caching it has no use.
        if matches!(root.tree, Tree::Fetched(_)) {
            return;
        }
        let mut seen = HashSet::new();
        let mut shared = HashSet::new();
        let mut folders = Vec::new();
        let mut open = vec![Rc::clone(root)];
        while let Some(root) = open.pop() {
            if !seen.insert(root.path.clone()) {
                shared.insert(root.path.clone());
                continue;
            }
            if seen.len() > self.options.limits.resources {
                break;
            }
            let Ok(file) = self.kustomization(&root) else {
                continue;
            };
            let paths = file.fields.resources.iter().chain(&file.fields.components);
            for path in paths.filter(|path| !looks_like_a_file(path)) {
                if !remote::is_file(path)
                    && Repository::parse(path).is_none()
                    && let Ok(base) = root.descend(path, self)
                {
                    open.push(base);
                }
            }
            folders.push((root, file));
        }
        self.shared = shared;
        self.prefetched = RefCell::new(prefetch::read_all(self, &folders));
    }

    /// Takes the prefetched `resources` of a folder. The first call returns them.
    pub(crate) fn take_prefetched(&self, root: &Root<'_>) -> PrefetchedFiles {
        let is_local = matches!(root.tree, Tree::Local(_));
        let files = self.prefetched.borrow_mut().remove(&root.path);
        files.filter(|_| is_local).unwrap_or_default()
    }

    pub(crate) fn is_shared(&self, root: &Root<'_>) -> bool {
        self.shared.contains(&root.path) && matches!(root.tree, Tree::Local(_))
    }

    /// Finds and decodes the kustomization file of a folder.
    pub(crate) fn kustomization(&self, root: &Root<'_>) -> Result<Rc<File>, Error> {
        let is_local = matches!(root.tree, Tree::Local(_));
        if let Some(file) = self.kustomizations.borrow().get(&root.path)
            && is_local
        {
            return Ok(Rc::clone(file));
        }
        let shown = root.display_path();
        let mut found = Vec::new();
        for name in FILE_NAMES {
            let path = root.path.join(name);
            match root.fs().kind(&path) {
                Ok(Some(EntryKind::File)) => {}
                Ok(_) => continue,
                // A link out of the tree is an error, unlike a missing file.
                Err(error) => return Err(error),
            }
            match root.locate(name) {
                Ok(_) => found.push((name, path)),
                // Upstream treats a file that it may not load as missing.
                Err(error) if error.code() == Code::LoadRestricted => {}
                Err(error) => return Err(error),
            }
        }
        let (name, path) = match found.as_slice() {
            [file] => file,
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
        let shown_file = root.fs().display(path);
        let file = self
            .contents(root.fs(), path)
            .and_then(|contents| Kustomization::decode(&contents, UnknownFields::Refuse))
            .and_then(|file| {
                let fields = file.fields(&|warning| self.warn(warning))?;
                file.validate(&shown)?;
                Ok(Rc::new(File { name, fields }))
            })
            .map_err(|error| error.at_file(shown_file))?;
        if is_local {
            let mut known = self.kustomizations.borrow_mut();
            known.insert(root.path.clone(), Rc::clone(&file));
        }
        Ok(file)
    }

    fn contents(&self, fs: &dyn Fs, path: &Path) -> Result<Vec<u8>, Error> {
        let contents = fs.read(path, self.options.limits.file_bytes)?;
        self.count(contents)
    }

    fn count(&self, contents: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.count_bytes(contents.len() as u64)?;
        Ok(contents)
    }

    /// Counts a built kustomization.
    pub(crate) fn count_kustomization(&self) -> Result<(), Error> {
        let built = self.kustomizations_built.get() + 1;
        self.kustomizations_built.set(built);
        let limit = self.options.limits.resources;
        if built > limit {
            let message = format!("more than {limit} kustomizations");
            return Err(Error::new(Code::Limit, message));
        }
        Ok(())
    }

    fn count_bytes(&self, more: u64) -> Result<(), Error> {
        let bytes = self.bytes.get() + more;
        self.bytes.set(bytes);
        let limit = self.options.limits.total_bytes;
        if bytes > limit {
            let message = format!("the input is larger than {limit} bytes");
            return Err(Error::new(Code::Limit, message));
        }
        Ok(())
    }

    /// Reads the resources of a file, unless they are prefetched or cached.
    pub(crate) fn resources(
        &self,
        root: &Root<'_>,
        path: &str,
        prefetched: Option<PrefetchedFile>,
    ) -> Result<Vec<Resource>, Error> {
        if remote::is_file(path) {
            let contents = root.read(path, self)?;
            let shown = redact_url(path);
            return read::parse(&contents, &shown, &self.schema, &self.growth);
        }
        let (file, prefetched) = match prefetched {
            Some(prefetched) => (prefetched.file, Some((prefetched.bytes, prefetched.nodes))),
            None => (root.locate(path)?, None),
        };
        let is_shared = self.is_shared(root);
        if is_shared && let Some(known) = self.resources.borrow().get(&file) {
            return Ok(known.clone());
        }
        let nodes = match prefetched {
            Some((bytes, nodes)) => {
                self.count_bytes(bytes)?;
                nodes
            }
            None => read::nodes(&self.contents(root.fs(), &file)?),
        };
        let resources = read::resources(nodes, path, &self.schema, &self.growth)
            .map_err(|error| error.at_file(root.fs().display(&file)))?;
        if is_shared {
            self.resources.borrow_mut().insert(file, resources.clone());
        }
        Ok(resources)
    }
}

impl<'a> Root<'a> {
    /// Opens the top folder of a build.
    pub(crate) fn top(
        fs: &'a dyn Fs,
        directory: &Path,
        options: &Options,
    ) -> Result<Rc<Self>, Error> {
        let tree = Tree::Local(fs);
        let path = resolve_directory(fs, directory)
            .map_err(|error| error.with_context("must build at directory"))?;
        Ok(Rc::new(Self {
            tree,
            path,
            restrictor: options.load_restrictor,
            referrer: None,
            repository: None,
        }))
    }

    pub(crate) fn fs(&self) -> &dyn Fs {
        match &self.tree {
            Tree::Local(fs) => *fs,
            Tree::Fetched(fs) => &**fs,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Formats the folder for errors.
    pub(crate) fn display_path(&self) -> String {
        self.fs().display(&self.path)
    }

    /// Formats a file of the folder for errors.
    pub(crate) fn display_file(&self, path: &str) -> String {
        match join(&self.path, path) {
            Some(file) if !remote::is_file(path) => self.fs().display(&file),
            _ => redact_url(path),
        }
    }

    /// The number of kustomizations on the path from the top, including this one.
    pub(crate) fn depth(&self) -> usize {
        self.ancestors().count()
    }

    /// This folder and the folders that led to it.
    fn ancestors(&self) -> impl Iterator<Item = &Root<'a>> {
        std::iter::successors(Some(self), |root| root.referrer.as_deref())
    }

    /// Reads a file that the kustomization refers to.
    pub(crate) fn read(&self, path: &str, session: &Session<'_>) -> Result<Vec<u8>, Error> {
        if remote::is_file(path) {
            let limit = session.options.limits.file_bytes;
            let contents = remote::file(session.options.fetcher.as_deref(), path, limit)?;
            return session.count(contents);
        }
        session.contents(self.fs(), &self.locate(path)?)
    }

    fn scope(&self) -> FileScope<'_> {
        FileScope {
            fs: self.fs(),
            path: &self.path,
            restrictor: self.restrictor,
        }
    }

    /// Resolves the path of a file, if the kustomization may read it.
    fn locate(&self, path: &str) -> Result<PathBuf, Error> {
        self.scope().locate(path)
    }

    /// Opens the folder or repository that a path leads to. Rejects a cycle.
    pub(crate) fn descend(
        self: &Rc<Self>,
        path: &str,
        session: &Session<'_>,
    ) -> Result<Rc<Self>, Error> {
        if path.is_empty() {
            let message = "new root cannot be empty";
            return Err(Error::new(Code::PathNotFound, message));
        }
        if let Some(repository) = Repository::parse(path) {
            return self.check_out(repository, session);
        }
        if path.starts_with('/') {
            let message = format!("new root '{path}' cannot be absolute");
            return Err(Error::new(Code::NotADirectory, message));
        }
        // Upstream also looks for a URL in the tree. Errors must not show its secrets.
        let path = &*if remote::is_file(path) {
            redact_url(path).into()
        } else {
            Cow::Borrowed(path)
        };
        let outside = |error: Error| match self.tree {
            Tree::Local(_) => error,
            Tree::Fetched(_) => {
                let whole = self.fs().display(Path::new("/"));
                error.with_message(format!(
                    "security; bases in kustomizations found in cloned git repos must be within the repo, but base '{path}' is outside '{whole}'"
                ))
            }
        };
        let joined =
            join(&self.path, path).ok_or_else(|| outside(security_violation("read", path)))?;
        let base = resolve_directory(self.fs(), &joined).map_err(|error| match error.code() {
            Code::SecurityViolation => outside(error),
            _ => error.with_context("must build at directory"),
        })?;
        for visited in self.ancestors() {
            if visited.path.starts_with(&base) {
                let (candidate, visited) = (self.fs().display(&base), visited.display_path());
                let message = format!(
                    "cycle detected: candidate root '{candidate}' contains visited root '{visited}'"
                );
                return Err(Error::new(Code::Cycle, message));
            }
            // Folders further up belong to another tree.
            if visited.repository.is_some() {
                break;
            }
        }
        Ok(Rc::new(Self {
            tree: self.tree.clone(),
            path: base,
            restrictor: self.restrictor,
            referrer: Some(Rc::clone(self)),
            repository: None,
        }))
    }

    fn check_out(
        self: &Rc<Self>,
        repository: Repository,
        session: &Session<'_>,
    ) -> Result<Rc<Self>, Error> {
        let mut known = self.ancestors().filter_map(|root| root.repository.as_ref());
        if let Some(known) = known.find(|known| known.raw.starts_with(&repository.raw)) {
            let message = format!(
                "cycle detected: URI '{}' referenced by previous URI '{}'",
                redact_url(&repository.raw),
                redact_url(&known.raw)
            );
            return Err(Error::new(Code::Cycle, message));
        }
        Self::from_repository(repository, Some(Rc::clone(self)), session.options)
    }

    /// Fetches a repository and opens its folder.
    pub(crate) fn from_repository(
        repository: Repository,
        referrer: Option<Rc<Self>>,
        options: &Options,
    ) -> Result<Rc<Self>, Error> {
        if let Some(warn) = &options.warn
            && repository.is_forced()
        {
            let shown = redact_url(&repository.raw);
            warn(&format!(
                "Warning: the prefix 'git::' of '{shown}' changes nothing, and may be refused some day: remove it"
            ));
        }
        let fs = remote::check_out(options.fetcher.as_deref(), &repository)?;
        let folder = Path::new("/").join(&repository.folder);
        let shown = fs.display(&folder);
        let path = fs.resolve(&folder).map_err(|error| match error.code() {
            Code::PathNotFound => missing_path_error(&*fs, &folder),
            Code::SecurityViolation => {
                let message = format!(
                    "{} refers to directory outside of repo {}",
                    quote(&shown),
                    quote(&fs.display(Path::new("/")))
                );
                error.with_message(message)
            }
            _ => error,
        })?;
        if fs.kind(&path)? != Some(EntryKind::Directory) {
            let file = repository.folder.file_name().unwrap_or_default();
            let file = file.to_string_lossy();
            let message = format!("'{shown}' refers to file '{file}'; expecting directory");
            return Err(Error::new(Code::NotADirectory, message));
        }
        Ok(Rc::new(Self {
            tree: Tree::Fetched(fs),
            path,
            restrictor: LoadRestrictor::RootOnly,
            referrer,
            repository: Some(repository),
        }))
    }
}

/// Guesses from the name, which spares the scan a file system access.
fn looks_like_a_file(path: &str) -> bool {
    let extension = Path::new(path).extension();
    extension.is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// Resolves a path, which must lead to a folder.
fn resolve_directory(fs: &dyn Fs, path: &Path) -> Result<PathBuf, Error> {
    let shown = fs.display(path);
    let resolved = fs.resolve(path).map_err(|error| match error.code() {
        Code::PathNotFound => missing_path_error(fs, path).with_context("not a valid directory"),
        _ => error,
    })?;
    if fs.kind(&resolved)? != Some(EntryKind::Directory) {
        let message = format!("'{shown}': file is not directory");
        return Err(Error::new(Code::NotADirectory, message));
    }
    Ok(resolved)
}

/// Creates the error for a path that cannot be resolved. It names the first missing folder.
fn missing_path_error(fs: &dyn Fs, path: &Path) -> Error {
    let ancestors: Vec<&Path> = path.ancestors().collect();
    let is_missing = |place: &&&Path| matches!(fs.kind(place), Ok(None));
    let missing = ancestors.iter().rev().find(is_missing).unwrap_or(&path);
    let context = format!("evalsymlink failure on '{}' ", fs.display(path));
    not_found("lstat", &fs.display(missing)).with_context(context)
}

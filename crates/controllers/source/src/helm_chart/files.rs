//! The files of a source's artifact, without a copy of the tree on a disk. Blocks.

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_artifact::storage::Storage;
use sluice_artifact::untar::Limits;
use sluice_chart::{Chart, Metadata, load};
use sluice_golang::error::chain;
use sluice_producer::Tree;

/// Maximum size of a file that is not part of a chart, such as a values file.
const MAX_FILE_BYTES: u64 = 100 << 20;

/// Some files of an artifact.
pub(super) struct SourceFiles {
    tree: Tree,
}

/// Why an artifact could not be read.
#[derive(Debug)]
pub(super) enum OpenError {
    /// The storage does not have it.
    Missing,
    /// It could not be unpacked.
    Untar(String),
}

/// The target of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Folder,
    File,
    Nothing,
}

impl SourceFiles {
    /// Reads the wanted entries of an artifact.
    pub(super) fn open(
        storage: &Storage,
        artifact: &Artifact,
        is_wanted: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Result<Self, OpenError> {
        let archive = storage.open_verified(&artifact.path, &artifact.digest, now);
        let archive = archive.map_err(|_| OpenError::Missing)?;
        let is_wanted = |path: &Vec<Vec<u8>>| is_wanted(&joined(path));
        let tree = Tree::read_some(archive, Limits::unlimited(), is_wanted)
            .map_err(|error| OpenError::Untar(chain(&error)))?;
        Ok(Self { tree })
    }

    pub(super) fn entry(&self, path: &str) -> Entry {
        let key = key(path);
        if self.tree.size(&key).is_some() {
            Entry::File
        } else if path.is_empty() || self.tree.contains(&key) {
            Entry::Folder
        } else {
            Entry::Nothing
        }
    }

    /// Reads a file of at most `limit` bytes.
    pub(super) fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, String> {
        let key = key(path);
        if self.tree.size(&key).is_some_and(|size| size > limit) {
            let name = path.rsplit('/').next().unwrap_or_default();
            return Err(format!("size of '{name}' exceeds '{limit}' bytes limit"));
        }
        self.tree.file(&key).map_err(|error| chain(&error))
    }

    /// Reads a values file.
    pub(super) fn values(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.read(path, MAX_FILE_BYTES)
    }

    /// Reads the metadata of a chart in a folder or an archive.
    pub(super) fn metadata(
        &self,
        path: &str,
        limits: &load::Limits,
        archive_limit: u64,
    ) -> Result<Metadata, String> {
        match self.entry(path) {
            Entry::Nothing => Err(format!("stat /{path}: no such file or directory")),
            Entry::File => {
                let archive = self.archive(path, archive_limit)?;
                let metadata = load::archive_metadata(&archive[..], limits);
                metadata.map_err(|error| chain(&error))
            }
            Entry::Folder => {
                let file = below(path, "Chart.yaml");
                let chart = self
                    .read(&file, limits.file)?
                    .ok_or_else(|| format!("open /{file}: no such file or directory"))?;
                let requirements = self.read(&below(path, "requirements.yaml"), limits.file)?;
                load::folder_metadata(&chart, requirements.as_deref())
                    .map_err(|error| chain(&error))
            }
        }
    }

    /// Reads the archive of a chart.
    pub(super) fn archive(&self, path: &str, limit: u64) -> Result<Vec<u8>, String> {
        let size = self.tree.size(&key(path)).unwrap_or_default();
        if size > limit {
            let name = path.rsplit('/').next().unwrap_or_default();
            return Err(format!(
                "size of chart '{name}' exceeds '{limit}' bytes limit"
            ));
        }
        let archive = self.read(path, limit)?;
        archive.ok_or_else(|| format!("stat /{path}: no such file or directory"))
    }

    /// Loads a chart from a folder or an archive.
    pub(super) fn load(
        &self,
        path: &str,
        limits: &load::Limits,
        archive_limit: u64,
    ) -> Result<Chart, String> {
        match self.entry(path) {
            Entry::Nothing => Err(format!("lstat /{path}: no such file or directory")),
            Entry::File => {
                let archive = self.archive(path, archive_limit)?;
                load::archive(&archive, limits).map_err(|error| chain(&error))
            }
            Entry::Folder => self.load_folder(path, limits),
        }
    }

    fn load_folder(&self, path: &str, limits: &load::Limits) -> Result<Chart, String> {
        let ignore = self.read(&below(path, ".helmignore"), limits.file)?;
        let mut rules = load::IgnoreRules::parse(ignore.as_deref())
            .map_err(|error| format!("cannot load ignore rules for chart: {}", chain(&error)))?;
        let failed = |why: String| format!("failed to load files from /{path}: {why}");
        let mut files = Vec::new();
        let mut left = limits.total;
        for key in self.tree.files() {
            let file = joined(&key);
            let Some(name) = name_below(path, &file).filter(|name| !rules.is_ignored(name)) else {
                continue;
            };
            let size = self.tree.size(&key).unwrap_or_default();
            if size > limits.file {
                let limit = limits.file;
                return Err(failed(format!(
                    "cannot load file {name} as file size ({size}) exceeds limit ({limit})"
                )));
            }
            if files.len() as u64 >= limits.files {
                let error = sluice_chart::Error::TooManyFiles(limits.files);
                return Err(failed(error.to_string()));
            }
            left = left
                .checked_sub(size)
                .ok_or_else(|| failed(sluice_chart::Error::TooLarge(limits.total).to_string()))?;
            let data = self
                .tree
                .file(&key)
                .map_err(|error| failed(chain(&error)))?;
            files.push(load::file(name, data.unwrap_or_default()));
        }
        load::files(files, limits)
            .map_err(|error| format!("failed to load chart from /{path}: {}", chain(&error)))
    }
}

/// The path of a file in a folder.
pub(super) fn below(folder: &str, file: &str) -> String {
    if folder.is_empty() {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}

/// Whether a path is a folder or lies below it.
pub(super) fn is_below(folder: &str, path: &str) -> bool {
    folder.is_empty() || path == folder || name_below(folder, path).is_some()
}

fn name_below<'f>(folder: &str, file: &'f str) -> Option<&'f str> {
    if folder.is_empty() {
        return Some(file);
    }
    file.strip_prefix(folder)?.strip_prefix('/')
}

fn key(path: &str) -> Vec<Vec<u8>> {
    path.split('/')
        .map(|part| part.as_bytes().to_vec())
        .collect()
}

fn joined(key: &[Vec<u8>]) -> String {
    String::from_utf8_lossy(&key.join(&b'/')).into_owned()
}

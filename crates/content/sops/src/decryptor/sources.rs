//! Decrypts the files that a build reads: sources of Secret generators, and patches.
//!
//! The walk follows folders that kustomization files refer to as resources and components. It
//! ignores URLs, plain files and missing paths. A folder must have exactly one kustomization
//! file.

use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use sluice_dial::Sensitive;
use url::Url;

use crate::decryptor::Decryptor;
use crate::error::Error;
use crate::format::Format;

/// The maximum size of a file to decrypt.
pub const MAX_FILE_BYTES: u64 = 5 << 20;

/// The names of a kustomization file.
const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The maximum number of folders of a walk.
const MAX_FOLDERS: usize = 10_000;

/// The kind of file that a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceEntry {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// Anything else; never read.
    Other,
}

/// The error of a tree, with its own message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TreeError(pub String);

/// A tree of files. Paths are normalised and begin at its root, `/`. A link out of the tree is
/// an error.
pub trait SourceTree {
    /// Returns the kind of file at a path, following links; `None` if it does not exist.
    fn entry(&self, path: &Path) -> Result<Option<SourceEntry>, TreeError>;

    /// Resolves all links of a path, which must exist.
    fn resolve(&self, path: &Path) -> Result<PathBuf, TreeError>;

    /// Reads a regular file of at most `limit` bytes.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, TreeError>;
}

/// A file with its decrypted content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecryptedFile {
    /// The path at which the build reads it.
    pub path: PathBuf,
    /// The decrypted content.
    pub content: Sensitive<Vec<u8>>,
}

/// Why the files of a build cannot be decrypted.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The tree returned an error.
    #[error("{path}")]
    Tree {
        /// The path.
        path: String,
        /// The error.
        source: TreeError,
    },
    /// A path leads out of the tree.
    #[error("{0}: the path leads out of the source")]
    Outside(String),
    /// A path does not exist.
    #[error("{0}: no such file or directory")]
    Missing(String),
    /// A path is not a regular file.
    #[error("{0}: cannot decrypt irregular file as it has file mode type bits set")]
    Irregular(String),
    /// A folder has no kustomization file.
    #[error("{0}: no kustomization file found")]
    NoKustomization(String),
    /// A folder has several kustomization files.
    #[error("{0}: found multiple kustomization files")]
    Kustomizations(String),
    /// A kustomization file is not YAML.
    #[error("failed to unmarshal kustomization file from '{path}': {reason}")]
    Kustomization {
        /// The path.
        path: String,
        /// The error.
        reason: String,
    },
    /// The kustomization files refer to too many folders.
    #[error("the kustomization files refer to more than {MAX_FOLDERS} folders")]
    Folders,
    /// A file cannot be decrypted.
    #[error("{path}")]
    Decrypt {
        /// The path.
        path: String,
        /// The cause.
        source: Box<Error>,
    },
}

/// The state of a walk.
#[derive(Default)]
struct Walk {
    visited: HashSet<PathBuf>,
    decrypted: BTreeMap<PathBuf, Sensitive<Vec<u8>>>,
}

/// A file that a kustomization file refers to, with its format if it is encrypted.
struct Reference {
    path: String,
    format: Format,
}

impl Decryptor {
    /// Decrypts the files that a build of a folder reads. Returns each under every path that
    /// refers to it.
    pub async fn decrypt_sources(
        &self,
        tree: &dyn SourceTree,
        directory: &Path,
    ) -> Result<Vec<DecryptedFile>, SourceError> {
        let mut walk = Walk::default();
        let mut folders = vec![directory.to_path_buf()];
        let mut is_first = true;
        while let Some(folder) = folders.pop() {
            let found = match tree.entry(&folder) {
                Ok(Some(SourceEntry::Directory)) => true,
                Ok(_) => false,
                // The path or a link leads out of the tree.
                Err(_) if !is_first => false,
                Err(source) => return Err(refused(&folder, source)),
            };
            if !found {
                if is_first {
                    return Err(SourceError::Missing(display_path(&folder)));
                }
                continue;
            }
            is_first = false;
            let resolved = tree
                .resolve(&folder)
                .map_err(|source| refused(&folder, source))?;
            if !walk.visited.insert(resolved) {
                continue;
            }
            if walk.visited.len() > MAX_FOLDERS {
                return Err(SourceError::Folders);
            }
            let file = kustomization(tree, &folder)?;
            for reference in references(&file) {
                self.file(tree, &folder, &reference, &mut walk).await?;
            }
            let below = texts(&file, "resources").chain(texts(&file, "components"));
            let below: Vec<PathBuf> = below.filter_map(|path| join(&folder, path)).collect();
            folders.extend(below.into_iter().rev());
        }
        let files = walk.decrypted.into_iter();
        Ok(files
            .map(|(path, content)| DecryptedFile { path, content })
            .collect())
    }

    async fn file(
        &self,
        tree: &dyn SourceTree,
        folder: &Path,
        reference: &Reference,
        walk: &mut Walk,
    ) -> Result<(), SourceError> {
        let path = join(folder, &reference.path)
            .ok_or_else(|| SourceError::Outside(reference.path.clone()))?;
        let failed = |source| refused(&path, source);
        match tree.entry(&path).map_err(failed)? {
            None => return Err(SourceError::Missing(display_path(&path))),
            Some(SourceEntry::File) => {}
            Some(SourceEntry::Directory | SourceEntry::Other) => {
                return Err(SourceError::Irregular(display_path(&path)));
            }
        }
        let resolved = tree.resolve(&path).map_err(failed)?;
        if let Some(content) = walk.decrypted.get(&resolved).cloned() {
            walk.decrypted.insert(path, content);
            return Ok(());
        }
        let bytes = tree.read(&resolved, MAX_FILE_BYTES).map_err(failed)?;
        if !reference.format.is_marked(&bytes) {
            return Ok(());
        }
        let format = reference.format;
        let plain = self.decrypt(&bytes, format, format).await;
        let plain = plain.map_err(|source| SourceError::Decrypt {
            path: display_path(&path),
            source: Box::new(source),
        })?;
        walk.decrypted.insert(resolved, plain.clone());
        walk.decrypted.insert(path, plain);
        Ok(())
    }
}

fn refused(path: &Path, source: TreeError) -> SourceError {
    SourceError::Tree {
        path: display_path(path),
        source,
    }
}

/// Formats a path of the tree for errors.
fn display_path(path: &Path) -> String {
    let path = path.strip_prefix("/").unwrap_or(path);
    if path.as_os_str().is_empty() {
        ".".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Joins a relative path to a folder; `None` if it is absolute or leads out of the tree.
fn join(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut joined = folder.to_path_buf();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir => {
                if !joined.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(joined)
}

/// Reads the only kustomization file of a folder.
fn kustomization(tree: &dyn SourceTree, folder: &Path) -> Result<Value, SourceError> {
    let mut found = None;
    for name in FILE_NAMES {
        let path = folder.join(name);
        match tree.entry(&path).map_err(|source| refused(&path, source))? {
            None => continue,
            Some(SourceEntry::File) => {}
            Some(SourceEntry::Directory | SourceEntry::Other) => {
                return Err(SourceError::Irregular(display_path(&path)));
            }
        }
        if found.replace(path).is_some() {
            return Err(SourceError::Kustomizations(display_path(folder)));
        }
    }
    let path = found.ok_or_else(|| SourceError::NoKustomization(display_path(folder)))?;
    let bytes = tree
        .read(&path, MAX_FILE_BYTES)
        .map_err(|source| refused(&path, source))?;
    sluice_yaml::v2::from_slice(&bytes).map_err(|error| SourceError::Kustomization {
        path: display_path(&path),
        reason: error.to_string(),
    })
}

fn texts<'a>(file: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    let items = file.get(field).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the files that a kustomization file refers to and that may be encrypted.
fn references(file: &Value) -> Vec<Reference> {
    let mut found = Vec::new();
    let list = |field| {
        file.get(field)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for generator in list("secretGenerator") {
        for source in texts(generator, "files") {
            let (key, path) = source.split_once('=').unwrap_or((source, source));
            found.push(Reference {
                path: path.to_owned(),
                format: Format::from_path(key),
            });
        }
        for path in texts(generator, "envs") {
            let format = match Format::from_path(path) {
                Format::Binary => Format::Dotenv,
                format => format,
            };
            found.push(Reference {
                path: path.to_owned(),
                format,
            });
        }
    }
    for patch in list("patches") {
        let path = patch
            .get("path")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let is_remote = Url::parse(path).is_ok_and(|url| url.has_host());
        if !path.is_empty() && !is_remote {
            found.push(Reference {
                path: path.to_owned(),
                format: Format::from_path(path),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests;

//! From an archive to objects: unpacked, built, expanded. Blocks.
//!
//! A small tree is unpacked into memory, where it costs no file and nothing has to
//! be cleaned up; a large one into a directory of its own, which goes with the
//! build. Either way nothing outside the tree can be read.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sluice_artifact::digest::Algorithm;
use sluice_artifact::fetch::Fetched;
use sluice_artifact::untar::{self, Limits};
use sluice_kustomize::fs::{EntryKind, MemFs, SecureFs};
use sluice_kustomize::{Fs, Options, flux};
use sluice_object::{Object, documents};

/// Trees up to this size are built in memory.
const IN_MEMORY: u64 = 32 << 20;

/// What a build gave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Built {
    pub(super) objects: Vec<Object>,
    /// The digest of the manifests, as one text.
    pub(super) digest: String,
}

/// Why there are no manifests.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// The archive cannot be unpacked.
    #[error("failed to untar artifact")]
    Archive(#[source] untar::Error),
    /// There is nowhere to unpack it to.
    #[error("prepare a directory to build in")]
    Directory(#[source] std::io::Error),
    /// It has no such folder.
    #[error("kustomization path not found: {0}")]
    Path(String),
    /// The folder cannot be built.
    #[error("{0}")]
    Kustomize(String),
}

/// Builds a folder of an archive; `path` is clean and relative to its root.
pub(super) fn build(archive: &Arc<Fetched>, path: &str) -> Result<Built, BuildError> {
    let unpacked = unpack(archive)?;
    build_tree(unpacked.tree(), path)
}

fn build_tree(tree: &dyn Fs, path: &str) -> Result<Built, BuildError> {
    let directory = Path::new("/").join(path);
    let shown = if path.is_empty() { "." } else { path };
    match tree.kind(&directory) {
        Ok(Some(EntryKind::Directory)) => {}
        Ok(Some(_)) => return Err(BuildError::Path(format!("{shown} is not a directory"))),
        Ok(None) => {
            return Err(BuildError::Path(format!(
                "{shown}: no such file or directory"
            )));
        }
        Err(error) => return Err(BuildError::Path(error.to_string())),
    }
    let built = flux::build(tree, &directory, &flux::Spec::default(), &Options::flux());
    let built = built.map_err(|error| BuildError::Kustomize(worded(&error.to_string())))?;
    let digest = Algorithm::Sha256
        .digest(built.as_yaml().as_bytes())
        .to_string();
    let values = built.into_objects().into_iter().map(Object::into_value);
    let objects = documents::expand(values);
    let objects = objects
        .into_iter()
        .filter(|object| !documents::is_kustomization_config(object));
    Ok(Built {
        objects: objects.collect(),
        digest,
    })
}

/// Flux says of what kustomize refuses that the build failed, and lets what it
/// finds itself before and after stand alone.
fn worded(message: &str) -> String {
    if message.starts_with("failed to decode Kubernetes") {
        message.to_owned()
    } else {
        format!("kustomize build failed: {message}")
    }
}

/// An unpacked archive.
enum Unpacked {
    Memory(MemFs),
    /// The directory goes when this does.
    Disk(
        SecureFs,
        #[expect(dead_code, reason = "held for its drop")] tempfile::TempDir,
    ),
}

impl Unpacked {
    fn tree(&self) -> &dyn Fs {
        match self {
            Self::Memory(tree) => tree,
            Self::Disk(tree, _) => tree,
        }
    }
}

fn unpack(archive: &Arc<Fetched>) -> Result<Unpacked, BuildError> {
    // What does not fit in compressed form need not be tried.
    if archive.size() <= IN_MEMORY
        && let Some(tree) = into_memory(archive)?
    {
        return Ok(Unpacked::Memory(tree));
    }
    let directory = tempfile::Builder::new()
        .prefix("kustomization-")
        .tempdir()
        .map_err(BuildError::Directory)?;
    archive
        .untar(directory.path(), Limits::unlimited())
        .map_err(BuildError::Archive)?;
    let tree = SecureFs::new(directory.path())
        .map_err(|error| BuildError::Directory(std::io::Error::other(error)))?;
    Ok(Unpacked::Disk(tree, directory))
}

/// Unpacks into memory; `None` if it is too large for that.
fn into_memory(archive: &Arc<Fetched>) -> Result<Option<MemFs>, BuildError> {
    let mut tree = MemFs::new();
    let mut left = IN_MEMORY;
    let mut entries = archive.entries(Limits::unlimited());
    while let Some(mut entry) = entries.next_entry().map_err(BuildError::Archive)? {
        // A name that is no text cannot be referred to by any manifest.
        let path: PathBuf = entry.path().to_owned();
        let Some(name) = path.to_str() else { continue };
        if entry.is_directory() {
            tree.insert_dir(name);
            continue;
        }
        if entry.size() > left {
            return Ok(None);
        }
        left -= entry.size();
        let mut contents = Vec::with_capacity(usize::try_from(entry.size()).unwrap_or_default());
        entry
            .read_to_end(&mut contents)
            .map_err(|error| BuildError::Archive(untar::Error::Read(error)))?;
        tree.insert(name, contents);
    }
    Ok(Some(tree))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\ndata: {a: b}\n";

    fn names(built: &Built) -> Vec<String> {
        built
            .objects
            .iter()
            .map(|object| object.id().to_string())
            .collect()
    }

    #[test]
    fn a_plain_folder_is_built_with_what_is_below_it() {
        let tree = MemFs::new()
            .with("deploy/a.yaml", CONFIG)
            .with("deploy/more/list.yml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n")
            .with("deploy/README.md", "# not a manifest")
            .with("elsewhere.yaml", "not: a manifest");
        let built = build_tree(&tree, "deploy").unwrap();
        assert_eq!(names(&built), ["ConfigMap/apps/a", "Namespace/n"]);
        assert!(built.digest.starts_with("sha256:"), "{}", built.digest);
    }

    #[test]
    fn a_kustomization_says_what_belongs_to_it() {
        let tree = MemFs::new()
            .with("kustomization.yaml", "resources: [a.yaml]")
            .with("a.yaml", CONFIG)
            .with("b.yaml", "nonsense");
        assert_eq!(names(&build_tree(&tree, "").unwrap()), ["ConfigMap/apps/a"]);
    }

    #[test]
    fn an_empty_folder_is_nothing_and_no_error() {
        let tree = MemFs::new().with("README.md", "");
        assert_eq!(build_tree(&tree, "").unwrap().objects, []);
    }

    #[test]
    fn mistakes_are_told_without_a_path_of_this_machine() {
        let tree = MemFs::new()
            .with("bad/a.yaml", "a: [")
            .with("file", "")
            .with("k/kustomization.yaml", "resources: [gone.yaml]");
        let told = |path: &str| build_tree(&tree, path).unwrap_err().to_string();
        assert_eq!(
            told("gone"),
            "kustomization path not found: gone: no such file or directory"
        );
        assert_eq!(
            told("file"),
            "kustomization path not found: file is not a directory"
        );
        assert!(
            told("bad").starts_with("failed to decode Kubernetes YAML from "),
            "{}",
            told("bad")
        );
        assert!(
            told("k").starts_with("kustomize build failed: "),
            "{}",
            told("k")
        );
        assert!(told("k").contains("gone.yaml"));
    }
}

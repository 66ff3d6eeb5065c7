//! The files that a bootstrap commits, and the messages of its commits. Pure: a file tree in,
//! files out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sluice_golang::error::chain;
use sluice_kustomize::fs::{EntryKind, OverlayFs, not_text};
use sluice_kustomize::remote::Fetcher;
use sluice_kustomize::{FILE_NAMES, Fs};
use sluice_lifecycle::Error;
use sluice_manifests::{FILE_NAME, KUSTOMIZATION_FILE_NAME, SYNC_FILE_NAME, Sync};
use sluice_object::Object;

/// Maximum size of a manifest file.
const MAX_MANIFEST_BYTES: u64 = 8 << 20;

/// Files by path from the root of the repository.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The directory of a cluster's own files and their content.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The directory, from the root of the repository.
    folder: PathBuf,
    /// The manifests of the controllers.
    pub(crate) components: String,
    /// The objects that sync the cluster.
    pub(crate) sync: Sync,
}

impl Layout {
    /// The layout of these manifests.
    pub(crate) fn new(components: String, sync: Sync) -> Self {
        Self {
            folder: Path::new(&sync.path).join(&sync.namespace),
            components,
            sync,
        }
    }

    /// The files of the first commit.
    pub(crate) fn component_files(&self) -> Files {
        let components = self.components.clone().into_bytes();
        Files::from([(self.folder.join(FILE_NAME), components)])
    }

    /// The files of the second commit; an existing kustomization file stays.
    pub(crate) fn sync_files(&self, tree: &dyn Fs) -> Result<Files, Error> {
        let sync = self.sync.to_yaml().into_bytes();
        let mut files = Files::from([(self.folder.join(SYNC_FILE_NAME), sync)]);
        if self.kustomization(tree)?.is_none() {
            let others = manifests(tree, &self.root())?;
            let text = sluice_manifests::kustomization(others);
            files.insert(self.folder.join(KUSTOMIZATION_FILE_NAME), text.into_bytes());
        }
        Ok(files)
    }

    /// The objects of the controllers that a tree has. Unreadable manifests count as none.
    pub(crate) fn committed(&self, tree: &dyn Fs) -> Vec<Object> {
        let content = tree.read(&self.root().join(FILE_NAME), MAX_MANIFEST_BYTES);
        let text = content.ok().and_then(|it| String::from_utf8(it).ok());
        let values = text.and_then(|text| sluice_yaml::v2::documents(&text).ok());
        sluice_object::documents::expand(values.unwrap_or_default())
    }

    /// The directory, from the root of the repository.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The directory, as a path of a tree.
    pub(crate) fn root(&self) -> PathBuf {
        Path::new("/").join(&self.folder)
    }

    /// The kustomization file of the directory, under any of its names.
    pub(crate) fn kustomization(&self, tree: &dyn Fs) -> Result<Option<PathBuf>, Error> {
        for name in FILE_NAMES {
            let path = self.root().join(name);
            if tree.kind(&path).map_err(|error| unreadable(&error))? == Some(EntryKind::File) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// The objects of the directory, including the user's patches.
    pub(crate) fn build(
        &self,
        tree: &dyn Fs,
        fetcher: Option<Arc<dyn Fetcher>>,
    ) -> Result<Vec<Object>, Error> {
        let options = sluice_kustomize::Options {
            fetcher,
            ..sluice_kustomize::Options::flux()
        };
        let built = sluice_kustomize::build(tree, &self.root(), &options).map_err(|error| {
            let folder = self.folder.display();
            let refused = Error::user(format!(
                "kustomization.yaml in {folder} cannot be built: {error}"
            ));
            if self.sync.sparse_checkout.is_empty() {
                return refused;
            }
            refused.hint("add the directory to --sparse-checkout: the cluster gets no others")
        })?;
        let values = sluice_yaml::v2::documents(&built.to_yaml())
            .map_err(|error| Error::internal(format!("read what was built: {error}")))?;
        Ok(sluice_object::documents::expand(values))
    }

    /// Builds the directory with our files in place of those of the tree.
    pub(crate) fn check_build(
        &self,
        tree: &dyn Fs,
        files: &Files,
        fetcher: Arc<dyn Fetcher>,
    ) -> Result<(), Error> {
        let mut over = OverlayFs::new(tree);
        for (path, content) in files {
            over = over.with(Path::new("/").join(path), content.clone());
        }
        self.build(&over, Some(fetcher)).map(drop)
    }

    /// Our files that the kustomization file does not list.
    pub(crate) fn unlisted(&self, tree: &dyn Fs) -> Result<Vec<&'static str>, Error> {
        let Some(path) = self.kustomization(tree)? else {
            return Ok(Vec::new());
        };
        let text = tree
            .read(&path, MAX_MANIFEST_BYTES)
            .map_err(|error| unreadable(&error))?;
        let text = String::from_utf8_lossy(&text);
        let Ok(documents) = sluice_yaml::v2::documents(&text) else {
            return Ok(Vec::new());
        };
        let listed = |name: &str| {
            let resources = documents
                .iter()
                .filter_map(|file| file["resources"].as_array());
            let mut resources = resources.flatten().filter_map(|one| one.as_str());
            resources.any(|resource| resource.trim_start_matches("./") == name)
        };
        let ours = [FILE_NAME, SYNC_FILE_NAME];
        Ok(ours.into_iter().filter(|name| !listed(name)).collect())
    }
}

/// The branch of a proposal, named after its content.
pub(crate) fn proposal_branch(files: &Files) -> String {
    let mut content = aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA256);
    for (path, text) in files {
        content.update(path.as_os_str().as_encoded_bytes());
        content.update(&[0]);
        content.update(&(text.len() as u64).to_be_bytes());
        content.update(text);
    }
    let digest = content.finish();
    let mut short = [0; 8];
    short[3..].copy_from_slice(&digest.as_ref()[..5]);
    let short = u64::from_be_bytes(short);
    format!("flux/bootstrap-{short:010x}")
}

/// A path below the root of a repository. `..` does not lead out of it.
pub fn safe_path(text: &str) -> String {
    let mut parts = Vec::new();
    for part in text.trim().split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The message of a commit, with an appendix.
pub(crate) fn message(subject: &str, appendix: Option<&str>) -> String {
    match appendix {
        Some(appendix) => format!("{subject}\n\n{appendix}"),
        None => subject.to_owned(),
    }
}

/// The files that differ from a tree, and whether the tree has another version.
pub(crate) fn changed<'f>(tree: &dyn Fs, files: &'f Files) -> Vec<(&'f Path, bool)> {
    let mut found = Vec::new();
    for (path, content) in files {
        match tree.read(&Path::new("/").join(path), MAX_MANIFEST_BYTES) {
            Ok(there) if there == *content => {}
            there => found.push((path.as_path(), there.is_ok())),
        }
    }
    found
}

fn unreadable(error: &sluice_kustomize::Error) -> Error {
    Error::user(format!("read the repository: {}", chain(error)))
}

/// The manifests below a directory: files with objects, and directories with a kustomization file.
fn manifests(tree: &dyn Fs, folder: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(within) = pending.pop() {
        let directory = folder.join(&within);
        if tree.kind(&directory).map_err(|error| unreadable(&error))? != Some(EntryKind::Directory)
        {
            continue;
        }
        for name in tree
            .read_dir(&directory)
            .map_err(|error| unreadable(&error))?
        {
            let at = directory.join(&name);
            let kind = tree.kind(&at).map_err(|error| unreadable(&error))?;
            let is_directory = kind == Some(EntryKind::Directory);
            let is_manifest = kind == Some(EntryKind::File) && holds_objects(tree, &at);
            if !is_directory && !is_manifest {
                continue;
            }
            let Some(name) = name.to_str() else {
                return Err(unreadable(&not_text(&tree.display(&at))));
            };
            let path = if within.is_empty() {
                name.to_owned()
            } else {
                format!("{within}/{name}")
            };
            let is_file = |file: &&str| tree.is_file(&at.join(file));
            if is_directory && !FILE_NAMES.iter().any(is_file) {
                pending.push(path);
            } else {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn holds_objects(tree: &dyn Fs, path: &Path) -> bool {
    let Ok(content) = tree.read(path, MAX_MANIFEST_BYTES) else {
        return false;
    };
    let Ok(text) = String::from_utf8(content) else {
        return false;
    };
    let Ok(documents) = sluice_yaml::v2::documents(&text) else {
        return false;
    };
    let mut documents = documents
        .into_iter()
        .filter(|one| !one.is_null())
        .peekable();
    documents.peek().is_some() && documents.all(|one| Object::try_from(one).is_ok())
}

#[cfg(test)]
mod tests {
    use sluice_kustomize::fs::MemFs;

    use super::*;

    fn layout(path: &str) -> Layout {
        let sync = Sync {
            namespace: "flux-system".to_owned(),
            url: "https://example.com/r".to_owned(),
            branch: "main".to_owned(),
            secret: "flux-system".to_owned(),
            interval: "1m0s".to_owned(),
            path: path.to_owned(),
            provider: None,
            recurse_submodules: false,
            sparse_checkout: Vec::new(),
            service_account: None,
        };
        Layout::new("components\n".to_owned(), sync)
    }

    fn object(name: &str) -> String {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
    }

    fn names(files: &Files) -> Vec<String> {
        files
            .keys()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn files_of_new_cluster_are_in_its_folder() {
        let empty = MemFs::new();
        let at_root = layout("");
        assert_eq!(
            names(&at_root.component_files()),
            ["flux-system/gotk-components.yaml"]
        );
        let layout = layout("clusters/one");
        assert_eq!(
            names(&layout.sync_files(&empty).unwrap()),
            [
                "clusters/one/flux-system/gotk-sync.yaml",
                "clusters/one/flux-system/kustomization.yaml",
            ]
        );
    }

    #[test]
    fn existing_kustomization_file_is_kept() {
        for name in FILE_NAMES {
            let tree = MemFs::new().with(&format!("/flux-system/{name}"), "resources: []\n");
            let layout = layout("");
            assert_eq!(
                names(&layout.sync_files(&tree).unwrap()),
                ["flux-system/gotk-sync.yaml"],
                "{name}"
            );
            let unlisted = layout.unlisted(&tree).unwrap();
            assert_eq!(unlisted, ["gotk-components.yaml", "gotk-sync.yaml"]);
        }
    }

    #[test]
    fn other_manifests_are_listed_too() {
        let tree = MemFs::new()
            .with("/flux-system/alerts.yaml", object("a"))
            .with("/flux-system/README.md", "# Not a manifest\n")
            .with("/flux-system/values.yaml", "a: 1\n")
            .with("/flux-system/more/b.yaml", object("b"))
            .with("/flux-system/own/kustomization.yaml", "resources: []\n")
            .with("/flux-system/own/c.yaml", object("c"));
        let files = layout("").sync_files(&tree).unwrap();
        let text = &files[Path::new("flux-system/kustomization.yaml")];
        let expected = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n\
            - alerts.yaml\n- gotk-components.yaml\n- gotk-sync.yaml\n- more/b.yaml\n- own\n";
        assert_eq!(String::from_utf8_lossy(text), expected);
    }

    #[test]
    fn only_differing_files_are_changes() {
        let files = layout("").component_files();
        let same = MemFs::new().with("/flux-system/gotk-components.yaml", "components\n");
        assert_eq!(changed(&same, &files), []);
        let path = Path::new("flux-system/gotk-components.yaml");
        let other = MemFs::new().with("/flux-system/gotk-components.yaml", "old\n");
        assert_eq!(changed(&other, &files), [(path, true)]);
        assert_eq!(changed(&MemFs::new(), &files), [(path, false)]);
    }

    #[test]
    fn branch_name_comes_from_its_content() {
        let one = proposal_branch(&layout("").component_files());
        assert_eq!(one, proposal_branch(&layout("").component_files()));
        assert_ne!(one, proposal_branch(&layout("a").component_files()));
        let hash = one.strip_prefix("flux/bootstrap-").unwrap();
        assert_eq!(hash.len(), 10);
    }

    #[test]
    fn path_stays_within_the_repository() {
        for (typed, safe) in [
            ("", ""),
            (".", ""),
            ("./clusters/one/", "clusters/one"),
            ("/clusters//one", "clusters/one"),
            ("../../etc", "etc"),
            ("a/../../b", "b"),
            (" a ", "a"),
        ] {
            assert_eq!(safe_path(typed), safe, "{typed:?}");
        }
    }

    #[test]
    fn appendix_follows_an_empty_line() {
        assert_eq!(message("Add", None), "Add");
        assert_eq!(message("Add", Some("[ci skip]")), "Add\n\n[ci skip]");
    }
}

//! The fetched submodules of a commit.

use std::collections::BTreeMap;

use super::Store;
use crate::commit::Commit;
use crate::error::Result;
use crate::walk::{OpenSubmodule, OpenSubmodules};

/// The submodules of a commit, including nested ones.
#[derive(Debug, Clone, Default)]
pub struct Submodules {
    /// By path from the root of the outermost repository.
    pub(crate) modules: BTreeMap<Vec<u8>, Submodule>,
}

/// A fetched submodule.
#[derive(Debug, Clone)]
pub struct Submodule {
    pub(crate) store: Store,
    pub(crate) commit: Commit,
    /// The names of the outer submodules, outermost first, and its own.
    pub(crate) names: Vec<String>,
}

impl Submodule {
    /// The content of the file `.git` that go-git writes into a submodule: the relative path of its
    /// objects.
    fn link(&self, path: &[u8]) -> String {
        let up = "../".repeat(path.split(|byte| *byte == b'/').count());
        let mut link = format!("gitdir: {up}.git");
        for name in &self.names {
            link.push_str("/modules/");
            link.push_str(name);
        }
        link.push('\n');
        link
    }
}

impl Submodules {
    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The `.git` files that a checkout of go-git creates in the submodules, by path.
    pub fn links(&self) -> impl Iterator<Item = (Vec<u8>, String)> {
        self.modules
            .iter()
            .map(|(path, module)| ([path, b"/.git".as_slice()].concat(), module.link(path)))
    }

    /// Opens the objects of all submodules.
    pub(crate) fn open(&self) -> Result<OpenSubmodules> {
        let mut open = OpenSubmodules::new();
        for (path, module) in &self.modules {
            let module = OpenSubmodule {
                objects: module.store.open()?,
                commit: module.commit.id,
                tree: module.commit.tree,
            };
            open.insert(path.clone(), module);
        }
        Ok(open)
    }

    pub(crate) fn stores(&self) -> impl Iterator<Item = &Store> {
        self.modules.values().map(|module| &module.store)
    }
}

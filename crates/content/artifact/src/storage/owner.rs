//! Records the owner of each object's directory.
//!
//! Shards may share a volume. When an object has left its shard, only the shard that wrote the
//! directory may remove it. The owner is stored in the private directory, so that Flux does not
//! take it for an artifact.

use rustix::fs::FileType;

use super::{DIRECTORY_MODE, FILE_MODE, Location, PRIVATE, Storage};
use crate::confined::{self, Directory};

const OWNERS: &[u8] = b"owners";

impl Storage {
    /// Lists the objects of a kind that have a directory.
    pub fn locations(&self, kind: &str) -> Result<Vec<Location>, confined::Error> {
        let mut found = Vec::new();
        let kind = kind.to_lowercase();
        let root = match self.directory().open(kind.as_bytes()) {
            Ok(root) => root,
            Err(error) if error.is_missing() => return Ok(found),
            Err(error) => return Err(error),
        };
        for (namespace, below) in directories(&root)? {
            for (name, _) in directories(&below)? {
                // Other names do not belong to objects.
                if let Ok(location) = Location::new(&kind, &namespace, &name) {
                    found.push(location);
                }
            }
        }
        Ok(found)
    }

    /// Records the owner of an object's directory.
    pub fn set_owner(&self, location: &Location, owner: &str) -> Result<(), confined::Error> {
        if self.is_owner(location, owner)? {
            return Ok(());
        }
        let [kind, namespace, name] = location.components();
        let directory = self.directory().descend_or_create(
            [PRIVATE.as_bytes(), OWNERS, kind, namespace],
            DIRECTORY_MODE,
        )?;
        let mut file = directory.create_or_truncate(name, FILE_MODE)?;
        std::io::Write::write_all(&mut file, owner.as_bytes()).map_err(|source| {
            let name = String::from_utf8_lossy(name).into_owned();
            confined::Error::new("write", directory.path().join(name), source)
        })
    }

    /// Whether an object's directory has this owner.
    pub fn is_owner(&self, location: &Location, owner: &str) -> Result<bool, confined::Error> {
        let [kind, namespace, name] = location.components();
        let opened = self
            .directory()
            .descend([PRIVATE.as_bytes(), OWNERS, kind, namespace])
            .and_then(|directory| directory.open_file(name));
        let mut file = match opened {
            Ok((file, _)) => file,
            Err(error) if error.is_missing() => return Ok(false),
            Err(error) => return Err(error),
        };
        let mut stored = String::new();
        // An unreadable owner is another one.
        let read = std::io::Read::read_to_string(&mut file, &mut stored);
        Ok(read.is_ok() && stored == owner)
    }

    /// Removes the owner of an object's directory.
    pub(super) fn remove_owner(&self, location: &Location) -> Result<(), confined::Error> {
        let [kind, namespace, name] = location.components();
        match self
            .directory()
            .descend([PRIVATE.as_bytes(), OWNERS, kind, namespace])
        {
            Ok(directory) => directory.remove_if_present(name).map(drop),
            Err(error) if error.is_missing() => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Lists the subdirectories with UTF-8 names.
fn directories(parent: &Directory) -> Result<Vec<(String, Directory)>, confined::Error> {
    let mut found = Vec::new();
    for entry in parent.list(usize::MAX)? {
        let Ok(name) = String::from_utf8(entry.name.clone()) else {
            continue;
        };
        if !entry.is(FileType::Directory) {
            continue;
        }
        match parent.open(&entry.name) {
            Ok(directory) => found.push((name, directory)),
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

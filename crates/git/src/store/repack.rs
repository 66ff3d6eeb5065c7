//! Many small packs into one, with only what is still needed.
//!
//! Every new commit brings a pack, and the store would grow for ever. Now and
//! then the newest commits are written into one pack and the others are removed.

use super::{Inner, disk, packs};
use crate::error::{Error, Result};
use crate::libgit;

/// Packs after which it is time.
const MANY: usize = 32;
/// Commits kept: the newest ones, of several branches perhaps.
const KEPT: usize = 4;

/// Are there too many packs?
pub(super) fn is_needed(objects: &std::path::Path) -> Result<bool> {
    Ok(disk::list(&packs(objects))?.len() > 2 * MANY)
}

/// Writes the newest commits into one pack and removes the others. The caller
/// sees to it that nobody reads meanwhile.
pub(super) fn run(inner: &Inner) -> Result<()> {
    let commits = inner.commits()?;
    let kept = &commits[commits.len().saturating_sub(KEPT)..];
    let directory = packs(&inner.objects());
    let before = disk::list(&directory)?;
    let write = || -> Result<(), git2::Error> {
        let (_, repository) = libgit::open(&inner.objects())?;
        let mut builder = repository.packbuilder()?;
        builder.set_threads(1);
        for commit in kept {
            builder.insert_commit(commit.oid())?;
        }
        builder.write(&directory, 0o600)
    };
    write().map_err(|error| inner.failed("write one pack of many", &error))?;
    // From here on only the kept commits are known. A crash before the last
    // removal leaves packs that nobody needs, and that the next run removes.
    inner.write_commits(kept)?;
    let after = disk::list(&directory)?;
    let is_old = |path: &std::path::Path| before.iter().any(|item| item.path == path);
    if after.iter().all(|item| is_old(&item.path)) {
        // The one pack was here before: nothing tells it from the others.
        return Err(Error::Store {
            action: "write one pack of many",
            path: directory,
            reason: "it is one of the many".to_owned(),
        });
    }
    // Indexes first: a pack without one is not looked at.
    for extension in ["idx", "pack"] {
        for item in before
            .iter()
            .filter(|item| item.path.extension().is_some_and(|e| e == extension))
        {
            disk::remove_file(&item.path)?;
        }
    }
    Ok(())
}

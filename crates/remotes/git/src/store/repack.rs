//! Many small packs into one, with only what is still needed.
//!
//! Every new commit brings a pack, and the store would grow for ever. Now and
//! then the newest commits are written into one pack and the others are removed.

use std::collections::HashSet;

use git2::{PackBuilder, Repository};

use super::{Inner, disk, packs};
use crate::error::{Error, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::walk::{Entry, Kind, Modules, Step, VisitError};

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
    let newest = &commits[commits.len().saturating_sub(KEPT)..];
    let directory = packs(&inner.objects());
    let before = disk::list(&directory)?;
    let failed = |error: git2::Error| inner.failed("write one pack of many", &error);
    let (_, repository) = libgit::open(&inner.objects()).map_err(failed)?;
    let mut builder = repository.packbuilder().map_err(failed)?;
    builder.set_threads(1);
    let kept = if inner.partial {
        insert_parts(inner, &repository, newest, &mut builder)?
    } else {
        for commit in newest {
            builder.insert_commit(commit.oid()).map_err(failed)?;
        }
        newest.to_vec()
    };
    if kept.is_empty() {
        // Nothing in here is of use to anybody.
        return disk::remove_directory(&inner.path);
    }
    builder.write(&directory, 0o600).map_err(failed)?;
    // From here on only the kept commits are known. A crash before the last
    // removal leaves packs that nobody needs, and that the next run removes.
    inner.write_commits(&kept)?;
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

/// Of commits in a partial store: their trees, and those of their files that are here. Gives the
/// commits that can be kept; one whose trees are damaged, or refused by every walk, is not.
fn insert_parts(
    inner: &Inner,
    repository: &Repository,
    commits: &[ObjectId],
    builder: &mut PackBuilder<'_>,
) -> Result<Vec<ObjectId>> {
    let objects = inner.open()?;
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for commit in commits {
        let Ok(tree) = libgit::commit(repository, commit.oid()).map(|c| c.tree_id()) else {
            continue;
        };
        let mut visitor = |entry: &Entry<'_>| -> Result<Step, VisitError> {
            let id = entry.id();
            if !seen.insert(id) {
                return Ok(Step::Skip);
            }
            let is_here = match entry.kind() {
                Kind::Directory => true,
                Kind::File { .. } | Kind::Symlink => objects.has(id),
                Kind::Submodule => false,
            };
            if is_here {
                let name = entry.path().file_name().and_then(|name| name.to_str());
                builder.insert_object(id.oid(), name)?;
            }
            Ok(Step::Next)
        };
        let modules = Modules::new();
        let walked = objects.walk(
            *commit,
            tree.into(),
            &inner.limits,
            &mut visitor,
            &|| true,
            &modules,
        );
        if walked.is_ok() && builder.insert_object(commit.oid(), None).is_ok() {
            kept.push(*commit);
        } else {
            // Of what it shares with others, not everything was seen.
            seen.clear();
        }
    }
    Ok(kept)
}

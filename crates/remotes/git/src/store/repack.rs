//! Combines many small packs into one pack.
//!
//! Each new commit adds a pack. From time to time, the newest commits are written into one pack,
//! and all others are removed.

use std::collections::HashSet;

use git2::{PackBuilder, Repository};

use super::{Inner, disk, packs};
use crate::error::{Error, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::walk::{Entry, Kind, OpenSubmodules, Step, VisitError, WalkOptions};

/// Maximum number of packs.
const MAX_PACKS: usize = 32;
/// Number of commits to keep. They may be of several branches.
const KEPT_COMMITS: usize = 4;

/// Whether there are too many packs.
pub(super) fn is_needed(objects: &std::path::Path) -> Result<bool> {
    Ok(disk::list(&packs(objects))?.len() > 2 * MAX_PACKS)
}

/// Writes the newest commits into one pack, and removes the other packs. The caller must prevent
/// concurrent reads.
pub(super) fn run(inner: &Inner) -> Result<()> {
    let commits = inner.commits()?;
    let newest = &commits[commits.len().saturating_sub(KEPT_COMMITS)..];
    let directory = packs(&inner.objects());
    let before = disk::list(&directory)?;
    let failed = |error: git2::Error| inner.failed("write one pack of many", &error);
    let (_, repository) = libgit::open(&inner.objects()).map_err(failed)?;
    let mut builder = repository.packbuilder().map_err(failed)?;
    builder.set_threads(1);
    let kept = if inner.partial {
        insert_partial_commits(inner, &repository, newest, &mut builder)?
    } else {
        for commit in newest {
            builder.insert_commit(commit.oid()).map_err(failed)?;
        }
        newest.to_vec()
    };
    if kept.is_empty() {
        // The store has nothing useful.
        return disk::remove_directory(&inner.path);
    }
    builder.write(&directory, 0o600).map_err(failed)?;
    // From now on, only the kept commits are known. After a crash, the next run removes the
    // remaining packs.
    inner.write_commits(&kept)?;
    let after = disk::list(&directory)?;
    let is_old = |path: &std::path::Path| before.iter().any(|entry| entry.path == path);
    if after.iter().all(|entry| is_old(&entry.path)) {
        // The new pack existed before, so it cannot be distinguished from the others.
        return Err(Error::Store {
            action: "write one pack of many",
            path: directory,
            reason: "the new pack existed before".to_owned(),
        });
    }
    // Indexes first: a pack without an index is ignored.
    for extension in ["idx", "pack"] {
        for entry in before
            .iter()
            .filter(|entry| entry.path.extension().is_some_and(|e| e == extension))
        {
            disk::remove_file(&entry.path)?;
        }
    }
    Ok(())
}

/// Inserts commits of a partial store: trees and present files. Returns the commits that can be
/// kept. Commits with damaged or rejected trees are dropped.
fn insert_partial_commits(
    inner: &Inner,
    repository: &Repository,
    commits: &[ObjectId],
    builder: &mut PackBuilder<'_>,
) -> Result<Vec<ObjectId>> {
    let objects = inner.open()?;
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for commit in commits {
        let Ok(tree) = libgit::read_commit(repository, commit.oid()).map(|c| c.tree_id()) else {
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
        let modules = OpenSubmodules::new();
        let options = WalkOptions {
            limits: &inner.limits,
            should_continue: &|| true,
            modules: &modules,
        };
        let walked = objects.walk(*commit, tree.into(), options, &mut visitor);
        if walked.is_ok() && builder.insert_object(commit.oid(), None).is_ok() {
            kept.push(*commit);
        } else {
            // The walk was incomplete, so shared trees may be missing.
            seen.clear();
        }
    }
    Ok(kept)
}

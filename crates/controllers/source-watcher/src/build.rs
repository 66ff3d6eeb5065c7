//! Builds the files of an artifact by the copies of its spec. Blocks.
//!
//! A copy behaves like `cp -r`. A directory keeps its name. A file becomes the destination or goes
//! into it. A glob keeps the path of each match. No content is copied: the artifact refers to
//! the files of the sources. Nothing is written to a disk, so no path can lead out of a source or
//! of the artifact. The copies of a run share one [`Budget`], because a short list of them may copy
//! millions of files.
//!
//! Parity: source-watcher: internal/builder/builder.go.

mod error;
mod exclude;
mod glob;
mod merge;
mod staging;

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_api::source_watcher::{CopyOperation, CopyStrategy};
use sluice_golang::path::clean;
use sluice_producer::{Entry, Tree};
use sluice_system::budget::Budget;

pub(crate) use error::{BuildError, CopyError};
use exclude::Excludes;
pub(crate) use exclude::fault as exclude_fault;
use glob::Pattern;
use staging::{Staging, StagingLimits};

/// The files of the sources, by alias.
pub(crate) type Trees = BTreeMap<String, Arc<Tree>>;

/// Steps of all copies of a run. A step is a file, or a part of a pattern that is compared.
pub(crate) const MAX_STEPS: u64 = 2_000_000_000;
/// Bytes of the YAML files that a run merges. Each merge reads both files again.
pub(crate) const MAX_MERGED_BYTES: u64 = 1 << 30;
/// The prefix of destinations.
const ARTIFACT: &str = "@artifact/";
/// The ends of the names of archives, in lower case.
const ARCHIVE_ENDS: [&[u8]; 2] = [b".tar.gz", b".tgz"];

/// Builds the files of one artifact.
pub(crate) fn build(
    copies: &[CopyOperation],
    trees: &Trees,
    budget: &Budget,
) -> Result<Tree, BuildError> {
    build_within(StagingLimits::default(), copies, trees, budget)
}

fn build_within(
    limits: StagingLimits,
    copies: &[CopyOperation],
    trees: &Trees,
    budget: &Budget,
) -> Result<Tree, BuildError> {
    let mut staging = Staging::new(limits, budget);
    for copy in copies {
        apply(copy, trees, &mut staging, budget).map_err(|source| BuildError {
            from: copy.from.clone(),
            to: copy.to.clone(),
            source,
        })?;
    }
    Ok(staging.into_tree())
}

/// One copy with its source.
struct Copier<'a> {
    strategy: CopyStrategy,
    tree: &'a Arc<Tree>,
    excludes: Excludes<'a>,
    /// The cleaned destination. The root of the artifact is empty.
    to: String,
    /// Whether the destination was written as a directory.
    is_directory: bool,
    /// Whether the destination was written as a directory that exists.
    is_existing: bool,
}

fn apply(
    copy: &CopyOperation,
    trees: &Trees,
    staging: &mut Staging<'_>,
    budget: &Budget,
) -> Result<(), CopyError> {
    let (alias, pattern) = source(&copy.from)?;
    let copier = Copier {
        strategy: copy.strategy.clone().unwrap_or_default(),
        to: destination(&copy.to)?,
        is_directory: copy.to.ends_with('/'),
        is_existing: copy.to.ends_with("/."),
        tree: trees
            .get(alias)
            .ok_or_else(|| CopyError::UnknownAlias(alias.to_owned()))?,
        excludes: Excludes::new(&copy.exclude, budget)?,
    };
    if glob::is_glob(pattern) {
        copier.copy_matches(alias, pattern, staging, budget)
    } else {
        copier.copy_one(pattern, staging)
    }
}

/// Splits `@alias/pattern`.
pub(crate) fn source(from: &str) -> Result<(&str, &str), CopyError> {
    let invalid = |reason: &str| CopyError::Source {
        from: from.to_owned(),
        reason: reason.to_owned(),
    };
    let rest = from
        .strip_prefix('@')
        .ok_or_else(|| invalid("source must start with '@'"))?;
    let (alias, pattern) = rest
        .split_once('/')
        .ok_or_else(|| invalid("source format must be '@alias/pattern'"))?;
    if let Some(reason) = glob::alternatives_fault(pattern) {
        return Err(invalid(&reason));
    }
    Ok((alias, pattern))
}

/// The cleaned path of `@artifact/path`.
fn destination(to: &str) -> Result<String, CopyError> {
    let invalid = |reason| CopyError::Destination {
        to: to.to_owned(),
        reason,
    };
    let path = to
        .strip_prefix(ARTIFACT)
        .ok_or_else(|| invalid("destination must start with '@artifact/'"))?;
    let cleaned = clean(path);
    if cleaned.starts_with('/') || cleaned == ".." || cleaned.starts_with("../") {
        return Err(invalid(
            "destination path must stay within the artifact root",
        ));
    }
    if path.split('/').any(|part| part == "..") {
        return Err(invalid("destination path must not contain '..'"));
    }
    Ok(if cleaned == "." {
        String::new()
    } else {
        cleaned
    })
}

impl Copier<'_> {
    /// Copies the file or the directory of a path.
    fn copy_one(&self, path: &str, staging: &mut Staging<'_>) -> Result<(), CopyError> {
        let path = clean(path);
        if path.starts_with('/') || path == ".." || path.starts_with("../") {
            return Err(CopyError::Escapes(path));
        }
        let path = if path == "." { "" } else { path.as_str() };
        match self.tree.entry(path.as_bytes()) {
            None => Err(CopyError::Missing(path.to_owned())),
            Some(Entry::Directory) if self.strategy == CopyStrategy::Extract => {
                Err(CopyError::ExtractDirectory(path.to_owned()))
            }
            Some(Entry::Directory) => {
                let to = join(self.to.as_bytes(), base(path.as_bytes()));
                self.copy_directory(path.as_bytes(), path, &to, staging)
            }
            Some(Entry::File { .. }) => self.copy_file(path, staging),
        }
    }

    /// Copies one file to the destination, or into it.
    fn copy_file(&self, path: &str, staging: &mut Staging<'_>) -> Result<(), CopyError> {
        let from = path.as_bytes();
        if self.excludes.contains(from, "")? {
            return Ok(());
        }
        if self.strategy == CopyStrategy::Extract {
            if !is_archive(from) {
                return Err(CopyError::NotArchive(path.to_owned()));
            }
            return self.extract(from, staging);
        }
        let to = self.to.as_bytes();
        let is_directory = self.is_directory || staging.entry(to) == Some(Entry::Directory);
        if self.is_existing && !is_directory {
            return Err(CopyError::IsDirectory(self.to.clone()));
        }
        let to = if is_directory {
            join(to, base(from))
        } else {
            to.to_vec()
        };
        self.place(from, &to, staging)
    }

    /// Copies all matches of a glob.
    fn copy_matches(
        &self,
        alias: &str,
        text: &str,
        staging: &mut Staging<'_>,
        budget: &Budget,
    ) -> Result<(), CopyError> {
        let is_extracted = self.strategy == CopyStrategy::Extract;
        let pattern = Pattern::new(text, is_extracted)?;
        let root = glob::selection_root(text);
        let found = pattern.find(self.tree, budget)?;
        if found.is_empty() {
            return Err(CopyError::NoMatch {
                pattern: text.to_owned(),
                alias: alias.to_owned(),
            });
        }
        let mut wanted = Vec::new();
        for path in found {
            if !path.is_empty() && !self.excludes.contains(&path, &root)? {
                wanted.push(path);
            }
        }
        if wanted.is_empty() {
            return Err(CopyError::AllExcluded {
                pattern: text.to_owned(),
                alias: alias.to_owned(),
            });
        }
        for path in wanted {
            if !is_extracted {
                let to = join(self.to.as_bytes(), glob::kept_path(text, &path));
                self.copy_match(&path, &root, &to, staging)?;
            } else if is_archive(&path) {
                self.extract(&path, staging)?;
            }
        }
        Ok(())
    }

    fn copy_match(
        &self,
        path: &[u8],
        root: &str,
        to: &[u8],
        staging: &mut Staging<'_>,
    ) -> Result<(), CopyError> {
        let copied = match self.tree.entry(path) {
            Some(Entry::Directory) => self.copy_directory(path, root, to, staging),
            _ => self.place(path, to, staging),
        };
        copied.map_err(|source| CopyError::Copy {
            path: lossy(path),
            to: lossy(to),
            source: Box::new(source),
        })
    }

    /// Copies the content of a directory. Files in it are never merged.
    fn copy_directory(
        &self,
        from: &[u8],
        root: &str,
        to: &[u8],
        staging: &mut Staging<'_>,
    ) -> Result<(), CopyError> {
        staging.make_directory(to)?;
        let mut skipped: Option<Vec<u8>> = None;
        for (path, entry) in self.tree.walk(from) {
            if skipped
                .as_ref()
                .is_some_and(|above| path.starts_with(above))
            {
                continue;
            }
            let below = if from.is_empty() {
                path.as_slice()
            } else {
                &path[from.len() + 1..]
            };
            let to = join(to, below);
            if self.excludes.contains(&path, root)? {
                if entry == Entry::Directory {
                    skipped = Some([path.as_slice(), b"/"].concat());
                }
            } else if entry == Entry::Directory {
                staging.make_directory(&to)?;
            } else {
                staging.copy_file(self.tree, &path, &to)?;
            }
        }
        Ok(())
    }

    /// Copies a file, or merges it into an existing one.
    fn place(&self, from: &[u8], to: &[u8], staging: &mut Staging<'_>) -> Result<(), CopyError> {
        if self.strategy == CopyStrategy::Merge && staging.entry(to).is_some() {
            return staging.merge_file(self.tree, from, to);
        }
        staging.copy_file(self.tree, from, to)
    }

    /// Extracts an archive into the destination.
    fn extract(&self, path: &[u8], staging: &mut Staging<'_>) -> Result<(), CopyError> {
        let extracted = staging.extract(self.tree, path, self.to.as_bytes());
        extracted.map_err(|source| CopyError::Extract {
            path: lossy(path),
            to: self.to.clone(),
            source: Box::new(source),
        })
    }
}

/// Whether a name is that of a compressed archive.
fn is_archive(path: &[u8]) -> bool {
    let name = path.to_ascii_lowercase();
    ARCHIVE_ENDS.iter().any(|end| name.ends_with(end))
}

/// The last component of a path.
fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// Joins two paths, of which each may be the root.
fn join(above: &[u8], below: &[u8]) -> Vec<u8> {
    match (above, below) {
        (b"", path) | (path, b"") => path.to_vec(),
        (above, below) => [above, b"/", below].concat(),
    }
}

/// A path for messages and names.
pub(crate) fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

#[cfg(test)]
mod tests;

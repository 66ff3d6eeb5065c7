//! Charts in folders.

use std::path::{Path, PathBuf};

use sluice_system::fs;

use super::{Limits, without_mark};
use crate::chart::{Chart, File};
use crate::error::Error;
use crate::ignore::Rules;

/// The deepest nesting of folders; links can make circles.
const MAX_DEPTH: usize = 64;

/// Which symbolic links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Links {
    /// Those that stay inside of the chart.
    #[default]
    Inside,
    /// All of them, as Helm does.
    Anywhere,
}

/// Loads a chart from a folder.
pub fn directory(path: &Path, links: Links, limits: &Limits) -> Result<Chart, Error> {
    let root = fs::canonicalize(path)?;
    let ignore = root.join(".helmignore");
    let rules = if fs::exists(&ignore)? {
        let text = fs::read_limited(&ignore, limits.file)?;
        Rules::parse(&String::from_utf8_lossy(&text))?
    } else {
        Rules::default()
    };
    let mut walk = Walk {
        rules: rules.with_defaults(),
        root: root.clone(),
        links,
        limits,
        left: limits.total,
        files: Vec::new(),
    };
    walk.directory(&root, "", 0)?;
    super::files(walk.files, limits)
}

struct Walk<'l> {
    rules: Rules,
    root: PathBuf,
    links: Links,
    limits: &'l Limits,
    left: u64,
    files: Vec<File>,
}

impl Walk<'_> {
    fn directory(&mut self, path: &Path, name: &str, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Path {
                path: name.to_owned(),
                reason: "the directories nest too deep",
            });
        }
        for entry in fs::read_dir(path)? {
            let path = entry.path;
            let text = path.file_name().unwrap_or_default().to_string_lossy();
            let name = if name.is_empty() {
                text.into_owned()
            } else {
                format!("{name}/{text}")
            };
            self.entry(&path, &name, depth)?;
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, name: &str, depth: usize) -> Result<(), Error> {
        let mut metadata = fs::symlink_metadata(path)?;
        if metadata.is_symlink() {
            let target = fs::canonicalize(path)?;
            if self.links == Links::Inside && !target.starts_with(&self.root) {
                return Err(Error::Path {
                    path: name.to_owned(),
                    reason: "the link leads out of the chart",
                });
            }
            metadata = fs::metadata(path)?;
        }
        if self.rules.is_ignored(name, metadata.is_dir()) {
            return Ok(());
        }
        if metadata.is_dir() {
            return self.directory(path, name, depth + 1);
        }
        if !metadata.is_file() {
            return Err(Error::Irregular(path.display().to_string()));
        }
        if metadata.len() > self.limits.file {
            let base = name.rsplit('/').next().unwrap_or(name);
            return Err(Error::FileTooLarge {
                name: base.to_owned(),
                limit: self.limits.file,
            });
        }
        if self.files.len() as u64 >= self.limits.files {
            return Err(Error::TooManyFiles(self.limits.files));
        }
        let data = fs::read_limited(path, self.limits.file)?;
        let left = self.left.checked_sub(data.len() as u64);
        self.left = left.ok_or(Error::TooLarge(self.limits.total))?;
        self.files.push(File {
            name: name.to_owned(),
            data: without_mark(data),
            modified: metadata
                .modified()
                .ok()
                .and_then(|time| time.try_into().ok()),
        });
        Ok(())
    }
}

//! One pattern of an ignore file.
//!
//! Parity: go-git: plumbing/format/gitignore/pattern.go at v5.16, the version that Flux uses.

use sluice_golang::glob::{Glob, MalformedPattern};

/// Matches any number of directories.
const ANY_DEPTH: &[u8] = b"**";

/// The result of a pattern for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The pattern does not match.
    NoMatch,
    /// The path is excluded.
    Exclude,
    /// The path is included by a `!` pattern.
    Include,
}

/// A pattern and the directory of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    domain: Vec<Vec<u8>>,
    components: Vec<Glob>,
    include: bool,
    directories_only: bool,
}

impl Pattern {
    /// Parses a line that is neither blank nor a comment.
    pub fn parse(line: &[u8], domain: &[u8]) -> Self {
        let (include, mut line) = match line.strip_prefix(b"!") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        if !line.ends_with(b"\\ ") {
            while let Some(rest) = line.strip_suffix(b" ") {
                line = rest;
            }
        }
        let directories_only = line.ends_with(b"/");
        let line = line.strip_suffix(b"/").unwrap_or(line);
        Self {
            domain: match domain {
                b"" => Vec::new(),
                _ => split(domain).map(<[u8]>::to_vec).collect(),
            },
            components: split(line).map(Glob::new).collect(),
            include,
            directories_only,
        }
    }

    /// The steps of [`Self::verdict`] for a path of this many bytes and components, at most. A
    /// general component compares each byte of a name with its own text.
    pub(super) fn steps(&self, bytes: usize, components: usize) -> u64 {
        let general = self
            .components
            .iter()
            .map(Glob::general_bytes)
            .sum::<usize>();
        let compared = general.saturating_mul(bytes) / 16;
        (1 + components.max(self.components.len()) + compared) as u64
    }

    /// Applies the pattern to a path, given as components from the root.
    pub fn verdict(&self, path: &[&[u8]], directory: bool) -> Verdict {
        if path.len() <= self.domain.len() || !path.iter().zip(&self.domain).all(|(a, b)| a == b) {
            return Verdict::NoMatch;
        }
        let path = &path[self.domain.len()..];
        let matches = match self.components.as_slice() {
            [name] => self.match_name(name, path, directory),
            _ => self.match_path(path, directory),
        };
        match (matches, self.include) {
            (false, _) => Verdict::NoMatch,
            (true, false) => Verdict::Exclude,
            (true, true) => Verdict::Include,
        }
    }

    /// A pattern without a slash is matched against each component. It therefore also excludes the
    /// content of a matching directory.
    fn match_name(&self, name: &Glob, path: &[&[u8]], directory: bool) -> bool {
        for (index, component) in path.iter().enumerate() {
            match name.matches(component) {
                Err(MalformedPattern) => return false,
                Ok(false) => {}
                Ok(true) => {
                    return !(self.directories_only && !directory && index + 1 == path.len());
                }
            }
        }
        false
    }

    /// A pattern with a slash is anchored at the domain. It may match a prefix of the path.
    fn match_path(&self, mut path: &[&[u8]], directory: bool) -> bool {
        let mut matched = false;
        let mut any_depth = false;
        for (index, component) in self.components.iter().enumerate() {
            if component.text().is_empty() {
                any_depth = false;
                continue;
            }
            if component.text() == ANY_DEPTH {
                if index + 1 == self.components.len() {
                    break;
                }
                any_depth = true;
                continue;
            }
            if component.text().windows(2).any(|pair| pair == ANY_DEPTH) {
                return false;
            }
            if path.is_empty() {
                return false;
            }
            if any_depth {
                any_depth = false;
                while let Some((first, rest)) = path.split_first() {
                    path = rest;
                    match component.matches(first) {
                        Err(MalformedPattern) => return false,
                        Ok(true) => {
                            matched = true;
                            break;
                        }
                        Ok(false) if path.is_empty() => matched = false,
                        Ok(false) => {}
                    }
                }
            } else {
                if component.matches(path[0]) != Ok(true) {
                    return false;
                }
                matched = true;
                path = &path[1..];
            }
        }
        matched && !(self.directories_only && !directory && path.is_empty())
    }
}

fn split(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

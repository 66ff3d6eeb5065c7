//! The globs of copies: the paths that match, and the part of a path that a copy keeps. Pure.
//!
//! Extractions use `doublestar`. Other copies use Go's `fs.Glob`, whose `**` is one component.

use std::sync::Arc;

use sluice_golang::doublestar::{self, MatchError};
use sluice_golang::glob::Glob;
use sluice_golang::path::clean;
use sluice_producer::{Entry, Tree};
use sluice_system::budget::{Budget, BudgetExceeded};

use super::error::CopyError;
use super::join;

/// Commas in the braces of a pattern. Each multiplies the time of a match by two at worst.
const MAX_COMMAS: usize = 20;
/// Steps of one comparison. A pattern with the most commas needs fewer for a usual path.
pub(super) const MAX_MATCH_STEPS: u64 = 100_000_000;

/// Whether a path is a glob. As in Flux, a brace alone is not.
pub(super) fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', ']'])
}

/// The fault of a pattern with too many alternatives.
pub(super) fn alternatives_fault(pattern: &str) -> Option<String> {
    let (mut commas, mut depth) = (0_usize, 0_usize);
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth > 0 => commas += 1,
            _ => {}
        }
    }
    (commas > MAX_COMMAS).then(|| {
        format!(
            "pattern has {commas} alternatives in '{{}}' groups, at most {MAX_COMMAS} are allowed"
        )
    })
}

/// Whether a path matches a pattern of `doublestar`.
pub(super) fn matches(pattern: &str, path: &[u8], budget: &Budget) -> Result<bool, BudgetExceeded> {
    let mut left = MAX_MATCH_STEPS;
    let matched = doublestar::matches_leniently(pattern.as_bytes(), path, &mut left);
    budget.charge_steps(MAX_MATCH_STEPS - left)?;
    match matched {
        Ok(matched) => Ok(matched),
        Err(MatchError::TooManySteps) => Err(BudgetExceeded::Steps(MAX_MATCH_STEPS)),
        Err(MatchError::Malformed) => Ok(false),
    }
}

/// The directories of a pattern before its first glob. The root is empty.
pub(super) fn selection_root(pattern: &str) -> String {
    let pattern = clean(pattern);
    let parts: Vec<&str> = pattern
        .split('/')
        .take_while(|part| !is_glob(part))
        .collect();
    let root = parts.join("/");
    if root == "." { String::new() } else { root }
}

/// The part of a match that the copy keeps: all of it, or the part behind `dir/**`.
pub(super) fn kept_path<'a>(pattern: &str, path: &'a [u8]) -> &'a [u8] {
    let directory = pattern.strip_suffix("/**");
    let below = directory.and_then(|directory| {
        let rest = path.strip_prefix(directory.as_bytes())?;
        rest.strip_prefix(b"/")
    });
    below.unwrap_or(path)
}

/// A glob of a copy.
pub(super) enum Pattern {
    /// One glob for each component.
    Components(Vec<Glob>),
    /// A pattern of `doublestar`.
    DoubleStar(String),
}

impl Pattern {
    /// Checks a pattern.
    pub(super) fn new(text: &str, is_double_star: bool) -> Result<Self, CopyError> {
        let malformed = || CopyError::Pattern(text.to_owned());
        let text = without_dot(text, is_double_star);
        if is_double_star {
            if !doublestar::is_valid(text.as_bytes()) {
                return Err(malformed());
            }
            return Ok(Self::DoubleStar(text.to_owned()));
        }
        let components: Vec<Glob> = text.split('/').map(|it| Glob::new(it.as_bytes())).collect();
        for component in &components {
            component.validate().map_err(|_| malformed())?;
        }
        Ok(Self::Components(components))
    }

    /// The paths that match, in the order of a walk. The root is empty.
    pub(super) fn find(
        &self,
        tree: &Arc<Tree>,
        budget: &Budget,
    ) -> Result<Vec<Vec<u8>>, CopyError> {
        match self {
            Self::Components(components) => descend(components, tree, budget),
            Self::DoubleStar(pattern) => walk(pattern, tree, budget),
        }
    }
}

/// The pattern without a leading `.` before a glob. Go reads that directory by its name, and any
/// other path with a `.` is invalid there.
fn without_dot(text: &str, is_double_star: bool) -> &str {
    let special: &[char] = if is_double_star {
        &['*', '?', '[', '{', '\\']
    } else {
        &['*', '?', '[', '\\']
    };
    match text.strip_prefix("./") {
        Some(rest)
            if rest
                .split('/')
                .next()
                .is_some_and(|first| first.contains(special)) =>
        {
            rest
        }
        _ => text,
    }
}

/// Matches one component after the other.
fn descend(
    components: &[Glob],
    tree: &Arc<Tree>,
    budget: &Budget,
) -> Result<Vec<Vec<u8>>, CopyError> {
    let mut found = vec![Vec::new()];
    for (depth, component) in components.iter().enumerate() {
        let mut below = Vec::new();
        for directory in found {
            if depth > 0 && tree.entry(&directory) != Some(Entry::Directory) {
                continue;
            }
            budget.charge_steps(1)?;
            if component.is_literal() {
                let path = join(&directory, component.text());
                if !component.text().is_empty() && tree.entry(&path).is_some() {
                    below.push(path);
                }
                continue;
            }
            for name in tree.children(&directory) {
                let steps = 1 + component.general_bytes() * name.len() / 8;
                budget.charge_steps(steps as u64)?;
                if component.matches(&name) == Ok(true) {
                    below.push(join(&directory, &name));
                }
            }
        }
        found = below;
    }
    Ok(found)
}

/// Matches all paths below the directories before the first glob.
fn walk(pattern: &str, tree: &Arc<Tree>, budget: &Budget) -> Result<Vec<Vec<u8>>, CopyError> {
    let (pattern, only_directories) = match pattern.strip_suffix('/') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut found = Vec::new();
    if pattern == "**" {
        found.push(Vec::new());
    }
    for (path, entry) in tree.walk(b"") {
        let is_wanted = !only_directories || entry == Entry::Directory;
        if is_wanted && matches(pattern, &path, budget)? {
            found.push(path);
        }
    }
    Ok(found)
}

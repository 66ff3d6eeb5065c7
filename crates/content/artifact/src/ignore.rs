//! Ignore rules, which exclude paths of a source from its artifact.
//!
//! The pattern language is that of go-git's gitignore reader, which differs from git's. Its quirks
//! are preserved, because a rule with another meaning would add or remove files of a running
//! cluster. A pattern that cannot match is not an error. Start at [`Rules::for_source`].

mod pattern;

pub use pattern::{Pattern, Verdict};

use sluice_system::budget::{Budget, BudgetExceeded};

/// The name of files with ignore rules for their directory.
pub const FILE_NAME: &str = ".sourceignore";

/// Excluded unless a rule includes them.
const VERSION_CONTROL: [&str; 4] = [".git/", ".gitignore", ".gitmodules", ".gitattributes"];

/// Excluded only if the user has no rules.
const DEFAULTS: [&str; 20] = [
    "*.jpg",
    "*.jpeg",
    "*.gif",
    "*.png",
    "*.wmv",
    "*.flv",
    "*.tar.gz",
    "*.zip",
    ".github/",
    ".circleci/",
    ".travis.yml",
    ".gitlab-ci.yml",
    "appveyor.yml",
    ".drone.yml",
    "cloudbuild.yaml",
    "codeship-services.yml",
    "codeship-steps.yml",
    "**/.goreleaser.yml",
    "**/.sops.yaml",
    "**/.flux.yaml",
];

/// A line of this length ends the file.
///
/// Parity: go: bufio.Scanner fails at this length, and the reference ignores the error. Rules above
/// the line apply, rules below do not.
const LINE_LIMIT: usize = 64 * 1024;

/// Steps of matching of one artifact: a component of a path and of a pattern, or 16 bytes of them.
/// A hundred rules and a hundred thousand files take about 60 million.
const MAX_STEPS: u64 = 200_000_000;
/// Steps that are charged at once.
const CHARGED_STEPS: u64 = 1 << 16;
/// Patterns of one artifact. Each takes memory.
pub const MAX_PATTERNS: usize = 100_000;

/// An ordered list of patterns. The last pattern that matches a path decides.
///
/// Clones share the budget of steps.
#[derive(Debug, Clone)]
pub struct Rules {
    patterns: Vec<Pattern>,
    budget: Budget,
}

/// An artifact has more than [`MAX_PATTERNS`] patterns.
#[derive(Debug, thiserror::Error)]
#[error("more than {MAX_PATTERNS} ignore rules")]
pub struct TooManyPatterns;

/// Adds the patterns of an ignore file. See [`read`].
pub fn append(
    patterns: &mut Vec<Pattern>,
    text: &[u8],
    domain: &[u8],
) -> Result<(), TooManyPatterns> {
    patterns.extend(read(text, domain));
    if patterns.len() > MAX_PATTERNS {
        return Err(TooManyPatterns);
    }
    Ok(())
}

/// Matching the rules takes too long.
#[derive(Debug, thiserror::Error)]
#[error("match {patterns} ignore rules with '{path}'")]
pub struct MatchError {
    patterns: usize,
    path: String,
    source: BudgetExceeded,
}

impl Default for Rules {
    fn default() -> Self {
        Self::exactly(Vec::new())
    }
}

impl Rules {
    /// Rules that exclude nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// The rules of a Git or OCI source: version control files, then the `.sourceignore` files,
    /// then `spec.ignore`. The other defaults apply only if both are empty.
    ///
    /// `written` holds the patterns of the files in walk order. The domain of a pattern is the
    /// directory of its file.
    pub fn for_source(mut written: Vec<Pattern>, spec: Option<&str>) -> Self {
        written.extend(spec.into_iter().flat_map(|text| read(text.as_bytes(), b"")));
        let mut patterns = parse_all(&VERSION_CONTROL);
        if written.is_empty() {
            patterns.extend(parse_all(&DEFAULTS));
        }
        patterns.append(&mut written);
        Self::exactly(patterns)
    }

    /// The rules for builds of the command line: all defaults, then these patterns. Local work has
    /// no limit.
    pub fn with_defaults(mut written: Vec<Pattern>) -> Self {
        let mut patterns = parse_all(&VERSION_CONTROL);
        patterns.extend(parse_all(&DEFAULTS));
        patterns.append(&mut written);
        Self {
            patterns,
            budget: Budget::new(u64::MAX, 0),
        }
    }

    /// These patterns without defaults.
    pub fn exactly(patterns: Vec<Pattern>) -> Self {
        Self {
            patterns,
            budget: Budget::new(MAX_STEPS, 0),
        }
    }

    /// Whether a path is excluded. The root never is. Fails if all paths together need too many
    /// steps.
    ///
    /// Unlike in git, a path below an excluded directory can be included again.
    pub fn exclude(&self, path: &[u8], directory: bool) -> Result<bool, MatchError> {
        if path.is_empty() || path == b"." {
            return Ok(false);
        }
        let components: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        let charge = |steps| {
            let charged = self.budget.charge_steps(steps);
            charged.map_err(|source| MatchError {
                patterns: self.patterns.len(),
                path: String::from_utf8_lossy(path).into_owned(),
                source,
            })
        };
        let mut steps = 0;
        let mut verdict = Verdict::NoMatch;
        for pattern in self.patterns.iter().rev() {
            steps += pattern.steps(path.len(), components.len());
            if steps >= CHARGED_STEPS {
                charge(std::mem::take(&mut steps))?;
            }
            verdict = pattern.verdict(&components, directory);
            if verdict != Verdict::NoMatch {
                break;
            }
        }
        charge(steps)?;
        Ok(verdict == Verdict::Exclude)
    }
}

/// Parses an ignore file. `domain` is its directory relative to the root, and empty for the root.
pub fn read(text: &[u8], domain: &[u8]) -> Vec<Pattern> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    // The part after the last line break is a line only if it is not empty.
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
        .into_iter()
        .take_while(|line| line.len() < LINE_LIMIT)
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.starts_with(b"#") && !is_blank(line))
        .map(|line| Pattern::parse(line, domain))
        .collect()
}

/// Parity: go: strings.TrimSpace, which also trims Unicode spaces.
fn is_blank(line: &[u8]) -> bool {
    std::str::from_utf8(line).map_or_else(
        |_| line.iter().all(u8::is_ascii_whitespace),
        |text| text.chars().all(char::is_whitespace),
    )
}

fn parse_all(patterns: &[&str]) -> Vec<Pattern> {
    patterns
        .iter()
        .map(|pattern| Pattern::parse(pattern.as_bytes(), b""))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expensive_rules_exceed_the_budget() {
        let line = "*a".repeat(16_000);
        let text = [&*line; 30].join("\n");
        let rules = Rules::for_source(read(text.as_bytes(), b""), None);
        let path = vec![b'a'; 4000];
        let refused = (0..10).find_map(|_| rules.exclude(&path, false).err());
        let error = refused.expect("each path costs 120 million steps");
        assert!(
            error
                .to_string()
                .starts_with("match 34 ignore rules with 'aaa"),
            "{error}"
        );
    }

    #[test]
    fn ordinary_rules_fit_into_the_budget() {
        let text = "/docs/*.md\n".repeat(100);
        let rules = Rules::for_source(read(text.as_bytes(), b""), None);
        for file in 0..1000 {
            let path = format!("apps/team-{file}/base/deployment.yaml");
            assert!(!rules.exclude(path.as_bytes(), false).unwrap());
        }
        // A hundred times as many files are a large repository.
        rules.budget.charge_steps(MAX_STEPS / 100 * 80).unwrap();
    }

    #[test]
    fn too_many_patterns_are_refused() {
        let mut patterns = Vec::new();
        let text = "a\n".repeat(MAX_PATTERNS);
        append(&mut patterns, text.as_bytes(), b"").unwrap();
        assert!(append(&mut patterns, b"a", b"").is_err());
    }
}

//! Ignore rules, which exclude paths of a source from its artifact.
//!
//! The pattern language is that of go-git's gitignore reader, which differs from git's. Its quirks
//! are preserved, because a rule with another meaning would add or remove files of a running
//! cluster. A pattern that cannot match is not an error. Start at [`Rules::for_source`].

mod glob;
mod pattern;

pub use pattern::{Pattern, Verdict};

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

/// An ordered list of patterns. The last pattern that matches a path decides.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    patterns: Vec<Pattern>,
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
        Self { patterns }
    }

    /// The rules for builds of the command line: all defaults, then these patterns.
    pub fn with_defaults(mut written: Vec<Pattern>) -> Self {
        let mut patterns = parse_all(&VERSION_CONTROL);
        patterns.extend(parse_all(&DEFAULTS));
        patterns.append(&mut written);
        Self { patterns }
    }

    /// These patterns without defaults.
    pub fn exactly(patterns: Vec<Pattern>) -> Self {
        Self { patterns }
    }

    /// Whether a path is excluded. The root never is.
    ///
    /// Unlike in git, a path below an excluded directory can be included again.
    pub fn exclude(&self, path: &[u8], directory: bool) -> bool {
        if path.is_empty() || path == b"." {
            return false;
        }
        let components: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        self.patterns
            .iter()
            .rev()
            .map(|pattern| pattern.verdict(&components, directory))
            .find(|verdict| *verdict != Verdict::NoMatch)
            == Some(Verdict::Exclude)
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

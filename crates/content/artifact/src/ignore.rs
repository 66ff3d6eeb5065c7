//! Ignore rules: which paths of a source do not reach its artifact.
//!
//! Owns the pattern language of go-git's gitignore reader, which is *not* git's, and Flux's
//! lists of what is left out by default. Quirks are kept on purpose: a rule that means one thing
//! under Flux and another here would add or drop files from a running cluster. It refuses
//! nothing: a pattern that cannot match simply never does. Start at [`Rules::for_source`].

mod glob;
mod pattern;

pub use pattern::{Pattern, Verdict};

/// The file that holds rules for the directory it lies in.
pub const FILE_NAME: &str = ".sourceignore";

/// Never part of an artifact unless a rule brings it back.
const VERSION_CONTROL: [&str; 4] = [".git/", ".gitignore", ".gitmodules", ".gitattributes"];

/// Left out only as long as nobody wrote a rule.
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

/// Longer lines end the reading of a file.
///
/// Parity: go: bufio.Scanner gives up at this many bytes without a line end, and its error is
/// not looked at, so that the rules above the line count and those below do not.
const LINE_LIMIT: usize = 64 * 1024;

/// An ordered list of patterns, of which the last that matches a path decides.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    patterns: Vec<Pattern>,
}

impl Rules {
    /// Rules that leave nothing out.
    pub fn none() -> Self {
        Self::default()
    }

    /// The rules of a Git or OCI source: what its `.sourceignore` files say, then what
    /// `spec.ignore` says, on top of the version control list; the other defaults hold only
    /// when both say nothing at all.
    ///
    /// `written` holds the patterns of the files in walk order, each read with the directory of
    /// its file as domain.
    pub fn for_source(mut written: Vec<Pattern>, spec: Option<&str>) -> Self {
        written.extend(spec.into_iter().flat_map(|text| read(text.as_bytes(), b"")));
        let mut patterns = parse_all(&VERSION_CONTROL);
        if written.is_empty() {
            patterns.extend(parse_all(&DEFAULTS));
        }
        patterns.append(&mut written);
        Self { patterns }
    }

    /// The rules of the command line's builds: every default, whatever else is said, then
    /// these patterns.
    pub fn with_defaults(mut written: Vec<Pattern>) -> Self {
        let mut patterns = parse_all(&VERSION_CONTROL);
        patterns.extend(parse_all(&DEFAULTS));
        patterns.append(&mut written);
        Self { patterns }
    }

    /// Rules of exactly these patterns, without any default.
    pub fn exactly(patterns: Vec<Pattern>) -> Self {
        Self { patterns }
    }

    /// Tells whether a path is left out; the root is never.
    ///
    /// A path below an excluded directory is judged on its own, so that, unlike under git, it
    /// can be brought back.
    pub fn exclude(&self, path: &[u8], directory: bool) -> bool {
        if path.is_empty() || path == b"." {
            return false;
        }
        let components: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        self.patterns
            .iter()
            .rev()
            .map(|pattern| pattern.judge(&components, directory))
            .find(|verdict| *verdict != Verdict::Unconcerned)
            == Some(Verdict::Exclude)
    }
}

/// Reads the text of an ignore file that lies in `domain`, a path relative to the root that is
/// empty for the root itself.
pub fn read(text: &[u8], domain: &[u8]) -> Vec<Pattern> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    // Text after the last line end is a line only if there is any.
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
        .into_iter()
        .take_while(|line| line.len() < LINE_LIMIT)
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.starts_with(b"#") && !blank(line))
        .map(|line| Pattern::parse(line, domain))
        .collect()
}

/// Parity: go: strings.TrimSpace, which trims Unicode's spaces too.
fn blank(line: &[u8]) -> bool {
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

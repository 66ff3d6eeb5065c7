//! Constraints over versions: groups joined by `||`, each a list of comparisons.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Version, compare_prereleases};
use crate::quote::quote;

/// Maximum length of a constraint.
const MAX_LENGTH: usize = 512;
/// Maximum number of groups of a constraint.
const MAX_GROUPS: usize = 32;

/// The operators, in the library's order of alternatives.
const OPERATORS: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";
/// A version with missing or wildcard parts. The library's character class includes `|` by
/// mistake; such numbers fail to parse later.
const VERSION: &str = r"v?([0-9|x|X|\*]+)(\.[0-9|x|X|\*]+)?(\.[0-9|x|X|\*]+)?(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?";
/// ASCII white space.
const SPACE: &str = r"[\t\n\f\r ]";

static ONE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        "^{SPACE}*({OPERATORS}){SPACE}*({VERSION}){SPACE}*$"
    ))
});
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        "{SPACE}*({VERSION}){SPACE}+-{SPACE}+({VERSION}){SPACE}*"
    ))
});
static FIND: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!("({OPERATORS}){SPACE}*({VERSION})")));
static GROUP: LazyLock<Regex> = LazyLock::new(|| {
    let one = format!("({OPERATORS}){SPACE}*({VERSION}){SPACE}*");
    regex(&format!("^({SPACE}*{one})((?:{SPACE}+|,{SPACE}*){one})*$"))
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a valid constant")
}

/// A set of versions.
#[derive(Debug, Clone)]
pub struct Constraint {
    groups: Vec<Group>,
}

/// Comparisons that must all hold.
#[derive(Debug, Clone)]
struct Group {
    comparisons: Vec<Comparison>,
    /// One comparison names a prerelease, so prereleases may match.
    prereleases: bool,
}

#[derive(Debug, Clone)]
struct Comparison {
    operator: Operator,
    /// Operator and version as given.
    written: String,
    version: Version,
    /// The given parts of the version.
    given: GivenParts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    Tilde,
    Caret,
}

/// The given parts of a version. The others are missing or wildcards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GivenParts {
    Nothing,
    Major,
    Minor,
    All,
}

/// The text is not a constraint. The message is the library's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseConstraintError {
    /// A group, or a comparison in it, does not follow the grammar.
    #[error("improper constraint: {}", quote(text))]
    Improper {
        /// The group as given.
        text: String,
        /// Offset of the first invalid byte in the whole text.
        position: usize,
    },
    /// A number is out of range.
    #[error("constraint parser error")]
    Number {
        /// Offset of the group in the whole text.
        position: usize,
    },
    /// The text is too long.
    #[error("constraint string is too long (max {MAX_LENGTH} bytes)")]
    TooLong,
    /// The text has too many groups.
    #[error("too many constraint groups (max {MAX_GROUPS})")]
    TooManyGroups,
}

impl ParseConstraintError {
    /// Returns the byte offset of the error in the text.
    pub const fn position(&self) -> usize {
        match self {
            Self::Improper { position, .. } | Self::Number { position } => *position,
            Self::TooLong => MAX_LENGTH,
            Self::TooManyGroups => 0,
        }
    }
}

impl Constraint {
    /// Parses a constraint.
    pub fn parse(text: &str) -> Result<Self, ParseConstraintError> {
        if text.len() > MAX_LENGTH {
            return Err(ParseConstraintError::TooLong);
        }
        let rewritten = rewrite_ranges(text);
        if rewritten.split("||").count() > MAX_GROUPS {
            return Err(ParseConstraintError::TooManyGroups);
        }
        let mut position = 0;
        let mut groups = Vec::new();
        for group in rewritten.split("||") {
            // Rewriting a range changes its length, so offsets are unknown.
            let at = if rewritten == text { position } else { 0 };
            groups.push(Group::parse(group, at)?);
            position += group.len() + 2;
        }
        Ok(Self { groups })
    }

    /// Reports whether a version is in the set.
    pub fn matches(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| {
            group
                .comparisons
                .iter()
                .all(|comparison| comparison.holds(version, group.prereleases))
        })
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.groups.iter().enumerate() {
            if index > 0 {
                f.write_str(" || ")?;
            }
            for (index, comparison) in group.comparisons.iter().enumerate() {
                if index > 0 {
                    f.write_str(" ")?;
                }
                f.write_str(&comparison.written)?;
            }
        }
        Ok(())
    }
}

/// Rewrites each `1 - 2` to `>= 1, <= 2 `.
fn rewrite_ranges(text: &str) -> String {
    let mut rewritten = text.to_owned();
    for range in RANGE.captures_iter(text) {
        let comparisons = format!(">= {}, <= {} ", part(&range, 1), part(&range, 11));
        rewritten = rewritten.replacen(part(&range, 0), &comparisons, 1);
    }
    rewritten
}

fn part<'a>(captures: &Captures<'a>, index: usize) -> &'a str {
    captures.get(index).map_or("", |found| found.as_str())
}

impl Group {
    fn parse(text: &str, start: usize) -> Result<Self, ParseConstraintError> {
        if !GROUP.is_match(text) {
            return Err(ParseConstraintError::Improper {
                text: text.to_owned(),
                position: start + error_offset(text),
            });
        }
        let mut found: Vec<&str> = FIND.find_iter(text).map(|one| one.as_str()).collect();
        if found.is_empty() {
            found.push(text);
        }
        let comparisons = found
            .into_iter()
            .map(|one| Comparison::parse(one, start))
            .collect::<Result<Vec<_>, _>>()?;
        let prereleases = comparisons
            .iter()
            .any(|comparison| !comparison.version.prerelease().is_empty());
        Ok(Self {
            comparisons,
            prereleases,
        })
    }
}

/// Returns the offset of the first byte in a group that starts neither white space nor a
/// comparison.
fn error_offset(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let space = rest.len()
            - rest
                .trim_start_matches([' ', '\t', '\n', '\r', '\u{c}', ','])
                .len();
        let next = FIND
            .find(&rest[space..])
            .filter(|next| next.start() == 0 && !next.is_empty());
        match next {
            // A comparison without a separator before it is the error.
            Some(next) if at == 0 || space > 0 => at += space + next.end(),
            _ => return at + space,
        }
    }
}

impl Comparison {
    fn parse(text: &str, position: usize) -> Result<Self, ParseConstraintError> {
        let Some(found) = ONE.captures(text) else {
            return Err(ParseConstraintError::Improper {
                text: text.to_owned(),
                position,
            });
        };
        let wild = |part: &str| matches!(part, "" | "x" | "X" | "*");
        let (major, minor, patch) = (part(&found, 3), part(&found, 4), part(&found, 5));
        let tail = part(&found, 6);
        let (given, version) = if wild(major) {
            (GivenParts::Nothing, format!("0.0.0{tail}"))
        } else if wild(minor.trim_start_matches('.')) {
            (GivenParts::Major, format!("{major}.0.0{tail}"))
        } else if wild(patch.trim_start_matches('.')) {
            (GivenParts::Minor, format!("{major}{minor}.0{tail}"))
        } else {
            (GivenParts::All, part(&found, 2).to_owned())
        };
        let version =
            Version::parse(&version).map_err(|_| ParseConstraintError::Number { position })?;
        let operator = part(&found, 1);
        Ok(Self {
            written: format!("{operator}{}", part(&found, 2)),
            operator: match operator {
                "!=" => Operator::NotEqual,
                ">" => Operator::Greater,
                "<" => Operator::Less,
                ">=" | "=>" => Operator::GreaterEqual,
                "<=" | "=<" => Operator::LessEqual,
                "~" | "~>" => Operator::Tilde,
                "^" => Operator::Caret,
                _ => Operator::Equal,
            },
            version,
            given,
        })
    }

    fn holds(&self, version: &Version, prereleases: bool) -> bool {
        if !version.prerelease().is_empty() && !prereleases {
            return false;
        }
        let wanted = &self.version;
        let whole = self.given == GivenParts::All;
        match self.operator {
            Operator::Equal if whole => version == wanted,
            Operator::Equal | Operator::Tilde => self.within_tilde(version),
            Operator::NotEqual if whole => version != wanted,
            Operator::NotEqual => self.differs(version),
            Operator::Less => version < wanted,
            Operator::GreaterEqual => version >= wanted,
            Operator::Greater => match version.major.cmp(&wanted.major) {
                _ if whole => version > wanted,
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal => match self.given {
                    // `>11` does not match 11.1.0, but matches 12.0.0.
                    GivenParts::Major => false,
                    GivenParts::Minor => version.minor > wanted.minor,
                    GivenParts::Nothing | GivenParts::All => version > wanted,
                },
            },
            Operator::LessEqual if whole => version <= wanted,
            Operator::LessEqual => {
                version.major <= wanted.major
                    && !(version.major == wanted.major
                        && version.minor > wanted.minor
                        && self.given != GivenParts::Major)
            }
            Operator::Caret => self.within_caret(version),
        }
    }

    fn within_tilde(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version < wanted {
            return false;
        }
        // Library behaviour: `~0.0.0` and a wildcard major number match everything.
        let all_zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if all_zero && matches!(self.given, GivenParts::All | GivenParts::Nothing) {
            return true;
        }
        version.major == wanted.major
            && (version.minor == wanted.minor || self.given == GivenParts::Major)
    }

    fn within_caret(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version < wanted {
            return false;
        }
        if wanted.major > 0 || self.given == GivenParts::Major {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.given == GivenParts::Minor {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }

    fn differs(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version.major != wanted.major {
            return true;
        }
        match self.given {
            GivenParts::Major => false,
            _ if version.minor != wanted.minor => true,
            // The library ignores the patch number here and compares only the prereleases.
            GivenParts::Minor => {
                (!version.prerelease().is_empty() || !wanted.prerelease().is_empty())
                    && compare_prereleases(version.prerelease(), wanted.prerelease()).is_ne()
            }
            GivenParts::Nothing if version.patch != wanted.patch => true,
            GivenParts::Nothing | GivenParts::All => version != wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_position() {
        for (text, position) in [
            (">=1.x.y", 5),
            ("1.2.3.4", 5),
            ("a", 0),
            ("1.x || b", 7),
            (">= 1.0 <2.0 ; 3", 12),
        ] {
            let error = Constraint::parse(text).unwrap_err();
            assert_eq!(error.position(), position, "{text}: {error}");
        }
    }

    #[test]
    fn long_constraint_is_rejected() {
        let error = |text: String| Constraint::parse(&text).unwrap_err();
        assert_eq!(error("1".repeat(513)), ParseConstraintError::TooLong);
        assert_eq!(
            error(vec!["1"; 33].join("||")),
            ParseConstraintError::TooManyGroups
        );
    }
}

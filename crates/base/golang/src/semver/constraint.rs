//! Constraints over versions: groups joined by `||`, each a list of comparisons.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Version, compare_prereleases};
use crate::quote::quote;

/// Longer texts are no constraints.
const MAX_LENGTH: usize = 512;
/// Most groups of one constraint.
const MAX_GROUPS: usize = 32;

/// The operators, in the order in which the library tries them.
const OPERATORS: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";
/// A version of which parts may be missing or wild. The bars are among the characters that
/// the library takes for a number, and are refused only later.
const VERSION: &str = r"v?([0-9|x|X|\*]+)(\.[0-9|x|X|\*]+)?(\.[0-9|x|X|\*]+)?(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?";
/// White space is that of ASCII.
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
    Regex::new(pattern).expect("the patterns are constants")
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
    /// Whether one of them names a prerelease, which lets prereleases pass.
    prereleases: bool,
}

#[derive(Debug, Clone)]
struct Comparison {
    operator: Operator,
    /// Operator and version as they were written.
    written: String,
    version: Version,
    /// How much of the version was given.
    given: Given,
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

/// How much of a version was given; the rest is missing or wild.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    Major,
    Minor,
    All,
}

/// Why a text is no constraint. Its message is the library's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseConstraintError {
    /// A group, or a comparison in it, does not follow the grammar.
    #[error("improper constraint: {}", quote(text))]
    Improper {
        /// The group.
        text: String,
        /// The first byte of the whole text that does not fit.
        position: usize,
    },
    /// It follows the grammar, and a number in it cannot be read.
    #[error("constraint parser error")]
    Number {
        /// The first byte of the group in the whole text.
        position: usize,
    },
    /// It is too long.
    #[error("constraint string is too long (max {MAX_LENGTH} bytes)")]
    TooLong,
    /// It has too many groups.
    #[error("too many constraint groups (max {MAX_GROUPS})")]
    TooManyGroups,
}

impl ParseConstraintError {
    /// Where in the text the fault lies, counted in bytes from zero.
    pub const fn position(&self) -> usize {
        match self {
            Self::Improper { position, .. } | Self::Number { position } => *position,
            Self::TooLong => MAX_LENGTH,
            Self::TooManyGroups => 0,
        }
    }
}

impl Constraint {
    /// Reads a constraint.
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
            // A range that was rewritten has another length than the one that was written.
            let at = if rewritten == text { position } else { 0 };
            groups.push(Group::parse(group, at)?);
            position += group.len() + 2;
        }
        Ok(Self { groups })
    }

    /// Tells whether a version is in the set.
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

/// Turns `1 - 2` into `>= 1, <= 2 `, wherever it stands.
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
                position: start + fault(text),
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

/// The first byte of a group at which neither white space nor a comparison begins.
fn fault(text: &str) -> usize {
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
            // What follows a comparison without a separator is what does not fit.
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
            (Given::Nothing, format!("0.0.0{tail}"))
        } else if wild(minor.trim_start_matches('.')) {
            (Given::Major, format!("{major}.0.0{tail}"))
        } else if wild(patch.trim_start_matches('.')) {
            (Given::Minor, format!("{major}{minor}.0{tail}"))
        } else {
            (Given::All, part(&found, 2).to_owned())
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
        let whole = self.given == Given::All;
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
                    // Of `>11`, 11.1.0 is no match, and 12.0.0 is.
                    Given::Major => false,
                    Given::Minor => version.minor > wanted.minor,
                    Given::Nothing | Given::All => version > wanted,
                },
            },
            Operator::LessEqual if whole => version <= wanted,
            Operator::LessEqual => {
                version.major <= wanted.major
                    && !(version.major == wanted.major
                        && version.minor > wanted.minor
                        && self.given != Given::Major)
            }
            Operator::Caret => self.within_caret(version),
        }
    }

    fn within_tilde(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version < wanted {
            return false;
        }
        // As the library has it: `~0.0.0`, and what is wild from the start, take everything.
        let all_zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if all_zero && matches!(self.given, Given::All | Given::Nothing) {
            return true;
        }
        version.major == wanted.major
            && (version.minor == wanted.minor || self.given == Given::Major)
    }

    fn within_caret(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version < wanted {
            return false;
        }
        if wanted.major > 0 || self.given == Given::Major {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.given == Given::Minor {
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
            Given::Major => false,
            _ if version.minor != wanted.minor => true,
            // Of a version without a minor number the patch counts nothing either way; the
            // library compares the prereleases here, and nothing else.
            Given::Minor => {
                (!version.prerelease().is_empty() || !wanted.prerelease().is_empty())
                    && compare_prereleases(version.prerelease(), wanted.prerelease()).is_ne()
            }
            Given::Nothing if version.patch != wanted.patch => true,
            Given::Nothing | Given::All => version != wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_placed() {
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
    fn a_text_without_end_is_refused() {
        let error = |text: String| Constraint::parse(&text).unwrap_err();
        assert_eq!(error("1".repeat(513)), ParseConstraintError::TooLong);
        assert_eq!(
            error(vec!["1"; 33].join("||")),
            ParseConstraintError::TooManyGroups
        );
    }
}

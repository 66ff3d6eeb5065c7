//! Why a policy selects a tag: counts of each stage, the first candidates, and hints.

use std::borrow::Cow;
use std::cmp::Ordering;

use sluice_golang::semver::Version;

use super::{Order, Rule, SelectionError, Selector, TagNumber};

/// Maximum number of candidates of an explanation.
const MAX_CANDIDATES: usize = 10;

/// The answer to "why this tag?".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Number of tags in the store.
    pub tags: usize,
    /// Number of tags that pass the filter.
    pub filtered: usize,
    /// Number of tags that the rule can compare: versions or numbers.
    pub comparable: usize,
    /// Number of tags that may be selected.
    pub eligible: usize,
    /// The selected tag, or the error of the policy.
    pub outcome: Result<String, SelectionError>,
    /// The latest tags by the rule, with the selected one.
    pub candidates: Vec<Candidate>,
    /// Advice to the author of the policy.
    pub hints: Vec<Hint>,
}

/// A tag and the verdict of the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The tag.
    pub tag: String,
    /// The part of the tag that is compared.
    pub value: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdict of a policy on a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Verdict {
    /// The policy selects the tag.
    #[error("selected")]
    Selected,
    /// Another tag is later.
    #[error("not the latest")]
    NotLatest,
    /// The version is outside of the range.
    #[error("outside of the range")]
    OutOfRange,
    /// The range accepts the release of this pre-release, but no pre-release.
    #[error("the range accepts no pre-releases")]
    Prerelease,
    /// The tag is not a version of three numbers.
    #[error("not a version of three numbers")]
    NotAVersion,
    /// The tag is not a number.
    #[error("not a number")]
    NotANumber,
}

/// Advice to the author of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Hint {
    /// No tag passes the filter.
    #[error("no tag matches filterTags.pattern")]
    NothingFiltered,
    /// The filter extracts an empty text, probably from a group that does not exist.
    #[error("filterTags.extract gives an empty text for '{tag}': check the name of the group")]
    EmptyExtract {
        /// The first such tag.
        tag: String,
    },
    /// A newer pre-release is left out because the range names none.
    #[error("'{tag}' is newer: append '-0' to the versions of the range to accept pre-releases")]
    PrereleasesExcluded {
        /// The newest such tag.
        tag: String,
    },
    /// Pre-releases such as `rc9` and `rc10` are compared as texts.
    #[error("'{lower}' counts as newer than '{higher}': write '-{word}.{number}' with a dot")]
    TextualPrerelease {
        /// The tag that counts as newer.
        lower: String,
        /// The tag with the higher number.
        higher: String,
        /// The word before the number.
        word: String,
        /// The higher number.
        number: String,
    },
    /// Tags have fewer than three numbers.
    #[error("'{tag}' is not compared: a version has three numbers")]
    ShortVersion {
        /// The first such tag.
        tag: String,
    },
    /// One tag is not a number, so the whole policy fails.
    #[error("'{tag}' is not a number: exclude it with filterTags.pattern")]
    NotANumber {
        /// The first such tag.
        tag: String,
    },
}

/// Explains the selection of tags in descending byte order.
pub fn explain<T, E>(
    selector: &Selector,
    tags: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Explanation, E>
where
    T: AsRef<str>,
{
    let mut survey = Survey::new(&selector.rule);
    let mut selection = super::Selection::new(&selector.rule);
    let mut failure = None;
    for tag in tags {
        let tag = tag?;
        let tag = tag.as_ref();
        survey.tags += 1;
        let value = match &selector.filter {
            Some(filter) => filter.apply(tag),
            None => Some(Cow::Borrowed(tag)),
        };
        let Some(value) = value else { continue };
        survey.see(tag, &value);
        if failure.is_none() {
            failure = selection.offer(tag, &value).err();
        }
    }
    let outcome = match failure {
        Some(failure) => Err(failure),
        None => selection.finish(),
    };
    Ok(survey.finish(outcome))
}

/// A tag with its place in the order of the rule.
struct Entry {
    tag: String,
    value: String,
    rank: Rank,
    verdict: Verdict,
}

enum Rank {
    Text,
    Version(Version),
    Number(TagNumber),
    /// The rule cannot compare the tag.
    None,
}

struct Survey<'r> {
    rule: &'r Rule,
    tags: usize,
    filtered: usize,
    comparable: usize,
    eligible: usize,
    /// The latest tags, from the latest on.
    entries: Vec<Entry>,
    /// The latest version that may be selected.
    latest: Option<Version>,
    newest_prerelease: Option<(Version, String)>,
    numbered: Vec<NumberedTag>,
    hints: Vec<Hint>,
}

/// A pre-release of a word and a number without a dot: `1.0.0-rc10`.
struct NumberedTag {
    release: String,
    word: String,
    number: u64,
    digits: String,
    tag: String,
}

impl<'r> Survey<'r> {
    const fn new(rule: &'r Rule) -> Self {
        Self {
            rule,
            tags: 0,
            filtered: 0,
            comparable: 0,
            eligible: 0,
            entries: Vec::new(),
            latest: None,
            newest_prerelease: None,
            numbered: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Adds a hint unless there is one of its kind.
    fn hint(&mut self, hint: Hint) {
        let kind = std::mem::discriminant(&hint);
        let is_known = |known: &Hint| std::mem::discriminant(known) == kind;
        if !self.hints.iter().any(is_known) {
            self.hints.push(hint);
        }
    }

    fn see(&mut self, tag: &str, value: &str) {
        self.filtered += 1;
        if value.is_empty() {
            let tag = tag.to_owned();
            self.hint(Hint::EmptyExtract { tag });
        }
        let (rank, verdict) = match self.rule {
            Rule::Semver(constraint) => match Version::parse_tag(value) {
                Ok(version) => {
                    self.comparable += 1;
                    let verdict = if constraint.matches(&version) {
                        Verdict::NotLatest
                    } else if is_excluded_prerelease(constraint, &version) {
                        Verdict::Prerelease
                    } else {
                        Verdict::OutOfRange
                    };
                    self.see_version(tag, &version, verdict);
                    (Rank::Version(version), verdict)
                }
                Err(_) => {
                    if Version::parse(value).is_ok() {
                        let tag = tag.to_owned();
                        self.hint(Hint::ShortVersion { tag });
                    }
                    (Rank::None, Verdict::NotAVersion)
                }
            },
            Rule::Alphabetical(_) => {
                self.comparable += 1;
                (Rank::Text, Verdict::NotLatest)
            }
            Rule::Numerical(_) => match TagNumber::parse(value) {
                Some(number) => {
                    self.comparable += 1;
                    (Rank::Number(number), Verdict::NotLatest)
                }
                None => {
                    let tag = tag.to_owned();
                    self.hint(Hint::NotANumber { tag });
                    (Rank::None, Verdict::NotANumber)
                }
            },
        };
        if verdict == Verdict::NotLatest {
            self.eligible += 1;
        }
        self.insert(Entry {
            tag: tag.to_owned(),
            value: value.to_owned(),
            rank,
            verdict,
        });
    }

    fn see_version(&mut self, tag: &str, version: &Version, verdict: Verdict) {
        match verdict {
            Verdict::NotLatest if self.latest.as_ref().is_none_or(|latest| version > latest) => {
                self.latest = Some(version.clone());
            }
            Verdict::Prerelease => {
                let newest = self.newest_prerelease.as_ref();
                if newest.is_none_or(|(newest, _)| version > newest) {
                    self.newest_prerelease = Some((version.clone(), tag.to_owned()));
                }
            }
            _ => {}
        }
        let prerelease = version.prerelease();
        let word = prerelease.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let digits = &prerelease[word.len()..];
        if word.ends_with(|last: char| last.is_ascii_alphabetic())
            && let Ok(number) = digits.parse()
            && self.numbered.len() < MAX_CANDIDATES
        {
            self.numbered.push(NumberedTag {
                release: format!(
                    "{}.{}.{}",
                    version.major(),
                    version.minor(),
                    version.patch()
                ),
                word: word.to_owned(),
                number,
                digits: digits.to_owned(),
                tag: tag.to_owned(),
            });
        }
    }

    /// Inserts an entry at its place, and drops the last one beyond the maximum.
    fn insert(&mut self, entry: Entry) {
        let rule = self.rule;
        let at = self
            .entries
            .partition_point(|known| compare(rule, known, &entry) != Ordering::Greater);
        self.entries.insert(at, entry);
        if self.entries.len() > MAX_CANDIDATES {
            self.entries.pop();
        }
    }

    fn finish(mut self, outcome: Result<String, SelectionError>) -> Explanation {
        if self.filtered == 0 && self.tags > 0 {
            self.hint(Hint::NothingFiltered);
        }
        if let Some((version, tag)) = self.newest_prerelease.take()
            && self.latest.as_ref().is_none_or(|latest| version > *latest)
        {
            self.hint(Hint::PrereleasesExcluded { tag });
        }
        if let Some(hint) = textual_prerelease(&self.numbered) {
            self.hint(hint);
        }
        let selected = outcome.as_deref().unwrap_or_default();
        let mut candidates = Vec::with_capacity(self.entries.len());
        for entry in self.entries {
            let verdict = if outcome.is_ok() && entry.tag == selected {
                Verdict::Selected
            } else {
                entry.verdict
            };
            candidates.push(Candidate {
                tag: entry.tag,
                value: entry.value,
                verdict,
            });
        }
        // The selected tag can be behind many later ones that the range excludes.
        let is_shown = |candidate: &Candidate| candidate.verdict == Verdict::Selected;
        if let Ok(tag) = &outcome
            && !candidates.iter().any(is_shown)
        {
            candidates.truncate(MAX_CANDIDATES - 1);
            candidates.push(Candidate {
                tag: tag.clone(),
                value: tag.clone(),
                verdict: Verdict::Selected,
            });
        }
        Explanation {
            tags: self.tags,
            filtered: self.filtered,
            comparable: self.comparable,
            eligible: self.eligible,
            outcome,
            candidates,
            hints: self.hints,
        }
    }
}

/// Compares the places of two tags: the later tag is less. Tags that the rule cannot compare are
/// last.
fn compare(rule: &Rule, one: &Entry, two: &Entry) -> Ordering {
    let by_text = || one.value.cmp(&two.value);
    match (&one.rank, &two.rank) {
        (Rank::None, Rank::None) => Ordering::Equal,
        (Rank::None, _) => Ordering::Greater,
        (_, Rank::None) => Ordering::Less,
        (Rank::Version(first), Rank::Version(second)) => {
            second.cmp(first).then_with(|| by_text().reverse())
        }
        (Rank::Number(first), Rank::Number(second)) => {
            let order = first.compare(second).unwrap_or(Ordering::Equal);
            match rule {
                Rule::Numerical(Order::Descending) => order,
                _ => order.reverse(),
            }
        }
        _ => match rule {
            Rule::Alphabetical(Order::Descending) => by_text(),
            _ => by_text().reverse(),
        },
    }
}

/// Reports whether a range refuses a pre-release only because it is one.
fn is_excluded_prerelease(
    constraint: &sluice_golang::semver::Constraint,
    version: &Version,
) -> bool {
    if version.prerelease().is_empty() {
        return false;
    }
    let release = format!(
        "{}.{}.{}",
        version.major(),
        version.minor(),
        version.patch()
    );
    Version::parse(&release).is_ok_and(|release| constraint.matches(&release))
}

/// Finds two pre-releases of one release that sort by text against the order of their numbers.
fn textual_prerelease(numbered: &[NumberedTag]) -> Option<Hint> {
    for (index, one) in numbered.iter().enumerate() {
        for two in &numbered[index + 1..] {
            if one.release != two.release || one.word != two.word {
                continue;
            }
            let (lower, higher) = if one.number < two.number {
                (one, two)
            } else {
                (two, one)
            };
            if lower.number < higher.number && lower.digits > higher.digits {
                return Some(Hint::TextualPrerelease {
                    lower: lower.tag.clone(),
                    higher: higher.tag.clone(),
                    word: higher.word.clone(),
                    number: higher.digits.clone(),
                });
            }
        }
    }
    None
}

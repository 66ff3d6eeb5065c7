//! The selection of a tag: an optional filter, then a rule.
//!
//! Tags come as a stream in the order of the store, from the greatest to the smallest. Only the
//! best one so far stays in memory. Of several tags that extract to the same text, the last one of
//! the stream counts, which is the smallest. Different texts that compare equal, such as `v1.0.0`
//! and `1.0.0`, are ordered by rule: [`Rule`] says how. The reference picks one of them at random
//! if there is a filter.
//!
//! Parity: image-reflector-controller: internal/policy.

use std::borrow::Cow;
use std::cmp::Ordering;

use sluice_api::image::{ImagePolicyChoice, OrderPolicy, TagFilter};
use sluice_golang::regexp::{Pattern, PatternError};
use sluice_golang::semver::{Constraint, ParseConstraintError, Version};

pub mod explain;
mod number;

pub use explain::{Explanation, explain};
pub use number::TagNumber;

/// Maximum size of a compiled pattern in bytes.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// The policy cannot select anything. The object stalls with the reason `InvalidPolicy`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPolicy {
    /// No rule is set.
    #[error("invalid policy: given ImagePolicyChoice object is invalid")]
    NoRule,
    /// The range is malformed.
    #[error("invalid policy: {0}")]
    Range(#[from] ParseConstraintError),
    /// The order is neither `asc` nor `desc`.
    #[error("invalid policy: invalid order argument provided: '{0}', must be one of: ASC, DESC")]
    Order(String),
    /// The pattern of the filter is malformed.
    #[error("failed to filter tags: invalid regular expression pattern '{pattern}': {error}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The message of Go.
        error: PatternError,
    },
}

/// No tag can be selected. The policy is retried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No tag passes the filter.
    #[error("version list argument cannot be empty")]
    Empty,
    /// No tag is a version in the range.
    #[error("unable to determine latest version from provided list")]
    NoVersion,
    /// A tag is not a number.
    #[error("failed to parse invalid numeric value '{0}'")]
    NotNumeric(String),
}

/// Order of tags by text or number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The greatest tag is the latest.
    Ascending,
    /// The smallest tag is the latest.
    Descending,
}

impl Order {
    fn parse(order: &OrderPolicy) -> Result<Self, InvalidPolicy> {
        let text = order.order.as_ref().map_or("", |order| order.as_str());
        match text.to_uppercase().as_str() {
            "" | "ASC" => Ok(Self::Ascending),
            "DESC" => Ok(Self::Descending),
            other => Err(InvalidPolicy::Order(other.to_owned())),
        }
    }
}

/// The rule that compares tags.
#[derive(Debug, Clone)]
pub enum Rule {
    /// The highest version in a range. Of equal versions the first in descending byte order
    /// counts.
    Semver(Constraint),
    /// Byte order.
    Alphabetical(Order),
    /// Order of numbers. Of equal numbers the last in descending byte order counts.
    Numerical(Order),
}

impl Rule {
    /// Reads the rule of a policy. If there are several, semver precedes alphabetical precedes
    /// numerical.
    pub fn parse(choice: &ImagePolicyChoice) -> Result<Self, InvalidPolicy> {
        if let Some(semver) = &choice.semver {
            return Ok(Self::Semver(Constraint::parse(&semver.range)?));
        }
        if let Some(order) = &choice.alphabetical {
            return Ok(Self::Alphabetical(Order::parse(order)?));
        }
        match &choice.numerical {
            Some(order) => Ok(Self::Numerical(Order::parse(order)?)),
            None => Err(InvalidPolicy::NoRule),
        }
    }
}

/// A filter of tags that may extract a part of them.
#[derive(Debug)]
pub struct Filter {
    pattern: Pattern,
    extract: Option<String>,
}

impl Filter {
    /// Compiles the filter of a policy.
    pub fn parse(filter: &TagFilter) -> Result<Self, InvalidPolicy> {
        let pattern = filter.pattern.as_deref().unwrap_or_default();
        let compiled = Pattern::compile(pattern, MAX_PATTERN_BYTES).map_err(|error| {
            InvalidPolicy::Pattern {
                pattern: pattern.to_owned(),
                error,
            }
        })?;
        Ok(Self {
            pattern: compiled,
            extract: filter.extract.clone().filter(|extract| !extract.is_empty()),
        })
    }

    /// Returns the text to compare, or `None` for a tag that does not match.
    pub fn apply<'t>(&self, tag: &'t str) -> Option<Cow<'t, str>> {
        let Some(extract) = &self.extract else {
            return self
                .pattern
                .regex()
                .is_match(tag)
                .then_some(Cow::Borrowed(tag));
        };
        let captures = self.pattern.regex().captures(tag)?;
        let mut out = Vec::new();
        self.pattern.expand(extract.as_bytes(), &captures, &mut out);
        Some(Cow::Owned(String::from_utf8_lossy(&out).into_owned()))
    }
}

/// The rule and the filter of a policy.
#[derive(Debug)]
pub struct Selector {
    /// The rule.
    pub rule: Rule,
    /// The filter.
    pub filter: Option<Filter>,
}

impl Selector {
    /// Reads rule and filter of a policy.
    pub fn parse(
        choice: &ImagePolicyChoice,
        filter: Option<&TagFilter>,
    ) -> Result<Self, InvalidPolicy> {
        Ok(Self {
            rule: Rule::parse(choice)?,
            filter: filter.map(Filter::parse).transpose()?,
        })
    }

    /// Selects the latest of tags in descending byte order.
    ///
    /// An error of the stream ends the selection: a part of the tags must not decide.
    pub fn select<T, E>(
        &self,
        tags: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<Result<String, SelectionError>, E>
    where
        T: AsRef<str>,
    {
        let mut selection = Selection::new(&self.rule);
        for tag in tags {
            let tag = tag?;
            let tag = tag.as_ref();
            let value = match &self.filter {
                Some(filter) => filter.apply(tag),
                None => Some(Cow::Borrowed(tag)),
            };
            if let Some(value) = value
                && let Err(error) = selection.offer(tag, &value)
            {
                return Ok(Err(error));
            }
        }
        Ok(selection.finish())
    }

    /// Reports whether the previous tag is later by the rule than the selected one.
    ///
    /// A registry in trouble can lose its latest tags. An object that asks for it keeps the
    /// previous tag then. A previous tag that the policy would no longer accept is not later.
    pub fn is_downgrade(&self, previous: &str, selected: &str) -> bool {
        let mut tags = [previous, selected];
        tags.sort_unstable_by(|one, two| two.cmp(one));
        let Ok(latest) = self.select(tags.map(Ok::<_, std::convert::Infallible>));
        previous != selected && latest.is_ok_and(|latest| latest == previous)
    }
}

/// The best tag so far.
struct Selection<'r> {
    rule: &'r Rule,
    is_empty: bool,
    best: Option<Best>,
}

struct Best {
    /// The tag as the registry lists it.
    tag: String,
    /// The part of the tag that is compared.
    value: String,
    key: Key,
}

enum Key {
    Text,
    Version(Version),
    Number(TagNumber),
}

impl<'r> Selection<'r> {
    const fn new(rule: &'r Rule) -> Self {
        Self {
            rule,
            is_empty: true,
            best: None,
        }
    }

    fn offer(&mut self, tag: &str, value: &str) -> Result<(), SelectionError> {
        self.is_empty = false;
        if let Some(best) = &mut self.best
            && best.value == value
        {
            // The reference maps each text to the last tag that it was extracted from.
            tag.clone_into(&mut best.tag);
            return Ok(());
        }
        let key = match self.rule {
            Rule::Semver(constraint) => {
                let Ok(version) = Version::parse_tag(value) else {
                    return Ok(());
                };
                if !constraint.matches(&version) || !self.is_later_version(&version, value) {
                    return Ok(());
                }
                Key::Version(version)
            }
            Rule::Alphabetical(order) => {
                let best = self.best.as_ref().map(|best| best.value.as_str());
                let is_later = best.is_none_or(|best| match order {
                    Order::Ascending => value > best,
                    Order::Descending => value < best,
                });
                if !is_later {
                    return Ok(());
                }
                Key::Text
            }
            Rule::Numerical(order) => {
                let Some(number) = TagNumber::parse(value) else {
                    return Err(SelectionError::NotNumeric(value.to_owned()));
                };
                if let Some(Best {
                    key: Key::Number(best),
                    value: best_value,
                    ..
                }) = &self.best
                    && (number.is_behind(best, *order)
                        || number.compare(best) == Some(Ordering::Equal)
                            && value > best_value.as_str())
                {
                    return Ok(());
                }
                Key::Number(number)
            }
        };
        self.best = Some(Best {
            tag: tag.to_owned(),
            value: value.to_owned(),
            key,
        });
        Ok(())
    }

    fn is_later_version(&self, version: &Version, value: &str) -> bool {
        match &self.best {
            Some(Best {
                key: Key::Version(best),
                value: best_value,
                ..
            }) => version > best || (version == best && value > best_value.as_str()),
            _ => true,
        }
    }

    fn finish(self) -> Result<String, SelectionError> {
        match self.best {
            Some(best) => Ok(best.tag),
            None if self.is_empty => Err(SelectionError::Empty),
            None => Err(SelectionError::NoVersion),
        }
    }
}

#[cfg(test)]
mod tests;

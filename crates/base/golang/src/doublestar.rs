//! Globs over directories, as the Go module `doublestar` matches them.
//!
//! `**` as a whole component matches any number of directories, and `{a,b}` matches either text.
//! Alternatives multiply, and stars backtrack, so the caller limits the steps.
//!
//! Parity: bmatcuk/doublestar v4.10.0: match.go, validate.go.

use crate::glob::{REPLACEMENT, decode};

/// The largest character, which no range begins with.
const MAX_CHARACTER: u32 = 0x10_FFFF;
const SLASH: u32 = b'/' as u32;

/// Why a name was not matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The pattern is malformed.
    #[error("syntax error in pattern")]
    Malformed,
    /// No step is left.
    #[error("the pattern needs too many steps")]
    TooManySteps,
}

/// Whether a slash-separated name matches. Also reports a malformed pattern behind a mismatch.
///
/// `steps` is the number of steps that are left.
pub fn matches(pattern: &[u8], name: &[u8], steps: &mut u64) -> Result<bool, MatchError> {
    let mut matcher = Matcher {
        name,
        validates: true,
        steps,
    };
    matcher.matches(pattern, Positions::default())
}

/// Like [`matches()`], but a malformed pattern matches nothing.
pub fn matches_leniently(pattern: &[u8], name: &[u8], steps: &mut u64) -> Result<bool, MatchError> {
    let mut matcher = Matcher {
        name,
        validates: false,
        steps,
    };
    match matcher.matches(pattern, Positions::default()) {
        Err(MatchError::Malformed) => Ok(false),
        result => result,
    }
}

/// Whether a pattern is well-formed.
pub fn is_valid(pattern: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut index = 0;
    while index < pattern.len() {
        match pattern[index] {
            b'\\' => {
                index += 1;
                if index >= pattern.len() {
                    return false;
                }
            }
            b'[' => match end_of_class(pattern, index) {
                Some(end) => index = end,
                None => return false,
            },
            b'{' => depth += 1,
            b'}' => match depth.checked_sub(1) {
                Some(left) => depth = left,
                None => return false,
            },
            _ => {}
        }
        index += 1;
    }
    depth == 0
}

/// The index of the bracket that closes the class at `start`.
fn end_of_class(pattern: &[u8], start: usize) -> Option<usize> {
    let mut index = start + 1;
    if matches!(pattern.get(index), Some(b'^' | b'!')) {
        index += 1;
    }
    if matches!(pattern.get(index), None | Some(b']')) {
        return None;
    }
    while index < pattern.len() {
        match pattern[index] {
            b'\\' => index += 1,
            b']' => return Some(index),
            _ => {}
        }
        index += 1;
    }
    None
}

/// The positions of a match in the pattern and in the name.
#[derive(Debug, Clone, Copy, Default)]
struct Positions {
    pattern: usize,
    name: usize,
    /// Where to continue after another character of a star.
    star: Option<(usize, usize)>,
    /// Where to continue after another directory of a double star.
    double_star: Option<(usize, usize)>,
}

struct Matcher<'a> {
    name: &'a [u8],
    validates: bool,
    steps: &'a mut u64,
}

impl Matcher<'_> {
    fn charge(&mut self, steps: usize) -> Result<(), MatchError> {
        let left = self.steps.checked_sub(steps as u64);
        *self.steps = left.unwrap_or_default();
        left.map(drop).ok_or(MatchError::TooManySteps)
    }

    fn matches(&mut self, pattern: &[u8], mut at: Positions) -> Result<bool, MatchError> {
        let mut starts_segment = true;
        while at.name < self.name.len() {
            self.charge(1)?;
            let is_matched = match pattern.get(at.pattern) {
                None => false,
                Some(b'*') => {
                    at.pattern += 1;
                    if pattern.get(at.pattern) == Some(&b'*') {
                        at.pattern += 1;
                        if starts_segment && at.pattern >= pattern.len() {
                            return Ok(true);
                        }
                        if starts_segment && pattern[at.pattern] == b'/' {
                            at.pattern += 1;
                            at.double_star = Some((at.pattern, at.name));
                            at.star = None;
                            continue;
                        }
                    }
                    starts_segment = false;
                    at.star = Some((at.pattern, at.name));
                    true
                }
                Some(b'?') => {
                    starts_segment = false;
                    let (character, width) = decode(&self.name[at.name..]);
                    let is_matched = character != SLASH;
                    if is_matched {
                        at.pattern += 1;
                        at.name += width;
                    }
                    is_matched
                }
                Some(b'[') => {
                    starts_segment = false;
                    self.class(pattern, &mut at)?
                }
                Some(b'{') => return self.alternatives(pattern, at),
                Some(first) => {
                    if *first == b'\\' {
                        at.pattern += 1;
                        if at.pattern >= pattern.len() {
                            return Err(MatchError::Malformed);
                        }
                    }
                    self.literal(pattern, &mut at, &mut starts_segment)
                }
            };
            if !is_matched && !self.backtrack(&mut at, &mut starts_segment) {
                let rest = pattern.get(at.pattern..).unwrap_or_default();
                return if self.validates && !is_valid(rest) {
                    Err(MatchError::Malformed)
                } else {
                    Ok(false)
                };
            }
        }
        let rest = pattern.get(at.pattern..).unwrap_or_default();
        self.matches_empty(rest)
    }

    /// Matches one character.
    fn literal(&self, pattern: &[u8], at: &mut Positions, starts_segment: &mut bool) -> bool {
        let (wanted, width) = decode(&pattern[at.pattern..]);
        let (found, found_width) = decode(&self.name[at.name..]);
        if wanted != found {
            if at.pattern > 0 && pattern[at.pattern - 1] == b'\\' {
                at.pattern -= 1;
            }
            return false;
        }
        at.pattern += width;
        at.name += found_width;
        *starts_segment = wanted == SLASH;
        true
    }

    /// Matches a class of characters.
    fn class(&mut self, pattern: &[u8], at: &mut Positions) -> Result<bool, MatchError> {
        at.pattern += 1;
        let (found, width) = decode(&self.name[at.name..]);
        let is_negated = matches!(pattern.get(at.pattern), Some(b'!' | b'^'));
        if is_negated {
            at.pattern += 1;
        }
        if matches!(pattern.get(at.pattern), None | Some(b']')) {
            return Err(MatchError::Malformed);
        }
        let next = |position: &mut usize| {
            let rest = pattern.get(*position..).unwrap_or_default();
            let (character, width) = match rest {
                [] => (REPLACEMENT, 0),
                rest => decode(rest),
            };
            *position += width;
            character
        };
        let mut is_inside = false;
        let mut last = MAX_CHARACTER;
        while !matches!(pattern.get(at.pattern), None | Some(b']')) {
            self.charge(1)?;
            let mut character = next(&mut at.pattern);
            let is_range = last < MAX_CHARACTER
                && character == u32::from(b'-')
                && !matches!(pattern.get(at.pattern), None | Some(b']'));
            if is_range {
                if pattern.get(at.pattern) == Some(&b'\\') {
                    at.pattern += 1;
                }
                if (last..=next(&mut at.pattern)).contains(&found) {
                    is_inside = true;
                    break;
                }
                last = MAX_CHARACTER;
                continue;
            }
            if character == u32::from(b'\\') {
                character = next(&mut at.pattern);
            }
            if character == found {
                is_inside = true;
                break;
            }
            last = character;
        }
        if is_inside == is_negated {
            return if at.pattern >= pattern.len() {
                Err(MatchError::Malformed)
            } else {
                Ok(false)
            };
        }
        let rest = pattern.get(at.pattern..).unwrap_or_default();
        let closing = index_of(rest, b']').ok_or(MatchError::Malformed)?;
        at.pattern += closing + 1;
        at.name += width;
        Ok(true)
    }

    /// Matches the pattern once with each alternative of a group.
    fn alternatives(&mut self, pattern: &[u8], at: Positions) -> Result<bool, MatchError> {
        let opening = at.pattern;
        let group = group(pattern, opening)?;
        for alternative in group.alternatives {
            let expanded = [&pattern[..opening], alternative, group.rest].concat();
            self.charge(expanded.len())?;
            if self.matches(&expanded, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Extends the last star, or the double star before it.
    fn backtrack(&self, at: &mut Positions, starts_segment: &mut bool) -> bool {
        if let Some((pattern, name)) = at.star {
            let (skipped, width) = decode(&self.name[name..]);
            if skipped != SLASH {
                at.star = Some((pattern, name + width));
                (at.pattern, at.name) = (pattern, name + width);
                *starts_segment = false;
                return true;
            }
        }
        if let Some((pattern, name)) = at.double_star
            && let Some(slash) = self.name[name..].iter().position(|byte| *byte == b'/')
        {
            let next = name + slash + 1;
            at.double_star = Some((pattern, next));
            (at.pattern, at.name) = (pattern, next);
            *starts_segment = true;
            return true;
        }
        false
    }

    /// Whether the end of a pattern matches an empty text.
    fn matches_empty(&mut self, pattern: &[u8]) -> Result<bool, MatchError> {
        self.charge(1)?;
        if matches!(pattern, b"" | b"*" | b"**" | b"/**" | b"**/" | b"/**/") {
            return Ok(true);
        }
        if pattern[0] == b'{' {
            let group = group(pattern, 0)?;
            for alternative in group.alternatives {
                let expanded = [alternative, group.rest].concat();
                self.charge(expanded.len())?;
                if self.matches_empty(&expanded)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if self.validates && !is_valid(pattern) {
            return Err(MatchError::Malformed);
        }
        Ok(false)
    }
}

/// The alternatives of a group, and the pattern behind it.
struct Group<'a> {
    alternatives: Vec<&'a [u8]>,
    rest: &'a [u8],
}

/// Splits the group whose brace is at `opening`.
fn group(pattern: &[u8], opening: usize) -> Result<Group<'_>, MatchError> {
    let inner = &pattern[opening + 1..];
    let mut alternatives = Vec::new();
    let (mut depth, mut start, mut index) = (1, 0, 0);
    while index < inner.len() {
        match inner[index] {
            b'\\' => index += 1,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    alternatives.push(&inner[start..index]);
                    let rest = &inner[index + 1..];
                    return Ok(Group { alternatives, rest });
                }
            }
            b',' if depth == 1 => {
                alternatives.push(&inner[start..index]);
                start = index + 1;
            }
            _ => {}
        }
        index += 1;
    }
    Err(MatchError::Malformed)
}

/// The index of a byte that is not escaped.
fn index_of(text: &[u8], wanted: u8) -> Option<usize> {
    let mut index = 0;
    while index < text.len() {
        match text[index] {
            b'\\' => index += 1,
            byte if byte == wanted => return Some(index),
            _ => {}
        }
        index += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: u64 = 1 << 20;

    #[test]
    fn matching_ends_at_the_last_step() {
        let pattern = b"{a,a}".repeat(10);
        let name = b"a".repeat(9);
        let mut steps = 1000;
        let error = matches(&pattern, &name, &mut steps);
        assert_eq!(error, Err(MatchError::TooManySteps));
        assert_eq!(steps, 0);
        assert_eq!(
            matches(b"*/*.yaml", b"a/b.yaml", &mut STEPS.clone()),
            Ok(true)
        );
    }

    #[test]
    fn lenient_match_ignores_malformed_patterns() {
        let matched = |text: &str| matches_leniently(text.as_bytes(), b"a", &mut STEPS.clone());
        assert_eq!(matched("[a"), Ok(false));
        assert_eq!(matched("a[b-]"), Ok(false));
        assert_eq!(matched("a"), Ok(true));
        assert_eq!(
            matches(b"[a", b"a", &mut STEPS.clone()),
            Err(MatchError::Malformed)
        );
    }

    /// Vectors of the module itself. `oracle/main.go` of the source watcher has their recipe.
    #[test]
    fn matches_equal_those_of_go() {
        let vectors = include_str!("doublestar/vectors.jsonl");
        for line in vectors.lines() {
            let vector: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |field: &str| vector[field].as_str().unwrap_or_default().as_bytes();
            let found = matches(text("pattern"), text("name"), &mut STEPS.clone());
            let expected = match vector["matched"].as_bool() {
                Some(matched) => Ok(matched),
                None => Err(MatchError::Malformed),
            };
            assert_eq!(found, expected, "{line}");
        }
        assert!(vectors.lines().count() > 1000);
    }
}

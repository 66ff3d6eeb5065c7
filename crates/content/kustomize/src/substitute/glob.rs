//! The patterns of trim functions: `*`, `?`, `[a-z]`, `[^a]` and `\`.
//!
//! Parity: `fluxcd/pkg`: `envsubst/path/match.go`, a copy of Go's `path.Match` in which `*`
//! and `?` also match slashes. An invalid pattern is an error only if matching reaches the
//! invalid part. Steps are counted, because value and pattern could take very long.

use super::Error;
use super::scan::decode;

/// The pattern is invalid in the part read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadPattern;

pub(super) struct Glob<'p> {
    pattern: &'p [u8],
    /// The number of remaining steps.
    effort: &'p mut u64,
}

impl<'p> Glob<'p> {
    pub(super) fn new(pattern: &'p [u8], effort: &'p mut u64) -> Self {
        Self { pattern, effort }
    }

    fn step(&mut self) -> Result<(), Error> {
        *self.effort = self.effort.checked_sub(1).ok_or(Error::TooComplex)?;
        Ok(())
    }

    /// Whether the pattern matches a whole text.
    pub(super) fn matches(&mut self, text: &[u8]) -> Result<Result<bool, BadPattern>, Error> {
        let mut text = text;
        let mut pattern = self.pattern;
        'pattern: while !pattern.is_empty() {
            let (star, chunk, rest) = chunk(pattern);
            pattern = rest;
            if star && chunk.is_empty() {
                return Ok(Ok(true));
            }
            // The last chunk must reach the end of the text.
            let fits = |left: &[u8]| left.is_empty() || !rest.is_empty();
            match self.begins(chunk, text)? {
                Ok(Some(left)) if fits(left) => {
                    text = left;
                    continue;
                }
                Ok(_) => {}
                Err(bad) => return Ok(Err(bad)),
            }
            if star {
                for skipped in 1..=text.len() {
                    match self.begins(chunk, &text[skipped..])? {
                        Ok(Some(left)) if fits(left) => {
                            text = left;
                            continue 'pattern;
                        }
                        Ok(_) => {}
                        Err(bad) => return Ok(Err(bad)),
                    }
                }
            }
            return Ok(Ok(false));
        }
        Ok(Ok(text.is_empty()))
    }

    /// Matches a chunk without stars at the beginning of a text, and returns the rest.
    fn begins<'t>(
        &mut self,
        chunk: &[u8],
        text: &'t [u8],
    ) -> Result<Result<Option<&'t [u8]>, BadPattern>, Error> {
        let (mut chunk, mut text) = (chunk, text);
        self.step()?;
        while let Some((&first, rest)) = chunk.split_first() {
            self.step()?;
            let Some((&byte, after)) = text.split_first() else {
                return Ok(Ok(None));
            };
            match first {
                b'[' => {
                    let (rune, width) = decode(text);
                    text = &text[width..];
                    match class(rest, rune) {
                        Ok((true, rest)) => chunk = rest,
                        Ok((false, _)) => return Ok(Ok(None)),
                        Err(bad) => return Ok(Err(bad)),
                    }
                }
                b'?' => {
                    text = &text[decode(text).1..];
                    chunk = rest;
                }
                _ => {
                    let (wanted, rest) = match (first, rest.split_first()) {
                        (b'\\', None) => return Ok(Err(BadPattern)),
                        (b'\\', Some((&escaped, rest))) => (escaped, rest),
                        _ => (first, rest),
                    };
                    if wanted != byte {
                        return Ok(Ok(None));
                    }
                    text = after;
                    chunk = rest;
                }
            }
        }
        Ok(Ok(Some(text)))
    }
}

/// Splits off the next chunk without stars; returns whether stars preceded it, and the rest.
fn chunk(pattern: &[u8]) -> (bool, &[u8], &[u8]) {
    let stars = pattern.iter().take_while(|byte| **byte == b'*').count();
    let pattern = &pattern[stars..];
    let mut in_class = false;
    let mut end = 0;
    while end < pattern.len() {
        match pattern[end] {
            b'\\' if end + 1 < pattern.len() => end += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'*' if !in_class => break,
            _ => {}
        }
        end += 1;
    }
    (stars > 0, &pattern[..end], &pattern[end..])
}

/// Whether a character class contains a character, and the rest of the pattern.
fn class(pattern: &[u8], rune: char) -> Result<(bool, &[u8]), BadPattern> {
    let (negated, mut pattern) = match pattern.split_first() {
        Some((b'^', rest)) => (true, rest),
        _ => (false, pattern),
    };
    let mut holds = false;
    let mut ranges = 0;
    loop {
        if ranges > 0
            && let Some((b']', rest)) = pattern.split_first()
        {
            return Ok((holds != negated, rest));
        }
        let (low, rest) = member(pattern)?;
        let (high, rest) = match rest.split_first() {
            Some((b'-', rest)) => member(rest)?,
            _ => (low, rest),
        };
        holds |= (low..=high).contains(&rune);
        pattern = rest;
        ranges += 1;
    }
}

/// Parses a character of a class, which must be followed by another.
fn member(pattern: &[u8]) -> Result<(char, &[u8]), BadPattern> {
    let pattern = match pattern.split_first() {
        None | Some((b'-' | b']', _)) => return Err(BadPattern),
        Some((b'\\', rest)) => rest,
        Some(_) => pattern,
    };
    let (rune, width) = decode(pattern);
    if width == 0 || width == pattern.len() || (rune == char::REPLACEMENT_CHARACTER && width == 1) {
        return Err(BadPattern);
    }
    Ok((rune, &pattern[width..]))
}

//! Go's `filepath.Match` on Unix, over bytes that are usually UTF-8.
//!
//! Parity: go: src/path/filepath/match.go.

/// The pattern has an unclosed bracket, an empty range or a trailing backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("syntax error in pattern")]
pub struct MalformedPattern;

/// A pattern for one path component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: Vec<u8>,
    kind: GlobKind,
}

/// The kind of a pattern. Most patterns need no general matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GlobKind {
    /// A name without special characters.
    Literal,
    /// A star and a plain suffix.
    Suffix,
    General,
}

impl Glob {
    /// Prepares a pattern.
    pub fn new(text: &[u8]) -> Self {
        let is_plain = |text: &[u8]| !text.iter().any(|byte| b"*?[\\".contains(byte));
        let kind = match text.split_first() {
            _ if is_plain(text) => GlobKind::Literal,
            Some((b'*', end)) if is_plain(end) => GlobKind::Suffix,
            _ => GlobKind::General,
        };
        Self {
            text: text.to_vec(),
            kind,
        }
    }

    /// The pattern as it was given.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether the pattern matches its own text only.
    pub fn is_literal(&self) -> bool {
        self.kind == GlobKind::Literal
    }

    /// The length of a pattern without a fast path; zero otherwise.
    pub fn general_bytes(&self) -> usize {
        match self.kind {
            GlobKind::Literal | GlobKind::Suffix => 0,
            GlobKind::General => self.text.len(),
        }
    }

    /// Checks the whole pattern, as `path.Match` does before a walk.
    pub fn validate(&self) -> Result<(), MalformedPattern> {
        let mut pattern = self.text.as_slice();
        while !pattern.is_empty() {
            let (_, chunk, rest) = next_chunk(pattern);
            match_chunk(chunk, b"")?;
            pattern = rest;
        }
        Ok(())
    }

    /// Whether a component without slashes matches.
    pub fn matches(&self, name: &[u8]) -> Result<bool, MalformedPattern> {
        match self.kind {
            GlobKind::Literal => Ok(name == self.text),
            GlobKind::Suffix => Ok(name.ends_with(&self.text[1..])),
            GlobKind::General => matches(&self.text, name),
        }
    }
}

/// Whether a name matches. A malformed pattern is an error only if matching reads the malformed
/// part.
fn matches(mut pattern: &[u8], mut name: &[u8]) -> Result<bool, MalformedPattern> {
    'chunks: while !pattern.is_empty() {
        let (star, chunk, rest) = next_chunk(pattern);
        pattern = rest;
        if star && chunk.is_empty() {
            return Ok(!name.contains(&b'/'));
        }
        let attempt = match_chunk(chunk, name)?;
        // The last chunk must match the rest of the name.
        if let Some(remaining) = attempt
            && (remaining.is_empty() || !pattern.is_empty())
        {
            name = remaining;
            continue;
        }
        if star {
            let mut skipped = 0;
            while skipped < name.len() && name[skipped] != b'/' {
                skipped += 1;
                if let Some(remaining) = match_chunk(chunk, &name[skipped..])? {
                    if pattern.is_empty() && !remaining.is_empty() {
                        continue;
                    }
                    name = remaining;
                    continue 'chunks;
                }
            }
        }
        return Ok(false);
    }
    Ok(name.is_empty())
}

/// Splits off leading stars and the part before the next star outside of brackets.
fn next_chunk(mut pattern: &[u8]) -> (bool, &[u8], &[u8]) {
    let mut star = false;
    while let Some(rest) = pattern.strip_prefix(b"*") {
        pattern = rest;
        star = true;
    }
    let mut bracket = false;
    let mut index = 0;
    while index < pattern.len() {
        match pattern[index] {
            b'\\' if index + 1 < pattern.len() => index += 1,
            b'[' => bracket = true,
            b']' => bracket = false,
            b'*' if !bracket => break,
            _ => {}
        }
        index += 1;
    }
    (star, &pattern[..index], &pattern[index..])
}

/// Matches a chunk without stars at the start of the name, and returns the rest of the name.
///
/// After a mismatch it reads on without a name, to find out whether the chunk is malformed.
fn match_chunk<'a>(
    mut chunk: &[u8],
    mut name: &'a [u8],
) -> Result<Option<&'a [u8]>, MalformedPattern> {
    let mut failed = false;
    while !chunk.is_empty() {
        if !failed && name.is_empty() {
            failed = true;
        }
        match chunk[0] {
            b'[' => {
                let mut subject = None;
                if !failed {
                    let (character, width) = decode(name);
                    subject = Some(character);
                    name = &name[width..];
                }
                chunk = &chunk[1..];
                let negated = chunk.first() == Some(&b'^');
                if negated {
                    chunk = &chunk[1..];
                }
                let mut inside = false;
                let mut ranges = 0;
                loop {
                    if ranges > 0 && chunk.first() == Some(&b']') {
                        chunk = &chunk[1..];
                        break;
                    }
                    let low = escaped(&mut chunk)?;
                    let mut high = low;
                    if chunk.first() == Some(&b'-') {
                        chunk = &chunk[1..];
                        high = escaped(&mut chunk)?;
                    }
                    inside |= subject.is_some_and(|subject| low <= subject && subject <= high);
                    ranges += 1;
                }
                if inside == negated {
                    failed = true;
                }
            }
            b'?' => {
                if !failed {
                    if name[0] == b'/' {
                        failed = true;
                    }
                    let (_, width) = decode(name);
                    name = &name[width..];
                }
                chunk = &chunk[1..];
            }
            first => {
                let mut literal = first;
                if first == b'\\' {
                    chunk = &chunk[1..];
                    literal = *chunk.first().ok_or(MalformedPattern)?;
                }
                if !failed {
                    if literal != name[0] {
                        failed = true;
                    }
                    name = &name[1..];
                }
                chunk = &chunk[1..];
            }
        }
    }
    Ok((!failed).then_some(name))
}

/// Parses one end of a bracket range.
fn escaped(chunk: &mut &[u8]) -> Result<u32, MalformedPattern> {
    match chunk.first() {
        None | Some(b'-' | b']') => return Err(MalformedPattern),
        Some(b'\\') => *chunk = &chunk[1..],
        Some(_) => {}
    }
    if chunk.is_empty() {
        return Err(MalformedPattern);
    }
    let (character, width) = decode(chunk);
    // Invalid UTF-8 may occur in a name, but not in a range.
    if character == REPLACEMENT && width == 1 {
        return Err(MalformedPattern);
    }
    *chunk = &chunk[width..];
    if chunk.is_empty() {
        return Err(MalformedPattern);
    }
    Ok(character)
}

pub(crate) const REPLACEMENT: u32 = 0xFFFD;

/// Decodes the first character and its width. An invalid byte is the replacement character of width
/// one.
pub(crate) fn decode(bytes: &[u8]) -> (u32, usize) {
    let longest = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(longest) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&longest[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars().next().map_or((REPLACEMENT, 1), |character| {
        (u32::from(character), character.len_utf8())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fast_path_agrees_with_general_matching(
            text in "[ab.*?é\\\\\\[]{0,4}",
            name in prop::collection::vec(prop_oneof![Just(b'a'), Just(b'b'), Just(b'.'), Just(b'*'), any::<u8>()], 0..5),
        ) {
            prop_assume!(!name.contains(&b'/'));
            prop_assert_eq!(Glob::new(text.as_bytes()).matches(&name), matches(text.as_bytes(), &name));
        }
    }
}

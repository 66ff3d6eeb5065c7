//! Go's `filepath.Match` on Unix, over bytes that are usually UTF-8.
//!
//! Parity: go: src/path/filepath/match.go.

/// The pattern has an open bracket, an empty range or a trailing backslash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// A pattern for one component of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    text: Vec<u8>,
    shape: Shape,
}

/// What most patterns are, and what such patterns come down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The name itself.
    Name,
    /// A star, and then an end that is as it stands.
    End,
    Any,
}

impl Glob {
    pub(super) fn new(text: &[u8]) -> Self {
        let is_plain = |text: &[u8]| !text.iter().any(|byte| b"*?[\\".contains(byte));
        let shape = match text.split_first() {
            _ if is_plain(text) => Shape::Name,
            Some((b'*', end)) if is_plain(end) => Shape::End,
            _ => Shape::Any,
        };
        Self {
            text: text.to_vec(),
            shape,
        }
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Tells whether a component, which has no slash, matches.
    pub(super) fn matches(&self, name: &[u8]) -> Result<bool, Malformed> {
        match self.shape {
            Shape::Name => Ok(name == self.text),
            Shape::End => Ok(name.ends_with(&self.text[1..])),
            Shape::Any => matches(&self.text, name),
        }
    }
}

/// Tells whether a name matches. A malformed pattern is an error only as far as matching reads
/// it.
fn matches(mut pattern: &[u8], mut name: &[u8]) -> Result<bool, Malformed> {
    'chunks: while !pattern.is_empty() {
        let (star, chunk, rest) = next_chunk(pattern);
        pattern = rest;
        if star && chunk.is_empty() {
            return Ok(!name.contains(&b'/'));
        }
        let attempt = match_chunk(chunk, name)?;
        // A last chunk must use up the name; before that, what remains is for the next one.
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

/// Takes leading stars and the part up to the next star outside brackets.
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

/// Matches a chunk without stars at the start of the name and returns what remains of it.
///
/// Once it has failed it reads on without a name, only to find out whether the chunk is
/// well-formed.
fn match_chunk<'a>(mut chunk: &[u8], mut name: &'a [u8]) -> Result<Option<&'a [u8]>, Malformed> {
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
                    literal = *chunk.first().ok_or(Malformed)?;
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

/// One end of a bracket range.
fn escaped(chunk: &mut &[u8]) -> Result<u32, Malformed> {
    match chunk.first() {
        None | Some(b'-' | b']') => return Err(Malformed),
        Some(b'\\') => *chunk = &chunk[1..],
        Some(_) => {}
    }
    if chunk.is_empty() {
        return Err(Malformed);
    }
    let (character, width) = decode(chunk);
    // A byte that is no UTF-8 may stand in a name, not in a range.
    if character == REPLACEMENT && width == 1 {
        return Err(Malformed);
    }
    *chunk = &chunk[width..];
    if chunk.is_empty() {
        return Err(Malformed);
    }
    Ok(character)
}

const REPLACEMENT: u32 = 0xFFFD;

/// The first character and its width; a byte that is no UTF-8 is the replacement character of
/// width one.
fn decode(bytes: &[u8]) -> (u32, usize) {
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
        fn a_shape_says_what_matching_says(
            text in "[ab.*?é\\\\\\[]{0,4}",
            name in prop::collection::vec(prop_oneof![Just(b'a'), Just(b'b'), Just(b'.'), Just(b'*'), any::<u8>()], 0..5),
        ) {
            prop_assume!(!name.contains(&b'/'));
            prop_assert_eq!(Glob::new(text.as_bytes()).matches(&name), matches(text.as_bytes(), &name));
        }
    }
}

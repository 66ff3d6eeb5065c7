//! The armor around a file: base64 between two marker lines, parsed strictly.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const BEGIN: &str = "-----BEGIN AGE ENCRYPTED FILE-----";
const END: &str = "-----END AGE ENCRYPTED FILE-----";

/// The characters of a line, and the bytes that they encode.
const COLUMNS: usize = 64;
const BYTES: usize = 48;

/// The maximum number of white space characters around the armor.
const MAX_SPACE: usize = 1024;

/// Why a text is not armor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid armor: {0}")]
pub(super) struct ArmorError(&'static str);

pub(super) fn decode(text: &str) -> Result<Vec<u8>, ArmorError> {
    let trimmed = text.trim_start_matches(|character: char| character.is_ascii_whitespace());
    if text.len() - trimmed.len() > MAX_SPACE {
        return Err(ArmorError("too much leading white space"));
    }
    // White space before the first line must consist of whole lines.
    if !text[..text.len() - trimmed.len()].is_empty()
        && !text[..text.len() - trimmed.len()].ends_with('\n')
    {
        return Err(ArmorError("the first line is not that of an age file"));
    }
    let mut lines = trimmed.split_inclusive('\n');
    let mut read = 0;
    let mut next = || {
        let line = lines.next()?;
        read += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some((line.strip_suffix('\r').unwrap_or(line), read))
    };
    if next().map(|(line, _)| line) != Some(BEGIN) {
        return Err(ArmorError("the first line is not that of an age file"));
    }
    let mut bytes = Vec::new();
    let mut is_last = false;
    loop {
        let (line, read) = next().ok_or(ArmorError("it ends too early"))?;
        if line == END {
            let rest = &trimmed[read..];
            if !rest.trim_ascii().is_empty() {
                return Err(ArmorError("something follows the last line"));
            }
            if rest.len() >= MAX_SPACE {
                return Err(ArmorError("too much trailing white space"));
            }
            return Ok(bytes);
        }
        if is_last || line.is_empty() || line.len() > COLUMNS {
            return Err(ArmorError("a line of it has another length than it should"));
        }
        let decoded = STANDARD
            .decode(line)
            .map_err(|_| ArmorError("it is not base64"))?;
        is_last = decoded.len() < BYTES;
        bytes.extend_from_slice(&decoded);
    }
}

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = format!("{BEGIN}\n");
    for line in bytes.chunks(BYTES) {
        text.push_str(&STANDARD.encode(line));
        text.push('\n');
    }
    text.push_str(END);
    text.push('\n');
    text
}

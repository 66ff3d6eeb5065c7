//! Lines of `KEY=value`, without quoting; `\n` is a line break.

use crate::codec::scalar_text;
use crate::error::{EmitError, LoadError};
use crate::format::Format;
use crate::tree::{Branch, Comment, Item, Value};

pub(super) fn load(bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
    let mut branch = Branch::default();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        if let Some(comment) = line.strip_prefix(b"#") {
            branch.0.push(Item::Comment(Comment::new(comment, false)));
            continue;
        }
        let refused = |reason| LoadError::Syntax(format!("dotenv line {}: {reason}", index + 1));
        let Some(at) = line.iter().position(|&byte| byte == b'=') else {
            return Err(refused("it is neither KEY=value nor a comment"));
        };
        let key = str::from_utf8(&line[..at]).map_err(|_| refused("its key is not UTF-8"))?;
        let value = replaced(&line[at + 1..], b"\\n", b"\n");
        branch.push(key, Value::text(value));
    }
    Ok(vec![branch])
}

pub(super) fn emit(branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
    let branch = branches.first().ok_or(EmitError::Documents)?;
    let mut out = Vec::new();
    for item in &branch.0 {
        match item {
            Item::Comment(comment) => {
                out.push(b'#');
                out.extend_from_slice(comment.text.expose());
            }
            Item::Entry(key, Value::List(_) | Value::Branch(_)) => {
                return Err(EmitError::Complex {
                    format: Format::Dotenv,
                    key: key.clone(),
                });
            }
            Item::Entry(key, value) => {
                out.extend_from_slice(key.as_bytes());
                out.push(b'=');
                out.extend_from_slice(&replaced(&scalar_text(value), b"\n", b"\\n"));
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

/// Replaces a sequence of bytes.
pub(super) fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(from) {
            out.extend_from_slice(to);
            rest = after;
        } else {
            out.push(first);
            rest = tail;
        }
    }
    out
}

//! JSON with indentation, as Go's `json.MarshalIndent` writes it.

use std::io::{self, Write};

use sluice_yaml::json;

use crate::values::Json;

/// Writes a value in its order of keys. `depth` is the number of indentations of its first line.
pub(super) fn write(value: &Json, depth: usize, out: &mut impl Write) -> io::Result<()> {
    match value {
        Json::Array(items) if !items.is_empty() => {
            out.write_all(b"[\n")?;
            for (index, item) in items.iter().enumerate() {
                separate(index, depth + 1, out)?;
                write(item, depth + 1, out)?;
            }
            out.write_all(b"\n")?;
            indent(depth, out)?;
            out.write_all(b"]")
        }
        Json::Object(entries) if !entries.is_empty() => {
            out.write_all(b"{\n")?;
            for (index, (key, item)) in entries.iter().enumerate() {
                separate(index, depth + 1, out)?;
                write!(out, "{}: ", json::quote(key))?;
                write(item, depth + 1, out)?;
            }
            out.write_all(b"\n")?;
            indent(depth, out)?;
            out.write_all(b"}")
        }
        scalar => out.write_all(json::to_string(scalar).as_bytes()),
    }
}

/// Begins the next item of a list.
pub(super) fn separate(index: usize, depth: usize, out: &mut impl Write) -> io::Result<()> {
    if index > 0 {
        out.write_all(b",\n")?;
    }
    indent(depth, out)
}

pub(super) fn indent(depth: usize, out: &mut impl Write) -> io::Result<()> {
    for _ in 0..depth {
        out.write_all(b"  ")?;
    }
    Ok(())
}

//! Finds the metadata of a document: under the key `sops`, or in keys with the prefix `sops_`.

use crate::codec::dotenv::replaced;
use crate::error::{EmitError, LoadError};
use crate::tree::{Branch, Item, Value};

const KEY: &str = "sops";
const PREFIX: &str = "sops_";

/// Removes the section `sops` from every document, and returns the first one.
pub(super) fn take(branches: &mut [Branch]) -> Result<Branch, LoadError> {
    let mut section = None;
    for (index, branch) in branches.iter_mut().enumerate() {
        let is_section = |item: &Item| matches!(item, Item::Entry(key, _) if key == KEY);
        for item in branch.0.extract_if(.., |item| is_section(item)) {
            let Item::Entry(_, value) = item else {
                continue;
            };
            if index > 0 {
                continue;
            }
            if section.is_some() {
                return Err(LoadError::Shape("Found duplicate sops entry".to_owned()));
            }
            let Value::Branch(value) = value else {
                let problem = "Found sops entry that is not a mapping";
                return Err(LoadError::Shape(problem.to_owned()));
            };
            section = Some(value);
        }
    }
    section.ok_or(LoadError::NoMetadata)
}

/// Removes the keys with the prefix `sops_` from the only document.
pub(super) fn take_prefixed(branches: &mut [Branch]) -> Result<Branch, LoadError> {
    let mut section = Branch::default();
    if let Some(branch) = branches.first_mut() {
        let is_field = |item: &Item| matches!(item, Item::Entry(key, _) if key.starts_with(PREFIX));
        for item in branch.0.extract_if(.., |item| is_field(item)) {
            if let Item::Entry(key, value) = item {
                section.push(&key[PREFIX.len()..], value);
            }
        }
    }
    if section.0.is_empty() {
        return Err(LoadError::NoMetadata);
    }
    Ok(section)
}

/// Appends the section `sops` to every document.
pub(super) fn put(branches: &mut [Branch], section: &Value) -> Result<(), EmitError> {
    for branch in branches {
        if let Some((key, _)) = branch.entries().find(|(key, _)| *key == KEY) {
            return Err(EmitError::Reserved(key.to_owned()));
        }
        branch.push(KEY, section.clone());
    }
    Ok(())
}

/// Appends every field to every document, with the prefix.
pub(super) fn put_prefixed(branches: &mut [Branch], section: &Branch) -> Result<(), EmitError> {
    for branch in branches {
        if let Some((key, _)) = branch.entries().find(|(key, _)| key.starts_with(PREFIX)) {
            return Err(EmitError::Reserved(key.to_owned()));
        }
        for (key, value) in section.entries() {
            branch.push(format!("{PREFIX}{key}"), value.clone());
        }
    }
    Ok(())
}

/// Replaces `\n` with a line break, for a format without line breaks in values.
pub(super) fn unescaped(section: Branch) -> Branch {
    mapped(section, b"\\n", b"\n")
}

/// Replaces line breaks with `\n`.
pub(super) fn escaped(section: Branch) -> Branch {
    mapped(section, b"\n", b"\\n")
}

fn mapped(mut section: Branch, from: &[u8], to: &[u8]) -> Branch {
    for item in &mut section.0 {
        if let Item::Entry(_, value) = item
            && let Value::Text(text) = value
        {
            *value = Value::text(replaced(text.expose(), from, to));
        }
    }
    section
}

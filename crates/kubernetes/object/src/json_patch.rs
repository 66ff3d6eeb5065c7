//! JSON patches (RFC 6902) as `evanphx/json-patch` v4.13 applies them, which kustomize uses.
//!
//! The library is more lenient than the RFC. Indexes may be negative, and text before the first
//! slash of a path is ignored. `replace` of a missing field adds it, and `copy` of a missing field
//! copies null. `test` compares scalars by their text, so `1.0` differs from `1`.
//!
//! Two limits are ours: values may not nest deeper than parsed ones, and copies may add at most
//! [`MAX_COPIED_BYTES`]. Copying a map into itself grows exponentially.
//!
//! One difference: upstream distinguishes parsed, set and copied nulls. A later `test` of the same
//! patch can see that, and a path through a copied null panics. Here all nulls are equal. Start at
//! [`Patch::from_json`].

mod document;

use std::collections::BTreeMap;

use sluice_yaml::MAX_DEPTH;

pub use document::Document;

/// Maximum size of all copies of one patch.
const MAX_COPIED_BYTES: usize = 16 << 20;

/// A list of operations, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    operations: Vec<Operation>,
}

/// The fields of one operation. They are checked when the operation is applied.
#[derive(Clone, Debug, Default, PartialEq)]
struct Operation {
    fields: BTreeMap<String, Document>,
}

/// Why a patch is invalid or does not apply, in upstream's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatchError(String);

type Result<T> = std::result::Result<T, PatchError>;

fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(PatchError(message.into()))
}

fn mismatch<T>(found: &Document, wanted: &str) -> Result<T> {
    let found = found.type_name();
    error(format!(
        "json: cannot unmarshal {found} into Go value of type {wanted}"
    ))
}

impl Patch {
    /// Parses a patch. `null` is a patch without operations.
    pub fn from_json(text: &str) -> Result<Self> {
        let items = match Document::from_json(text)? {
            Document::Null => Vec::new(),
            Document::Array(items) => items,
            other => return mismatch(&other, "jsonpatch.Patch"),
        };
        let operations = items.into_iter().map(|item| match item {
            Document::Null => Ok(Operation::default()),
            Document::Object(fields) => Ok(Operation { fields }),
            other => mismatch(&other, "jsonpatch.Operation"),
        });
        Ok(Self {
            operations: operations.collect::<Result<_>>()?,
        })
    }

    /// Whether the patch has no operations.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Applies the operations in order. After an error the document is partially patched.
    pub fn apply(&self, document: &mut Document) -> Result<()> {
        let mut copied = 0;
        for operation in &self.operations {
            match operation.kind() {
                "add" => operation.add(document)?,
                "remove" => operation.remove(document)?,
                "replace" => operation.replace(document)?,
                "move" => operation.relocate(document)?,
                "test" => operation.test(document)?,
                "copy" => operation.copy(document, &mut copied)?,
                other => return error(format!("Unexpected kind: {other}")),
            }
        }
        Ok(())
    }
}

impl Operation {
    fn kind(&self) -> &str {
        match self.fields.get("op") {
            Some(Document::String { text, .. }) => text,
            _ => "unknown",
        }
    }

    fn path(&self, field: &str) -> Result<&str> {
        match self.fields.get(field) {
            Some(Document::String { text, .. }) => Ok(text),
            None | Some(Document::Null) if field == "path" => {
                error("operation missing path field: missing value")
            }
            None | Some(Document::Null) => {
                error(format!("operation, missing {field} field: missing value"))
            }
            Some(other) => mismatch(other, "string"),
        }
    }

    /// The value; a missing one is null.
    fn value(&self) -> Document {
        self.fields.get("value").cloned().unwrap_or(Document::Null)
    }

    fn add(&self, document: &mut Document) -> Result<()> {
        let Ok(path) = self.path("path") else {
            return error("add operation failed to decode path: missing value");
        };
        let Some((container, key)) = find(document, path) else {
            return error(format!(
                "add operation does not apply: doc is missing path: \"{path}\": missing value"
            ));
        };
        let value = self.value();
        check_depth(path, &value)?;
        container
            .add(&key, value)
            .or_else(|cause| error(format!("error in add for path: '{path}': {cause}")))
    }

    fn remove(&self, document: &mut Document) -> Result<()> {
        let Ok(path) = self.path("path") else {
            return error("remove operation failed to decode path: missing value");
        };
        let Some((container, key)) = find(document, path) else {
            return error(format!(
                "remove operation does not apply: doc is missing path: \"{path}\": missing value"
            ));
        };
        match container.remove(&key) {
            Ok(_) => Ok(()),
            Err(cause) => error(format!("error in remove for path: '{path}': {cause}")),
        }
    }

    fn replace(&self, document: &mut Document) -> Result<()> {
        let path = self
            .path("path")
            .or_else(|cause| error(format!("replace operation failed to decode path: {cause}")))?;
        if path.is_empty() {
            let value = self.value();
            if !matches!(value, Document::Object(_) | Document::Array(_)) {
                return error("replace operation value must be object or array: %!w(<nil>)");
            }
            *document = value;
            return Ok(());
        }
        let Some((container, key)) = find(document, path) else {
            return error(format!(
                "replace operation does not apply: doc is missing path: {path}: missing value"
            ));
        };
        // A missing field of a map is added.
        if container.at(&key).is_err() {
            return error(format!(
                "replace operation does not apply: doc is missing key: {path}: missing value"
            ));
        }
        let value = self.value();
        check_depth(path, &value)?;
        container.set(&key, value);
        Ok(())
    }

    fn relocate(&self, document: &mut Document) -> Result<()> {
        let from = self
            .path("from")
            .or_else(|cause| error(format!("move operation failed to decode from: {cause}")))?;
        let Some((container, key)) = find(document, from) else {
            return error(format!(
                "move operation does not apply: doc is missing from path: {from}: missing value"
            ));
        };
        let value = container
            .at(&key)
            .map(drop)
            .and_then(|()| container.remove(&key))
            .or_else(|cause| error(format!("error in move for path: '{key}': {cause}")))?;
        let path = self
            .path("path")
            .or_else(|cause| error(format!("move operation failed to decode path: {cause}")))?;
        let Some((container, key)) = find(document, path) else {
            return error(format!(
                "move operation does not apply: doc is missing destination path: {path}: missing value"
            ));
        };
        check_depth(path, &value)?;
        container
            .add(&key, value)
            .or_else(|cause| error(format!("error in move for path: '{path}': {cause}")))
    }

    fn copy(&self, document: &mut Document, copied: &mut usize) -> Result<()> {
        let from = self
            .path("from")
            .or_else(|cause| error(format!("copy operation failed to decode from: {cause}")))?;
        let Some((container, key)) = find(document, from) else {
            return error(format!(
                "copy operation does not apply: doc is missing from path: {from}: missing value"
            ));
        };
        let value = match container.at(&key) {
            Ok(value) => value.unwrap_or(&Document::Null),
            Err(cause) => {
                return error(format!("error in copy for from: '{from}': {cause}"));
            }
        };
        *copied += value.size();
        if *copied > MAX_COPIED_BYTES {
            return error(format!(
                "Unable to complete the copy, the accumulated size increase of JSON patch copy is {copied}, exceeding the limit {MAX_COPIED_BYTES}"
            ));
        }
        let value = value.clone();
        let Ok(path) = self.path("path") else {
            return error("copy operation failed to decode path: missing value");
        };
        let Some((container, key)) = find(document, path) else {
            return error(format!(
                "copy operation does not apply: doc is missing destination path: {path}: missing value"
            ));
        };
        check_depth(path, &value)?;
        container
            .add(&key, value.escaped())
            .or_else(|cause| error(format!("error while adding value during copy: {cause}")))
    }

    fn test(&self, document: &mut Document) -> Result<()> {
        let path = self
            .path("path")
            .or_else(|cause| error(format!("test operation failed to decode path: {cause}")))?;
        let wanted = self.fields.get("value").unwrap_or(&Document::Null);
        let found = if path.is_empty() {
            &*document
        } else {
            let Some((container, key)) = find(document, path) else {
                return error(format!(
                    "test operation does not apply: is missing path: {path}: missing value"
                ));
            };
            match container.at(&key) {
                Ok(value) => value.unwrap_or(&Document::Null),
                Err(cause) => {
                    return error(format!("error in test for path: '{path}': {cause}"));
                }
            }
        };
        if found.is_written_as(wanted) {
            Ok(())
        } else {
            error(format!("testing value {path} failed: test failed"))
        }
    }
}

/// Rejects a value that would nest too deeply at the path.
fn check_depth(path: &str, value: &Document) -> Result<()> {
    if path.matches('/').count() + value.depth() > MAX_DEPTH {
        let shown: String = path.chars().take(60).collect();
        return error(format!(
            "the value at {shown} would be nested deeper than {MAX_DEPTH}"
        ));
    }
    Ok(())
}

/// Finds the map or list that contains the last step of a path, and returns that step.
///
/// Returns `None` when a step is missing, null or a scalar.
fn find<'a>(document: &'a mut Document, path: &str) -> Option<(&'a mut Document, String)> {
    let mut steps: Vec<&str> = path.split('/').collect();
    if steps.len() < 2 {
        return None;
    }
    let last = steps.pop().expect("the path has at least two steps");
    let mut here = document;
    for step in &steps[1..] {
        here = here.at_mut(&unescape(step))?;
        if !matches!(here, Document::Object(_) | Document::Array(_)) {
            return None;
        }
    }
    Some((here, unescape(last)))
}

/// Decodes the escapes of a JSON pointer in one pass.
fn unescape(step: &str) -> String {
    let mut out = String::with_capacity(step.len());
    let mut rest = step;
    while let Some(index) = rest.find('~') {
        out.push_str(&rest[..index]);
        let (character, length) = match rest.as_bytes().get(index + 1) {
            Some(b'0') => ('~', 2),
            Some(b'1') => ('/', 2),
            _ => ('~', 1),
        };
        out.push(character);
        rest = &rest[index + length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;

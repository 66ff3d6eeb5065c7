//! Files of any content, as the text `data` of a document.

use crate::error::EmitError;
use crate::tree::{Branch, Value};

const KEY: &str = "data";

pub(super) fn load(bytes: &[u8]) -> Vec<Branch> {
    let mut branch = Branch::default();
    branch.push(KEY, Value::text(bytes));
    vec![branch]
}

pub(super) fn emit(branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
    let [branch] = branches else {
        return Err(EmitError::Documents);
    };
    match branch.get(KEY) {
        Some(Value::Text(text)) => Ok(text.expose().clone()),
        _ => Err(EmitError::NoData),
    }
}

//! Commit messages: Go's text/template with sprig's hermetic functions.
//!
//! The data are `.AutomationObject`, `.Changed` and `.Values`. Names of types are the reference's,
//! because errors show them. A budget of time and bytes ends hostile templates.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use sluice_gotemplate::sprig::{Profile, func_map};
use sluice_gotemplate::{
    Budget, ExceededLimit, ExecError, FuncMap, ParseError, Render, TemplateSet,
};

use crate::result::UpdateResult;

mod data;

/// The message of an automation without a template.
pub const DEFAULT_TEMPLATE: &str = "Update from image update automation";

/// Maximum size of a message.
const MAX_BYTES: usize = 1 << 20;

/// Maximum time of a template.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The name of the template, which errors show.
const NAME: &str = "commit message";

const REMOVED: [(&str, &str, &str); 2] = [
    (
        "can't evaluate field Updated in type source.TemplateData",
        ".Updated",
        "'.Changed'",
    ),
    (
        "can't evaluate field ImageResult in type update.Result",
        ".Changed.ImageResult",
        "'.Changed.FileChanges' or '.Changed.Objects'",
    ),
];

/// The message cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The template is malformed.
    #[error("unable to create commit message template from spec: {0}")]
    Parse(ParseError),
    /// The template uses a field that no longer exists. The object stalls with the reason
    /// `RemovedTemplateField`.
    #[error(
        "template uses removed '{field}' field. Please use {instead} instead. See: https://fluxcd.io/flux/components/image/imageupdateautomations/#message-template"
    )]
    RemovedField {
        /// The field.
        field: &'static str,
        /// Its successors.
        instead: &'static str,
    },
    /// The template failed.
    #[error("failed to run template from spec: {0}")]
    Execute(ExecError),
    /// The message is too large.
    #[error("failed to run template from spec: the message is larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// The message is not UTF-8.
    #[error("failed to run template from spec: the message is not UTF-8")]
    Encoding,
}

/// The data of a template.
#[derive(Debug, Clone)]
pub struct TemplateData<'a> {
    /// Namespace of the automation.
    pub namespace: &'a str,
    /// Name of the automation.
    pub name: &'a str,
    /// The changes of the commit.
    pub changed: &'a UpdateResult,
    /// The values of the spec.
    pub values: &'a BTreeMap<String, String>,
}

/// Renders a message. An empty template is the default one.
pub fn render(template: &str, data: &TemplateData<'_>) -> Result<String, MessageError> {
    static FUNCTIONS: LazyLock<Arc<FuncMap>> =
        LazyLock::new(|| Arc::new(func_map(Profile::Hermetic)));
    let template = if template.is_empty() {
        DEFAULT_TEMPLATE
    } else {
        template
    };
    let mut set = TemplateSet::new(NAME, Arc::clone(&FUNCTIONS));
    set.parse_text(NAME, template.as_bytes())
        .map_err(MessageError::Parse)?;
    let budget = Budget {
        steps: 10_000_000,
        bytes: 64 << 20,
        value_bytes: 4 << 20,
        depth: 1000,
        deadline: Instant::now().checked_add(MAX_TIME),
    };
    let mut render = Render::new(&budget);
    let mut out = Vec::new();
    Arc::new(set)
        .execute(&mut render, NAME, &data::value(data), &mut out)
        .map_err(|error| classify(error, out.len()))?;
    if out.len() > MAX_BYTES {
        return Err(MessageError::TooLarge);
    }
    String::from_utf8(out).map_err(|_| MessageError::Encoding)
}

fn classify(error: ExecError, written: usize) -> MessageError {
    let text = error.to_string();
    let removed = REMOVED.iter().find(|(pattern, ..)| text.contains(pattern));
    if let Some(&(_, field, instead)) = removed {
        return MessageError::RemovedField { field, instead };
    }
    if written > MAX_BYTES || text.ends_with(&ExceededLimit::Bytes.to_string()) {
        return MessageError::TooLarge;
    }
    MessageError::Execute(error)
}

#[cfg(test)]
mod tests;

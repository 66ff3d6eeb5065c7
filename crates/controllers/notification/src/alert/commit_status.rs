//! Computes the id of a commit status: a default, or the result of the Provider's expression.

use sluice_api::event::Event;
use sluice_api::notification::{Alert, Provider};
use sluice_cel::{Expression, Type, Value};

use crate::error::Error;
use crate::event::wire;
use crate::kind;
use crate::text::default_commit_status;

/// Maximum length of an id. GitHub, GitLab and Azure DevOps accept 255 characters.
const MAX_ID_BYTES: usize = 255;

/// Returns the id of the commit status, or an empty text for types that set none.
///
/// `event` has combined metadata. The expression can use `event`, `alert` and `provider`, and must
/// return a string.
pub fn commit_status(provider: &Provider, alert: &Alert, event: &Event) -> Result<String, Error> {
    if !kind::sets_commit_status(&provider.spec.type_) {
        return Ok(String::new());
    }
    let Some(text) = &provider.spec.commit_status_expr else {
        let uid = provider.metadata.uid.as_deref().unwrap_or_default();
        return Ok(default_commit_status(uid, event));
    };
    let refuse = |problem: String| Error::Expression(problem);
    let expression = Expression::compile(text, &["event", "alert", "provider"], &Type::String)
        .map_err(|error| refuse(format!("failed to compile expression: {error}")))?;
    let event = serde_json::to_value(wire(event)).map_err(|error| refuse(error.to_string()))?;
    let alert = serde_json::to_value(alert).map_err(|error| refuse(error.to_string()))?;
    let provider = serde_json::to_value(provider).map_err(|error| refuse(error.to_string()))?;
    let variables = sluice_cel::Variables::from_iter([
        ("event".to_owned(), event),
        ("alert".to_owned(), alert),
        ("provider".to_owned(), provider),
    ]);
    match expression.evaluate(&variables) {
        Ok(Value::String(id)) if id.len() > MAX_ID_BYTES => Err(refuse(format!(
            "the id has {} bytes, more than {MAX_ID_BYTES}",
            id.len()
        ))),
        Ok(Value::String(id)) => Ok(id.to_string()),
        Ok(_) => Err(refuse(
            "failed to evaluate CEL expression as string".to_owned(),
        )),
        Err(error) => Err(refuse(error.to_string())),
    }
}

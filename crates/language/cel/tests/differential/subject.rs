//! Expressions: the questions of the oracle, answered by our code. Shared with
//! `cargo xtask vectors`.

use serde_json::{Value as Json, json};
use sluice_cel::{CelError, Expression, Value};
use sluice_oracle::{Answer, Question, Subject};

/// The subject of `oracle/main.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cel;

impl Subject for Cel {
    fn name(self) -> &'static str {
        "cel"
    }

    fn answer(self, question: &Question) -> Answer {
        evaluate(question)
    }

    fn agrees(self, ours: &Answer, theirs: &Answer) -> bool {
        match (ours, theirs) {
            (_, Err(theirs)) if theirs.starts_with("panic: ") => true,
            (Err(ours), Err(theirs)) => is_same_error(ours, theirs),
            // Both limit the size of a pattern, but measure it differently.
            (_, Err(error)) | (Err(error), _) if error.contains("expression too large") => true,
            _ => ours == theirs,
        }
    }
}

/// Whether two error texts describe the same error.
///
/// Our syntax errors and pattern errors have simpler texts at the same position. Of several type
/// errors only the first one is compared: the others depend on how cel-go recovers from an
/// error, down to the numbers of its type variables.
fn is_same_error(ours: &str, theirs: &str) -> bool {
    const PATTERN: &str = "error parsing regexp";
    const OPTIONAL: &str = "from non-optional value";
    let both = |text: &str| ours.contains(text) && theirs.contains(text);
    let place = |text: &str| text.split(": ").nth(1).map(str::to_owned);
    let first = |text: &str| text.lines().next().map(str::to_owned);
    ours == theirs
        || theirs.contains("Syntax error") && place(ours) == place(theirs)
        || theirs.contains("_var") && place(ours) == place(theirs)
        || theirs.starts_with("ERROR") && first(ours) == first(theirs)
        || both(PATTERN)
        || both("invalid qualifier type")
        // cel-go prints the Go representation of the values.
        || both("join: invalid input")
        || both(OPTIONAL) && ours.split(OPTIONAL).next() == theirs.split(OPTIONAL).next()
}

fn evaluate(question: &Question) -> Answer {
    let text = question["expr"].as_str().unwrap_or_default();
    let variables = question["variables"].as_object();
    let variables = variables.ok_or("the question has no variables")?;
    let problem = |error: CelError| match error {
        CelError::Invalid { issues, .. } => issues,
        CelError::Failed { problem, .. } => problem,
        other => other.to_string(),
    };
    let evaluated = match question["declare"].as_array() {
        None => Expression::parse(text).and_then(|expression| {
            let value = expression.evaluate(variables)?;
            Ok(print(&value))
        }),
        Some(names) => {
            let names: Vec<&str> = names.iter().filter_map(Json::as_str).collect();
            Expression::check(text, &names).and_then(|(expression, of)| {
                let value = expression.evaluate(variables)?;
                Ok(format!("{of}: {}", print(&value)))
            })
        }
    };
    evaluated.map_err(problem)
}

/// Prints a value like the oracle: its type, and text without quotes.
fn print(value: &Value) -> String {
    let text = match value {
        Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    let text = text.unwrap_or_else(|| value.plain());
    format!("{} {text}", value.type_name())
}

/// The variables of generated expressions.
pub(crate) fn variables(is_declared: bool) -> Json {
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Thing",
        "metadata": {"name": "web", "generation": 3, "labels": {"app": "web", "a/b": "c"}, "annotations": {}},
        "spec": {
            "replicas": 3, "ratio": 0.5, "whole": 2.0, "paused": false, "none": null, "neg": -7,
            "image": "nginx:1.25", "timeout": "5m0s", "since": "2024-05-01T10:20:30Z", "empty": "",
            "list": [1, 2, 3], "mixed": [1, "a", true, null, 2.5], "words": ["b", "a", "b"], "none_list": [],
            "text": "Grüße, 世界!",
        },
        "status": {
            "observedGeneration": 3, "phase": "Running",
            "conditions": [
                {"type": "Ready", "status": "True", "reason": "Ok"},
                {"type": "Stalled", "status": "False"},
            ],
        },
    });
    if is_declared {
        json!({"self": object, "dep": object})
    } else {
        object
    }
}

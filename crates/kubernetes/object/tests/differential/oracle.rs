//! The Go program that answers what Go's libraries make of a question, and the same questions
//! put to us. Shared with `cargo xtask differential` and `cargo xtask vectors`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value as Json, json};
use sluice_golang::regexp;
use sluice_object::cel::{CelError, Expression, Value};
use sluice_object::json_patch::{Document, Patch};
use sluice_object::openapi::Schemas;
use sluice_object::selector::Selector;
use sluice_object::{merge, strategic};
use sluice_yaml::tree::{self, Indent, Node};
use sluice_yaml::{json as go_json, v3};

/// What is asked of the oracle and of us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Do {
    JsonPatch,
    MergePatch,
    Strategic,
    Selector,
    Regexp,
    Cel,
}

/// One question: the fields of a vector without its answer.
pub(crate) type Question = Json;

/// What came of a question.
pub(crate) type Answer = Result<String, String>;

impl Do {
    pub(crate) const ALL: [Self; 6] = [
        Self::JsonPatch,
        Self::MergePatch,
        Self::Strategic,
        Self::Selector,
        Self::Regexp,
        Self::Cel,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::JsonPatch => "json_patch",
            Self::MergePatch => "merge_patch",
            Self::Strategic => "strategic",
            Self::Selector => "selector",
            Self::Regexp => "regexp",
            Self::Cel => "cel",
        }
    }

    pub(crate) fn ours(self, question: &Question) -> Answer {
        let text = |field: &str| question[field].as_str().unwrap_or_default();
        match self {
            Self::JsonPatch => json_patch(text("document"), text("patch")),
            Self::MergePatch => merge_patch(text("document"), text("patch")),
            Self::Strategic => strategic(text("document"), text("patch")),
            Self::Selector => selector(text("document"), text("selector")),
            Self::Regexp => first_match(text("document"), text("patch")),
            Self::Cel => evaluate(question),
        }
    }

    /// Tells whether two answers are as good as the same.
    pub(crate) fn agree(self, ours: &Answer, theirs: &Answer) -> bool {
        match (ours, theirs) {
            // Where the reference panics, ours only has to stop.
            (_, Err(theirs)) if theirs.starts_with("panic: ") => true,
            (Err(ours), Err(theirs)) if self == Self::Cel => same_fault(ours, theirs),
            // What they allow to be repeated is counted in other units.
            (_, Err(theirs)) | (Err(theirs), _) if theirs.contains("expression too large") => true,
            _ => ours == theirs,
        }
    }
}

/// Whether two faults of an expression are the same one.
///
/// Syntax errors stand at the same place but are worded plainly, and so are faulty patterns. Of
/// several faults that a check finds the first one counts: what it makes of the rest hangs on
/// how cel-go goes on after an error, down to the numbers it gives to types not known yet.
fn same_fault(ours: &str, theirs: &str) -> bool {
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
        // The values are printed as Go holds them in memory.
        || both("join: invalid input")
        || both(OPTIONAL) && ours.split(OPTIONAL).next() == theirs.split(OPTIONAL).next()
}

fn json_patch(document: &str, patch: &str) -> Answer {
    let document = go_json::from_str(document).map_err(|error| error.to_string())?;
    let mut document = Document::from_value(&document);
    let patch = Patch::from_json(patch).map_err(|error| error.to_string())?;
    let applied = patch.apply(&mut document);
    let value = applied.and_then(|()| document.into_value());
    value
        .map(|value| go_json::to_string(&value))
        .map_err(|error| error.to_string())
}

fn merge_patch(document: &str, patch: &str) -> Answer {
    let read = |text: &str| go_json::from_str(text).map_err(|error| error.to_string());
    let mut document = read(document)?;
    merge::apply(&mut document, &read(patch)?);
    Ok(go_json::to_string(&document))
}

fn strategic(document: &str, patch: &str) -> Answer {
    static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::builtin);
    let read = |text: &str| {
        let documents = tree::parse_documents(text).map_err(|error| error.to_string())?;
        let mut document = documents.into_iter().next().ok_or("no document")?;
        document
            .expand_aliases()
            .map_err(|error| error.to_string())?;
        Ok::<_, String>(document)
    };
    let mut target = read(document)?;
    let print = |node: &Node| tree::to_string(node, Indent::Compact);
    match strategic::merge(&mut target, &read(patch)?, &SCHEMAS) {
        Ok(strategic::MergeOutcome::Target) => Ok(print(&target)),
        Ok(strategic::MergeOutcome::Replaced(node)) => Ok(print(&node)),
        Ok(strategic::MergeOutcome::Deleted) => Ok(String::new()),
        Err(error) => Err(error.to_string()),
    }
}

fn selector(document: &str, selector: &str) -> Answer {
    let labels = v3::from_str(document).map_err(|error| error.to_string())?;
    match Selector::parse(selector) {
        Ok(selector) => Ok(selector.matches(|key| labels[key].as_str()).to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn first_match(text: &str, pattern: &str) -> Answer {
    let pattern = regexp::compile(pattern, 1 << 20).map_err(|error| error.to_string())?;
    Ok(match pattern.find(text) {
        Some(found) => format!("[{} {}]", found.start(), found.end()),
        None => "[]".to_owned(),
    })
}

fn evaluate(question: &Question) -> Answer {
    let text = question["expr"].as_str().unwrap_or_default();
    let variables = question["variables"].as_object();
    let variables = variables.ok_or("a question about an expression has variables")?;
    let problem = |error: CelError| match error {
        CelError::Invalid { issues, .. } => issues,
        CelError::Failed { problem, .. } => problem,
        other => other.to_string(),
    };
    let evaluated = match question["declare"].as_array() {
        None => Expression::parse(text).and_then(|expression| {
            let value = expression.evaluate(variables)?;
            Ok(shown(&value))
        }),
        Some(names) => {
            let names: Vec<&str> = names.iter().filter_map(Json::as_str).collect();
            Expression::check(text, &names).and_then(|(expression, of)| {
                let value = expression.evaluate(variables)?;
                Ok(format!("{of}: {}", shown(&value)))
            })
        }
    };
    evaluated.map_err(problem)
}

/// As the oracle shows a value: its type, and texts without quotes.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    let text = text.unwrap_or_else(|| value.plain());
    format!("{} {text}", value.type_name())
}

/// The Go program, built.
pub(crate) struct Oracle {
    binary: PathBuf,
}

impl Oracle {
    /// Builds the program of a folder into another; says why where that cannot be.
    pub(crate) fn build(source: &Path, into: &Path) -> Result<Self, String> {
        let binary = into.join("object-oracle");
        let built = Command::new("go")
            .args(["build", "-o"])
            .arg(&binary)
            .arg(".")
            .current_dir(source)
            .output();
        match built {
            Ok(output) if output.status.success() => Ok(Self { binary }),
            Ok(output) => Err(format!(
                "the oracle does not build: {}",
                String::from_utf8_lossy(&output.stderr)
            )),
            Err(error) => Err(format!("there is no Go toolchain: {error}")),
        }
    }

    /// Fills in the answers of vectors, a line each.
    pub(crate) fn fill_in(&self, what: Do, vectors: &str) -> Result<String, String> {
        let mut process = Command::new(&self.binary)
            .arg(what.name())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // The libraries log what they make of labels that are no numbers.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut stdin = process.stdin.take().expect("its input is a pipe");
        let vectors = vectors.to_owned();
        // Written aside: it answers while it is still being asked.
        let writer = std::thread::spawn(move || stdin.write_all(vectors.as_bytes()));
        let output = process
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let written = writer.join().expect("the writer does not panic");
        written.map_err(|error| format!("the oracle stopped listening: {error}"))?;
        if !output.status.success() {
            return Err(format!("the oracle ended with {}", output.status));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }

    /// Puts questions to both, and returns those that are answered otherwise.
    pub(crate) fn differences(
        &self,
        what: Do,
        questions: &[Question],
    ) -> Result<Vec<Difference>, String> {
        let mut vectors = String::new();
        for question in questions {
            vectors.push_str(&question.to_string());
            vectors.push('\n');
        }
        let answers = self.fill_in(what, &vectors)?;
        let answers: Vec<&str> = answers.lines().collect();
        if answers.len() != questions.len() {
            return Err("the oracle left questions open".to_owned());
        }
        let mut differences = Vec::new();
        for (question, line) in questions.iter().zip(answers) {
            let theirs = answer(&serde_json::from_str(line).map_err(|error| error.to_string())?);
            let ours = what.ours(question);
            if !what.agree(&ours, &theirs) {
                differences.push(Difference {
                    question: question.clone(),
                    ours,
                    theirs,
                });
            }
        }
        Ok(differences)
    }
}

/// What a vector has for an answer.
pub(crate) fn answer(vector: &Json) -> Answer {
    match vector["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(vector["result"].as_str().unwrap_or_default().to_owned()),
    }
}

/// A question that is answered in two ways.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) question: Question,
    pub(crate) ours: Answer,
    pub(crate) theirs: Answer,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for field in ["document", "patch", "selector", "expr"] {
            if let Some(text) = self.question[field].as_str() {
                writeln!(f, "--- {field}\n{}", text.trim_end())?;
            }
        }
        let show = |answer: &Answer| match answer {
            Ok(text) => text.trim_end().to_owned(),
            Err(error) => format!("error: {error}"),
        };
        writeln!(f, "--- Go\n{}", show(&self.theirs))?;
        writeln!(f, "--- ours\n{}", show(&self.ours))
    }
}

/// The variables that expressions are asked about.
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

//! Patches, selectors and patterns: the questions of the oracle, answered by our code. Shared
//! with `cargo xtask vectors`.

use std::sync::LazyLock;

use sluice_golang::regexp;
use sluice_object::json_patch::{Document, Patch};
use sluice_object::openapi::Schemas;
use sluice_object::selector::Selector;
use sluice_object::{merge, strategic};
use sluice_oracle::{Answer, Question};
use sluice_yaml::tree::{self, Indent, Node};
use sluice_yaml::{json as go_json, v3};

/// The subjects of `oracle/main.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    JsonPatch,
    MergePatch,
    Strategic,
    Selector,
    Regexp,
}

impl Subject {
    pub(crate) const ALL: [Self; 5] = [
        Self::JsonPatch,
        Self::MergePatch,
        Self::Strategic,
        Self::Selector,
        Self::Regexp,
    ];
}

impl sluice_oracle::Subject for Subject {
    fn name(self) -> &'static str {
        match self {
            Self::JsonPatch => "json_patch",
            Self::MergePatch => "merge_patch",
            Self::Strategic => "strategic",
            Self::Selector => "selector",
            Self::Regexp => "regexp",
        }
    }

    fn answer(self, question: &Question) -> Answer {
        let text = |field: &str| question[field].as_str().unwrap_or_default();
        match self {
            Self::JsonPatch => json_patch(text("document"), text("patch")),
            Self::MergePatch => merge_patch(text("document"), text("patch")),
            Self::Strategic => strategic(text("document"), text("patch")),
            Self::Selector => selector(text("document"), text("selector")),
            Self::Regexp => first_match(text("document"), text("patch")),
        }
    }

    fn agrees(self, ours: &Answer, theirs: &Answer) -> bool {
        match (ours, theirs) {
            (_, Err(theirs)) if theirs.starts_with("panic: ") => true,
            // Both limit the size of a pattern, but measure it differently.
            (_, Err(error)) | (Err(error), _) if error.contains("expression too large") => true,
            _ => ours == theirs,
        }
    }
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

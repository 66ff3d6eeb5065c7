//! Rendered files to manifests and hooks, in the order in which Helm installs them.

mod order;

use std::collections::BTreeMap;

use sluice_gotemplate::GoString;
use sluice_yaml::v2;

use crate::error::Error;
use crate::metadata::Decoder;
use crate::values::Json;

pub use order::{INSTALL_ORDER, UNINSTALL_ORDER, compare};

/// A document of a rendered file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The path of the template.
    pub path: String,
    /// The document.
    pub content: GoString,
    /// The `apiVersion` of the object.
    pub api_version: String,
    /// The kind of the object.
    pub kind: String,
}

/// A document that is applied at certain events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The name of the object.
    pub name: String,
    /// The kind of the object.
    pub kind: String,
    /// The path of the template.
    pub path: String,
    /// The document.
    pub content: GoString,
    /// When the hook runs, such as `pre-install`.
    pub events: Vec<&'static str>,
    /// The place among the hooks of an event.
    pub weight: i64,
    /// When the object is deleted, such as `hook-succeeded`.
    pub delete_policies: Vec<String>,
    /// When logs are shown.
    pub output_log_policies: Vec<String>,
}

impl Hook {
    /// Whether the hook is a test.
    pub fn is_test(&self) -> bool {
        self.events.contains(&"test")
    }
}

/// The events of hooks, by the names in annotations.
const EVENTS: &[(&str, &str)] = &[
    ("pre-install", "pre-install"),
    ("post-install", "post-install"),
    ("pre-delete", "pre-delete"),
    ("post-delete", "post-delete"),
    ("pre-upgrade", "pre-upgrade"),
    ("post-upgrade", "post-upgrade"),
    ("pre-rollback", "pre-rollback"),
    ("post-rollback", "post-rollback"),
    ("test", "test"),
    ("test-success", "test"),
];

/// Hooks and manifests of rendered files.
#[derive(Debug, Clone, Default)]
pub struct SortedManifests {
    /// The hooks, sorted by kind.
    pub hooks: Vec<Hook>,
    /// All other documents, sorted by kind.
    pub manifests: Vec<Manifest>,
}

/// Splits rendered files, and sorts their documents by kind.
pub fn sort(files: &BTreeMap<String, GoString>) -> Result<SortedManifests, Error> {
    let mut sorted = SortedManifests::default();
    for (path, content) in files {
        let base = path.rsplit('/').next().unwrap_or(path);
        if base.starts_with('_') {
            continue;
        }
        for document in split(content) {
            add(&mut sorted, path, document)?;
        }
    }
    sorted
        .hooks
        .sort_by(|one, two| compare(&one.kind, &two.kind, INSTALL_ORDER));
    sorted
        .manifests
        .sort_by(|one, two| compare(&one.kind, &two.kind, INSTALL_ORDER));
    Ok(sorted)
}

/// Splits a text at the lines that start with `---`, without documents that are blank.
pub fn split(text: &[u8]) -> Vec<&[u8]> {
    let text = trim_start(text);
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"---") {
            documents.push(&text[start..at]);
            let blanks = line[3..].iter();
            let blanks = blanks.take_while(|byte| matches!(byte, b' ' | b'\t'));
            start = at + 3 + blanks.count();
        }
        at += line.len();
    }
    documents.push(&text[start..]);
    let documents = documents.into_iter().map(trim_start);
    documents.filter(|document| !document.is_empty()).collect()
}

/// A text without the white space, as Unicode knows it, at its start.
fn trim_start(text: &[u8]) -> &[u8] {
    let chunk = text.utf8_chunks().next();
    let valid = chunk.map_or("", |chunk| chunk.valid());
    &text[valid.len() - valid.trim_start().len()..]
}

/// Prints a document under the comment with its source.
pub(crate) fn print(out: &mut Vec<u8>, path: &str, content: &[u8]) {
    out.extend_from_slice(b"---\n# Source: ");
    out.extend_from_slice(path.as_bytes());
    out.push(b'\n');
    out.extend_from_slice(content);
    out.push(b'\n');
}

/// The fields that decide about a document.
#[derive(Default)]
struct Head {
    api_version: String,
    kind: String,
    name: String,
    annotations: Vec<(String, String)>,
}

impl Head {
    fn read(document: &[u8]) -> Result<Self, String> {
        let json = v2::from_slice(document)
            .map_err(|error| format!("error converting YAML to JSON: {error}"))?;
        let head = Self::decode(&json);
        head.map_err(|error| format!("error unmarshaling JSON: while decoding JSON: {error}"))
    }

    fn decode(json: &Json) -> Result<Self, String> {
        let decoder = Decoder::new("SimpleHead");
        let mut head = Self::default();
        let Some(entries) = decoder.root(json)? else {
            return Ok(head);
        };
        decoder.text(entries, "", "apiVersion", &mut head.api_version)?;
        decoder.text(entries, "", "kind", &mut head.kind)?;
        match crate::metadata::field(entries, "metadata") {
            None | Some(Json::Null) => {}
            Some(Json::Object(metadata)) => {
                decoder.text(metadata, "metadata.", "name", &mut head.name)?;
                let annotations = decoder.text_map(metadata, "metadata.", "annotations")?;
                head.annotations = annotations.unwrap_or_default();
            }
            Some(other) => {
                let of = "struct { Name string \"json:\\\"name\\\"\"; Annotations \
                          map[string]string \"json:\\\"annotations\\\"\" }";
                return Err(decoder.mismatch(other, "metadata", of));
            }
        }
        Ok(head)
    }

    fn annotation(&self, name: &str) -> Option<&str> {
        let mut annotations = self.annotations.iter();
        let found = annotations.find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The items of an annotation with commas between them.
    fn items(&self, name: &str) -> Vec<String> {
        let items = self.annotation(name).map(|value| value.split(','));
        let items = items.into_iter().flatten();
        items.map(|item| item.trim().to_lowercase()).collect()
    }
}

fn add(sorted: &mut SortedManifests, path: &str, document: &[u8]) -> Result<(), Error> {
    let head = Head::read(document).map_err(|reason| Error::Manifest {
        file: path.to_owned(),
        reason,
    })?;
    if head.annotation("helm.sh/hook").is_none() {
        sorted.manifests.push(Manifest {
            path: path.to_owned(),
            content: document.into(),
            api_version: head.api_version,
            kind: head.kind,
        });
        return Ok(());
    }
    let mut events = Vec::new();
    for name in head.items("helm.sh/hook") {
        let Some((_, event)) = EVENTS.iter().find(|(known, _)| *known == name) else {
            tracing::info!(path, "skipping unknown hooks");
            return Ok(());
        };
        events.push(*event);
    }
    let weight = head.annotation("helm.sh/hook-weight").unwrap_or_default();
    sorted.hooks.push(Hook {
        path: path.to_owned(),
        content: document.into(),
        events,
        weight: weight.parse().unwrap_or_default(),
        delete_policies: head.items("helm.sh/hook-delete-policy"),
        output_log_policies: head.items("helm.sh/hook-output-log-policy"),
        name: head.name,
        kind: head.kind,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn separator_is_a_line_that_starts_with_dashes() {
        let text = b"\n---\na: 1\n--- \t\nb: |\n  ---\n\n---c\n---\n \n";
        let documents = split(text);
        let documents: Vec<_> = documents
            .iter()
            .map(|document| String::from_utf8_lossy(document))
            .collect();
        assert_eq!(documents, ["a: 1\n", "b: |\n  ---\n\n", "c\n"]);
    }
}

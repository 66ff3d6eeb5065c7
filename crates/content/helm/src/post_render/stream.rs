//! Files to one stream of documents and back.
//!
//! An annotation of each document names its file. Documents are read and printed like kyaml does.

use sluice_chart::{Files, manifest};
use sluice_yaml::tree::{self, Indent, Node};

use crate::record::go_text;

/// The annotation that names the file of a document.
const FILE: &str = "postrenderer.helm.sh/postrender-filename";
/// Annotations that kyaml uses for itself, and removes.
const READER_ANNOTATIONS: [&str; 3] = [
    "internal.config.kubernetes.io/index",
    "config.kubernetes.io/index",
    "internal.config.kubernetes.io/seqindent",
];
/// Annotations that kyaml copies to each other, when one of them is missing.
const COPIED_ANNOTATIONS: [(&str, &str); 2] = [
    (
        "config.kubernetes.io/path",
        "internal.config.kubernetes.io/path",
    ),
    ("config.k8s.io/id", "internal.config.kubernetes.io/id"),
];
/// The path of annotations.
const ANNOTATIONS: [&str; 2] = ["metadata", "annotations"];

/// Makes a stream of files.
pub(super) fn merge(files: &Files) -> Result<String, String> {
    let mut documents = Vec::new();
    for (path, content) in files {
        let base = path.rsplit('/').next().unwrap_or(path);
        if base.starts_with('_') {
            continue;
        }
        for document in manifest::split(content) {
            let text = go_text(document);
            let parsed = parse_all(&text).map_err(|reason| format!("parsing {path}: {reason}"))?;
            for mut node in parsed {
                let annotations = node.lookup_or_create(&ANNOTATIONS);
                let annotations = annotations.filter(|node| node.is_map() || node.is_null());
                let Some(annotations) = annotations else {
                    let reason = "wrong node kind for metadata: expected MappingNode";
                    return Err(format!("annotating {path}: {reason}"));
                };
                annotations.set(FILE, Node::string(path.as_str()));
                documents.push(node);
            }
        }
    }
    Ok(print_all(documents))
}

/// Makes files of a stream. `group` is part of the names of files for documents without one.
pub(super) fn split(stream: &str, group: Option<&str>) -> Result<Files, String> {
    let documents = parse_all(stream).map_err(|reason| format!("error parsing YAML: {reason}"))?;
    let mut files: Vec<(String, Vec<Node>)> = Vec::new();
    for (index, mut document) in documents.into_iter().enumerate() {
        let named = document.text_at(&[ANNOTATIONS[0], ANNOTATIONS[1], FILE]);
        let name = match (named.filter(|name| !name.is_empty()), group) {
            (Some(name), _) => name.to_owned(),
            (None, None) => format!("generated-by-postrender-{index}.yaml"),
            (None, Some(group)) => format!("generated-by-postrender-{group}-{index}.yaml"),
        };
        if let Some(annotations) = document.lookup_mut(&ANNOTATIONS) {
            annotations.remove(FILE);
        }
        match files.iter_mut().find(|(known, _)| *known == name) {
            Some((_, documents)) => documents.push(document),
            None => files.push((name, vec![document])),
        }
    }
    let files = files.into_iter();
    let files = files.map(|(name, documents)| (name, print_all(documents).into()));
    Ok(files.collect())
}

/// Reads the documents of a text; a single list is replaced by its items.
fn parse_all(text: &str) -> Result<Vec<Node>, String> {
    let text = text.replace("\r\n", "\n");
    let parts = parts(&text)?;
    let last = parts.len().saturating_sub(1);
    let mut nodes = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        // The end of a line belongs to a block scalar before it.
        let end = if index == last { "" } else { "\n" };
        let document = tree::parse_document(format!("{part}{end}").as_bytes())
            .map_err(|error| format!("MalformedYAMLError: {error}"))?;
        let Some(document) = document.filter(|document| !document.root.is_null()) else {
            continue;
        };
        let node = document.root;
        let is_list = matches!(node.text_at(&["kind"]), Some("List" | "ResourceList"));
        let items = node.get("items");
        if is_list && last == 0 && (items.is_some() || node.get("functionConfig").is_some()) {
            nodes.extend(items.map(Node::items).unwrap_or_default().iter().cloned());
        } else if node.is_map() {
            nodes.push(with_copied_annotations(node));
        } else {
            return Err("wrong node kind: expected MappingNode".to_owned());
        }
    }
    Ok(nodes)
}

fn with_copied_annotations(mut node: Node) -> Node {
    let Some(annotations) = node.lookup_mut(&ANNOTATIONS) else {
        return node;
    };
    for (legacy, current) in COPIED_ANNOTATIONS {
        for (from, to) in [(current, legacy), (legacy, current)] {
            let text = |key: &str| {
                let text = annotations.get(key).and_then(Node::as_str);
                text.filter(|text| !text.is_empty()).map(str::to_owned)
            };
            if let (Some(value), None) = (text(from), text(to)) {
                annotations.set(to, Node::string(value));
            }
        }
    }
    node
}

/// Splits a text at the lines that start with `---`.
fn parts(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    if text.is_empty() {
        return Ok(parts);
    }
    let (mut start, mut at) = (0, 0);
    while let Some(found) = text[at..].find("\n---") {
        let separator = at + found;
        let line = separator + 1;
        let Some(length) = text[line..].find('\n') else {
            break;
        };
        let end = line + length + 1;
        let after = text[line + 3..end].trim();
        if !after.is_empty() && !after.starts_with('#') {
            let shown = text[line..end].trim();
            return Err(format!("invalid document separator: {shown}"));
        }
        parts.push(&text[start..separator]);
        (start, at) = (end, end);
    }
    parts.push(&text[start..]);
    Ok(parts)
}

fn print_all(documents: Vec<Node>) -> String {
    let mut text = String::new();
    for mut document in documents {
        if let Some(annotations) = document.lookup_mut(&ANNOTATIONS) {
            for name in READER_ANNOTATIONS {
                annotations.remove(name);
            }
            if annotations.is_map()
                && annotations.entries().is_empty()
                && let Some(metadata) = document.get_mut(ANNOTATIONS[0])
            {
                metadata.remove(ANNOTATIONS[1]);
            }
        }
        if !text.is_empty() {
            text.push_str("---\n");
        }
        text.push_str(&tree::to_string(&document, Indent::Compact));
    }
    text
}

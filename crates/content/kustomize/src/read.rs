//! Parses a file of resources: splits documents, expands lists and validates objects.
//!
//! Documents are split by lines before they are parsed, even inside a block of text.
//!
//! Parity: kustomize: `kyaml/kio/byteio_reader.go` and `api/resource/factory.go`.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use sluice_yaml::Value;
use sluice_yaml::tree::{Node, Text, parse_document};

use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::kustomization::yaml_code;
use crate::resource::{Resource, is_nil_or_empty, text_of};
use crate::schema::Schema;

/// The objects of a file.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) list: Vec<Node>,
    /// How many bytes of memory aliases copied.
    pub(crate) copied: u64,
}

/// Parses the resources of a file. `shown` is the path as written in the kustomization.
pub(crate) fn parse(
    bytes: &[u8],
    shown: &str,
    schema: &Arc<Schema>,
    growth: &GrowthBudget,
) -> Result<Vec<Resource>, Error> {
    resources(nodes(bytes), shown, schema, growth)
}

/// Converts the objects of a file into resources.
pub(crate) fn resources(
    nodes: Result<Nodes, Error>,
    shown: &str,
    schema: &Arc<Schema>,
    growth: &GrowthBudget,
) -> Result<Vec<Resource>, Error> {
    let nodes = nodes.map_err(|error| {
        // Only errors of the YAML parser show the file.
        if error.to_string().contains("MalformedYAMLError") {
            error.append_message(format_args!(" in File: {shown}"))
        } else {
            error
        }
    })?;
    growth.add(nodes.copied)?;
    let resources = nodes.list.into_iter();
    Ok(resources
        .map(|node| {
            let mut resource = Resource::new(node, Arc::clone(schema));
            resource.adopt_history();
            resource
        })
        .collect())
}

/// Parses the objects of a file.
pub(crate) fn nodes(bytes: &[u8]) -> Result<Nodes, Error> {
    let (queue, copied) = documents(bytes)?;
    let list = inline_lists(queue)?;
    Ok(Nodes { list, copied })
}

/// Parses the documents of a file and drops empty ones. Also returns how many bytes of memory
/// aliases copied.
fn documents(bytes: &[u8]) -> Result<(VecDeque<Node>, u64), Error> {
    let malformed = |error: &sluice_yaml::Error| {
        let message = format!("MalformedYAMLError: {error}");
        Error::new(yaml_code(error), message)
    };
    let text = without_carriage_returns(bytes);
    let documents = split(&text)?;
    let alone = documents.len() == 1;
    let mut nodes = Vec::new();
    for document in documents {
        let document = parse_document(document).map_err(|error| malformed(&error))?;
        match document.map(|document| document.root) {
            None => {}
            Some(node) if node.is_null() => {}
            Some(node) if alone && is_wrapper(&node) => nodes.extend(items_of(node)),
            Some(node) => nodes.push(node),
        }
    }
    let mut queue = VecDeque::new();
    // A single document may be within its own limit while the sum is not.
    let (alone, mut copied) = (GrowthBudget::default(), 0);
    for mut node in nodes {
        let more = node.expand_aliases().map_err(|error| malformed(&error))?;
        alone.add(more)?;
        copied += more;
        queue.extend(validated(node)?);
    }
    Ok((queue, copied))
}

fn without_carriage_returns(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if !bytes.contains(&b'\r') {
        return bytes.into();
    }
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out.into()
}

/// Splits at lines that begin with `---`, as upstream does. The line feeds around a separator
/// belong to it.
fn split(text: &[u8]) -> Result<Vec<&[u8]>, Error> {
    let mut documents = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(found) = find(&text[from..], b"\n---") {
        let separator = from + found;
        let Some(length) = text[separator + 1..].iter().position(|byte| *byte == b'\n') else {
            // Without a following line feed, it is not a separator.
            break;
        };
        let end = separator + 1 + length;
        let rest = text[separator + 4..end].trim_ascii();
        if !rest.is_empty() && !rest.starts_with(b"#") {
            let line = String::from_utf8_lossy(text[separator..end].trim_ascii());
            let message = format!("invalid document separator: {line}");
            return Err(Error::new(Code::MalformedYaml, message));
        }
        documents.push(&text[start..=separator]);
        start = end + 1;
        from = start;
    }
    if !text.is_empty() {
        documents.push(&text[start..]);
    }
    Ok(documents)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    // Searching for a single byte first is fast.
    let mut from = 0;
    loop {
        let at = from + text[from..].iter().position(|byte| *byte == wanted[0])?;
        if text[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn is_wrapper(node: &Node) -> bool {
    let kind = node.text_at(&["kind"]);
    matches!(kind, Some("List" | "ResourceList"))
        && (node.get("items").is_some() || node.get("functionConfig").is_some())
}

fn items_of(mut node: Node) -> Vec<Node> {
    let mut items = node.remove("items").unwrap_or_default();
    items.items_mut().map(std::mem::take).unwrap_or_default()
}

/// Drops an empty node, and rejects one that is not an object.
fn validated(node: Node) -> Result<Option<Node>, Error> {
    validate(&node)?;
    Ok((!is_nil_or_empty(&node)).then_some(node))
}

/// Rejects a node that is not an object. Accepts an empty node.
pub(crate) fn validate(node: &Node) -> Result<(), Error> {
    let invalid = |message: String| Err(Error::new(Code::ResourceInvalid, message));
    if is_nil_or_empty(node) {
        return Ok(());
    }
    let present = |field: &str| node.get(field).filter(|value| !is_nil_or_empty(value));
    let fields = ["apiVersion", "kind", "metadata"];
    if fields.iter().all(|field| present(field).is_none()) {
        return invalid("missing Resource metadata".to_owned());
    }
    let kind = present("kind").map(text_of).unwrap_or_default();
    if kind.is_empty() {
        return invalid(format!("missing kind in object {}", summary(node)));
    }
    let name = node.lookup(&["metadata", "name"]);
    let name = name.filter(|name| !is_nil_or_empty(name)).map(text_of);
    if !kind.ends_with("List") && name.unwrap_or_default().is_empty() {
        let summary = summary(node);
        return invalid(format!("missing metadata.name in object {summary}"));
    }
    Ok(())
}

/// Formats the identity of an object as Go prints upstream's struct.
fn summary(node: &Node) -> String {
    let text = |path: &[&str]| {
        let value = node.lookup(path).filter(|value| !is_nil_or_empty(value));
        value.map(text_of).unwrap_or_default()
    };
    let mut out = format!(
        "{{{{{} {}}} {{{{{} {}}}",
        text(&["apiVersion"]),
        text(&["kind"]),
        text(&["metadata", "name"]),
        text(&["metadata", "namespace"]),
    );
    for field in ["labels", "annotations"] {
        let map = node.lookup(&["metadata", field]);
        let entries = map.map(Node::entries).unwrap_or_default().iter();
        let mut pairs: Vec<(Text, Text)> = entries
            .map(|(key, value)| (text_of(key), text_of(value)))
            .collect();
        pairs.sort_unstable();
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(key, value)| format!("{key}:{value}"))
            .collect();
        write!(out, " map[{}]", pairs.join(" ")).expect("a String accepts all writes");
    }
    out.push_str("}}");
    out
}

/// Replaces each list with its items, which go to the end of the queue.
fn inline_lists(mut queue: VecDeque<Node>) -> Result<Vec<Node>, Error> {
    let mut objects = Vec::new();
    while let Some(node) = queue.pop_front() {
        let kind = node.get("kind").map(text_of).unwrap_or_default();
        if !kind.ends_with("List") {
            objects.push(node);
            continue;
        }
        // Upstream converts each item through JSON.
        let value = node.to_value().map_err(|error| {
            let message = format!("trouble expanding list of {kind}; {error}");
            Error::new(Code::MalformedYaml, message)
        })?;
        match value.get("items") {
            None => objects.push(node),
            Some(Value::Null) => {}
            Some(Value::Array(items)) => {
                for item in items {
                    let node = Node::from_value(item);
                    if node.is_null() {
                        continue;
                    }
                    let nodes = if is_wrapper(&node) {
                        items_of(node)
                    } else {
                        vec![node]
                    };
                    for node in nodes {
                        queue.extend(validated(node)?);
                    }
                }
            }
            Some(other) => {
                let found = match other {
                    Value::Bool(_) => "bool",
                    Value::Number(number) if number.is_f64() => "float64",
                    Value::Number(_) => "int",
                    Value::String(_) => "string",
                    _ => "map[string]interface {}",
                };
                let message = format!("expected array in {kind}/items, but found {found}");
                return Err(Error::new(Code::ResourceInvalid, message));
            }
        }
    }
    Ok(objects)
}

#[cfg(test)]
mod tests {
    use super::split;
    use crate::error::Error;
    use crate::resource::Resource;

    fn parse(text: &[u8], shown: &str) -> Result<Vec<Resource>, Error> {
        super::parse(
            text,
            shown,
            &crate::schema::Schema::default().into(),
            &crate::growth::GrowthBudget::default(),
        )
    }

    #[test]
    fn documents_are_split_at_separator_lines() {
        let split = |text: &'static str| {
            let parts = split(text.as_bytes())?;
            Ok::<Vec<_>, Error>(
                parts
                    .into_iter()
                    .map(|part| str::from_utf8(part).unwrap())
                    .collect(),
            )
        };
        assert_eq!(split("a\n---\nb\n--- # c\nd").unwrap(), ["a\n", "b\n", "d"]);
        assert_eq!(split("---\na\n").unwrap(), ["---\na\n"]);
        assert_eq!(split("a\n---").unwrap(), ["a\n---"]);
        assert!(split("").unwrap().is_empty());
        assert_eq!(
            split("a\n--- b\nc\n").unwrap_err().to_string(),
            "invalid document separator: --- b"
        );
    }

    fn names(text: &str) -> Vec<String> {
        let objects = parse(text.as_bytes(), "file.yaml").unwrap();
        objects
            .iter()
            .map(|resource| resource.name().into())
            .collect()
    }

    #[test]
    fn lists_are_replaced_by_their_items() {
        let item = |name: &str| format!("{{kind: X, metadata: {{name: {name}}}}}");
        let list = |kind: &str, items: &str| format!("kind: {kind}\nitems: [{items}]\n");
        assert_eq!(names(&list("List", &item("a"))), ["a"]);
        let both = format!("{}---\n{}", list("XList", &item("a")), item("b"));
        // The items of a list come last.
        assert_eq!(names(&both), ["b", "a"]);
        assert!(names("kind: XList\nitems:\n").is_empty());
        assert_eq!(names("kind: XList\nmetadata: {name: a}\n"), ["a"]);
    }

    #[test]
    fn empty_documents_and_comments_are_skipped() {
        let text = "# only a comment\n---\n---\n{}\n---\nkind: X\nmetadata: {name: a}\n";
        assert_eq!(names(text), ["a"]);
        assert!(names("").is_empty());
    }

    #[test]
    fn invalid_objects_are_rejected_in_upstreams_words() {
        for (text, message) in [
            ("hello\n", "missing Resource metadata"),
            ("- a: b\n", "missing Resource metadata"),
            ("spec: {}\n", "missing Resource metadata"),
            (
                "apiVersion: v1\nmetadata: {name: x, labels: {b: c, a: b}}\n",
                "missing kind in object {{v1 } {{x } map[a:b b:c] map[]}}",
            ),
            (
                "apiVersion: v1\nkind: X\nmetadata: {namespace: n}\n",
                "missing metadata.name in object {{v1 X} {{ n} map[] map[]}}",
            ),
            (
                "kind: XList\nitems: 1\n",
                "expected array in XList/items, but found int",
            ),
            (
                "kind: X\nfoo: [\n",
                "MalformedYAMLError: yaml: line 2: did not find expected node content in File: file.yaml",
            ),
        ] {
            let error = parse(text.as_bytes(), "file.yaml").unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}

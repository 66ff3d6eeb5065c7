//! A file of resources: its documents, the lists in it, and what each object
//! must have.
//!
//! Parity: kustomize: `kyaml/kio/byteio_reader.go` and `api/resource/factory.go`.
//! Documents are split by lines before they are parsed, also where such a line
//! lies inside a block of text.

use std::collections::VecDeque;
use std::fmt::Write as _;

use sluice_object::Object;
use sluice_yaml::{Map, Value, v3};

use crate::error::{Code, Error};
use crate::kustomization::yaml_code;

/// Reads the objects of a file. `shown` is the path as the kustomization has it.
pub(crate) fn parse(bytes: &[u8], shown: &str) -> Result<Vec<Object>, Error> {
    let malformed = |error: &sluice_yaml::Error| {
        let message = format!("MalformedYAMLError: {error} in File: {shown}");
        Error::new(yaml_code(error), message)
    };
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let documents = split(&text)?;
    let alone = documents.len() == 1;
    let mut values = Vec::new();
    for document in documents {
        // What is no UTF-8 is for the reader to refuse, which tells why.
        let value = if text.contains(char::REPLACEMENT_CHARACTER) && alone {
            v3::from_slice(bytes)
        } else {
            v3::from_str(document)
        };
        match value.map_err(|error| malformed(&error))? {
            Value::Null => {}
            Value::Object(map) if alone && is_wrapper(&map) => values.extend(items(map)),
            value => values.push(value),
        }
    }
    let mut queue = VecDeque::new();
    for value in values {
        queue.extend(validated(value)?);
    }
    inline_lists(queue)
}

/// Splits at lines that begin with `---`, as upstream does: the line feeds
/// around the separator belong to it.
fn split(text: &str) -> Result<Vec<&str>, Error> {
    let mut documents = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(found) = text[from..].find("\n---") {
        let separator = from + found;
        let Some(length) = text[separator + 1..].find('\n') else {
            // A separator without a line feed after it is no separator.
            break;
        };
        let end = separator + 1 + length;
        let rest = text[separator + 4..end].trim();
        if !rest.is_empty() && !rest.starts_with('#') {
            let line = text[separator..end].trim();
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

fn is_wrapper(map: &Map<String, Value>) -> bool {
    let kind = map.get("kind").and_then(Value::as_str);
    matches!(kind, Some("List" | "ResourceList"))
        && (map.contains_key("items") || map.contains_key("functionConfig"))
}

fn items(mut map: Map<String, Value>) -> Vec<Value> {
    match map.remove("items") {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// Drops what is empty, and refuses what is no object.
fn validated(value: Value) -> Result<Option<Object>, Error> {
    let invalid = |message: String| Err(Error::new(Code::ResourceInvalid, message));
    let map = match value {
        Value::Object(map) if map.is_empty() => return Ok(None),
        Value::Array(items) if items.is_empty() => return Ok(None),
        Value::String(text) if text.is_empty() => return Ok(None),
        Value::Null => return Ok(None),
        Value::Object(map) => map,
        _ => return invalid("missing Resource metadata".to_owned()),
    };
    let object = Object::from_map(map);
    let known = ["apiVersion", "kind", "metadata"];
    if known.iter().all(|field| is_blank(object.get(field))) {
        return invalid("missing Resource metadata".to_owned());
    }
    if object.kind().is_empty() {
        return invalid(format!("missing kind in object {}", summary(&object)));
    }
    if !object.kind().ends_with("List") && object.name().is_empty() {
        return invalid(format!(
            "missing metadata.name in object {}",
            summary(&object)
        ));
    }
    Ok(Some(object))
}

fn is_blank(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Object(map)) => map.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// The identity of an object as Go prints upstream's struct of it.
fn summary(object: &Object) -> String {
    let mut out = format!(
        "{{{{{} {}}} {{{{{} {}}}",
        object.api_version(),
        object.kind(),
        object.name(),
        object.namespace(),
    );
    let mut labels: Vec<_> = object.labels().collect();
    let mut annotations: Vec<_> = object.annotations().collect();
    for map in [&mut labels, &mut annotations] {
        map.sort_unstable();
        let pairs: Vec<_> = map
            .iter()
            .map(|(key, value)| format!("{key}:{value}"))
            .collect();
        write!(out, " map[{}]", pairs.join(" ")).expect("a String accepts all writes");
    }
    out.push_str("}}");
    out
}

/// Replaces each list by its items, which go to the end of the queue.
fn inline_lists(mut queue: VecDeque<Object>) -> Result<Vec<Object>, Error> {
    let mut objects = Vec::new();
    while let Some(object) = queue.pop_front() {
        if !object.kind().ends_with("List") || object.get("items").is_none() {
            objects.push(object);
            continue;
        }
        let kind = object.kind().to_owned();
        match object.into_map().remove("items") {
            Some(Value::Array(items)) => {
                for item in items {
                    queue.extend(validated(item)?);
                }
            }
            Some(Value::Null) | None => {}
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

/// The identity under which upstream registers an object; no namespace is the
/// same as `default`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Id {
    group: String,
    version: String,
    kind: String,
    namespace: String,
    name: String,
}

impl Id {
    pub(crate) fn of(object: &Object) -> Self {
        let namespace = match object.namespace() {
            "" => "default",
            namespace => namespace,
        };
        Self {
            group: object.group().to_owned(),
            version: object.version().to_owned(),
            kind: object.kind().to_owned(),
            namespace: namespace.to_owned(),
            name: object.name().to_owned(),
        }
    }
}

/// The error for an object whose identity is taken.
pub(crate) fn conflict(object: &Object) -> Error {
    let or = |text: &str, absent: &str| match text {
        "" => absent.to_owned(),
        text => text.to_owned(),
    };
    let id = format!(
        "{}.{}.{}/{}.{}",
        or(object.kind(), "[noKind]"),
        or(object.version(), "[noVer]"),
        or(object.group(), "[noGrp]"),
        or(object.name(), "[noName]"),
        or(object.namespace(), "[noNs]"),
    );
    let message = format!("may not add resource with an already registered id: {id}");
    Error::new(Code::IdConflict, message)
}

#[cfg(test)]
mod tests {
    use super::{parse, split};

    #[test]
    fn documents_are_split_at_lines_that_begin_with_three_dashes() {
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
            .map(|object| object.name().to_owned())
            .collect()
    }

    #[test]
    fn lists_are_replaced_by_their_items() {
        let item = |name: &str| format!("{{kind: X, metadata: {{name: {name}}}}}");
        let list = |kind: &str, items: &str| format!("kind: {kind}\nitems: [{items}]\n");
        assert_eq!(names(&list("List", &item("a"))), ["a"]);
        let both = format!("{}---\n{}", list("XList", &item("a")), item("b"));
        // The items of a list go to the end.
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
    fn what_is_no_object_is_refused_in_upstreams_words() {
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

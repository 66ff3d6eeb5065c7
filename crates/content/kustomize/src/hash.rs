//! The hash of a generated object, which becomes the suffix of its name.
//!
//! Upstream also hashes a name, but reads it from a key that no object has, so it is always
//! empty.
//!
//! Parity: kustomize: `api/hasher/hasher.go`.

use sluice_digest::{Algorithm, Digest, Hasher};
use sluice_yaml::tree::{Comments, Content, Node};
use sluice_yaml::{Map, Value, json};

use crate::error::{Code, Error};
use crate::resource_map::ResourceMap;

/// Appends hashes to the names of generated objects, and of others that ask for one.
pub(crate) fn apply(resources: &mut ResourceMap) -> Result<(), Error> {
    for place in 0..resources.len() {
        let resource = resources.get(place);
        if !resource.needs_hash() {
            continue;
        }
        let digest = match map_text(resource.node())? {
            Some(text) => Algorithm::Sha256.digest(text.as_bytes()),
            None => digest_of(&resource.document_with_history()),
        };
        let name = format!("{}-{}", resource.name(), suffix(&digest));
        resources.edit(place, |resource| {
            resource.store_previous_id();
            resource.set_name(&name);
        });
    }
    Ok(())
}

/// Returns the hashed text of a `ConfigMap` or Secret, and `None` for any other kind.
fn map_text(node: &Node) -> Result<Option<String>, Error> {
    let kind = node.text_at(&["kind"]).unwrap_or_default();
    let (fields, optional): (&[&str], &str) = match kind {
        "ConfigMap" => (&["data"], "binaryData"),
        "Secret" => (&["data", "type"], "stringData"),
        _ => return Ok(None),
    };
    let mut hashed = Map::new();
    hashed.insert("kind".to_owned(), kind.into());
    hashed.insert("name".to_owned(), "".into());
    for field in fields {
        hashed.insert((*field).to_owned(), value(node.get(field))?);
    }
    let extra = value(node.get(optional))?;
    if extra.is_object() {
        hashed.insert(optional.to_owned(), extra);
    }
    Ok(Some(json::to_string(&Value::Object(hashed))))
}

/// Hashes a document of any other kind: the JSON of go-yaml's nodes, so that comments, quotes and
/// places count.
fn digest_of(node: &Node) -> Digest {
    let mut hasher = Algorithm::Sha256.hasher();
    add_node(&mut hasher, node);
    hasher.finish()
}

fn add_node(hasher: &mut Hasher, node: &Node) {
    let (kind, text) = match &node.content {
        Content::Sequence(_) => (2, ""),
        Content::Mapping(_) => (4, ""),
        Content::Scalar(text) => (8, text.as_str()),
        Content::Alias(name) => (16, &**name),
    };
    let start = format!(
        r#"{{"Kind":{kind},"Style":{},"Tag":{},"Value":{},"Anchor":{},"Alias":null,"Content":"#,
        node.style.bits(),
        json::quote(node.tag.as_str()),
        json::quote(text),
        json::quote(node.anchor.as_ref().map_or("", |name| name.as_str())),
    );
    hasher.update(start.as_bytes());
    match &node.content {
        Content::Sequence(items) => add_list(hasher, items.iter()),
        Content::Mapping(entries) => {
            let nodes = entries.iter().flat_map(|(key, value)| [key, value]);
            add_list(hasher, nodes);
        }
        Content::Scalar(_) | Content::Alias(_) => hasher.update(b"null"),
    }
    let comment = |part: fn(&Comments) -> &String| {
        let comments = node.comments.as_deref();
        json::quote(comments.map_or("", |comments| part(comments)))
    };
    let end = format!(
        r#","HeadComment":{},"LineComment":{},"FootComment":{},"Line":{},"Column":{}}}"#,
        comment(|comments| &comments.head),
        comment(|comments| &comments.line),
        comment(|comments| &comments.foot),
        node.line,
        node.column,
    );
    hasher.update(end.as_bytes());
}

/// An empty list is null, as go-yaml reads it.
fn add_list<'n>(hasher: &mut Hasher, nodes: impl Iterator<Item = &'n Node>) {
    let mut separator: &[u8] = b"[";
    for node in nodes {
        hasher.update(separator);
        add_node(hasher, node);
        separator = b",";
    }
    let end: &[u8] = if separator == b"[" { b"null" } else { b"]" };
    hasher.update(end);
}

/// Returns the first characters of a digest, which become the suffix.
fn suffix(digest: &Digest) -> String {
    digest.hex().bytes().take(10).map(letter).collect()
}

/// Maps a hexadecimal digit to a character that does not form words, as kustomize does.
fn letter(digit: u8) -> char {
    match digit {
        b'0' => 'g',
        b'1' => 'h',
        b'3' => 'k',
        b'a' => 'm',
        b'e' => 't',
        other => char::from(other),
    }
}

/// Returns the value of a field; a missing field is an empty text instead of null.
fn value(node: Option<&Node>) -> Result<Value, Error> {
    match node.map(|node| (node, &node.content)) {
        None => Ok("".into()),
        Some((_, Content::Scalar(text))) => Ok(text.as_str().into()),
        Some((node, _)) => node
            .to_value()
            .map_err(|error| Error::new(Code::ResourceInvalid, error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::{map_text, suffix};
    use sluice_digest::Algorithm;
    use sluice_yaml::tree::parse_documents;

    /// Recorded with the pinned kustomize.
    #[test]
    fn hashes_match_upstream_for_any_name() {
        for (text, expected) in [
            (
                "{kind: ConfigMap, metadata: {name: a}, data: {x: '1'}}",
                "hmg6f82fh6",
            ),
            (
                "{kind: ConfigMap, metadata: {name: b}, data: {x: '1'}}",
                "hmg6f82fh6",
            ),
            ("{kind: ConfigMap}", "6ct58987ht"),
            ("{kind: Secret, type: Opaque, data: {}}", "46f8b28mk5"),
            (
                "{kind: Secret, type: Opaque, data: {x: eQ==}}",
                "t86b282gdf",
            ),
        ] {
            let node = parse_documents(text).unwrap().remove(0);
            let hashed = map_text(&node).unwrap().unwrap();
            let digest = Algorithm::Sha256.digest(hashed.as_bytes());
            assert_eq!(suffix(&digest), expected, "{text}");
        }
    }
}

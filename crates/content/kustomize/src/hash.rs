//! The hash of a generated object, which becomes the suffix of its name.
//!
//! Upstream also hashes a name, but reads it from a key that no object has, so it is always
//! empty.
//!
//! Parity: kustomize: `api/hasher/hasher.go`.

use sluice_digest::Algorithm;
use sluice_yaml::tree::{Content, Node};
use sluice_yaml::{Map, Value, json};

use crate::error::{Code, Error};
use crate::resource_map::ResourceMap;

/// Appends hashes to the names of generated objects.
pub(crate) fn apply(resources: &mut ResourceMap) -> Result<(), Error> {
    for place in 0..resources.len() {
        let resource = resources.get(place);
        if !resource.needs_hash() {
            continue;
        }
        let name = format!("{}-{}", resource.name(), hash(resource.node())?);
        resources.edit(place, |resource| {
            resource.store_previous_id();
            resource.set_name(&name);
        });
    }
    Ok(())
}

fn hash(node: &Node) -> Result<String, Error> {
    let kind = node.text_at(&["kind"]).unwrap_or_default();
    let (fields, optional): (&[&str], &str) = match kind {
        "ConfigMap" => (&["data"], "binaryData"),
        "Secret" => (&["data", "type"], "stringData"),
        _ => {
            let message = format!("cannot hash the content of a {kind}");
            return Err(Error::new(Code::GeneratorInvalid, message));
        }
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
    let text = json::to_string(&Value::Object(hashed));
    let digest = Algorithm::Sha256.digest(text.as_bytes());
    Ok(digest.hex().bytes().take(10).map(letter).collect())
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
    use super::hash;
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
            assert_eq!(hash(&node).unwrap(), expected, "{text}");
        }
    }
}

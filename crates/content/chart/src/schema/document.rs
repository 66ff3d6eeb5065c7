//! A schema document: its draft, and the targets of its references.

use std::collections::HashMap;

use crate::values::Json;

/// The drafts whose keywords differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    D4,
    D6,
    D7,
    D2019,
    D2020,
}

/// A parsed schema.
pub(super) struct Document<'s> {
    pub(super) root: &'s Json,
    pub(super) draft: Draft,
    /// Whether any subschema asks for what others did not evaluate.
    pub(super) has_unevaluated: bool,
    /// Subschemas by their identifiers and anchors.
    named: HashMap<String, &'s Json>,
    /// The identifier of the root, which may be missing.
    id: &'s str,
}

/// The target of a reference.
pub(super) enum Target<'s> {
    Schema(&'s Json),
    /// A document that allows everything, as Helm takes one that it cannot resolve.
    Anything,
}

impl<'s> Document<'s> {
    pub(super) fn new(root: &'s Json) -> Self {
        let text = |key: &str| root.get(key).and_then(Json::as_str).unwrap_or_default();
        let draft = draft(text("$schema"));
        let key = if draft == Draft::D4 { "id" } else { "$id" };
        let mut document = Self {
            root,
            draft,
            has_unevaluated: false,
            named: HashMap::new(),
            id: text(key).trim_end_matches('#'),
        };
        // The stack of subschemas is on the heap, as the input decides about its depth.
        let mut pile = vec![root];
        while let Some(json) = pile.pop() {
            match json {
                Json::Object(entries) => {
                    for (name, value) in entries {
                        if name == "unevaluatedProperties" || name == "unevaluatedItems" {
                            document.has_unevaluated = true;
                        }
                        if let Json::String(text) = value
                            && let Some(name) = reference_name(name, text, key)
                        {
                            document.named.entry(name).or_insert(json);
                        }
                        pile.push(value);
                    }
                }
                Json::Array(items) => pile.extend(items),
                _ => {}
            }
        }
        document
    }

    /// Finds the target of a reference.
    pub(super) fn resolve(&self, reference: &str) -> Result<Target<'s>, String> {
        let (url, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if url.is_empty() || url == self.id {
            self.root
        } else if let Some(named) = self.named.get(url) {
            named
        } else if url.starts_with("urn:") || url.contains("json-schema.org/draft") {
            return Ok(Target::Anything);
        } else {
            return Err(format!(
                "the schema refers to '{reference}', which is not fetched\n\
                 hint: put the definition into values.schema.json"
            ));
        };
        if fragment.is_empty() {
            return Ok(Target::Schema(base));
        }
        let found = if fragment.starts_with('/') {
            let fragment = decode(fragment);
            base.pointer(&fragment)
        } else {
            self.named.get(&format!("#{fragment}")).copied()
        };
        let missing = || format!("the schema has no '{reference}'");
        found.map(Target::Schema).ok_or_else(missing)
    }
}

fn draft(url: &str) -> Draft {
    let url = url.trim_end_matches('#');
    match url.rsplit_once("json-schema.org/") {
        Some((_, "draft-04/schema")) => Draft::D4,
        Some((_, "draft-06/schema")) => Draft::D6,
        Some((_, "draft-07/schema")) => Draft::D7,
        Some((_, "draft/2019-09/schema")) => Draft::D2019,
        _ => Draft::D2020,
    }
}

/// The name under which a subschema with such an entry is found.
fn reference_name(key: &str, text: &str, id: &str) -> Option<String> {
    match key {
        "$anchor" | "$dynamicAnchor" => Some(format!("#{text}")),
        key if key == id => Some(text.trim_end_matches('#').to_owned()),
        _ => None,
    }
}

/// Percent-encoded bytes of a fragment as they are.
fn decode(fragment: &str) -> String {
    let mut out = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((next, after)) = rest.split_first() {
        rest = after;
        if *next == b'%'
            && let Some(digits) = after.get(..2)
            && let Ok(digits) = std::str::from_utf8(digits)
            && let Ok(byte) = u8::from_str_radix(digits, 16)
        {
            out.push(byte);
            rest = &after[2..];
        } else {
            out.push(*next);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

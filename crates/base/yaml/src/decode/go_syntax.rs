//! A node as Go's `%#v` prints its decoded value.
//!
//! Only error messages need it, but a common one does: to YAML, an unrendered template such as
//! `name: {{ .Values.name }}` has a mapping as a key. Go reports
//! `invalid map key: map[interface {}]interface {}{…}`.

use sluice_golang::number::format_g;
use sluice_golang::quote::quote;

use super::resolve;
use super::resolve::ResolvedScalar;
use crate::node::{Content, Document, Node, NodeId};
use crate::{Dialect, Error};

/// Maximum length of the output. Go would print megabytes.
const MAX_LENGTH: usize = 4096;

const NIL: &str = "interface {}(nil)";

/// Returns the target of an alias, or the node itself.
pub(super) fn resolve_alias(document: &Document, id: NodeId) -> &Node {
    match &document.node(id).content {
        Content::Alias { target, .. } => document.node(*target),
        _ => document.node(id),
    }
}

/// Prints a node. The caller has decoded it without an error, so it is finite.
pub(super) fn print(document: &Document, dialect: Dialect, id: NodeId) -> Result<String, Error> {
    let mut out = String::new();
    write(document, dialect, id, &mut out)?;
    // Go prints the type of nil only inside of a collection.
    if out == NIL {
        return Ok("<nil>".to_owned());
    }
    Ok(out)
}

fn write(document: &Document, dialect: Dialect, id: NodeId, out: &mut String) -> Result<(), Error> {
    if out.len() > MAX_LENGTH {
        return Ok(());
    }
    let node = resolve_alias(document, id);
    match &node.content {
        Content::Scalar { value, .. } => out.push_str(&scalar(dialect, node, value)?),
        Content::Sequence { items, .. } => {
            out.push_str("[]interface {}{");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(document, dialect, *item, out)?;
            }
            out.push('}');
        }
        Content::Mapping { entries, .. } => {
            let mut sorted = Vec::with_capacity(entries.len());
            let mut all_text = dialect == Dialect::V3;
            for (key, value) in entries {
                let mut text = String::new();
                write(document, dialect, *key, &mut text)?;
                all_text &= is_text(dialect, resolve_alias(document, *key))?;
                sorted.push((text, value));
            }
            // Go sorts keys of one type; keys of several types have a random order. The later of
            // two equal keys wins, except in the strict reader.
            if dialect != Dialect::V2Strict {
                sorted.reverse();
            }
            sorted.sort_by(|(left, _), (right, _)| left.cmp(right));
            sorted.dedup_by(|(left, _), (right, _)| left == right);
            out.push_str(if all_text {
                "map[string]interface {}{"
            } else {
                "map[interface {}]interface {}{"
            });
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(&key);
                out.push(':');
                write(document, dialect, *value, out)?;
            }
            out.push('}');
        }
        Content::Alias { .. } => unreachable!("an alias never refers to an alias"),
    }
    Ok(())
}

/// Reports whether a key is text. In version 3, text keys change the type of the map.
fn is_text(dialect: Dialect, key: &Node) -> Result<bool, Error> {
    Ok(matches!(key.content, Content::Scalar { .. })
        && resolve(dialect, key)? == ResolvedScalar::Str)
}

fn scalar(dialect: Dialect, node: &Node, text: &str) -> Result<String, Error> {
    Ok(match resolve(dialect, node)? {
        ResolvedScalar::Null => NIL.to_owned(),
        ResolvedScalar::Bool(value) => value.to_string(),
        ResolvedScalar::Int(value) => value.to_string(),
        ResolvedScalar::Uint(value) => format!("{value:#x}"),
        ResolvedScalar::Float(value) => format_g(value),
        ResolvedScalar::Str | ResolvedScalar::Timestamp | ResolvedScalar::Binary => quote(text),
    })
}

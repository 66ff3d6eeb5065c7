//! Removes fields of built-in kinds that the server does not know.
//!
//! Flux decodes objects of Kubernetes' own kinds into compiled Go types, which drops unknown
//! fields: a misspelt field has no effect. A server that receives the field rejects the object. So
//! that such manifests keep working, the field is removed here as well. The server decides which
//! fields are unknown: its rejection lists them, and a field that is newer than this program is
//! kept when the server has it.
//!
//! Custom resources follow their definition, and some kinds are not typed in Flux ([`is_typed`]).
//! For these the rejection stands. It also stands when the server finds another fault, since Flux's
//! types reject such an object too.
//!
//! Quantities, which Flux's types make canonical (`1000m` becomes `1`), need no treatment: both
//! compared objects come from the server, which prints them in that form.
//!
//! Parity: `pkg: ssa/normalize/normalize.go`.

use sluice_client::Error;
use sluice_object::{Object, Value};

/// The groups of client-go's scheme. Other kinds of the API server, such as custom resource
/// definitions and API services, are not typed in Flux.
const TYPED_GROUPS: [&str; 22] = [
    "",
    "admissionregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// Start of the server's message about undeclared fields or wrong types.
const REJECTION: &str = "failed to create typed patch object (";
/// Separates the object in brackets from the errors.
const END_OF_OBJECT: &str = "): ";
/// The line before several errors.
const SEVERAL: &str = "errors:";
/// The server's message about an undeclared field.
const UNKNOWN: &str = ": field not declared in schema";

/// Whether Flux decodes the object into a compiled type.
pub(crate) fn is_typed(object: &Object) -> bool {
    TYPED_GROUPS.contains(&object.group()) && !is_exempt(object)
}

/// Whether Flux exempts the kind from decoding, since it once lost RBAC rules.
pub(crate) fn is_exempt(object: &Object) -> bool {
    object.api_version() == "rbac.authorization.k8s.io/v1"
        && matches!(object.kind(), "Role" | "ClusterRole")
}

/// Removes the fields that a rejection lists as unknown, and returns their paths. `None` when the
/// rejection has other errors, or when the object is not typed.
pub(crate) fn remove_fields(object: &mut Object, rejection: &Error) -> Option<Vec<String>> {
    let message = &rejection.status()?.message;
    if !is_typed(object) {
        return None;
    }
    let (_, rest) = message.split_once(REJECTION)?;
    let (_, errors) = rest.split_once(END_OF_OBJECT)?;
    let mut paths = Vec::new();
    for error in errors.lines().map(str::trim) {
        if error.is_empty() || error == SEVERAL {
            continue;
        }
        paths.push(error.strip_suffix(UNKNOWN)?.to_owned());
    }
    let mut remaining = object.clone();
    for path in &paths {
        remove_from_map(remaining.as_map_mut(), path)?;
    }
    if paths.is_empty() {
        return None;
    }
    *object = remaining;
    Some(paths)
}

/// Removes the field at a path in the server's notation: `.spec.ports[port=80].x`.
fn remove(value: &mut Value, path: &str) -> Option<()> {
    match value {
        Value::Object(fields) => remove_from_map(fields, path),
        Value::Array(items) => {
            let (index, rest) = item_of(items, path.strip_prefix('[')?)?;
            remove(items.get_mut(index)?, rest)
        }
        _ => None,
    }
}

fn remove_from_map(fields: &mut serde_json::Map<String, Value>, path: &str) -> Option<()> {
    let path = path.strip_prefix('.')?;
    // A name may contain dots. The longest matching name is the right one.
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
    let name = fields
        .keys()
        .filter(|name| path.strip_prefix(name.as_str()).is_some_and(is_end))
        .max_by_key(|name| name.len())?
        .clone();
    let rest = &path[name.len()..];
    if rest.is_empty() {
        fields.shift_remove(&name).map(drop)
    } else {
        remove(fields.get_mut(&name)?, rest)
    }
}

/// Finds the item of a selector (`0]`, `name="a"]`), and returns the rest of the path.
fn item_of<'p>(items: &[Value], selector: &'p str) -> Option<(usize, &'p str)> {
    if let Some((digits, rest)) = selector.split_once(']')
        && let Ok(index) = digits.parse()
    {
        return Some((index, rest));
    }
    let mut keys = Vec::new();
    let mut rest = selector;
    loop {
        let (name, after) = rest.split_once('=')?;
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        let value = values.next()?.ok()?;
        keys.push((name, value));
        let after = &after[values.byte_offset()..];
        if let Some(after) = after.strip_prefix(']') {
            rest = after;
            break;
        }
        rest = after.strip_prefix(',')?;
    }
    // A key that the item omits has a default, which the server filled in.
    let fits = |item: &Value| {
        let is = |(name, value): &(&str, Value)| item.get(*name).is_none_or(|own| own == value);
        keys.iter().all(is)
    };
    Some((items.iter().position(fits)?, rest))
}

#[cfg(test)]
mod tests;

//! Fields of built-in kinds that the server does not know.
//!
//! Flux brings objects of Kubernetes' own kinds through the types that it was compiled with, and
//! what these do not have is gone before anything is sent: a misspelt field does nothing, and a
//! manifest that holds one reconciles. A server that is sent the field refuses the object. So
//! that nobody's manifests begin to fail with us, such a field is left out as well. Which fields
//! there are is for the server to say and not for us: it names in its refusal those that it does
//! not know, and a field that is newer than this program is kept where the server has it.
//!
//! A custom resource is as its definition says: there, and for what Flux keeps as it is written
//! ([`is_typed`]), a refusal stands. It stands too where the server finds anything else wrong
//! with the shape of an object, since Flux's types do not take such an object in.
//!
//! Quantities, which Flux's way of doing it makes canonical (`1000m` becomes `1`), need nothing
//! of us: what is compared are two answers of the server, which prints them in that form.
//!
//! Parity: `pkg: ssa/normalize/normalize.go`.

use sluice_client::Error;
use sluice_object::{Object, Value};

/// The groups of client-go's scheme. Kinds of the API server that are not in it, such as custom
/// resource definitions and API services, are not typed in Flux.
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

/// What the server says of an object whose shape is not that of its schema.
const REFUSAL: &str = "failed to create typed patch object (";
/// What stands between the object in brackets and the faults.
const END_OF_OBJECT: &str = "): ";
/// The line before several faults.
const SEVERAL: &str = "errors:";
/// What it says of a field that it does not know.
const UNKNOWN: &str = ": field not declared in schema";

/// Whether Flux brings an object through a compiled type.
pub(crate) fn is_typed(object: &Object) -> bool {
    TYPED_GROUPS.contains(&object.group()) && !is_kept_as_written(object)
}

/// The two kinds that Flux leaves alone, since a round trip once reset their rules.
pub(crate) fn is_kept_as_written(object: &Object) -> bool {
    object.api_version() == "rbac.authorization.k8s.io/v1"
        && matches!(object.kind(), "Role" | "ClusterRole")
}

/// Takes the fields out that a refusal says are unknown, and gives their paths. None if that is
/// not all that the refusal says, or if the object is not one that Flux would do this to.
pub(crate) fn leave_out(object: &mut Object, refusal: &Error) -> Option<Vec<String>> {
    let message = &refusal.status()?.message;
    if !is_typed(object) {
        return None;
    }
    let (_, rest) = message.split_once(REFUSAL)?;
    let (_, faults) = rest.split_once(END_OF_OBJECT)?;
    let mut paths = Vec::new();
    for fault in faults.lines().map(str::trim) {
        if fault.is_empty() || fault == SEVERAL {
            continue;
        }
        paths.push(fault.strip_suffix(UNKNOWN)?.to_owned());
    }
    let mut left_out = object.clone();
    for path in &paths {
        take_out_of_map(left_out.as_map_mut(), path)?;
    }
    if paths.is_empty() {
        return None;
    }
    *object = left_out;
    Some(paths)
}

/// Takes out what a path leads to, as the server prints paths: `.spec.ports[port=80].x`.
fn take_out(value: &mut Value, path: &str) -> Option<()> {
    match value {
        Value::Object(fields) => take_out_of_map(fields, path),
        Value::Array(items) => {
            let (index, rest) = item_of(items, path.strip_prefix('[')?)?;
            take_out(items.get_mut(index)?, rest)
        }
        _ => None,
    }
}

fn take_out_of_map(fields: &mut serde_json::Map<String, Value>, path: &str) -> Option<()> {
    let path = path.strip_prefix('.')?;
    // A name may hold dots itself: of those that fit, the longest is meant.
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
        take_out(fields.get_mut(&name)?, rest)
    }
}

/// The item that a selector means (`0]`, `name="a"]`), and what follows it.
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
    // A key that an item does not name has its default, which the server put there.
    let fits = |item: &Value| {
        let is = |(name, value): &(&str, Value)| item.get(*name).is_none_or(|own| own == value);
        keys.iter().all(is)
    };
    Some((items.iter().position(fits)?, rest))
}

#[cfg(test)]
mod tests;

//! The untyped object: a JSON map that is known to be a map, and nothing more.
//!
//! Accessors never fail: a field that is missing or of another type reads as absent. Whether an
//! object has what every object needs is asked once, by [`Object::try_from`].

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::{GroupKind, GroupVersionKind, ObjectId, Value};
use sluice_gvk::split_api_version;

/// An untyped Kubernetes object.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Object(Map<String, Value>);

/// A value that lacks what makes it an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidObject {
    /// A list, a text, a number, or nothing at all.
    #[error("not a map")]
    NotAMap,
    /// Its `apiVersion` is missing, empty or no text.
    #[error("no apiVersion")]
    NoApiVersion,
    /// Its `kind` is missing, empty or no text.
    #[error("no kind")]
    NoKind,
    /// Its `metadata.name` is missing, empty or no text.
    #[error("{kind} without a name")]
    NoName {
        /// What it would be.
        kind: String,
    },
}

/// Shows the identity only: the object may be a Secret, and debug output ends in logs.
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({} {})", self.api_version(), self.id())
    }
}

/// Accepts a map that has `apiVersion`, `kind` and `metadata.name`.
impl TryFrom<Value> for Object {
    type Error = InvalidObject;

    fn try_from(value: Value) -> Result<Self, InvalidObject> {
        let Value::Object(map) = value else {
            return Err(InvalidObject::NotAMap);
        };
        let object = Self(map);
        if object.api_version().is_empty() {
            Err(InvalidObject::NoApiVersion)
        } else if object.kind().is_empty() {
            Err(InvalidObject::NoKind)
        } else if object.name().is_empty() {
            Err(InvalidObject::NoName {
                kind: object.kind().to_owned(),
            })
        } else {
            Ok(object)
        }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object.0)
    }
}

impl Object {
    /// Wraps a map without asking anything of it.
    pub fn from_map(map: Map<String, Value>) -> Self {
        Self(map)
    }

    /// Starts an object of this type and name; the namespace may be empty.
    pub fn new(api_version: &str, kind: &str, namespace: &str, name: &str) -> Self {
        let mut object = Self::default();
        object.0.insert("apiVersion".into(), api_version.into());
        object.0.insert("kind".into(), kind.into());
        object.set_name(name);
        if !namespace.is_empty() {
            object.set_namespace(namespace);
        }
        object
    }

    /// The whole object as a map.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The whole object as a map to write to; what it must have may get lost there.
    pub fn as_map_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.0
    }

    /// Gives the map away.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Gives the object away as a value.
    pub fn into_value(self) -> Value {
        self.into()
    }

    /// Clones the object into a value.
    pub fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// Reads a top-level field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Walks down named fields of maps.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter()
            .try_fold(self.0.get(*first)?, |value, field| value.get(field))
    }

    /// Walks down named fields of maps, to write there.
    pub fn at_mut(&mut self, path: &[&str]) -> Option<&mut Value> {
        let (first, rest) = path.split_first()?;
        let mut value = self.0.get_mut(*first)?;
        for field in rest {
            value = value.get_mut(*field)?;
        }
        Some(value)
    }

    /// Reads a string at a path of map fields.
    pub fn str_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.as_str()
    }

    /// Reads a whole number at a path of map fields.
    pub fn int_at(&self, path: &[&str]) -> Option<i64> {
        self.at(path)?.as_i64()
    }

    /// Returns `apiVersion`, empty when not set.
    pub fn api_version(&self) -> &str {
        self.str_at(&["apiVersion"]).unwrap_or_default()
    }

    /// Returns the kind, empty when not set.
    pub fn kind(&self) -> &str {
        self.str_at(&["kind"]).unwrap_or_default()
    }

    /// Returns the API group, empty for the core group.
    pub fn group(&self) -> &str {
        split_api_version(self.api_version()).0
    }

    /// Returns the API version without its group.
    pub fn version(&self) -> &str {
        split_api_version(self.api_version()).1
    }

    /// Returns group, version and kind.
    pub fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::new(self.api_version(), self.kind())
    }

    /// Returns group and kind, which stay the same in every version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind {
            group: self.group().to_owned(),
            kind: self.kind().to_owned(),
        }
    }

    /// Tells whether the object is of this group (empty for core) and kind, in any version.
    pub fn is(&self, group: &str, kind: &str) -> bool {
        self.kind() == kind && self.group() == group
    }

    /// Returns the name, empty when not set.
    pub fn name(&self) -> &str {
        self.str_at(&["metadata", "name"]).unwrap_or_default()
    }

    /// Returns the namespace, empty when cluster-scoped or not set.
    pub fn namespace(&self) -> &str {
        self.str_at(&["metadata", "namespace"]).unwrap_or_default()
    }

    /// Returns what tells an object from another that had its name before; only the server sets it.
    pub fn uid(&self) -> Option<&str> {
        self.str_at(&["metadata", "uid"])
    }

    /// Returns which state of the object this is; only the server sets it.
    pub fn resource_version(&self) -> Option<&str> {
        self.str_at(&["metadata", "resourceVersion"])
    }

    /// Returns the number that grows with each change of the spec.
    pub fn generation(&self) -> Option<i64> {
        self.int_at(&["metadata", "generation"])
    }

    /// Returns when the object was made, as the server writes it.
    pub fn creation_timestamp(&self) -> Option<&str> {
        self.str_at(&["metadata", "creationTimestamp"])
    }

    /// Returns when the deletion was asked for; the object is there until its finalizers are gone.
    pub fn deletion_timestamp(&self) -> Option<&str> {
        self.str_at(&["metadata", "deletionTimestamp"])
            .filter(|timestamp| !timestamp.is_empty())
    }

    /// Iterates over what holds the object after its deletion was asked for.
    pub fn finalizers(&self) -> impl Iterator<Item = &str> {
        self.at(&["metadata", "finalizers"])
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// Iterates over the labels whose value is a string.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.string_map("labels")
    }

    /// Iterates over the annotations whose value is a string.
    pub fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.string_map("annotations")
    }

    /// Reads a label whose value is a string.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.str_at(&["metadata", "labels", key])
    }

    /// Reads an annotation whose value is a string.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.str_at(&["metadata", "annotations", key])
    }

    /// Returns who the object is, in whatever version.
    pub fn id(&self) -> ObjectId {
        ObjectId {
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
            group: self.group().to_owned(),
            kind: self.kind().to_owned(),
        }
    }

    /// Returns the metadata, if they are a map.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.0.get("metadata")?.as_object()
    }

    /// Returns the metadata to write to; anything there that is not a map is replaced by one.
    pub fn metadata_mut(&mut self) -> &mut Map<String, Value> {
        map_in(&mut self.0, "metadata")
    }

    /// Writes the name over the one that there was.
    pub fn set_name(&mut self, name: &str) {
        self.metadata_mut().insert("name".into(), name.into());
    }

    /// Writes the namespace over the one that there was.
    pub fn set_namespace(&mut self, namespace: &str) {
        self.metadata_mut()
            .insert("namespace".into(), namespace.into());
    }

    /// Writes a label over the one of this key that there was.
    pub fn set_label(&mut self, key: &str, value: &str) {
        map_in(self.metadata_mut(), "labels").insert(key.to_owned(), value.into());
    }

    /// Writes an annotation over the one of this key that there was.
    pub fn set_annotation(&mut self, key: &str, value: &str) {
        map_in(self.metadata_mut(), "annotations").insert(key.to_owned(), value.into());
    }

    fn string_map(&self, field: &str) -> impl Iterator<Item = (&str, &str)> {
        self.at(&["metadata", field])
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
    }
}

fn map_in<'a>(parent: &'a mut Map<String, Value>, field: &str) -> &'a mut Map<String, Value> {
    let value = parent.entry(field).or_insert_with(|| Map::new().into());
    if !value.is_object() {
        *value = Map::new().into();
    }
    value.as_object_mut().expect("made a map just above")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deployment() -> Object {
        Object::try_from(json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {
                "name": "web",
                "namespace": "shop",
                "uid": "u-1",
                "generation": 3,
                "resourceVersion": "42",
                "labels": {"app": "web", "odd": 1},
                "annotations": {"note": "x"},
                "finalizers": ["a", "b"],
            },
        }))
        .expect("complete")
    }

    #[test]
    fn accessors_read_what_is_there() {
        let object = deployment();
        assert_eq!(object.id().to_string(), "Deployment/shop/web");
        assert_eq!((object.group(), object.version()), ("apps", "v1"));
        assert_eq!(object.gvk().to_string(), "apps/v1/Deployment");
        assert_eq!(object.uid(), Some("u-1"));
        assert_eq!(object.generation(), Some(3));
        assert_eq!(object.resource_version(), Some("42"));
        assert_eq!(object.label("app"), Some("web"));
        assert_eq!(object.annotation("note"), Some("x"));
        assert_eq!(object.finalizers().collect::<Vec<_>>(), ["a", "b"]);
        assert!(object.is("apps", "Deployment") && !object.is("", "Deployment"));
    }

    #[test]
    fn a_label_that_is_not_a_string_reads_as_absent() {
        let object = deployment();
        assert_eq!(object.label("odd"), None);
        assert_eq!(object.labels().collect::<Vec<_>>(), [("app", "web")]);
    }

    #[test]
    fn missing_fields_read_as_absent_and_never_panic() {
        let object = Object::default();
        assert_eq!(
            (object.kind(), object.name(), object.namespace()),
            ("", "", "")
        );
        assert_eq!(object.uid(), None);
        assert_eq!(object.labels().count(), 0);
        assert_eq!(object.at(&[]), None);
    }

    #[test]
    fn an_object_needs_api_version_kind_and_name() {
        for (value, error) in [
            (json!([]), "not a map"),
            (json!({"kind": "A"}), "no apiVersion"),
            (json!({"apiVersion": "v1"}), "no kind"),
            (json!({"apiVersion": "v1", "kind": "A"}), "A without a name"),
        ] {
            let refused = Object::try_from(value).expect_err("incomplete");
            assert_eq!(refused.to_string(), error);
        }
    }

    #[test]
    fn setters_replace_what_is_not_a_map() {
        let mut object = Object::from_map(
            json!({"metadata": {"labels": null}})
                .as_object()
                .cloned()
                .expect("a map"),
        );
        object.set_label("a", "b");
        assert_eq!(object.label("a"), Some("b"));
    }

    #[test]
    fn debug_output_shows_no_data() {
        let secret = Object::try_from(json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "s", "namespace": "n"},
            "stringData": {"password": "canary"},
        }))
        .expect("complete");
        assert_eq!(format!("{secret:?}"), "Object(v1 Secret/n/s)");
    }
}

//! The untyped object: a JSON map with accessors.
//!
//! Accessors treat a field that is missing or of another type as absent. [`Object::try_from`]
//! checks once that an object has a type and a name.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::{GroupKind, GroupVersionKind, ObjectId, Value};
use sluice_gvk::split_api_version;

/// An untyped Kubernetes object.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Object(Map<String, Value>);

/// Why a value is not an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidObject {
    /// The value is not a map.
    #[error("not a map")]
    NotAMap,
    /// `apiVersion` is missing, empty or not a string.
    #[error("no apiVersion")]
    NoApiVersion,
    /// `kind` is missing, empty or not a string.
    #[error("no kind")]
    NoKind,
    /// `metadata.name` is missing, empty or not a string.
    #[error("{kind} without a name")]
    NoName {
        /// The kind of the object.
        kind: String,
    },
}

/// Prints the identity only, because the object may be a Secret.
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
    /// Wraps a map without a check.
    pub fn from_map(map: Map<String, Value>) -> Self {
        Self(map)
    }

    /// Creates an object with a type, a name and an optional namespace.
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

    /// The object as a map.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The object as a mutable map. The caller must keep its type and name.
    pub fn as_map_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.0
    }

    /// Converts the object into a map.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Converts the object into a value.
    pub fn into_value(self) -> Value {
        self.into()
    }

    /// Clones the object into a value.
    pub fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// Returns a top-level field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Returns the value at a path of map fields.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter()
            .try_fold(self.0.get(*first)?, |value, field| value.get(field))
    }

    /// Returns the mutable value at a path of map fields.
    pub fn at_mut(&mut self, path: &[&str]) -> Option<&mut Value> {
        let (first, rest) = path.split_first()?;
        let mut value = self.0.get_mut(*first)?;
        for field in rest {
            value = value.get_mut(*field)?;
        }
        Some(value)
    }

    /// Returns the string at a path of map fields.
    pub fn str_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.as_str()
    }

    /// Returns the integer at a path of map fields.
    pub fn int_at(&self, path: &[&str]) -> Option<i64> {
        self.at(path)?.as_i64()
    }

    /// Returns `apiVersion`, or an empty string.
    pub fn api_version(&self) -> &str {
        self.str_at(&["apiVersion"]).unwrap_or_default()
    }

    /// Returns the kind, or an empty string.
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

    /// Returns group and kind.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind {
            group: self.group().to_owned(),
            kind: self.kind().to_owned(),
        }
    }

    /// Whether the object is of this group (empty for core) and kind, in any version.
    pub fn is(&self, group: &str, kind: &str) -> bool {
        self.kind() == kind && self.group() == group
    }

    /// Returns the name, or an empty string.
    pub fn name(&self) -> &str {
        self.str_at(&["metadata", "name"]).unwrap_or_default()
    }

    /// Returns the namespace, or an empty string.
    pub fn namespace(&self) -> &str {
        self.str_at(&["metadata", "namespace"]).unwrap_or_default()
    }

    /// Returns the UID, which the server sets.
    pub fn uid(&self) -> Option<&str> {
        self.str_at(&["metadata", "uid"])
    }

    /// Returns the resource version, which the server sets.
    pub fn resource_version(&self) -> Option<&str> {
        self.str_at(&["metadata", "resourceVersion"])
    }

    /// Returns the generation, which grows with each change of the spec.
    pub fn generation(&self) -> Option<i64> {
        self.int_at(&["metadata", "generation"])
    }

    /// Returns the creation time as the server writes it.
    pub fn creation_timestamp(&self) -> Option<&str> {
        self.str_at(&["metadata", "creationTimestamp"])
    }

    /// Returns the time of the deletion request. The object exists until its finalizers are gone.
    pub fn deletion_timestamp(&self) -> Option<&str> {
        self.str_at(&["metadata", "deletionTimestamp"])
            .filter(|timestamp| !timestamp.is_empty())
    }

    /// Iterates over the finalizers.
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

    /// Returns a label whose value is a string.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.str_at(&["metadata", "labels", key])
    }

    /// Returns an annotation whose value is a string.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.str_at(&["metadata", "annotations", key])
    }

    /// Returns the identity of the object.
    pub fn id(&self) -> ObjectId {
        ObjectId {
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
            group: self.group().to_owned(),
            kind: self.kind().to_owned(),
        }
    }

    /// Returns the metadata, if it is a map.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.0.get("metadata")?.as_object()
    }

    /// Returns the mutable metadata. Anything that is not a map is replaced by one.
    pub fn metadata_mut(&mut self) -> &mut Map<String, Value> {
        map_in(&mut self.0, "metadata")
    }

    /// Sets the name.
    pub fn set_name(&mut self, name: &str) {
        self.metadata_mut().insert("name".into(), name.into());
    }

    /// Sets the namespace.
    pub fn set_namespace(&mut self, namespace: &str) {
        self.metadata_mut()
            .insert("namespace".into(), namespace.into());
    }

    /// Sets a label.
    pub fn set_label(&mut self, key: &str, value: &str) {
        map_in(self.metadata_mut(), "labels").insert(key.to_owned(), value.into());
    }

    /// Sets an annotation.
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
    value
        .as_object_mut()
        .expect("the value was made a map above")
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
    fn accessors_return_present_fields() {
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
    fn label_that_is_not_a_string_is_absent() {
        let object = deployment();
        assert_eq!(object.label("odd"), None);
        assert_eq!(object.labels().collect::<Vec<_>>(), [("app", "web")]);
    }

    #[test]
    fn missing_fields_are_absent() {
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
    fn object_needs_api_version_kind_and_name() {
        for (value, error) in [
            (json!([]), "not a map"),
            (json!({"kind": "A"}), "no apiVersion"),
            (json!({"apiVersion": "v1"}), "no kind"),
            (json!({"apiVersion": "v1", "kind": "A"}), "A without a name"),
        ] {
            let rejected = Object::try_from(value).expect_err("incomplete");
            assert_eq!(rejected.to_string(), error);
        }
    }

    #[test]
    fn setters_replace_values_that_are_not_maps() {
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
    fn debug_output_contains_no_data() {
        let secret = Object::try_from(json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "s", "namespace": "n"},
            "stringData": {"password": "canary"},
        }))
        .expect("complete");
        assert_eq!(format!("{secret:?}"), "Object(v1 Secret/n/s)");
    }
}

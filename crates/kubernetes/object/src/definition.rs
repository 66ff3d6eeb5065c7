//! Custom resource definitions: whether a server that has one would take an object of its kind.
//!
//! A [`Definition`] is read from its manifest; [`Definition::check`] answers what the API server's
//! dry-run of a server-side apply would, for an object that is new, in its words. It goes the way
//! of the server:
//!
//! 1. `shape`: fields that are not declared, and values of another type, are refused outright.
//! 2. `defaults` are filled in, and a status that is a subresource is dropped.
//! 3. `metadata`, then the values (`validate`, `formats`) and what is embedded.
//! 4. `rules`: expressions, unless something above leaves them without a meaning.
//!
//! The server walks maps in no order, so its faults come in none; ours are in the order of the
//! manifest, or of the schema. It tells of one undeclared field at a time; we tell of all.
//!
//! The definition itself is not judged: the server is asked about it in any case. What cannot be
//! read, and what takes more than a bounded number of steps, is not judged either, and neither is
//! a rule that our expression language does not know: a doubt is no fault.
//!
//! Parity: Kubernetes 1.36, `apiextensions-apiserver: pkg/registry/customresource`,
//! `kube-openapi: pkg/validation/validate` and `structured-merge-diff: typed`.

mod defaults;
mod faults;
mod formats;
mod metadata;
mod print;
mod rules;
mod schema;
mod shape;
mod validate;

use crate::{GroupKind, Object, Value};

use faults::Fault;
use schema::Node;

/// What a check may take, in steps of some 0.1 µs.
const BUDGET: usize = 10_000_000;

/// A custom resource definition, as far as it decides about objects.
#[derive(Debug)]
pub struct Definition {
    kind: GroupKind,
    plural: String,
    is_namespaced: Option<bool>,
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    name: String,
    is_served: bool,
    /// None if it cannot be read.
    schema: Option<Node>,
    has_status: bool,
    /// Where the number of replicas is, if it can be scaled.
    replicas: Option<String>,
}

/// How a server refuses an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValidationError {
    /// It cannot be read as an object of its kind.
    #[error("failed to create typed patch object ({object}): {faults}")]
    Shape {
        /// Which, as the server names it: namespace and name, version and kind.
        object: String,
        /// All that is wrong.
        faults: String,
    },
    /// Its values are wrong.
    #[error("{kind} {name} is invalid: {faults}")]
    Invalid {
        /// Of this kind.
        kind: GroupKind,
        /// In quotes.
        name: String,
        /// All that is wrong.
        faults: String,
    },
}

/// A check that takes too long is given up.
#[derive(Debug, PartialEq, Eq)]
struct Exhausted;

/// What is left of the steps of a check.
#[derive(Debug)]
struct Budget(usize);

impl Budget {
    fn charge(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.0 = self.0.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }
}

impl Definition {
    /// Reads a definition. None if the object is none, or does not say of what.
    pub fn read(object: &Object) -> Option<Self> {
        if !object.is("apiextensions.k8s.io", "CustomResourceDefinition") {
            return None;
        }
        let versions = object.at(&["spec", "versions"]).and_then(Value::as_array);
        Some(Self {
            kind: GroupKind {
                group: object.str_at(&["spec", "group"])?.to_owned(),
                kind: object.str_at(&["spec", "names", "kind"])?.to_owned(),
            },
            plural: object
                .str_at(&["spec", "names", "plural"])
                .unwrap_or_default()
                .to_owned(),
            is_namespaced: match object.str_at(&["spec", "scope"]) {
                Some("Namespaced") => Some(true),
                Some("Cluster") => Some(false),
                _ => None,
            },
            versions: versions
                .into_iter()
                .flatten()
                .filter_map(Version::read)
                .collect(),
        })
    }

    /// The kind that it defines.
    pub fn kind(&self) -> &GroupKind {
        &self.kind
    }

    /// What its objects are called in requests.
    pub fn plural(&self) -> &str {
        &self.plural
    }

    /// Whether objects of the kind live in namespaces, if it says so.
    pub fn is_namespaced(&self) -> Option<bool> {
        self.is_namespaced
    }

    /// Whether objects may be sent in a version; in any, if it has none that can be read.
    pub fn serves(&self, version: &str) -> bool {
        let mut versions = self.versions.iter();
        self.versions.is_empty() || versions.any(|known| known.name == version && known.is_served)
    }

    /// Finds out how a server would refuse a new object of the kind, if it would. An object of a
    /// version that is not known passes.
    pub fn check(&self, object: &Object) -> Result<(), ValidationError> {
        let mut versions = self.versions.iter();
        match versions.find(|version| version.name == object.version()) {
            Some(version) => version.check(object, Budget(BUDGET)).unwrap_or(Ok(())),
            None => Ok(()),
        }
    }
}

impl Version {
    fn read(version: &Value) -> Option<Self> {
        let schema = version.pointer("/schema/openAPIV3Schema");
        let replicas = version.pointer("/subresources/scale/specReplicasPath");
        Some(Self {
            name: version.get("name")?.as_str()?.to_owned(),
            is_served: version.get("served") == Some(&Value::Bool(true)),
            schema: schema.and_then(Node::read),
            has_status: version
                .pointer("/subresources/status")
                .is_some_and(Value::is_object),
            replicas: replicas.and_then(Value::as_str).map(ToOwned::to_owned),
        })
    }

    fn check(
        &self,
        object: &Object,
        mut budget: Budget,
    ) -> Result<Result<(), ValidationError>, Exhausted> {
        let Some(schema) = &self.schema else {
            return Ok(Ok(()));
        };
        let mut value = object.to_value();
        print::as_sent(&mut value);
        let faults = shape::check(schema, &value, &mut budget)?;
        if let Some(faults) = faults {
            let (namespace, name) = (object.namespace(), object.name());
            let (api_version, kind) = (object.api_version(), object.kind());
            return Ok(Err(ValidationError::Shape {
                object: format!("{namespace}/{name}; {api_version}, Kind={kind}"),
                faults,
            }));
        }
        defaults::fill(schema, &mut value, &mut budget)?;
        if self.has_status
            && let Some(fields) = value.as_object_mut()
        {
            fields.shift_remove("status");
        }
        let mut faults = metadata::check(object);
        faults.extend(validate::check(schema, &value, &mut budget)?);
        faults.extend(self.check_replicas(&value));
        faults.extend(metadata::check_embedded(schema, &value, &mut budget)?);
        faults.extend(rules::check(schema, &value, &faults, &mut budget)?);
        if faults.is_empty() {
            return Ok(Ok(()));
        }
        Ok(Err(ValidationError::Invalid {
            kind: object.group_kind(),
            name: sluice_golang::quote::quote(object.name()),
            faults: faults::listed(&faults),
        }))
    }

    /// The number of replicas must be one that can be scaled.
    fn check_replicas(&self, value: &Value) -> Option<Fault> {
        let path = self.replicas.as_deref()?;
        let mut names = path.trim_start_matches('.').split('.');
        let found = names.try_fold(value, |found, name| found.get(name))?;
        let Some(replicas) = found.as_i64() else {
            let (plain, kind) = (print::bare(found), print::type_name(found));
            let detail =
                format!("{path} accessor error: {plain} is of the type {kind}, expected int64");
            return Some(Fault::invalid(path, &0.into(), detail));
        };
        let detail = match replicas {
            ..0 => "should be a non-negative integer".to_owned(),
            _ if replicas > i64::from(i32::MAX) => {
                format!("should be less than or equal to {}", i32::MAX)
            }
            _ => return None,
        };
        Some(Fault::invalid(path, found, detail))
    }
}

#[cfg(test)]
mod tests;

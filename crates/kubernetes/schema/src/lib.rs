//! Validates objects against a custom resource definition, like the API server that has it.
//!
//! [`Definition::from_object`] reads a definition from its manifest. [`Definition::check`]
//! predicts the answer of the server's dry-run for a new object, with the server's error texts.
//! It follows the steps of the server:
//!
//! 1. `shape` rejects undeclared fields and values of other types.
//! 2. `defaults` are filled in, and a status subresource is dropped.
//! 3. `metadata`, values (`validate`, `formats`) and embedded objects are checked.
//! 4. `rules` evaluates expressions, unless earlier errors make them meaningless.
//!
//! The server lists errors in random order; here they follow the object or the schema. The server
//! reports one undeclared field at a time; here all are reported.
//!
//! The definition itself is not validated, since the server does that anyway. Checks that exceed
//! their budget, unsupported schemas and unknown functions in rules produce no error: a rejection
//! must be certain.
//!
//! Parity: Kubernetes 1.36, `apiextensions-apiserver: pkg/registry/customresource`,
//! `kube-openapi: pkg/validation/validate` and `structured-merge-diff: typed`.

mod defaults;
mod field_error;
mod formats;
mod metadata;
mod node;
mod print;
mod rules;
mod shape;
mod validate;

use sluice_object::{GroupKind, Object, Value};

use field_error::FieldError;
use node::Node;

/// Maximum cost of a check, in steps of about 0.1 µs.
const BUDGET: usize = 10_000_000;

/// The parts of a custom resource definition that decide about objects.
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
    /// `None` for an unsupported schema.
    schema: Option<Node>,
    has_status: bool,
    /// The path of the replica count, for kinds with a scale subresource.
    replicas: Option<String>,
}

/// The server's rejection of an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValidationError {
    /// The object has undeclared fields or values of wrong types.
    #[error("failed to create typed patch object ({object}): {errors}")]
    Shape {
        /// Namespace, name, version and kind, as the server prints them.
        object: String,
        /// The errors.
        errors: String,
    },
    /// The object has invalid values.
    #[error("{kind} {name} is invalid: {errors}")]
    Invalid {
        /// The kind.
        kind: GroupKind,
        /// The quoted name.
        name: String,
        /// The errors.
        errors: String,
    },
}

/// The budget of a check is exceeded.
#[derive(Debug, PartialEq, Eq)]
struct BudgetExceeded;

/// The remaining steps of a check.
#[derive(Debug)]
struct Budget(usize);

impl Budget {
    fn charge(&mut self, steps: usize) -> Result<(), BudgetExceeded> {
        self.0 = self.0.checked_sub(steps).ok_or(BudgetExceeded)?;
        Ok(())
    }
}

impl Definition {
    /// Reads a definition. `None` for other objects and for incomplete definitions.
    pub fn from_object(object: &Object) -> Option<Self> {
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

    /// The defined kind.
    pub fn kind(&self) -> &GroupKind {
        &self.kind
    }

    /// The plural resource name.
    pub fn plural(&self) -> &str {
        &self.plural
    }

    /// Whether the kind is namespaced, if the definition says so.
    pub fn is_namespaced(&self) -> Option<bool> {
        self.is_namespaced
    }

    /// Whether objects of a version are served. True when no version could be read.
    pub fn serves(&self, version: &str) -> bool {
        let mut versions = self.versions.iter();
        self.versions.is_empty() || versions.any(|known| known.name == version && known.is_served)
    }

    /// Predicts whether a server accepts a new object. Unknown versions are accepted.
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
    ) -> Result<Result<(), ValidationError>, BudgetExceeded> {
        let Some(schema) = &self.schema else {
            return Ok(Ok(()));
        };
        let mut value = object.to_value();
        print::normalize_numbers(&mut value);
        let errors = shape::check(schema, &value, &mut budget)?;
        if let Some(errors) = errors {
            let (namespace, name) = (object.namespace(), object.name());
            let (api_version, kind) = (object.api_version(), object.kind());
            return Ok(Err(ValidationError::Shape {
                object: format!("{namespace}/{name}; {api_version}, Kind={kind}"),
                errors,
            }));
        }
        defaults::fill(schema, &mut value, &mut budget)?;
        if self.has_status
            && let Some(fields) = value.as_object_mut()
        {
            fields.shift_remove("status");
        }
        let mut errors = metadata::check(object);
        errors.extend(validate::check(schema, &value, &mut budget)?);
        errors.extend(self.check_replicas(&value));
        errors.extend(metadata::check_embedded(schema, &value, &mut budget)?);
        errors.extend(rules::check(schema, &value, &errors, &mut budget)?);
        if errors.is_empty() {
            return Ok(Ok(()));
        }
        Ok(Err(ValidationError::Invalid {
            kind: object.group_kind(),
            name: sluice_golang::quote::quote(object.name()),
            errors: field_error::join_errors(&errors),
        }))
    }

    /// Checks the replica count of a kind with a scale subresource.
    fn check_replicas(&self, value: &Value) -> Option<FieldError> {
        let path = self.replicas.as_deref()?;
        let mut names = path.trim_start_matches('.').split('.');
        let found = names.try_fold(value, |found, name| found.get(name))?;
        let Some(replicas) = found.as_i64() else {
            let (plain, kind) = (print::verb_v(found), print::type_name(found));
            let detail =
                format!("{path} accessor error: {plain} is of the type {kind}, expected int64");
            return Some(FieldError::invalid(path, &0.into(), detail));
        };
        let detail = match replicas {
            ..0 => "should be a non-negative integer".to_owned(),
            _ if replicas > i64::from(i32::MAX) => {
                format!("should be less than or equal to {}", i32::MAX)
            }
            _ => return None,
        };
        Some(FieldError::invalid(path, found, detail))
    }
}

#[cfg(test)]
mod tests;

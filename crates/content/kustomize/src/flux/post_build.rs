//! Substitutes variables in the objects of a build.
//!
//! Parity: `fluxcd/pkg`: `kustomize/kustomize_varsub.go`, and the loop around it
//! in kustomize-controller's `build`.

use std::collections::HashMap;

use sluice_object::Object;
use sluice_yaml::v2;

use crate::substitute::{self, Budget, Options, SUBSTITUTE_KEY, SubstituteError, Variables};

/// Why a substitution failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostBuildError {
    /// An expression of an object failed.
    #[error("{}{source}", if matches!(.source, SubstituteError::NoObject(_)) { "" } else { "envsubst error: " })]
    Object {
        /// Kind, version and group, as kustomize prints them.
        kind: String,
        /// Its name before the substitution.
        name: String,
        /// The error.
        source: SubstituteError,
    },
    /// Two objects have the same identity after the substitution.
    #[error("in Replace: id matched {0} resources")]
    Conflict(usize),
}

/// The identity by which upstream finds an object.
type Identity = (String, String, String, String);

fn identity(object: &Object) -> Identity {
    let namespace = match object.namespace() {
        "" => "default",
        namespace => namespace,
    };
    (
        object.api_version().to_owned(),
        object.kind().to_owned(),
        namespace.to_owned(),
        object.name().to_owned(),
    )
}

/// Formats kind, version and group of an object as kustomize prints them.
pub fn format_gvk(object: &Object) -> String {
    let or = |text: &str, absent: &str| {
        if text.is_empty() {
            absent.to_owned()
        } else {
            text.to_owned()
        }
    };
    let gvk = object.gvk();
    format!(
        "{}.{}.{}",
        or(&gvk.kind, "[noKind]"),
        or(&gvk.version, "[noVer]"),
        or(&gvk.group, "[noGrp]")
    )
}

/// Whether a label or annotation disables the substitution for an object.
pub fn is_substitution_disabled(object: &Object) -> bool {
    object.label(SUBSTITUTE_KEY) == Some("disabled")
        || object.annotation(SUBSTITUTE_KEY) == Some("disabled")
}

/// Substitutes variables in all objects for which it is not disabled.
pub fn substitute(
    objects: Vec<Object>,
    variables: &Variables,
    options: Options,
) -> Result<Vec<Object>, PostBuildError> {
    if variables.is_empty() && !options.always {
        return Ok(objects);
    }
    let mut counts: HashMap<Identity, usize> = HashMap::new();
    for object in &objects {
        *counts.entry(identity(object)).or_default() += 1;
    }
    let mut result = Vec::with_capacity(objects.len());
    let mut budget = Budget::default();
    for object in objects {
        if is_substitution_disabled(&object) {
            result.push(object);
            continue;
        }
        let yaml = v2::to_string(&object.to_value());
        let map = substitute::expand_object(&yaml, variables, options, &mut budget).map_err(
            |source| PostBuildError::Object {
                kind: format_gvk(&object),
                name: object.name().to_owned(),
                source,
            },
        )?;
        let Some(map) = map else {
            result.push(object);
            continue;
        };
        if let Some(count) = counts.get_mut(&identity(&object)) {
            *count -= 1;
        }
        let object = Object::from_map(map);
        let count = counts.entry(identity(&object)).or_default();
        *count += 1;
        if *count > 1 {
            return Err(PostBuildError::Conflict(*count));
        }
        result.push(object);
    }
    Ok(result)
}

/// Renders objects as `kustomize build` prints them.
pub fn documents(objects: &[Object]) -> String {
    let documents = objects
        .iter()
        .map(|object| v2::to_string(&object.to_value()));
    documents.collect::<Vec<_>>().join("---\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_object::Object;

    use super::{documents, substitute};
    use crate::substitute::{Options, Variables};

    fn object(name: &str, extra: &serde_json::Value) -> Object {
        let mut value =
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}});
        for (key, extra) in extra.as_object().unwrap() {
            value[key.as_str()] = extra.clone();
        }
        Object::from_map(value.as_object().unwrap().clone())
    }

    fn variables() -> Variables {
        [("v", "x")].into_iter().collect()
    }

    #[test]
    fn disabled_object_keeps_its_expressions() {
        let key = "kustomize.toolkit.fluxcd.io/substitute";
        for (field, value, kept) in [
            ("labels", "disabled", true),
            ("annotations", "disabled", true),
            // The value is case-sensitive, unlike other switches of Flux.
            ("labels", "Disabled", false),
        ] {
            let metadata =
                json!({"metadata": {"name": "a", field: {key: value}}, "data": {"a": "${v}"}});
            let built = substitute(
                vec![object("a", &metadata)],
                &variables(),
                Options::default(),
            );
            assert_eq!(
                documents(&built.unwrap()).contains("${v}"),
                kept,
                "{field} {value}"
            );
        }
    }

    #[test]
    fn failure_names_the_object_but_not_its_value() {
        let secret = json!({"data": {"a": "hunter2 ${v"}});
        let error = substitute(vec![object("a", &secret)], &variables(), Options::default());
        let error = error.unwrap_err();
        assert_eq!(
            error.to_string(),
            "envsubst error: variable substitution failed: missing closing brace"
        );
        let super::PostBuildError::Object { kind, name, .. } = error else {
            unreachable!("an expression is malformed")
        };
        assert_eq!(
            (kind.as_str(), name.as_str()),
            ("ConfigMap.v1.[noGrp]", "a")
        );
    }

    #[test]
    fn two_objects_with_the_same_new_name_conflict() {
        let objects = vec![object("x", &json!({})), object("${v}", &json!({}))];
        let error = substitute(objects, &variables(), Options::default()).unwrap_err();
        assert_eq!(error.to_string(), "in Replace: id matched 2 resources");
    }
}

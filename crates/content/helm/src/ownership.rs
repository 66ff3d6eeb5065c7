//! The metadata that names the release of an object.

use sluice_golang::quote::quote;
use sluice_object::Object;

const MANAGED_BY: (&str, &str) = ("app.kubernetes.io/managed-by", "Helm");
const RELEASE_NAME: &str = "meta.helm.sh/release-name";
const RELEASE_NAMESPACE: &str = "meta.helm.sh/release-namespace";
/// The annotation that keeps an object when its release goes.
pub(crate) const RESOURCE_POLICY: &str = "helm.sh/resource-policy";
/// The value of [`RESOURCE_POLICY`] that keeps an object.
pub(crate) const KEEP: &str = "keep";

/// Makes an object part of a release.
pub fn set(object: &mut Object, release: &str, namespace: &str) {
    object.set_label(MANAGED_BY.0, MANAGED_BY.1);
    object.set_annotation(RELEASE_NAME, release);
    object.set_annotation(RELEASE_NAMESPACE, namespace);
}

/// Whether an upgrade keeps an object that is gone from the chart. Objects of `crds/` are part of
/// no release, and Helm never deletes them.
pub fn outlives_upgrade(live: &Object) -> bool {
    live.annotation(RESOURCE_POLICY) == Some(KEEP) || live.annotation(RELEASE_NAME).is_none()
}

/// Fails if an object is not part of a release.
pub(crate) fn check(object: &Object, release: &str, namespace: &str) -> Result<(), String> {
    let (label, helm) = MANAGED_BY;
    let label = required(object.label(label), label, helm).map(|text| format!("label {text}"));
    let name = required(object.annotation(RELEASE_NAME), RELEASE_NAME, release);
    let found = object.annotation(RELEASE_NAMESPACE);
    let place = required(found, RELEASE_NAMESPACE, namespace);
    let annotations = [name, place].into_iter().flatten();
    let annotations = annotations.map(|text| format!("annotation {text}"));
    let problems: Vec<String> = label.into_iter().chain(annotations).collect();
    if problems.is_empty() {
        return Ok(());
    }
    let problems = problems.join("; ");
    Err(format!("invalid ownership metadata; {problems}"))
}

fn required(found: Option<&str>, key: &str, value: &str) -> Option<String> {
    let (key, wanted) = (quote(key), quote(value));
    match found {
        None => Some(format!(
            "validation error: missing key {key}: must be set to {wanted}"
        )),
        Some(found) if found != value => Some(format!(
            "validation error: key {key} must equal {wanted}: current value is {}",
            quote(found)
        )),
        Some(_) => None,
    }
}

/// An object in Helm's words.
pub(crate) fn describe(object: &Object) -> String {
    let (name, namespace) = (quote(object.name()), quote(object.namespace()));
    format!("{} {name} in namespace {namespace}", object.kind())
}

#[cfg(test)]
mod tests {
    use super::{KEEP, Object, RESOURCE_POLICY, check, describe, outlives_upgrade, set};

    #[test]
    fn kept_or_foreign_object_outlives_an_upgrade() {
        let mut object = Object::new("v1", "ConfigMap", "apps", "web");
        assert!(outlives_upgrade(&object));
        set(&mut object, "rel", "apps");
        assert!(!outlives_upgrade(&object));
        object.set_annotation(RESOURCE_POLICY, KEEP);
        assert!(outlives_upgrade(&object));
    }

    #[test]
    fn set_metadata_passes_the_check() {
        let mut object = Object::new("v1", "ConfigMap", "apps", "web");
        set(&mut object, "rel", "apps");
        assert_eq!(check(&object, "rel", "apps"), Ok(()));
        let error = check(&object, "other", "apps").unwrap_err();
        let expected = "invalid ownership metadata; annotation validation error: key \
                        \"meta.helm.sh/release-name\" must equal \"other\": current value is \
                        \"rel\"";
        assert_eq!(error, expected);
    }

    #[test]
    fn missing_metadata_is_named_in_helms_words() {
        let object = Object::new("v1", "ConfigMap", "apps", "web");
        let expected = "invalid ownership metadata; label validation error: missing key \
                        \"app.kubernetes.io/managed-by\": must be set to \"Helm\"; annotation \
                        validation error: missing key \"meta.helm.sh/release-name\": must be set \
                        to \"rel\"; annotation validation error: missing key \
                        \"meta.helm.sh/release-namespace\": must be set to \"apps\"";
        assert_eq!(check(&object, "rel", "apps").unwrap_err(), expected);
        assert_eq!(describe(&object), "ConfigMap \"web\" in namespace \"apps\"");
    }
}

//! Parses typed references to other objects: `[KIND/]NAME[.NAMESPACE]`.
//!
//! Flags accept different parts, but split them like Flux. Where a flag has a list of kinds, case
//! does not matter, and the result has the kind's own spelling.

use serde_json::{Value, json};

use super::put;

/// Kinds that hold charts.
const CHART_SOURCES: [&str; 3] = ["HelmRepository", "GitRepository", "Bucket"];
/// Kinds that hold manifests.
const SOURCES: [&str; 4] = [
    "OCIRepository",
    "GitRepository",
    "Bucket",
    "ExternalArtifact",
];

/// Parsed reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) kind: String,
    pub(super) name: String,
    /// Namespace, or empty for the object's own.
    pub(super) namespace: String,
}

impl Reference {
    /// Returns the reference as a manifest field.
    pub(super) fn to_value(&self) -> Value {
        let mut value = json!({ "kind": self.kind, "name": self.name });
        put(&mut value, "namespace", Some(&self.namespace));
        value
    }
}

/// Splits `[KIND/]NAME`. Without exactly one slash, the kind is empty.
pub(super) fn kind_and_name(text: &str) -> (&str, &str) {
    match text.split_once('/') {
        Some((kind, name)) if !name.contains('/') => (kind, name),
        _ => ("", text),
    }
}

/// Parses `[KIND/]NAME[.NAMESPACE]`. The namespace follows the last dot.
pub(super) fn whole(text: &str) -> Reference {
    let (kind, rest) = kind_and_name(text);
    let (name, namespace) = rest.rsplit_once('.').unwrap_or((rest, ""));
    Reference {
        kind: kind.to_owned(),
        name: name.to_owned(),
        namespace: namespace.to_owned(),
    }
}

/// Parses a chart source of any namespace.
pub(super) fn chart_source(text: &str) -> Result<Reference, String> {
    of_chart(text, whole(text))
}

/// Parses a chart source of the object's own namespace.
pub(super) fn local_chart_source(text: &str) -> Result<Reference, String> {
    let (kind, name) = kind_and_name(text);
    let reference = Reference {
        kind: kind.to_owned(),
        name: name.to_owned(),
        namespace: String::new(),
    };
    of_chart(text, reference)
}

fn of_chart(text: &str, reference: Reference) -> Result<Reference, String> {
    if reference.kind.is_empty() || reference.name.is_empty() {
        return Err(format!(
            "invalid helm chart source '{text}', must be in format <kind>/<name>"
        ));
    }
    of_kind(reference, &CHART_SOURCES)
}

/// Parses a manifest source. The default kind is GitRepository.
pub(super) fn source(text: &str) -> Result<Reference, String> {
    let mut reference = whole(text);
    if reference.name.is_empty() {
        let kind = &reference.kind;
        return Err(format!("no name given for source of kind '{kind}'"));
    }
    if reference.kind.is_empty() {
        if SOURCES.contains(&reference.name.as_str()) {
            let name = &reference.name;
            return Err(format!("no kind specified for source '{name}'"));
        }
        "GitRepository".clone_into(&mut reference.kind);
    }
    of_kind(reference, &SOURCES)
}

fn of_kind(reference: Reference, kinds: &[&str]) -> Result<Reference, String> {
    match spelled(&reference.kind, kinds) {
        Some(kind) => Ok(Reference {
            kind: kind.to_owned(),
            ..reference
        }),
        None => Err(format!(
            "source kind '{}' is not supported, must be one of: {}",
            reference.kind,
            kinds.join(", ")
        )),
    }
}

/// Returns the spelling of one of these kinds, ignoring case.
pub(super) fn spelled<'k>(kind: &str, kinds: &[&'k str]) -> Option<&'k str> {
    kinds
        .iter()
        .find(|known| known.eq_ignore_ascii_case(kind))
        .copied()
}

/// Parses `[NAMESPACE/]NAME[@EXPRESSION]` into `spec.dependsOn`.
pub(super) fn depends_on(uses: &[Vec<String>]) -> Option<Value> {
    let all: Vec<Value> = uses
        .iter()
        .flatten()
        .map(|text| {
            let (object, expression) = text.split_once('@').unwrap_or((text, ""));
            let (namespace, name) = object.split_once('/').unwrap_or(("", object));
            let mut value = json!({ "name": name });
            put(&mut value, "namespace", Some(namespace));
            put(&mut value, "readyExpr", Some(expression));
            value
        })
        .collect();
    (!all.is_empty()).then_some(Value::Array(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(kind: &str, name: &str, namespace: &str) -> Reference {
        Reference {
            kind: kind.to_owned(),
            name: name.to_owned(),
            namespace: namespace.to_owned(),
        }
    }

    #[test]
    fn last_dot_begins_namespace_and_slash_ends_kind() {
        for (text, expected) in [
            ("Kind/name.space", reference("Kind", "name", "space")),
            ("Kind/a.b.space", reference("Kind", "a.b", "space")),
            ("name", reference("", "name", "")),
            ("Kind/*", reference("Kind", "*", "")),
            ("a/b/c", reference("", "a/b/c", "")),
        ] {
            assert_eq!(whole(text), expected, "{text}");
        }
    }

    #[test]
    fn source_kind_defaults_to_git_repository() {
        for (text, expected) in [
            ("podinfo", reference("GitRepository", "podinfo", "")),
            (
                "ocirepository/podinfo.apps",
                reference("OCIRepository", "podinfo", "apps"),
            ),
        ] {
            assert_eq!(source(text), Ok(expected), "{text}");
        }
        for (text, said) in [
            (
                "GitRepository/",
                "no name given for source of kind 'GitRepository'",
            ),
            ("Bucket", "no kind specified for source 'Bucket'"),
            (
                "Secret/a",
                "source kind 'Secret' is not supported, must be one of: OCIRepository, \
                 GitRepository, Bucket, ExternalArtifact",
            ),
        ] {
            assert_eq!(source(text), Err(said.to_owned()), "{text}");
        }
    }

    #[test]
    fn local_chart_source_may_have_dots() {
        let local = local_chart_source("bucket/charts.v2");
        assert_eq!(local, Ok(reference("Bucket", "charts.v2", "")));
        let other = chart_source("bucket/charts.apps");
        assert_eq!(other, Ok(reference("Bucket", "charts", "apps")));
        for bad in ["", "charts", "HelmRepository/", "OCIRepository/charts"] {
            assert!(chart_source(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ready_expression_decides_about_a_dependency() {
        let uses = [vec!["infra/db".to_owned(), "web@dep.status.up".to_owned()]];
        assert_eq!(
            depends_on(&uses),
            Some(json!([
                { "namespace": "infra", "name": "db" },
                { "name": "web", "readyExpr": "dep.status.up" },
            ]))
        );
        assert_eq!(depends_on(&[]), None);
    }
}

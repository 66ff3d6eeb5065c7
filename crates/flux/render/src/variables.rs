//! The variables of `postBuild`: those of `ConfigMap`s and Secrets, then the
//! object's own.
//!
//! The caller reads the sources, each [`SubstituteReference`] in turn, and hands them
//! to a [`VariableCollector`]. A later source wins, and the object's own variables win
//! over all. Messages name sources and never contain values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sluice_api::kustomize::{SubstituteReference, SubstituteReferenceKind};
use sluice_apply::SecretValues;
use sluice_kustomize::substitute::Variables;

/// The data of a source.
#[derive(Debug, Clone)]
pub enum SourceData {
    /// Entries of a `ConfigMap`.
    ConfigMap(BTreeMap<String, String>),
    /// Entries of a Secret, decoded.
    Secret(BTreeMap<String, Vec<u8>>),
}

/// The collected variables.
#[derive(Debug, Clone, Default)]
pub struct CollectedVariables {
    /// The variables.
    pub variables: Variables,
    /// Values that come from Secrets.
    pub hidden: SecretValues,
    /// Variables whose value had several lines, which become one line.
    pub joined: BTreeSet<String>,
}

/// Collects variables from sources in the order of `substituteFrom`.
#[derive(Debug, Default)]
pub struct VariableCollector(CollectedVariables);

impl VariableCollector {
    /// Adds a source: its data, `None` where it does not exist, or why it could not be read.
    pub fn add(
        &mut self,
        reference: &SubstituteReference,
        data: Result<Option<SourceData>, String>,
    ) -> Result<(), String> {
        let SubstituteReference { kind, name, .. } = reference;
        let failed = |cause: String| format!("substitute from '{kind}/{name}' error: {cause}");
        match data.map_err(failed)? {
            Some(SourceData::ConfigMap(data)) => {
                for (name, value) in &data {
                    self.set(name, value);
                }
            }
            Some(SourceData::Secret(data)) => {
                for (name, value) in &data {
                    let value = String::from_utf8_lossy(value);
                    self.set(name, &value);
                    self.0.hidden.add(value);
                }
            }
            None if reference.optional => {}
            None => {
                let resource = match kind {
                    SubstituteReferenceKind::Secret => "secrets",
                    _ => "configmaps",
                };
                return Err(failed(format!("{resource} \"{name}\" not found")));
            }
        }
        Ok(())
    }

    /// Adds the object's own variables.
    pub fn finish<'v>(
        mut self,
        own: impl IntoIterator<Item = (&'v String, &'v str)>,
    ) -> CollectedVariables {
        for (name, value) in own {
            self.set(name, value);
        }
        self.0
    }

    fn set(&mut self, name: &str, value: &str) {
        // A line end at the end of a value does not make it two lines.
        if value.trim_end_matches('\n').contains('\n') {
            self.0.joined.insert(name.to_owned());
        } else {
            self.0.joined.remove(name);
        }
        self.0.variables.set(name, value);
    }
}

/// Reads `substituteFrom` from an untyped `postBuild` and ignores unknown kinds.
pub fn parse_references(post_build: &Value) -> Vec<SubstituteReference> {
    let references = post_build.get("substituteFrom").and_then(Value::as_array);
    let references = references.into_iter().flatten().filter_map(|reference| {
        let text = |field: &str| {
            let text = reference.get(field).and_then(Value::as_str);
            text.unwrap_or_default()
        };
        let kind = match text("kind") {
            "ConfigMap" => SubstituteReferenceKind::ConfigMap,
            "Secret" => SubstituteReferenceKind::Secret,
            _ => return None,
        };
        Some(SubstituteReference {
            kind,
            name: text("name").to_owned(),
            optional: reference.get("optional") == Some(&Value::Bool(true)),
        })
    });
    references.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_variables_follow_the_winning_value() {
        let mut collector = VariableCollector::default();
        for (name, value) in [
            ("a", "1\n2"),
            ("b", "1\n2\n"),
            ("c", "1\n"),
            ("b", "1"),
            ("c", "\n"),
            ("d", "1"),
            ("d", "1\n\n2"),
        ] {
            collector.set(name, value);
        }
        let collected = collector.finish([]);
        let joined: Vec<String> = collected.joined.into_iter().collect();
        assert_eq!(joined, ["a", "d"]);
        assert_eq!(collected.variables.value("a"), Some("12"));
    }

    #[test]
    fn missing_source_fails_unless_optional() {
        let mut reference = SubstituteReference {
            kind: SubstituteReferenceKind::Secret,
            name: "x".to_owned(),
            optional: false,
        };
        let mut collector = VariableCollector::default();
        assert_eq!(
            collector.add(&reference, Ok(None)).unwrap_err(),
            "substitute from 'Secret/x' error: secrets \"x\" not found"
        );
        reference.optional = true;
        assert_eq!(collector.add(&reference, Ok(None)), Ok(()));
        assert_eq!(
            collector
                .add(&reference, Err("forbidden".to_owned()))
                .unwrap_err(),
            "substitute from 'Secret/x' error: forbidden"
        );
    }

    #[test]
    fn secret_values_are_hidden() {
        let reference = SubstituteReference::default();
        let data = [("a".to_owned(), b"canary-value".to_vec())].into();
        let mut collector = VariableCollector::default();
        collector
            .add(&reference, Ok(Some(SourceData::Secret(data))))
            .unwrap();
        let own = "plain".to_owned();
        let collected = collector.finish([(&own, "1")]);
        assert_eq!(collected.hidden.mask("canary-value".to_owned()), "***");
        assert_eq!(collected.variables.value("plain"), Some("1"));
    }
}

//! Sources of variables: a config map of the tree, or a generated one with a value for every
//! variable without a default. Secrets are always generated, because those of public repositories
//! are encrypted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};
use sluice_object::Object;
use sluice_system::fs;

#[derive(Debug, Default)]
pub(in super::super::super) struct Variables {
    /// Variables without a default.
    names: BTreeSet<String>,
    with_defaults: BTreeSet<String>,
    /// Data of config maps, by name.
    maps: BTreeMap<String, Value>,
}

impl Variables {
    pub(in super::super::super) fn of(root: &Path) -> anyhow::Result<Self> {
        let mut variables = Self::default();
        variables.read(root)?;
        let Self {
            names,
            with_defaults,
            ..
        } = &mut variables;
        names.retain(|name| !with_defaults.contains(name));
        Ok(variables)
    }

    fn read(&mut self, folder: &Path) -> anyhow::Result<()> {
        for entry in fs::read_dir(folder)? {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            if entry.file_type.is_dir() && name != ".git" {
                self.read(&entry.path)?;
            } else if entry.file_type.is_file()
                && (name.ends_with(".yaml") || name.ends_with(".yml"))
                && let Ok(text) = fs::read_to_string(&entry.path)
            {
                self.names_in(&text);
                if text.contains("kind: ConfigMap") {
                    self.maps_in(&text);
                }
            }
        }
        Ok(())
    }

    fn names_in(&mut self, text: &str) {
        for part in text.split("${").skip(1) {
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let end = part.find(|letter| !is_part(letter)).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            if name.is_empty() {
                continue;
            }
            let names = if rest.starts_with('}') {
                &mut self.names
            } else {
                &mut self.with_defaults
            };
            names.insert(name.to_owned());
        }
    }

    fn maps_in(&mut self, text: &str) {
        for document in sluice_yaml::v2::documents(text).unwrap_or_default() {
            if document["kind"] == "ConfigMap"
                && document["data"].is_object()
                && let Some(name) = document["metadata"]["name"].as_str()
            {
                self.maps.insert(name.to_owned(), document["data"].clone());
            }
        }
    }

    /// Returns the objects that provide variables of a Kustomization.
    pub(in super::super::super) fn asked_for_by(&self, kustomization: &Object) -> Vec<Object> {
        let references = kustomization.at(&["spec", "postBuild", "substituteFrom"]);
        let references = references.and_then(Value::as_array).into_iter().flatten();
        references
            .filter_map(|reference| {
                let (kind, name) = (reference["kind"].as_str()?, reference["name"].as_str()?);
                let data = match (kind, self.maps.get(name)) {
                    ("ConfigMap", Some(data)) => data.clone(),
                    _ => self.made_up(kind == "Secret"),
                };
                let namespace = kustomization.namespace();
                Object::try_from(json!({
                    "apiVersion": "v1", "kind": kind,
                    "metadata": { "name": name, "namespace": namespace }, "data": data,
                }))
                .ok()
            })
            .collect()
    }

    /// Derives a value from the name of a variable, with characters that are valid in host names.
    fn made_up(&self, is_encoded: bool) -> Value {
        let names = self.names.iter();
        let data: Map<String, Value> = names
            .map(|name| {
                let value = name.to_lowercase().replace('_', "-");
                let value = if is_encoded {
                    BASE64.encode(value)
                } else {
                    value
                };
                (name.clone(), value.into())
            })
            .collect();
        data.into()
    }
}

#[test]
fn a_variable_with_a_default_is_left_to_it() {
    let mut variables = Variables::default();
    variables.names_in("${A_B} ${C:-1} $D ${} ${E}");
    assert_eq!(
        variables.names,
        BTreeSet::from(["A_B".to_owned(), "E".to_owned()])
    );
    assert_eq!(variables.with_defaults, BTreeSet::from(["C".to_owned()]));
}

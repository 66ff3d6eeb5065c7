//! Decodes and encodes the kustomization file.
//!
//! [`Kustomization`] holds the fields as JSON values, so that Flux's layer can change and
//! render them. [`Kustomization::fields`] returns typed fields for the build.

use sluice_yaml::{Map, Value, v2};

use crate::decode;
pub(crate) use crate::decode::UnknownFields;
use crate::error::{Code, Error};
pub(crate) use crate::kustomization::fields::Fields;

pub(crate) mod fields;

/// The names of a kustomization file, in order of preference.
pub const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

const API_VERSION: &str = "kustomize.config.k8s.io/v1beta1";
const KIND: &str = "Kustomization";
const COMPONENT_API_VERSION: &str = "kustomize.config.k8s.io/v1alpha1";
const COMPONENT_KIND: &str = "Component";

/// Whether a kind is that of a component.
pub(crate) fn is_component(kind: &str) -> bool {
    kind == COMPONENT_KIND
}

/// A decoded kustomization file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Kustomization {
    fields: Map<String, Value>,
}

impl Kustomization {
    /// Decodes a file; drops null fields.
    pub(crate) fn decode(bytes: &[u8], unknown: UnknownFields) -> Result<Self, Error> {
        let invalid = |message: String| {
            Error::new(
                Code::KustomizationInvalid,
                format!("invalid Kustomization: {message}"),
            )
        };
        let value = v2::from_slice(bytes).map_err(|error| {
            let message = format!("invalid Kustomization: {error}");
            Error::new(yaml_code(&error), message)
        })?;
        let fields = decode::normalise(value, &fields::KUSTOMIZATION, unknown).map_err(invalid)?;
        Ok(Self { fields })
    }

    /// Rejects an empty file and a wrong kind. `shown` is the folder, for errors.
    pub(crate) fn validate(&self, shown: &str) -> Result<(), Error> {
        if self.is_empty() {
            let message = "kustomization.yaml is empty";
            return Err(Error::new(Code::KustomizationEmpty, message));
        }
        let mut errors = Vec::new();
        if ![KIND, COMPONENT_KIND].contains(&self.kind()) {
            errors.push(format!("kind should be {KIND} or {COMPONENT_KIND}"));
        }
        let version = if self.is_component() {
            COMPONENT_API_VERSION
        } else {
            API_VERSION
        };
        if ![version, ""].contains(&self.text("apiVersion")) {
            errors.push(format!(
                "apiVersion for {} should be {version}",
                self.kind()
            ));
        }
        if errors.is_empty() {
            return Ok(());
        }
        let message = format!(
            "Failed to read kustomization file under {shown}:\n{}",
            errors.join("\n")
        );
        Err(Error::new(Code::KustomizationInvalid, message))
    }

    /// Whether upstream's struct of the file is empty. An empty text counts as empty. An
    /// empty list does not, except in deprecated fields whose items are moved.
    fn is_empty(&self) -> bool {
        self.fields.iter().all(|(name, value)| match name.as_str() {
            "apiVersion" | "kind" => true,
            "bases" | "imageTags" | "helmChartInflationGenerator" => is_empty(value),
            _ => value.as_str().is_some_and(str::is_empty),
        })
    }

    /// Decodes the fields. Moves deprecated fields into their replacements, and reports them
    /// to `warn`.
    pub(crate) fn fields(&self, warn: &dyn Fn(&str)) -> Result<Fields, Error> {
        let mut fields: Fields = decode::typed(self.fields.clone()).map_err(|message| {
            let message = format!("invalid Kustomization: {message}");
            Error::new(Code::KustomizationInvalid, message)
        })?;
        let deprecated = [
            ("bases", "resources", fields.bases.is_some()),
            ("commonLabels", "labels", fields.common_labels.is_some()),
            ("imageTags", "images", fields.image_tags.is_some()),
            (
                "patchesJson6902",
                "patches",
                fields.patches_json6902.is_some(),
            ),
            (
                "patchesStrategicMerge",
                "patches",
                fields.patches_strategic_merge.is_some(),
            ),
            ("vars", "replacements", fields.vars.is_some()),
        ];
        for (old, new, _) in deprecated.iter().filter(|(_, _, used)| *used) {
            let experimental = if *old == "vars" {
                "[EXPERIMENTAL] "
            } else {
                ""
            };
            warn(&format!(
                "# Warning: '{old}' is deprecated. Please use '{new}' instead. \
                 {experimental}Run 'kustomize edit fix' to update your Kustomization automatically."
            ));
        }
        self.kind().clone_into(&mut fields.kind);
        fields
            .resources
            .extend(fields.bases.take().unwrap_or_default());
        fields
            .images
            .extend(fields.image_tags.take().unwrap_or_default());
        let generators = fields.config_map_generator.iter_mut();
        for generator in generators.chain(&mut fields.secret_generator) {
            if !generator.env.is_empty() {
                generator.envs.push(std::mem::take(&mut generator.env));
            }
        }
        let charts = std::mem::take(&mut fields.helm_chart_inflation_generator);
        for chart in charts {
            let renamed = [
                ("chartName", "name"),
                ("chartVersion", "version"),
                ("chartRepoUrl", "repo"),
                ("values", "valuesFile"),
                ("valuesLocal", "valuesInline"),
                ("valuesMerge", "valuesMerge"),
                ("releaseName", "releaseName"),
            ];
            let chart = renamed
                .iter()
                .filter_map(|(old, new)| Some(((*new).to_owned(), chart.get(*old)?.clone())));
            fields.helm_charts.push(chart.collect());
        }
        Ok(fields)
    }

    pub(crate) fn kind(&self) -> &str {
        match self.text("kind") {
            "" => KIND,
            kind => kind,
        }
    }

    fn is_component(&self) -> bool {
        is_component(self.kind())
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or("")
    }

    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let items = self.fields.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str)
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Appends items to a list.
    pub(crate) fn append(&mut self, name: &str, items: impl IntoIterator<Item = Value>) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_none() {
            return;
        }
        let list = self
            .fields
            .entry(name)
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.extend(items);
        }
    }

    /// Returns the list of a field for editing.
    pub(crate) fn list_mut(&mut self, name: &str) -> &mut Vec<Value> {
        let list = self
            .fields
            .entry(name)
            .or_insert_with(|| Value::Array(Vec::new()));
        match list {
            Value::Array(list) => list,
            _ => unreachable!("the type of the field was checked"),
        }
    }

    /// Renders the file as upstream writes it.
    pub(crate) fn encode(mut self) -> String {
        for (name, default) in [("apiVersion", API_VERSION), ("kind", KIND)] {
            if self.text(name).is_empty() {
                self.set(name, default);
            }
        }
        self.fields.retain(|_, value| !is_empty(value));
        v2::to_string(&Value::Object(self.fields))
    }
}

/// Returns the code for a YAML error.
pub(crate) fn yaml_code(error: &sluice_yaml::Error) -> Code {
    match error.kind() {
        sluice_yaml::ErrorKind::Limit => Code::YamlLimit,
        _ => Code::MalformedYaml,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kustomization, UnknownFields};
    use crate::error::Code;

    #[track_caller]
    fn refuses(text: &str, code: Code, message: &str) {
        let decoded = Kustomization::decode(text.as_bytes(), UnknownFields::Refuse);
        let error = decoded.and_then(|file| file.validate("apps")).unwrap_err();
        assert_eq!(
            (error.code(), error.to_string()),
            (code, message.to_owned())
        );
    }

    /// Recorded with the pinned kustomize.
    #[test]
    fn invalid_files_are_rejected_in_upstreams_words() {
        use Code::{KustomizationEmpty, KustomizationInvalid, MalformedYaml};
        for (text, code, message) in [
            ("", KustomizationEmpty, "kustomization.yaml is empty"),
            (
                "kind: Kustomization\n",
                KustomizationEmpty,
                "kustomization.yaml is empty",
            ),
            (
                "bases: []\nnamespace: ''\n",
                KustomizationEmpty,
                "kustomization.yaml is empty",
            ),
            (
                "resourcez: [a]\n",
                KustomizationInvalid,
                "invalid Kustomization: json: unknown field \"resourcez\"",
            ),
            (
                "resources: x\n",
                KustomizationInvalid,
                "invalid Kustomization: json: cannot unmarshal string into Go struct field Kustomization.resources of type []string",
            ),
            (
                "resources: [1]\n",
                KustomizationInvalid,
                "invalid Kustomization: json: cannot unmarshal number into Go struct field Kustomization.resources of type string",
            ),
            (
                "- a\n",
                KustomizationInvalid,
                "invalid Kustomization: json: cannot unmarshal array into Go value of type types.Kustomization",
            ),
            (
                "kind: Foo\nresources: [x.yaml]",
                KustomizationInvalid,
                "Failed to read kustomization file under apps:\nkind should be Kustomization or Component",
            ),
            (
                "resources:\n\t- a\n",
                MalformedYaml,
                "invalid Kustomization: yaml: line 2: found character that cannot start any token",
            ),
        ] {
            refuses(text, code, message);
        }
    }

    #[test]
    fn field_names_match_in_any_case() {
        let decoded = Kustomization::decode(b"Resources: [a]\nBASES: [b]\n", UnknownFields::Refuse);
        let fields = decoded.unwrap().fields(&|_| {}).unwrap();
        assert_eq!(fields.resources, ["a", "b"]);
    }

    #[test]
    fn unknown_fields_are_dropped_on_rewrite() {
        let decoded =
            Kustomization::decode(b"foo: 1\nresources: [a]\n", UnknownFields::Drop).unwrap();
        assert_eq!(
            decoded.encode(),
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- a\n"
        );
    }

    #[test]
    fn file_with_an_empty_list_is_not_empty() {
        let decoded = Kustomization::decode(b"resources: []\n", UnknownFields::Refuse).unwrap();
        assert!(decoded.validate("apps").is_ok());
    }

    #[test]
    fn deprecated_fields_are_moved_with_a_warning() {
        let text = b"bases: [b]\nresources: [a]\nvars: []\nconfigMapGenerator: [{name: x, env: e, envs: [d]}]\n";
        let decoded = Kustomization::decode(text, UnknownFields::Refuse).unwrap();
        let warnings = std::cell::RefCell::new(Vec::new());
        let fields = decoded
            .fields(&|warning| warnings.borrow_mut().push(warning.to_owned()))
            .unwrap();
        assert_eq!(fields.resources, ["a", "b"]);
        assert_eq!(fields.config_map_generator[0].envs, ["d", "e"]);
        assert_eq!(
            warnings.into_inner(),
            [
                "# Warning: 'bases' is deprecated. Please use 'resources' instead. Run 'kustomize edit fix' to update your Kustomization automatically.",
                "# Warning: 'vars' is deprecated. Please use 'replacements' instead. [EXPERIMENTAL] Run 'kustomize edit fix' to update your Kustomization automatically.",
            ]
        );
    }
}

//! The kustomization file: finding it, decoding it, and saying what it asks for
//! that is not supported.
//!
//! Decoding follows Go's JSON into a struct: names of fields match in any case,
//! unknown ones are refused, null leaves a field unset, and a value of the wrong
//! type is reported in Go's words. Fields stay JSON values: [`Kustomization`]
//! offers typed access to those that the engine understands.

use sluice_yaml::{Map, Value, json, v2};

use crate::error::{Code, Error};

/// The names that a kustomization file may have, in the order of preference.
pub const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

const API_VERSION: &str = "kustomize.config.k8s.io/v1beta1";
const KIND: &str = "Kustomization";
const COMPONENT_API_VERSION: &str = "kustomize.config.k8s.io/v1alpha1";
const COMPONENT_KIND: &str = "Component";

/// The type of a field in upstream's struct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    Texts,
    TextMap,
    /// A list whose items have a struct of their own.
    Structs(&'static str),
    Struct(&'static str),
}

/// Each field of upstream's struct.
const FIELDS: [(&str, Type); 34] = [
    ("apiVersion", Type::Text),
    ("kind", Type::Text),
    ("metadata", Type::Struct("types.ObjectMeta")),
    ("openapi", Type::TextMap),
    ("namePrefix", Type::Text),
    ("nameSuffix", Type::Text),
    ("namespace", Type::Text),
    ("commonLabels", Type::TextMap),
    ("labels", Type::Structs("types.Label")),
    ("commonAnnotations", Type::TextMap),
    ("patchesStrategicMerge", Type::Texts),
    ("patchesJson6902", Type::Structs("types.Patch")),
    ("patches", Type::Structs("types.Patch")),
    ("images", Type::Structs("types.Image")),
    ("imageTags", Type::Structs("types.Image")),
    ("replacements", Type::Structs("types.ReplacementField")),
    ("replicas", Type::Structs("types.Replica")),
    ("vars", Type::Structs("types.Var")),
    ("sortOptions", Type::Struct("types.SortOptions")),
    ("resources", Type::Texts),
    ("components", Type::Texts),
    ("crds", Type::Texts),
    ("bases", Type::Texts),
    ("configMapGenerator", Type::Structs("types.ConfigMapArgs")),
    ("secretGenerator", Type::Structs("types.SecretArgs")),
    ("helmGlobals", Type::Struct("types.HelmGlobals")),
    ("helmCharts", Type::Structs("types.HelmChart")),
    (
        "helmChartInflationGenerator",
        Type::Structs("types.HelmChartArgs"),
    ),
    ("generatorOptions", Type::Struct("types.GeneratorOptions")),
    ("configurations", Type::Texts),
    ("generators", Type::Texts),
    ("transformers", Type::Texts),
    ("validators", Type::Texts),
    ("buildMetadata", Type::Texts),
];

/// What to do about a field that upstream does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// An error, as in a build.
    Refuse,
    /// It vanishes, as where Flux rewrites the file.
    Drop,
}

/// A decoded kustomization file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Kustomization {
    fields: Map<String, Value>,
}

impl Kustomization {
    /// Decodes a file; fields that are set to nothing are dropped.
    pub(crate) fn decode(bytes: &[u8], unknown: Unknown) -> Result<Self, Error> {
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
        let fields = match value {
            Value::Null => Map::new(),
            Value::Object(fields) => fields,
            other => {
                let found = type_name(&other);
                let message = format!(
                    "json: cannot unmarshal {found} into Go value of type types.Kustomization"
                );
                return Err(invalid(message));
            }
        };
        // Go meets the fields in the order of its JSON, and reports the first fault.
        let mut entries: Vec<_> = fields.into_iter().collect();
        entries.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let mut decoded = Self::default();
        for (key, value) in entries {
            match field(&key) {
                Some((name, kind)) => {
                    check(name, kind, &value).map_err(invalid)?;
                    if !is_empty(&value) {
                        decoded.fields.insert(name.to_owned(), value);
                    }
                }
                None if unknown == Unknown::Drop => {}
                None => {
                    let quoted = json::quote(&key);
                    return Err(invalid(format!("json: unknown field {quoted}")));
                }
            }
        }
        Ok(decoded)
    }

    /// Refuses a file that asks for nothing or is of another kind. `shown` is
    /// the folder.
    pub(crate) fn validate(&self, shown: &str) -> Result<(), Error> {
        let type_only = |name: &String| name == "apiVersion" || name == "kind";
        if self.fields.keys().all(type_only) {
            let message = "kustomization.yaml is empty";
            return Err(Error::new(Code::KustomizationEmpty, message));
        }
        let mut faults = Vec::new();
        if ![KIND, COMPONENT_KIND].contains(&self.kind()) {
            faults.push(format!("kind should be {KIND} or {COMPONENT_KIND}"));
        }
        let version = if self.is_component() {
            COMPONENT_API_VERSION
        } else {
            API_VERSION
        };
        if ![version, ""].contains(&self.text("apiVersion")) {
            faults.push(format!(
                "apiVersion for {} should be {version}",
                self.kind()
            ));
        }
        if faults.is_empty() {
            return Ok(());
        }
        let message = format!(
            "Failed to read kustomization file under {shown}:\n{}",
            faults.join("\n")
        );
        Err(Error::new(Code::KustomizationInvalid, message))
    }

    /// The fields that are set and of which the engine knows nothing.
    pub(crate) fn unsupported(&self) -> impl Iterator<Item = &str> {
        let names = self.fields.keys().map(String::as_str);
        names.filter(|name| {
            !matches!(
                *name,
                "apiVersion"
                    | "kind"
                    | "metadata"
                    | "resources"
                    | "bases"
                    | "buildMetadata"
                    | "sortOptions"
            )
        })
    }

    pub(crate) fn kind(&self) -> &str {
        match self.text("kind") {
            "" => KIND,
            kind => kind,
        }
    }

    pub(crate) fn is_component(&self) -> bool {
        self.kind() == COMPONENT_KIND
    }

    /// The paths of resources; the old `bases` come last.
    pub(crate) fn resources(&self) -> impl Iterator<Item = &str> {
        self.texts("resources").chain(self.texts("bases"))
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or("")
    }

    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let items = self.fields.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Adds items to a list.
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

    /// The list of a field, to be edited in place.
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

    /// Prints the file as upstream would write it.
    pub(crate) fn encode(mut self) -> String {
        for (name, default) in [("apiVersion", API_VERSION), ("kind", KIND)] {
            if self.text(name).is_empty() {
                self.set(name, default);
            }
        }
        v2::to_string(&Value::Object(self.fields))
    }
}

/// The code for a fault in YAML.
pub(crate) fn yaml_code(error: &sluice_yaml::Error) -> Code {
    match error.kind() {
        sluice_yaml::ErrorKind::Limit => Code::YamlLimit,
        _ => Code::MalformedYaml,
    }
}

/// Finds a field, first by its exact name, then in any case.
fn field(key: &str) -> Option<(&'static str, Type)> {
    let exact = FIELDS.iter().find(|(name, _)| *name == key);
    exact
        .or_else(|| {
            FIELDS
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
        })
        .copied()
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

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn check(name: &str, kind: Type, value: &Value) -> Result<(), String> {
    let mismatch = |value: &Value, wanted: &str| {
        let found = type_name(value);
        let field = format!("Kustomization.{name}");
        Err(format!(
            "json: cannot unmarshal {found} into Go struct field {field} of type {wanted}"
        ))
    };
    let all = |mut items: Box<dyn Iterator<Item = &Value> + '_>, object: bool, wanted: &str| {
        let right = |item: &Value| match item {
            Value::Null => true,
            Value::String(_) => !object,
            Value::Object(_) => object,
            _ => false,
        };
        match items.find(|item| !right(item)) {
            Some(item) => mismatch(item, wanted),
            None => Ok(()),
        }
    };
    match (kind, value) {
        (_, Value::Null) | (Type::Text, Value::String(_)) | (Type::Struct(_), Value::Object(_)) => {
            Ok(())
        }
        (Type::Texts, Value::Array(items)) => all(Box::new(items.iter()), false, "string"),
        (Type::TextMap, Value::Object(map)) => all(Box::new(map.values()), false, "string"),
        (Type::Structs(item), Value::Array(items)) => all(Box::new(items.iter()), true, item),
        (Type::Text, _) => mismatch(value, "string"),
        (Type::Texts, _) => mismatch(value, "[]string"),
        (Type::TextMap, _) => mismatch(value, "map[string]string"),
        (Type::Structs(item), _) => mismatch(value, &format!("[]{item}")),
        (Type::Struct(wanted), _) => mismatch(value, wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kustomization, Unknown};
    use crate::error::Code;

    #[track_caller]
    fn refuses(text: &str, code: Code, message: &str) {
        let decoded = Kustomization::decode(text.as_bytes(), Unknown::Refuse);
        let error = decoded.and_then(|file| file.validate("apps")).unwrap_err();
        assert_eq!(
            (error.code(), error.to_string()),
            (code, message.to_owned())
        );
    }

    /// The texts are those of the pinned kustomize.
    #[test]
    fn invalid_files_are_refused_in_upstreams_words() {
        use Code::{KustomizationEmpty, KustomizationInvalid, MalformedYaml};
        for (text, code, message) in [
            ("", KustomizationEmpty, "kustomization.yaml is empty"),
            (
                "kind: Kustomization\n",
                KustomizationEmpty,
                "kustomization.yaml is empty",
            ),
            (
                "resources: []\n",
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
    fn names_of_fields_match_in_any_case() {
        let decoded = Kustomization::decode(b"Resources: [a]\nBASES: [b]\n", Unknown::Refuse);
        assert!(decoded.unwrap().resources().eq(["a", "b"]));
    }

    #[test]
    fn unknown_fields_vanish_where_the_file_is_rewritten() {
        let decoded = Kustomization::decode(b"foo: 1\nresources: [a]\n", Unknown::Drop).unwrap();
        assert_eq!(
            decoded.encode(),
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- a\n"
        );
    }

    #[test]
    fn what_is_set_and_not_supported_is_listed() {
        let text = b"resources: [a]\nnamespace: x\npatches: []\nimages: [{name: a}]\n";
        let decoded = Kustomization::decode(text, Unknown::Refuse).unwrap();
        assert!(decoded.unsupported().eq(["images", "namespace"]));
    }
}

//! YAML to metadata, with the conversions of `sigs.k8s.io/yaml`.

use sluice_golang::number::format_g32;
use sluice_yaml::{json, v2};

use super::{Dependency, Lock, Maintainer, Metadata};
use crate::values::Json;

type Result<T> = std::result::Result<T, String>;

/// Reads a document into metadata, where keys that it lacks stay.
pub(crate) fn decode_into(metadata: &mut Metadata, text: &[u8]) -> Result<()> {
    let json =
        v2::from_slice(text).map_err(|error| format!("error converting YAML to JSON: {error}"))?;
    let decoder = Decoder::new("Metadata");
    let outcome = decoder.metadata(metadata, &json);
    outcome.map_err(|error| format!("error unmarshaling JSON: while decoding JSON: {error}"))
}

/// Reads a lock file. An empty one has no content.
pub(crate) fn decode_lock(text: &[u8]) -> Result<Option<Lock>> {
    let json =
        v2::from_slice(text).map_err(|error| format!("error converting YAML to JSON: {error}"))?;
    let outcome = Decoder::new("Lock").lock(&json);
    outcome.map_err(|error| format!("error unmarshaling JSON: while decoding JSON: {error}"))
}

/// Reads JSON into the fields of a Go struct.
pub(crate) struct Decoder {
    /// The name of the struct, which errors show.
    of: &'static str,
}

impl Decoder {
    /// A decoder for a struct.
    pub(crate) const fn new(of: &'static str) -> Self {
        Self { of }
    }

    pub(crate) fn metadata(&self, metadata: &mut Metadata, json: &Json) -> Result<()> {
        let Some(json) = self.root(json)? else {
            return Ok(());
        };
        let texts = [
            ("name", &mut metadata.name),
            ("home", &mut metadata.home),
            ("version", &mut metadata.version),
            ("description", &mut metadata.description),
            ("icon", &mut metadata.icon),
            ("apiVersion", &mut metadata.api_version),
            ("condition", &mut metadata.condition),
            ("tags", &mut metadata.tags),
            ("appVersion", &mut metadata.app_version),
            ("kubeVersion", &mut metadata.kube_version),
            ("type", &mut metadata.kind),
        ];
        for (key, text) in texts {
            self.text(json, "", key, text)?;
        }
        if let Some(sources) = self.texts(json, "", "sources")? {
            metadata.sources = sources;
        }
        if let Some(keywords) = self.texts(json, "", "keywords")? {
            metadata.keywords = keywords;
        }
        if field(json, "deprecated").is_some_and(|value| !value.is_null()) {
            metadata.deprecated = self.boolean(json, "deprecated")?;
        }
        if let Some(annotations) = self.text_map(json, "", "annotations")? {
            metadata.annotations = Some(annotations);
        }
        if let Some(items) = self.list(json, "", "maintainers", "[]*v2.Maintainer")? {
            metadata.maintainers = Vec::new();
            for item in items {
                metadata.has_null_maintainer |= item.is_null();
                metadata.maintainers.push(self.maintainer(item)?);
            }
        }
        if let Some(items) = self.list(json, "", "dependencies", "[]*v2.Dependency")? {
            let mut dependencies = Vec::new();
            for item in items {
                metadata.has_null_dependency |= item.is_null();
                dependencies.push(self.dependency(item)?);
            }
            metadata.dependencies = Some(dependencies);
        }
        Ok(())
    }

    fn lock(&self, json: &Json) -> Result<Option<Lock>> {
        let Some(json) = self.root(json)? else {
            return Ok(None);
        };
        let mut lock = Lock::default();
        self.text(json, "", "generated", &mut lock.generated)?;
        self.text(json, "", "digest", &mut lock.digest)?;
        if let Some(items) = self.list(json, "", "dependencies", "[]*v2.Dependency")? {
            let items = items.iter().map(|item| self.dependency(item));
            lock.dependencies = Some(items.collect::<Result<_>>()?);
        }
        Ok(Some(lock))
    }

    fn maintainer(&self, json: &Json) -> Result<Maintainer> {
        let mut maintainer = Maintainer::default();
        if json.is_null() {
            return Ok(maintainer);
        }
        let Some(entries) = json.as_object() else {
            return Err(self.mismatch(json, "maintainers", "v2.Maintainer"));
        };
        self.text(entries, "maintainers.", "name", &mut maintainer.name)?;
        self.text(entries, "maintainers.", "email", &mut maintainer.email)?;
        self.text(entries, "maintainers.", "url", &mut maintainer.url)?;
        Ok(maintainer)
    }

    fn dependency(&self, json: &Json) -> Result<Dependency> {
        let mut dependency = Dependency::default();
        if json.is_null() {
            return Ok(dependency);
        }
        let Some(entries) = json.as_object() else {
            return Err(self.mismatch(json, "dependencies", "v2.Dependency"));
        };
        let parent = "dependencies.";
        self.text(entries, parent, "name", &mut dependency.name)?;
        self.text(entries, parent, "version", &mut dependency.version)?;
        self.text(entries, parent, "repository", &mut dependency.repository)?;
        self.text(entries, parent, "condition", &mut dependency.condition)?;
        self.text(entries, parent, "alias", &mut dependency.alias)?;
        dependency.tags = self.texts(entries, parent, "tags")?.unwrap_or_default();
        dependency.enabled = matches!(field(entries, "enabled"), Some(Json::Bool(true)));
        let imports = self.list(entries, parent, "import-values", "[]interface {}")?;
        dependency.import_values = imports.map(<[Json]>::to_vec).unwrap_or_default();
        Ok(dependency)
    }

    /// The entries of the document; `None` for an empty one.
    pub(crate) fn root<'j>(
        &self,
        json: &'j Json,
    ) -> Result<Option<&'j serde_json::Map<String, Json>>> {
        match json {
            Json::Null => Ok(None),
            Json::Object(entries) => Ok(Some(entries)),
            other => {
                let (found, of) = (json::kind(other), self.of);
                let package = if of == "SimpleHead" { "util" } else { "v2" };
                Err(format!(
                    "json: cannot unmarshal {found} into Go value of type {package}.{of}"
                ))
            }
        }
    }

    pub(crate) fn text(
        &self,
        json: &serde_json::Map<String, Json>,
        parent: &str,
        key: &str,
        text: &mut String,
    ) -> Result<()> {
        match field(json, key) {
            None | Some(Json::Null) => Ok(()),
            Some(value) => match scalar(value) {
                Some(found) => {
                    *text = found;
                    Ok(())
                }
                None => Err(self.mismatch(value, &format!("{parent}{key}"), "string")),
            },
        }
    }

    /// A boolean, `false` if the key is missing.
    pub(crate) fn boolean(&self, json: &serde_json::Map<String, Json>, key: &str) -> Result<bool> {
        match field(json, key) {
            None | Some(Json::Null) => Ok(false),
            Some(Json::Bool(value)) => Ok(*value),
            Some(other) => Err(self.mismatch(other, key, "bool")),
        }
    }

    fn list<'j>(
        &self,
        json: &'j serde_json::Map<String, Json>,
        parent: &str,
        key: &str,
        of: &str,
    ) -> Result<Option<&'j [Json]>> {
        match field(json, key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Array(items)) => Ok(Some(items)),
            Some(value) => Err(self.mismatch(value, &format!("{parent}{key}"), of)),
        }
    }

    pub(crate) fn texts(
        &self,
        json: &serde_json::Map<String, Json>,
        parent: &str,
        key: &str,
    ) -> Result<Option<Vec<String>>> {
        let Some(items) = self.list(json, parent, key, "[]string")? else {
            return Ok(None);
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let text = match item {
                Json::Null => Some(String::new()),
                other => scalar(other),
            };
            let text =
                text.ok_or_else(|| self.mismatch(item, &format!("{parent}{key}"), "string"))?;
            texts.push(text);
        }
        Ok(Some(texts))
    }

    /// A map of texts; `None` if the key is missing.
    pub(crate) fn text_map(
        &self,
        json: &serde_json::Map<String, Json>,
        parent: &str,
        key: &str,
    ) -> Result<Option<Vec<(String, String)>>> {
        let path = || format!("{parent}{key}");
        let entries = match field(json, key) {
            None | Some(Json::Null) => return Ok(None),
            Some(Json::Object(entries)) => entries,
            Some(other) => return Err(self.mismatch(other, &path(), "map[string]string")),
        };
        let mut texts = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            let text = match value {
                Json::Null => Some(String::new()),
                other => scalar(other),
            };
            let text = text.ok_or_else(|| self.mismatch(value, &path(), "string"))?;
            texts.push((name.clone(), text));
        }
        Ok(Some(texts))
    }

    pub(crate) fn mismatch(&self, found: &Json, path: &str, of: &str) -> String {
        let found = json::kind(found);
        let name = match path.split_once('.') {
            None => self.of,
            Some(("dependencies", _)) => "Dependency",
            Some(("maintainers", _)) => "Maintainer",
            // A struct without a name.
            Some(_) => "",
        };
        format!("json: cannot unmarshal {found} into Go struct field {name}.{path} of type {of}")
    }
}

/// A field by its key, which Go also finds in another case.
pub(crate) fn field<'j>(json: &'j serde_json::Map<String, Json>, key: &str) -> Option<&'j Json> {
    json.get(key).or_else(|| {
        let mut entries = json.iter();
        let found = entries.find(|(name, _)| name.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value)
    })
}

/// A scalar as the text that a string field gets.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Number(number) if number.is_f64() => number.as_f64().map(format_g32),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

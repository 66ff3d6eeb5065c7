//! One version of a chart in an index.

use jiff::Timestamp;
use serde_json::Map;
use sluice_golang::semver::Version;

use crate::error::Error;
use crate::metadata::{Decoder, Metadata, encode};
use crate::time;
use crate::values::Json;

type Result<T> = std::result::Result<T, String>;

/// The keys of an entry besides those of the metadata.
const KEYS: &[&str] = &[
    "urls",
    "created",
    "removed",
    "digest",
    "checksum",
    "engine",
    "tillerVersion",
    "url",
];
const METADATA_KEYS: &[&str] = &[
    "name",
    "home",
    "sources",
    "version",
    "description",
    "keywords",
    "maintainers",
    "icon",
    "apiVersion",
    "condition",
    "tags",
    "appVersion",
    "deprecated",
    "annotations",
    "kubeVersion",
    "dependencies",
    "type",
];
const MAINTAINER_KEYS: &[&str] = &["name", "email", "url"];
const DEPENDENCY_KEYS: &[&str] = &[
    "name",
    "version",
    "repository",
    "condition",
    "tags",
    "enabled",
    "import-values",
    "alias",
];

/// A version of a chart in an index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChartVersion {
    /// The content of `Chart.yaml`.
    pub metadata: Metadata,
    /// The addresses of the archive, relative to the repository or absolute.
    pub urls: Option<Vec<String>>,
    /// The digest of the archive, in hex.
    pub digest: String,
    /// When the version was created. It decides between versions that differ in build metadata.
    pub created: Option<Timestamp>,
    /// The time as Go writes it.
    created_text: String,
    removed: bool,
    /// Keys without a meaning that Go keeps: `checksum`, `engine`, `tillerVersion` and `url`.
    deprecated: [String; 4],
}

impl ChartVersion {
    /// The name of the chart.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// The version.
    pub fn version(&self) -> &str {
        &self.metadata.version
    }

    /// Reads an entry. `None` if it is not valid, and Helm skips it.
    pub(super) fn decode(json: &Json, is_strict: bool) -> Result<Option<Self>> {
        let decoder = Decoder::new("ChartVersion");
        let Some(entries) = decoder.root(json)? else {
            return Ok(None);
        };
        if is_strict {
            check_keys(entries)?;
        }
        let mut version = Self {
            created_text: time::ZERO.to_owned(),
            ..Self::default()
        };
        decoder.metadata(&mut version.metadata, json)?;
        version.urls = decoder.texts(entries, "", "urls")?;
        decoder.text(entries, "", "digest", &mut version.digest)?;
        let keys = ["checksum", "engine", "tillerVersion", "url"];
        for (key, text) in keys.into_iter().zip(&mut version.deprecated) {
            decoder.text(entries, "", key, text)?;
        }
        version.removed = decoder.boolean(entries, "removed")?;
        let mut created = String::new();
        decoder.text(entries, "", "created", &mut created)?;
        if !created.is_empty() {
            version.created_text =
                time::normalize(&created).ok_or_else(|| invalid_time(&created))?;
            version.created = version.created_text.parse().ok();
        }
        if version.metadata.api_version.is_empty() {
            "v1".clone_into(&mut version.metadata.api_version);
        }
        match version.metadata.validate() {
            Ok(()) => Ok(Some(version)),
            // Some repositories lose the alias of a dependency.
            Err(Error::Invalid(text)) if text.starts_with("more than one dependency") => {
                Ok(Some(version))
            }
            Err(_) => Ok(None),
        }
    }

    /// The entry as Go writes it.
    pub(super) fn encode(&self) -> Json {
        let mut map = encode::encode(&self.metadata);
        let urls = self.urls.clone().map_or(Json::Null, Json::from);
        map.insert("urls".to_owned(), urls);
        map.insert("created".to_owned(), (&*self.created_text).into());
        encode::add(&mut map, "removed", self.removed);
        encode::add(&mut map, "digest", &*self.digest);
        let keys = ["checksum", "engine", "tillerVersion", "url"];
        for (key, text) in keys.into_iter().zip(&self.deprecated) {
            encode::add(&mut map, key, &**text);
        }
        Json::Object(map)
    }

    /// The version by which Helm sorts, unless it is malformed.
    pub(super) fn parsed(&self) -> Option<Version> {
        Version::parse(self.version()).ok()
    }
}

pub(super) fn invalid_time(text: &str) -> String {
    let text = sluice_golang::quote::quote(text);
    let layout = "\"2006-01-02T15:04:05Z07:00\"";
    format!("parsing time {text} as {layout}: cannot parse {text} as \"2006\"")
}

/// Fails for a key that no field has, as Go's strict reader does.
fn check_keys(entries: &Map<String, Json>) -> Result<()> {
    known_keys(entries, &[KEYS, METADATA_KEYS])?;
    for (list, keys) in [
        ("maintainers", MAINTAINER_KEYS),
        ("dependencies", DEPENDENCY_KEYS),
    ] {
        let items = entries.get(list).and_then(Json::as_array);
        for item in items.into_iter().flatten().filter_map(Json::as_object) {
            known_keys(item, &[keys])?;
        }
    }
    Ok(())
}

pub(super) fn known_keys(entries: &Map<String, Json>, known: &[&[&str]]) -> Result<()> {
    for key in entries.keys() {
        check_key(key, known)?;
    }
    Ok(())
}

pub(super) fn check_key(key: &str, known: &[&[&str]]) -> Result<()> {
    let mut known = known.iter().copied().flatten();
    if known.any(|known| known.eq_ignore_ascii_case(key)) {
        return Ok(());
    }
    let key = sluice_golang::quote::quote(key);
    Err(format!("json: unknown field {key}"))
}

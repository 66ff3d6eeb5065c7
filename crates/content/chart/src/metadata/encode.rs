//! Metadata to JSON, as Go's `encoding/json` writes its structs: in the order of their fields, and
//! without empty ones.

use serde_json::Map;

use super::{Dependency, Lock, Maintainer, Metadata};
use crate::time;
use crate::values::Json;

/// Adds a field unless it is empty.
pub(crate) fn add(map: &mut Map<String, Json>, key: &str, value: impl Into<Json>) {
    let value = value.into();
    let is_empty = match &value {
        Json::Null | Json::Bool(false) => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(entries) => entries.is_empty(),
        _ => false,
    };
    if !is_empty {
        map.insert(key.to_owned(), value);
    }
}

/// The fields of metadata.
pub(crate) fn encode(metadata: &Metadata) -> Map<String, Json> {
    let mut map = Map::new();
    add(&mut map, "name", &*metadata.name);
    add(&mut map, "home", &*metadata.home);
    add(&mut map, "sources", metadata.sources.clone());
    add(&mut map, "version", &*metadata.version);
    add(&mut map, "description", &*metadata.description);
    add(&mut map, "keywords", metadata.keywords.clone());
    let maintainers: Vec<Json> = metadata.maintainers.iter().map(maintainer).collect();
    add(&mut map, "maintainers", maintainers);
    add(&mut map, "icon", &*metadata.icon);
    add(&mut map, "apiVersion", &*metadata.api_version);
    add(&mut map, "condition", &*metadata.condition);
    add(&mut map, "tags", &*metadata.tags);
    add(&mut map, "appVersion", &*metadata.app_version);
    add(&mut map, "deprecated", metadata.deprecated);
    let annotations = metadata.annotations.iter().flatten();
    add(&mut map, "annotations", text_map(annotations));
    add(&mut map, "kubeVersion", &*metadata.kube_version);
    let dependencies = metadata.dependencies.iter().flatten();
    let dependencies: Vec<Json> = dependencies.map(dependency).collect();
    add(&mut map, "dependencies", dependencies);
    add(&mut map, "type", &*metadata.kind);
    map
}

/// The fields of a lock.
pub(crate) fn encode_lock(lock: &Lock) -> Json {
    let mut map = Map::new();
    let generated = time::normalize(&lock.generated).unwrap_or_else(|| time::ZERO.to_owned());
    map.insert("generated".to_owned(), generated.into());
    map.insert("digest".to_owned(), (&*lock.digest).into());
    let dependencies = lock.dependencies.as_ref();
    let dependencies = dependencies.map(|list| list.iter().map(dependency).collect());
    map.insert("dependencies".to_owned(), dependencies.unwrap_or_default());
    Json::Object(map)
}

/// A map of texts, sorted by keys.
pub(crate) fn text_map<'t>(entries: impl Iterator<Item = &'t (String, String)>) -> Json {
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    let entries = entries.into_iter();
    Json::Object(
        entries
            .map(|(key, value)| (key.clone(), (&**value).into()))
            .collect(),
    )
}

fn maintainer(maintainer: &Maintainer) -> Json {
    let mut map = Map::new();
    add(&mut map, "name", &*maintainer.name);
    add(&mut map, "email", &*maintainer.email);
    add(&mut map, "url", &*maintainer.url);
    Json::Object(map)
}

fn dependency(dependency: &Dependency) -> Json {
    let mut map = Map::new();
    map.insert("name".to_owned(), (&*dependency.name).into());
    add(&mut map, "version", &*dependency.version);
    map.insert("repository".to_owned(), (&*dependency.repository).into());
    add(&mut map, "condition", &*dependency.condition);
    add(&mut map, "tags", dependency.tags.clone());
    add(&mut map, "enabled", dependency.enabled);
    add(&mut map, "import-values", dependency.import_values.clone());
    add(&mut map, "alias", &*dependency.alias);
    Json::Object(map)
}

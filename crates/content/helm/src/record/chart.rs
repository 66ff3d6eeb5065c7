//! A chart in the form of the record.

use sluice_chart::values::{Json, Values};
use sluice_chart::{Chart, Dependency, File, Lock, Maintainer, Metadata};
use sluice_golang::base64;

use super::Time;

/// The chart of a record. It must be processed already: Helm keeps the enabled dependencies only,
/// and the values after the import.
pub fn stored_chart(chart: &Chart) -> Values {
    let modified = |time: Option<jiff::Timestamp>| {
        time.map_or(Json::Null, |time| Time::new(time).as_str().into())
    };
    let files = |files: &[File]| {
        if files.is_empty() {
            return Json::Null;
        }
        let files = files.iter().map(|file| {
            entries([
                ("name", (&*file.name).into()),
                ("data", base64::encode(&file.data).into()),
                ("modtime", modified(file.modified)),
            ])
        });
        files.collect()
    };
    let schema = chart.schema.as_ref();
    let values = chart.has_values.then(|| Json::Object(chart.values.clone()));
    let mut stored = Values::new();
    stored.insert("metadata".into(), metadata(&chart.metadata));
    stored.insert("lock".into(), chart.lock.as_ref().map_or(Json::Null, lock));
    stored.insert("templates".into(), files(&chart.templates));
    stored.insert("values".into(), values.unwrap_or_default());
    stored.insert(
        "schema".into(),
        schema.map_or(Json::Null, |schema| base64::encode(schema).into()),
    );
    stored.insert("schemamodtime".into(), modified(chart.schema_modified));
    stored.insert("files".into(), files(&chart.files));
    stored.insert("modtime".into(), modified(chart.modified));
    stored
}

/// The chart of a record, as far as new values depend on it: name, version and values.
pub fn restored_chart(stored: &Values) -> Chart {
    let metadata = stored.get("metadata");
    let text = |key: &str| {
        let text = metadata.and_then(|metadata| metadata.get(key));
        text.and_then(Json::as_str).unwrap_or_default().to_owned()
    };
    let mut chart = Chart::default();
    chart.metadata.name = text("name");
    chart.metadata.version = text("version");
    if let Some(Json::Object(values)) = stored.get("values") {
        chart.values.clone_from(values);
        chart.has_values = true;
    }
    chart
}

fn metadata(metadata: &Metadata) -> Json {
    let annotations = metadata.annotations.iter().flatten();
    let annotations = annotations.map(|(key, value)| (key.clone(), Json::from(&**value)));
    let dependencies = metadata.dependencies.iter().flatten();
    entries([
        ("name", (&*metadata.name).into()),
        ("home", (&*metadata.home).into()),
        ("sources", metadata.sources.clone().into()),
        ("version", (&*metadata.version).into()),
        ("description", (&*metadata.description).into()),
        ("keywords", metadata.keywords.clone().into()),
        (
            "maintainers",
            metadata.maintainers.iter().map(maintainer).collect(),
        ),
        ("icon", (&*metadata.icon).into()),
        ("apiVersion", (&*metadata.api_version).into()),
        ("condition", (&*metadata.condition).into()),
        ("tags", (&*metadata.tags).into()),
        ("appVersion", (&*metadata.app_version).into()),
        ("deprecated", metadata.deprecated.into()),
        ("annotations", Json::Object(annotations.collect())),
        ("kubeVersion", (&*metadata.kube_version).into()),
        ("dependencies", dependencies.map(dependency).collect()),
        ("type", (&*metadata.kind).into()),
    ])
}

fn maintainer(maintainer: &Maintainer) -> Json {
    entries([
        ("name", (&*maintainer.name).into()),
        ("email", (&*maintainer.email).into()),
        ("url", (&*maintainer.url).into()),
    ])
}

fn dependency(dependency: &Dependency) -> Json {
    entries([
        ("name", (&*dependency.name).into()),
        ("version", (&*dependency.version).into()),
        ("repository", (&*dependency.repository).into()),
        ("condition", (&*dependency.condition).into()),
        ("tags", dependency.tags.clone().into()),
        ("enabled", dependency.enabled.into()),
        ("import-values", dependency.import_values.clone().into()),
        ("alias", (&*dependency.alias).into()),
    ])
}

fn lock(lock: &Lock) -> Json {
    let dependencies = lock.dependencies.as_ref();
    let dependencies = dependencies.map(|list| list.iter().map(dependency).collect());
    entries([
        ("generated", (&*lock.generated).into()),
        ("digest", (&*lock.digest).into()),
        ("dependencies", dependencies.unwrap_or_default()),
    ])
}

fn entries<const N: usize>(entries: [(&str, Json); N]) -> Json {
    let entries = entries.into_iter();
    let entries = entries.map(|(key, value)| (key.to_owned(), value));
    Json::Object(entries.collect())
}

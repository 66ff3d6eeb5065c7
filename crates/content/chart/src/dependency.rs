//! Which charts below a chart are enabled, under which names, and what their parents import.

use serde_json::json;
use sluice_gotemplate::{Map, Value, fmt};

use crate::chart::Chart;
use crate::coalesce::{self, Nulls};
use crate::error::Error;
use crate::metadata::{Dependency, is_compatible};
use crate::values::{self, Json, Values};

/// Bytes of a path that is made of a value.
const PATH_BYTES: usize = 4096;

/// Fails if a chart of the metadata is missing below `charts/`.
pub fn check(chart: &Chart) -> Result<(), Error> {
    let needed = chart.metadata.dependencies.iter().flatten();
    let has = |name: &str| chart.dependencies.iter().any(|found| found.name() == name);
    let missing = needed.filter(|dependency| !has(&dependency.name));
    let missing: Vec<&str> = missing.map(|dependency| &*dependency.name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::MissingDependencies(missing.join(", ")))
}

/// Removes disabled charts, gives the others their aliases, and imports values.
pub fn process(chart: &mut Chart, user: &Values) -> Result<(), Error> {
    enable(chart, &coalesce::fresh(user), "")?;
    import(chart)
}

/// Keeps the enabled dependencies of a chart, and of those below it.
fn enable(chart: &mut Chart, user: &Map, path: &str) -> Result<(), Error> {
    let Some(mut needed) = chart.metadata.dependencies.take() else {
        return Ok(());
    };
    let found = std::mem::take(&mut chart.dependencies);
    let fits = |dependency: &Dependency, chart: &Chart| {
        dependency.name == chart.name()
            && is_compatible(&dependency.version, &chart.metadata.version)
    };
    // A chart that the metadata does not name is always there.
    let unnamed = found
        .iter()
        .filter(|chart| !needed.iter().any(|dependency| fits(dependency, chart)));
    let mut charts: Vec<Chart> = unnamed.cloned().collect();
    for dependency in &mut needed {
        if let Some(found) = found.iter().find(|chart| fits(dependency, chart)) {
            let mut found = found.clone();
            if !dependency.alias.is_empty() {
                found.metadata.name.clone_from(&dependency.alias);
            }
            charts.push(found);
        }
        if !dependency.alias.is_empty() {
            dependency.name.clone_from(&dependency.alias);
        }
        dependency.enabled = true;
    }
    chart.dependencies = charts;
    let values = coalesce::values(chart, user, Nulls::Delete)?;
    apply_tags(&mut needed, &values);
    apply_conditions(&mut needed, &values, path);
    let disabled = needed.iter().filter(|dependency| !dependency.enabled);
    let disabled: Vec<String> = disabled.map(|dependency| dependency.name.clone()).collect();
    let is_enabled = |name: &str| !disabled.iter().any(|disabled| disabled == name);
    chart.dependencies.retain(|chart| is_enabled(chart.name()));
    needed.retain(|dependency| is_enabled(&dependency.name));
    for dependency in &mut chart.dependencies {
        let path = format!("{path}{}.", dependency.name());
        enable(dependency, &values, &path)?;
    }
    // Go cannot tell an empty list from a missing one here.
    chart.metadata.dependencies = Some(needed).filter(|needed| !needed.is_empty());
    Ok(())
}

/// A tag that is true enables a chart; one that is false, and none that is true, disables it.
fn apply_tags(needed: &mut [Dependency], values: &Map) {
    let Ok(tags) = values::table(values, "tags") else {
        return;
    };
    for dependency in needed {
        let (mut has_true, mut has_false) = (false, false);
        for tag in &dependency.tags {
            match tags.get(tag.as_bytes()) {
                Some(Value::Bool(true)) => has_true = true,
                Some(Value::Bool(false)) => has_false = true,
                Some(_) => tracing::warn!(tag, "returned non-bool value"),
                None => {}
            }
        }
        dependency.enabled = has_true || !has_false;
    }
}

/// The first condition that is a boolean decides.
fn apply_conditions(needed: &mut [Dependency], values: &Map, path: &str) {
    for dependency in needed {
        let conditions = dependency.condition.trim().split(',');
        for condition in conditions.filter(|condition| !condition.is_empty()) {
            match values::path_value(values, &format!("{path}{condition}")) {
                Ok(Value::Bool(enabled)) => {
                    dependency.enabled = enabled;
                    break;
                }
                Ok(_) => tracing::warn!(condition, "returned non-bool value"),
                Err(values::MissingTable) => {}
            }
        }
    }
}

/// Merges the values that charts import from their dependencies, from the leaves to the root.
fn import(chart: &mut Chart) -> Result<(), Error> {
    for dependency in &mut chart.dependencies {
        import(dependency)?;
    }
    let Some(mut needed) = chart.metadata.dependencies.take() else {
        return Ok(());
    };
    let values = coalesce::values(chart, &Map::new(), Nulls::Keep)?;
    let imported = Map::new();
    for dependency in &mut needed {
        let mut rewritten = Vec::new();
        for import in &dependency.import_values {
            let (child, parent) = match import {
                Json::String(name) => (format!("exports.{name}"), ".".to_owned()),
                Json::Object(entries) => (text_of(entries, "child"), text_of(entries, "parent")),
                _ => continue,
            };
            let path = format!("{}.{child}", dependency.name);
            rewritten.push(json!({ "child": child, "parent": parent }));
            let Ok(table) = values::table(&values, &path) else {
                tracing::warn!(chart = dependency.name, path, "ImportValues missing table");
                continue;
            };
            coalesce::tables(&imported, &below(&parent, table), "", Nulls::Keep);
        }
        dependency.import_values = rewritten;
    }
    // The chart's own values are stronger than those that it imports.
    let values = values::copy(&values);
    coalesce::tables(&values, &imported, "", Nulls::Keep);
    chart.values = coalesce::frozen(&values);
    chart.has_values = true;
    chart.metadata.dependencies = Some(needed);
    Ok(())
}

/// A table at a path, `.` for the root.
fn below(path: &str, table: Map) -> Map {
    if path == "." {
        return table;
    }
    let keys = path.rsplit('.');
    keys.fold(table, |table, key| Map::from_iter([(key, table)]))
}

/// A value as `%v` prints it, which makes `<nil>` of a missing one.
fn text_of(entries: &Values, key: &str) -> String {
    let value = entries.get(key).map_or(Value::Nil, Value::from_object);
    let text = fmt::sprintf(b"%v", &[value], PATH_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

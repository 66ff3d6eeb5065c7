//! Coalesces the values of a chart and its dependencies with those of a user.
//!
//! Maps are shared as in Go: a map below `global` can be the same one in a chart and in its
//! dependency. The order of the steps is Helm's, because what is shared shows in the output.

use std::collections::HashSet;

use sluice_golang::quote::quote_bytes;
use sluice_gotemplate::{GoString, Map, Value, fmt};

use crate::chart::Chart;
use crate::error::Error;
use crate::values::{Json, Values, copy};

/// The key of the values that all charts see.
const GLOBAL: &[u8] = b"global";
/// Bytes of a text that an error or a warning shows.
const SHOWN_BYTES: usize = 4096;

/// Maximum number of warnings about nulls in the section of a dependency.
const MAX_WARNINGS: usize = 20;
/// Characters of a path that such a warning shows.
const MAX_PATH: usize = 300;

/// The fate of keys whose value is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// They delete the default of the chart.
    Delete,
    /// They stay, for a later step.
    Keep,
}

/// The values of a chart as maps of their own.
pub(crate) fn fresh(values: &Values) -> Map {
    let pairs = values.iter();
    pairs
        .map(|(key, value)| (key.as_str(), Value::from_object(value)))
        .collect()
}

/// The values of maps as those of a chart.
pub(crate) fn frozen(values: &Map) -> Values {
    match Value::Map(values.clone()).to_json() {
        Some(Json::Object(entries)) => entries,
        _ => Values::new(),
    }
}

/// The values of a chart and its dependencies with those of a user, which are stronger.
pub fn with_user(chart: &Chart, user: &Values) -> Result<Values, Error> {
    let values = values(chart, &fresh(user), Nulls::Delete)?;
    Ok(frozen(&values))
}

/// Adds weaker values to stronger ones. A null of the stronger ones deletes a weaker value.
pub fn with_weaker(strong: &Values, weak: &Values) -> Values {
    let strong = fresh(strong);
    tables(&strong, &fresh(weak), "", Nulls::Delete);
    frozen(&strong)
}

/// The values of a chart and its dependencies, where those of the user are stronger.
pub(crate) fn values(chart: &Chart, user: &Map, nulls: Nulls) -> Result<Map, Error> {
    let values = copy(user);
    chart_and_dependencies(chart, &values, "", nulls)?;
    Ok(values)
}

fn chart_and_dependencies(
    chart: &Chart,
    values: &Map,
    prefix: &str,
    nulls: Nulls,
) -> Result<(), Error> {
    defaults(chart, values, prefix, nulls);
    let prefix = joined(prefix, chart.name().as_bytes());
    for dependency in &chart.dependencies {
        let name = dependency.name();
        let section = match values.get(name.as_bytes()) {
            None => {
                let section = Map::new();
                values.set(name, section.clone());
                section
            }
            Some(Value::Map(section)) => section,
            Some(other) => {
                let shown = fmt::sprintf(b"%t", &[other], SHOWN_BYTES).unwrap_or_default();
                let shown = String::from_utf8_lossy(&shown).into_owned();
                return Err(Error::Values(format!("type mismatch on {name}: {shown}")));
            }
        };
        globals(&section, values, &prefix);
        chart_and_dependencies(dependency, &section, &prefix, nulls)?;
    }
    Ok(())
}

/// Hands the globals of a chart down to a dependency.
fn globals(into: &Map, from: &Map, prefix: &str) {
    let target = match into.get(GLOBAL) {
        None => Map::new(),
        Some(Value::Map(globals)) => globals,
        Some(_) => {
            tracing::warn!("skipping globals because destination global is not a table.");
            return;
        }
    };
    let source = match from.get(GLOBAL) {
        None => Map::new(),
        Some(Value::Map(globals)) => globals,
        Some(_) => {
            tracing::warn!("skipping globals because source global is not a table.");
            return;
        }
    };
    for (key, value) in source.entries() {
        let found = target.get(&key);
        match (value, found) {
            (Value::Map(map), None) => {
                target.set(key, shallow(&map));
            }
            (Value::Map(map), Some(Value::Map(found))) => {
                let merged = shallow(&map);
                tables(&merged, &found, &joined(prefix, &key), Nulls::Keep);
                target.set(key, merged);
            }
            (Value::Map(_), Some(_)) => {
                let key = quote_bytes(&key);
                tracing::warn!("Conflict: cannot merge map onto non-map for {key}. Skipping.");
            }
            (_, Some(Value::Map(_))) => tracing::warn!("key {key} is table. Skipping"),
            (value, _) => {
                target.set(key, value);
            }
        }
    }
    into.set("global", target);
}

/// A map of its own whose values are shared.
fn shallow(map: &Map) -> Map {
    map.entries().into_iter().collect()
}

/// Adds the defaults of a chart to values.
fn defaults(chart: &Chart, values: &Map, prefix: &str, nulls: Nulls) {
    let prefix = joined(prefix, chart.name().as_bytes());
    for (key, default) in fresh(&chart.values).entries() {
        match values.get(&key) {
            Some(Value::Nil) if nulls == Nulls::Delete => values.remove(&key),
            Some(Value::Map(table)) => match default {
                Value::Map(default) => {
                    let mut names = chart.dependencies.iter().map(Chart::name);
                    let is_dependency = names.any(|name| name.as_bytes() == &*key);
                    let nulls = if is_dependency { Nulls::Keep } else { nulls };
                    if nulls == Nulls::Delete {
                        drop_nulls(&default);
                    }
                    tables(&table, &default, &joined(&prefix, &key), nulls);
                }
                Value::Nil => {}
                _ => tracing::warn!("skipped value for {prefix}.{key}: Not a table."),
            },
            Some(_) => {}
            None => {
                if nulls == Nulls::Delete {
                    match &default {
                        Value::Nil => continue,
                        Value::Map(default) => {
                            warn_of_nulls(chart, &key, default, &prefix);
                            drop_nulls(default);
                        }
                        _ => {}
                    }
                }
                values.set(key, default);
            }
        }
    }
}

/// Warns of nulls that a chart sets for a dependency. Helm drops them before the dependency sees
/// them, so that its defaults stay.
fn warn_of_nulls(chart: &Chart, key: &[u8], section: &Map, prefix: &str) {
    let named = |dependency: &&Chart| dependency.name().as_bytes() == key;
    if let Some(dependency) = chart.dependencies.iter().find(named) {
        let name = dependency.name();
        let mut paths = Vec::new();
        kept_defaults(section, &dependency.values, &mut String::new(), &mut paths);
        for path in paths {
            tracing::warn!(
                "null at {prefix}.{name}.{path} has no effect: the default of chart {name} stays"
            );
        }
    }
}

/// Finds the paths of nulls at which defaults have a value, up to a limit.
fn kept_defaults(nulls: &Map, defaults: &Values, path: &mut String, found: &mut Vec<String>) {
    for (key, value) in nulls.entries() {
        if found.len() >= MAX_WARNINGS {
            return;
        }
        let key = String::from_utf8_lossy(&key).into_owned();
        let above = path.len();
        if above > 0 {
            path.push('.');
        }
        path.push_str(&key);
        match (value, defaults.get(&key)) {
            (Value::Nil, Some(default)) if !default.is_null() => {
                found.push(path.chars().take(MAX_PATH).collect());
            }
            (Value::Map(nulls), Some(Json::Object(defaults))) => {
                kept_defaults(&nulls, defaults, path, found);
            }
            _ => {}
        }
        path.truncate(above);
    }
}

/// Adds a weaker table to a stronger one.
pub(crate) fn tables(strong: &Map, weak: &Map, prefix: &str, nulls: Nulls) {
    let entries = weak.entries().into_iter();
    let known: HashSet<GoString> = entries
        .filter(|(_, value)| !matches!(value, Value::Nil))
        .map(|(key, _)| key)
        .collect();
    for (key, value) in strong.entries() {
        if matches!(value, Value::Nil) {
            weak.set(key, Value::Nil);
        }
    }
    for (key, value) in weak.entries() {
        match (strong.get(&key), value) {
            (Some(Value::Nil), _) if nulls == Nulls::Delete && known.contains(&key) => {
                strong.remove(&key);
            }
            (None, value) => {
                strong.set(key, value);
            }
            (Some(Value::Map(strong)), Value::Map(weak)) => {
                tables(&strong, &weak, &joined(prefix, &key), nulls);
            }
            (Some(_), Value::Map(_)) => {
                let path = joined(prefix, &key);
                tracing::warn!("cannot overwrite table with non table for {path}");
            }
            (Some(Value::Map(_)), value) if !matches!(value, Value::Nil) => {
                let path = joined(prefix, &key);
                tracing::warn!("destination for {path} is a table. Ignoring non-table value");
            }
            _ => {}
        }
    }
}

/// Removes null values at all depths.
pub(crate) fn drop_nulls(map: &Map) {
    for (key, value) in map.entries() {
        match value {
            Value::Nil => map.remove(&key),
            Value::Map(inner) => drop_nulls(&inner),
            _ => {}
        }
    }
}

fn joined(prefix: &str, key: &[u8]) -> String {
    let key = String::from_utf8_lossy(key);
    if prefix.is_empty() {
        key.into_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

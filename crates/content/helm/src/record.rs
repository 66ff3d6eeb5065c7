//! The record of a release, which Helm keeps in the cluster.
//!
//! A record is JSON as Helm 4 writes it: decoding and encoding yields the same bytes that Helm
//! yields, and fields that a newer Helm added stay. Start at [`Release`].

mod chart;
mod codec;
mod observation;
mod shape;
mod time;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use sluice_chart::values::{Json, Values};

pub use chart::{restored_chart, stored_chart};
pub use codec::{DecodeError, MAX_INFLATED_BYTES};

/// The text of a time, with its offset and up to nine digits of a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time(String);

impl Time {
    /// A time in UTC.
    pub fn new(time: jiff::Timestamp) -> Self {
        Self(time::format(time))
    }

    /// The text in RFC 3339.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A release of a chart.
#[derive(Clone, PartialEq, Default)]
pub struct Release {
    /// The name.
    pub name: String,
    /// The state.
    pub info: Info,
    /// The chart in the form of the record, after its dependencies were processed.
    pub chart: Option<Values>,
    /// The values of the user.
    pub config: Option<Values>,
    /// The rendered objects, without hooks.
    pub manifest: String,
    /// The hooks, sorted by kind.
    pub hooks: Vec<Hook>,
    /// The revision, from 1.
    pub version: i64,
    /// The namespace.
    pub namespace: String,
    /// How objects are applied: `ssa`, `csa`, or empty as in records of Helm 3.
    pub apply_method: String,
    /// The labels of the object that stores the record; they are not part of its JSON.
    pub labels: Labels,
    /// The fields that this version does not know.
    pub rest: Values,
}

impl fmt::Debug for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values, objects and notes may be secret.
        f.debug_struct("Release")
            .field("name", &self.name)
            .field("namespace", &self.namespace)
            .field("version", &self.version)
            .field("status", &self.info.status)
            .finish_non_exhaustive()
    }
}

/// Labels by their keys.
pub type Labels = BTreeMap<String, String>;

/// The state of a release.
#[derive(Clone, PartialEq, Default)]
pub struct Info {
    /// When the first revision was deployed.
    pub first_deployed: Option<Time>,
    /// When this revision was deployed.
    pub last_deployed: Option<Time>,
    /// When the release was uninstalled.
    pub deleted: Option<Time>,
    /// The result of the last action.
    pub description: String,
    /// The status.
    pub status: Status,
    /// The rendered notes.
    pub notes: String,
    /// The fields that this version does not know.
    pub rest: Values,
}

impl fmt::Debug for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Info")
            .field("status", &self.status)
            .field("last_deployed", &self.last_deployed)
            .finish_non_exhaustive()
    }
}

/// The status of a release.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Status(Cow<'static, str>);

impl Status {
    /// The state is uncertain.
    pub const UNKNOWN: Self = Self(Cow::Borrowed("unknown"));
    /// The release is in the cluster.
    pub const DEPLOYED: Self = Self(Cow::Borrowed("deployed"));
    /// The release was uninstalled, and its history kept.
    pub const UNINSTALLED: Self = Self(Cow::Borrowed("uninstalled"));
    /// A later revision took its place.
    pub const SUPERSEDED: Self = Self(Cow::Borrowed("superseded"));
    /// The action failed.
    pub const FAILED: Self = Self(Cow::Borrowed("failed"));
    /// The release is being uninstalled.
    pub const UNINSTALLING: Self = Self(Cow::Borrowed("uninstalling"));
    /// The release is being installed.
    pub const PENDING_INSTALL: Self = Self(Cow::Borrowed("pending-install"));
    /// The release is being upgraded.
    pub const PENDING_UPGRADE: Self = Self(Cow::Borrowed("pending-upgrade"));
    /// The release is being rolled back.
    pub const PENDING_ROLLBACK: Self = Self(Cow::Borrowed("pending-rollback"));

    /// The text of the status.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether an action has begun and not ended.
    pub fn is_pending(&self) -> bool {
        [
            Self::PENDING_INSTALL,
            Self::PENDING_UPGRADE,
            Self::PENDING_ROLLBACK,
        ]
        .contains(self)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A document that is applied at certain events.
#[derive(Clone, PartialEq, Default)]
pub struct Hook {
    /// The name of the object.
    pub name: String,
    /// The kind of the object.
    pub kind: String,
    /// The path of the template.
    pub path: String,
    /// The document.
    pub manifest: String,
    /// When the hook runs, such as `pre-install`.
    pub events: Vec<String>,
    /// The last run.
    pub last_run: Execution,
    /// The place among the hooks of an event.
    pub weight: i64,
    /// When the object is deleted.
    pub delete_policies: Vec<String>,
    /// When logs are shown.
    pub output_log_policies: Vec<String>,
    /// The fields that this version does not know.
    pub rest: Values,
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("events", &self.events)
            .field("last_run", &self.last_run)
            .finish_non_exhaustive()
    }
}

/// A run of a hook.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Execution {
    /// When the hook was applied.
    pub started_at: Option<Time>,
    /// When the hook succeeded or failed.
    pub completed_at: Option<Time>,
    /// The phase: `Unknown`, `Running`, `Succeeded`, `Failed`, or empty before the first run.
    pub phase: Cow<'static, str>,
    /// The fields that this version does not know.
    pub rest: Values,
}

impl Execution {
    /// A run that has begun.
    pub fn started(at: Time) -> Self {
        Self {
            started_at: Some(at),
            phase: Phase::RUNNING,
            ..Self::default()
        }
    }
}

/// The phases of hooks.
#[derive(Debug, Clone, Copy)]
pub struct Phase;

impl Phase {
    /// The result is not known.
    pub const UNKNOWN: Cow<'static, str> = Cow::Borrowed("Unknown");
    /// The hook runs.
    pub const RUNNING: Cow<'static, str> = Cow::Borrowed("Running");
    /// The hook succeeded.
    pub const SUCCEEDED: Cow<'static, str> = Cow::Borrowed("Succeeded");
    /// The hook failed.
    pub const FAILED: Cow<'static, str> = Cow::Borrowed("Failed");
}

impl Release {
    /// Sets the status and its description.
    pub fn set_status(&mut self, status: Status, description: impl Into<String>) {
        self.info.status = status;
        self.info.description = description.into();
    }

    /// The name and the version of the chart.
    pub fn chart_name_and_version(&self) -> (&str, &str) {
        let metadata = self.chart.as_ref().and_then(|chart| chart.get("metadata"));
        let text = |key: &str| {
            let field = metadata.and_then(|metadata| metadata.get(key));
            field.and_then(Json::as_str).unwrap_or_default()
        };
        (text("name"), text("version"))
    }

    /// The version of the application in the chart.
    pub fn app_version(&self) -> &str {
        let metadata = self.chart.as_ref().and_then(|chart| chart.get("metadata"));
        let field = metadata.and_then(|metadata| metadata.get("appVersion"));
        field.and_then(Json::as_str).unwrap_or_default()
    }

    /// The JSON of the release, as Go writes it.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.manifest.len() * 2);
        shape::RELEASE.write(&self.to_object(), &mut out);
        out
    }

    fn from_object(mut object: Values) -> Result<Self, String> {
        shape::RELEASE.check(&object)?;
        let info = match object.shift_remove("info") {
            Some(Json::Object(info)) => Info::from_object(info),
            _ => return Err("the record has no info".to_owned()),
        };
        let hooks = match object.shift_remove("hooks") {
            Some(Json::Array(hooks)) => hooks,
            _ => Vec::new(),
        };
        let hooks = hooks.into_iter().filter_map(|hook| match hook {
            Json::Object(hook) => Some(Hook::from_object(hook)),
            _ => None,
        });
        let chart = take_map(&mut object, "chart").map(|mut chart| {
            float_values(&mut chart);
            chart
        });
        let config = take_map(&mut object, "config");
        Ok(Self {
            name: take_text(&mut object, "name"),
            info,
            chart,
            config: config.map(sluice_chart::values::from_json),
            manifest: take_text(&mut object, "manifest"),
            hooks: hooks.collect(),
            version: take_int(&mut object, "version"),
            namespace: take_text(&mut object, "namespace"),
            apply_method: take_text(&mut object, "apply_method"),
            labels: Labels::new(),
            rest: object,
        })
    }

    fn to_object(&self) -> Values {
        let hooks = self.hooks.iter().map(|hook| Json::Object(hook.to_object()));
        let mut object = Values::new();
        object.insert("name".into(), (&*self.name).into());
        object.insert("info".into(), Json::Object(self.info.to_object()));
        object.insert("chart".into(), map_or_null(self.chart.as_ref()));
        object.insert("config".into(), map_or_null(self.config.as_ref()));
        object.insert("manifest".into(), (&*self.manifest).into());
        object.insert("hooks".into(), hooks.collect());
        object.insert("version".into(), self.version.into());
        object.insert("namespace".into(), (&*self.namespace).into());
        object.insert("apply_method".into(), (&*self.apply_method).into());
        object.extend(self.rest.clone());
        object
    }
}

impl Info {
    fn from_object(mut object: Values) -> Self {
        Self {
            first_deployed: take_time(&mut object, "first_deployed"),
            last_deployed: take_time(&mut object, "last_deployed"),
            deleted: take_time(&mut object, "deleted"),
            description: take_text(&mut object, "description"),
            status: Status(take_text(&mut object, "status").into()),
            notes: take_text(&mut object, "notes"),
            rest: object,
        }
    }

    fn to_object(&self) -> Values {
        let mut object = Values::new();
        object.insert(
            "first_deployed".into(),
            time_or_null(self.first_deployed.as_ref()),
        );
        object.insert(
            "last_deployed".into(),
            time_or_null(self.last_deployed.as_ref()),
        );
        object.insert("deleted".into(), time_or_null(self.deleted.as_ref()));
        object.insert("description".into(), (&*self.description).into());
        object.insert("status".into(), self.status.as_str().into());
        object.insert("notes".into(), (&*self.notes).into());
        object.extend(self.rest.clone());
        object
    }
}

impl Hook {
    /// A hook of a rendered chart that has not run.
    pub fn new(hook: &sluice_chart::manifest::Hook) -> Self {
        Self {
            name: hook.name.clone(),
            kind: hook.kind.clone(),
            path: hook.path.clone(),
            manifest: go_text(&hook.content),
            events: hook.events.iter().map(|event| (*event).into()).collect(),
            weight: hook.weight,
            delete_policies: hook.delete_policies.clone(),
            output_log_policies: hook.output_log_policies.clone(),
            ..Self::default()
        }
    }

    fn from_object(mut object: Values) -> Self {
        let mut last_run = take_map(&mut object, "last_run").unwrap_or_default();
        Self {
            name: take_text(&mut object, "name"),
            kind: take_text(&mut object, "kind"),
            path: take_text(&mut object, "path"),
            manifest: take_text(&mut object, "manifest"),
            events: take_texts(&mut object, "events"),
            last_run: Execution {
                started_at: take_time(&mut last_run, "started_at"),
                completed_at: take_time(&mut last_run, "completed_at"),
                phase: take_text(&mut last_run, "phase").into(),
                rest: last_run,
            },
            weight: take_int(&mut object, "weight"),
            delete_policies: take_texts(&mut object, "delete_policies"),
            output_log_policies: take_texts(&mut object, "output_log_policies"),
            rest: object,
        }
    }

    fn to_object(&self) -> Values {
        let run = &self.last_run;
        let mut last_run = Values::new();
        last_run.insert("started_at".into(), time_or_null(run.started_at.as_ref()));
        last_run.insert(
            "completed_at".into(),
            time_or_null(run.completed_at.as_ref()),
        );
        last_run.insert("phase".into(), (&*run.phase).into());
        last_run.extend(run.rest.clone());
        let mut object = Values::new();
        object.insert("name".into(), (&*self.name).into());
        object.insert("kind".into(), (&*self.kind).into());
        object.insert("path".into(), (&*self.path).into());
        object.insert("manifest".into(), (&*self.manifest).into());
        object.insert("events".into(), self.events.clone().into());
        object.insert("last_run".into(), Json::Object(last_run));
        object.insert("weight".into(), self.weight.into());
        object.insert(
            "delete_policies".into(),
            self.delete_policies.clone().into(),
        );
        let policies = self.output_log_policies.clone();
        object.insert("output_log_policies".into(), policies.into());
        object.extend(self.rest.clone());
        object
    }
}

/// Bytes as Go's JSON keeps them: each byte that is not UTF-8 becomes U+FFFD.
pub fn go_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Makes floats of the numbers in the values of a chart and of those below `import-values`.
fn float_values(chart: &mut Values) {
    if let Some(Json::Object(values)) = chart.get_mut("values") {
        *values = sluice_chart::values::from_json(std::mem::take(values));
    }
}

fn take_text(object: &mut Values, key: &str) -> String {
    match object.shift_remove(key) {
        Some(Json::String(text)) => text,
        _ => String::new(),
    }
}

fn take_int(object: &mut Values, key: &str) -> i64 {
    let value = object.shift_remove(key);
    value.as_ref().and_then(Json::as_i64).unwrap_or_default()
}

fn take_map(object: &mut Values, key: &str) -> Option<Values> {
    match object.shift_remove(key) {
        Some(Json::Object(map)) => Some(map),
        _ => None,
    }
}

/// The texts of a list. A null counts as an empty text, as in Go.
fn take_texts(object: &mut Values, key: &str) -> Vec<String> {
    let Some(Json::Array(items)) = object.shift_remove(key) else {
        return Vec::new();
    };
    let text = |item| match item {
        Json::String(text) => text,
        _ => String::new(),
    };
    items.into_iter().map(text).collect()
}

fn take_time(object: &mut Values, key: &str) -> Option<Time> {
    match object.shift_remove(key) {
        Some(Json::String(text)) if !text.is_empty() && !time::is_zero(&text) => {
            Some(Time(time::normalize(&text)))
        }
        _ => None,
    }
}

fn time_or_null(time: Option<&Time>) -> Json {
    time.map_or(Json::Null, |time| time.as_str().into())
}

fn map_or_null(map: Option<&Values>) -> Json {
    map.map_or(Json::Null, |map| Json::Object(map.clone()))
}

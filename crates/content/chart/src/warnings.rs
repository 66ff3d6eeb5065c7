//! Collects the warnings of a render, for programs that show them to a user.
//!
//! Controllers log the warnings instead.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, subscriber};

/// The start of the targets of this crate.
const TARGET: &str = "sluice_chart";

/// Runs work on this thread, and returns the warnings of this crate with its result.
///
/// Each text is returned once. Other log lines of the work are dropped.
pub fn collect_warnings<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let warnings = Arc::default();
    let collector = Collector {
        warnings: Arc::clone(&warnings),
    };
    let result = subscriber::with_default(collector, work);
    let mut warnings = warnings.lock().unwrap_or_else(PoisonError::into_inner);
    (result, std::mem::take(&mut *warnings))
}

struct Collector {
    warnings: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
            && *metadata.level() <= Level::INFO
            && metadata.target().starts_with(TARGET)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let Line { message, fields } = line;
        let text = match &*fields.join(", ") {
            "" => message,
            fields => format!("{message} ({fields})"),
        };
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        // Values are merged more than once.
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message of an event, and its other fields.
#[derive(Default)]
struct Line {
    message: String,
    fields: Vec<String>,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            // Writing to a text does not fail.
            "message" => drop(write!(self.message, "{value:?}")),
            name => self.fields.push(format!("{name}: {value:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::collect_warnings;
    use crate::load::{self, Limits};
    use crate::{TemplateOptions, Values, template, values};

    fn warnings(user: &str) -> Vec<String> {
        let files = [
            (
                "Chart.yaml",
                "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- name: sub\n  \
                 version: 1.0.0\n  tags: [front]\n",
            ),
            (
                "values.yaml",
                "table: {a: 1}\nsub: {a: null, b: {c: null, d: null}, e: null}\n",
            ),
            (
                "charts/sub/Chart.yaml",
                "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
            ),
            ("charts/sub/values.yaml", "a: 1\nb: {c: 2, x: 3}\n"),
        ];
        let files = files.map(|(name, text)| load::file(name, text.into()));
        let chart = load::files(files.into(), &Limits::default()).unwrap();
        let user = values::parse(user.as_bytes()).unwrap();
        let (rendered, warnings) =
            collect_warnings(|| template(chart, &user, &TemplateOptions::default(), None));
        rendered.unwrap();
        warnings
    }

    #[test]
    fn schema_that_refers_to_a_web_server_is_not_applied() {
        let schema = |reference: &str| {
            let files = [
                (
                    "Chart.yaml",
                    "apiVersion: v2\nname: web\nversion: 1.0.0\n".to_owned(),
                ),
                (
                    "values.schema.json",
                    format!(
                        "{{\"required\": [\"port\"], \"allOf\": [{{\"$ref\": \"{reference}\"}}]}}"
                    ),
                ),
            ];
            let files = files.map(|(name, text)| load::file(name, text.into()));
            let chart = load::files(files.into(), &Limits::default()).unwrap();
            collect_warnings(|| template(chart, &Values::new(), &TemplateOptions::default(), None))
        };
        let (rendered, warnings) = schema("https://example.com/common.json#/definitions/a");
        rendered.unwrap();
        assert_eq!(
            warnings,
            ["values of chart web are not checked: its schema refers to \
              \"https://example.com/common.json#/definitions/a\", which is not fetched"]
        );
        // The addresses of the drafts are known, so the value is missed.
        let (rendered, warnings) = schema("http://json-schema.org/draft-07/schema");
        assert!(
            rendered
                .unwrap_err()
                .to_string()
                .contains("missing property 'port'")
        );
        assert_eq!(warnings, [""; 0]);
    }

    #[test]
    fn null_without_effect_is_reported() {
        let expected = ["web.sub.a", "web.sub.b.c"]
            .map(|path| format!("null at {path} has no effect: the default of chart sub stays"));
        assert_eq!(warnings(""), expected);
        // A section of the user keeps the nulls, which then delete the defaults.
        assert_eq!(warnings("sub: {z: 1}\n"), [""; 0]);
    }

    #[test]
    fn skipped_values_and_odd_tags_are_reported() {
        let found = warnings("table: text\ntags: {front: 1}\nsub: {}\n");
        assert!(
            found.contains(&"returned non-bool value (tag: \"front\")".to_owned()),
            "{found:?}"
        );
        let skipped = "destination for web.table is a table. Ignoring non-table value";
        assert!(!found.contains(&skipped.to_owned()), "{found:?}");
        let found = warnings("sub: {b: 1}\n");
        let table = "cannot overwrite table with non table for";
        assert!(
            found.iter().any(|warning| warning.starts_with(table)),
            "{found:?}"
        );
    }
}

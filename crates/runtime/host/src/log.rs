//! Log lines as Flux's controllers write them with zap: one JSON object per line (`level`, `ts`,
//! `logger`, `msg`, then fields), or columns for the console.
//!
//! This is a `tracing` layer. The span of a run puts controller, object and `reconcileID` on every
//! line. Two field names are special: `spread` holds a JSON object whose entries become fields, and
//! `json.NAME` holds JSON that becomes the field `NAME`.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sluice_system::Clock;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::args::{LogEncoding, LogLevel};

/// The span field with the kind. Its value is the name of the field that holds the object.
const KIND: &str = "controllerKind";

/// Initializes the logs of the process, on stderr. Call it once.
pub fn init(
    level: LogLevel,
    encoding: LogEncoding,
    clock: Arc<dyn Clock>,
) -> Result<(), TryInitError> {
    let lines = LogLayer {
        encoding,
        clock,
        sink: Box::new(|line: &str| {
            // A failure to log cannot be logged.
            let _failed = std::io::stderr().lock().write_all(line.as_bytes());
        }),
    };
    tracing_subscriber::registry()
        .with(filter(level))
        .with(lines)
        .try_init()
}

/// Limits the Kubernetes client at every level: its logs quote whole responses, Secrets included.
pub const CLIENT_FILTER: &str = "kube=error,kube_client=error,kube_runtime=error";

/// Logs this program at the given level, and libraries at the next higher one.
fn filter(level: LogLevel) -> EnvFilter {
    let (own, libraries) = match level {
        LogLevel::Trace => ("trace", "debug"),
        LogLevel::Debug => ("debug", "info"),
        LogLevel::Info => ("info", "warn"),
        LogLevel::Error => ("error", "error"),
    };
    EnvFilter::new(format!("{libraries},sluice={own},{CLIENT_FILTER}"))
}

struct LogLayer {
    encoding: LogEncoding,
    clock: Arc<dyn Clock>,
    sink: Box<dyn Fn(&str) + Send + Sync>,
}

/// The fields of a span as JSON text. Thousands of runs may wait, each in a span of its own, and
/// few of them log meanwhile.
#[derive(Debug)]
struct FieldsText(Box<str>);

/// The fields of a span or of an event, in order.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Fields {
    message: String,
    logger: Option<String>,
    values: Map<String, Value>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LogLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        fields.name_object();
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields.text());
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(text) = span.extensions_mut().get_mut::<FieldsText>()
        {
            let mut fields = text.fields();
            values.record(&mut fields);
            *text = fields.text();
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut own = Fields::default();
        event.record(&mut own);
        own.name_object();
        let mut fields = Map::new();
        let mut logger = None;
        for span in context
            .event_scope(event)
            .into_iter()
            .flat_map(tracing_subscriber::registry::Scope::from_root)
        {
            if let Some(text) = span.extensions().get::<FieldsText>() {
                let of_span = text.fields();
                fields.extend(of_span.values);
                logger = of_span.logger.or(logger);
            }
        }
        fields.extend(own.values);
        let line = Line {
            level: *event.metadata().level(),
            at: self.clock.now(),
            logger: own.logger.or(logger),
            message: own.message,
            fields,
        };
        (self.sink)(&match self.encoding {
            LogEncoding::Json => line.json(),
            LogEncoding::Console => line.console(),
        });
    }
}

impl FieldsText {
    fn fields(&self) -> Fields {
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl Fields {
    fn text(&self) -> FieldsText {
        // Encoding cannot fail: all keys are strings and all values are JSON.
        FieldsText(serde_json::to_string(self).unwrap_or_default().into())
    }

    /// Adds `<Kind>: {name, namespace}`, as controller-runtime does.
    fn name_object(&mut self) {
        let text = |field: &str| {
            self.values
                .get(field)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        if let (Some(kind), Some(name), Some(namespace)) =
            (text(KIND), text("name"), text("namespace"))
        {
            let object = serde_json::json!({ "name": name, "namespace": namespace });
            self.values.insert(kind, object);
        }
    }

    fn put(&mut self, field: &Field, value: Value) {
        match field.name() {
            "message" => self.message = plain(&value),
            "logger" => self.logger = Some(plain(&value)),
            "spread" => {
                if let Ok(Value::Object(entries)) = serde_json::from_str(&plain(&value)) {
                    self.values.extend(entries);
                }
            }
            name => match name.strip_prefix("json.") {
                Some(name) => {
                    let text = plain(&value);
                    self.values.insert(
                        name.to_owned(),
                        serde_json::from_str(&text).unwrap_or(value),
                    );
                }
                // The bridge of the `log` crate adds `log.…`.
                None if name.starts_with("log.") => {}
                None => {
                    self.values.insert(name.to_owned(), value);
                }
            },
        }
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, Value::from(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, Value::from(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, Value::from(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, Value::from(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, Value::from(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, Value::from(value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.put(field, Value::from(sluice_golang::error::chain(value)));
    }
}

/// One line before it is encoded.
struct Line {
    level: Level,
    at: Timestamp,
    logger: Option<String>,
    message: String,
    fields: Map<String, Value>,
}

impl Line {
    fn json(self) -> String {
        let mut object = Map::new();
        object.insert(
            "level".to_owned(),
            Value::from(self.level.as_str().to_lowercase()),
        );
        object.insert("ts".to_owned(), Value::from(time(self.at)));
        if let Some(logger) = self.logger {
            object.insert("logger".to_owned(), Value::from(logger));
        }
        object.insert("msg".to_owned(), Value::from(self.message));
        object.extend(self.fields);
        let mut line = Value::Object(object).to_string();
        line.push('\n');
        line
    }

    fn console(self) -> String {
        let mut line = format!("{}\t{}\t", time(self.at), self.level);
        if let Some(logger) = self.logger {
            line.push_str(&logger);
            line.push('\t');
        }
        // A message from a remote must not move the cursor, nor begin a forged line.
        for character in self.message.chars() {
            if character.is_control() {
                let _infallible = write!(line, "{}", character.escape_default());
            } else {
                line.push(character);
            }
        }
        if !self.fields.is_empty() {
            line.push('\t');
            line.push_str(&Value::Object(self.fields).to_string());
        }
        line.push('\n');
        line
    }
}

/// ISO 8601 with milliseconds, as zap prints UTC.
fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests;

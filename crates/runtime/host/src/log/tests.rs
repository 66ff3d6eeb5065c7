//! Log lines, compared whole.

use std::sync::Mutex;

use sluice_system::ManualClock;
use tracing::subscriber::with_default;

use super::*;

/// Returns the lines that `write` logs at 12:30:15.25.
fn lines(encoding: LogEncoding, write: impl FnOnce()) -> String {
    let written = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&written);
    let clock = ManualClock::at("2024-05-01T12:30:15.25Z".parse().unwrap());
    let layer = LogLayer {
        encoding,
        clock: Arc::new(clock),
        sink: Box::new(move |line| sink.lock().unwrap().push_str(line)),
    };
    with_default(tracing_subscriber::registry().with(layer), write);
    Arc::into_inner(written).unwrap().into_inner().unwrap()
}

#[test]
fn line_of_a_run_names_controller_and_object() {
    let text = lines(LogEncoding::Json, || {
        let span = tracing::info_span!(
            "reconcile",
            controller = "kustomization",
            controllerGroup = "kustomize.toolkit.fluxcd.io",
            controllerKind = "Kustomization",
            namespace = "flux-system",
            name = "apps",
            reconcileID = "1-2-3",
        );
        span.in_scope(|| tracing::info!(revision = "main@sha1:1", "server-side apply completed"));
    });
    assert_eq!(
        text,
        concat!(
            r#"{"level":"info","ts":"2024-05-01T12:30:15.250Z","msg":"server-side apply completed","#,
            r#""controller":"kustomization","controllerGroup":"kustomize.toolkit.fluxcd.io","controllerKind":"Kustomization","#,
            r#""namespace":"flux-system","name":"apps","reconcileID":"1-2-3","#,
            r#""Kustomization":{"name":"apps","namespace":"flux-system"},"revision":"main@sha1:1"}"#,
            "\n"
        )
    );
}

#[test]
fn json_fields_are_embedded_and_spread() {
    let text = lines(LogEncoding::Json, || {
        tracing::error!(
            logger = "setup",
            json.output = r#"{"Service/a/b":"created"}"#,
            spread = r#"{"revision":"r1"}"#,
            count = 3,
            "done"
        );
    });
    assert_eq!(
        text,
        "{\"level\":\"error\",\"ts\":\"2024-05-01T12:30:15.250Z\",\"logger\":\"setup\",\"msg\":\"done\",\
         \"output\":{\"Service/a/b\":\"created\"},\"revision\":\"r1\",\"count\":3}\n"
    );
}

#[test]
fn console_escapes_control_characters() {
    let text = lines(LogEncoding::Console, || {
        tracing::info!(name = "apps", "red \u{1b}[31m text\nERROR forged");
    });
    assert_eq!(
        text,
        "2024-05-01T12:30:15.250Z\tINFO\tred \\u{1b}[31m text\\nERROR forged\t{\"name\":\"apps\"}\n"
    );
}

#[test]
fn error_chain_is_one_text() {
    #[derive(Debug, thiserror::Error)]
    #[error("read the artifact")]
    struct Outer(#[source] std::io::Error);
    let text = lines(LogEncoding::Json, || {
        let error = Outer(std::io::Error::other("disk on fire"));
        tracing::error!(error = &error as &dyn std::error::Error, "failed");
    });
    assert!(
        text.contains(r#""error":"read the artifact: disk on fire""#),
        "{text}"
    );
}

//! Records the requests that the notifiers of notification-controller send.
//!
//! The notifiers are internal packages, so the recorder `notifications/record_test.go` runs as a
//! test inside of a copy of the module. A proxy in the recorder answers every request.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use sluice_system::fs;

/// The value of `--only` for notifications.
pub(super) const NAME: &str = "notifications";

const MODULE: &str = "github.com/fluxcd/notification-controller";
const VERSION: &str = "v1.9.3";
const RECORDER: &str = include_str!("notifications/record_test.go");
/// The client library of Event Hubs. Its copy also has a server.
const AMQP: &str = "github.com/Azure/go-amqp";
const AMQP_VERSION: &str = "v1.5.0";
const AMQP_SINK: &str = include_str!("notifications/amqp_sink.go");
/// Replacements in the sources of the notifiers.
const CHANGES: [(&str, &str); 3] = [
    // The order of metadata is random.
    (
        "range event.Metadata {",
        "range sortedPairs(event.Metadata) {",
    ),
    // The recorder is not at the address of the namespace.
    (
        "FromConnectionString(address, \"\", nil)",
        "FromConnectionString(address, \"\", sinkOptions)",
    ),
    (
        "NewProducerClient(fullyQualifiedNamespace, eventhubName, provider, nil)",
        "NewProducerClient(fullyQualifiedNamespace, eventhubName, provider, sinkOptions)",
    ),
];
/// Replaces the random order of metadata in the sources.
const SORTED: &str = "package notifier

import (
	\"iter\"
	\"maps\"
	\"slices\"
)

func sortedPairs(m map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
";

/// Asks the notifiers about `questions.json`, and writes `answers.jsonl` beside it.
pub(super) fn record() -> anyhow::Result<()> {
    let vectors = crate::repository().join("crates/controllers/notification/tests/vectors");
    let copy = tempfile::tempdir()?;
    copy_module(MODULE, VERSION, copy.path())?;
    copy_module(&format!("{MODULE}/api"), VERSION, &copy.path().join("api"))?;
    let amqp = copy.path().join("amqp");
    copy_module(AMQP, AMQP_VERSION, &amqp)?;
    fs::write(amqp.join("sink.go"), AMQP_SINK)?;
    let manifest = copy.path().join("go.mod");
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, format!("{text}\nreplace {AMQP} => ./amqp\n"))?;
    let package = copy.path().join("internal/notifier");
    for entry in fs::read_dir(&package)? {
        if entry.path.extension().is_some_and(|it| it == "go") {
            let mut text = fs::read_to_string(&entry.path)?;
            for (from, to) in CHANGES {
                text = text.replace(from, to);
            }
            fs::write(&entry.path, text)?;
        }
    }
    fs::write(package.join("sorted.go"), SORTED)?;
    fs::write(package.join("record_test.go"), RECORDER)?;
    let answers = vectors.join("answers.jsonl");
    let status = Command::new("go")
        .args([
            "test",
            "-count=1",
            "-vet=off",
            "-run",
            "^TestRecord$",
            "./internal/notifier",
        ])
        .current_dir(copy.path())
        .env("QUESTIONS", vectors.join("questions.json"))
        .env("RECORDING", &answers)
        .status()
        .context("failed to run go")?;
    ensure!(status.success(), "the recorder failed");
    let count = fs::read_to_string(&answers)?.lines().count();
    println!("{NAME}: {count} answers recorded");
    Ok(())
}

/// Copies a module from Go's cache, where files are read-only.
fn copy_module(module: &str, version: &str, target: &Path) -> anyhow::Result<()> {
    let downloaded = Command::new("go")
        .args(["mod", "download", "-json"])
        .arg(format!("{module}@{version}"))
        .current_dir(std::env::temp_dir())
        .output()
        .context("failed to run go")?;
    let facts: Value = serde_json::from_slice(&downloaded.stdout)?;
    let folder = facts["Dir"].as_str().map(PathBuf::from);
    let folder = folder.with_context(|| format!("failed to download {module}@{version}"))?;
    copy(&folder, target)
}

fn copy(source: &Path, target: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let name = entry.path.file_name().context("an entry has a name")?;
        let target = target.join(name);
        if entry.file_type.is_dir() {
            copy(&entry.path, &target)?;
        } else {
            fs::write(&target, fs::read(&entry.path)?)?;
        }
    }
    Ok(())
}

//! Reading and writing YAML, beside the Go libraries that kustomize uses.
//!
//! Both sides take turns on the same text. Their results are compared before the measurement. The
//! result is the median. Without a Go toolchain only our side runs.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_yaml::tree::{self, Indent};
use sluice_yaml::{json as go_json, v2, v3};

use super::record::Record;
use crate::differential::oracle::{Operation, Oracle};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Turns of each side
    #[arg(long, default_value_t = 30)]
    turns: usize,
    /// Objects in the list
    #[arg(long, default_value_t = 300)]
    objects: usize,
    /// Write the result as JSON to this file
    #[arg(long)]
    record: Option<PathBuf>,
}

/// A measured operation and its label.
const MEASURED: [(Operation, &str); 5] = [
    (Operation::Read, "YAML to JSON (v2)"),
    (Operation::Write, "JSON to YAML (v2)"),
    (Operation::V3, "YAML to a value (v3)"),
    (
        Operation::Compact,
        "a tree with its comments, read and written (v3)",
    ),
    (Operation::Value, "a resource on its way through kustomize"),
];

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut record = Record::begin();
    record.add_program("ours", &std::env::current_exe()?)?;
    let source = crate::repository().join("crates/base/yaml/tests/oracle");
    let place = tempfile::tempdir()?;
    let mut go = match Oracle::build(&source, place.path()) {
        Ok(oracle) => Some(Go::start(oracle)?),
        Err(why) => {
            println!("our side only: {why}");
            None
        }
    };
    println!("| operation | text | size | ours | Go | ratio | ours, MiB/s |");
    println!("|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for (shape, text) in shapes(args.objects) {
        let value = v2::from_str(&text).context("the inputs of the bench are YAML")?;
        let as_json = go_json::to_string(&value);
        for (what, words) in MEASURED {
            let text = if what == Operation::Write {
                &as_json
            } else {
                &text
            };
            if let Some(go) = &go {
                let theirs = go.oracle.ask(&[(what, text.clone())]);
                ensure!(
                    theirs == [what.ours(text)],
                    "Go and we differ on {shape}: no figure is worth anything"
                );
            }
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..args.turns.max(1) {
                let began = Instant::now();
                work(what, text);
                ours.push(began.elapsed());
                if let Some(go) = &mut go {
                    theirs.push(go.time(what, text)?);
                }
            }
            let theirs = (!theirs.is_empty()).then(|| median(theirs));
            let ours = median(ours);
            rows.push(row(shape, words, text.len(), ours, theirs));
        }
    }
    record.write(
        args.record.as_deref(),
        json!({ "turns": args.turns, "rows": rows }),
    )
}

/// Prints a row and returns it for the record.
#[expect(clippy::cast_precision_loss, reason = "sizes of texts are small")]
fn row(shape: &str, what: &str, bytes: usize, ours: Duration, theirs: Option<Duration>) -> Value {
    let millis = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    let ratio = theirs.map(|theirs| ours.as_secs_f64() / theirs.as_secs_f64());
    let speed = bytes as f64 / ours.as_secs_f64() / f64::from(1 << 20);
    let (shown, relation) = (
        theirs.map_or_else(|| "-".to_owned(), millis),
        ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}")),
    );
    println!(
        "| {what} | {shape} | {} KiB | {} | {shown} | {relation} | {speed:.0} |",
        bytes >> 10,
        millis(ours),
    );
    json!({
        "what": what, "of": shape, "bytes": bytes,
        "oursSeconds": ours.as_secs_f64(),
        "goSeconds": theirs.map(|time| time.as_secs_f64()),
        "ratio": ratio,
    })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Texts in the style of files that Flux reads.
fn shapes(objects: usize) -> [(&'static str, String); 3] {
    let mut list = String::from("apiVersion: v1\nkind: List\nitems:\n");
    for object in 0..objects {
        write!(
            list,
            "# object {object}\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: app-{object}\n    \
             labels: {{app: app-{object}, tier: \"web\"}}\n    annotations:\n      example.com/note: 'it''s {object}' # why\n  \
             spec:\n    replicas: {}\n    selector:\n      matchLabels:\n        app: app-{object}\n    template:\n      metadata:\n        \
             labels:\n          app: app-{object}\n      spec:\n        containers:\n        - name: main\n          \
             image: registry.example.com/team/app:{object}\n          args: [--verbose, \"--port=80{}\"]\n          \
             env:\n          - name: LEVEL\n            value: \"{object}\"\n          resources:\n            limits: {{cpu: 100m, memory: 64Mi}}\n",
            object % 5,
            object % 10,
        )
        .expect("a String accepts all writes");
    }
    let mut texts =
        String::from("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: texts\ndata:\n");
    for object in 0..objects {
        write!(
            texts,
            "  script-{object}.sh: |\n    #!/bin/sh\n    # a line of a script\n    echo \"$HOME is {object}\"\n    exit {object}\n  \
             quoted-{object}: \"one line\\nand another, with \\u00e9 and some more words that make it long enough to be folded\"\n",
        )
        .expect("a String accepts all writes");
    }
    let mut schema = String::from("kind: CustomResourceDefinition\nspec:\n  properties:\n");
    for object in 0..objects {
        write!(
            schema,
            "    field{object}:\n      description: |-\n        What field {object} is for, in several words\n        and on two lines.\n      \
             type: object\n      properties:\n        name:\n          description: The name of the other object that is meant here.\n          \
             maxLength: 253\n          minLength: 1\n          type: string\n        value:\n          format: int32\n          type: integer\n      \
             required:\n      - name\n",
        )
        .expect("a String accepts all writes");
    }
    [
        ("a list of Deployments", list),
        ("a ConfigMap of texts", texts),
        ("a definition of a type", schema),
    ]
}

/// Our operations.
fn work(what: Operation, text: &str) {
    let made = match what {
        Operation::Read => v2::from_str(text).map(|value| go_json::to_string(&value)),
        Operation::Write => go_json::from_str(text).map(|value| v2::to_string(&value)),
        Operation::V3 => v3::from_str(text).map(|value| {
            std::hint::black_box(value);
            String::new()
        }),
        Operation::Compact => tree::parse_document(text.as_bytes()).map(|document| {
            document.map_or_else(String::new, |document| {
                tree::to_string(&document.root, Indent::Compact)
            })
        }),
        _ => tree::parse_document(text.as_bytes()).and_then(|document| {
            let Some(mut document) = document else {
                return Ok(String::new());
            };
            document.root.expand_aliases()?;
            Ok(v2::to_string(&document.root.to_value()?))
        }),
    };
    std::hint::black_box(made.expect("it was read before it was timed"));
}

/// The Go program, which answers one question after the other.
struct Go {
    oracle: Oracle,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Go {
    fn start(oracle: Oracle) -> anyhow::Result<Self> {
        let mut process = Command::new(oracle.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("start the program in Go")?;
        let input = process.stdin.take().context("its input")?;
        let output = BufReader::new(process.stdout.take().context("its output")?);
        Ok(Self {
            oracle,
            process,
            input,
            output,
        })
    }

    /// Measures Go's time.
    fn time(&mut self, what: Operation, text: &str) -> anyhow::Result<Duration> {
        let request = json!({"do": what.name(), "text": text, "time": true});
        writeln!(self.input, "{request}")?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value =
            serde_json::from_str(&line).context("read the answer of the Go program")?;
        ensure!(answer.get("error").is_none(), "Go fails: {line}");
        let nanoseconds = answer["nanoseconds"].as_u64().context("no time is flags")?;
        Ok(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Go {
    fn drop(&mut self) {
        // The program may have ended.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

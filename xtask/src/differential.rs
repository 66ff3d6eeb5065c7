//! `cargo xtask differential yaml`: compares our YAML with Go's, at length.
//!
//! The tests of `crates/base/yaml` compare about ten thousand texts. This task uses the same
//! generators and the same Go program for any number. With `--corpus` it reads and writes every
//! YAML file below a folder instead, in both indentations. It converts each document to a resource.
//! It shrinks and prints differences, and fails. Records are in `tests/bench/records/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};

#[path = "../../crates/base/yaml/tests/differential/generator.rs"]
pub(crate) mod generator;
#[path = "../../crates/base/yaml/tests/differential/handwritten.rs"]
pub(crate) mod handwritten;
#[path = "../../crates/base/yaml/tests/differential/oracle.rs"]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(crate) mod oracle;

use generator::Generator;
use oracle::{Difference, Operation, Oracle};

/// Number of texts in a batch.
const BATCH: usize = 20_000;

/// Maximum number of printed differences.
const SHOWN: usize = 10;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, clap::Subcommand)]
enum Subject {
    /// Readers and writers of YAML and JSON
    Yaml(Yaml),
}

#[derive(Debug, clap::Args)]
struct Yaml {
    /// Number of scalars, each in every context
    #[arg(long, default_value_t = 10_000)]
    scalars: usize,
    /// Number of random trees, and of two kinds of documents
    #[arg(long, default_value_t = 1_000)]
    trees: usize,
    /// Seed of the texts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare the YAML files below this directory instead
    #[arg(long, value_name = "DIR")]
    corpus: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Subject::Yaml(args) = &args.subject;
    let source = crate::repository().join("crates/base/yaml/tests/oracle");
    let target = tempfile::tempdir()?;
    let oracle = Oracle::build(&source, target.path()).map_err(anyhow::Error::msg)?;
    let mut run = Run::new(oracle);
    if args.corpus.is_empty() {
        run.generated(args);
    } else {
        for root in &args.corpus {
            run.corpus(root)?;
        }
    }
    run.finish()
}

struct Run {
    oracle: Oracle,
    waiting: Vec<(Operation, String)>,
    asked: BTreeMap<&'static str, usize>,
    differences: Vec<Difference>,
    started: Instant,
}

impl Run {
    fn new(oracle: Oracle) -> Self {
        Self {
            oracle,
            waiting: Vec::new(),
            asked: BTreeMap::new(),
            differences: Vec::new(),
            started: Instant::now(),
        }
    }

    fn ask(&mut self, requests: impl IntoIterator<Item = (Operation, String)>) {
        for (operation, text) in requests {
            *self.asked.entry(operation.name()).or_default() += 1;
            self.waiting.push((operation, text));
        }
        if self.waiting.len() >= BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let requests = std::mem::take(&mut self.waiting);
        self.differences.extend(self.oracle.differences(requests));
    }

    fn generated(&mut self, args: &Yaml) {
        let mut generator = Generator::new(args.seed);
        for text in generator.many_scalars(args.scalars) {
            self.ask(generator::requests_of_scalar(&text));
        }
        for _ in 0..args.trees {
            let requests = generator.requests_of_tree();
            self.ask(requests);
        }
        println!("{} scalars, {} trees", args.scalars, args.trees);
    }

    fn corpus(&mut self, root: &Path) -> anyhow::Result<()> {
        let mut files = Vec::new();
        find(root, &mut files)?;
        let mut documents = 0;
        for file in &files {
            let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
            let Ok(text) = String::from_utf8(bytes) else {
                continue;
            };
            let text = text.replace("\r\n", "\n");
            self.ask([(Operation::Indent, text.clone())]);
            // The documents as kustomize splits them, and the whole file.
            let parts = text.split("\n---\n").map(|part| format!("{part}\n"));
            for part in parts.chain([text.clone()]) {
                documents += 1;
                let trees = [
                    Operation::Compact,
                    Operation::Wide,
                    Operation::Inflate,
                    Operation::Value,
                    Operation::Read,
                    Operation::V3,
                ];
                self.ask(trees.map(|operation| (operation, part.clone())));
            }
        }
        println!(
            "{}: {} files, {documents} texts",
            root.display(),
            files.len()
        );
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.flush();
        let total: usize = self.asked.values().sum();
        let seconds = self.started.elapsed().as_secs();
        for (name, count) in &self.asked {
            println!("{name:>8} {count}");
        }
        let found = self.differences.len();
        println!("{total} comparisons in {seconds} s: {found} differences");
        if found == 0 {
            return Ok(());
        }
        let step = found.div_ceil(SHOWN);
        for difference in self.differences.iter().step_by(step) {
            let Difference {
                operation,
                text,
                theirs,
                ours,
            } = self.oracle.shrink(difference.clone());
            println!(
                "{}: {text:?}\n  Go: {theirs:?}\n  we: {ours:?}",
                operation.name()
            );
        }
        bail!("{found} texts on which Go and we differ; the smallest forms of some are above")
    }
}

/// Finds the YAML files below a folder, without following links.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let is_yaml = path
            .extension()
            .is_some_and(|end| end == "yaml" || end == "yml");
        if kind.is_dir() {
            find(&path, files)?;
        } else if kind.is_file() && is_yaml {
            files.push(path);
        }
    }
    Ok(())
}

//! `cargo xtask conformance gitops DIR…`: compares `build` and `diff kustomization` with Flux's
//! commands, for every Flux Kustomization of GitOps repositories.
//!
//! A Kustomization counts if its folder is in the same tree, or in the folder named like its
//! `ExternalArtifact`. Each is passed in a file of its own with its namespace, as in a cluster:
//! Flux would otherwise set an empty namespace label. With a `flux` in `REFERENCE_BIN_DIR` both
//! commands run, and output and exit code must agree. `diff` needs a cluster (`--kubeconfig`) for
//! dry-runs. An empty cluster will do; it rejects unknown kinds for both.
//!
//! The trees stay unchanged: the commands build copies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use serde_json::Value;
use sluice_object::Object;
use sluice_system::fs;
use sluice_testkit::Reference;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Checkouts named OWNER+NAME
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Path of our command line
    #[arg(long, default_value = "target/debug/sluice")]
    program: PathBuf,
    /// Kubeconfig of a cluster for `diff`
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
    /// Number of parallel commands
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A Kustomization of a tree.
pub(super) struct Overlay {
    /// `owner/name` of the checkout.
    repository: String,
    tree: PathBuf,
    /// Its file.
    pub(super) file: PathBuf,
    pub(super) document: Value,
    /// A file with the document and its namespace.
    placed: PathBuf,
    pub(super) namespace: String,
    pub(super) name: String,
    /// `spec.path`, if the tree has it.
    pub(super) path: Option<PathBuf>,
}

/// Result of a command: exit code, stdout and error.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CommandResult {
    code: Option<i32>,
    stdout: String,
    error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    BothRefuse,
    Unjudged,
    Different,
    WeRefuse,
    TheyRefuse,
}

struct Row {
    overlay: usize,
    build: Verdict,
    diff: Option<Verdict>,
    /// Why it could not be built or compared, or the first difference.
    why: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let program = fs::canonicalize(&args.program).context("our command line is not built")?;
    let kubeconfig = args.kubeconfig.as_ref().map(fs::canonicalize).transpose()?;
    let flux = Reference::find().map(|reference| reference.binary("flux"));
    let mut overlays = Vec::new();
    let copies = tempfile::tempdir()?;
    for (index, directory) in args.directories.iter().enumerate() {
        let name = fs::canonicalize(directory)?;
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let repository = name.replacen('+', "/", 1);
        // Flux's in-memory file system rejects folders with a plus sign.
        let tree = copies.path().join(format!("tree{index}"));
        copy(directory, &tree)?;
        find(&repository, &tree, &tree, &mut overlays)?;
    }
    for (index, overlay) in overlays.iter_mut().enumerate() {
        let placed = copies.path().join(format!("kustomization{index}.yaml"));
        overlay.document["metadata"]["namespace"] = overlay.namespace.as_str().into();
        fs::write(&placed, sluice_yaml::v2::to_string(&overlay.document))?;
        overlay.placed = placed;
    }
    let commands = Commands {
        program,
        flux,
        kubeconfig,
    };
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(overlay) = overlays.get(index) else {
                        break;
                    };
                    if let Some(row) = commands.judge(index, overlay) {
                        rows.lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(row);
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|row| row.overlay);
    print!("{}", report(&overlays, &rows));
    Ok(())
}

/// Copies files and folders without links and history.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry.path.file_name().unwrap_or_default();
        if entry.file_type.is_dir() && name != ".git" {
            copy(&entry.path, &to.join(name))?;
        } else if entry.file_type.is_file() {
            fs::copy(&entry.path, to.join(name))?;
        }
    }
    Ok(())
}

/// Collects the Kustomizations below a folder.
pub(super) fn find(
    repository: &str,
    tree: &Path,
    directory: &Path,
    found: &mut Vec<Overlay>,
) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(directory)?;
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    for entry in entries {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        if entry.file_type.is_dir() && name != ".git" {
            find(repository, tree, &entry.path, found)?;
        } else if entry.file_type.is_file() && (name.ends_with(".yaml") || name.ends_with(".yml")) {
            let Ok(text) = fs::read_to_string(&entry.path) else {
                continue;
            };
            if text.contains("kustomize.toolkit.fluxcd.io/") {
                read(repository, tree, &entry.path, &text, found);
            }
        }
    }
    Ok(())
}

fn read(repository: &str, tree: &Path, file: &Path, text: &str, found: &mut Vec<Overlay>) {
    let documents = sluice_yaml::v2::documents(text).unwrap_or_default();
    for document in documents {
        let Ok(object) = Object::try_from(document.clone()) else {
            continue;
        };
        if !object.is("kustomize.toolkit.fluxcd.io", "Kustomization") || object.name().is_empty() {
            continue;
        }
        let text = |path: &[&str]| object.str_at(path).unwrap_or_default();
        let path = text(&["spec", "path"]);
        let path = path.trim_start_matches("./").trim_start_matches('/');
        let mut folder = tree.join(path);
        if text(&["spec", "sourceRef", "kind"]) == "ExternalArtifact" && !folder.is_dir() {
            folder = tree.join(text(&["spec", "sourceRef", "name"])).join(path);
        }
        let namespace = match object.namespace() {
            "" => "flux-system",
            namespace => namespace,
        };
        found.push(Overlay {
            repository: repository.to_owned(),
            tree: tree.to_owned(),
            file: file.to_owned(),
            namespace: namespace.to_owned(),
            name: object.name().to_owned(),
            path: folder.is_dir().then_some(folder),
            document,
            placed: PathBuf::new(),
        });
    }
}

struct Commands {
    program: PathBuf,
    flux: Option<PathBuf>,
    kubeconfig: Option<PathBuf>,
}

impl Commands {
    fn judge(&self, index: usize, overlay: &Overlay) -> Option<Row> {
        let path = overlay.path.as_ref()?;
        let common = [
            overlay.name.as_str(),
            "--namespace",
            &overlay.namespace,
            "--in-memory-build",
            "--path",
            path.to_str()?,
            "--kustomization-file",
            overlay.placed.to_str()?,
        ];
        let mut why = Vec::new();
        let build = [&["build", "kustomization", "--dry-run"], &common[..]].concat();
        let build = self.both(overlay, &build, "build", &mut why);
        let diff = self.kubeconfig.as_ref().map(|_| {
            let own = [
                "diff",
                "kustomization",
                "--ignore-not-found",
                "--progress-bar=false",
            ];
            let diff = [&own[..], &common[..]].concat();
            self.both(overlay, &diff, "diff", &mut why)
        });
        Some(Row {
            overlay: index,
            build,
            diff,
            why,
        })
    }

    fn both(
        &self,
        overlay: &Overlay,
        arguments: &[&str],
        what: &str,
        why: &mut Vec<String>,
    ) -> Verdict {
        let ours = self.start(&self.program, overlay, arguments);
        let theirs = self
            .flux
            .as_ref()
            .map(|flux| self.start(flux, overlay, arguments));
        let refuses = |ended: &CommandResult| match what {
            "diff" => !matches!(ended.code, Some(0 | 1)),
            _ => ended.code != Some(0),
        };
        let verdict = match &theirs {
            None if refuses(&ours) => Verdict::WeRefuse,
            None => Verdict::Unjudged,
            Some(theirs) => match (refuses(&ours), refuses(theirs)) {
                (true, true) => Verdict::BothRefuse,
                (true, false) => Verdict::WeRefuse,
                (false, true) => Verdict::TheyRefuse,
                (false, false) if ours.stdout == theirs.stdout && ours.code == theirs.code => {
                    Verdict::Same
                }
                _ => Verdict::Different,
            },
        };
        match (verdict, &theirs) {
            (Verdict::Same | Verdict::Unjudged, _) => {}
            (Verdict::TheyRefuse, Some(theirs)) => {
                why.push(format!("{what}: Flux fails: {}", theirs.error));
            }
            (Verdict::Different, Some(theirs)) => {
                why.push(format!("{what}: {}", first_difference(&ours, theirs)));
            }
            _ => why.push(format!("{what}: {}", ours.error)),
        }
        verdict
    }

    fn start(&self, program: &Path, overlay: &Overlay, arguments: &[&str]) -> CommandResult {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&overlay.tree)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        match &self.kubeconfig {
            Some(kubeconfig) => command.env("KUBECONFIG", kubeconfig),
            None => command.env("KUBECONFIG", "/nonexistent"),
        };
        match command.output() {
            Err(error) => CommandResult {
                code: None,
                stdout: String::new(),
                error: format!("it did not run: {error}"),
            },
            Ok(output) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let root = overlay.tree.display().to_string();
                let message = text(&output.stderr).replace(&root, "");
                let message = message
                    .lines()
                    .find(|line| line.starts_with('✗'))
                    .unwrap_or(&message);
                CommandResult {
                    code: output.status.code(),
                    stdout: text(&output.stdout),
                    error: message.trim_start_matches("✗ ").trim().to_owned(),
                }
            }
        }
    }
}

fn first_difference(ours: &CommandResult, theirs: &CommandResult) -> String {
    let mut lines = ours.stdout.lines().zip(theirs.stdout.lines());
    match lines.find(|(ours, theirs)| ours != theirs) {
        Some((ours, theirs)) => format!("ours {ours:?}, theirs {theirs:?}"),
        None => format!(
            "ours {} lines, exit {:?}; theirs {} lines, exit {:?}",
            ours.stdout.lines().count(),
            ours.code,
            theirs.stdout.lines().count(),
            theirs.code
        ),
    }
}

/// Formats the tables of a record: counts by repository, failures and differences.
fn report(overlays: &[Overlay], rows: &[Row]) -> String {
    type Counts = BTreeMap<Verdict, usize>;
    let mut trees: BTreeMap<String, (usize, usize, Counts, Counts)> = BTreeMap::new();
    for overlay in overlays {
        let counts = trees.entry(overlay.repository.clone()).or_default();
        counts.0 += 1;
        counts.1 += usize::from(overlay.path.is_some());
    }
    for row in rows {
        let counts = trees
            .entry(overlays[row.overlay].repository.clone())
            .or_default();
        *counts.2.entry(row.build).or_default() += 1;
        if let Some(diff) = row.diff {
            *counts.3.entry(diff).or_default() += 1;
        }
    }
    let mut text = String::from(
        "| Repository | Kustomizations | with their folder | build: same | both refuse | other | diff: same | both refuse | other |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, (all, here, build, diff)) in &trees {
        let _ = write!(text, "| {name} | {all} | {here} |");
        for counts in [build, diff] {
            let of = |verdict: Verdict| counts.get(&verdict).copied().unwrap_or_default();
            let same = of(Verdict::Same) + of(Verdict::Unjudged);
            let both = of(Verdict::BothRefuse);
            let other = counts.values().sum::<usize>() - same - both;
            let _ = write!(text, " {same} | {both} | {other} |");
        }
        text.push('\n');
    }
    for row in rows.iter().filter(|row| !row.why.is_empty()) {
        let overlay = &overlays[row.overlay];
        let file = overlay
            .file
            .strip_prefix(&overlay.tree)
            .unwrap_or(&overlay.file);
        let (build, diff) = (row.build, row.diff);
        let _ = writeln!(
            text,
            "\n{} {} {}/{}: build {build:?}, diff {diff:?}",
            overlay.repository,
            file.display(),
            overlay.namespace,
            overlay.name
        );
        for why in &row.why {
            let _ = writeln!(text, "  {why}");
        }
    }
    text
}

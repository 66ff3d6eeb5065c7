//! Runs the steps of the suite on an API server, and compares results.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_system::fs;
use sluice_testkit::Testbed;

use super::suite::{Case, ExpectedResult, PACKAGE, Step, TEMPORARY, Values, fill};

/// Most lines of a difference.
const MAX_LINES: usize = 6;

/// The result of a step.
pub(super) enum Verdict {
    Identical,
    Different(String),
    Unread,
}

/// An API server with Flux's definitions, and our program under the name of Flux's.
pub(super) struct Player {
    bed: Testbed,
    cluster: Cluster,
    /// The directory with the program, which also is its home.
    home: tempfile::TempDir,
    /// The directory of the tests.
    package: PathBuf,
}

/// The end of a command.
struct CommandEnd {
    is_success: bool,
    output: String,
}

impl Player {
    pub(super) async fn start(program: &Path, package: &Path) -> anyhow::Result<Self> {
        let home = tempfile::tempdir()?;
        std::os::unix::fs::symlink(program, home.path().join("flux"))?;
        let bed = Testbed::start().await;
        Ok(Self {
            cluster: bed.connect().await,
            bed,
            home,
            package: package.to_owned(),
        })
    }

    /// Performs a step. Only a check has another verdict than `Unread`.
    pub(super) async fn play(&self, step: &Step) -> anyhow::Result<Verdict> {
        match step {
            Step::Namespace(name) => self.create_namespace(name).await?,
            Step::Create(file, values) => {
                for object in self.objects(file, values)? {
                    // As in the suite, a failure only shows in the results.
                    if let Err(error) = self.create(&object).await {
                        eprintln!("{file}: {error:#}");
                    }
                }
            }
            Step::Apply(file, values) => {
                for object in self.objects(file, values)? {
                    let (gvk, namespace, name) = identity(&object);
                    let options = PatchOptions {
                        field_manager: Some("kustomize-controller"),
                        force: true,
                        ..PatchOptions::default()
                    };
                    let applied = self.cluster.apply(&gvk, namespace, name, &object, options);
                    applied.await.with_context(|| format!("apply {file}"))?;
                }
            }
            Step::Delete(file, values) => {
                for object in self.objects(file, values)? {
                    let (gvk, namespace, name) = identity(&object);
                    let options = DeleteOptions::default();
                    let deleted = self.cluster.delete(&gvk, namespace, name, &options);
                    // As in the suite, an object that is gone is not a failure.
                    drop(deleted.await);
                }
            }
            Step::Write(path, text) => fs::write(self.placed(path), text)?,
            Step::Run(line) => drop(self.command(line)?),
            Step::Check(case) if case.expected == ExpectedResult::Unread => {}
            Step::Check(case) => return self.check(case),
        }
        Ok(Verdict::Unread)
    }

    async fn create_namespace(&self, name: &str) -> anyhow::Result<()> {
        let namespace = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name },
        });
        self.create(&namespace).await
    }

    /// Creates an object with its status, or replaces it.
    async fn create(&self, object: &Value) -> anyhow::Result<()> {
        let (gvk, namespace, name) = identity(object);
        if gvk.kind == "CustomResourceDefinition" {
            return Ok(());
        }
        let created = self
            .cluster
            .create(&gvk, namespace, object, PatchOptions::default())
            .await;
        match created {
            Err(error) if error.is_already_exists() => {
                let merged =
                    self.cluster
                        .merge(&gvk, namespace, name, object, PatchOptions::default());
                merged.await.with_context(|| format!("replace {name}"))?;
            }
            created => drop(created.with_context(|| format!("create {} {name}", gvk.kind))?),
        }
        if object["status"].is_object() {
            let status = json!({ "status": object["status"] });
            let options = PatchOptions {
                subresource: Some("status"),
                ..PatchOptions::default()
            };
            let written = self.cluster.merge(&gvk, namespace, name, &status, options);
            // Kinds without a status ignore it.
            drop(written.await);
        }
        Ok(())
    }

    fn objects(&self, file: &str, values: &Values) -> anyhow::Result<Vec<Value>> {
        let text = self.text(file, values)?;
        let objects = sluice_yaml::v2::documents(&text).with_context(|| file.to_owned())?;
        let objects = objects.into_iter();
        let mut objects: Vec<Value> = objects
            .filter(|object| object["kind"].is_string())
            .collect();
        objects.iter_mut().for_each(encode);
        Ok(objects)
    }

    /// The text of a file with values for its placeholders.
    fn text(&self, file: &str, values: &Values) -> anyhow::Result<String> {
        let text = fs::read_to_string(self.package.join(file))?;
        Ok(fill(&text, values))
    }

    fn check(&self, case: &Case) -> anyhow::Result<Verdict> {
        let ended = self.command(&case.line)?;
        let difference = match &case.expected {
            ExpectedResult::Success => {
                (!ended.is_success).then(|| format!("  - success\n  + {}", ended.output))
            }
            ExpectedResult::Error(message) => {
                let found = error_of(&ended);
                (found != *message).then(|| format!("  - {message}\n  + {found}"))
            }
            ExpectedResult::File(file, values) => {
                different_output(&self.text(file, values)?, &ended)
            }
            ExpectedResult::Output(text) => different_output(text, &ended),
            ExpectedResult::Unread => return Ok(Verdict::Unread),
        };
        Ok(difference.map_or(Verdict::Identical, Verdict::Different))
    }

    /// Replaces the directories of a path or line.
    fn placed(&self, text: &str) -> String {
        let temporary = self.home.path().to_string_lossy();
        let package = self.package.to_string_lossy();
        text.replace(TEMPORARY, &temporary)
            .replace(PACKAGE, &package)
    }

    /// Runs a command. As in the suite, both outputs are one.
    fn command(&self, line: &str) -> anyhow::Result<CommandEnd> {
        let log = tempfile::NamedTempFile::new()?;
        let status = Command::new(self.home.path().join("flux"))
            .args(words(&self.placed(line)))
            .current_dir(&self.package)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home.path())
            .env("KUBECONFIG", self.bed.kubeconfig())
            .env("FLUX_COMPAT", "strict")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .stdout(append(log.path())?)
            .stderr(append(log.path())?)
            .status()?;
        Ok(CommandEnd {
            is_success: status.success(),
            output: fs::read_to_string(log.path())?,
        })
    }
}

/// Opens a file for one of two writers, whose bytes follow those of the other one.
fn append(path: &Path) -> anyhow::Result<std::fs::File> {
    Ok(std::fs::OpenOptions::new().append(true).open(path)?)
}

/// Encodes the texts of a Secret, as Flux does before it applies one.
fn encode(secret: &mut Value) {
    let texts = secret
        .as_object_mut()
        .and_then(|map| map.remove("stringData"));
    let Some(Value::Object(texts)) = texts else {
        return;
    };
    for (name, text) in texts {
        let text = text.as_str().unwrap_or_default();
        secret["data"][name] = BASE64_STANDARD.encode(text).into();
    }
}

fn identity(object: &Value) -> (GroupVersionKind, Option<&str>, &str) {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let version = text("apiVersion");
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    (
        GroupVersionKind::gvk(group, version, text("kind")),
        object["metadata"]["namespace"].as_str(),
        object["metadata"]["name"].as_str().unwrap_or_default(),
    )
}

/// The error of a command, without its mark and our hints.
fn error_of(ended: &CommandEnd) -> String {
    if ended.is_success {
        return "success".to_owned();
    }
    let from = ended.output.rfind("✗ ").map_or(0, |at| at + "✗ ".len());
    let lines = ended.output[from..].lines();
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("  hint: ")).collect();
    lines.join("\n")
}

/// The first lines that differ.
fn different_output(expected: &str, ended: &CommandEnd) -> Option<String> {
    let found = adjusted(expected, &ended.output);
    if expected == found {
        return None;
    }
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), found.lines().collect());
    let same = expected
        .iter()
        .zip(&found)
        .take_while(|(one, two)| one == two);
    let from = same.count();
    let rest = |sign: char, lines: &[&str]| -> Vec<String> {
        let lines = lines.iter().skip(from).take(MAX_LINES);
        lines.map(|line| format!("  {sign} {line}")).collect()
    };
    let difference = [rest('-', &expected), rest('+', &found)].concat();
    Some(if difference.is_empty() {
        "  the ends of the last lines differ".to_owned()
    } else {
        difference.join("\n")
    })
}

/// Removes what the suite does not see, because its commands run in one process. It does not print
/// the mark of a comparison that found changes. Its flags have Go's zero values as defaults.
fn adjusted(expected: &str, output: &str) -> String {
    let is_seen = |line: &&str| {
        let is_default = *line == "  provider: generic\n" && !expected.contains(*line);
        !is_default && !line.contains("identified at least one change")
    };
    let output: String = output.split_inclusive('\n').filter(is_seen).collect();
    if expected.contains("\n  interval: 0s\n") {
        output.replace("\n  interval: 1m0s\n", "\n  interval: 0s\n")
    } else {
        output
    }
}

/// Splits a command line like a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(end), _) if character == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some('"') | None, '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_like_a_shell() {
        assert_eq!(
            words(r#"get -l "a notin (b, c)" --x='' a\ b "c\"d""#),
            ["get", "-l", "a notin (b, c)", "--x=", "a b", "c\"d"]
        );
    }

    #[test]
    fn errors_are_found_behind_progress_and_before_hints() {
        let ended = |output: &str| CommandEnd {
            is_success: false,
            output: output.to_owned(),
        };
        assert_eq!(
            error_of(&ended("► asks\n✗ no such thing\n  hint: look\n")),
            "no such thing"
        );
    }
}

//! Runs cases that need servers: a container registry, a plugin catalog or a fake API server.
//!
//! Each file below `scenes/` is a case, in the format of `tests/cluster/cases`. Each `file` of a
//! case is in the working directory. The server offers it under the same path, and ignores the
//! query. These placeholders work in files, commands and outputs:
//!
//! | Placeholder | Value |
//! |---|---|
//! | `{server}` | URL of the server |
//! | `{registry}` | host of an empty registry |
//! | `{dir}` | working directory, which is also the home directory |
//! | `{os}`, `{arch}` | platform of the binary, as a catalog names it |
//! | `{sha256 PATH}` | digest of a file |
//!
//! If `REFERENCE_BIN_DIR` has a `flux`, it runs first from the same state. Its stdout and exit code
//! must equal those of the file. `RECORD=1` records them and our stderr in the files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::IntoResponse as _;
use sluice_testkit::{Reference, Registry};

use crate::file::{self, Case, ExpectedOutput, Run};
use crate::program;

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/scenes");
const DIFFERENCES: &str = include_str!("../../docs/differences.md");

/// One run of a case by one program.
struct Scene {
    directory: tempfile::TempDir,
    registry: Registry,
    server: String,
}

impl Scene {
    async fn set(case: &Case) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0));
        let listener = listener.await.unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        let scene = Self {
            directory,
            registry: Registry::start().await,
            server,
        };
        let mut served = BTreeMap::new();
        for (name, text) in &case.files {
            let text = scene.filled_in(text, case);
            // A path may be a directory of one name and a file of another. Such a file is only
            // served.
            let path = scene.directory.path().join(name);
            let is_placed = std::fs::create_dir_all(path.parent().unwrap())
                .and_then(|()| std::fs::write(&path, &text));
            drop(is_placed);
            served.insert(format!("/{name}"), text);
        }
        let served = Arc::new(served);
        let router = Router::new().fallback(move |uri: Uri| {
            let found = served.get(uri.path()).cloned();
            async move {
                let Some(text) = found else {
                    return (StatusCode::NOT_FOUND, String::new()).into_response();
                };
                let kind = match text.chars().next() {
                    Some('{') if !text.contains("\n{") => "application/json",
                    _ => "text/plain",
                };
                ([(header::CONTENT_TYPE, kind)], text).into_response()
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        scene
    }

    fn names(&self) -> [(&'static str, String); 5] {
        let (os, arch) = sluice_plugin::catalog::here();
        [
            ("{server}", self.server.clone()),
            ("{registry}", self.registry.host().to_owned()),
            ("{dir}", self.directory.path().display().to_string()),
            ("{os}", os.to_owned()),
            ("{arch}", arch.to_owned()),
        ]
    }

    fn filled_in(&self, text: &str, case: &Case) -> String {
        let mut text = text.to_owned();
        for (name, value) in self.names() {
            text = text.replace(name, &value);
        }
        for (name, content) in &case.files {
            let place = format!("{{sha256 {name}}}");
            if text.contains(&place) {
                let algorithm = sluice_digest::Algorithm::Sha256;
                let digest = algorithm.digest(self.filled_in(content, case).as_bytes());
                text = text.replace(&place, &digest.to_string());
            }
        }
        text
    }

    fn run(&self, program: &Path, case: &Case, run: &Run) -> (ExpectedOutput, String) {
        let line = self.filled_in(&run.line, case);
        let home = self.directory.path();
        let output = Command::new(program)
            .args(line.split_whitespace())
            .env_clear()
            .env("HOME", home)
            .env("KUBECONFIG", home.join("kubeconfig"))
            .env("FLUXCD_PLUGINS", home.join("plugins"))
            .env("FLUXCD_PLUGIN_CATALOG", format!("{}/", self.server))
            .env("NO_COLOR", "1")
            .env("TZ", "UTC")
            .current_dir(home)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| {
            let mut text = String::from_utf8(bytes).unwrap();
            for (name, value) in &self.names()[..3] {
                text = text.replace(value, name);
            }
            text
        };
        let expected = ExpectedOutput {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
        };
        (expected, text(output.stderr))
    }
}

/// Runs all of a case by one program.
async fn played(case: &Case, program: &Path) -> Vec<(ExpectedOutput, String)> {
    let scene = Scene::set(case).await;
    let runs = case.runs.iter();
    tokio::task::block_in_place(|| runs.map(|run| scene.run(program, case, run)).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_scene_prints_and_ends_as_written() {
    let flux = Reference::find().map(|reference| reference.binary("flux"));
    let mut wrong = Vec::new();
    for path in file::all(DIRECTORY) {
        let mut case = Case::read(&path);
        let theirs = match &flux {
            Some(flux) => played(&case, flux).await,
            None => Vec::new(),
        };
        let ours = played(&case, program::flux()).await;
        if Reference::is_recording() {
            for (index, (run, (expected, stderr))) in case.runs.iter_mut().zip(&ours).enumerate() {
                run.stderr.clone_from(stderr);
                if run.because.is_some() {
                    run.flux = theirs.get(index).map(|(theirs, _)| theirs.clone());
                    run.expected = expected.clone();
                } else if let Some((theirs, _)) = theirs.get(index) {
                    run.expected = theirs.clone();
                }
            }
            case.write();
        }
        for (run, (found, _)) in case.runs.iter().zip(&theirs) {
            let expected = run.flux.as_ref().unwrap_or(&run.expected);
            if found != expected {
                wrong.push(told("flux", &case, run, found, ""));
            }
        }
        for (run, (found, stderr)) in case.runs.iter().zip(&ours) {
            if *found != run.expected || *stderr != run.stderr {
                wrong.push(told("sluice", &case, run, found, stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scene_differences_from_flux_are_explained() {
    for path in file::all(DIRECTORY) {
        for run in Case::read(&path).runs {
            let because = run.because.unwrap_or_default();
            assert!(DIFFERENCES.contains(&because), "{because}");
        }
    }
}

fn told(who: &str, case: &Case, run: &Run, found: &ExpectedOutput, stderr: &str) -> String {
    let Run { line, expected, .. } = run;
    let name = &case.name;
    format!(
        "{name}: $ {who} {line}\n--- expected {expected:?}\n{}\n--- found {found:?}\n{stderr}",
        run.stderr
    )
}

//! Runs the commands of the pages for users on a real API server, and applies their objects.
//!
//! `docs/pages.rs` says which blocks are meant. Addresses of examples lead to servers of the test.
//! All pages share one directory, whose files the examples name.

pub(crate) mod pages;

use std::path::Path;

use kube::Api;
use kube::api::PostParams;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};
use sluice_system::fs;
use sluice_testkit::{ChartServer, GitBackend};

use crate::binary::{Call, CommandResult};
use crate::program;
use crate::world::{World, commit, config_map};
use pages::{Block, Mark};

const CHART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/charts/web");

/// The servers and files behind the examples.
struct ExampleFixture {
    world: World,
    git: GitBackend,
    charts: ChartServer,
    directory: tempfile::TempDir,
}

impl ExampleFixture {
    async fn new() -> Self {
        let (world, git, charts) =
            tokio::join!(World::system(), GitBackend::start(), ChartServer::start());
        for namespace in ["flux-system", "apps"] {
            world.bed.namespace_called(namespace).await;
        }
        let stage = Self {
            world,
            git,
            charts,
            directory: tempfile::tempdir().unwrap(),
        };
        stage.place();
        stage
    }

    /// Writes the files and publishes the charts that the examples name.
    fn place(&self) {
        let release = self.filled_in(include_str!("docs/web.yaml"));
        let manifest = config_map("podinfo", "flux-system", "1");
        let repository = self.git.create("podinfo", "main");
        commit(&repository, &[("kustomize/podinfo.yaml", &manifest)]);
        let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n";
        for (name, version) in [("metrics-server", "3.12.0"), ("podinfo", "6.9.1")] {
            let files = [("templates/a.yaml", template)];
            self.charts.publish(name, version, &files);
        }
        let overlay = "resources: [podinfo.yaml]\n";
        for (path, text) in [
            ("kustomize/podinfo.yaml", manifest.as_str()),
            ("kustomize/kustomization.yaml", overlay),
            (
                "charts/app/Chart.yaml",
                "apiVersion: v2\nname: app\nversion: 1.0.0\n",
            ),
            ("charts/app/templates/a.yaml", template),
            ("values.yaml", "replicas: 2\n"),
            ("production.yaml", "name: shop\n"),
            (
                "ca.crt",
                include_str!("../cli/cases/create-secret-notation.in/ca.crt"),
            ),
            (
                "trustpolicy.json",
                include_str!("../cli/cases/create-secret-notation.in/policy.json"),
            ),
            ("fleet/web.yaml", release.as_str()),
        ] {
            let path = self.directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::copy_dir_all(CHART, self.directory.path().join("web")).unwrap();
        fs::copy_dir_all(CHART, self.directory.path().join("charts/web")).unwrap();
    }

    /// Replaces the addresses of examples.
    fn filled_in(&self, text: &str) -> String {
        [
            ("https://example.com/podinfo", self.git.url("podinfo")),
            ("https://example.com/charts", self.charts.url()),
            ("https://stefanprodan.github.io/podinfo", self.charts.url()),
        ]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }

    /// Runs a command in a shell.
    async fn run(&self, command: &str) -> CommandResult {
        let programs = program::flux().parent().unwrap();
        let script = format!(
            "PATH='{}':$PATH\n{}",
            programs.display(),
            self.filled_in(command)
        );
        let directory = self.directory.path();
        let call = Call::new(&self.world.bed.kubeconfig())
            .program("sh".into())
            .within(directory)
            .variable("HOME", directory.display().to_string());
        let running =
            tokio::task::spawn_blocking(move || call.run_words(["-euc".to_owned(), script]));
        running.await.unwrap()
    }
}

/// Replaces each run of digits, because times and sizes differ.
fn without_figures(line: &str) -> String {
    let mut plain = String::new();
    for letter in line.trim_end().chars() {
        if !letter.is_ascii_digit() {
            plain.push(letter);
        } else if !plain.ends_with('0') {
            plain.push('0');
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an output has these lines in order. A line `…` stands for any lines.
fn shows(output: &str, expected: &[String]) -> bool {
    let mut lines = output.lines().map(without_figures);
    expected
        .iter()
        .filter(|line| *line != "…")
        .all(|line| lines.any(|found| found == without_figures(line)))
}

/// Runs the commands of a block. Returns its faults.
async fn run(stage: &ExampleFixture, block: &Block) -> Vec<String> {
    let mut faults = Vec::new();
    for (command, expected) in block.commands() {
        let ended = stage.run(&command).await;
        let shows_failure = expected.iter().any(|line| line.starts_with('✗'));
        let is_right = match ended.code {
            0 => !shows_failure,
            // A comparison that finds differences.
            1 => shows_failure || command.starts_with("sluice diff "),
            _ => false,
        };
        if !is_right || !shows(&ended.text(), &expected) {
            faults.push(format!("{}: {command}: {ended:#?}", block.place()));
        }
    }
    faults
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_of_the_pages_succeed() {
    let stage = ExampleFixture::new().await;
    let _controllers = stage.world.controllers(&stage.world.kubeconfig).all();
    let mut faults = Vec::new();
    let mut count = 0;
    for block in pages::blocks() {
        if block.mark == Mark::Run && !block.commands().is_empty() {
            count += 1;
            faults.extend(run(&stage, &block).await);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 8, "{count}");
}

/// Returns the objects of Flux in a block.
fn objects(block: &Block) -> Vec<Value> {
    let documents = sluice_yaml::v2::documents(&block.text).unwrap_or_default();
    let is_whole = |document: &Value| {
        document["apiVersion"]
            .as_str()
            .is_some_and(|version| version.contains(".fluxcd.io/"))
    };
    documents.into_iter().filter(is_whole).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_the_pages_are_accepted() {
    let bed = sluice_testkit::cluster().await;
    let namespace = bed.namespace("docs").await;
    let client = bed.client().await;
    let mut faults = Vec::new();
    let mut count = 0;
    for block in pages::blocks() {
        for mut object in objects(&block) {
            count += 1;
            object["metadata"]["namespace"] = json!(namespace);
            let object: DynamicObject = serde_json::from_value(object).unwrap();
            let types = object.types.clone().unwrap();
            let version = GroupVersionKind::try_from(&types).unwrap();
            let found = kube::discovery::pinned_kind(&client, &version).await;
            let (resource, _): (ApiResource, _) = found.unwrap();
            let api: Api<DynamicObject> =
                Api::namespaced_with(client.clone(), &namespace, &resource);
            let parameters = PostParams {
                dry_run: true,
                field_manager: None,
            };
            if let Err(error) = api.create(&parameters, &object).await {
                faults.push(format!("{}: {error}", block.place()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 60, "{count}");
}

#[test]
fn output_is_compared_without_figures() {
    let expected = ["ready in 3s".to_owned(), "…".to_owned(), "end".to_owned()];
    assert!(shows("start\nready in 14s\nmore\nend\n", &expected));
    assert!(!shows("end\nready in 14s\n", &expected));
    assert!(Path::new(CHART).exists());
}

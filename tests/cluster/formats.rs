//! Compares `get -o` with kubectl, and tests `get --watch` across interrupted watches.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sluice_testkit::devcluster::Tool;
use sluice_testkit::{FaultProxy, When, wait};

use crate::binary::CommandResult;
use crate::program;
use crate::scene::Scene;

fn source(name: &str) -> Value {
    json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": name, "annotations": { "example.com/note": "a < b && c > \"d\"\n\u{2028}é" } },
        "spec": { "interval": "1m0s", "url": "https://example.com/fleet", "ref": { "branch": "main" } },
        "status": { "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
            "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 1,
        }] },
    })
}

fn generator() -> Value {
    json!({
        "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
        "metadata": { "name": "split" },
        "spec": {
            "sources": [{ "alias": "fleet", "kind": "GitRepository", "name": "fleet" }],
            "artifacts": [{ "name": "web", "copy": [{ "from": "@fleet/web/**", "to": "@artifact/" }] }],
        },
    })
}

struct Kubectl(PathBuf);

impl Kubectl {
    fn get(&self, scene: &Scene, line: &str) -> String {
        let ended = self.run(scene, line);
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.stdout
    }

    fn run(&self, scene: &Scene, line: &str) -> CommandResult {
        #[expect(
            clippy::disallowed_methods,
            reason = "our output is compared with kubectl's"
        )]
        let output = Command::new(&self.0)
            .args(["get", "-n", &scene.namespace])
            .args(line.split_whitespace())
            .env("KUBECONFIG", scene.bed.kubeconfig())
            .output()
            .unwrap();
        CommandResult {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Creates sources that each path sorts differently.
async fn sources_to_sort(scene: &Scene) {
    for (name, branch, rank, generation, turned) in [
        ("a", "main", "10", 7, "2026-01-02T03:04:05Z"),
        ("b", "dev", "9", 12, "2026-01-02T03:04:04Z"),
        ("c", "next", "1Ki", 3, "2025-12-31T00:00:00Z"),
        ("d", "later", "500m", 100, "2026-02-01T00:00:00Z"),
    ] {
        let mut object = source(name);
        object["metadata"]["annotations"] = json!({ "example.com/rank": rank });
        object["spec"]["ref"]["branch"] = branch.into();
        object["status"]["observedGeneration"] = generation.into();
        object["status"]["conditions"] = json!([
            condition("Stalled", "2026-01-01T00:00:00Z", i64::from(generation)),
            condition("Ready", turned, 1),
        ]);
        if name == "c" {
            // An object without the value comes first.
            object["spec"].as_object_mut().unwrap().remove("ref");
        }
        scene.create(object).await;
    }
}

fn condition(kind: &str, turned: &str, generation: i64) -> Value {
    json!({ "type": kind, "status": "True", "reason": "Succeeded", "message": "so",
        "lastTransitionTime": turned, "observedGeneration": generation })
}

const PATHS: [&str; 12] = [
    "metadata.name",
    ".metadata.name",
    "{.metadata.name}",
    ".spec.ref.branch",
    "{spec.ref.branch}",
    ".metadata.annotations.example\\.com/rank",
    ".status.observedGeneration",
    ".status.conditions[0].observedGeneration",
    ".status.conditions[-1].lastTransitionTime",
    ".status.conditions[?(@.type==\"Ready\")].lastTransitionTime",
    ".status.conditions[?(@.observedGeneration>=2)].observedGeneration",
    ".status..lastTransitionTime",
];

#[tokio::test(flavor = "multi_thread")]
async fn status_selector_without_match_prints_empty_table() {
    let scene = Scene::new("get-status").await;
    scene.create(source("seen")).await;
    for name in ["", " seen"] {
        let line = format!("get sources git{name} --status-selector ready=false");
        let ended = scene.run(&line).well();
        let header = ended.stdout.split_whitespace().next();
        assert_eq!((ended.stdout.lines().count(), header), (1, Some("NAME")));
        let bare = scene.run(&format!("{line} --no-header")).well();
        assert_eq!(bare.text(), "");
    }
    let missing = scene.run("get sources git nowhere --status-selector ready=false");
    assert_eq!(missing.code, 1, "{missing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_in_kubectls_order() {
    let kubectl = Kubectl(sluice_testkit::tool(Tool::Kubectl).await);
    let scene = Scene::new("sorted").await;
    sources_to_sort(&scene).await;
    let mut orders = BTreeSet::new();
    for path in PATHS {
        for format in ["name", "json"] {
            let ours = scene
                .run(&format!("get sources git -o {format} --sort-by {path}"))
                .well();
            let theirs = kubectl.get(
                &scene,
                &format!("gitrepositories -o {format} --sort-by {path}"),
            );
            assert_eq!(ours.stdout, theirs, "{path} -o {format}");
            orders.insert(ours.stdout);
        }
        // The table must have the same order.
        let first = |table: &str| -> Vec<String> {
            let words = table.lines().map(|row| row.split_whitespace().next());
            words.map(|word| word.unwrap().to_owned()).collect()
        };
        let ours = scene
            .run(&format!("get sources git --no-header --sort-by {path}"))
            .well();
        let theirs = kubectl.get(
            &scene,
            &format!("gitrepositories --no-headers --sort-by {path}"),
        );
        assert_eq!(first(&ours.stdout), first(&theirs), "{path}");
    }
    assert!(orders.len() >= 10, "{} orders", orders.len());

    for path in [".spec.nowhere", ".spec.url[0]", ".spec.ref"] {
        let ours = scene.run(&format!("get sources git -o name --sort-by {path}"));
        let theirs = kubectl.run(&scene, &format!("gitrepositories -o name --sort-by {path}"));
        assert_eq!((ours.code, theirs.code), (1, 1), "{path}");
        assert_eq!(ours.stdout, "");
    }
    // In a table, kubectl ignores the missing path.
    let nowhere = scene.run("get sources git --sort-by .spec.nowhere");
    let said = "couldn't find any field with path \"{.spec.nowhere}\" in the list of objects\n";
    assert_eq!(nowhere.stderr, format!("✗ {said}"));
    let theirs = kubectl.run(&scene, "gitrepositories -o name --sort-by .spec.nowhere");
    assert_eq!(theirs.stderr, format!("error: {said}"));
    let unread = scene.run("get sources git --sort-by {.spec}{.status}");
    let said = "✗ invalid argument \"{.spec}{.status}\" for \"--sort-by\" flag: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'\n";
    assert_eq!((unread.code, unread.stderr.as_str()), (1, said));
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_and_watch_results_are_sorted() {
    let scene = Scene::new("sorted-all").await;
    sources_to_sort(&scene).await;
    scene.create(generator()).await;
    let path = "--sort-by .status.observedGeneration";
    let names = |ended: CommandResult| -> Vec<String> {
        let rows = ended.well().stdout;
        let words = rows.lines().filter_map(|row| row.split_whitespace().next());
        words
            .map(|word| word.replace("gitrepository/", ""))
            .collect()
    };
    let sorted = ["c", "a", "b", "d"];
    let all = scene.run(&format!("get all --no-header {path}"));
    assert_eq!(names(all), sorted);
    // Across kinds, objects without the value come first.
    let all = names(scene.run(&format!("get all -o name {path}")));
    let ends: Vec<&str> = all
        .iter()
        .filter_map(|name| name.split('/').nth(1))
        .collect();
    assert_eq!(ends, ["split", "c", "a", "b", "d"]);
    let nowhere = scene.run("get all --sort-by .spec.nowhere");
    assert_eq!((nowhere.code, nowhere.stdout.as_str()), (1, ""));
    // A single named object is not a list.
    scene
        .run("get sources git a --sort-by .spec.nowhere")
        .well();
    let watched = scene.run(&format!(
        "get sources git --watch --no-header --timeout 15s {path}"
    ));
    assert_eq!(
        watched.stderr.lines().next(),
        Some("⚠️ --sort-by orders what is there now, not what changes while it is watched")
    );
    let rows = watched.stdout.lines();
    let names: Vec<&str> = rows
        .filter_map(|row| row.split_whitespace().next())
        .collect();
    assert_eq!(names, sorted);
}

#[tokio::test(flavor = "multi_thread")]
async fn formats_are_kubectls_byte_for_byte() {
    let kubectl = Kubectl(sluice_testkit::tool(Tool::Kubectl).await);
    let scene = Scene::new("formats").await;
    let empty = scene.run("get sources git -o json").well();
    assert_eq!(empty.stdout, kubectl.get(&scene, "gitrepositories -o json"));
    assert_eq!(scene.run("get sources git -o name").well().stdout, "");
    for name in ["a", "b"] {
        scene.create(source(name)).await;
    }
    for format in ["json", "yaml", "name"] {
        for named in ["", "a"] {
            let ours = scene
                .run(&format!("get sources git {named} -o {format}"))
                .well();
            let theirs = kubectl.get(&scene, &format!("gitrepositories {named} -o {format}"));
            assert_eq!(ours.stdout, theirs, "{named} -o {format}");
            assert_eq!(ours.stderr, "");
        }
    }
    let missing = scene.run("get sources git nowhere -o json");
    assert_eq!((missing.code, missing.stdout.as_str()), (1, ""));
    let selected = scene
        .run("get sources git -o name --status-selector ready=false")
        .well();
    assert_eq!(selected.stdout, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_kinds_are_one_list_and_generators_are_in_it() {
    let scene = Scene::new("formats-all").await;
    let empty = scene.run("get all -o yaml").well();
    assert_eq!(
        empty.stdout,
        "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
    );
    scene.create(generator()).await;
    scene.create(source("fleet")).await;
    let names = "gitrepository.source.toolkit.fluxcd.io/fleet\n\
                 artifactgenerator.source.extensions.fluxcd.io/split\n";
    assert_eq!(scene.run("get all -o name").well().stdout, names);
    let list: Value = serde_json::from_str(&scene.run("get all -o json").well().stdout).unwrap();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    assert!(!scene.run("get all").well().stdout.contains("split"));
    let sources = scene.run("get sources all -o name").well();
    assert_eq!(
        sources.stdout,
        "gitrepository.source.toolkit.fluxcd.io/fleet\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn wide_adds_its_columns_behind_the_others() {
    let scene = Scene::new("wide").await;
    scene.create(source("fleet")).await;
    let plain = scene.run("get sources git").well().stdout;
    let wide = scene.run("get sources git -o wide").well().stdout;
    for (plain, wide) in plain.lines().zip(wide.lines()) {
        // The header ends with a space, followed by a tab.
        assert!(wide.starts_with(plain.trim_end()), "{wide:?}");
    }
    let cells: Vec<&str> = wide
        .lines()
        .next()
        .unwrap()
        .split('\t')
        .map(str::trim)
        .collect();
    assert_eq!(cells[5..], ["AGE", "LAST RECONCILED"]);
    let cells: Vec<&str> = wide
        .lines()
        .nth(1)
        .unwrap()
        .split('\t')
        .map(str::trim)
        .collect();
    assert!(
        cells[5..7].iter().all(|age| age.ends_with('s')),
        "{cells:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_restarts_without_duplicates() {
    let scene = Scene::new("watch").await;
    let namespace = scene.namespace.clone();
    for name in ["a", "b"] {
        scene.create(source(name)).await;
    }
    let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
    let line = format!("get sources git --watch --no-header -n {namespace}");
    let mut watching = spawn(proxy.kubeconfig(), &line);
    let printed = OutputLines::of(watching.0.stdout.take().unwrap());
    // An object that is deleted before its first row is not printed.
    printed.until(2).await;
    for ends in [FaultProxy::cut_watches, FaultProxy::sever] {
        again(&proxy, ends).await;
    }
    scene.run("suspend source git a").well();
    scene.run("delete source git b --silent").well();
    let rows = printed.until(4).await;
    drop(watching);
    let rows: Vec<Vec<&str>> = rows
        .iter()
        .map(|row| row.split('\t').map(str::trim).collect())
        .collect();
    let mut shown: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[2])).collect();
    // The order of the initial objects is up to the server.
    shown[..2].sort_unstable();
    assert_eq!(
        shown,
        [
            ("a", "False"),
            ("b", "False"),
            ("a", "True"),
            ("b", "False")
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_ends_at_explicit_timeout() {
    let scene = Scene::new("watch-ends").await;
    let lines = [
        "get sources git --watch --timeout 15s",
        "events --watch --timeout 15s",
    ];
    for (line, ended) in lines.iter().zip(scene.run_together(&lines).await) {
        assert_eq!(ended.code, 1, "{line}");
        let said =
            "✗ timed out waiting for the condition: the watch ended after 15s, as --timeout says\n";
        assert_eq!(ended.stderr, said, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_prints_in_requested_format() {
    let scene = Scene::new("watch-format").await;
    for name in ["a", "b"] {
        scene.create(source(name)).await;
    }
    let lines = ["name", "yaml", "json"]
        .map(|format| format!("get sources git --watch --timeout 15s -o {format}"));
    let watched = scene
        .run_together(&lines.each_ref().map(String::as_str))
        .await;
    let [names, yaml, json] = watched.as_slice() else {
        panic!("{watched:?}");
    };
    let names: BTreeSet<String> = names.stdout.lines().map(str::to_owned).collect();
    let expected = ["a", "b"].map(|name| format!("gitrepository.source.toolkit.fluxcd.io/{name}"));
    assert_eq!(names, BTreeSet::from(expected));
    assert_eq!(yaml.stdout.matches("---\napiVersion: ").count(), 2);
    let objects = serde_json::Deserializer::from_str(&json.stdout).into_iter::<Value>();
    assert_eq!(objects.map(Result::unwrap).count(), 2);
}

/// The output lines of a running command.
struct OutputLines(Arc<Mutex<Vec<String>>>);

impl OutputLines {
    fn of(stdout: ChildStdout) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let read = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                read.lock().unwrap().push(line.unwrap());
            }
        });
        Self(lines)
    }

    async fn until(&self, count: usize) -> Vec<String> {
        wait::eventually(&format!("the command prints {count} lines"), async || {
            let lines = self.0.lock().unwrap().clone();
            if lines.len() >= count {
                Ok(lines)
            } else {
                Err(format!("{lines:#?}"))
            }
        })
        .await
    }
}

/// Interrupts the command's watch, and waits until it starts another.
async fn again(proxy: &FaultProxy, end: fn(&FaultProxy)) {
    let begun = || proxy.count(&When::any().verb("watch"));
    let is_more = async |than: usize| {
        let begun = begun();
        if begun > than {
            Ok(begun)
        } else {
            Err(format!("{begun} watches"))
        }
    };
    let before = wait::eventually("the command watches", async || is_more(0).await).await;
    wait::eventually("the command watches again", async || {
        // A watch that is just starting may survive the interruption, so it is repeated.
        end(proxy);
        is_more(before).await
    })
    .await;
}

/// A command that is killed when dropped.
struct RunningCommand(Child);

impl Drop for RunningCommand {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Starts the command, and returns before it ends.
fn spawn(kubeconfig: &Path, line: &str) -> RunningCommand {
    #[expect(clippy::disallowed_methods, reason = "the binary is under test")]
    let child = Command::new(program::flux())
        .args(line.split_whitespace())
        .env("KUBECONFIG", kubeconfig)
        .stdout(Stdio::piped())
        .spawn();
    RunningCommand(child.unwrap())
}

//! Compares `build chart` with `helm template` 4.2.4: output, errors and flags.
//!
//! `charts/recorded.json` holds Helm's output and error for each of [`LINES`]. With a `helm` in
//! `REFERENCE_BIN_DIR`, `RECORD=1` records them again. The charts of `sluice-chart` are rendered as
//! well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::{Deserialize, Serialize};
use sluice_system::fs;
use sluice_testkit::Reference;

use crate::program;

mod remote;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/charts");
const RECORDED: &str = include_str!("charts/recorded.json");

/// Arguments that both programs accept. Helm takes the release name first.
const LINES: &[&str] = &[
    "web",
    "./web/ --name rel --namespace apps",
    "web -f a.yaml",
    "web -f a.yaml -f b.yaml",
    "web -f a.yaml,b.yaml --set name=x",
    "web --set image.tag=v3,ports[1]=81,replicas=3",
    "web --set name=null --set on=true,off=false,list={a,b}",
    "web --set mode=0644,big=12345678901234567890",
    "web --set-string replicas_text=3,yes=true",
    "web --set-json image={\"tag\":1.5,\"more\":[1,null]}",
    "web --set-json {\"name\":\"json\",\"ports\":[]}",
    "web --set-file text=text.txt",
    "web --set-literal name=a,b=c\\d",
    "web --set name=1 --set-string name=2 --set-json name=3 --set-literal name=4",
    "web --kube-version 1.31.4",
    "web --kube-version v1.29.0-gke.5",
    "web --api-versions monitoring.coreos.com/v1",
    "web -a a/v1,monitoring.coreos.com/v1",
    "web --include-crds",
    "web --is-upgrade",
    "web --no-hooks",
    "web --skip-tests",
    "web --show-only templates/service.yaml",
    "web -s templates/hooks.yaml -s templates/config.yaml",
    "web -s templates/*.yaml --skip-tests",
    "web -s crds/crontab.yaml --include-crds",
    "signed/web-1.0.0.tgz --verify --keyring signed/keyring.gpg",
    "web --set replicas=0 --skip-schema-validation",
    // Errors.
    "web --set replicas=0",
    "web --set broken=true",
    "web --set scalar=true",
    "web --set name",
    "web --set-string name=a,=b",
    "web --set ports[70000]=1",
    "web --set ports.a=1",
    "web --set-json name=}",
    "web --set-file text=missing.txt",
    "web -f missing.yaml",
    "web -f list.yaml",
    "web --kube-version one",
    "web --kube-version 1.19.0",
    "web --show-only templates/missing.yaml",
    "web --show-only [",
    "web --name Not_A_Name",
    "./missing",
    "text.txt",
    "list.yaml",
    "web/templates",
    "web --verify",
    "text.txt --verify",
    "signed/unsigned-1.0.0.tgz --verify --keyring signed/keyring.gpg",
    "signed/web-1.0.0.tgz --verify --keyring missing.gpg",
    "signed/web-2.0.0.tgz --verify --keyring signed/keyring.gpg",
];

/// Helm's result.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Outcome {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    output: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    error: String,
}

fn build(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program::sluice());
    command.args(["build", "chart"]).args(words);
    command
        .current_dir(folder)
        .env("KUBECONFIG", "/nonexistent/kubeconfig");
    command.output().unwrap()
}

/// Returns the compared part: the error without the chart's name and without hints.
fn outcome(ran: &Output) -> Outcome {
    if ran.status.success() {
        let output = String::from_utf8(ran.stdout.clone()).unwrap();
        return Outcome {
            output,
            ..Outcome::default()
        };
    }
    assert!(ran.stdout.is_empty(), "{ran:?}");
    let text = String::from_utf8_lossy(&ran.stderr);
    // Warnings come first.
    let start = text.find("✗ ").unwrap_or_else(|| panic!("{text}"));
    let error = &text[start + "✗ ".len()..];
    let error = error.split("\n  hint: ").next().unwrap_or(error);
    let error = match error
        .strip_prefix("failed to ")
        .and_then(|rest| rest.split_once("': "))
    {
        Some((start, rest)) if start.contains(" chart '") => rest,
        _ => error,
    };
    Outcome {
        error: error.trim_end().replace(FOLDER, "."),
        ..Outcome::default()
    }
}

/// Runs Helm with these arguments.
fn ask(helm: &Path, line: &str) -> Outcome {
    let mut words: Vec<&str> = line.split(' ').collect();
    let mut name = "release-name";
    if let Some(at) = words.iter().position(|word| *word == "--name") {
        name = words.remove(at + 1);
        words.remove(at);
    }
    let mut command = Command::new(helm);
    command.arg("template").arg(name).args(words);
    command
        .current_dir(FOLDER)
        .env("KUBECONFIG", "/nonexistent/kubeconfig");
    let home = tempfile::tempdir().unwrap();
    for name in ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"] {
        command.env(name, home.path());
    }
    let ran = command.output().unwrap();
    if ran.status.success() {
        let output = String::from_utf8(ran.stdout).unwrap();
        return Outcome {
            output,
            ..Outcome::default()
        };
    }
    let text = String::from_utf8_lossy(&ran.stderr);
    let (_, error) = text.split_once("Error: ").unwrap();
    let error = error.split("\n\nUse --debug").next().unwrap_or(error);
    Outcome {
        error: error.trim_end().replace(FOLDER, "."),
        ..Outcome::default()
    }
}

#[test]
fn flags_print_what_helm_prints() {
    let mut recorded: BTreeMap<String, Outcome> = serde_json::from_str(RECORDED).unwrap();
    if Reference::is_recording()
        && let Some(reference) = Reference::find()
    {
        let helm = reference.binary("helm");
        recorded = LINES
            .iter()
            .map(|line| ((*line).to_owned(), ask(&helm, line)))
            .collect();
        let text = serde_json::to_string_pretty(&recorded).unwrap();
        fs::write(Path::new(FOLDER).join("recorded.json"), text + "\n").unwrap();
    }
    for line in LINES {
        let words: Vec<&str> = line.split(' ').collect();
        let ours = outcome(&build(Path::new(FOLDER), &words));
        let expected = recorded.get(*line);
        assert_eq!(Some(&ours), expected, "{line}");
    }
}

#[test]
fn charts_print_what_helm_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/content/chart/tests/charts");
    let entries = fs::read_dir(root).unwrap();
    let mut count = 0;
    for folder in entries.into_iter().map(|entry| entry.path) {
        let mut words = vec!["chart", "--name", "rel", "--include-crds"];
        if folder.join("values.yaml").exists() {
            words.extend(["-f", "values.yaml"]);
        }
        let ours = outcome(&build(&folder, &words));
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert_eq!(ours.output, read("expected.yaml"), "{folder:?}");
        // Helm reports schema errors in random order.
        assert_eq!(
            sorted(&ours.error),
            sorted(read("expected.txt").trim_end()),
            "{folder:?}"
        );
        count += 1;
    }
    assert!(count >= 50, "{count}");
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn error_names_chart_file_line_and_missing_value() {
    let ran = build(Path::new(FOLDER), &["web", "--set", "broken=true"]);
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    for part in [
        "✗ failed to render chart 'web': web/templates/service.yaml:11:19\n",
        "at <.Values.image.pull.policy>:",
        "nil pointer evaluating interface {}.policy",
        "hint: .Values.image.pull is not set; .Values.image has tag\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let ran = build(Path::new(FOLDER), &["web", "--set", "scalar=true"]);
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    let hint = "hint: .Values.image.tag is a string, not a map\n";
    assert!(text.contains(hint), "{text}");
}

#[test]
fn warnings_of_values_are_printed_on_stderr() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "Chart.yaml",
            "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- {name: sub, version: 1.0.0}\n",
        ),
        ("values.yaml", "sub: {image: null}\n"),
        (
            "templates/web.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.sub.image }}}\n",
        ),
        (
            "charts/sub/Chart.yaml",
            "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
        ),
        ("charts/sub/values.yaml", "image: nginx\n"),
        (
            "release.yaml",
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: apps}\n\
             spec: {interval: 1m, chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: web}}}}\n",
        ),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let warning = "⚠️ null at web.sub.image has no effect: the default of chart sub stays\n";
    for line in [
        "build chart .",
        "build helmrelease web -n apps --helmrelease-file release.yaml --chart . --dry-run",
    ] {
        let mut command = Command::new(program::sluice());
        let ran = command
            .args(line.split(' '))
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), warning, "{line}");
        let output = String::from_utf8_lossy(&ran.stdout);
        assert!(
            output.starts_with("---\n# Source: web/templates/web.yaml\n"),
            "{output}"
        );
    }
}

/// Returns an archive of the chart `web`, like `helm package`.
fn archive() -> Vec<u8> {
    fn add(builder: &mut tar::Builder<Vec<u8>>, path: &Path, name: PathBuf) {
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                let below = name.join(entry.path.file_name().unwrap());
                add(builder, &entry.path, below);
            }
            return;
        }
        builder.append_path_with_name(path, name).unwrap();
    }
    let mut builder = tar::Builder::new(Vec::new());
    add(&mut builder, &Path::new(FOLDER).join("web"), "web".into());
    let tar = builder.into_inner().unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &tar).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn archive_prints_what_its_folder_prints() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web-1.0.0.tgz");
    fs::write(&path, archive()).unwrap();
    let path = path.to_str().unwrap();
    let ours = outcome(&build(Path::new(FOLDER), &[path]));
    let expected = outcome(&build(Path::new(FOLDER), &["web"]));
    assert_eq!(ours, expected);
}

//! Prepares a checkout for clusters without a network: a clone with a few edits, and the objects
//! that its author has elsewhere.
//!
//! Each edit is listed. Encrypted values and signatures are replaced or removed. SSH addresses
//! become HTTPS ones, and removed versions served ones. Definitions of Flux itself are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_object::Object;
use sluice_system::fs;

use super::super::kustomizations::corpus::variables::Variables;
use super::remotes::{self, Remotes};

/// The value of an encrypted field: `stand-in` in Base64, which is valid in a Secret too.
const STAND_IN: &str = "c3RhbmQtaW4=";

/// The namespace and the name of the objects that sync a cluster.
pub(super) const SYSTEM: &str = "flux-system";

/// Removed versions of Flux's groups, and the ones that `flux migrate` writes in their place.
const REMOVED: &[(&str, &[&str], &str)] = &[
    ("source", &["v1beta1", "v1beta2"], "v1"),
    ("kustomize", &["v1beta1", "v1beta2"], "v1"),
    ("helm", &["v2beta1", "v2beta2"], "v2"),
    ("notification", &["v1beta1", "v1beta2"], "v1beta3"),
    ("image", &["v1alpha1", "v1alpha2", "v1beta1"], "v1"),
];

/// A prepared checkout.
#[derive(Debug)]
pub(super) struct Checkout {
    /// `owner/name`.
    pub(super) repository: String,
    pub(super) commit: String,
    /// The path of the cluster.
    pub(super) path: String,
    /// The source and the Kustomization of the cluster.
    pub(super) sync: Vec<Value>,
    pub(super) documents: Vec<Object>,
    pub(super) hosts: BTreeSet<String>,
    pub(super) namespaces: BTreeSet<String>,
    /// Config maps and Secrets that the checkout needs and does not have, without a namespace.
    pub(super) absent: Vec<Object>,
    pub(super) edits: BTreeMap<&'static str, BTreeSet<String>>,
    pub(super) remotes: Remotes,
    root: tempfile::TempDir,
}

impl Checkout {
    /// Clones and edits a checkout named OWNER+NAME. Without a path it is that of the first
    /// `gotk-sync.yaml`.
    pub(super) fn of(directory: &Path, path: Option<&str>) -> anyhow::Result<Self> {
        let directory = fs::canonicalize(directory)?;
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        let repository = name.replacen('+', "/", 1);
        let root = tempfile::tempdir()?;
        let mut checkout = Self {
            commit: git(&directory, &["rev-parse", "HEAD"])?,
            path: path.unwrap_or_default().to_owned(),
            sync: Vec::new(),
            documents: Vec::new(),
            hosts: BTreeSet::new(),
            namespaces: BTreeSet::from([SYSTEM.to_owned(), "default".to_owned()]),
            absent: Vec::new(),
            edits: BTreeMap::new(),
            remotes: Remotes::default(),
            repository,
            root,
        };
        let tree = checkout.tree();
        let (from, to) = (directory.display().to_string(), tree.display().to_string());
        git(&directory, &["clone", "--quiet", &from, &to])?;
        let branches = "+refs/remotes/origin/*:refs/heads/*";
        let no_head = "^refs/remotes/origin/HEAD";
        git(
            &tree,
            &[
                "fetch",
                "--quiet",
                "--update-head-ok",
                &from,
                branches,
                no_head,
            ],
        )?;
        git(
            &tree,
            &[
                "checkout",
                "--quiet",
                "--force",
                "--detach",
                &checkout.commit,
            ],
        )?;
        let mut files = Vec::new();
        list(&tree, &mut files)?;
        checkout.find_sync(&files)?;
        for file in &files {
            checkout.edit(file)?;
        }
        checkout.commit_edits(&tree)?;
        checkout.find_absent(&tree)?;
        checkout.remotes = Remotes::of(&checkout.documents);
        Ok(checkout)
    }

    /// The directory of served repositories.
    pub(super) fn served(&self) -> PathBuf {
        self.root.path().join("served")
    }

    fn tree(&self) -> PathBuf {
        self.root.path().join("tree")
    }

    /// Reads or creates the objects that sync the cluster.
    fn find_sync(&mut self, files: &[PathBuf]) -> anyhow::Result<()> {
        let tree = self.tree();
        let wanted = self.path.trim_start_matches("./").to_owned();
        for file in files.iter().filter(|file| file.ends_with("gotk-sync.yaml")) {
            let below = file.strip_prefix(&tree)?.display().to_string();
            let documents = sluice_yaml::v2::documents(&over_https(&fs::read_to_string(file)?))?;
            let documents = documents.into_iter().filter(|document| !document.is_null());
            let documents: Vec<Value> = documents.collect();
            let folder = below.split("/flux-system/").next().unwrap_or_default();
            if !below.starts_with(&wanted) || (documents.is_empty() && folder == below) {
                continue;
            }
            let own = documents.iter().find_map(|it| it["spec"]["path"].as_str());
            own.unwrap_or(folder).clone_into(&mut self.path);
            self.sync = documents;
            break;
        }
        ensure!(!self.path.is_empty(), "no gotk-sync.yaml: name a path");
        if self.sync.is_empty() {
            let path = format!("./{}", self.path.trim_start_matches("./"));
            let metadata = json!({ "name": SYSTEM, "namespace": SYSTEM });
            self.sync = vec![
                json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                    "metadata": metadata, "spec": { "interval": "10m", "ref": { "branch": "main" },
                        "url": format!("https://github.com/{}", self.repository) } }),
                json!({ "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                    "metadata": metadata, "spec": { "interval": "10m", "path": path, "prune": true,
                        "sourceRef": { "kind": "GitRepository", "name": SYSTEM } } }),
            ];
        }
        Ok(())
    }

    /// Edits a file, and reads its documents.
    fn edit(&mut self, file: &Path) -> anyhow::Result<()> {
        let Ok(before) = fs::read_to_string(file) else {
            return Ok(());
        };
        let below = file.strip_prefix(self.tree())?.display().to_string();
        let mut edit = |what: &'static str| {
            self.edits.entry(what).or_default().insert(below.clone());
        };
        let mut text = over_https(&before);
        if text != before {
            edit("SSH addresses become HTTPS ones");
        }
        let served = in_served_versions(&text);
        if served != text {
            edit("kinds of Flux get a served version");
            text = served;
        }
        if text.contains("ENC[AES256_GCM") {
            edit("encrypted values get a stand-in");
            text = without_encryption(&text);
        }
        let mut documents = sluice_yaml::v2::documents(&text).unwrap_or_default();
        let is_own = |document: &Value| {
            document["kind"] == "CustomResourceDefinition"
                && document["spec"]["group"]
                    .as_str()
                    .is_some_and(|it| it.ends_with("fluxcd.io"))
        };
        let count = documents.len();
        documents.retain(|document| !is_own(document));
        let mut is_changed = documents.len() < count;
        if is_changed {
            edit("definitions of Flux are left out");
        }
        let is_empty = documents.iter().all(Value::is_null);
        if is_empty && below.ends_with("/flux-system/gotk-sync.yaml") {
            edit("the files of bootstrap are filled in");
            documents.clone_from(&self.sync);
            is_changed = true;
        } else if is_empty && below.ends_with("/flux-system/gotk-components.yaml") {
            edit("the files of bootstrap are filled in");
            documents = vec![json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": SYSTEM },
            })];
            is_changed = true;
        }
        for document in &mut documents {
            let chart = document
                .pointer_mut("/spec/chart/spec")
                .and_then(Value::as_object_mut);
            let mut is_signed = chart.is_some_and(|spec| spec.remove("verify").is_some());
            if ["OCIRepository", "GitRepository", "HelmChart"]
                .iter()
                .any(|kind| document["kind"] == *kind)
            {
                let spec = document["spec"].as_object_mut();
                is_signed |= spec.is_some_and(|spec| spec.remove("verify").is_some());
            }
            if is_signed {
                edit("signatures are not verified");
                is_changed = true;
            }
        }
        if is_changed {
            let texts: Vec<String> = documents.iter().map(sluice_yaml::v2::to_string).collect();
            text = texts.join("---\n");
        }
        if text != before {
            fs::write(file, &text)?;
        }
        self.hosts.extend(remotes::hosts(&text).map(str::to_owned));
        self.read(documents);
        Ok(())
    }

    fn read(&mut self, documents: Vec<Value>) {
        for document in documents {
            self.namespaces
                .extend(document["namespace"].as_str().map(str::to_owned));
            let target = document["spec"]["targetNamespace"].as_str();
            self.namespaces.extend(target.map(str::to_owned));
            let Ok(object) = Object::try_from(document) else {
                continue;
            };
            self.namespaces.insert(object.namespace().to_owned());
            if object.is("", "Namespace") {
                self.namespaces.insert(object.name().to_owned());
            }
            // A parent patches the Kustomizations that it applies.
            let patches = object.at(&["spec", "patches"]).and_then(Value::as_array);
            for patch in patches.into_iter().flatten() {
                let text = patch["patch"].as_str().unwrap_or_default();
                self.read(sluice_yaml::v2::documents(text).unwrap_or_default());
            }
            self.documents.push(object);
        }
        self.namespaces
            .retain(|name| sluice_object::names::is_label(name));
    }

    /// Commits the edits, so that both sides see one revision.
    fn commit_edits(&self, tree: &Path) -> anyhow::Result<()> {
        let reference = self.sync[0].pointer("/spec/ref/branch");
        let branch = reference.and_then(Value::as_str).unwrap_or("main");
        git(tree, &["checkout", "--quiet", "-B", branch])?;
        git(tree, &["add", "--all"])?;
        git(
            tree,
            &["commit", "--quiet", "--allow-empty", "--message", "Prepare"],
        )?;
        let (owner, _) = self
            .repository
            .split_once('/')
            .context("a name is OWNER+NAME")?;
        fs::create_dir_all(self.served().join(owner))?;
        for ending in ["", ".git"] {
            let link = self.served().join(format!("{}{ending}", self.repository));
            std::os::unix::fs::symlink(tree.join(".git"), link)?;
        }
        Ok(())
    }

    /// Creates config maps and Secrets that other objects refer to.
    fn find_absent(&mut self, tree: &Path) -> anyhow::Result<()> {
        let variables = Variables::of(tree)?;
        let mut absent: BTreeMap<(String, String), Value> = BTreeMap::new();
        for object in &self.documents {
            let items = |path: &[&str]| {
                let list = object.at(path).and_then(Value::as_array);
                list.cloned().unwrap_or_default()
            };
            for made_up in variables.asked_for_by(object) {
                let key = (made_up.kind().to_owned(), made_up.name().to_owned());
                absent.insert(key, made_up.at(&["data"]).cloned().unwrap_or_default());
            }
            for reference in items(&["spec", "valuesFrom"]) {
                let text = |field: &str| reference[field].as_str().unwrap_or_default().to_owned();
                let data = absent
                    .entry((text("kind"), text("name")))
                    .or_insert(json!({}));
                let key = reference["valuesKey"].as_str().unwrap_or("values.yaml");
                let is_whole = reference["targetPath"].is_null();
                // An empty map in Base64, and in plain text.
                let value = match (text("kind").as_str(), is_whole) {
                    ("Secret", true) => "e30=",
                    (_, true) => "{}",
                    (_, false) => STAND_IN,
                };
                data[key] = value.into();
            }
            for path in [
                &["spec", "decryption", "secretRef", "name"][..],
                &["spec", "secretRef", "name"],
            ] {
                let name = object
                    .str_at(path)
                    .filter(|_| object.group().contains("fluxcd.io"));
                if let Some(name) = name {
                    let key = ("Secret".to_owned(), name.to_owned());
                    let data = json!({ "username": STAND_IN, "password": STAND_IN });
                    absent.entry(key).or_insert(data);
                }
            }
        }
        for object in &self.documents {
            absent.remove(&(object.kind().to_owned(), object.name().to_owned()));
            for (field, kind) in [
                ("configMapGenerator", "ConfigMap"),
                ("secretGenerator", "Secret"),
            ] {
                let generators = object.at(&[field]).and_then(Value::as_array);
                for generator in generators.into_iter().flatten() {
                    let name = generator["name"].as_str().unwrap_or_default();
                    absent.remove(&(kind.to_owned(), name.to_owned()));
                }
            }
        }
        absent.retain(|(_, name), _| !name.contains("${"));
        self.absent = absent
            .into_iter()
            .filter_map(|((kind, name), data)| {
                let metadata = json!({ "name": name });
                Object::try_from(
                    json!({ "apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data }),
                )
                .ok()
            })
            .collect();
        Ok(())
    }
}

/// Lists the YAML files of a tree.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(folder)?;
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    for entry in entries {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        if entry.file_type.is_dir() && name != ".git" {
            list(&entry.path, files)?;
        } else if entry.file_type.is_file() && (name.ends_with(".yaml") || name.ends_with(".yml")) {
            files.push(entry.path);
        }
    }
    Ok(())
}

fn over_https(text: &str) -> String {
    text.replace("ssh://git@github.com/", "https://github.com/")
        .replace("ssh://git@github.com:", "https://github.com/")
}

/// Replaces the versions of Flux's kinds that Flux has removed.
fn in_served_versions(text: &str) -> String {
    let mut text = text.to_owned();
    for (group, removed, served) in REMOVED {
        for version in *removed {
            // The end of the line keeps `v1beta1` apart from `v1beta10`.
            let line = |version: &str| format!("{group}.toolkit.fluxcd.io/{version}\n");
            text = text.replace(&line(version), &line(served));
        }
    }
    text
}

/// Replaces the values that SOPS encrypted, and removes its metadata.
fn without_encryption(text: &str) -> String {
    let mut lines = Vec::new();
    let mut is_metadata = false;
    for line in text.lines() {
        let is_top = !line.starts_with([' ', '-', '#', '\t']) || line.starts_with("---");
        is_metadata = (is_metadata && (!is_top || line.is_empty())) || line == "sops:";
        if is_metadata {
            continue;
        }
        let mut line = line.to_owned();
        while let Some(start) = line.find("ENC[AES256_GCM") {
            let end = line[start..]
                .find(']')
                .map_or(line.len(), |end| start + end + 1);
            line.replace_range(start..end, STAND_IN);
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// Runs Git with a fixed author and date, and returns its output.
fn git(directory: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(["-c", "commit.gpgSign=false"])
        .args(arguments)
        .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
        .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
        .output()?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "git {}: {error}",
        arguments.join(" ")
    );
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn encrypted_values_get_a_stand_in() {
    let text = "kind: Secret\nstringData:\n    a: ENC[AES256_GCM,data:x,type:str]\nsops:\n    age:\n\
                - a\n---\nb: 1\n";
    let plain = "kind: Secret\nstringData:\n    a: c3RhbmQtaW4=\n---\nb: 1\n";
    assert_eq!(without_encryption(text), plain);
}

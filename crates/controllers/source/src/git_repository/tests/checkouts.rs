//! Compares packed artifacts with those of go-git and Flux, recorded by `tests/baseline/oracle`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use sluice_digest::{Algorithm, HashingWriter};
use sluice_git::serve::{Change, Repository};
use sluice_git::{Client, Limits, Reference, Remote, Stores, Submodules};
use sluice_testkit::devcluster::{GitOptions, GitServer};

use crate::git_repository::checkout::Checkout;
use crate::git_repository::overlay::Overlay;
use crate::git_repository::pack::{IgnoreFiles, Packer, Survey};
use crate::git_repository::sparse::Sparse;

#[derive(Deserialize)]
struct Scenario {
    name: String,
    files: Vec<File>,
    #[serde(default)]
    modules: Vec<Module>,
    #[serde(default)]
    recurse: bool,
    #[serde(default)]
    sparse: Vec<String>,
    ignore: Option<String>,
    missing: Option<String>,
    #[serde(default)]
    entries: Vec<String>,
    #[serde(default)]
    sha256: String,
}

#[derive(Deserialize)]
struct File {
    path: String,
    #[serde(default)]
    content: String,
    mode: String,
    #[serde(default)]
    times: usize,
}

#[derive(Deserialize)]
struct Module {
    name: String,
    path: String,
    files: Vec<File>,
}

fn changes(files: &[File]) -> Vec<Change> {
    let change = |file: &File| {
        let content = file.content.repeat(file.times.max(1));
        match file.mode.as_str() {
            "120000" => Change::Link {
                path: file.path.clone().into(),
                target: content.into(),
            },
            mode => Change::Write {
                path: file.path.clone().into(),
                content: content.into_bytes(),
                executable: mode == "100755",
            },
        }
    };
    files.iter().map(change).collect()
}

fn commit(repository: &Repository, changes: &[Change]) -> sluice_git::ObjectId {
    repository.commit("main", "First", changes).unwrap()
}

/// Runs a scenario. Returns the missing entry, or the digest of the tarball.
async fn packed(
    scenario: &Scenario,
    client: &Client,
    stores: &Stores,
    remote: &Remote,
    in_part: bool,
) -> Result<String, String> {
    let main = Reference::Branch("main".to_owned());
    let resolved = client.resolve(remote, &main).await.unwrap();
    let (store, fetched) = if in_part {
        let sparse = Sparse::new(&scenario.sparse);
        let wanted = move |path: &Path| sparse.takes(path.as_os_str().as_bytes());
        let fetched = stores.fetch_part(client, remote, resolved, wanted).await;
        fetched.unwrap()
    } else {
        let store = stores.of(remote);
        let fetched = store.fetch(client, remote, &resolved).await.unwrap();
        (store, fetched)
    };
    let commit = fetched.commit;
    let submodules = if scenario.recurse && scenario.sparse.is_empty() {
        Submodules::fetch(client, stores, remote, &store, &commit)
            .await
            .unwrap()
    } else {
        Submodules::default()
    };
    let mut overlay = Overlay::default();
    for (path, text) in submodules.links() {
        overlay.link_submodule(&path, text);
    }
    let overlay = Arc::new(overlay);
    let sparse = Sparse::new(&scenario.sparse);
    let survey = Checkout::new(
        Survey::of_everything(),
        sparse.clone(),
        Arc::clone(&overlay),
    );
    let survey = store.walk_with(&commit, &submodules, survey).await.unwrap();
    if let Some(missing) = sparse.first_missing(&survey.finish().unwrap().paths) {
        return Err(missing.to_owned());
    }
    let rules = Checkout::new(IgnoreFiles::default(), sparse.clone(), Arc::clone(&overlay));
    let rules = store.walk_with(&commit, &submodules, rules).await.unwrap();
    let rules = rules.finish().unwrap().rules(scenario.ignore.as_deref());
    let writer = HashingWriter::new(std::io::sink(), Algorithm::Sha256);
    let packer = Checkout::new(Packer::new(writer, rules), sparse, overlay);
    let packer = store.walk_with(&commit, &submodules, packer).await.unwrap();
    let (writer, _) = packer.finish().unwrap().finish().unwrap();
    let (_, digest, _) = writer.finish();
    Ok(digest.hex().to_owned())
}

/// `.config` and `!first` sort before `.sourceignore`, but Flux reads the ignore file of a
/// directory first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subdirectory_rules_override_parent_rules() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    std::fs::create_dir(at("git")).unwrap();
    let server = GitServer::start(GitOptions::new(at("git"))).await.unwrap();
    let changes = [
        (".sourceignore", "*.md\n"),
        (".config/.sourceignore", "!README.md\n"),
        (".config/!deep/.sourceignore", "README.md\n"),
        ("!first/.sourceignore", "!*.md\n"),
        ("later/.sourceignore", "!README.md\n"),
    ];
    let changes = changes.map(|(path, text)| Change::write(path, text));
    commit(&server.create("app", "main").unwrap(), &changes);
    let client = Client::new(Arc::new(sluice_dial::HttpClients::new("test")));
    let stores = Stores::new(at("stores"), 1 << 30, Limits::default());
    let remote = Remote::new(&server.url("app")).unwrap();
    let main = Reference::Branch("main".to_owned());
    let resolved = client.resolve(&remote, &main).await.unwrap();
    let store = stores.of(&remote);
    let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
    let files = Checkout::new(
        IgnoreFiles::default(),
        Sparse::new(&[]),
        Arc::new(Overlay::default()),
    );
    let files = store.walk(&fetched.commit, files).await.unwrap();
    let rules = files.finish().unwrap().rules(Some("*.txt"));
    for (path, is_excluded) in [
        ("README.md", true),
        (".config/README.md", false),
        (".config/other.md", true),
        (".config/!deep/README.md", true),
        ("!first/any.md", false),
        ("later/README.md", false),
        ("later/notes.txt", true),
        ("a.yaml", false),
    ] {
        assert_eq!(
            rules.exclude(path.as_bytes(), false).unwrap(),
            is_excluded,
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_checkouts_give_same_tarballs() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    std::fs::create_dir(at("git")).unwrap();
    let server = GitServer::start(GitOptions::new(at("git"))).await.unwrap();
    let client = Client::new(Arc::new(sluice_dial::HttpClients::new("test")));
    let stores = Stores::new(at("stores"), 1 << 30, Limits::default());
    let (mut compared, mut parts) = (0, 0);
    for (index, line) in include_str!("../../../tests/baseline/checkouts.jsonl")
        .lines()
        .enumerate()
    {
        let scenario: Scenario = serde_json::from_str(line).unwrap();
        let mut changes = changes(&scenario.files);
        let mut text = String::new();
        for (number, module) in scenario.modules.iter().enumerate() {
            let name = format!("s{index}-m{number}");
            let id = commit(
                &server.create(&name, "main").unwrap(),
                &self::changes(&module.files),
            );
            let (path, called) = (&module.path, &module.name);
            let (start, url) = (format!("[submodule \"{called}\"]"), format!("../{name}"));
            text.extend([&start, "\n\tpath = ", path, "\n\turl = ", &url, "\n"]);
            changes.push(Change::Submodule {
                path: path.into(),
                commit: id,
            });
        }
        if !text.is_empty() {
            changes.push(Change::write(".gitmodules", text));
        }
        let name = format!("s{index}");
        commit(&server.create(&name, "main").unwrap(), &changes);
        let remote = Remote::new(&server.url(&name)).unwrap();
        let expected = match scenario.missing.clone() {
            Some(missing) => Err(missing),
            None => Ok(scenario.sha256.clone()),
        };
        for in_part in [false, true] {
            let got = packed(&scenario, &client, &stores, &remote, in_part).await;
            assert_eq!(got, expected, "{}: {:?}", scenario.name, scenario.entries);
            if scenario.sparse.is_empty() {
                break;
            }
            parts += usize::from(in_part);
        }
        compared += 1;
    }
    assert!(compared >= 200 && parts >= 50, "{compared}, {parts}");
}

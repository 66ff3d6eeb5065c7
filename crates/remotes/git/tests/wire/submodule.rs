//! Submodules: resolution, and where credentials are sent.

use std::sync::{Arc, Mutex};

use sluice_dial::{Basic, Credentials};
use sluice_git::serve::{Change, Repository};
use sluice_git::walk::VisitError;
use sluice_git::{Access, Entry, Error, Kind, Limits, ObjectId, Remote, Step, Stores, Submodules};

use crate::http::branch;
use crate::server::{Backend, Server, client};

fn with_module(repository: &Repository, text: &str, modules: &[(&str, ObjectId)]) -> ObjectId {
    let mut changes = vec![
        Change::write("z.yaml", "z: 1\n"),
        Change::write(".gitmodules", text),
    ];
    for (path, commit) in modules {
        changes.push(Change::Submodule {
            path: path.into(),
            commit: *commit,
        });
    }
    repository.commit("main", "With modules", &changes).unwrap()
}

fn module(repository: &Repository, name: &str) -> ObjectId {
    repository
        .commit("main", "Module", &[Change::write(name, "m: 1\n")])
        .unwrap()
}

async fn fetch(remote: &Remote) -> Result<(Vec<String>, Vec<(String, String)>), Error> {
    let directory = tempfile::tempdir().unwrap();
    let stores = Stores::new(directory.path(), 1 << 30, Limits::default());
    let client = client();
    let resolved = client.resolve(remote, &branch("main")).await?;
    let store = stores.of(remote);
    let commit = store.fetch(&client, remote, &resolved).await?.commit;
    let modules = Submodules::fetch(&client, &stores, remote, &store, &commit).await?;
    let found = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&found);
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        if !matches!(entry.kind(), Kind::Directory) {
            list.lock()
                .unwrap()
                .push(entry.path().display().to_string());
        }
        Ok(Step::Next)
    };
    store
        .walk_with(&commit, &modules, visitor)
        .await
        .map(drop)?;
    let links = modules
        .links()
        .map(|(path, text)| (String::from_utf8(path).unwrap(), text))
        .collect();
    Ok((Arc::into_inner(found).unwrap().into_inner().unwrap(), links))
}

#[tokio::test]
async fn nested_submodules_are_walked_in_place() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let inner = module(&server.repository("inner.git"), "i.yaml");
    let text = "[submodule \"in\"]\n\tpath = deep/in\n\turl = ../inner.git\n";
    let library = with_module(&server.repository("lib.git"), text, &[("deep/in", inner)]);
    let text = "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = ../lib.git\n[submodule \"gone\"]\n\tpath = gone\n\turl = ../gone.git\n";
    with_module(
        &server.repository("app.git"),
        text,
        &[("vendor/lib", library)],
    );
    let (paths, links) = fetch(&server.remote("app.git")).await.unwrap();
    assert_eq!(
        paths,
        [
            ".gitmodules",
            "vendor/lib",
            "vendor/lib/.gitmodules",
            "vendor/lib/deep/in",
            "vendor/lib/deep/in/i.yaml",
            "vendor/lib/z.yaml",
            "z.yaml",
        ]
    );
    assert_eq!(
        links,
        [
            ("vendor/lib/.git", "gitdir: ../../.git/modules/lib\n"),
            (
                "vendor/lib/deep/in/.git",
                "gitdir: ../../../../.git/modules/lib/modules/in\n"
            ),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
    );
}

#[tokio::test]
async fn credentials_are_sent_to_same_host_only() {
    let home = Server::start_with(Backend::Ours, Some("Basic dTpw")).await;
    let elsewhere = Server::start(Backend::Ours).await;
    let near = module(&home.repository("near.git"), "n.yaml");
    let far = module(&elsewhere.repository("far.git"), "f.yaml");
    let text = format!(
        "[submodule \"near\"]\n\tpath = near\n\turl = {}/near.git\n[submodule \"far\"]\n\tpath = far\n\turl = {}/far.git\n",
        home.base, elsewhere.base
    );
    with_module(
        &home.repository("app.git"),
        &text,
        &[("near", near), ("far", far)],
    );
    let access = Access::Http(Credentials::Basic(Basic::new("u", "p")));
    let (paths, _) = fetch(&home.remote("app.git").with_access(access))
        .await
        .unwrap();
    assert!(paths.contains(&"near/n.yaml".to_owned()) && paths.contains(&"far/f.yaml".to_owned()));
    let seen = elsewhere.asked.lock().unwrap().clone();
    assert!(!seen.is_empty());
    assert!(
        seen.iter().all(|asked| asked.authorization.is_none()),
        "{seen:?}"
    );
}

#[tokio::test]
async fn failed_submodule_is_named_with_reason() {
    let server = Server::start(Backend::Ours).await;
    let some = module(&server.repository("lib.git"), "m.yaml");
    let other: ObjectId = "1eabc9a41ca088515cab83f1cce49eb43e84b67f".parse().unwrap();
    for (name, url, path, commit, expected) in [
        (
            "missing",
            "../missing.git",
            "lib",
            some,
            ["submodule 'missing' at 'lib'", "not found"],
        ),
        (
            "commit",
            "../lib.git",
            "lib",
            other,
            ["submodule 'commit' at 'lib'", "1eabc9a4"],
        ),
        (
            "ssh",
            "git@example.com:x/y.git",
            "lib",
            some,
            ["submodule 'ssh' at 'lib'", "credentials are not sent there"],
        ),
        (
            "ext",
            "ext::sh -c true",
            "lib",
            some,
            ["submodule 'ext' at 'lib'", "invalid Git URL"],
        ),
        (
            "file",
            "file:///etc",
            "lib",
            some,
            ["submodule 'file' at 'lib'", "scheme"],
        ),
        (
            "dash",
            "--upload-pack=x",
            "lib",
            some,
            ["'lib'", "must not begin with '-'"],
        ),
        (
            "../up",
            "../lib.git",
            "lib",
            some,
            ["'lib'", "name of the submodule leads elsewhere"],
        ),
    ] {
        let repository = server.repository(&format!("{}.git", name.replace(['.', '/'], "x")));
        let text = format!("[submodule \"{name}\"]\n\tpath = {path}\n\turl = {url}\n");
        with_module(&repository, &text, &[(path, commit)]);
        let remote = server.remote(&format!("{}.git", name.replace(['.', '/'], "x")));
        let error = fetch(&remote).await.unwrap_err();
        let message = sluice_golang::error::chain(&error);
        for part in expected {
            assert!(message.contains(part), "{name}: {message}");
        }
    }
}

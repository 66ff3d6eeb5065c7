//! Stores: reuse, recovery and size.

use std::io::Read as _;

use sluice_git::serve::Change;
use sluice_git::walk::VisitError;
use sluice_git::{Entry, ErrorKind, Kind, Limits, Reference, Step, Store, Stores};

use crate::http::{branch, filled, incompressible, listing};
use crate::server::{Backend, Server, client, run};

#[tokio::test]
async fn poll_without_change_is_one_request() {
    for backend in [Backend::Ours, Backend::Real { version: 2 }] {
        let server = Server::start(backend).await;
        filled(&server.repository("r.git"));
        let (client, remote) = (client(), server.remote("r.git"));
        let directory = tempfile::tempdir().unwrap();
        let stores = Stores::new(directory.path(), 1 << 30, Limits::default());
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        stores
            .of(&remote)
            .fetch(&client, &remote, &resolved)
            .await
            .unwrap();
        server.take();
        let before = snapshot(directory.path());

        let again = client.resolve(&remote, &branch("main")).await.unwrap();
        assert_eq!(again, resolved);
        assert_eq!(server.take(), ["POST /r.git/git-upload-pack"]);
        // A fetch sends no request either.
        let fetched = stores
            .of(&remote)
            .fetch(&client, &remote, &again)
            .await
            .unwrap();
        assert_eq!(fetched.received, 0);
        assert_eq!(server.take(), Vec::<String>::new());
        assert_eq!(snapshot(directory.path()), before);
    }
}

/// All files with their modification times.
fn snapshot(directory: &std::path::Path) -> Vec<(std::path::PathBuf, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in sluice_system::fs::read_dir(&directory).unwrap() {
            let metadata = sluice_system::fs::symlink_metadata(&entry.path).unwrap();
            found.push((entry.path.clone(), metadata.modified().unwrap()));
            if metadata.is_dir() {
                pending.push(entry.path);
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn tag_without_commit_is_rejected() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let path = repository.path().to_owned();
    run(&path, &["tag", "blob", "HEAD:b.yaml"]).await;
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let resolved = client
        .resolve(&remote, &Reference::Tag("blob".into()))
        .await
        .unwrap();
    let error = store.fetch(&client, &remote, &resolved).await.unwrap_err();
    assert!(
        error.to_string().contains("is a blob, not a commit"),
        "{error}"
    );
}

#[tokio::test]
async fn damaged_store_is_filled_again() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    filled(&server.repository("r.git"));
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("s");
    let store = Store::at(&root, Limits::default());
    let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
    let damages: [&dyn Fn(); 3] = [
        &|| sluice_system::fs::remove_dir_all(root.join("objects")).unwrap(),
        &|| sluice_system::fs::write(root.join("commits"), "nonsense\n").unwrap(),
        &|| {
            for entry in sluice_system::fs::read_dir(root.join("objects/pack")).unwrap() {
                let mut bytes = sluice_system::fs::read(&entry.path).unwrap();
                let middle = bytes.len() / 2;
                bytes[20..middle].fill(0);
                sluice_system::fs::remove_file(&entry.path).unwrap();
                sluice_system::fs::write(&entry.path, bytes).unwrap();
            }
        },
    ];
    for damage in damages {
        store.fetch(&client, &remote, &resolved).await.unwrap();
        damage();
        let commit = store
            .fetch(&client, &remote, &resolved)
            .await
            .unwrap()
            .commit;
        assert_eq!(listing(&store, &commit).await.len(), 7);
    }
    // Only a walk detects this damage. It fails once, and the next fetch repairs the store.
    let commit = store
        .fetch(&client, &remote, &resolved)
        .await
        .unwrap()
        .commit;
    for entry in sluice_system::fs::read_dir(root.join("objects/pack")).unwrap() {
        sluice_system::fs::remove_file(&entry.path).unwrap();
    }
    let visitor = |_: &Entry<'_>| -> Result<Step, VisitError> { Ok(Step::Next) };
    let error = store.walk(&commit, visitor).await.map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Local);
    let commit = store
        .fetch(&client, &remote, &resolved)
        .await
        .unwrap()
        .commit;
    assert_eq!(listing(&store, &commit).await.len(), 7);
}

#[tokio::test]
async fn small_packs_are_combined() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("s");
    let store = Store::at(&root, Limits::default());
    for round in 0..40 {
        let changes = [Change::write("count", format!("{round}\n"))];
        repository.commit("main", "next", &changes).unwrap();
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let commit = store
            .fetch(&client, &remote, &resolved)
            .await
            .unwrap()
            .commit;
        assert_eq!(listing(&store, &commit).await[1].2, format!("{round}\n"));
    }
    let packs = sluice_system::fs::read_dir(root.join("objects/pack"))
        .unwrap()
        .len();
    assert!(packs < 40, "{packs} files");
}

#[tokio::test]
async fn large_blob_is_streamed_and_verified() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let noise = incompressible(3 << 20);
    repository
        .commit("main", "big", &[Change::write("noise", noise.clone())])
        .unwrap();
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
    let commit = store
        .fetch(&client, &remote, &resolved)
        .await
        .unwrap()
        .commit;
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        if let Kind::File { .. } = entry.kind() {
            let mut blob = entry.open()?;
            assert!(blob.is_streamed());
            assert_eq!(blob.size(), noise.len() as u64);
            let mut read = Vec::new();
            blob.read_to_end(&mut read)?;
            assert!(read == noise);
        }
        Ok(Step::Next)
    };
    store.walk(&commit, visitor).await.map(drop).unwrap();
}

#[tokio::test]
async fn trim_removes_unused_stores_only() {
    let server = Server::start(Backend::Ours).await;
    let (client, directory) = (client(), tempfile::tempdir().unwrap());
    let stores = Stores::new(directory.path(), 0, Limits::default());
    let mut kept = Vec::new();
    for name in ["a.git", "b.git"] {
        filled(&server.repository(name));
        let remote = server.remote(name);
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let store = stores.of(&remote);
        store.fetch(&client, &remote, &resolved).await.unwrap();
        kept.push(store);
    }
    assert!(stores.trim().await.unwrap() > 0, "stores in use stay");
    kept.clear();
    assert_eq!(stores.trim().await.unwrap(), 0);
    assert_eq!(
        sluice_system::fs::read_dir(directory.path()).unwrap().len(),
        0
    );
}

#[tokio::test]
async fn server_without_commit_ids_sends_history() {
    // Before version 2, servers only send advertised objects by default.
    let server = Server::start(Backend::Real { version: 0 }).await;
    let repository = server.repository("r.git");
    let first = filled(&repository);
    repository
        .commit("main", "second", &[Change::write("x", "x")])
        .unwrap();
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let pinned = Reference::Commit {
        id: first,
        branch: None,
        name: None,
    };
    let resolved = client.resolve(&remote, &pinned).await.unwrap();
    let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
    assert_eq!(fetched.commit.id, first);
    assert_eq!(listing(&store, &fetched.commit).await.len(), 7);
}

#[tokio::test]
async fn damage_found_while_reading_clears_store() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let noise = incompressible(3 << 20);
    let changes = [Change::write("noise", noise)];
    repository.commit("main", "big", &changes).unwrap();
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("s");
    let store = Store::at(&root, Limits::default());
    let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
    let commit = store
        .fetch(&client, &remote, &resolved)
        .await
        .unwrap()
        .commit;
    for entry in sluice_system::fs::read_dir(root.join("objects/pack")).unwrap() {
        if entry
            .path
            .extension()
            .is_some_and(|extension| extension == "pack")
        {
            let mut bytes = sluice_system::fs::read(&entry.path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            sluice_system::fs::remove_file(&entry.path).unwrap();
            sluice_system::fs::write(&entry.path, bytes).unwrap();
        }
    }
    let visitor = |entry: &Entry<'_>| -> Result<Step, VisitError> {
        if let Kind::File { .. } = entry.kind() {
            let mut read = Vec::new();
            entry
                .open()?
                .read_to_end(&mut read)
                .map_err(|error| format!("in my words: {error}"))?;
        }
        Ok(Step::Next)
    };
    let error = store.walk(&commit, visitor).await.map(drop).unwrap_err();
    assert!(matches!(error, sluice_git::Error::Object { .. }), "{error}");
    assert!(!sluice_system::fs::exists(&root).unwrap());
}

#[tokio::test]
async fn fetch_and_walk_futures_are_send() {
    let server = Server::start(Backend::Ours).await;
    filled(&server.repository("r.git"));
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let task = tokio::spawn(async move {
        let resolved = client.resolve(&remote, &branch("main")).await?;
        let commit = store.fetch(&client, &remote, &resolved).await?.commit;
        let visitor = |_: &Entry<'_>| -> Result<Step, VisitError> { Ok(Step::Next) };
        store.walk(&commit, visitor).await.map(drop)
    });
    task.await.unwrap().unwrap();
}

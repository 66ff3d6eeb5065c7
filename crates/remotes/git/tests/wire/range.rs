//! Version ranges, resolved from the list of tags.

use sluice_git::serve::Repository;
use sluice_git::{ErrorKind, Limits, ObjectId, Reference, Store};

use crate::http::filled;
use crate::server::{Backend, Server, client, run};

fn range(text: &str) -> Reference {
    Reference::Semver(text.to_owned())
}

/// Writes packed tags, without a process for each.
fn pack_tags(repository: &Repository, tags: &[(String, ObjectId)]) {
    let mut lines: Vec<String> = tags
        .iter()
        .map(|(name, id)| format!("{id} refs/tags/{name}\n"))
        .collect();
    lines.sort_by(|one, two| one[41..].cmp(&two[41..]));
    let text = format!("# pack-refs with: sorted \n{}", lines.concat());
    sluice_system::fs::write(repository.path().join("packed-refs"), text).unwrap();
}

#[tokio::test]
async fn highest_of_5000_tags_needs_one_listing() {
    for version in [2, 0] {
        let server = Server::start(Backend::Real { version }).await;
        let repository = server.repository("r.git");
        let id = filled(&repository);
        let tags: Vec<_> = (0..5000)
            .map(|n| (format!("v{}.{}.{}", n / 1000, n % 1000 / 10, n % 10), id))
            .collect();
        pack_tags(&repository, &tags);
        let (client, remote) = (client(), server.remote("r.git"));
        let resolved = client
            .resolve(&remote, &range(">=1.0.0 <4.0.0"))
            .await
            .unwrap();
        assert_eq!(resolved.revision(), format!("v3.99.9@sha1:{id}"));
        assert!(resolved.ties.is_empty());
        server.take();
        client.resolve(&remote, &range("2.x")).await.unwrap();
        let asked = server.take();
        assert_eq!(asked.len(), 1, "{asked:?}");
    }
}

#[tokio::test]
async fn annotated_tag_is_resolved_to_commit() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    let id = filled(&repository);
    let tag = repository.tag("v1.0.0", id, Some("one")).unwrap();
    repository.tag("latest", id, None).unwrap();
    let (client, remote) = (client(), server.remote("r.git"));
    let resolved = client.resolve(&remote, &range("*")).await.unwrap();
    assert_eq!((resolved.want, resolved.commit), (tag, id));
    assert_eq!(resolved.revision(), format!("v1.0.0@sha1:{id}"));

    let error = client.resolve(&remote, &range(">2")).await.unwrap_err();
    assert_eq!(error.to_string(), "no match found for semver: >2");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let error = client.resolve(&remote, &range(">")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    server.repository("empty.git");
    let error = client
        .resolve(&server.remote("empty.git"), &range("*"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Empty);
}

#[tokio::test]
async fn build_metadata_tie_selects_latest_commit() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let at = |seconds: &str, name: &str| {
        let path = repository.path().to_owned();
        let (date, name) = (format!("{seconds} +0000"), name.to_owned());
        async move {
            let environment = [
                ("GIT_COMMITTER_DATE", date.as_str()),
                ("GIT_AUTHOR_DATE", date.as_str()),
            ];
            let made = crate::server::run_with(
                &path,
                &[
                    "-c",
                    "user.name=a",
                    "-c",
                    "user.email=a@b",
                    "commit-tree",
                    "-m",
                    &name,
                    "main^{tree}",
                ],
                &environment,
            )
            .await;
            run(&path, &["tag", &name, made.trim()]).await;
            made.trim().to_owned()
        }
    };
    at("1700000000", "1.0.0+z").await;
    let newest = at("1700009999", "1.0.0+a").await;
    at("1700000001", "1.0.0+m").await;
    let (client, remote) = (client(), server.remote("r.git"));
    let resolved = client.resolve(&remote, &range("1.0.0")).await.unwrap();
    assert_eq!(resolved.ties.len(), 2);
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let settled = store.break_tie(&client, &remote, resolved).await.unwrap();
    assert_eq!(settled.revision(), format!("1.0.0+a@sha1:{newest}"));
}

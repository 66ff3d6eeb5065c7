//! Tags: the tag object decides about the target, not the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use sluice_git::serve::{self, Change, Repository, Service, Version};
use sluice_git::{Error, Limits, ObjectId, Reference, ResolvedReference, Store};

use crate::http::branch;
use crate::server::{Backend, RecordedRequest, Server, client, reply};

fn tag(name: &str) -> Reference {
    Reference::Tag(name.to_owned())
}

/// Commits a file with this content.
fn commit(repository: &Repository, branch: &str, content: &str) -> ObjectId {
    let change = Change::write("a.yaml", content.to_owned());
    repository.commit(branch, content, &[change]).unwrap()
}

/// Replaces a text everywhere.
fn replaced(mut bytes: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len(), "packets say how long they are");
    for at in 0..bytes.len().saturating_sub(old.len()) {
        if bytes[at..].starts_with(old.as_bytes()) {
            bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
        }
    }
    bytes
}

/// The index after a text.
fn behind(bytes: &[u8], text: &str) -> usize {
    let found = bytes
        .windows(text.len())
        .position(|window| window == text.as_bytes());
    found.unwrap() + text.len()
}

/// A tag on one commit, and a server that claims another commit as its target and sends it, too.
struct Liar {
    server: Server,
    lies: Arc<AtomicBool>,
    tag: ObjectId,
    genuine: ObjectId,
    evil: ObjectId,
    _directory: tempfile::TempDir,
}

impl Liar {
    async fn start(version: Version) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
        let genuine = commit(&repository, "main", "genuine");
        let evil = commit(&repository, "evil", "evil");
        let tag = repository.tag("v1.0.0", genuine, Some("genuine")).unwrap();
        let lies = Arc::new(AtomicBool::new(true));
        let is_lying = Arc::clone(&lies);
        let server = Server::scripted(move |asked: &RecordedRequest| {
            let service = Service::UploadPack;
            let lies = is_lying.load(Ordering::SeqCst);
            if asked.line.starts_with("GET") {
                let first = serve::advertise(&repository, service, version).unwrap();
                let said = format!("{genuine} refs/tags/v1.0.0^{{}}");
                let lie = format!("{evil} refs/tags/v1.0.0^{{}}");
                let first = if lies {
                    replaced(first, &said, &lie)
                } else {
                    first
                };
                return reply(StatusCode::OK, service.advertisement_type(), first);
            }
            let mut question = asked.body.to_vec();
            let wants = format!("want {tag}");
            let is_fetch = question
                .windows(wants.len())
                .any(|window| window == wants.as_bytes());
            if lies && is_fetch {
                // The server sends it without a request.
                let extra = format!("0032want {evil}\n");
                let at = behind(&question, &wants);
                let at = at + behind(&question[at..], "\n");
                question.splice(at..at, extra.into_bytes());
            }
            let mut out = Vec::new();
            serve::upload_pack(&repository, &question, &mut out).unwrap();
            if lies && !is_fetch {
                out = replaced(out, &format!("peeled:{genuine}"), &format!("peeled:{evil}"));
            }
            reply(StatusCode::OK, service.result_type(), out)
        })
        .await;
        Self {
            server,
            lies,
            tag,
            genuine,
            evil,
            _directory: directory,
        }
    }

    /// Resolves and fetches the reference into a store.
    async fn fetch(
        &self,
        store: &Store,
        reference: &Reference,
    ) -> Result<(ResolvedReference, u64), Error> {
        // A new client has no cached references.
        let (client, remote) = (client(), self.server.remote("r.git"));
        let resolved = client.resolve(&remote, reference).await?;
        let fetched = store.fetch(&client, &remote, &resolved).await?;
        assert_eq!(fetched.commit.id, resolved.commit);
        Ok((resolved, fetched.received))
    }
}

#[tokio::test]
async fn false_tag_target_is_rejected() {
    for version in [Version::Zero, Version::Two] {
        let liar = Liar::start(version).await;
        let here = tempfile::tempdir().unwrap();
        let store = Store::at(here.path().join("s"), Limits::default());
        let Liar {
            tag: id,
            genuine,
            evil,
            ..
        } = &liar;
        let refusal = format!(
            "it says that object {id} leads to commit {evil}: it leads to commit {genuine}"
        );
        // The second fetch finds the false commit in the store.
        for _ in 0..2 {
            let error = liar.fetch(&store, &tag("v1.0.0")).await.unwrap_err();
            assert!(matches!(error, Error::Protocol { .. }), "{error}");
            assert!(error.to_string().ends_with(&refusal), "{error}");
            let range = Reference::Semver("1.x".to_owned());
            let error = liar.fetch(&store, &range).await.unwrap_err().to_string();
            assert!(error.ends_with(&refusal), "{error}");
            liar.lies.store(false, Ordering::SeqCst);
            liar.fetch(&store, &branch("evil")).await.unwrap();
            let (resolved, _) = liar.fetch(&store, &tag("v1.0.0")).await.unwrap();
            assert_eq!(resolved.commit, *genuine, "the truth is taken");
            liar.lies.store(true, Ordering::SeqCst);
        }
    }
}

#[tokio::test]
async fn tags_without_commit_are_rejected() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let (first, second) = (
        commit(&repository, "main", "first"),
        commit(&repository, "other", "second"),
    );
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let write = |text: String| -> ObjectId {
        let odb = git.odb().unwrap();
        let id = odb.write(git2::ObjectType::Tag, text.as_bytes()).unwrap();
        git.reference("refs/tags/odd", id, true, "test").unwrap();
        id.to_string().parse().unwrap()
    };
    let about = "tag odd\ntagger a <a> 0 +0000\n\nodd\n";
    git2::opts::strict_object_creation(false);
    let tree = git.find_commit(git2::Oid::from_str(&first.to_string()).unwrap());
    let tree = tree.unwrap().tree_id();
    let cases = [
        // A branch that is claimed to be a tag.
        (second, "it leads to commit"),
        (
            write(format!("object {tree}\ntype tree\n{about}")),
            "it leads to tree",
        ),
    ];
    let mut deep = write(format!("object {first}\ntype commit\n{about}"));
    for _ in 0..16 {
        deep = write(format!("object {deep}\ntype tag\n{about}"));
    }
    let (client, remote) = (client(), server.remote("r.git"));
    for (want, why) in cases.into_iter().chain([(deep, "more than 16 tags")]) {
        let here = tempfile::tempdir().unwrap();
        let store = Store::at(here.path().join("s"), Limits::default());
        let honest = client.resolve(&remote, &branch("main")).await.unwrap();
        store.fetch(&client, &remote, &honest).await.unwrap();
        let said = ResolvedReference { want, ..honest };
        let error = store.fetch(&client, &remote, &said).await.unwrap_err();
        assert!(matches!(error, Error::Protocol { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[tokio::test]
async fn nested_tags_lead_to_commit() {
    for backend in [
        Backend::Ours,
        Backend::Real { version: 0 },
        Backend::Real { version: 2 },
    ] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        let id = commit(&repository, "main", "first");
        let inner = repository.tag("inner", id, Some("inner")).unwrap();
        let outer = repository.tag("outer", inner, Some("outer")).unwrap();
        let (client, remote) = (client(), server.remote("r.git"));
        let here = tempfile::tempdir().unwrap();
        let store = Store::at(here.path().join("s"), Limits::default());
        let later = Store::at(here.path().join("l"), Limits::default());
        let main = client.resolve(&remote, &branch("main")).await.unwrap();
        later.fetch(&client, &remote, &main).await.unwrap();

        let resolved = client.resolve(&remote, &tag("outer")).await.unwrap();
        assert_eq!((resolved.want, resolved.commit), (outer, id));
        for store in [&store, &later] {
            let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
            assert!(fetched.received > 0, "the tags are not there yet");
            assert_eq!((fetched.commit.id, fetched.commit.tag), (id, Some(outer)));
            let again = store.fetch(&client, &remote, &resolved).await.unwrap();
            assert_eq!(again.received, 0, "now they are");
            let (_, signed) = store.signed(&again.commit).await.unwrap();
            assert_eq!(signed.unwrap().name, "outer");
        }
    }
}

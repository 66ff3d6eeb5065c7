//! Fetches of parts of a commit, and of the whole commit if the server has no filters.

mod servers;

use std::path::Path;
use std::sync::{Arc, Mutex};

use sluice_git::serve::{Change, Repository};
use sluice_git::walk::VisitError;
use sluice_git::{
    Client, Commit, Entry, Error, FetchResult, Kind, Limits, Reference, Remote, Step, Store, Stores,
};
use sluice_system::fs;

use crate::http::{branch, incompressible};
use crate::server::{Backend, RecordedRequest, Server, client, run, run_with};
use crate::ssh::Sshd;

const REAL: Backend = Backend::Real { version: 2 };
/// The size of a file that is not wanted.
const NOISE: usize = 300_000;
/// Less than that, but more than everything else.
const LITTLE: u64 = 5_000;

/// Configures a server to allow filters and any object ID.
fn allow_filters(repository: &Path) {
    let config = repository.join("config");
    let text = fs::read_to_string(&config).unwrap() + "[uploadpack]\n\tallowFilter = true\n";
    fs::write(config, text).unwrap();
}

fn filled(repository: &Repository) {
    let changes = [
        Change::write("deploy/app.yaml", "app: 1\n"),
        Change::write("deploy/deep/b.yaml", "b: 1\n"),
        Change::Link {
            path: "deploy/link".into(),
            target: "app.yaml".into(),
        },
        Change::write("other/c.yaml", "c: 1\n"),
        Change::write("outside/noise", incompressible(NOISE)),
    ];
    repository.commit("main", "first", &changes).unwrap();
}

/// A client with its stores.
struct User {
    client: Client,
    remote: Remote,
    stores: Stores,
    root: tempfile::TempDir,
}

impl User {
    fn of(remote: Remote) -> Self {
        Self::with(remote, Limits::default())
    }

    fn with(remote: Remote, limits: Limits) -> Self {
        let root = tempfile::tempdir().unwrap();
        Self {
            client: client(),
            remote,
            stores: Stores::new(root.path(), 1 << 30, limits),
            root,
        }
    }

    async fn try_fetch(
        &self,
        reference: &Reference,
        wanted: &'static str,
    ) -> Result<(Store, FetchResult), Error> {
        let resolved = self.client.resolve(&self.remote, reference).await?;
        let wanted = move |path: &Path| path.starts_with(wanted);
        self.stores
            .fetch_part(&self.client, &self.remote, resolved, wanted)
            .await
    }

    /// Fetches a directory of `main`.
    async fn fetch(&self, wanted: &'static str) -> (Store, FetchResult) {
        self.try_fetch(&branch("main"), wanted).await.unwrap()
    }

    /// The names of the store directories.
    fn directories(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.path()).unwrap();
        let mut names: Vec<String> = entries
            .iter()
            .map(|entry| entry.path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    }

    fn is_partial(&self) -> bool {
        self.directories() == [self.remote.key() + "-partial"]
    }

    fn packs(&self) -> Vec<std::path::PathBuf> {
        let directory = self.root.path().join(&self.directories()[0]);
        let entries = fs::read_dir(directory.join("objects/pack")).unwrap();
        entries.into_iter().map(|entry| entry.path).collect()
    }
}

/// A server with filters, its repository, and a client without objects.
async fn real() -> (Server, Repository, User) {
    let server = Server::start(REAL).await;
    let repository = server.repository("r.git");
    allow_filters(repository.path());
    filled(&repository);
    let user = User::of(server.remote("r.git"));
    (server, repository, user)
}

/// The present files and links of a commit.
async fn here(store: &Store, commit: &Commit) -> Vec<String> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&found);
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        let is_blob = matches!(entry.kind(), Kind::File { .. } | Kind::Symlink);
        if is_blob && entry.read(1 << 20).is_ok() {
            let path = entry.path().display().to_string();
            list.lock().unwrap().push(path);
        }
        Ok(Step::Next)
    };
    store.walk(commit, visitor).await.map(drop).unwrap();
    Arc::into_inner(found).unwrap().into_inner().unwrap()
}

const DEPLOYED: [&str; 3] = ["deploy/app.yaml", "deploy/deep/b.yaml", "deploy/link"];
const EVERYTHING: [&str; 5] = [
    "deploy/app.yaml",
    "deploy/deep/b.yaml",
    "deploy/link",
    "other/c.yaml",
    "outside/noise",
];

/// Number of requests for packs, without listings.
fn packs_asked(server: &Server) -> usize {
    let asked = server.asked.lock().unwrap();
    asked.iter().filter(|asked| asks(asked, "want ")).count()
}

/// Number of requests for packs since the last call.
fn fetches(server: &Server) -> usize {
    let count = packs_asked(server);
    server.asked.lock().unwrap().clear();
    count
}

fn asks(asked: &RecordedRequest, text: &str) -> bool {
    asked
        .body
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn only_wanted_files_are_fetched() {
    for backend in [Backend::Ours, REAL] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        allow_filters(repository.path());
        filled(&repository);
        let user = User::of(server.remote("r.git"));
        let (store, fetched) = user.fetch("deploy").await;
        assert!(fetched.received < LITTLE, "{} bytes", fetched.received);
        assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
        assert!(user.is_partial(), "{:?}", user.directories());
        assert_eq!(fetches(&server), 2, "the trees, then the files");

        // Present objects are not requested again.
        let (_, again) = user.fetch("deploy").await;
        assert_eq!((again.received, fetches(&server)), (0, 0));
        let (_, part) = user.fetch("deploy/deep").await;
        assert_eq!((part.received, fetches(&server)), (0, 0));

        // Another selection fetches the difference.
        let (store, other) = user.fetch("other").await;
        assert_eq!(fetches(&server), 1);
        assert!(other.received < 200, "{} bytes", other.received);
        let now = [
            "deploy/app.yaml",
            "deploy/deep/b.yaml",
            "deploy/link",
            "other/c.yaml",
        ];
        assert_eq!(here(&store, &other.commit).await, now);
    }
}

#[tokio::test]
async fn new_commit_fetches_changed_wanted_files() {
    for backend in [Backend::Ours, REAL] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        allow_filters(repository.path());
        filled(&repository);
        // Incompressible trees, so that sending them again would be visible.
        let many: Vec<Change> = (0..200)
            .map(|n| Change::write(format!("many/{n}"), format!("{n}\n")))
            .collect();
        repository.commit("main", "many", &many).unwrap();
        let user = User::of(server.remote("r.git"));
        user.fetch("deploy").await;
        fetches(&server);

        let changes = [
            Change::write("deploy/app.yaml", "app: 2\n"),
            Change::write("outside/noise", incompressible(NOISE - 1)),
        ];
        repository.commit("main", "both", &changes).unwrap();
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(fetches(&server), 2);
        assert!(fetched.received < 1000, "{} bytes", fetched.received);
        assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);

        let changes = [Change::write("outside/noise", incompressible(NOISE - 2))];
        repository.commit("main", "outside", &changes).unwrap();
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(fetches(&server), 1, "no file is missing");
        assert!(fetched.received < 1000, "{} bytes", fetched.received);
        assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    }
}

#[tokio::test]
async fn server_without_filters_sends_whole_commit() {
    for (version, filters) in [(2, false), (1, true), (0, true)] {
        let server = Server::start(Backend::Real { version }).await;
        let repository = server.repository("r.git");
        if filters {
            allow_filters(repository.path());
        }
        filled(&repository);
        let user = User::of(server.remote("r.git"));
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(here(&store, &fetched.commit).await, EVERYTHING);
        assert_eq!(user.directories(), [user.remote.key()]);
        assert_eq!(fetches(&server), 1, "version {version}");
    }
}

#[tokio::test]
async fn partial_fetch_works_over_ssh() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    for filters in [true, false] {
        let (repository, path) = sshd.repository(&format!("{filters}.git"));
        if filters {
            allow_filters(&path);
        }
        filled(&repository);
        let user = User::of(sshd.known(&path));
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(
            fetched.received < LITTLE,
            filters,
            "{} bytes",
            fetched.received
        );
        assert_eq!(user.is_partial(), filters);
        let here = here(&store, &fetched.commit).await;
        assert_eq!(here.contains(&"outside/noise".to_owned()), !filters);
        assert!(here.contains(&"deploy/app.yaml".to_owned()));
    }
}

#[tokio::test]
async fn tags_are_fetched_partially() {
    let (server, repository, user) = real().await;
    let head = repository.head("main").unwrap().unwrap();
    let tag = repository.tag("v1", head, Some("annotated")).unwrap();
    let (store, fetched) = user
        .try_fetch(&Reference::Tag("v1".into()), "deploy")
        .await
        .unwrap();
    assert_eq!((fetched.commit.id, fetched.commit.tag), (head, Some(tag)));
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    let (_, signed) = store.signed(&fetched.commit).await.unwrap();
    assert!(signed.is_some(), "the tag is here as well");

    // A new tag of a present commit needs one object.
    fetches(&server);
    repository.tag("v2", head, Some("another")).unwrap();
    let (store, fetched) = user
        .try_fetch(&Reference::Tag("v2".into()), "deploy")
        .await
        .unwrap();
    assert!(fetched.received < 400, "{} bytes", fetched.received);
    assert_eq!(fetches(&server), 1);
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);

    // A tag without a commit is rejected.
    run(repository.path(), &["tag", "blob", "HEAD:other/c.yaml"]).await;
    let blob = Reference::Tag("blob".into());
    let found = user.try_fetch(&blob, "deploy").await;
    let error = found.map(drop).unwrap_err().to_string();
    assert!(error.contains("is a blob, not a commit"), "{error}");
}

#[tokio::test]
async fn tag_ties_are_resolved_without_files() {
    let (server, repository, user) = real().await;
    let mut made = Vec::new();
    for (date, name) in [
        ("1700009999 +0000", "1.0.0+a"),
        ("1700000000 +0000", "1.0.0+b"),
    ] {
        let environment = [("GIT_COMMITTER_DATE", date), ("GIT_AUTHOR_DATE", date)];
        let arguments = ["commit-tree", "-m", name, "main^{tree}"];
        let id = run_with(repository.path(), &arguments, &environment).await;
        run(repository.path(), &["tag", name, &id]).await;
        made.push(id);
    }
    let range = Reference::Semver("1.0.0".to_owned());
    let (store, fetched) = user.try_fetch(&range, "deploy").await.unwrap();
    assert_eq!(fetched.commit.id.to_string(), made[0]);
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    assert!(user.is_partial());
    assert_eq!(fetches(&server), 3, "two commits, and the files of one");
}

#[tokio::test]
async fn damaged_partial_store_is_filled_again() {
    let (_server, _, user) = real().await;
    user.fetch("deploy").await;
    // Removes one pack after the other.
    for _ in 0..user.packs().len() {
        let lost = user
            .packs()
            .into_iter()
            .find(|path| path.extension().is_some_and(|e| e == "idx"));
        fs::remove_file(lost.unwrap()).unwrap();
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    }
    // The reader detects damage, and the store is deleted.
    for path in user.packs() {
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.len() - 20;
        bytes[12..end].fill(0);
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    let (store, fetched) = user.fetch("deploy").await;
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    assert!(user.is_partial());
}

#[tokio::test]
async fn interrupted_fetch_continues() {
    let (server, _, user) = real().await;
    let asked = async {
        while packs_asked(&server) < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = asked => {}
        _ = user.fetch("deploy") => panic!("the fetch ended before it was cancelled"),
    }
    fetches(&server);
    let (store, fetched) = user.fetch("deploy").await;
    assert_eq!(fetches(&server), 1, "the files alone");
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
}

#[tokio::test]
async fn partial_and_complete_stores_are_separate() {
    let (_server, _, user) = real().await;
    let whole = user.stores.of(&user.remote);
    let resolved = user
        .client
        .resolve(&user.remote, &branch("main"))
        .await
        .unwrap();
    let (one, two, all) = tokio::join!(
        user.fetch("deploy"),
        user.fetch("other"),
        whole.fetch(&user.client, &user.remote, &resolved),
    );
    let of_one = here(&one.0, &one.1.commit).await;
    assert!(
        DEPLOYED
            .iter()
            .all(|path| of_one.contains(&(*path).to_owned())),
        "{of_one:?}"
    );
    let of_two = here(&two.0, &two.1.commit).await;
    assert!(of_two.contains(&"other/c.yaml".to_owned()), "{of_two:?}");
    assert_eq!(here(&whole, &all.unwrap().commit).await, EVERYTHING);
    let key = user.remote.key();
    assert_eq!(user.directories(), [key.clone(), key + "-partial"]);
}

#[tokio::test]
async fn partial_store_is_repacked() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let user = User::of(server.remote("r.git"));
    user.fetch("other").await;
    for round in 0..20 {
        let changes = [Change::write("deploy/app.yaml", format!("app: {round}\n"))];
        repository.commit("main", "next", &changes).unwrap();
        let (store, fetched) = user.fetch("deploy").await;
        let here = here(&store, &fetched.commit).await;
        assert_eq!(here, EVERYTHING[..4], "{round}");
    }
    let packs = user.packs().len();
    assert!(packs < 60, "{packs} files");
    // Kept objects are not fetched again.
    fetches(&server);
    for wanted in ["deploy", "other"] {
        let (_, fetched) = user.fetch(wanted).await;
        assert_eq!((fetched.received, fetches(&server)), (0, 0));
    }
}

#[tokio::test]
async fn deltas_do_not_build_on_missing_files() {
    let (_server, repository, user) = real().await;
    user.fetch("deploy").await;
    // A small change of an unwanted file that a have contains.
    let mut noise = incompressible(NOISE);
    noise[100] ^= 1;
    let changes = [Change::write("outside/noise", noise)];
    repository.commit("main", "edit", &changes).unwrap();
    let (store, fetched) = user.fetch("outside").await;
    assert!(fetched.received > NOISE as u64, "{}", fetched.received);
    let here = here(&store, &fetched.commit).await;
    assert!(here.contains(&"outside/noise".to_owned()), "{here:?}");
    assert!(user.is_partial());
}

#[tokio::test]
async fn many_files_need_several_requests() {
    let server = Server::start(REAL).await;
    let repository = server.repository("r.git");
    allow_filters(repository.path());
    let many: Vec<Change> = (0..10_001)
        .map(|n| Change::write(format!("many/{}/{n}", n % 100), format!("{n}\n")))
        .collect();
    repository.commit("main", "many", &many).unwrap();
    let user = User::of(server.remote("r.git"));
    let (store, fetched) = user.fetch("many").await;
    assert_eq!(fetches(&server), 3);
    assert_eq!(here(&store, &fetched.commit).await.len(), 10_001);
}

//! Of a commit, only those files that somebody wants; and what becomes of it where the server
//! does not help.

mod servers;

use std::path::Path;
use std::sync::{Arc, Mutex};

use sluice_git::serve::{Change, Repository};
use sluice_git::walk::VisitError;
use sluice_git::{
    Client, Commit, Entry, Error, Fetched, Kind, Limits, Reference, Remote, Step, Store, Stores,
};
use sluice_system::fs;

use crate::http::{branch, incompressible};
use crate::server::{Asked, Backend, Server, client, run, run_with};
use crate::ssh::Sshd;

const REAL: Backend = Backend::Real { version: 2 };
/// A file that nobody wants.
const NOISE: usize = 300_000;
/// Far less than that, and more than everything else.
const LITTLE: u64 = 5_000;

/// What a server that keeps a file from nobody who asks for it by name is configured as.
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

/// A client with a place for what it fetches.
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
    ) -> Result<(Store, Fetched), Error> {
        let resolved = self.client.resolve(&self.remote, reference).await?;
        let wanted = move |path: &Path| path.starts_with(wanted);
        self.stores
            .fetch_part(&self.client, &self.remote, resolved, wanted)
            .await
    }

    /// Fetches what `main` has in a directory.
    async fn fetch(&self, wanted: &'static str) -> (Store, Fetched) {
        self.try_fetch(&branch("main"), wanted).await.unwrap()
    }

    /// The directories of stores, by their names.
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

/// A server that filters, what it has, and who has fetched nothing of it yet.
async fn real() -> (Server, Repository, User) {
    let server = Server::start(REAL).await;
    let repository = server.repository("r.git");
    allow_filters(repository.path());
    filled(&repository);
    let user = User::of(server.remote("r.git"));
    (server, repository, user)
}

/// The files and links of a commit whose content is here.
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

/// Requests for packs so far, without the listings of a poll.
fn packs_asked(server: &Server) -> usize {
    let asked = server.asked.lock().unwrap();
    asked.iter().filter(|asked| asks(asked, "want ")).count()
}

/// Requests for packs since they were last counted.
fn fetches(server: &Server) -> usize {
    let count = packs_asked(server);
    server.asked.lock().unwrap().clear();
    count
}

fn asks(asked: &Asked, text: &str) -> bool {
    asked
        .body
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn wanted_files_are_fetched_and_no_others() {
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

        // What is here is not asked for again.
        let (_, again) = user.fetch("deploy").await;
        assert_eq!((again.received, fetches(&server)), (0, 0));
        let (_, part) = user.fetch("deploy/deep").await;
        assert_eq!((part.received, fetches(&server)), (0, 0));

        // Another choice costs what it adds.
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
async fn a_new_commit_costs_what_it_changes_of_what_is_wanted() {
    for backend in [Backend::Ours, REAL] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        allow_filters(repository.path());
        filled(&repository);
        // Trees that do not compress, so that sending them again would show.
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
async fn a_server_without_filters_gives_the_whole_commit() {
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
async fn over_ssh_files_are_wanted_as_well() {
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
async fn tags_lead_to_parts_of_commits() {
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

    // A new tag of a commit that is here costs that one object.
    fetches(&server);
    repository.tag("v2", head, Some("another")).unwrap();
    let (store, fetched) = user
        .try_fetch(&Reference::Tag("v2".into()), "deploy")
        .await
        .unwrap();
    assert!(fetched.received < 400, "{} bytes", fetched.received);
    assert_eq!(fetches(&server), 1);
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);

    // One that leads to no commit is refused as ever.
    run(repository.path(), &["tag", "blob", "HEAD:other/c.yaml"]).await;
    let blob = Reference::Tag("blob".into());
    let found = user.try_fetch(&blob, "deploy").await;
    let error = found.map(drop).unwrap_err().to_string();
    assert!(error.contains("is a blob, not a commit"), "{error}");
}

#[tokio::test]
async fn between_tags_of_one_version_commits_decide_without_their_files() {
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
async fn a_damaged_part_is_filled_anew() {
    let (_server, _, user) = real().await;
    user.fetch("deploy").await;
    // Trees or files, whichever are in the pack: one is lost after the other.
    for _ in 0..user.packs().len() {
        let lost = user
            .packs()
            .into_iter()
            .find(|path| path.extension().is_some_and(|e| e == "idx"));
        fs::remove_file(lost.unwrap()).unwrap();
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
    }
    // Damage within is met by whoever reads, and empties the store.
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
async fn a_fetch_that_ends_between_trees_and_files_is_gone_on_with() {
    let (server, _, user) = real().await;
    let asked = async {
        while packs_asked(&server) < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = asked => {}
        _ = user.fetch("deploy") => panic!("nobody was fast enough"),
    }
    fetches(&server);
    let (store, fetched) = user.fetch("deploy").await;
    assert_eq!(fetches(&server), 1, "the files alone");
    assert_eq!(here(&store, &fetched.commit).await, DEPLOYED);
}

#[tokio::test]
async fn parts_and_wholes_of_one_remote_do_not_disturb_each_other() {
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
async fn many_small_packs_of_parts_become_one() {
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
    // What was kept is not fetched again, whoever wanted it.
    fetches(&server);
    for wanted in ["deploy", "other"] {
        let (_, fetched) = user.fetch(wanted).await;
        assert_eq!((fetched.received, fetches(&server)), (0, 0));
    }
}

#[tokio::test]
async fn what_is_sent_builds_on_nothing_that_is_not_here() {
    let (_server, repository, user) = real().await;
    user.fetch("deploy").await;
    // A small change of a file that is there, and that this commit is thought to have brought.
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
async fn very_many_files_are_asked_for_in_several_questions() {
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

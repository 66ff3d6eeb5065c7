//! Bringing what kustomizations name by URL: repositories over Git, files over HTTP.
//!
//! [`Remotes`] is what a process has: connections, who we are, what is allowed.
//! [`Remotes::for_build`] makes the fetcher of one build, which brings each URL
//! once, failures included: two bases of one branch are of one commit, and a
//! server that does not answer is waited for once. Whatever it fetched goes with it.
//!
//! A fetcher blocks. It may be asked from any thread but those that drive a
//! runtime: the blocking pool, or one without any runtime.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sluice_dial::{BodyError, Dial, HttpClients, SshIdentity};
use sluice_git::serve;
use sluice_git::{Access, Client, Limits, Remote, Stores, Submodules};
use sluice_golang::error::chain;
use sluice_kustomize::Fs;
use sluice_kustomize::remote::{Fetcher, Repository, Unfetched, shown};
use tempfile::TempDir;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::git::GitFs;

/// Things that one build may fetch. Nobody names as many who means well.
const MAX_REMOTES: usize = 512;
/// Bytes of packs that one build may receive.
const MAX_PACKS: u64 = 4 << 30;
/// Patience for a file, as upstream has it for a repository.
const FILE_TIMEOUT: Duration = Duration::from_secs(27);

/// Says who we are to a host over SSH, or why there is nobody to be.
pub type Identities = Arc<dyn Fn() -> Result<SshIdentity, String> + Send + Sync>;

/// What may be fetched, and as whom.
#[derive(Clone)]
pub struct Settings {
    /// How the HTTP clients name themselves.
    pub user_agent: String,
    /// Who we are over SSH; without it, nothing is fetched that way.
    pub ssh: Option<Identities>,
    /// Whether repositories of this machine may be read, by `file://`.
    pub local: bool,
    /// No fetch takes longer, whatever its URL asks for.
    pub patience: Duration,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("user_agent", &self.user_agent)
            .field("ssh", &self.ssh.is_some())
            .field("local", &self.local)
            .field("patience", &self.patience)
            .finish()
    }
}

/// The way to everything that is not in a tree. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Remotes {
    shared: Arc<Shared>,
}

struct Shared {
    settings: Settings,
    http: Arc<HttpClients>,
    git: Client,
    executor: Executor,
}

/// What drives connections.
enum Executor {
    Given(Handle),
    /// Started when something is fetched: most builds fetch nothing.
    Own(OnceLock<Runtime>),
}

impl fmt::Debug for Remotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remotes")
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}

impl Remotes {
    /// Remotes for a program that has no runtime at hand: one is started for the
    /// first fetch.
    pub fn new(settings: Settings) -> Self {
        Self::with(settings, Executor::Own(OnceLock::new()))
    }

    /// Remotes whose connections live on a runtime of several threads.
    pub fn on(runtime: Handle, settings: Settings) -> Self {
        Self::with(settings, Executor::Given(runtime))
    }

    fn with(settings: Settings, executor: Executor) -> Self {
        let http = Arc::new(HttpClients::new(settings.user_agent.clone()));
        let git = Client::new(Arc::clone(&http));
        Self {
            shared: Arc::new(Shared {
                settings,
                http,
                git,
                executor,
            }),
        }
    }

    /// The fetcher of one build.
    pub fn for_build(&self) -> Arc<dyn Fetcher> {
        Arc::new(Build {
            shared: Arc::clone(&self.shared),
            files: Mutex::default(),
            repositories: Mutex::default(),
            received: Mutex::default(),
            directory: OnceLock::new(),
        })
    }
}

impl Shared {
    fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, Unfetched> {
        let runtime = match &self.executor {
            Executor::Given(handle) => return Ok(handle.block_on(work)),
            Executor::Own(runtime) => runtime,
        };
        if let Some(runtime) = runtime.get() {
            return Ok(runtime.block_on(work));
        }
        let made = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Unfetched::Failed(format!("start the async runtime: {error}")))?;
        Ok(runtime.get_or_init(|| made).block_on(work))
    }
}

/// What was asked for, and what came of it. Whoever asks second waits for the first.
type Once<K, V> = Mutex<HashMap<K, Arc<OnceLock<Result<V, Unfetched>>>>>;

/// What is fetched for one build.
struct Build {
    shared: Arc<Shared>,
    files: Once<String, Arc<[u8]>>,
    repositories: Once<Checkout, Arc<GitFs>>,
    /// Bytes of packs so far.
    received: Mutex<u64>,
    directory: OnceLock<Result<Arc<TempDir>, Unfetched>>,
}

/// What makes one checkout differ from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Checkout {
    url: String,
    reference: String,
    submodules: bool,
}

fn once<K: std::hash::Hash + Eq, V: Clone>(
    known: &Once<K, V>,
    key: K,
    fetch: impl FnOnce() -> Result<V, Unfetched>,
) -> Result<V, Unfetched> {
    let place = {
        // Only whole entries are put in.
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(&key) && known.len() >= MAX_REMOTES {
            let reason = format!("the build fetches more than {MAX_REMOTES} things");
            return Err(Unfetched::Limit(reason));
        }
        Arc::clone(known.entry(key).or_default())
    };
    place.get_or_init(fetch).clone()
}

impl Fetcher for Build {
    fn file(&self, url: &str, limit: u64) -> Result<Vec<u8>, Unfetched> {
        let contents = once(&self.files, url.to_owned(), || {
            let patience = FILE_TIMEOUT.min(self.shared.settings.patience);
            let work = self.read(url, limit);
            self.shared.block_on(within(patience, work))?
        })?;
        Ok(contents.to_vec())
    }

    fn repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, Unfetched> {
        let key = Checkout {
            url: repository.url.clone(),
            reference: repository.reference.clone(),
            submodules: repository.submodules,
        };
        let tree = once(&self.repositories, key, || {
            let tree = match strip_scheme(&repository.url, "file://") {
                Some(path) => self.open(path, repository)?,
                None => self.shared.block_on(self.clone_of(repository))??,
            };
            Ok(Arc::new(tree))
        })?;
        Ok(tree)
    }
}

/// Bounds some work.
async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Unfetched>>,
) -> Result<T, Unfetched> {
    match tokio::time::timeout(limit, work).await {
        Ok(done) => done,
        Err(_) => Err(Unfetched::Timeout(limit)),
    }
}

fn strip_scheme<'a>(url: &'a str, scheme: &str) -> Option<&'a str> {
    let head = url.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme)
        .then(|| &url[scheme.len()..])
}

impl Build {
    async fn read(&self, url: &str, limit: u64) -> Result<Arc<[u8]>, Unfetched> {
        let url = reqwest::Url::parse(url).map_err(|error| Unfetched::Failed(error.to_string()))?;
        let client = self.shared.http.get(&Dial::default());
        let client = client.map_err(|error| Unfetched::Failed(chain(&error)))?;
        let response = client.get(url).send().await;
        let response = response.map_err(|error| Unfetched::Failed(sluice_dial::explain(&error)))?;
        let status = response.status();
        if !status.is_success() {
            return Err(Unfetched::Status {
                code: status.as_u16(),
                reason: status_text(status).to_owned(),
            });
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        match sluice_dial::read_body(response, limit).await {
            Ok(body) => Ok(body.as_ref().into()),
            Err(error @ BodyError::TooLarge { .. }) => Err(Unfetched::Limit(error.to_string())),
            Err(error) => Err(Unfetched::Failed(error.to_string())),
        }
    }

    /// Opens a repository of this machine, where it is.
    fn open(&self, path: &str, repository: &Repository) -> Result<GitFs, Unfetched> {
        if !self.shared.settings.local {
            let reason = "repositories of this machine are not read";
            return Err(Unfetched::Refused(reason.to_owned()));
        }
        let name = name_of(repository)?;
        let mut candidates = [path.to_owned(), format!("{path}.git")].into_iter();
        let opened = candidates.find_map(|path| serve::Repository::open(path).ok());
        let Some(opened) = opened else {
            let reason = format!("'{path}' does not appear to be a git repository");
            return Err(Unfetched::Failed(reason));
        };
        let failed = |error| Unfetched::Failed(chain(&error));
        let snapshot = opened.snapshot(name, limits()).map_err(failed)?;
        let Some(snapshot) = snapshot else {
            return Err(Unfetched::Failed(format!(
                "couldn't find remote ref {name}"
            )));
        };
        Ok(GitFs::new(snapshot, shown(&repository.url), None))
    }

    /// Fetches one commit of a repository, and its submodules' if they are wanted.
    async fn clone_of(&self, repository: &Repository) -> Result<GitFs, Unfetched> {
        let name = name_of(repository)?;
        let patience = repository.timeout.min(self.shared.settings.patience);
        let remote = self.remote(repository)?.with_timeout(patience);
        let directory = self.directory()?;
        let stores = Stores::new(directory.path(), u64::MAX, limits());
        let store = stores.of(&remote);
        let git = &self.shared.git;
        let commit = within(patience, async {
            let resolved = git.resolve_short(&remote, name).await.map_err(unfetched)?;
            let fetched = store.fetch(git, &remote, &resolved).await;
            let fetched = fetched.map_err(unfetched)?;
            self.count(fetched.received)?;
            Ok(fetched.commit)
        })
        .await?;
        let submodules = if repository.submodules {
            // As upstream, which gives each of its commands the whole time.
            let fetching = Submodules::fetch(git, &stores, &remote, &store, &commit);
            let fetching = Box::pin(fetching);
            within(patience, async { fetching.await.map_err(unfetched) }).await?
        } else {
            Submodules::default()
        };
        let snapshot = store.snapshot(&commit, &submodules).await;
        let snapshot = snapshot.map_err(unfetched)?;
        Ok(GitFs::new(
            snapshot,
            shown(&repository.url),
            Some(directory),
        ))
    }

    fn remote(&self, repository: &Repository) -> Result<Remote, Unfetched> {
        let remote = Remote::new(&address(&repository.url)).map_err(unfetched)?;
        if !remote.address.is_ssh() {
            return Ok(remote);
        }
        let Some(identities) = &self.shared.settings.ssh else {
            let reason = "there is no SSH key to fetch with; give an HTTPS URL";
            return Err(Unfetched::Refused(reason.to_owned()));
        };
        let identity = identities().map_err(Unfetched::Refused)?;
        Ok(remote.with_access(Access::Ssh(identity)))
    }

    fn count(&self, received: u64) -> Result<(), Unfetched> {
        let mut total = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        *total = total.saturating_add(received);
        if *total > MAX_PACKS {
            let reason = format!("the repositories of the build are larger than {MAX_PACKS} bytes");
            return Err(Unfetched::Limit(reason));
        }
        Ok(())
    }

    /// Where repositories go. It is a directory of the system, and goes with the build.
    fn directory(&self) -> Result<Arc<TempDir>, Unfetched> {
        let made = self.directory.get_or_init(|| {
            let made = tempfile::Builder::new().prefix("remote-bases-").tempdir();
            let made = made.map_err(|error| {
                Unfetched::Failed(format!("make a directory for repositories: {error}"))
            })?;
            Ok(Arc::new(made))
        });
        made.clone()
    }
}

/// What is asked for, in words that no program could take for an option.
fn name_of(repository: &Repository) -> Result<&str, Unfetched> {
    match repository.reference.as_str() {
        "" => Ok("HEAD"),
        name if name.starts_with('-') => {
            let reason = "the name of a reference must not begin with '-'";
            Err(Unfetched::Refused(reason.to_owned()))
        }
        name => Ok(name),
    }
}

/// A URL in the form that every address has: `user@host:path` is one over SSH.
fn address(url: &str) -> String {
    if url.contains("://") {
        return url.to_owned();
    }
    match url.split_once(':') {
        Some((host, path)) => format!("ssh://{host}/{}", path.trim_start_matches('/')),
        None => url.to_owned(),
    }
}

/// What is taken from a repository that nobody vouches for.
fn limits() -> Limits {
    Limits {
        pack_bytes: 1 << 30,
        blob_bytes: 1 << 30,
        ..Limits::default()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn unfetched(error: sluice_git::Error) -> Unfetched {
    let mut cause = &error;
    while let sluice_git::Error::Submodule { source, .. } = cause {
        cause = source;
    }
    match cause {
        sluice_git::Error::Timeout { limit, .. } => Unfetched::Timeout(*limit),
        sluice_git::Error::Limit { .. } => Unfetched::Limit(chain(&error)),
        _ => Unfetched::Failed(chain(&error)),
    }
}

/// What a status means, in the words of Go.
fn status_text(status: reqwest::StatusCode) -> &'static str {
    match status.as_u16() {
        413 => "Request Entity Too Large",
        414 => "Request URI Too Long",
        416 => "Requested Range Not Satisfiable",
        _ => status.canonical_reason().unwrap_or_default(),
    }
}

//! Fetches remote bases of kustomizations: repositories over Git and files over HTTP.
//!
//! A process has one [`RemoteFetcher`] with its connections, credentials and settings.
//! [`RemoteFetcher::for_build`] creates the fetcher of a build. It fetches each URL once,
//! including failures. So two bases of the same branch get the same commit, and a silent
//! server is waited for once. The fetched data is dropped with the fetcher.
//!
//! A fetcher blocks. Call it from the blocking pool or from a thread without a runtime.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sluice_dial::{BodyError, Dial, HttpClients, SshIdentity};
use sluice_git::serve;
use sluice_git::{Access, Client, Limits, Remote, Stores, Submodules};
use sluice_golang::error::chain;
use sluice_kustomize::remote::{FetchError, Fetcher, Repository};
use sluice_kustomize::{Fs, redact_url};
use tempfile::TempDir;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::git::GitFs;

/// The maximum number of fetches of a build.
const MAX_REMOTES: usize = 512;
/// The maximum size of the packs of a build, in bytes.
const MAX_PACK_BYTES: u64 = 4 << 30;
/// The timeout of a file, as upstream has it for a repository.
const FILE_TIMEOUT: Duration = Duration::from_secs(27);

/// Returns the SSH identity, or why there is none.
pub type SshIdentityProvider = Arc<dyn Fn() -> Result<SshIdentity, String> + Send + Sync>;

/// Limits and credentials of fetches.
#[derive(Clone)]
pub struct FetchSettings {
    /// The user agent of HTTP requests.
    pub user_agent: String,
    /// The SSH identity; without it, SSH URLs are rejected.
    pub ssh: Option<SshIdentityProvider>,
    /// Whether to allow repositories of this machine, by `file://`.
    pub allow_local: bool,
    /// The maximum timeout, which overrides the timeout of a URL.
    pub max_timeout: Duration,
}

impl fmt::Debug for FetchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchSettings")
            .field("user_agent", &self.user_agent)
            .field("ssh", &self.ssh.is_some())
            .field("allow_local", &self.allow_local)
            .field("max_timeout", &self.max_timeout)
            .finish()
    }
}

/// Creates fetchers that share connections. Cheap to clone; one per process.
#[derive(Clone)]
pub struct RemoteFetcher {
    shared: Arc<Shared>,
}

struct Shared {
    settings: FetchSettings,
    http: Arc<HttpClients>,
    git: Client,
    executor: Executor,
}

/// The runtime that drives connections.
enum Executor {
    Given(Handle),
    /// Started on the first fetch, because most builds fetch nothing.
    Own(OnceLock<Runtime>),
}

impl fmt::Debug for RemoteFetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteFetcher")
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}

impl RemoteFetcher {
    /// Creates a fetcher for a program without a runtime. The first fetch starts one.
    pub fn new(settings: FetchSettings) -> Self {
        Self::with(settings, Executor::Own(OnceLock::new()))
    }

    /// Creates a fetcher whose connections use a multi-threaded runtime.
    pub fn on(runtime: Handle, settings: FetchSettings) -> Self {
        Self::with(settings, Executor::Given(runtime))
    }

    fn with(settings: FetchSettings, executor: Executor) -> Self {
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

    /// Creates the fetcher of one build.
    pub fn for_build(&self) -> Arc<dyn Fetcher> {
        Arc::new(BuildFetcher {
            shared: Arc::clone(&self.shared),
            files: Mutex::default(),
            repositories: Mutex::default(),
            received: Mutex::default(),
            directory: OnceLock::new(),
        })
    }
}

impl Shared {
    fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, FetchError> {
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
            .map_err(|error| FetchError::Failed(format!("start the async runtime: {error}")))?;
        Ok(runtime.get_or_init(|| made).block_on(work))
    }
}

/// The results by request. Concurrent requests wait for the first.
type OnceMap<K, V> = Mutex<HashMap<K, Arc<OnceLock<Result<V, FetchError>>>>>;

/// The fetcher of one build.
struct BuildFetcher {
    shared: Arc<Shared>,
    files: OnceMap<String, Arc<[u8]>>,
    repositories: OnceMap<Checkout, Arc<GitFs>>,
    /// The received bytes of packs.
    received: Mutex<u64>,
    directory: OnceLock<Result<Arc<TempDir>, FetchError>>,
}

/// The key of a checkout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Checkout {
    url: String,
    reference: String,
    submodules: bool,
}

fn once<K: std::hash::Hash + Eq, V: Clone>(
    known: &OnceMap<K, V>,
    key: K,
    fetch: impl FnOnce() -> Result<V, FetchError>,
) -> Result<V, FetchError> {
    let place = {
        // The map is consistent even after a panic, because entries are inserted whole.
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(&key) && known.len() >= MAX_REMOTES {
            let reason = format!("the build fetches more than {MAX_REMOTES} things");
            return Err(FetchError::Limit(reason));
        }
        Arc::clone(known.entry(key).or_default())
    };
    place.get_or_init(fetch).clone()
}

impl Fetcher for BuildFetcher {
    fn fetch_file(&self, url: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
        let contents = once(&self.files, url.to_owned(), || {
            let timeout = FILE_TIMEOUT.min(self.shared.settings.max_timeout);
            let work = self.read(url, limit);
            self.shared.block_on(with_timeout(timeout, work))?
        })?;
        Ok(contents.to_vec())
    }

    fn fetch_repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
        let key = Checkout {
            url: repository.url.clone(),
            reference: repository.reference.clone(),
            submodules: repository.submodules,
        };
        let tree = once(&self.repositories, key, || {
            let tree = match strip_scheme(&repository.url, "file://") {
                Some(path) => self.open(path, repository)?,
                None => self.shared.block_on(self.clone_repository(repository))??,
            };
            Ok(Arc::new(tree))
        })?;
        Ok(tree)
    }
}

/// Runs work with a timeout.
async fn with_timeout<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, FetchError>>,
) -> Result<T, FetchError> {
    match tokio::time::timeout(limit, work).await {
        Ok(done) => done,
        Err(_) => Err(FetchError::Timeout(limit)),
    }
}

fn strip_scheme<'a>(url: &'a str, scheme: &str) -> Option<&'a str> {
    let head = url.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme)
        .then(|| &url[scheme.len()..])
}

impl BuildFetcher {
    async fn read(&self, url: &str, limit: u64) -> Result<Arc<[u8]>, FetchError> {
        let url =
            sluice_dial::Url::parse(url).map_err(|error| FetchError::Failed(error.to_string()))?;
        let client = self.shared.http.get(&Dial::default());
        let client = client.map_err(|error| FetchError::Failed(chain(&error)))?;
        let response = client.get(url).send().await;
        let response =
            response.map_err(|error| FetchError::Failed(sluice_dial::explain(&error)))?;
        let status = response.status();
        if !status.is_success() {
            return Err(FetchError::Status {
                code: status.as_u16(),
                reason: status_text(status).to_owned(),
            });
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        match sluice_dial::read_body(response, limit).await {
            Ok(body) => Ok(body.as_ref().into()),
            Err(error @ BodyError::TooLarge { .. }) => Err(FetchError::Limit(error.to_string())),
            Err(error) => Err(FetchError::Failed(error.to_string())),
        }
    }

    /// Opens a repository of this machine in place.
    fn open(&self, path: &str, repository: &Repository) -> Result<GitFs, FetchError> {
        if !self.shared.settings.allow_local {
            let reason = "repositories of this machine are not read";
            return Err(FetchError::Refused(reason.to_owned()));
        }
        let name = name_of(repository)?;
        let mut candidates = [path.to_owned(), format!("{path}.git")].into_iter();
        let opened = candidates.find_map(|path| serve::Repository::open(path).ok());
        let Some(opened) = opened else {
            let reason = format!("'{path}' does not appear to be a git repository");
            return Err(FetchError::Failed(reason));
        };
        let failed = |error| FetchError::Failed(chain(&error));
        let snapshot = opened.snapshot(name, limits()).map_err(failed)?;
        let Some(snapshot) = snapshot else {
            return Err(FetchError::Failed(format!(
                "couldn't find remote ref {name}"
            )));
        };
        Ok(GitFs::with_directory(
            snapshot,
            redact_url(&repository.url),
            None,
        ))
    }

    /// Fetches a commit of a repository, and its submodules if requested.
    async fn clone_repository(&self, repository: &Repository) -> Result<GitFs, FetchError> {
        let name = name_of(repository)?;
        let timeout = repository.timeout.min(self.shared.settings.max_timeout);
        let remote = self.remote(repository)?.with_timeout(timeout);
        let directory = self.directory()?;
        let stores = Stores::new(directory.path(), u64::MAX, limits());
        let store = stores.of(&remote);
        let git = &self.shared.git;
        let commit = with_timeout(timeout, async {
            let resolved = git
                .resolve_short(&remote, name)
                .await
                .map_err(fetch_error)?;
            let fetched = store.fetch(git, &remote, &resolved).await;
            let fetched = fetched.map_err(fetch_error)?;
            self.count(fetched.received)?;
            Ok(fetched.commit)
        })
        .await?;
        let submodules = if repository.submodules {
            // As in upstream, each step has the whole timeout.
            let fetching = Submodules::fetch(git, &stores, &remote, &store, &commit);
            let fetching = Box::pin(fetching);
            with_timeout(timeout, async { fetching.await.map_err(fetch_error) }).await?
        } else {
            Submodules::default()
        };
        let snapshot = store.snapshot(&commit, &submodules).await;
        let snapshot = snapshot.map_err(fetch_error)?;
        Ok(GitFs::with_directory(
            snapshot,
            redact_url(&repository.url),
            Some(directory),
        ))
    }

    fn remote(&self, repository: &Repository) -> Result<Remote, FetchError> {
        let remote = Remote::new(&address(&repository.url)).map_err(fetch_error)?;
        if !remote.address.is_ssh() {
            return Ok(remote);
        }
        let Some(identities) = &self.shared.settings.ssh else {
            let reason = "no SSH key to fetch with; give an HTTPS URL";
            return Err(FetchError::Refused(reason.to_owned()));
        };
        let identity = identities().map_err(FetchError::Refused)?;
        Ok(remote.with_access(Access::Ssh(identity)))
    }

    fn count(&self, received: u64) -> Result<(), FetchError> {
        let mut total = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        *total = total.saturating_add(received);
        if *total > MAX_PACK_BYTES {
            let reason =
                format!("the repositories of the build are larger than {MAX_PACK_BYTES} bytes");
            return Err(FetchError::Limit(reason));
        }
        Ok(())
    }

    /// Returns the temporary directory for repositories, which is deleted with the build.
    fn directory(&self) -> Result<Arc<TempDir>, FetchError> {
        let made = self.directory.get_or_init(|| {
            let made = tempfile::Builder::new().prefix("remote-bases-").tempdir();
            let made = made.map_err(|error| {
                FetchError::Failed(format!("make a directory for repositories: {error}"))
            })?;
            Ok(Arc::new(made))
        });
        made.clone()
    }
}

/// Returns the reference to fetch. Rejects one that a program could parse as an option.
fn name_of(repository: &Repository) -> Result<&str, FetchError> {
    match repository.reference.as_str() {
        "" => Ok("HEAD"),
        name if name.starts_with('-') => {
            let reason = "the name of a reference must not begin with '-'";
            Err(FetchError::Refused(reason.to_owned()))
        }
        name => Ok(name),
    }
}

/// Converts a URL into an address: `user@host:path` means SSH.
fn address(url: &str) -> String {
    if url.contains("://") {
        return url.to_owned();
    }
    match url.split_once(':') {
        Some((host, path)) => format!("ssh://{host}/{}", path.trim_start_matches('/')),
        None => url.to_owned(),
    }
}

/// The limits for an untrusted repository.
fn limits() -> Limits {
    Limits {
        pack_bytes: 1 << 30,
        blob_bytes: 1 << 30,
        ..Limits::default()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn fetch_error(error: sluice_git::Error) -> FetchError {
    let mut cause = &error;
    while let sluice_git::Error::Submodule { source, .. } = cause {
        cause = source;
    }
    match cause {
        sluice_git::Error::Timeout { limit, .. } => FetchError::Timeout(*limit),
        sluice_git::Error::Limit { .. } => FetchError::Limit(chain(&error)),
        _ => FetchError::Failed(chain(&error)),
    }
}

/// Returns the text of a status, as in Go.
fn status_text(status: sluice_dial::StatusCode) -> &'static str {
    match status.as_u16() {
        413 => "Request Entity Too Large",
        414 => "Request URI Too Long",
        416 => "Requested Range Not Satisfiable",
        _ => status.canonical_reason().unwrap_or_default(),
    }
}

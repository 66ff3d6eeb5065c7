//! Objects on disk: what was fetched of one remote by one identity.
//!
//! A store is a directory of packs and a list of the commits whose trees those
//! packs hold in full. It is a cache: whatever is lost or damaged is fetched
//! again. There is no worktree, no configuration and no reference in it.
//!
//! A [partial] store promises less: of its commits it holds the trees in full, and of
//! their files those that somebody wanted. The two never share a directory.
//!
//! All work of libgit2 happens on the blocking pool, at most so many pieces at a
//! time as there are permits. Whoever gives up waiting stops the work too: a pack
//! is abandoned without a trace, a walk ends before its next entry.

use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sluice_system::fs;
use tokio::sync::RwLock;

use crate::client::Client;
use crate::commit::Commit;
use crate::disk;
use crate::draft::{Draft, Drafted};
use crate::error::{Error, Phase, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::limits::Limits;
use crate::protocol::command::{Depth, Fetch};
use crate::reference::Resolved;
use crate::remote::Remote;
use crate::signature::{Signed, SignedTag};
use crate::signing::Signer;
use crate::submodule::Submodules;
use crate::walk::{Objects, Snapshot, Visitor};

mod index;
pub(crate) mod packed;
mod partial;
mod peel;
mod repack;
pub(crate) mod scan;
mod stores;
mod work;

pub use stores::Stores;

use partial::Wanted;
use peel::Peel;
use work::{Permits, blocking, cancellation};

/// Commits named to a server as known. Few are enough: each holds a whole tree.
const MAX_HAVES: usize = 16;
/// The list of commits held in full, oldest first.
const COMMITS: &str = "commits";
const OBJECTS: &str = "objects";
/// Objects of one remote. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// Are files fetched only when they are wanted?
    partial: bool,
    limits: Limits,
    permits: Permits,
    /// Taken for reading by walks, for writing by whoever removes packs.
    packs: Arc<RwLock<()>>,
    /// One fetch at a time: the second one finds what the first brought.
    fetching: tokio::sync::Mutex<()>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.inner.path)
            .finish_non_exhaustive()
    }
}

/// What a fetch brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The commit, whose tree is in the store now.
    pub commit: Commit,
    /// Bytes of pack that were received for it; zero when it was there already.
    pub received: u64,
}

impl Store {
    /// A store in a directory of its own, made when something is fetched.
    pub fn at(path: impl Into<PathBuf>, limits: Limits) -> Self {
        Self::with(path.into(), false, limits, Permits::new())
    }

    fn with(path: PathBuf, partial: bool, limits: Limits, permits: Permits) -> Self {
        let (packs, fetching) = Default::default();
        Self {
            inner: Arc::new(Inner {
                path,
                partial,
                limits,
                permits,
                packs,
                fetching,
            }),
        }
    }

    /// Makes sure that a commit and its tree are here, and reads the commit.
    ///
    /// What is here is not asked for again. Of a new commit, the server is asked
    /// for what it adds to the commits that are here. A store that turns out to be
    /// damaged is thrown away and filled anew.
    pub async fn fetch(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &Resolved,
    ) -> Result<Fetched> {
        self.fetch_with(client, remote, resolved, None).await
    }

    /// The same, and with it those of its files that are wanted, where not all of them come.
    async fn fetch_with(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &Resolved,
        wanted: Option<&Wanted>,
    ) -> Result<Fetched> {
        remote.check()?;
        let turn = tokio::time::timeout(remote.timeout, self.inner.fetching.lock());
        let _alone = turn.await.map_err(|_| Error::Timeout {
            remote: remote.address.to_string(),
            phase: Phase::Wait,
            limit: remote.timeout,
        })?;
        match self.fetch_both(client, remote, resolved, wanted).await {
            Err(error @ (Error::Object { .. } | Error::Store { .. })) => {
                tracing::warn!(%error, remote = %remote.address, "Git store is damaged: filling it anew");
                self.discard().await?;
                self.fetch_both(client, remote, resolved, wanted).await
            }
            other => other,
        }
    }

    async fn fetch_missing(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &Resolved,
    ) -> Result<Fetched> {
        let about = || {
            (
                Arc::clone(&self.inner),
                resolved.clone(),
                remote.address.to_string(),
            )
        };
        let (inner, wanted, name) = about();
        let known = self.blocking(move || inner.look_up(&wanted, &name)).await?;
        let haves = match known {
            Known::Here(commit) => {
                return Ok(Fetched {
                    commit: *commit,
                    received: 0,
                });
            }
            Known::Others(haves) => haves,
        };
        let request = Fetch {
            wants: vec![resolved.want],
            shallow: haves.clone(),
            haves,
            depth: Depth::One,
            without_blobs: self.inner.partial,
        };
        let received = match self.receive(client, remote, &request).await {
            Err(Error::Remote { message, .. })
                if refuses_object(&message) && !self.inner.partial =>
            {
                self.receive_everything(client, remote, resolved).await?
            }
            other => other?,
        };
        let (inner, wanted, name) = about();
        let commit = self.blocking(move || inner.take_in(&wanted, &name)).await?;
        self.tidy_up(remote).await;
        tracing::debug!(remote = %remote.address, revision = %resolved.revision(), received, "fetched");
        Ok(Fetched { commit, received })
    }

    /// Fetches every branch and tag with its history: the way to a commit that a
    /// server does not give out by name.
    async fn receive_everything(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &Resolved,
    ) -> Result<u64> {
        let prefixes = ["HEAD", "refs/heads/", "refs/tags/"].map(str::to_owned);
        let refs = client.ls_refs(remote, &prefixes).await?;
        let mut wants: Vec<ObjectId> = refs.0.iter().map(|reference| reference.target).collect();
        wants.sort_unstable();
        wants.dedup();
        if wants.is_empty() {
            return Err(Error::EmptyRepository {
                remote: remote.address.to_string(),
            });
        }
        let request = Fetch {
            wants,
            haves: Vec::new(),
            shallow: Vec::new(),
            depth: Depth::All,
            without_blobs: false,
        };
        tracing::info!(
            remote = %remote.address, commit = %resolved.commit,
            "the server does not give out commits by name: fetching all of its history"
        );
        self.receive(client, remote, &request).await
    }

    async fn receive(&self, client: &Client, remote: &Remote, request: &Fetch) -> Result<u64> {
        let pack = packs(&self.inner.objects());
        let permits = self.inner.permits.clone();
        let incoming = client.fetch(remote, request).await?;
        let inner = Arc::clone(&self.inner);
        self.blocking(move || inner.prepare()).await?;
        index::receive(incoming, pack, self.inner.limits, permits).await
    }

    /// Keeps the number of packs small. Failing at it does no harm to what was fetched.
    async fn tidy_up(&self, remote: &Remote) {
        if let Err(error) = self.repack_if_needed().await {
            tracing::warn!(%error, remote = %remote.address, "cannot tidy up Git store");
        }
    }

    async fn repack_if_needed(&self) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        if self
            .blocking(move || repack::is_needed(&inner.objects()))
            .await?
        {
            let _nobody_reads = self.inner.packs.write().await;
            let inner = Arc::clone(&self.inner);
            self.blocking(move || repack::run(&inner)).await?;
        }
        Ok(())
    }

    /// Walks the tree of a commit that was fetched, on the blocking pool, and
    /// gives the visitor back. A tree of which parts are missing or damaged is an
    /// error, and empties the store: the next fetch fills it anew.
    pub async fn walk<V: Visitor + Send + 'static>(
        &self,
        commit: &Commit,
        visitor: V,
    ) -> Result<V> {
        self.walk_with(commit, &Submodules::default(), visitor)
            .await
    }

    /// As [`Store::walk`], and on into the submodules: an entry of
    /// [`crate::Kind::Submodule`] is followed by what its module holds.
    pub async fn walk_with<V: Visitor + Send + 'static>(
        &self,
        commit: &Commit,
        submodules: &Submodules,
        mut visitor: V,
    ) -> Result<V> {
        let stores = self.and(submodules);
        let walked = {
            let mut packs_stay = Vec::new();
            for store in &stores {
                packs_stay.push(store.inner.packs.read().await);
            }
            let (inner, id, tree) = (Arc::clone(&self.inner), commit.id, commit.tree);
            let modules = submodules.clone();
            let (running, _stop_when_dropped) = cancellation();
            self.blocking(move || {
                let objects = inner.open()?;
                let open = modules.open()?;
                let go_on = || running.load(Ordering::Relaxed);
                objects.walk(id, tree, &inner.limits, &mut visitor, &go_on, &open)?;
                Ok(visitor)
            })
            .await
        };
        if matches!(walked, Err(Error::Object { .. })) {
            // Which of them it was is not worth knowing: each is only a cache.
            for store in &stores {
                store.discard().await?;
            }
        }
        walked
    }

    /// Opens the tree of a commit that was fetched, with its submodules, to look
    /// things up in. No pack is removed while it is open.
    pub async fn snapshot(&self, commit: &Commit, submodules: &Submodules) -> Result<Snapshot> {
        let mut packs_stay = Vec::new();
        for store in self.and(submodules) {
            packs_stay.push(Arc::clone(&store.inner.packs).read_owned().await);
        }
        let (inner, ids) = (Arc::clone(&self.inner), (commit.id, commit.tree));
        let modules = submodules.clone();
        self.blocking(move || {
            let (objects, modules) = (inner.open()?, modules.open()?);
            Ok(Snapshot::new(
                objects,
                modules,
                ids,
                inner.limits,
                packs_stay,
            ))
        })
        .await
    }

    /// This store and those of the submodules, each once.
    fn and(&self, submodules: &Submodules) -> Vec<Self> {
        let mut stores = vec![self.clone()];
        for store in submodules.stores() {
            let known = |known: &Self| Arc::ptr_eq(&known.inner, &store.inner);
            if !stores.iter().any(known) {
                stores.push(store.clone());
            }
        }
        stores
    }

    /// Reads a commit, and the annotated tag that led to it, with their signatures.
    pub async fn signed(&self, commit: &Commit) -> Result<(Signed, Option<SignedTag>)> {
        let _packs_stay = self.inner.packs.read().await;
        let (inner, id, tag) = (Arc::clone(&self.inner), commit.id, commit.tag);
        self.blocking(move || {
            let objects = inner.open()?;
            let limit = inner.limits.metadata_bytes;
            let commit = Signed::commit(&objects.metadata(id, git2::ObjectType::Commit, limit)?);
            let tag = match tag {
                None => None,
                Some(tag) => {
                    let object = objects.metadata(tag, git2::ObjectType::Tag, limit)?;
                    Some(SignedTag::read(tag, &object))
                }
            };
            Ok((commit, tag))
        })
        .await
    }

    /// Makes a commit on top of one that was fetched, or the first one of all, in memory:
    /// nothing is written. `None` if the files are as they are to be.
    pub async fn draft(
        &self,
        parent: Option<&Commit>,
        draft: Draft,
        signer: Option<Signer>,
    ) -> Result<Option<Drafted>> {
        let _packs_stay = self.inner.packs.read().await;
        let (objects, parent) = (self.inner.objects(), parent.map(|parent| parent.id));
        self.blocking(move || draft.make(&objects, parent, signer.as_ref()))
            .await
    }

    /// Decides between tags of one version: the one whose commit was made last is meant, and
    /// of several made at one time the last by name. Their commits are fetched for it.
    pub async fn settle(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: Resolved,
    ) -> Result<Resolved> {
        let mut resolved = resolved;
        let mut candidates = std::mem::take(&mut resolved.rivals);
        if candidates.is_empty() {
            return Ok(resolved);
        }
        candidates.push(resolved.clone());
        let mut newest: Option<(i64, Resolved)> = None;
        for candidate in candidates {
            let fetched = self.fetch(client, remote, &candidate).await?;
            let made = fetched.commit.committer.seconds;
            if newest.as_ref().is_none_or(|(time, _)| *time <= made) {
                newest = Some((made, candidate));
            }
        }
        Ok(newest.map_or(resolved, |(_, newest)| newest))
    }

    /// Throws everything away.
    pub async fn discard(&self) -> Result<()> {
        let _nobody_reads = self.inner.packs.write().await;
        let inner = Arc::clone(&self.inner);
        self.blocking(move || disk::remove_directory(&inner.path))
            .await
    }

    pub(crate) fn open(&self) -> Result<Objects> {
        self.inner.open()
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        blocking(&self.inner.permits.work, work).await
    }
}

/// What a store knows of a commit that is asked for.
enum Known {
    /// It is here.
    Here(Box<Commit>),
    /// It is not; these are.
    Others(Vec<ObjectId>),
}

impl Inner {
    fn objects(&self) -> PathBuf {
        self.path.join(OBJECTS)
    }

    fn open(&self) -> Result<Objects> {
        let directory = self.objects();
        let (odb, _) =
            libgit::open(&directory).map_err(|error| self.failed("open objects", &error))?;
        Ok(Objects::new(odb, directory))
    }

    fn failed(&self, action: &'static str, error: &git2::Error) -> Error {
        Error::Store {
            action,
            path: self.path.clone(),
            reason: error.message().to_owned(),
        }
    }

    /// The commits held in full, oldest first.
    fn commits(&self) -> Result<Vec<ObjectId>> {
        let text = disk::read(&self.path.join(COMMITS))?.unwrap_or_default();
        let lines = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        lines
            .map(ObjectId::parse)
            .collect::<Result<_, _>>()
            .map_err(|_| Error::Store {
                action: "read the list of commits",
                path: self.path.join(COMMITS),
                reason: "a line is no object name".to_owned(),
            })
    }

    fn write_commits(&self, commits: &[ObjectId]) -> Result<()> {
        let lines: Vec<String> = commits.iter().map(ObjectId::to_string).collect();
        let text = lines.join("\n") + "\n";
        Ok(fs::write_atomically(self.path.join(COMMITS), text)?)
    }

    /// Makes the directory, for a server that has something to put into it.
    fn prepare(&self) -> Result<()> {
        if !fs::exists(&self.path)? {
            fs::create_dir_all(packs(&self.objects()))?;
            // What is in here was fetched with somebody's credentials.
            fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn look_up(&self, resolved: &Resolved, remote: &str) -> Result<Known> {
        let mut commits = self.commits()?;
        if commits.contains(&resolved.commit) {
            let (odb, repository) = libgit::open(&self.objects())
                .map_err(|error| self.failed("open objects", &error))?;
            let commit = libgit::commit(&repository, resolved.commit.oid());
            let commit =
                commit.map_err(|error| crate::walk::damaged(resolved.commit, &error.message()))?;
            // A new tag for a commit that is here already costs one object.
            if self.check_tag(&odb, resolved, remote)?.is_none() {
                let commit = Commit::read(&commit, resolved.label.clone(), resolved.tag());
                return Ok(Known::Here(Box::new(commit)));
            }
        }
        commits.reverse();
        commits.truncate(MAX_HAVES);
        Ok(Known::Others(commits))
    }

    /// Notes that a commit has arrived.
    fn take_in(&self, resolved: &Resolved, remote: &str) -> Result<Commit> {
        let (odb, repository) =
            libgit::open(&self.objects()).map_err(|error| self.failed("open objects", &error))?;
        let id = resolved.commit;
        let (_, kind) = odb
            .read_header(id.oid())
            .map_err(|_| Error::CommitNotFound {
                commit: id.to_string(),
                remote: remote.to_owned(),
            })?;
        if kind != git2::ObjectType::Commit {
            return Err(Error::NotACommit {
                reference: resolved.label.clone().unwrap_or_else(|| id.to_string()),
                remote: remote.to_owned(),
                found: kind.to_string(),
            });
        }
        let commit = libgit::commit(&repository, id.oid());
        let commit = commit.map_err(|error| crate::walk::damaged(id, &error.message()))?;
        if let Some(missing) = self.check_tag(&odb, resolved, remote)? {
            return Err(Error::Protocol {
                remote: remote.to_owned(),
                reason: format!("it left out tag {missing}, by which commit {id} was found"),
            });
        }
        let mut commits = self.commits()?;
        commits.retain(|known| *known != id);
        commits.push(id);
        self.write_commits(&commits)?;
        Ok(Commit::read(
            &commit,
            resolved.label.clone(),
            resolved.tag(),
        ))
    }

    /// Refuses a tag that does not lead to the commit by itself, whatever the server says of it.
    /// Gives the tag on the way that is not here, if there is one.
    fn check_tag(
        &self,
        odb: &git2::Odb<'_>,
        resolved: &Resolved,
        remote: &str,
    ) -> Result<Option<ObjectId>> {
        let Some(tag) = resolved.tag() else {
            return Ok(None);
        };
        match peel::leads_to(odb, tag, resolved.commit, self.limits.metadata_bytes)? {
            Peel::Holds => Ok(None),
            Peel::Missing(id) => Ok(Some(id)),
            Peel::Refused(reason) => Err(Error::Protocol {
                remote: remote.to_owned(),
                reason,
            }),
        }
    }
}

/// The names under which libgit2 receives a pack and writes an index, and under which we write.
fn is_unfinished(name: &str) -> bool {
    name.starts_with("pack_git2_")
        || [".lock", ".tmp"]
            .iter()
            .any(|suffix| name.ends_with(suffix))
}

/// Does a server refuse to give out an object by its name?
fn refuses_object(message: &str) -> bool {
    [
        "not our ref",
        "unadvertised object",
        "not advertised",
        "not valid",
    ]
    .iter()
    .any(|words| message.contains(words))
}

/// The directory of packs below a directory of objects.
fn packs(objects: &Path) -> PathBuf {
    objects.join("pack")
}

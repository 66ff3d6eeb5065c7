//! Stores fetched objects of a remote on disk.
//!
//! A store is a directory of packs and a list of the commits that are complete. It is a cache: lost
//! or damaged content is fetched again. It has no worktree, configuration or references.
//!
//! A [partial] store has complete trees, but only some of the files. Partial and complete stores
//! use separate directories.
//!
//! libgit2 runs on the blocking pool, limited by permits. If a caller cancels, the work stops: an
//! incomplete pack is removed, and a walk ends before its next entry.

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
use crate::draft::{Draft, PackedCommit};
use crate::error::{Error, Phase, Result, refuses_object};
use crate::id::ObjectId;
use crate::libgit;
use crate::limits::Limits;
use crate::protocol::command::{Depth, Fetch};
use crate::reference::ResolvedReference;
use crate::remote::Remote;
use crate::signature::{SignedObject, SignedTag};
use crate::signing::Signer;
use crate::walk::{Objects, Snapshot, Visitor, WalkOptions};

pub(crate) mod index;
mod partial;
mod peel;
mod repack;
pub(crate) mod scan;
mod stores;
mod submodules;
mod work;

pub use stores::Stores;
pub use submodules::{Submodule, Submodules};

use partial::PathFilter;
use peel::TagCheck;
use work::{GroupPermits, Permits, cancellation};

/// Maximum number of haves. Few are enough, because each is a complete tree.
const MAX_HAVES: usize = 16;
/// The file with the list of complete commits, oldest first.
const COMMITS: &str = "commits";
const OBJECTS: &str = "objects";
/// The objects of a remote. It is cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
    permits: GroupPermits,
}

struct Inner {
    path: PathBuf,
    /// Whether files are only fetched if they are wanted.
    partial: bool,
    limits: Limits,
    /// Locked for reading by walks, and for writing to remove packs.
    packs: Arc<RwLock<()>>,
    /// Serializes fetches, so that the second one finds the objects of the first.
    fetching: tokio::sync::Mutex<()>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.inner.path)
            .finish_non_exhaustive()
    }
}

/// The result of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchResult {
    /// The commit. Its tree is in the store.
    pub commit: Commit,
    /// Received bytes, or zero if the commit was in the store.
    pub received: u64,
}

impl Store {
    /// Creates a store in its own directory. The first fetch creates the directory.
    pub fn at(path: impl Into<PathBuf>, limits: Limits) -> Self {
        let permits = Permits::new().of(&Arc::default());
        Self::with(path.into(), false, limits, permits)
    }

    fn with(path: PathBuf, partial: bool, limits: Limits, permits: GroupPermits) -> Self {
        let (packs, fetching) = Default::default();
        Self {
            inner: Arc::new(Inner {
                path,
                partial,
                limits,
                packs,
                fetching,
            }),
            permits,
        }
    }

    /// Fetches a commit with its tree, unless it is in the store.
    ///
    /// Of a new commit, only objects that the store lacks are fetched. A damaged store is deleted
    /// and filled again.
    pub async fn fetch(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &ResolvedReference,
    ) -> Result<FetchResult> {
        self.fetch_with(client, remote, resolved, None).await
    }

    /// Fetches a commit. A partial store then fetches the wanted files.
    async fn fetch_with(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &ResolvedReference,
        wanted: Option<&PathFilter>,
    ) -> Result<FetchResult> {
        remote.check()?;
        let lock = tokio::time::timeout(remote.timeout, self.inner.fetching.lock());
        let _guard = lock.await.map_err(|_| Error::Timeout {
            remote: remote.address.to_string(),
            phase: Phase::Wait,
            limit: remote.timeout,
        })?;
        match self.fetch_filtered(client, remote, resolved, wanted).await {
            Err(error @ (Error::Object { .. } | Error::Store { .. })) => {
                tracing::warn!(%error, remote = %remote.address, "Git store is damaged: fetching it again");
                self.discard().await?;
                self.fetch_filtered(client, remote, resolved, wanted).await
            }
            other => other,
        }
    }

    async fn fetch_commit(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &ResolvedReference,
    ) -> Result<FetchResult> {
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
            Lookup::Present(commit) => {
                return Ok(FetchResult {
                    commit: *commit,
                    received: 0,
                });
            }
            Lookup::Absent(haves) => haves,
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
        let commit = self
            .blocking(move || inner.record_commit(&wanted, &name))
            .await?;
        self.repack_quietly(remote).await;
        tracing::debug!(remote = %remote.address, revision = %resolved.revision(), received, "fetched");
        Ok(FetchResult { commit, received })
    }

    /// Fetches all branches and tags with their history, for a server that does not serve commits
    /// by ID.
    async fn receive_everything(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &ResolvedReference,
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
        let permits = self.permits.clone();
        let incoming = client.fetch(remote, request).await?;
        let inner = Arc::clone(&self.inner);
        self.blocking(move || inner.prepare()).await?;
        index::receive(incoming, pack, self.inner.limits, permits).await
    }

    /// Repacks if there are too many packs. A failure is only logged, because the fetch succeeded.
    async fn repack_quietly(&self, remote: &Remote) {
        if let Err(error) = self.repack_if_needed().await {
            tracing::warn!(%error, remote = %remote.address, "failed to repack Git store");
        }
    }

    async fn repack_if_needed(&self) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        if self
            .blocking(move || repack::is_needed(&inner.objects()))
            .await?
        {
            let _exclusive = self.inner.packs.write().await;
            let inner = Arc::clone(&self.inner);
            self.blocking(move || repack::run(&inner)).await?;
        }
        Ok(())
    }

    /// Walks the tree of a commit on the blocking pool, and returns the visitor. If objects are
    /// missing or damaged, the store is deleted and the next fetch fills it again.
    pub async fn walk<V: Visitor + Send + 'static>(
        &self,
        commit: &Commit,
        visitor: V,
    ) -> Result<V> {
        self.walk_with(commit, &Submodules::default(), visitor)
            .await
    }

    /// Like [`Store::walk`], including submodules: an entry of [`crate::Kind::Submodule`] is
    /// followed by the content of the submodule.
    pub async fn walk_with<V: Visitor + Send + 'static>(
        &self,
        commit: &Commit,
        submodules: &Submodules,
        mut visitor: V,
    ) -> Result<V> {
        let stores = self.with_submodules(submodules);
        let walked = {
            let mut pack_guards = Vec::new();
            for store in &stores {
                pack_guards.push(store.inner.packs.read().await);
            }
            let (inner, id, tree) = (Arc::clone(&self.inner), commit.id, commit.tree);
            let modules = submodules.clone();
            let (running, _cancel_guard) = cancellation();
            self.blocking(move || {
                let objects = inner.open()?;
                let open = modules.open()?;
                let should_continue = || running.load(Ordering::Relaxed);
                let options = WalkOptions {
                    limits: &inner.limits,
                    should_continue: &should_continue,
                    modules: &open,
                };
                objects.walk(id, tree, options, &mut visitor)?;
                Ok(visitor)
            })
            .await
        };
        if matches!(walked, Err(Error::Object { .. })) {
            // Any of the stores may be damaged. Each is only a cache.
            for store in &stores {
                store.discard().await?;
            }
        }
        walked
    }

    /// Opens the tree of a commit and its submodules for look-ups. No pack is removed while it is
    /// open.
    pub async fn snapshot(&self, commit: &Commit, submodules: &Submodules) -> Result<Snapshot> {
        let mut pack_guards = Vec::new();
        for store in self.with_submodules(submodules) {
            pack_guards.push(Arc::clone(&store.inner.packs).read_owned().await);
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
                pack_guards,
            ))
        })
        .await
    }

    /// Returns this store and those of the submodules, without duplicates.
    fn with_submodules(&self, submodules: &Submodules) -> Vec<Self> {
        let mut stores = vec![self.clone()];
        for store in submodules.stores() {
            let known = |known: &Self| Arc::ptr_eq(&known.inner, &store.inner);
            if !stores.iter().any(known) {
                stores.push(store.clone());
            }
        }
        stores
    }

    /// Reads a commit and its annotated tag with their signatures.
    pub async fn signed(&self, commit: &Commit) -> Result<(SignedObject, Option<SignedTag>)> {
        let _pack_guard = self.inner.packs.read().await;
        let (inner, id, tag) = (Arc::clone(&self.inner), commit.id, commit.tag);
        self.blocking(move || {
            let objects = inner.open()?;
            let limit = inner.limits.metadata_bytes;
            let commit =
                SignedObject::commit(&objects.metadata(id, git2::ObjectType::Commit, limit)?);
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

    /// Creates a commit in memory, on top of a fetched commit or as the first one. Returns `None`
    /// if the files do not change.
    pub async fn draft(
        &self,
        parent: Option<&Commit>,
        draft: Draft,
        signer: Option<Signer>,
    ) -> Result<Option<PackedCommit>> {
        let _pack_guard = self.inner.packs.read().await;
        let (objects, parent) = (self.inner.objects(), parent.map(|parent| parent.id));
        self.blocking(move || draft.create_commit(&objects, parent, signer.as_ref()))
            .await
    }

    /// Selects between tags of the same version. The latest commit wins, and for equal times the
    /// last name. The candidates are fetched for this.
    pub async fn break_tie(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: ResolvedReference,
    ) -> Result<ResolvedReference> {
        let mut resolved = resolved;
        let mut candidates = std::mem::take(&mut resolved.ties);
        if candidates.is_empty() {
            return Ok(resolved);
        }
        candidates.push(resolved.clone());
        let mut newest: Option<(i64, ResolvedReference)> = None;
        for candidate in candidates {
            let fetched = self.fetch(client, remote, &candidate).await?;
            let made = fetched.commit.committer.seconds;
            if newest.as_ref().is_none_or(|(time, _)| *time <= made) {
                newest = Some((made, candidate));
            }
        }
        Ok(newest.map_or(resolved, |(_, newest)| newest))
    }

    /// Deletes all objects.
    pub async fn discard(&self) -> Result<()> {
        let _exclusive = self.inner.packs.write().await;
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
        self.permits.work(work).await
    }
}

/// The state of a commit in the store.
enum Lookup {
    /// The commit is in the store.
    Present(Box<Commit>),
    /// The commit is missing. The list has other complete commits.
    Absent(Vec<ObjectId>),
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

    /// Reads the list of complete commits, oldest first.
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
                reason: "a line is not an object ID".to_owned(),
            })
    }

    fn write_commits(&self, commits: &[ObjectId]) -> Result<()> {
        let lines: Vec<String> = commits.iter().map(ObjectId::to_string).collect();
        let text = lines.join("\n") + "\n";
        Ok(fs::write_atomically(self.path.join(COMMITS), text)?)
    }

    /// Creates the directory. It is not created before a server has something to send.
    fn prepare(&self) -> Result<()> {
        if !fs::exists(&self.path)? {
            fs::create_dir_all(packs(&self.objects()))?;
            // The content may have been fetched with credentials.
            fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn look_up(&self, resolved: &ResolvedReference, remote: &str) -> Result<Lookup> {
        let mut commits = self.commits()?;
        if commits.contains(&resolved.commit) {
            let (odb, repository) = libgit::open(&self.objects())
                .map_err(|error| self.failed("open objects", &error))?;
            let commit = libgit::read_commit(&repository, resolved.commit.oid());
            let commit = commit
                .map_err(|error| crate::walk::object_error(resolved.commit, &error.message()))?;
            // A new tag for a present commit needs one more object.
            if self.check_tag(&odb, resolved, remote)?.is_none() {
                let commit = Commit::read(&commit, resolved.label.clone(), resolved.tag());
                return Ok(Lookup::Present(Box::new(commit)));
            }
        }
        commits.reverse();
        commits.truncate(MAX_HAVES);
        Ok(Lookup::Absent(commits))
    }

    /// Records that a commit is complete.
    fn record_commit(&self, resolved: &ResolvedReference, remote: &str) -> Result<Commit> {
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
        let commit = libgit::read_commit(&repository, id.oid());
        let commit = commit.map_err(|error| crate::walk::object_error(id, &error.message()))?;
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

    /// Verifies that the tag object leads to the commit, whatever the server claims. Returns the ID
    /// of a missing tag object.
    fn check_tag(
        &self,
        odb: &git2::Odb<'_>,
        resolved: &ResolvedReference,
        remote: &str,
    ) -> Result<Option<ObjectId>> {
        let Some(tag) = resolved.tag() else {
            return Ok(None);
        };
        match peel::check_tag_target(odb, tag, resolved.commit, self.limits.metadata_bytes)? {
            TagCheck::Matches => Ok(None),
            TagCheck::Missing(id) => Ok(Some(id)),
            TagCheck::Mismatch(reason) => Err(Error::Protocol {
                remote: remote.to_owned(),
                reason,
            }),
        }
    }
}

/// File names of packs and indexes that are being written.
fn is_unfinished(name: &str) -> bool {
    name.starts_with("pack_git2_")
        || [".lock", ".tmp"]
            .iter()
            .any(|suffix| name.ends_with(suffix))
}

/// The directory of packs in an object directory.
fn packs(objects: &Path) -> PathBuf {
    objects.join("pack")
}

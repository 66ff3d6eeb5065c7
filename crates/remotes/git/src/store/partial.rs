//! Fetches only the wanted files of a commit (partial clone).
//!
//! A server with version 2 and filters sends a commit without its blobs. Then the wanted blobs that
//! are missing are requested by ID. Each fetch examines the store, without any other record. An
//! interrupted fetch therefore continues, and another selection fetches only the difference.
//!
//! For other servers, and for those that violate their capabilities, the whole commit is fetched
//! into the complete store.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{FetchResult, Store, Stores, cancellation};
use crate::client::Client;
use crate::commit::Commit;
use crate::error::{Error, ErrorKind, Result};
use crate::id::ObjectId;
use crate::protocol::command::{Depth, Fetch};
use crate::reference::ResolvedReference;
use crate::remote::Remote;
use crate::walk::{Entry, Kind, OpenSubmodules, Step, VisitError, WalkOptions};

/// Maximum number of objects per request, about half a megabyte.
const MAX_BLOBS_PER_REQUEST: usize = 10_000;

/// Selects files and links by path.
pub(super) type PathFilter = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

impl Stores {
    /// Fetches a commit with the selected files and links, and returns the store that has them.
    /// Ties between tags are resolved like in [`Store::break_tie`].
    ///
    /// The other files may be missing in that store, so a walk must not open them.
    pub async fn fetch_part(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: ResolvedReference,
        filter: impl Fn(&Path) -> bool + Send + Sync + 'static,
    ) -> Result<(Store, FetchResult)> {
        let filter: PathFilter = Arc::new(filter);
        let partial = self.partial_of(remote);
        let found = fetch_resolved(&partial, client, remote, resolved.clone(), Some(&filter)).await;
        match found {
            Err(error) if is_server_fault(&error) => {
                tracing::debug!(%error, remote = %remote.address, "no partial clone: fetching whole commits");
            }
            other => return other.map(|fetched| (partial, fetched)),
        }
        let whole = self.of(remote);
        let fetched = fetch_resolved(&whole, client, remote, resolved, None).await?;
        Ok((whole, fetched))
    }
}

/// Whether the server is at fault. Then a fetch of the whole commit may succeed.
const fn is_server_fault(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Protocol)
        || matches!(error, Error::Object { .. } | Error::CommitNotFound { .. })
}

async fn fetch_resolved(
    store: &Store,
    client: &Client,
    remote: &Remote,
    resolved: ResolvedReference,
    filter: Option<&PathFilter>,
) -> Result<FetchResult> {
    let resolved = store.break_tie(client, remote, resolved).await?;
    store.fetch_with(client, remote, &resolved, filter).await
}

impl Store {
    /// Fetches a commit, then its selected files.
    pub(super) async fn fetch_filtered(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &ResolvedReference,
        filter: Option<&PathFilter>,
    ) -> Result<FetchResult> {
        let mut fetched = self.fetch_commit(client, remote, resolved).await?;
        if let Some(filter) = filter {
            fetched.received += self
                .fetch_blobs(client, remote, &fetched.commit, filter)
                .await?;
        }
        Ok(fetched)
    }

    /// Fetches the selected files that are missing. Returns the received bytes.
    async fn fetch_blobs(
        &self,
        client: &Client,
        remote: &Remote,
        commit: &Commit,
        filter: &PathFilter,
    ) -> Result<u64> {
        let missing = self.missing_blobs(commit, filter).await?;
        if missing.is_empty() {
            return Ok(0);
        }
        let mut received = 0;
        for wants in missing.chunks(MAX_BLOBS_PER_REQUEST) {
            // Deltas may build on haves, but unselected files of our commits are missing.
            let request = Fetch {
                wants: wants.to_vec(),
                haves: Vec::new(),
                shallow: Vec::new(),
                depth: Depth::All,
                without_blobs: true,
            };
            received += self.receive(client, remote, &request).await?;
        }
        let asked = missing.len();
        let inner = Arc::clone(&self.inner);
        let absent = self.blocking(move || {
            let objects = inner.open()?;
            Ok(missing.iter().filter(|id| !objects.has(**id)).count())
        });
        let absent = absent.await?;
        if absent > 0 {
            return Err(Error::Protocol {
                remote: remote.address.to_string(),
                reason: format!("it left out {absent} of {asked} objects asked for by name"),
            });
        }
        self.repack_quietly(remote).await;
        tracing::debug!(remote = %remote.address, commit = %commit.id, objects = asked, received, "fetched by name");
        Ok(received)
    }

    /// Returns the selected files and links that are missing.
    async fn missing_blobs(&self, commit: &Commit, filter: &PathFilter) -> Result<Vec<ObjectId>> {
        let _pack_guard = self.inner.packs.read().await;
        let (inner, id, tree) = (Arc::clone(&self.inner), commit.id, commit.tree);
        let filter = Arc::clone(filter);
        let (running, _cancel_guard) = cancellation();
        self.blocking(move || {
            let objects = inner.open()?;
            let mut missing = BTreeSet::new();
            let mut visitor = |entry: &Entry<'_>| -> Result<Step, VisitError> {
                let is_blob = matches!(entry.kind(), Kind::File { .. } | Kind::Symlink);
                if is_blob && filter(entry.path()) && !objects.has(entry.id()) {
                    missing.insert(entry.id());
                }
                Ok(Step::Next)
            };
            let should_continue = || running.load(Ordering::Relaxed);
            let modules = OpenSubmodules::new();
            let options = WalkOptions {
                limits: &inner.limits,
                should_continue: &should_continue,
                modules: &modules,
            };
            match objects.walk(id, tree, options, &mut visitor) {
                // The next walk reports a rejected tree. Here, the entries before it are
                // sufficient.
                Ok(()) | Err(Error::UnsafePath { .. } | Error::Limit { .. }) => {}
                Err(other) => return Err(other),
            }
            Ok(missing.into_iter().collect())
        })
        .await
    }
}

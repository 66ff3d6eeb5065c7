//! Of a commit, only those files that somebody wants: partial clone.
//!
//! A server that speaks version 2 and offers filters is asked for a commit without its blobs.
//! What is wanted of its trees and not here yet is then asked for by name. Nothing is noted of
//! that: each fetch looks at what is here, so that one that was killed is gone on with, another
//! choice of files costs what it adds, and the same one costs nothing.
//!
//! Any other server, and one that does not keep to what it offers, is asked for the whole
//! commit, into the ordinary store.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Fetched, Store, Stores, cancellation};
use crate::client::Client;
use crate::commit::Commit;
use crate::error::{Error, ErrorKind, Result};
use crate::id::ObjectId;
use crate::protocol::command::{Depth, Fetch};
use crate::reference::Resolved;
use crate::remote::Remote;
use crate::walk::{Entry, Kind, Modules, Step, VisitError};

/// Objects asked for by name at a time: half a megabyte of question.
const AT_ONCE: usize = 10_000;

/// Tells by their paths which files and links are wanted.
pub(super) type Wanted = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

impl Stores {
    /// Makes sure that a commit is here with those of its files and links that are wanted, and
    /// gives the store that has them. Between tags of one version it decides as
    /// [`Store::settle`].
    ///
    /// In that store the other files may be missing: whoever walks the commit opens none of
    /// them. Only the wanted ones are fetched, from a server that can do so.
    pub async fn fetch_part(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: Resolved,
        wanted: impl Fn(&Path) -> bool + Send + Sync + 'static,
    ) -> Result<(Store, Fetched)> {
        let wanted: Wanted = Arc::new(wanted);
        let partial = self.partial_of(remote);
        let found = settled(&partial, client, remote, resolved.clone(), Some(&wanted)).await;
        match found {
            Err(error) if is_servers_doing(&error) => {
                tracing::debug!(%error, remote = %remote.address, "no partial clone: fetching whole commits");
            }
            other => return other.map(|fetched| (partial, fetched)),
        }
        let whole = self.of(remote);
        let fetched = settled(&whole, client, remote, resolved, None).await?;
        Ok((whole, fetched))
    }
}

/// Is it what the server says, or sends, or leaves out? Of the whole commit it may do better.
const fn is_servers_doing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Protocol)
        || matches!(error, Error::Object { .. } | Error::CommitNotFound { .. })
}

async fn settled(
    store: &Store,
    client: &Client,
    remote: &Remote,
    resolved: Resolved,
    wanted: Option<&Wanted>,
) -> Result<Fetched> {
    let resolved = store.settle(client, remote, resolved).await?;
    store.fetch_with(client, remote, &resolved, wanted).await
}

impl Store {
    /// Fetches a commit, then what is wanted of it.
    pub(super) async fn fetch_both(
        &self,
        client: &Client,
        remote: &Remote,
        resolved: &Resolved,
        wanted: Option<&Wanted>,
    ) -> Result<Fetched> {
        let mut fetched = self.fetch_missing(client, remote, resolved).await?;
        if let Some(wanted) = wanted {
            fetched.received += self.fill(client, remote, &fetched.commit, wanted).await?;
        }
        Ok(fetched)
    }

    /// Fetches what is wanted of a commit whose trees are here, and not here itself; gives the
    /// bytes received.
    async fn fill(
        &self,
        client: &Client,
        remote: &Remote,
        commit: &Commit,
        wanted: &Wanted,
    ) -> Result<u64> {
        let missing = self.missing(commit, wanted).await?;
        if missing.is_empty() {
            return Ok(0);
        }
        let mut received = 0;
        for wants in missing.chunks(AT_ONCE) {
            // What we are said to have, deltas may build on; and files of our commits that
            // nobody wanted are not here.
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
        self.tidy_up(remote).await;
        tracing::debug!(remote = %remote.address, commit = %commit.id, objects = asked, received, "fetched by name");
        Ok(received)
    }

    /// The wanted files and links of a commit that are not here, each once.
    async fn missing(&self, commit: &Commit, wanted: &Wanted) -> Result<Vec<ObjectId>> {
        let _packs_stay = self.inner.packs.read().await;
        let (inner, id, tree) = (Arc::clone(&self.inner), commit.id, commit.tree);
        let wanted = Arc::clone(wanted);
        let (running, _stop_when_dropped) = cancellation();
        self.blocking(move || {
            let objects = inner.open()?;
            let mut missing = BTreeSet::new();
            let mut visitor = |entry: &Entry<'_>| -> Result<Step, VisitError> {
                let is_blob = matches!(entry.kind(), Kind::File { .. } | Kind::Symlink);
                if is_blob && wanted(entry.path()) && !objects.has(entry.id()) {
                    missing.insert(entry.id());
                }
                Ok(Step::Next)
            };
            let go_on = || running.load(Ordering::Relaxed);
            let modules = Modules::new();
            match objects.walk(id, tree, &inner.limits, &mut visitor, &go_on, &modules) {
                // A tree that is refused is refused by the next walk, at the same entry, and
                // told by whoever makes it: here, what comes before is enough.
                Ok(()) | Err(Error::UnsafePath { .. } | Error::Limit { .. }) => {}
                Err(other) => return Err(other),
            }
            Ok(missing.into_iter().collect())
        })
        .await
    }
}

//! Limits the number of objects that use one remote at the same time.
//!
//! A run that waits for a remote holds no worker, so a slow remote blocks no other object. Without
//! a limit, a thousand due objects would open a thousand connections to a shared registry. Permits
//! bound them, and a run that waits for a permit holds no worker either. With one permit, the
//! objects take turns, as pushes to one branch do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The permits of all remotes.
#[derive(Debug)]
pub struct RemotePermits {
    at_once: usize,
    remotes: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A permit to use a remote. Dropping it wakes the next waiting run.
#[derive(Debug)]
pub struct RemotePermit {
    _permit: OwnedSemaphorePermit,
}

impl RemotePermits {
    /// Creates permits for so many objects per remote.
    pub fn new(at_once: usize) -> Self {
        Self {
            at_once: at_once.max(1),
            remotes: Mutex::default(),
        }
    }

    /// Waits for a permit, in order of arrival.
    pub async fn acquire(&self, remote: &str) -> RemotePermit {
        let semaphore = self.semaphore(remote);
        let permit = semaphore.acquire_owned().await;
        RemotePermit {
            _permit: permit.expect("the semaphore is never closed"),
        }
    }

    fn semaphore(&self, remote: &str) -> Arc<Semaphore> {
        let mut remotes = self.remotes.lock().unwrap_or_else(PoisonError::into_inner);
        // Unused remotes are removed: tenants may name any number of them.
        remotes.retain(|_, semaphore| {
            Arc::strong_count(semaphore) > 1 || semaphore.available_permits() < self.at_once
        });
        let semaphore = remotes
            .entry(remote.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(self.at_once)));
        Arc::clone(semaphore)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn permits_are_fair_and_per_remote() {
        let permits = RemotePermits::new(2);
        let first = permits.acquire("a").await;
        let _second = permits.acquire("a").await;
        let semaphore = permits.semaphore("a");
        assert_eq!(semaphore.available_permits(), 0);
        drop(permits.acquire("b").await);
        drop(first);
        drop(permits.acquire("a").await);
    }

    #[tokio::test]
    async fn unused_remotes_are_removed() {
        let permits = RemotePermits::new(1);
        for remote in ["a", "b", "c"] {
            drop(permits.acquire(remote).await);
        }
        assert_eq!(permits.remotes.lock().unwrap().len(), 1);
    }
}

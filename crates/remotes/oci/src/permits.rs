//! Limits the number of objects that use one registry at the same time.
//!
//! A run that waits for a registry holds no worker, so a slow registry blocks no other object.
//! Without a limit, a thousand due objects would open a thousand connections to a shared registry.
//! Permits bound them, and a run that waits for a permit holds no worker either.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The permits of all registries.
#[derive(Debug)]
pub struct RegistryPermits {
    at_once: usize,
    registries: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A permit to use a registry. Dropping it wakes the next waiting run.
#[derive(Debug)]
pub struct RegistryPermit {
    _permit: OwnedSemaphorePermit,
}

impl RegistryPermits {
    /// Creates permits for so many objects per registry.
    pub fn new(at_once: usize) -> Self {
        Self {
            at_once: at_once.max(1),
            registries: Mutex::default(),
        }
    }

    /// Waits for a permit, in order of arrival.
    pub async fn acquire(&self, registry: &str) -> RegistryPermit {
        let semaphore = self.semaphore(registry);
        let permit = semaphore.acquire_owned().await;
        RegistryPermit {
            _permit: permit.expect("the semaphore is never closed"),
        }
    }

    fn semaphore(&self, registry: &str) -> Arc<Semaphore> {
        let mut registries = self
            .registries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Unused registries are removed: tenants may name any number of them.
        registries.retain(|_, semaphore| {
            Arc::strong_count(semaphore) > 1 || semaphore.available_permits() < self.at_once
        });
        let semaphore = registries
            .entry(registry.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(self.at_once)));
        Arc::clone(semaphore)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn permits_are_fair_and_per_registry() {
        let permits = RegistryPermits::new(2);
        let first = permits.acquire("a").await;
        let _second = permits.acquire("a").await;
        let semaphore = permits.semaphore("a");
        assert_eq!(semaphore.available_permits(), 0);
        drop(permits.acquire("b").await);
        drop(first);
        drop(permits.acquire("a").await);
    }

    #[tokio::test]
    async fn unused_registries_are_removed() {
        let permits = RegistryPermits::new(1);
        for registry in ["a", "b", "c"] {
            drop(permits.acquire(registry).await);
        }
        assert_eq!(permits.registries.lock().unwrap().len(), 1);
    }
}

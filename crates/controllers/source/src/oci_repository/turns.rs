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
pub(super) struct Turns {
    at_once: usize,
    registries: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A permit to use a registry. Dropping it wakes the next waiting run.
#[derive(Debug)]
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new(at_once: usize) -> Self {
        Self {
            at_once: at_once.max(1),
            registries: Mutex::default(),
        }
    }

    /// Waits for a permit, in order of arrival.
    pub(super) async fn at(&self, registry: &str) -> Turn {
        let line = self.line(registry);
        let permit = line.acquire_owned().await;
        Turn {
            _permit: permit.expect("nobody closes a line"),
        }
    }

    fn line(&self, registry: &str) -> Arc<Semaphore> {
        let mut registries = self
            .registries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Unused registries are removed: tenants may name any number of them.
        registries.retain(|_, line| {
            Arc::strong_count(line) > 1 || line.available_permits() < self.at_once
        });
        let line = registries
            .entry(registry.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(self.at_once)));
        Arc::clone(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn permits_are_fair_and_per_registry() {
        let turns = Turns::new(2);
        let first = turns.at("a").await;
        let _second = turns.at("a").await;
        let line = turns.line("a");
        assert_eq!(line.available_permits(), 0);
        drop(turns.at("b").await);
        drop(first);
        drop(turns.at("a").await);
    }

    #[tokio::test]
    async fn unused_registries_are_removed() {
        let turns = Turns::new(1);
        for registry in ["a", "b", "c"] {
            drop(turns.at(registry).await);
        }
        assert_eq!(turns.registries.lock().unwrap().len(), 1);
    }
}

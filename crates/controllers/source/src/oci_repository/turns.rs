//! Turns: at most so many conversations with one registry at a time.
//!
//! Who talks to a registry holds no worker, so that a silent one holds up nobody else; but a
//! thousand objects that are due at once must not open a thousand connections to the one registry
//! that they share. So they take turns there, and who waits for his holds no worker either.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The turns at every registry.
#[derive(Debug)]
pub(super) struct Turns {
    at_once: usize,
    registries: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A turn; dropping it gives it to the next in line.
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

    /// Waits in line.
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
        // Registries where nobody is, or waits, are forgotten: tenants may name any number.
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
    async fn each_registry_has_its_own_line_and_nobody_jumps_it() {
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
    async fn registries_that_nobody_talks_to_are_forgotten() {
        let turns = Turns::new(1);
        for registry in ["a", "b", "c"] {
            drop(turns.at(registry).await);
        }
        assert_eq!(turns.registries.lock().unwrap().len(), 1);
    }
}

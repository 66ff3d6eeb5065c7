//! The keys of the last successful verification, by object.
//!
//! They are in memory only, so a restart verifies each signature again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sluice_engine::ObjectKey;

/// The keys that verified each object last. `K` is the keys, their digest, or the signed content.
#[derive(Debug)]
pub(crate) struct VerifiedKeys<K>(Mutex<HashMap<ObjectKey, K>>);

impl<K> Default for VerifiedKeys<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq> VerifiedKeys<K> {
    /// Whether the last verification used these keys.
    pub(crate) fn contains(&self, object: &ObjectKey, keys: &K) -> bool {
        self.lock().get(object) == Some(keys)
    }

    /// Records the keys of a successful verification.
    pub(crate) fn record(&self, object: &ObjectKey, keys: K) {
        self.lock().insert(object.clone(), keys);
    }

    /// Forgets the keys, so that the object is verified again.
    pub(crate) fn forget(&self, object: &ObjectKey) {
        self.lock().remove(object);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_keys_need_another_verification() {
        let verified = VerifiedKeys::default();
        let object = ObjectKey::new("apps", "web");
        assert!(!verified.contains(&object, &1));
        verified.record(&object, 1);
        assert!(verified.contains(&object, &1) && !verified.contains(&object, &2));
        verified.forget(&object);
        assert!(!verified.contains(&object, &1));
    }
}

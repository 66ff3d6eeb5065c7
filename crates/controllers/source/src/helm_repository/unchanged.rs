//! Asks servers whether an index changed, instead of downloading it again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sluice_digest::Digest;
use sluice_engine::ObjectKey;
use url::Url;

use crate::helm::http::Validators;

/// The last downloaded index of each object. A new process has none, and downloads once.
#[derive(Debug, Default)]
pub(crate) struct DownloadedIndexes(Mutex<HashMap<ObjectKey, DownloadedIndex>>);

/// A downloaded index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DownloadedIndex {
    pub(super) url: Url,
    pub(super) digest: Digest,
    pub(super) validators: Validators,
}

impl DownloadedIndexes {
    /// The index of an object, if it is the stored revision from this address.
    pub(super) fn get(
        &self,
        object: &ObjectKey,
        url: &Url,
        stored: Option<&str>,
    ) -> Option<DownloadedIndex> {
        let indexes = self.lock();
        let index = indexes.get(object)?;
        let is_stored = stored == Some(&*index.digest.to_string());
        (is_stored && index.url == *url).then(|| index.clone())
    }

    /// Records a download.
    pub(super) fn record(&self, object: &ObjectKey, index: DownloadedIndex) {
        if index.validators.are_usable() {
            self.lock().insert(object.clone(), index);
        } else {
            self.forget(object);
        }
    }

    pub(super) fn forget(&self, object: &ObjectKey) {
        self.lock().remove(object);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, DownloadedIndex>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

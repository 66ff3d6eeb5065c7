//! States of certificates, until the answers that report them expire.
//!
//! Only signed answers are kept, by the certificates and the address. So a tenant cannot change the
//! state that another one sees.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};
use jiff::{SignedDuration, Timestamp};
use lru::LruCache;

use super::super::certificate::Certificate;
use super::State;

const CAPACITY: NonZeroUsize = NonZeroUsize::new(64).expect("64 is not zero");
/// Maximum age of an answer without another request.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);

/// A question: an address, two certificates, and the time of the signature.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Question(Vec<u8>);

/// States of certificates, by questions.
pub struct StateCache(Mutex<LruCache<Question, (State, Timestamp)>>);

impl Default for StateCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(CAPACITY)))
    }
}

impl fmt::Debug for StateCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StateCache")
    }
}

impl Question {
    pub(super) fn new(
        url: &str,
        certificate: &Certificate,
        issuer: &Certificate,
        signing_time: Option<Timestamp>,
    ) -> Self {
        let time = signing_time.map_or(i64::MIN, Timestamp::as_second);
        let mut context = Context::new(&SHA256);
        let parts = [url.as_bytes(), certificate.bytes(), issuer.bytes()];
        for part in parts {
            context.update(&part.len().to_be_bytes());
            context.update(part);
        }
        context.update(&time.to_be_bytes());
        Self(context.finish().as_ref().to_vec())
    }
}

impl StateCache {
    pub(super) fn get(&self, question: &Question, now: Timestamp) -> Option<State> {
        let mut entries = self.lock();
        let (state, until) = *entries.get(question)?;
        (now <= until).then_some(state)
    }

    /// Keeps a state until its answer expires. An unknown state is asked for again.
    pub(super) fn put(&self, question: Question, answer: RevocationStatus, now: Timestamp) {
        if answer.state == State::Unknown {
            return;
        }
        let limit = now.checked_add(MAX_AGE).unwrap_or(now);
        let until = answer.next_update.min(limit);
        self.lock().put(question, (answer.state, until));
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Question, (State, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of a certificate, and when the answer expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RevocationStatus {
    pub(super) state: State,
    pub(super) next_update: Timestamp,
}

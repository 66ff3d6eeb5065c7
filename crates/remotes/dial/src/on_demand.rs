//! Credentials that are requested only when a server asks for them.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::sync::Arc;

use crate::basic::Basic;

/// The future of [`BasicSource::issue`].
pub type BasicFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Basic, Box<dyn Error + Send + Sync>>> + Send + 'a>>;

/// Issues a user name and a password. `Debug` must not show a secret.
pub trait BasicSource: fmt::Debug + Send + Sync {
    /// Identifies the source. Sources with one fingerprint share cached authorizations.
    fn fingerprint(&self) -> [u8; 32];

    /// Names the issuer in messages: `aws`.
    fn issuer(&self) -> &'static str;

    /// Issues credentials, from a cache or by a request.
    fn issue(&self) -> BasicFuture<'_>;

    /// Drops the last credentials from the cache, because the server rejected them. Returns whether
    /// new ones may be accepted.
    fn reject(&self) -> bool;
}

/// A shared [`BasicSource`], compared by its fingerprint.
#[derive(Clone)]
pub struct OnDemand(Arc<dyn BasicSource>);

impl OnDemand {
    /// Shares a source.
    pub fn new(source: impl BasicSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// Returns the source.
    pub fn source(&self) -> &dyn BasicSource {
        &*self.0
    }
}

impl fmt::Debug for OnDemand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for OnDemand {
    fn eq(&self, other: &Self) -> bool {
        self.0.fingerprint() == other.0.fingerprint()
    }
}

impl Eq for OnDemand {}

impl Hash for OnDemand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.fingerprint().hash(state);
    }
}

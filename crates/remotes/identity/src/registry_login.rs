//! The login of an identity at a registry, issued when the registry asks for it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sluice_dial::{Basic, BasicFuture, BasicSource, Dial};

use crate::account::{Account, TokenRequest};
use crate::cache_key::{CacheKey, KeyParts};
use crate::error::IdentityError;
use crate::identities::{Identities, Level};
use crate::provider::Provider;
use crate::token_cache::Lookup;

/// Observes each lookup; `None` is a failure.
pub type LookupObserver = Box<dyn Fn(Option<Lookup>) + Send + Sync>;

/// The owner of an identity, for as long as a login is used.
#[derive(Clone)]
pub enum Owner {
    /// This process.
    Controller,
    /// A service account in the namespace of an object.
    Object {
        /// The account.
        account: Account,
        /// Issues its tokens.
        requests: Arc<dyn TokenRequest>,
    },
}

impl Owner {
    /// Returns the level of the identity.
    pub fn level(&self) -> Level<'_> {
        match self {
            Self::Controller => Level::Controller,
            Self::Object { account, requests } => Level::Object {
                account,
                requests: &**requests,
            },
        }
    }

    /// Identifies the owner with a provider.
    pub fn fingerprint(&self, provider: Provider) -> [u8; 32] {
        self.add_to(KeyParts::new(provider, "owner"))
            .finish()
            .bytes()
    }

    /// Adds everything of the account that an identity depends on.
    pub(crate) fn add_to(&self, parts: KeyParts) -> KeyParts {
        match self {
            Self::Controller => parts.account(None, ""),
            Self::Object { account, .. } => {
                let parts = parts.account(Some(account), "");
                let annotations = account.annotations().iter();
                annotations.fold(parts, |parts, (key, value)| parts.text(key, value))
            }
        }
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.level().fmt(f)
    }
}

/// Logs in to one registry.
pub struct RegistryLogin {
    identities: Arc<Identities>,
    provider: Provider,
    owner: Owner,
    host: String,
    dial: Dial,
    key: CacheKey,
    observer: Option<LookupObserver>,
    /// The last password that came from the cache.
    cached: Mutex<Option<Basic>>,
    /// Whether a password was rejected: it is renewed once.
    is_renewed: AtomicBool,
}

impl RegistryLogin {
    /// Creates the login. The host must be one of the provider. `dial` reaches the issuer of
    /// tokens.
    pub fn new(
        identities: Arc<Identities>,
        provider: Provider,
        owner: Owner,
        host: &str,
        dial: Dial,
    ) -> Result<Self, IdentityError> {
        identities.check_registry(provider, host)?;
        let key = owner
            .add_to(KeyParts::new(provider, "login"))
            .text("host", host)
            .dial(&dial)
            .finish();
        Ok(Self {
            identities,
            provider,
            owner,
            host: host.to_owned(),
            dial,
            key,
            observer: None,
            cached: Mutex::default(),
            is_renewed: AtomicBool::default(),
        })
    }

    /// Observes the lookups.
    #[must_use]
    pub fn observed(self, observer: LookupObserver) -> Self {
        Self {
            observer: Some(observer),
            ..self
        }
    }
}

impl fmt::Debug for RegistryLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryLogin")
            .field("provider", &self.provider)
            .field("owner", &self.owner)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

impl BasicSource for RegistryLogin {
    fn fingerprint(&self) -> [u8; 32] {
        self.key.bytes()
    }

    fn issuer(&self) -> &'static str {
        self.provider.name()
    }

    fn issue(&self) -> BasicFuture<'_> {
        Box::pin(async move {
            let level = self.owner.level();
            let issuing = self
                .identities
                .registry(self.provider, level, &self.host, &self.dial);
            let issued = issuing.await;
            if let Some(observer) = &self.observer {
                observer(issued.as_ref().ok().map(|(_, lookup)| *lookup));
            }
            let (basic, lookup) = issued?;
            let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
            *cached = (lookup == Lookup::Hit).then(|| basic.clone());
            Ok(basic)
        })
    }

    fn reject(&self) -> bool {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        match cached.take() {
            Some(rejected) if !self.is_renewed.swap(true, Ordering::Relaxed) => {
                self.identities.reject(&rejected);
                true
            }
            _ => false,
        }
    }
}

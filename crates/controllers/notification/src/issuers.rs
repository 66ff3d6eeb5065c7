//! Fetches and caches the keys of OIDC issuers.
//!
//! The reference fetches them for every call, so a caller who knows the path can flood the issuer.
//! Here each issuer is fetched at most every 30 s: after a maximum age, or for a token with an
//! unknown key.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use sluice_dial::{Dial, HttpClients, exchange};
use sluice_system::Clock;
use tokio::sync::Mutex;

use crate::receiver::{Call, IssuerKeys, KeySource};

/// Maximum size of a discovery document or key set.
const MAX_DOCUMENT_BYTES: usize = 1 << 20;
/// Timeout of both requests.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum age of cached keys.
const MAX_AGE: Duration = Duration::from_hours(1);
/// Minimum time between two fetches.
const MIN_AGE: Duration = Duration::from_secs(30);
/// Maximum number of cached issuers. A full cache is cleared.
const MAX_ISSUERS: usize = 1000;

pub(crate) struct Issuers {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    fetched: Mutex<HashMap<String, Slot>>,
}

/// Cache entry of an issuer. Concurrent calls for the same issuer share one fetch.
type Slot = Arc<Mutex<Option<FetchedKeys>>>;

struct FetchedKeys {
    at: Timestamp,
    keys: Result<IssuerKeys, String>,
}

/// Keys for one call.
pub(crate) struct CallKeys(Option<(String, Result<IssuerKeys, String>)>);

impl KeySource for CallKeys {
    fn keys(&self, issuer: &str) -> Result<IssuerKeys, String> {
        match &self.0 {
            Some((name, keys)) if name == issuer => keys.clone(),
            _ => Err("the keys of the issuer were not fetched".to_owned()),
        }
    }
}

impl Issuers {
    /// Creates an empty cache.
    pub(crate) fn new(clients: Arc<HttpClients>, clock: Arc<dyn Clock>) -> Self {
        Self {
            clients,
            clock,
            fetched: Mutex::default(),
        }
    }

    /// Returns the keys for a call, from the cache or the issuer.
    pub(crate) async fn fetch(&self, issuer: Option<&str>, call: &Call<'_>) -> CallKeys {
        let Some(issuer) = issuer else {
            return CallKeys(None);
        };
        let slot = self.slot(issuer).await;
        let mut slot = slot.lock().await;
        let now = self.clock.now();
        let header = call.text("Authorization");
        let token = header.strip_prefix("Bearer ").unwrap_or_default().trim();
        let is_current = slot.as_ref().is_some_and(|fetched| {
            let age = Duration::try_from(now.duration_since(fetched.at)).unwrap_or_default();
            let knows = fetched.keys.as_ref().is_ok_and(|keys| keys.knows(token));
            age < MIN_AGE || (knows && age < MAX_AGE)
        });
        if !is_current {
            let keys = match tokio::time::timeout(FETCH_TIMEOUT, self.request(issuer)).await {
                Ok(keys) => keys,
                Err(_) => Err("the issuer did not answer in time".to_owned()),
            };
            *slot = Some(FetchedKeys { at: now, keys });
        }
        let keys = slot.as_ref().map(|fetched| fetched.keys.clone());
        CallKeys(keys.map(|keys| (issuer.to_owned(), keys)))
    }

    async fn slot(&self, issuer: &str) -> Slot {
        let mut fetched = self.fetched.lock().await;
        if fetched.len() >= MAX_ISSUERS && !fetched.contains_key(issuer) {
            // The cache is full only with many Receivers, because callers cannot name issuers.
            fetched.clear();
        }
        Arc::clone(fetched.entry(issuer.to_owned()).or_default())
    }

    /// Fetches the discovery document and the key set.
    async fn request(&self, issuer: &str) -> Result<IssuerKeys, String> {
        let base = issuer.trim_end_matches('/');
        let document = self
            .get(&format!("{base}/.well-known/openid-configuration"))
            .await?;
        let document: Value = serde_json::from_slice(&document)
            .map_err(|_| "the discovery document is not JSON".to_owned())?;
        if document["issuer"].as_str() != Some(issuer) {
            return Err("the discovery document is of another issuer".to_owned());
        }
        let address = document["jwks_uri"].as_str().unwrap_or_default();
        if address.starts_with("http://") && issuer.starts_with("https://") {
            return Err("the key set has no https address".to_owned());
        }
        let algorithms = document["id_token_signing_alg_values_supported"].as_array();
        let algorithms = algorithms.into_iter().flatten().filter_map(Value::as_str);
        let algorithms = algorithms.map(str::to_owned).collect();
        IssuerKeys::parse(&self.get(address).await?, algorithms)
    }

    async fn get(&self, address: &str) -> Result<bytes::Bytes, String> {
        let client = self.clients.get(&Dial::default());
        let client = client.map_err(|error| error.to_string())?;
        let (status, body) = exchange(client.get(address), MAX_DOCUMENT_BYTES).await?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(format!("the issuer answered {status}"))
        }
    }
}

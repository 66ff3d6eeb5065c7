//! The server that forges and registries call.
//!
//! Only `/hook/<digest>` exists. The whole target of a request must equal the path of a Receiver, so
//! a query is an unknown path. Answers have no body: a caller learns nothing about a refusal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use sluice_api::notification::{Receiver, ReceiverType};
use sluice_dial::Keys;
use sluice_engine::{ObjectKey, Store};
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_system::Clock;

use crate::annotator::Annotator;
use crate::http_server::{self, Handler, WholeRequest};
use crate::issuers::Issuers;
use crate::metrics::DeliveryMetrics;
use crate::receiver::{Answer, Call, Filters, admit, issuer_of, targets, verify};

/// Start of every path.
const PREFIX: &str = "/hook/";
/// Shortest time between two scans of all Receivers for an unknown path.
const SCAN_INTERVAL: Duration = Duration::from_millis(200);
/// Issuer of the tokens of Google registries.
const GOOGLE: &str = "https://accounts.google.com";

/// Receives webhooks.
pub(crate) struct WebhookServer {
    /// All Receivers.
    pub(crate) receivers: Store<Receiver>,
    /// Keys of Receivers by path.
    pub(crate) paths: Paths,
    /// Reads Secrets.
    pub(crate) secrets: Secrets,
    /// Keys of OIDC issuers.
    pub(crate) issuers: Issuers,
    /// Requests reconciliations.
    pub(crate) annotator: Arc<Annotator>,
    /// `--no-cross-namespace-refs`.
    pub(crate) no_cross_namespace_refs: bool,
    /// Metrics.
    pub(crate) metrics: DeliveryMetrics,
    /// The clock.
    pub(crate) clock: Arc<dyn Clock>,
}

/// Keys of Receivers by path. The store decodes each object that it returns, so a lookup must not
/// read all of them.
pub(crate) struct Paths {
    keys: Mutex<HashMap<String, ObjectKey>>,
    /// Time of the last scan. One call at a time scans.
    scanned: tokio::sync::Mutex<Timestamp>,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            keys: Mutex::default(),
            scanned: tokio::sync::Mutex::new(Timestamp::MIN),
        }
    }
}

impl Paths {
    fn get(&self, path: &str) -> Option<ObjectKey> {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        keys.get(path).cloned()
    }
}

impl Handler for WebhookServer {
    async fn handle(&self, request: WholeRequest) -> http_server::Answer {
        let Some(digest) = request.target.strip_prefix(PREFIX) else {
            return StatusCode::NOT_FOUND.into();
        };
        let digest: String = digest.chars().take(100).collect();
        tracing::info!("handling request: {}", digest.escape_default());
        let receiver = self.find(&request.target).await;
        let call = Call {
            headers: &request.headers,
            body: &request.body,
        };
        let answer = match admit(receiver.as_deref(), request.body.len()) {
            Ok(receiver) => self.answer(receiver, &call).await,
            Err(answer) => {
                if let Some(receiver) = receiver.as_deref() {
                    let what = if receiver.spec.suspend {
                        "receiver is suspended"
                    } else {
                        "receiver is not ready"
                    };
                    tracing::error!(receiver = %key_of(receiver), "{what}");
                }
                answer
            }
        };
        let type_ = receiver.as_deref().map_or("", |it| it.spec.type_.as_str());
        self.metrics.call(type_, answer.status());
        let status = StatusCode::from_u16(answer.status());
        status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into()
    }
}

impl WebhookServer {
    /// Returns the Receiver with a path.
    async fn find(&self, path: &str) -> Option<Arc<Receiver>> {
        let has_path = |receiver: &Arc<Receiver>| {
            let status = receiver.status.as_ref();
            status.and_then(|status| status.webhook_path.as_deref()) == Some(path)
        };
        let read = |key: ObjectKey| self.receivers.get(&key).filter(has_path);
        if let Some(found) = self.paths.get(path).and_then(read) {
            return Some(found);
        }
        let mut scanned = self.paths.scanned.lock().await;
        // An earlier call may have scanned meanwhile.
        if let Some(found) = self.paths.get(path).and_then(read) {
            return Some(found);
        }
        let age = self.clock.now().duration_since(*scanned);
        let age = Duration::try_from(age).unwrap_or(SCAN_INTERVAL);
        if age < SCAN_INTERVAL {
            // Calls of unknown paths must not make the process scan all the time.
            tokio::time::sleep(SCAN_INTERVAL.saturating_sub(age)).await;
        }
        self.scan();
        *scanned = self.clock.now();
        drop(scanned);
        self.paths.get(path).and_then(read)
    }

    /// Reads the paths of all Receivers. The first one by name has a path that several have.
    fn scan(&self) {
        let mut keys = self.receivers.readable();
        keys.sort_unstable_by(|left, right| right.cmp(left));
        let paths = keys.into_iter().filter_map(|key| {
            let receiver = self.receivers.get(&key)?;
            Some((receiver.status.as_ref()?.webhook_path.clone()?, key))
        });
        let paths: HashMap<_, _> = paths.collect();
        let mut keys = self
            .paths
            .keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *keys = paths;
    }

    /// Verifies a call and requests the reconciliation of its objects.
    async fn answer(&self, receiver: &Receiver, call: &Call<'_>) -> Answer {
        let key = key_of(receiver);
        let refuse = |error: &str| {
            tracing::error!(receiver = %key, error, "unable to validate payload");
            Answer::Invalid
        };
        let secret = match &receiver.spec.secret_ref {
            None => None,
            Some(reference) => {
                let secret = self.secrets.get(key.namespace(), &reference.name).await;
                match secret {
                    Ok(secret) => Some(secret),
                    Err(error) => return refuse(&chain(&error)),
                }
            }
        };
        let issuer = match receiver.spec.type_ {
            ReceiverType::GenericOidc => match issuer_of(receiver, call) {
                Ok(provider) => Some(provider.issuer_url.as_str()),
                Err(error) => return refuse(&error),
            },
            ReceiverType::Gcr => Some(GOOGLE),
            _ => None,
        };
        let keys = self.issuers.fetch(issuer, call).await;
        let secret = secret.as_ref().map(|secret| secret as &dyn Keys);
        let verified = match verify(receiver, secret, call, &keys, self.clock.now()) {
            Ok(verified) => verified,
            Err(error) => return refuse(&error.to_string()),
        };
        tracing::info!(receiver = %key, "{}", verified.message);
        let filters = match Filters::compile(receiver, &verified, call) {
            Ok(filters) => Arc::new(filters),
            Err(error) => {
                tracing::error!(receiver = %key, %error, "unable to create resource filters");
                return Answer::Failed;
            }
        };
        let mut answer = Answer::Accepted;
        for (index, target) in targets(receiver, self.no_cross_namespace_refs)
            .into_iter()
            .enumerate()
        {
            let notified = match target {
                Ok(target) => {
                    let request = self.annotator.request(&target, &filters, index);
                    request.await.map_err(|error| chain(&error))
                }
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = notified {
                let resource = &receiver.spec.resources[index];
                tracing::error!(
                    receiver = %key,
                    resource = format!("{}/{}", resource.kind.as_str(), resource.name),
                    error,
                    "unable to request reconciliation"
                );
                answer = Answer::Failed;
            }
        }
        answer
    }
}

fn key_of(receiver: &Receiver) -> ObjectKey {
    let metadata = &receiver.metadata;
    let (namespace, name) = (metadata.namespace.as_deref(), metadata.name.as_deref());
    ObjectKey::new(namespace.unwrap_or_default(), name.unwrap_or_default())
}

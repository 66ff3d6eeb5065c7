//! Serves the webhooks of Receivers.
//!
//! Only `/hook/<digest>` exists. The whole request target must equal a Receiver's path, so a query
//! makes it unknown. Responses have no body, to hide the reason of a refusal.

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
use sluice_system::{Clock, blocking};

use crate::annotator::Annotator;
use crate::http_server::{self, Handler, WholeRequest};
use crate::issuers::Issuers;
use crate::metrics::DeliveryMetrics;
use crate::receiver::{Call, CallStatus, Filters, Refusal, admit, issuer_of, targets, verify};

/// Prefix of every path.
const PREFIX: &str = "/hook/";
/// Minimum time between two scans of all Receivers. A scan decodes each of them.
const SCAN_INTERVAL: Duration = Duration::from_millis(200);
/// Issuer of the tokens that Google registries send.
const GOOGLE: &str = "https://accounts.google.com";

pub(crate) struct WebhookServer {
    pub(crate) receivers: Store<Receiver>,
    pub(crate) paths: Paths,
    pub(crate) secrets: Secrets,
    pub(crate) issuers: Issuers,
    pub(crate) annotator: Arc<Annotator>,
    /// Value of `--no-cross-namespace-refs`.
    pub(crate) no_cross_namespace_refs: bool,
    pub(crate) metrics: DeliveryMetrics,
    pub(crate) clock: Arc<dyn Clock>,
}

/// Maps paths to Receivers. The store decodes each object that it returns, so a lookup must not
/// read all of them.
pub(crate) struct Paths {
    keys: Mutex<HashMap<String, ObjectKey>>,
    /// The last scan. Only one call scans at a time.
    scanned: tokio::sync::Mutex<Scan>,
}

struct Scan {
    at: Timestamp,
    /// Revision of the store. `None` before the first scan.
    revision: Option<u64>,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            keys: Mutex::default(),
            scanned: tokio::sync::Mutex::new(Scan {
                at: Timestamp::MIN,
                revision: None,
            }),
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
    async fn handle(&self, request: WholeRequest) -> http_server::EmptyResponse {
        let Some(digest) = request.target.strip_prefix(PREFIX) else {
            return StatusCode::NOT_FOUND.into();
        };
        let digest: String = digest.chars().take(100).collect();
        tracing::info!("handling request: {}", digest.escape_default());
        let receiver = self.find(&request.target).await;
        let admitted = admit(receiver.as_deref(), request.body.len()).map(|_| ());
        let answer = match (admitted, &receiver) {
            (Ok(()), Some(receiver)) => self.answer(receiver, request).await,
            (Ok(()), None) => CallStatus::Unknown,
            (Err(answer), _) => {
                if let Some(receiver) = receiver.as_deref() {
                    let what = if receiver.spec.suspend {
                        "receiver is suspended"
                    } else {
                        "receiver is not ready"
                    };
                    tracing::error!(receiver = %ObjectKey::of(receiver), "{what}");
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

impl WholeRequest {
    fn call(&self) -> Call<'_> {
        Call {
            headers: &self.headers,
            body: &self.body,
        }
    }
}

impl WebhookServer {
    /// Returns the Receiver of a path.
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
        // Another call may have scanned in the meantime.
        if let Some(found) = self.paths.get(path).and_then(read) {
            return Some(found);
        }
        // Calls to unknown paths must not cause continuous scans.
        if scanned.revision == Some(self.receivers.revision()) {
            return None;
        }
        let age = self.clock.now().duration_since(scanned.at);
        let age = Duration::try_from(age).unwrap_or(SCAN_INTERVAL);
        if age < SCAN_INTERVAL {
            tokio::time::sleep(SCAN_INTERVAL.saturating_sub(age)).await;
        }
        let revision = self.receivers.revision();
        self.scan();
        *scanned = Scan {
            at: self.clock.now(),
            revision: Some(revision),
        };
        drop(scanned);
        self.paths.get(path).and_then(read)
    }

    /// Reads the paths of all Receivers. If several share a path, the first one by name gets it.
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
    async fn answer(&self, receiver: &Arc<Receiver>, request: WholeRequest) -> CallStatus {
        let call = &request.call();
        let key = ObjectKey::of(receiver.as_ref());
        let refuse = |error: &str| {
            tracing::error!(receiver = %key, error, "unable to validate payload");
            CallStatus::Invalid
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
        let (owner, now) = (Arc::clone(receiver), self.clock.now());
        let read = move || {
            let secret = secret.as_ref().map(|secret| secret as &dyn Keys);
            let call = &request.call();
            let verified = verify(&owner, secret, call, &keys, now)?;
            let filters = Filters::compile(&owner, &verified, call);
            Ok::<_, Refusal>((verified.message, filters))
        };
        // The body may be large, and its sender is not trusted.
        let (message, filters) = match blocking(read).await {
            Ok(read) => read,
            Err(error) => return refuse(&error.to_string()),
        };
        tracing::info!(receiver = %key, "{message}");
        let filters = match filters {
            Ok(filters) => Arc::new(filters),
            Err(error) => {
                tracing::error!(receiver = %key, %error, "unable to create resource filters");
                return CallStatus::Failed;
            }
        };
        let mut answer = CallStatus::Accepted;
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
                answer = CallStatus::Failed;
            }
        }
        answer
    }
}

//! Handles a received event: drops duplicates, selects Alerts, and queues notifications.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::Event;
use sluice_api::notification::Alert;
use sluice_api::notification::alert::EventSeverity;
use sluice_client::{Cluster, GroupVersionKind};
use sluice_engine::{Notice, ObjectKey, Statusless, Store};

use crate::alert::{
    CONFLICT_MESSAGE, Dispatch, Gates, Labels, NOTIFY_RECOVERY, Recoveries, Rejection, Skip,
    dispatch, matches, needs_labels,
};
use crate::courier::{DISPATCH_FAILED, ProviderCourier};
use crate::deliveries::{Arrival, Deliveries, Notification};
use crate::event::{Admission, Duplicates, Key, Sameness, drop_token, key};
use crate::metadata::metadata;
use crate::text::object_path;

/// Timeout of the selection of Alerts, which may read the labels of the object.
const MAX_SELECTION: Duration = Duration::from_secs(15);

/// Dispatches events to the queues of Providers.
pub(crate) struct Dispatcher {
    alerts: Store<Statusless<Alert>>,
    cluster: Cluster,
    gates: Gates,
    duplicates: Arc<Mutex<Duplicates>>,
    recoveries: Mutex<Recoveries>,
    snapshot: Mutex<Snapshot>,
    deliveries: Deliveries<ProviderCourier>,
}

/// Decoded Alerts. Decoding all of them for each event is slow.
#[derive(Default)]
struct Snapshot {
    /// Revision of the store. `None` before the first read.
    revision: Option<u64>,
    alerts: Arc<Vec<Arc<Statusless<Alert>>>>,
}

impl Dispatcher {
    /// Creates a dispatcher. `duplicates` is shared with the courier.
    pub(crate) fn new(
        alerts: Store<Statusless<Alert>>,
        cluster: Cluster,
        gates: Gates,
        duplicates: Arc<Mutex<Duplicates>>,
        deliveries: Deliveries<ProviderCourier>,
    ) -> Self {
        Self {
            alerts,
            cluster,
            gates,
            duplicates,
            recoveries: Mutex::default(),
            snapshot: Mutex::default(),
            deliveries,
        }
    }

    /// Checks whether an event is new, or a duplicate of a recent one.
    pub(crate) fn admit(&self, event: &Event, now: Timestamp) -> (Key, Admission) {
        let key = key(event, Sameness::Meaning);
        let admission = lock(&self.duplicates).admit(&key, now);
        (key, admission)
    }

    /// Queues a notification for each Alert that wants an event.
    pub(crate) async fn dispatch(&self, mut event: Event, key: Key) {
        drop_token(&mut event);
        let selection = self.select(&event);
        let Ok(selected) = tokio::time::timeout(MAX_SELECTION, selection).await else {
            tracing::error!(
                object = object_path(&event),
                "failed to get alerts for the event in time"
            );
            return;
        };
        let courier = self.deliveries.courier();
        if selected.is_empty() {
            tracing::info!(
                object = object_path(&event),
                "discarding event, no alerts found for the involved object"
            );
            courier.metrics.discard("no_alert");
            return;
        }
        tracing::info!(
            object = object_path(&event),
            message = event.message,
            "dispatching event"
        );
        let arrival = Arc::new(Arrival { event, key });
        let mut dropped: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for alert in selected {
            if let Some(skip) = self.enqueue(&arrival, &alert) {
                courier.metrics.discard(reason(skip));
                if let Some(message) = skip.message() {
                    let name = key_of(&alert).to_string();
                    dropped.entry(message).or_default().push(name);
                }
            }
        }
        for (message, alerts) in dropped {
            let object = object_path(&arrival.event);
            tracing::info!(object, ?alerts, "{message}");
        }
    }

    /// After shutdown starts, waits for running attempts.
    pub(crate) async fn drain(&self) {
        self.deliveries.drain().await;
    }

    /// Queues a notification for an Alert, or returns the reason to skip it.
    fn enqueue(&self, arrival: &Arc<Arrival>, alert: &Arc<Statusless<Alert>>) -> Option<Skip> {
        let event = &arrival.event;
        let courier = self.deliveries.courier();
        let notification = Notification {
            arrival: Arc::clone(arrival),
            alert: Arc::clone(alert),
        };
        let provider = notification.provider();
        let found = courier.providers.get(&provider);
        let missing = format!("Provider '{provider}' not found");
        let found = found.as_deref().map(|it| &it.object).ok_or(&*missing);
        match dispatch(event, &alert.object, found, self.gates) {
            Dispatch::Send(combined) => {
                if combined.has_summary {
                    tracing::info!(
                        alert = %key_of(alert),
                        "warning: specifying an alert summary with '.spec.summary' is deprecated, \
                         use '.spec.eventMetadata.summary' instead"
                    );
                }
                if !combined.conflicts.is_empty() {
                    let conflicts = &combined.conflicts;
                    tracing::info!(alert = %key_of(alert), ?conflicts, "{CONFLICT_MESSAGE}");
                    let mut notice = Notice::error("MetadataAppendFailed", CONFLICT_MESSAGE);
                    notice.metadata.clone_from(conflicts);
                    courier.emit(&**alert, notice);
                }
                self.deliveries.push(notification);
                None
            }
            Dispatch::Skip(skip) => Some(skip),
            Dispatch::Refuse(message) => {
                let object = object_path(event);
                tracing::error!(
                    alert = %key_of(alert),
                    object,
                    error = message,
                    "failed to dispatch notification"
                );
                let message = format!("failed to dispatch notification for {object}: {message}");
                courier.warn(alert, DISPATCH_FAILED, message);
                courier.metrics.discard("refused");
                None
            }
        }
    }

    /// Returns the Alerts that match an event.
    async fn select(&self, event: &Event) -> Vec<Arc<Statusless<Alert>>> {
        let alerts = self.snapshot();
        let mut labels: Option<Option<BTreeMap<String, String>>> = None;
        let mut selected = Vec::new();
        for alert in alerts.iter() {
            let any_severity = with_any_severity(&alert.object);
            let judged = any_severity.as_ref().unwrap_or(&alert.object);
            if labels.is_none() && needs_labels(judged, event) {
                labels = Some(self.labels(event).await);
            }
            let known = match &labels {
                Some(Some(labels)) => Labels::Known(labels),
                _ => Labels::Unreadable,
            };
            let matched = matches(judged, event, known);
            for notice in matched.notices {
                tracing::error!(alert = %key_of(alert), "{}", notice.message);
                let courier = self.deliveries.courier();
                courier.warn(alert, notice.reason, notice.message);
            }
            if matched.outcome.is_err() {
                continue;
            }
            let is_recovery = lock(&self.recoveries).observe(&alert.object, event);
            let is_wanted = any_severity.is_none() || {
                let again = matches(&alert.object, event, known);
                !matches!(again.outcome, Err(Rejection::Severity))
            };
            if is_wanted || is_recovery {
                selected.push(Arc::clone(alert));
            }
        }
        selected
    }

    /// Returns the labels of the involved object, or `None` if it cannot be read.
    async fn labels(&self, event: &Event) -> Option<BTreeMap<String, String>> {
        let object = &event.involved_object;
        let gvk = GroupVersionKind::new(&object.api_version, &object.kind);
        let namespace = Some(object.namespace.as_str()).filter(|name| !name.is_empty());
        let read = metadata(&self.cluster, &gvk, namespace, &object.name).await;
        let found = match read {
            Ok(found) => found?,
            Err(error) => {
                tracing::error!(object = object_path(event), %error, "error getting source object");
                return None;
            }
        };
        let labels = found["metadata"]["labels"].as_object();
        let labels = labels.into_iter().flatten();
        let labels = labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.into())));
        Some(labels.collect())
    }

    /// Returns the decoded Alerts.
    fn snapshot(&self) -> Arc<Vec<Arc<Statusless<Alert>>>> {
        let mut snapshot = lock(&self.snapshot);
        let revision = Some(self.alerts.revision());
        if snapshot.revision != revision {
            let mut keys = self.alerts.readable();
            keys.sort_unstable();
            let alerts = keys.iter().filter_map(|key| self.alerts.get(key));
            snapshot.alerts = Arc::new(alerts.collect());
            snapshot.revision = revision;
        }
        Arc::clone(&snapshot.alerts)
    }
}

/// Returns a copy for any severity of an Alert that wants errors and recoveries.
fn with_any_severity(alert: &Alert) -> Option<Alert> {
    let annotations = alert.metadata.annotations.as_ref();
    let asks = annotations.and_then(|it| it.get(NOTIFY_RECOVERY));
    if asks.is_none_or(|value| value != "true") {
        return None;
    }
    let mut any = alert.clone();
    any.spec.event_severity = Some(EventSeverity::Info);
    Some(any)
}

fn key_of(alert: &Statusless<Alert>) -> ObjectKey {
    ObjectKey::of(&alert.object)
}

/// Returns the metric label of the reason.
const fn reason(skip: Skip) -> &'static str {
    match skip {
        Skip::Suspended => "suspended",
        Skip::OnlyForCommitStatus => "only_for_commit_status",
        Skip::NoCommit => "no_commit",
        Skip::NoChangeRequest => "no_change_request",
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

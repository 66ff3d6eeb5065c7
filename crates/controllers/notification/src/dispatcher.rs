//! Handles a received event: drops duplicates, selects Alerts, and queues notifications.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use sluice_api::Event;
use sluice_api::notification::Alert;
use sluice_api::notification::alert::EventSeverity;
use sluice_client::{Cluster, GroupVersionKind};
use sluice_engine::{Notice, ObjectKey, Statusless, Store};
use sluice_system::blocking;
use tokio::sync::Semaphore;

use crate::alert::{
    CONFLICT_MESSAGE, Dispatch, Gates, Labels, Match, NOTIFY_RECOVERY, Recoveries, Skip,
    SlowAlerts, dispatch, has_severity, is_source, matches, needs_labels, needs_patterns,
    pattern_budget,
};
use crate::courier::{DISPATCH_FAILED, ProviderCourier, not_found};
use crate::deliveries::{Arrival, Deliveries, Notification};
use crate::event::{Admission, Duplicates, Key, Recipients};
use crate::metadata::metadata;
use crate::text::object_path;

/// Timeout of the request for the labels of an object.
const MAX_LABEL_TIME: Duration = Duration::from_secs(15);
/// Maximum time of all patterns for an event.
const MAX_EVENT_PATTERN_TIME: Duration = Duration::from_secs(5);
/// Maximum number of events whose patterns are matched at once. Patterns of tenants may be slow.
const MAX_PATTERN_THREADS: usize = 4;

/// Dispatches events to the queues of Providers.
pub(crate) struct Dispatcher {
    alerts: Store<Statusless<Alert>>,
    cluster: Cluster,
    gates: Gates,
    duplicates: Arc<Mutex<Duplicates>>,
    recoveries: Mutex<Recoveries>,
    slow: Mutex<SlowAlerts>,
    snapshot: Mutex<Snapshot>,
    pattern_permits: Arc<Semaphore>,
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
            slow: Mutex::default(),
            snapshot: Mutex::default(),
            pattern_permits: Arc::new(Semaphore::new(MAX_PATTERN_THREADS)),
            deliveries,
        }
    }

    /// Checks whether an event is new, or a duplicate of a recent one.
    pub(crate) fn admit(&self, key: &Key, now: Timestamp) -> Admission {
        lock(&self.duplicates).admit(key, now)
    }

    /// Queues a notification for each Alert that wants an event.
    pub(crate) async fn dispatch(&self, arrival: Arrival, recipients: &Recipients) {
        let arrival = Arc::new(arrival);
        let mut pending = PendingAdmission {
            duplicates: &self.duplicates,
            arrival: &arrival,
            recipients,
            is_selected: false,
        };
        let selected = self.select(&arrival, recipients).await;
        pending.is_selected = true;
        let event = &arrival.event;
        let courier = self.deliveries.courier();
        if selected.is_empty() {
            tracing::info!(
                object = object_path(event),
                "discarding event, no alerts found for the involved object"
            );
            courier.metrics.discard("no_alert");
            return;
        }
        tracing::info!(
            object = object_path(event),
            message = event.message,
            "dispatching event"
        );
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
            let object = object_path(event);
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
        let missing = not_found(&provider);
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
    async fn select(
        &self,
        arrival: &Arc<Arrival>,
        recipients: &Recipients,
    ) -> Vec<Arc<Statusless<Alert>>> {
        let event = &arrival.event;
        let alerts = self.snapshot();
        let alerts = alerts.iter().filter(|alert| {
            is_source(&alert.object, event)
                && (*recipients == Recipients::All || recipients.include(&key_of(alert)))
        });
        let mut judged: Vec<_> = alerts.map(JudgedAlert::new).collect();
        // Patterns of other namespaces must not take the time of the object's own namespace.
        let own = &event.involved_object.namespace;
        judged.sort_by_key(|it| it.alert.object.metadata.namespace.as_ref() != Some(own));
        let mut labels = None;
        if judged.iter().any(|it| needs_labels(it.judged(), event)) {
            let reading = tokio::time::timeout(MAX_LABEL_TIME, self.labels(event));
            labels = reading.await.unwrap_or_else(|_| {
                let object = object_path(event);
                tracing::error!(object, "failed to read the labels of the object in time");
                None
            });
        }
        let has_patterns = judged.iter().any(|it| needs_patterns(it.judged(), event));
        let arrival = Arc::clone(arrival);
        let judge = move || {
            let labels = labels.as_ref().map_or(Labels::Unreadable, Labels::Known);
            let began = Instant::now();
            for it in &mut judged {
                let rest = MAX_EVENT_PATTERN_TIME.saturating_sub(began.elapsed());
                let budget = pattern_budget(rest);
                it.matched = matches(it.judged(), &arrival.event, labels, &budget);
            }
            judged
        };
        let judged = if has_patterns {
            let permit = Arc::clone(&self.pattern_permits).acquire_owned().await;
            // The thread keeps the permit, also if this future is dropped.
            blocking(move || {
                let judged = judge();
                drop(permit);
                judged
            })
            .await
        } else {
            judge()
        };
        let judged = judged.into_iter();
        judged
            .filter(|it| self.is_wanted(it, event, recipients))
            .map(|it| it.alert)
            .collect()
    }

    /// Reports the faults of an Alert, and returns whether it gets the event.
    fn is_wanted(&self, judged: &JudgedAlert, event: &Event, recipients: &Recipients) -> bool {
        let alert = &judged.alert;
        for notice in &judged.matched.notices {
            tracing::error!(alert = %key_of(alert), "{}", notice.message);
            let courier = self.deliveries.courier();
            courier.warn(alert, notice.reason, notice.message.clone());
        }
        if let Some(notice) = &judged.matched.slow
            && lock(&self.slow).report(&alert.object)
        {
            tracing::error!(alert = %key_of(alert), "{}", notice.message);
            let courier = self.deliveries.courier();
            courier.warn(alert, notice.reason, notice.message.clone());
        }
        if let Err(rejection) = &judged.matched.outcome {
            let object = object_path(event);
            tracing::trace!(alert = %key_of(alert), object, ?rejection, "alert does not match");
            return false;
        }
        let is_recovery = lock(&self.recoveries).observe(&alert.object, event);
        // An Alert that missed a recovery gets the repetition, too.
        let is_missed = *recipients != Recipients::All;
        is_recovery || is_missed || has_severity(&alert.object, event)
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

/// The admission of an event whose Alerts are being selected.
///
/// A client may disconnect meanwhile, which drops the dispatch. The event then reached no queue,
/// so the admission is withdrawn, and the client's next attempt passes.
struct PendingAdmission<'a> {
    duplicates: &'a Mutex<Duplicates>,
    arrival: &'a Arrival,
    recipients: &'a Recipients,
    is_selected: bool,
}

impl Drop for PendingAdmission<'_> {
    fn drop(&mut self) {
        if !self.is_selected {
            let Arrival { key, window, .. } = self.arrival;
            lock(self.duplicates).withdraw(key, *window, self.recipients);
        }
    }
}

/// An Alert with its decision about an event.
struct JudgedAlert {
    alert: Arc<Statusless<Alert>>,
    /// Replaces the Alert in the decision.
    any_severity: Option<Alert>,
    matched: Match,
}

impl JudgedAlert {
    fn new(alert: &Arc<Statusless<Alert>>) -> Self {
        Self {
            alert: Arc::clone(alert),
            any_severity: with_any_severity(&alert.object),
            matched: Match::default(),
        }
    }

    fn judged(&self) -> &Alert {
        self.any_severity.as_ref().unwrap_or(&self.alert.object)
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

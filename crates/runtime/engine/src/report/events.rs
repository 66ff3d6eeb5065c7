//! Sends events to the Kubernetes API and, with `--events-addr`, to the notification controller.
//!
//! Emitting never waits: each receiver has one sender and a bounded [`Outbox`], which drops the
//! oldest event when it is full. Events for Kubernetes yield to other requests. They pass the
//! [`correlate`](super::correlate) rules of client-go, so that a failing object does not fill etcd.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use kube::ResourceExt;
use sluice_api::event::{self, Event, InvolvedObject};
use sluice_api::meta::annotation::EVENT_PREFIX;
use sluice_client::Cluster;
use sluice_system::{Clock, timed};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;

use super::correlate::Draft;
use crate::kind::Kind;
use crate::metrics::Metrics;
use crate::outcome::{Audience, Notice, Severity};

mod flux;
mod kubernetes;

/// Maximum number of events in an outbox. They take at most a few kilobytes each.
const OUTBOX_CAPACITY: usize = 4000;

/// How events leave the process.
pub struct Delivery {
    /// The cluster of the objects.
    pub cluster: Cluster,
    /// Counts lost events.
    pub metrics: Metrics,
    /// The notification controller, if there is one.
    pub receiver: Option<Receiver>,
    /// Runs the senders; the process waits for them before it exits.
    pub background: TaskTracker,
    /// Cancelled when all events were emitted.
    pub flush: CancellationToken,
    /// Measures the age of events.
    pub clock: Arc<dyn Clock>,
}

/// A receiver of Flux events.
pub struct Receiver {
    /// The HTTP client.
    pub client: sluice_dial::Client,
    /// The address (`--events-addr`).
    pub address: Url,
}

/// The events of one controller.
pub struct Events {
    controller: &'static str,
    instance: String,
    kubernetes: Arc<Outbox<Draft>>,
    flux: Option<Arc<Outbox<Event>>>,
}

impl Events {
    /// Starts the senders. They end when [`Delivery::flush`] is cancelled and all is sent.
    pub fn start(controller: &'static str, delivery: Delivery) -> Self {
        let Delivery {
            cluster,
            metrics,
            receiver,
            background,
            flush,
            clock,
        } = delivery;
        let instance = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        let flux = receiver.map(|receiver| {
            let outbox = Outbox::new("flux", &metrics);
            let sender = flux::send(receiver, Arc::clone(&outbox), flush.clone());
            drop(background.spawn(timed(sender)));
            outbox
        });
        let kubernetes = Outbox::new("kubernetes", &metrics);
        let sender = kubernetes::Sender::new(cluster, controller, &instance, clock);
        drop(background.spawn(timed(sender.run(flush, Arc::clone(&kubernetes)))));
        Self {
            controller,
            instance,
            kubernetes,
            flux,
        }
    }

    /// Emits a notice about an object, with the metadata of its annotations. [`crate::Run::notify`]
    /// also logs.
    pub(crate) fn emit<K: Kind>(&self, object: &K, mut notice: Notice, now: Timestamp) {
        let annotations = object
            .annotations()
            .iter()
            .filter(|(key, _)| key.starts_with(EVENT_PREFIX));
        for (key, value) in annotations {
            notice
                .metadata
                .entry(key.clone())
                .or_insert_with(|| value.clone());
        }
        let meta = object.meta();
        let involved = InvolvedObject {
            kind: K::kind(&()).into_owned(),
            namespace: meta.namespace.clone().unwrap_or_default(),
            name: meta.name.clone().unwrap_or_default(),
            uid: meta.uid.clone().unwrap_or_default(),
            api_version: K::api_version(&()).into_owned(),
            resource_version: meta.resource_version.clone().unwrap_or_default(),
            field_path: String::new(),
        };
        self.emit_about(involved, notice, now);
    }

    /// Emits a notice about `involved`.
    pub(crate) fn emit_about(&self, involved: InvolvedObject, notice: Notice, now: Timestamp) {
        let Notice {
            severity,
            audience,
            reason,
            mut message,
            metadata,
        } = notice;
        truncate(&mut message, event::MAX_MESSAGE_BYTES);
        if let (Audience::Everyone, Some(flux)) = (audience, &self.flux) {
            flux.put(Event {
                involved_object: involved.clone(),
                severity: match severity {
                    Severity::Info => event::Severity::Info,
                    Severity::Error => event::Severity::Error,
                },
                timestamp: now.into(),
                message: message.clone(),
                reason: reason.clone().into_owned(),
                metadata: metadata.clone(),
                reporting_controller: self.controller.to_owned(),
                reporting_instance: Some(self.instance.clone()),
            });
        }
        self.kubernetes.put(Draft {
            involved,
            type_: match severity {
                Severity::Info => "Normal",
                Severity::Error => "Warning",
            },
            reason: reason.into_owned(),
            message,
            annotations: metadata,
            at: now,
        });
    }
}

/// Truncates a text to at most `limit` bytes, at a character boundary.
pub(crate) fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
    }
}

/// A bounded queue with many producers and one consumer.
pub(crate) struct Outbox<T> {
    name: &'static str,
    waiting: Mutex<VecDeque<T>>,
    arrived: Notify,
    metrics: Metrics,
}

impl<T> Outbox<T> {
    fn new(name: &'static str, metrics: &Metrics) -> Arc<Self> {
        let waiting = Mutex::default();
        Arc::new(Self {
            name,
            waiting,
            arrived: Notify::new(),
            metrics: metrics.clone(),
        })
    }

    /// Adds an item, and drops the oldest one if the outbox is full.
    fn put(&self, item: T) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= OUTBOX_CAPACITY {
            waiting.pop_front();
            self.metrics.event_dropped(self.name);
        }
        waiting.push_back(item);
        drop(waiting);
        self.arrived.notify_one();
    }

    /// Whether it holds so many items that they must not wait.
    fn is_filling(&self) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.len() >= OUTBOX_CAPACITY / 2
    }

    fn pop(&self) -> Option<T> {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    }

    /// Returns the next item; `None` once `stop` is cancelled and none is left.
    async fn take(&self, stop: &CancellationToken) -> Option<T> {
        loop {
            if let Some(item) = self.pop() {
                return Some(item);
            }
            tokio::select! {
                () = self.arrived.notified() => {}
                () = stop.cancelled() => return self.pop(),
            }
        }
    }

    /// Counts an item that could not be sent.
    fn count_lost(&self) {
        self.metrics.event_dropped(self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncate_keeps_characters_whole() {
        let mut text = "aé".repeat(3);
        truncate(&mut text, 5);
        assert_eq!(text, "aéa");
    }

    #[test]
    fn full_outbox_drops_and_counts_the_oldest() {
        let metrics = Metrics::new();
        let outbox = Outbox::new("flux", &metrics);
        for number in 0..=OUTBOX_CAPACITY {
            outbox.put(number);
        }
        assert_eq!(outbox.pop(), Some(1));
        assert!(
            metrics
                .text()
                .contains("sluice_events_dropped_total{sink=\"flux\"} 1")
        );
    }
}

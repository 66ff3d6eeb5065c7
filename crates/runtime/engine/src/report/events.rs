//! Notices on their way out of the process: to the Kubernetes API and, with
//! `--events-addr`, to the notification controller.
//!
//! Emitting never waits: each sink has a bounded [`outbox`](Outbox) that forgets the
//! oldest event when nobody takes them, and one task that sends. What Kubernetes is
//! sent has passed the [`correlate`](super::correlate) rules of client-go, so that a
//! failing object does not fill etcd.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use kube::ResourceExt;
use sluice_api::event::{self, Event, InvolvedObject};
use sluice_api::meta::annotation::EVENT_PREFIX;
use tokio::sync::Notify;

use super::correlate::Draft;
use crate::args::ArgsError;
use crate::host::Host;
use crate::kind::Kind;
use crate::metrics::Metrics;
use crate::reconcile::{Audience, Notice, Severity};

mod flux;
mod kubernetes;

/// How many events wait for their sink at most.
const CAPACITY: usize = 1000;

/// The sinks of one component.
pub(crate) struct Events {
    controller: &'static str,
    instance: String,
    kubernetes: Arc<Outbox<Draft>>,
    flux: Option<Arc<Outbox<Event>>>,
}

impl Events {
    /// Starts the sinks. They end when the host is drained and all is sent.
    pub(crate) fn start(
        host: &Host,
        controller: &'static str,
        address: &str,
    ) -> Result<Self, ArgsError> {
        let instance = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        let flux = if address.is_empty() {
            None
        } else {
            let address: url::Url = address.parse().map_err(|_| ArgsError::Url {
                flag: "events-addr",
                value: address.to_owned(),
            })?;
            let outbox = Outbox::new("flux", host.metrics());
            drop(
                host.background()
                    .spawn(flux::send(host.clone(), Arc::clone(&outbox), address)),
            );
            Some(outbox)
        };
        let kubernetes = Outbox::new("kubernetes", host.metrics());
        let sender = kubernetes::Sender::new(host, controller, &instance);
        drop(
            host.background()
                .spawn(sender.run(host.flush().clone(), Arc::clone(&kubernetes))),
        );
        Ok(Self {
            controller,
            instance,
            kubernetes,
            flux,
        })
    }

    /// Emits a notice about an object, with what its author adds by annotation.
    pub(crate) fn emit<K: Kind>(&self, object: &K, mut notice: Notice, now: Timestamp) {
        let wishes = object
            .annotations()
            .iter()
            .filter(|(key, _)| key.starts_with(EVENT_PREFIX));
        for (key, value) in wishes {
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

    /// Emits a notice about whatever `involved` names.
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

/// Cuts a text to at most `limit` bytes, never inside a character. The head stays: it
/// says what failed.
pub(crate) fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
    }
}

/// A bounded queue between many that put and one that takes.
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

    /// Puts an item in, dropping the oldest when there are too many: what happened
    /// last matters most to whoever looks.
    fn put(&self, item: T) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= CAPACITY {
            waiting.pop_front();
            self.metrics.event_dropped(self.name);
        }
        waiting.push_back(item);
        drop(waiting);
        self.arrived.notify_one();
    }

    fn pop(&self) -> Option<T> {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    }

    /// The next item; `None` once `stop` is cancelled and nothing is left.
    async fn take(&self, stop: &tokio_util::sync::CancellationToken) -> Option<T> {
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

    /// Counts an item that its sink would not have.
    fn lost(&self) {
        self.metrics.event_dropped(self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        let mut text = "aé".repeat(3);
        truncate(&mut text, 5);
        assert_eq!(text, "aéa");
    }

    #[test]
    fn a_full_outbox_forgets_the_oldest_and_counts_it() {
        let metrics = Metrics::new();
        let outbox = Outbox::new("flux", &metrics);
        for number in 0..=CAPACITY {
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

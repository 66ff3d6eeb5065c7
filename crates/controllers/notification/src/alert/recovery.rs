//! Detects recoveries, for Alerts that want one message when a failing object is ready again.
//!
//! An annotation of the Alert enables it. Without it, an Alert works as in the reference, which has
//! no such messages.

use std::collections::{HashMap, VecDeque};

use sluice_api::event::{Event, Severity};
use sluice_api::meta::reason::PROGRESSING;
use sluice_api::notification::Alert;

/// Annotation that enables a message about the recovery of an object.
pub const NOTIFY_RECOVERY: &str = "sluice.dev/notify-recovery";
/// Maximum number of failing objects in memory. The oldest one is evicted.
pub const MAX_FAILING: usize = 50_000;

/// An Alert, and a failing object that it reported.
type FailingObject = (String, String);

/// Objects that Alerts reported as failing.
#[derive(Debug, Default)]
pub struct Recoveries {
    /// Number of the failure that started the outage.
    failing: HashMap<FailingObject, u64>,
    /// Outages from oldest to newest. Ended ones may still be listed.
    order: VecDeque<(u64, FailingObject)>,
    count: u64,
}

impl Recoveries {
    /// Records an event, and returns whether it is a recovery to report.
    ///
    /// The caller passes each event that matches the Alert apart from its severity. Progress is
    /// neither a failure nor a recovery.
    pub fn observe(&mut self, alert: &Alert, event: &Event) -> bool {
        let annotations = alert.metadata.annotations.as_ref();
        let wanted = annotations.and_then(|it| it.get(NOTIFY_RECOVERY));
        if wanted.is_none_or(|value| value != "true") || event.reason == PROGRESSING {
            return false;
        }
        let alert = alert.metadata.uid.clone().unwrap_or_default();
        let object = &event.involved_object;
        let object = format!(
            "{}/{}/{}/{}",
            object.api_version, object.kind, object.namespace, object.name
        );
        let key = (alert, object);
        match event.severity {
            Severity::Error => {
                if !self.failing.contains_key(&key) {
                    self.count += 1;
                    self.failing.insert(key.clone(), self.count);
                    self.order.push_back((self.count, key));
                }
                self.shrink();
                false
            }
            Severity::Info => self.failing.remove(&key).is_some(),
            _ => false,
        }
    }

    /// Returns the number of failing objects.
    pub fn len(&self) -> usize {
        self.failing.len()
    }

    /// Whether no object is failing.
    pub fn is_empty(&self) -> bool {
        self.failing.is_empty()
    }

    /// Evicts the oldest outages.
    fn shrink(&mut self) {
        while self.order.len() > 2 * MAX_FAILING || self.failing.len() > MAX_FAILING {
            let Some((number, oldest)) = self.order.pop_front() else {
                return;
            };
            if self.failing.get(&oldest) == Some(&number) {
                self.failing.remove(&oldest);
            }
        }
    }
}

//! Remembers which Alerts were reported for slow patterns. Pure.
//!
//! A slow Alert is slow for most events, so a report for each event would fill its events.

use std::collections::HashMap;

use sluice_api::notification::Alert;

/// Maximum number of remembered Alerts. A full set forgets all, and reports them again.
pub const MAX_SLOW: usize = 1_000;

/// The reported Alerts, by UID, with the generation of their spec.
#[derive(Debug, Default)]
pub struct SlowAlerts {
    generations: HashMap<String, i64>,
}

impl SlowAlerts {
    /// Whether this generation of an Alert is not reported. Records that it is.
    pub fn report(&mut self, alert: &Alert) -> bool {
        let uid = alert.metadata.uid.clone().unwrap_or_default();
        let generation = alert.metadata.generation.unwrap_or_default();
        if self.generations.get(&uid) == Some(&generation) {
            return false;
        }
        if self.generations.len() >= MAX_SLOW {
            self.generations.clear();
        }
        self.generations.insert(uid, generation);
        true
    }
}

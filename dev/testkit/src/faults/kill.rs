//! Kills of a process at its calls, for tests of crashes.
//!
//! A scenario runs once undisturbed, which lists its calls. It then runs once for each [`Kill`].

use std::collections::BTreeMap;

use super::{Call, Fault, FaultProxy, When};

/// The call at which a process is killed. It is identified by its content, because numbers shift
/// between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kill {
    /// The call, as [`Kill::describe`] formats it.
    pub call: String,
    /// The occurrence of that call, from 1.
    pub nth: usize,
    /// Whether the process ends before the server receives the call, or before it reads the answer.
    pub fault: Fault,
}

impl Kill {
    /// Formats a call without its number and without names of the run.
    pub fn describe(call: &Call) -> String {
        let is_random = call.resource == "events";
        let name = if is_random { "" } else { &call.name };
        let dry = if call.dry_run { " (dry run)" } else { "" };
        format!("{} {} {name}{dry}", call.verb, call.target())
    }

    /// The kills at each of these calls. A kill after a read is the same as one before the next
    /// call, so a read has one.
    pub fn at_each<'c>(calls: impl IntoIterator<Item = &'c Call>) -> Vec<Self> {
        let mut counts = BTreeMap::new();
        let mut kills = Vec::new();
        for call in calls {
            let description = Self::describe(call);
            let nth = counts.entry(description.clone()).or_insert(0);
            *nth += 1;
            let faults = [Fault::KillBefore, Fault::KillAfter];
            let faults = faults.into_iter().take(if call.is_write() { 2 } else { 1 });
            kills.extend(faults.map(|fault| Self {
                call: description.clone(),
                nth: *nth,
                fault,
            }));
        }
        kills
    }

    /// Injects the kill into the calls through a proxy.
    pub fn inject(self, proxy: &FaultProxy) {
        let when = When::any().and(move |seen| Self::describe(seen) == self.call);
        proxy.inject_if_reached(when.nth(self.nth), self.fault);
    }
}

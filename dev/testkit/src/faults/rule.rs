//! Rules: faults and the calls that they affect.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::call::Call;
use super::fault::{Fault, WatchFault};

/// Number of events that a rule matched.
#[derive(Debug, Clone, Default)]
pub struct EventCount(Arc<AtomicUsize>);

impl EventCount {
    /// Returns the number so far.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A watch fault and the number of its event.
pub(super) struct WatchRule {
    pub(super) when: When,
    pub(super) nth: usize,
    pub(super) fault: WatchFault,
    pub(super) count: EventCount,
}

impl WatchRule {
    pub(super) fn decide(&self, call: &Call) -> Option<WatchFault> {
        let is_hit =
            self.when.matches(call) && self.count.0.fetch_add(1, Ordering::SeqCst) + 1 == self.nth;
        is_hit.then_some(self.fault)
    }
}

type Condition = Arc<dyn Fn(&Call) -> bool + Send + Sync>;

/// Selects calls: all conditions must hold.
#[derive(Clone, Default)]
pub struct When {
    conditions: Vec<Condition>,
    nth: Option<usize>,
    times: Option<usize>,
}

impl fmt::Debug for When {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("When")
            .field("conditions", &self.conditions.len())
            .field("nth", &self.nth)
            .field("times", &self.times)
            .finish()
    }
}

impl When {
    /// Matches every call.
    pub fn any() -> Self {
        Self::default()
    }

    /// Matches every write, by [`Call::is_write`].
    pub fn write() -> Self {
        Self::any().and(Call::is_write)
    }

    /// Requires this verb.
    #[must_use]
    pub fn verb(self, verb: &'static str) -> Self {
        self.and(move |call| call.verb == verb)
    }

    /// Requires this resource, written `deployments` or `kustomizations/status`.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        let resource = resource.to_owned();
        self.and(move |call| call.target() == resource)
    }

    /// Requires this namespace.
    #[must_use]
    pub fn namespace(self, namespace: &str) -> Self {
        let namespace = namespace.to_owned();
        self.and(move |call| call.namespace == namespace)
    }

    /// Requires this name.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        let name = name.to_owned();
        self.and(move |call| call.name == name)
    }

    /// Requires that the proxy injected this fault, for counts after the run.
    #[must_use]
    pub fn with_fault(self, fault: &Fault) -> Self {
        let fault = fault.clone();
        self.and(move |call| call.fault.as_ref() == Some(&fault))
    }

    /// Requires this condition.
    #[must_use]
    pub fn and(mut self, condition: impl Fn(&Call) -> bool + Send + Sync + 'static) -> Self {
        self.conditions.push(Arc::new(condition));
        self
    }

    /// Selects only match number `nth`, from 1, counted since the rule exists.
    #[must_use]
    pub fn nth(mut self, nth: usize) -> Self {
        self.nth = Some(nth);
        self
    }

    /// Selects only the first `times` matches.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    /// Whether the conditions hold for a call, regardless of its number.
    pub fn matches(&self, call: &Call) -> bool {
        self.conditions.iter().all(|condition| condition(call))
    }
}

/// A fault, its condition and the number of matches.
pub(super) struct Rule {
    when: When,
    fault: Fault,
    matched: usize,
    /// Whether the fault hit a call.
    is_met: bool,
    /// The place in the test, if its proxy must have met the fault.
    required_by: Option<&'static Location<'static>>,
}

impl Rule {
    pub(super) fn new(
        when: When,
        fault: Fault,
        required_by: Option<&'static Location<'static>>,
    ) -> Self {
        Self {
            when,
            fault,
            matched: 0,
            is_met: false,
            required_by,
        }
    }

    /// Describes a required fault that hit no call.
    pub(super) fn unmet(&self) -> Option<String> {
        let place = self.required_by.filter(|_| !self.is_met)?;
        Some(format!("{:?}, injected at {place}", self.fault))
    }

    pub(super) fn decide(&mut self, call: &Call) -> Option<Fault> {
        if !self.when.matches(call) {
            return None;
        }
        self.matched += 1;
        let is_hit = self.when.nth.is_none_or(|nth| self.matched == nth)
            && self.when.times.is_none_or(|times| self.matched <= times);
        self.is_met |= is_hit;
        is_hit.then(|| self.fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(verb: &'static str, resource: &str) -> Call {
        Call {
            verb,
            resource: resource.to_owned(),
            ..Call::default()
        }
    }

    #[test]
    fn nth_counts_only_matching_calls() {
        let mut rule = Rule::new(When::any().verb("patch").nth(2), Fault::Drop, None);
        let decided: Vec<bool> = ["patch", "get", "patch", "patch"]
            .into_iter()
            .map(|verb| rule.decide(&call(verb, "pods")).is_some())
            .collect();
        assert_eq!(decided, [false, false, true, false]);
    }

    #[test]
    fn watch_fault_affects_one_event_of_matching_watches() {
        let rule = WatchRule {
            when: When::any().resource("pods"),
            nth: 2,
            fault: WatchFault::Skip,
            count: EventCount::default(),
        };
        let decided: Vec<bool> = ["pods", "nodes", "pods", "pods"]
            .into_iter()
            .map(|resource| rule.decide(&call("watch", resource)).is_some())
            .collect();
        assert_eq!(decided, [false, false, true, false]);
        assert_eq!(rule.count.count(), 3);
    }

    #[test]
    fn times_limits_matches() {
        let when = When::any().resource("pods").times(2);
        let mut rule = Rule::new(when, Fault::CONFLICT, None);
        let decided: Vec<bool> = ["pods", "nodes", "pods", "pods"]
            .into_iter()
            .map(|resource| rule.decide(&call("get", resource)).is_some())
            .collect();
        assert_eq!(decided, [true, false, true, false]);
    }
}

//! Conditions and the rules of their changes.
//!
//! [`Conditions`] is the list in a status. It has one entry per type, in Flux's order, and updates
//! `lastTransitionTime` only if the status changes.

use std::ops::Deref;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Time;
use crate::word::words;

/// Summary of the state of an object.
pub const READY: &str = "Ready";
/// Present while a controller reconciles an object.
pub const RECONCILING: &str = "Reconciling";
/// Present if retries cannot succeed until the object changes.
pub const STALLED: &str = "Stalled";
/// Health of the applied objects. Absent if no health is checked.
pub const HEALTHY: &str = "Healthy";

/// Maximum message length that the API server accepts, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 32_768;

words! {
    /// Status of a condition.
    #[derive(Default)]
    pub enum ConditionStatus {
        /// The condition is true.
        True = "True",
        /// The condition is false.
        False = "False",
        /// The status is unknown.
        #[default]
        Unknown = "Unknown",
    }
}

/// An observation about an object at the last reconciliation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Time of the last change of the status.
    pub last_transition_time: Time,
    /// Details for humans. May be empty.
    #[schemars(length(max = 32768))]
    pub message: String,
    /// Generation of the object at the time of the observation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
    /// Machine-readable reason of the status, in one word.
    #[schemars(
        length(min = 1, max = 1024),
        regex(pattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
    )]
    pub reason: String,
    /// Status: `True`, `False` or `Unknown`.
    pub status: ConditionStatus,
    /// Type of the condition, such as `Ready`.
    #[serde(rename = "type")]
    #[schemars(
        length(max = 316),
        regex(
            pattern = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
        )
    )]
    pub type_: String,
}

impl Condition {
    /// Creates a condition. [`Conditions::set`] sets its time.
    pub fn new(
        type_: impl Into<String>,
        status: ConditionStatus,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            type_: type_.into(),
            status,
            reason: reason.into(),
            message: message.into(),
            ..Self::default()
        }
    }

    /// Sets the observed generation.
    #[must_use]
    pub fn observed_at(mut self, generation: i64) -> Self {
        self.observed_generation = Some(generation);
        self
    }

    /// Reports whether the status is `True`.
    pub fn is_true(&self) -> bool {
        self.status == ConditionStatus::True
    }

    /// Reports whether the status is `False`.
    pub fn is_false(&self) -> bool {
        self.status == ConditionStatus::False
    }
}

/// Conditions of an object: one per type, in Flux's order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Conditions(
    #[serde(deserialize_with = "crate::lenient::null_is_default")] Vec<Condition>,
);

impl Conditions {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Reports whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the condition of a type.
    pub fn find(&self, type_: &str) -> Option<&Condition> {
        self.0.iter().find(|condition| condition.type_ == type_)
    }

    /// Reports whether a condition exists and is `True`.
    pub fn is_true(&self, type_: &str) -> bool {
        self.find(type_).is_some_and(Condition::is_true)
    }

    /// Reports whether a condition exists and is `False`.
    pub fn is_false(&self, type_: &str) -> bool {
        self.find(type_).is_some_and(Condition::is_false)
    }

    /// Adds a condition or replaces the one of its type.
    ///
    /// The transition time changes only with the status. A message beyond the API server's limit is
    /// truncated at a character boundary.
    pub fn set(&mut self, mut condition: Condition, now: Timestamp) {
        cut_message(&mut condition.message);
        let existing = self
            .0
            .iter_mut()
            .find(|existing| existing.type_ == condition.type_);
        if let Some(existing) = existing {
            // The API server would reject an invalid time on the next write, so it is replaced.
            let keeps_time = existing.status == condition.status
                && existing.last_transition_time.parse().is_ok();
            condition.last_transition_time = if keeps_time {
                std::mem::take(&mut existing.last_transition_time)
            } else {
                now.into()
            };
            *existing = condition;
        } else {
            condition.last_transition_time = now.into();
            self.0.push(condition);
        }
        self.0.sort_by(|left, right| rank(left).cmp(&rank(right)));
    }

    /// Removes the condition of a type, if it exists.
    pub fn remove(&mut self, type_: &str) {
        self.0.retain(|condition| condition.type_ != type_);
    }
}

impl Deref for Conditions {
    type Target = [Condition];

    fn deref(&self) -> &[Condition] {
        &self.0
    }
}

impl From<Vec<Condition>> for Conditions {
    fn from(conditions: Vec<Condition>) -> Self {
        Self(conditions)
    }
}

impl IntoIterator for Conditions {
    type Item = Condition;
    type IntoIter = std::vec::IntoIter<Condition>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Conditions {
    type Item = &'a Condition;
    type IntoIter = std::slice::Iter<'a, Condition>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Sort key of a condition: types that need attention, then newer observations, then the name.
///
/// Parity: fluxcd/pkg: runtime/conditions/setter.go
fn rank(condition: &Condition) -> (u8, std::cmp::Reverse<i64>, &str) {
    let weight = match condition.type_.as_str() {
        STALLED => 0,
        RECONCILING => 1,
        READY => 2,
        _ => 3,
    };
    let generation = condition.observed_generation.unwrap_or_default();
    (weight, std::cmp::Reverse(generation), &condition.type_)
}

/// Truncates a message to the API server's limit and marks the cut.
fn cut_message(message: &mut String) {
    const MARK: &str = "...";
    if message.len() > MAX_MESSAGE_BYTES {
        message.truncate(message.floor_char_boundary(MAX_MESSAGE_BYTES - MARK.len()));
        message.push_str(MARK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn ready(status: ConditionStatus, reason: &str) -> Condition {
        Condition::new(READY, status, reason, "")
    }

    #[test]
    fn transition_time_stays_if_status_stays() {
        let mut conditions = Conditions::new();
        conditions.set(
            ready(ConditionStatus::True, "Succeeded"),
            at("2024-01-01T00:00:00Z"),
        );
        conditions.set(
            ready(ConditionStatus::True, "Renewed").observed_at(2),
            at("2024-01-02T00:00:00Z"),
        );
        let condition = conditions.find(READY).unwrap();
        assert_eq!(
            condition.last_transition_time.as_str(),
            "2024-01-01T00:00:00Z"
        );
        assert_eq!(condition.reason, "Renewed");
        assert_eq!(condition.observed_generation, Some(2));
    }

    #[test]
    fn transition_time_moves_when_the_status_changes() {
        let mut conditions = Conditions::new();
        conditions.set(
            ready(ConditionStatus::True, "Succeeded"),
            at("2024-01-01T00:00:00Z"),
        );
        conditions.set(
            ready(ConditionStatus::False, "Failed"),
            at("2024-01-02T00:00:00Z"),
        );
        let condition = conditions.find(READY).unwrap();
        assert_eq!(
            condition.last_transition_time.as_str(),
            "2024-01-02T00:00:00Z"
        );
    }

    #[test]
    fn unreadable_transition_time_is_replaced() {
        let mut stale = ready(ConditionStatus::True, "Succeeded");
        stale.last_transition_time = Time::new("soon");
        let mut conditions = Conditions::from(vec![stale.clone()]);
        conditions.set(stale, at("2024-01-02T00:00:00Z"));
        let condition = conditions.find(READY).unwrap();
        assert_eq!(
            condition.last_transition_time.as_str(),
            "2024-01-02T00:00:00Z"
        );
    }

    #[test]
    fn conditions_sort_in_flux_order() {
        let mut conditions = Conditions::new();
        for type_ in ["Healthy", READY, "ArtifactInStorage", RECONCILING, STALLED] {
            conditions.set(
                Condition::new(type_, ConditionStatus::True, "Reason", ""),
                Timestamp::UNIX_EPOCH,
            );
        }
        let order: Vec<_> = conditions
            .iter()
            .map(|condition| condition.type_.as_str())
            .collect();
        assert_eq!(
            order,
            [STALLED, RECONCILING, READY, "ArtifactInStorage", "Healthy"]
        );
    }

    #[test]
    fn newer_observations_sort_first() {
        let mut conditions = Conditions::new();
        for (type_, generation) in [("A", 1), ("B", 2)] {
            conditions.set(
                Condition::new(type_, ConditionStatus::True, "Reason", "").observed_at(generation),
                Timestamp::UNIX_EPOCH,
            );
        }
        let order: Vec<_> = conditions
            .iter()
            .map(|condition| condition.type_.as_str())
            .collect();
        assert_eq!(order, ["B", "A"]);
    }

    #[test]
    fn remove_ignores_absent_condition() {
        let mut conditions = Conditions::new();
        conditions.set(
            ready(ConditionStatus::True, "Succeeded"),
            Timestamp::UNIX_EPOCH,
        );
        let before = conditions.clone();
        conditions.remove(STALLED);
        assert_eq!(conditions, before);
        conditions.remove(READY);
        assert!(conditions.is_empty());
    }

    #[test]
    fn long_message_is_cut_at_char_boundary() {
        let mut conditions = Conditions::new();
        let condition = Condition::new(
            READY,
            ConditionStatus::False,
            "Failed",
            "ä".repeat(MAX_MESSAGE_BYTES),
        );
        conditions.set(condition, Timestamp::UNIX_EPOCH);
        let message = &conditions.find(READY).unwrap().message;
        assert!(message.len() <= MAX_MESSAGE_BYTES);
        assert!(message.ends_with("ä..."));
    }

    #[test]
    fn null_decodes_as_no_conditions() {
        assert!(
            serde_json::from_str::<Conditions>("null")
                .unwrap()
                .is_empty()
        );
    }
}

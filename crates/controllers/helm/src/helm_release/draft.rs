//! The status of a release during a run: conditions, history and notices. Pure.
//!
//! A draft begins with the status of the object. `steps` adds the reports of the steps. So the next
//! decision and the final status see the same facts.
//!
//! Parity: `helm-controller: internal/reconcile/release.go`.

use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::helm::condition::{RELEASED, REMEDIATED, TEST_SUCCESS};
use sluice_api::helm::{GROUP, HelmRelease, HelmReleaseSpec, HelmReleaseStatus, ReleaseSnapshot};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{Condition, ConditionStatus, reason};
use sluice_digest::Algorithm;
use sluice_engine::{ConditionSet, Notice};

use super::{digest, strategy};

/// The status during a run, and the notices that were not reported yet.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    object: Arc<HelmRelease>,
    pub(super) status: HelmReleaseStatus,
    pub(super) condition_set: ConditionSet,
    pub(super) notices: Vec<Notice>,
    algorithm: Algorithm,
}

impl Draft {
    /// Begins with the status of the object.
    pub(super) fn begin(object: &Arc<HelmRelease>, algorithm: Algorithm, now: Timestamp) -> Self {
        let mut status = object.status.clone().unwrap_or_default();
        let generation = object.metadata.generation.unwrap_or_default();
        let conditions = std::mem::take(&mut status.conditions);
        Self {
            object: Arc::clone(object),
            status,
            condition_set: ConditionSet::new(conditions, generation, now),
            notices: Vec::new(),
            algorithm,
        }
    }

    /// The whole status.
    pub(super) fn status(&self) -> HelmReleaseStatus {
        let mut status = self.status.clone();
        status.conditions = self.condition_set.conditions().clone();
        status
    }

    /// The spec of the object.
    pub(super) fn spec(&self) -> &HelmReleaseSpec {
        &self.object.spec
    }

    /// The object.
    pub(super) fn object(&self) -> &HelmRelease {
        &self.object
    }

    /// The generation of the object.
    pub(super) fn generation(&self) -> i64 {
        self.object.metadata.generation.unwrap_or_default()
    }

    /// The digest algorithm of snapshots.
    pub(super) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Records that the generation was observed.
    pub(super) fn observe_generation(&mut self) {
        self.status.observed_generation = self.object.metadata.generation;
    }

    fn condition(&self, type_: &str) -> Option<&Condition> {
        self.condition_set.conditions().find(type_)
    }

    /// Whether a condition is true.
    pub(super) fn is_true(&self, type_: &str) -> bool {
        self.condition_set.conditions().is_true(type_)
    }

    /// The reason of a condition.
    pub(super) fn reason_of(&self, type_: &str) -> &str {
        self.condition(type_)
            .map_or("", |condition| &condition.reason)
    }

    /// The message of `Ready`.
    pub(super) fn ready_message(&self) -> String {
        self.condition(READY)
            .map(|ready| ready.message.clone())
            .unwrap_or_default()
    }

    /// Sets `Reconciling`, and removes `Stalled`.
    pub(super) fn set_reconciling(&mut self, reason: &str, message: impl Into<String>) {
        self.condition_set.remove(STALLED);
        self.condition_set.set_true(RECONCILING, reason, message);
    }

    /// Sets `Stalled`, and removes `Reconciling`.
    pub(super) fn set_stalled(&mut self, reason: &str, message: impl Into<String>) {
        self.condition_set.remove(RECONCILING);
        self.condition_set.set_true(STALLED, reason, message);
    }

    /// Replaces an outdated reason of `Ready`, whose step has passed.
    pub(super) fn clear_ready(&mut self, reasons: &[&str]) {
        if reasons.contains(&self.reason_of(READY)) {
            let message = "reconciliation in progress";
            self.condition_set
                .set_unknown(READY, reason::PROGRESSING, message);
        }
    }

    /// Adds a line of the log.
    pub(super) fn log(&mut self, line: impl Into<String>) {
        let notice = Notice::info(reason::PROGRESSING, line).only_log();
        self.notices.push(notice);
    }

    /// Removes the history.
    pub(super) fn clear_history(&mut self) {
        self.status.history.clear();
    }

    /// Resets the counts of failures.
    pub(super) fn clear_failures(&mut self) {
        self.status.failures = 0;
        self.status.install_failures = 0;
        self.status.upgrade_failures = 0;
    }

    /// Adds a snapshot as the newest one.
    pub(super) fn prepend(&mut self, snapshot: ReleaseSnapshot) {
        self.status.history.insert(0, snapshot);
    }

    /// Whether a request by an annotation has to be handled. The handled request is recorded in
    /// `last_handled`.
    fn takes_request(&self, annotation: &str, last_handled: &mut Option<String>) -> bool {
        let annotations = self.object.metadata.annotations.as_ref();
        let value = |key: &str| annotations.and_then(|annotations| annotations.get(key));
        let Some(requested) = value(annotation) else {
            return false;
        };
        let before = last_handled.replace(requested.clone()).unwrap_or_default();
        let handled = self.status.last_handled_reconcile_at.as_deref();
        let handled = handled.unwrap_or_default();
        value(RECONCILE_REQUESTED_AT)
            .is_some_and(|at| at == requested && at != handled && before != *requested)
    }

    /// Whether an upgrade is forced by an annotation. Each request is handled once.
    pub(super) fn takes_force_request(&mut self) -> bool {
        use sluice_api::meta::annotation::FORCE_REQUESTED_AT;
        let mut last = self.status.last_handled_force_at.take();
        let is_forced = self.takes_request(FORCE_REQUESTED_AT, &mut last);
        self.status.last_handled_force_at = last;
        is_forced
    }

    /// Whether the counts of failures are reset by an annotation. Each request is handled once.
    pub(super) fn takes_reset_request(&mut self) -> bool {
        use sluice_api::meta::annotation::RESET_REQUESTED_AT;
        let mut last = self.status.last_handled_reset_at.take();
        let is_reset = self.takes_request(RESET_REQUESTED_AT, &mut last);
        self.status.last_handled_reset_at = last;
        is_reset
    }

    /// Summarizes `Ready`, and records the digests of the post-renderers and the common metadata.
    pub(super) fn summarize(&mut self) {
        let spec = &self.object.spec;
        let has_tests = strategy::has_tests(spec);
        if !has_tests {
            self.condition_set.remove(TEST_SUCCESS);
        }
        let summarized: &[&str] = if has_tests && !strategy::ignores_tests(spec) {
            &[REMEDIATED, TEST_SUCCESS, RELEASED]
        } else {
            &[REMEDIATED, RELEASED]
        };
        let Some(first) = most_important(self.condition_set.conditions(), summarized) else {
            return;
        };
        let Condition {
            type_,
            status,
            reason,
            message,
            ..
        } = first.clone();
        let status = if type_ == REMEDIATED {
            ConditionStatus::False
        } else {
            status
        };
        match status {
            ConditionStatus::True => {
                self.condition_set.remove(STALLED);
                self.condition_set.set_true(READY, &reason, message);
            }
            ConditionStatus::False => self.condition_set.set_false(READY, &reason, message),
            _ => self.condition_set.set_unknown(READY, &reason, message),
        }
        let spec = &self.object.spec;
        self.status.observed_post_renderers_digest =
            digest::of_post_renderers(self.algorithm, spec);
        self.status.observed_common_metadata_digest =
            digest::of_common_metadata(self.algorithm, spec);
    }

    /// Removes a condition, and sets another one that has held as long.
    pub(super) fn replace_condition(
        &mut self,
        target: &str,
        replacement: &str,
        reason: &str,
        message: String,
    ) {
        let Some(held) = self.condition(target) else {
            return;
        };
        let since = held.last_transition_time.parse();
        self.condition_set.remove(target);
        self.condition_set.remove(replacement);
        let Ok(since) = since else {
            self.condition_set.set_true(replacement, reason, message);
            return;
        };
        let now = self.condition_set.now();
        self.condition_set.set_now(since);
        self.condition_set.set_true(replacement, reason, message);
        self.condition_set.set_now(now);
    }
}

/// The condition that decides about `Ready`: those of newer generations first, then in the order of
/// `summarized`. The sort is Go's stable one with the reference's comparison.
fn most_important<'c>(conditions: &'c [Condition], summarized: &[&str]) -> Option<&'c Condition> {
    let position = |condition: &Condition| {
        let mut types = summarized.iter();
        types.position(|type_| *type_ == condition.type_)
    };
    let is_less = |one: &Condition, two: &Condition| match (position(one), position(two)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(first), Some(second)) => {
            one.observed_generation >= two.observed_generation && first < second
        }
    };
    let mut sorted: Vec<&Condition> = conditions.iter().collect();
    for end in 1..sorted.len() {
        let mut at = end;
        while at > 0 && is_less(sorted[at], sorted[at - 1]) {
            sorted.swap(at, at - 1);
            at -= 1;
        }
    }
    sorted.first().copied()
}

/// Adds the metadata of a release to a notice.
pub(super) fn with_metadata(
    notice: Notice,
    revision: &str,
    token: &str,
    app_version: Option<&str>,
    oci_digest: Option<&str>,
) -> Notice {
    let fields = [
        ("revision", Some(revision)),
        ("token", Some(token)),
        ("app-version", app_version),
        ("oci-digest", oci_digest),
    ];
    let fields = fields.into_iter();
    fields.fold(notice, |notice, (name, value)| match value {
        Some(value) if !value.is_empty() => notice.with(format!("{GROUP}/{name}"), value),
        _ => notice,
    })
}

/// Adds the metadata of a snapshot to a notice.
pub(super) fn about(snapshot: &ReleaseSnapshot, notice: Notice) -> Notice {
    with_metadata(
        notice,
        &snapshot.chart_version,
        &snapshot.config_digest,
        snapshot.app_version.as_deref(),
        snapshot.oci_digest.as_deref(),
    )
}

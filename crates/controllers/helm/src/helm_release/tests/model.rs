//! A model of a release: combinations of record, history and spec, and each outcome of each action.
//!
//! The plan, the reports and the conclusion are those of the product. Only the cluster is a model.
//! After the first run, whose actions have every outcome, all later actions fail or all succeed.
//! One file, because the specs, the starts and the checks share one world.

use std::collections::HashSet;

use sluice_api::helm::{HelmReleaseStatus, TestHookStatus};
use sluice_engine::{Decision, End, Requeue, Times};
use sluice_object::Object;

use super::*;
use crate::helm_release::conclude::conclude;
use crate::helm_release::model::{
    Change, Drift, LoadReport, Observation, Report, SourceState, Step,
};
use crate::helm_release::plan::plan;
use crate::helm_release::steps;

/// The most steps of a run: five actions, with two steps before each, and the preparation.
const MAX_STEPS: usize = 20;
/// The most runs until a release is ready or stalled. Three retries need two runs each.
const MAX_RUNS: usize = 10;

/// A record in the storage.
#[derive(Debug, Clone)]
struct StoredRecord {
    version: i32,
    status: Status,
    /// Whether the chart is the present one.
    is_current: bool,
    /// Whether its tests have passed, if they ran.
    tests: Option<bool>,
}

impl StoredRecord {
    fn write(&self) -> Write {
        let mut value = snapshot(self.version, self.status.as_str());
        let current = if self.is_current { "1.0.0" } else { "0.9.0" };
        value["chartVersion"] = json!(current);
        // A digest of the record, which also covers its status.
        value["digest"] = json!(format!("sha256:{}-{}", self.version, self.status));
        let hook = self.tests.map(|passed| TestHookStatus {
            phase: Some(if passed { "Succeeded" } else { "Failed" }.to_owned()),
            ..TestHookStatus::default()
        });
        Write {
            snapshot: serde_json::from_value(value).unwrap(),
            tests: hook
                .map(|hook| ("test".to_owned(), hook))
                .into_iter()
                .collect(),
        }
    }
}

/// The outcome of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActionEnd {
    Succeeded,
    /// The failure is in the record.
    FailedStored,
    /// The action failed before it wrote a record.
    Failed,
    /// Installs, upgrades and tests fail with a record, all else succeeds. A remediation that
    /// always fails is repeated without an end, as in the reference.
    Remediated,
}

/// The outcomes of the actions: those of a script, then always the last.
#[derive(Debug)]
struct Script {
    ends: Vec<ActionEnd>,
    rest: ActionEnd,
    used: usize,
}

impl Script {
    fn always(rest: ActionEnd) -> Self {
        let ends = Vec::new();
        Self {
            ends,
            rest,
            used: 0,
        }
    }

    fn next(&mut self) -> ActionEnd {
        let end = self.ends.get(self.used).copied().unwrap_or(self.rest);
        self.used += 1;
        end
    }
}

/// The cluster and the storage.
#[derive(Debug, Clone)]
struct World {
    records: Vec<StoredRecord>,
    has_drift: bool,
}

impl World {
    fn last(&self) -> Option<&StoredRecord> {
        self.records.iter().max_by_key(|record| record.version)
    }

    fn push(&mut self, status: Status, is_current: bool) -> Write {
        let version = self.last().map_or(1, |last| last.version + 1);
        let record = StoredRecord {
            version,
            status,
            is_current,
            tests: None,
        };
        let write = record.write();
        self.records.push(record);
        write
    }

    /// Replaces the deployed record by a new one.
    fn replace(&mut self, is_current: bool) -> Vec<Write> {
        let mut writes = Vec::new();
        for record in &mut self.records {
            if record.status == Status::DEPLOYED {
                record.status = Status::SUPERSEDED;
                writes.push(record.write());
            }
        }
        writes.push(self.push(Status::DEPLOYED, is_current));
        writes
    }

    fn edit_last(&mut self, edit: impl FnOnce(&mut StoredRecord)) -> Vec<Write> {
        let last = self.records.iter_mut().max_by_key(|record| record.version);
        let last = last.unwrap();
        edit(last);
        vec![last.write()]
    }

    /// The report of the last record.
    fn determine(&self, facts: &Facts) -> Option<LastRecord> {
        let last = self.last()?;
        let digest = last.write().snapshot.digest;
        let known = facts.history().iter().max_by_key(|known| known.version);
        let is_known = known.is_none_or(|known| known.digest == digest);
        Some(LastRecord {
            status: last.status.clone(),
            identity: if is_known {
                Ok(())
            } else {
                Err(state::NOT_OBSERVED)
            },
            chart_version: if last.is_current { "1.0.0" } else { "0.9.0" }.to_owned(),
            ..record(Status::DEPLOYED)
        })
    }

    fn verify(&self, snapshot: &ReleaseSnapshot) -> Verification {
        let mut records = self.records.iter();
        let record = records.find(|record| record.version == snapshot.version);
        match record {
            None => Verification::Changed("release disappeared from storage"),
            Some(record) if record.write().snapshot.digest == snapshot.digest => {
                Verification::Verified
            }
            Some(_) => Verification::Changed(state::NOT_OBSERVED),
        }
    }

    /// Performs an action.
    fn act(&mut self, action: &Action, end: ActionEnd) -> ActionReport {
        let end = match (end, action) {
            (ActionEnd::Remediated, Action::Install | Action::Upgrade | Action::Test) => {
                ActionEnd::FailedStored
            }
            (ActionEnd::Remediated, _) => ActionEnd::Succeeded,
            (end, _) => end,
        };
        let is_success = end == ActionEnd::Succeeded;
        let mut report = ActionReport::default();
        if !is_success {
            report.error = Some(ActionError::Failed("no answer".to_owned()));
        }
        if end == ActionEnd::Failed {
            return report;
        }
        report.writes = match action {
            Action::Install | Action::Upgrade if is_success => self.replace(true),
            Action::Install | Action::Upgrade => vec![self.push(Status::FAILED, true)],
            Action::Rollback(to) => {
                let is_current = to.chart_version == "1.0.0";
                if is_success {
                    self.replace(is_current)
                } else {
                    vec![self.push(Status::FAILED, is_current)]
                }
            }
            Action::Uninstall => {
                let writes = self.edit_last(|last| last.status = Status::UNINSTALLED);
                self.records.clear();
                writes
            }
            Action::Test => self.edit_last(|last| last.tests = Some(is_success)),
            Action::Unlock => {
                let pending = self.last().unwrap().write().snapshot;
                report.unlocked = Some((pending.status.clone(), pending));
                self.edit_last(|last| last.status = Status::FAILED)
            }
            Action::Correct(_) => {
                self.has_drift = !is_success;
                Vec::new()
            }
        };
        report
    }

    fn perform(&mut self, step: Step, facts: &Facts, script: &mut Script) -> Report {
        match step {
            Step::Look(..) => Report::Observed(Observation {
                unmet: None,
                source: SourceState::Ready(Box::default()),
            }),
            Step::Load(artifact) => Report::Loaded(LoadReport::Loaded {
                artifact,
                chart: Box::new(Chart::clone(&loaded().chart)),
                values: Values::new(),
            }),
            Step::Connect(_) => Report::Connected,
            Step::Determine => Report::Determined(self.determine(facts)),
            Step::Compare(_) => {
                let desired =
                    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
                let desired: Object = desired.try_into().unwrap();
                let change = Change::Create;
                let drift = self.has_drift.then_some(Drift { desired, change });
                Report::Compared(drift.into_iter().collect())
            }
            Step::Verify(snapshot) => Report::Verified(self.verify(&snapshot)),
            Step::Act(action) => {
                let report = self.act(&action, script.next());
                Report::Acted(action, Box::new(report))
            }
            other => panic!("a release that stays where it is has no step {other:?}"),
        }
    }
}

/// The end of a run.
struct RunEnd {
    status: HelmReleaseStatus,
    next: Requeue,
    actions: Vec<Action>,
}

/// Runs a release once, and checks the run.
fn run(object: &HelmRelease, world: &mut World, script: &mut Script) -> RunEnd {
    let object = Arc::new(object.clone());
    let now = Timestamp::UNIX_EPOCH;
    let mut facts = facts(&object);
    let mut actions = Vec::new();
    let mut steps_left = MAX_STEPS;
    let end = loop {
        let step = match plan(&object, &facts) {
            Decision::Work(step) => step,
            Decision::Settled => break End::Settled(facts),
            Decision::Stop(fault) => break End::Stopped(facts, fault),
        };
        steps_left = steps_left.checked_sub(1).expect("the run ends");
        if let Step::Act(action) = &step {
            check_action(action, &actions, &facts, world);
            actions.push(action.clone());
        }
        steps::begin(&mut facts, &step, now);
        let counts = counts(&facts.draft.status);
        let report = world.perform(step, &facts, script);
        let ended = steps::end(&mut facts, report, now);
        let after = self::counts(&facts.draft.status);
        let has_grown = after
            .iter()
            .zip(counts)
            .all(|(after, before)| *after >= before);
        assert!(has_grown || after == [0; 3], "{counts:?} {after:?}");
        if let Err(fault) = ended {
            break End::Stopped(facts, fault);
        }
    };
    let outcome = conclude(&object, end, Times { started: now, now });
    let status = outcome.status.expect("a status");
    let is_true = |type_: &str| status.conditions.is_true(type_);
    assert!(!(is_true("Ready") && is_true("Remediated")), "{status:?}");
    assert!(
        !(is_true("Reconciling") && is_true("Stalled")),
        "{status:?}"
    );
    RunEnd {
        status,
        next: outcome.next,
        actions,
    }
}

fn counts(status: &HelmReleaseStatus) -> [i64; 3] {
    [
        status.failures,
        status.install_failures,
        status.upgrade_failures,
    ]
}

/// Checks that the spec allows an action, and that the run did not perform one of its type.
fn check_action(action: &Action, before: &[Action], facts: &Facts, world: &World) {
    let (spec, status) = (facts.draft.spec(), &facts.draft.status);
    assert!(
        before.iter().all(|one| one.kind() != action.kind()),
        "{before:?} {action:?}"
    );
    let ended = before
        .iter()
        .find(|one| one.kind() == ActionType::Remediate);
    assert_eq!(ended, None, "a remediation ends the run");
    let last = world.last();
    let is_forced = facts.assessment.as_ref().is_some_and(|own| own.is_forced);
    match action {
        Action::Install => {
            assert!(last.is_none_or(|last| last.status == Status::UNINSTALLED));
            let retries = spec
                .install
                .as_ref()
                .and_then(|own| own.remediation.as_ref());
            let retries = retries.and_then(|own| own.retries).unwrap_or_default();
            let is_allowed = retries < 0 || status.install_failures <= retries.into();
            assert!(is_allowed || is_forced, "{status:?}");
        }
        Action::Upgrade => assert!(last.is_some()),
        Action::Rollback(to) => {
            assert!(matches!(&*to.status, "deployed" | "superseded"), "{to:?}");
            assert!(last.is_some_and(|last| to.version < last.version), "{to:?}");
        }
        Action::Uninstall => {
            let last = last.unwrap();
            assert!(
                last.status == Status::FAILED || last.tests == Some(false),
                "{last:?}"
            );
        }
        Action::Test => assert!(spec.test.as_ref().is_some_and(|test| test.enable)),
        Action::Unlock => assert!(last.unwrap().status.is_pending()),
        Action::Correct(found) => {
            assert!(world.has_drift && !found.is_empty());
            let mode = spec
                .drift_detection
                .as_ref()
                .and_then(|own| own.mode.clone());
            assert_eq!(
                mode.map(|mode| mode.to_string()).as_deref(),
                Some("enabled")
            );
        }
    }
    if matches!(action, Action::Rollback(_) | Action::Uninstall) {
        let is_retried = |strategy: Option<String>| strategy.as_deref() == Some("RetryOnFailure");
        let attempted = status.last_attempted_release_action.as_ref();
        let attempted = attempted.map(|action| action.as_str().to_owned());
        let strategy = match attempted.as_deref() {
            Some("install") => {
                assert_eq!(*action, Action::Uninstall, "an install is only uninstalled");
                let own = spec.install.as_ref().and_then(|own| own.strategy.as_ref());
                own.map(|own| own.name.to_string())
            }
            _ => {
                let own = spec.upgrade.as_ref().and_then(|own| own.strategy.as_ref());
                own.map(|own| own.name.to_string())
            }
        };
        assert!(!is_retried(strategy), "a retried action is not remediated");
    }
}

/// A spec, by the options after failures, of tests, and of drift.
fn spec(after_failures: &Value, tests: &str, drift: &str) -> Value {
    let mut spec = after_failures.clone();
    match tests {
        "none" => {}
        "ignored" => spec["test"] = json!({"enable": true, "ignoreFailures": true}),
        _ => spec["test"] = json!({"enable": true}),
    }
    spec["driftDetection"] = json!({ "mode": drift });
    spec
}

fn specs() -> Vec<Value> {
    let retries = |retries: i32, last: bool, strategy: Option<&str>| {
        let mut own = json!({"retries": retries, "remediateLastFailure": last});
        if let Some(strategy) = strategy {
            own["strategy"] = json!(strategy);
        }
        json!({ "remediation": own })
    };
    let installs = [
        json!({}),
        retries(1, false, None),
        retries(0, true, None),
        retries(-1, false, None),
    ];
    let upgrades = [
        json!({}),
        retries(1, true, None),
        retries(1, false, None),
        retries(0, true, None),
        retries(1, true, Some("uninstall")),
        retries(-1, true, None),
    ];
    let mut after_failures = Vec::new();
    for install in &installs {
        for upgrade in &upgrades {
            after_failures.push(json!({"install": install, "upgrade": upgrade}));
        }
    }
    let retry = json!({"strategy": {"name": "RetryOnFailure"}});
    after_failures.push(json!({"install": retry, "upgrade": retry}));
    let others = [
        ("none", "disabled"),
        ("ignored", "warn"),
        ("counted", "enabled"),
    ];
    let specs = after_failures.iter().flat_map(|after_failures| {
        let others = others.iter();
        others.map(|(tests, drift)| spec(after_failures, tests, drift))
    });
    specs.collect()
}

/// Records, the number of them that the history has, and the last attempted action.
type Start = (Vec<StoredRecord>, usize, Option<&'static str>);

fn starts() -> Vec<Start> {
    let stored = |version: i32, status: Status, is_current: bool| StoredRecord {
        version,
        status,
        is_current,
        tests: None,
    };
    let deployed = |is_current| stored(1, Status::DEPLOYED, is_current);
    let tested = |passed| StoredRecord {
        tests: Some(passed),
        ..deployed(true)
    };
    let after = |status| vec![deployed(false), stored(2, status, true)];
    let (install, upgrade) = (Some("install"), Some("upgrade"));
    vec![
        (Vec::new(), 0, None),
        (Vec::new(), 0, install),
        (vec![deployed(true)], 1, install),
        (vec![deployed(false)], 1, install),
        (vec![deployed(true)], 0, None),
        (vec![tested(true)], 1, install),
        (vec![tested(false)], 1, install),
        (vec![tested(false)], 1, upgrade),
        (vec![stored(1, Status::FAILED, true)], 1, install),
        (vec![stored(1, Status::PENDING_INSTALL, true)], 0, install),
        (vec![stored(1, Status::UNINSTALLED, true)], 1, install),
        (after(Status::FAILED), 2, upgrade),
        (after(Status::PENDING_UPGRADE), 1, upgrade),
        (after(Status::PENDING_ROLLBACK), 2, upgrade),
    ]
}

/// A release before its first run, which is forced by a request or not.
fn begin(spec: &Value, start: &Start, failures: i64, is_forced: bool) -> (HelmRelease, World) {
    let (records, known, action) = start;
    let history = records[..*known].iter().map(|record| {
        let write = record.write();
        let mut snapshot = write.snapshot;
        snapshot.test_hooks = record.tests.is_some().then_some(write.tests);
        snapshot
    });
    let history: Vec<ReleaseSnapshot> = history.collect();
    let released = history.last().map(|last| {
        let (status, reason) = match &*last.status {
            "failed" => ("False", "UpgradeFailed"),
            _ => ("True", "UpgradeSucceeded"),
        };
        json!({"type": "Released", "status": status, "reason": reason, "message": "",
            "observedGeneration": 2, "lastTransitionTime": "2026-01-01T00:00:00Z"})
    });
    let conditions: Vec<Value> = released.into_iter().collect();
    let status = json!({"history": history, "conditions": conditions, "observedGeneration": 2, "storageNamespace": "apps",
        "lastAttemptedReleaseAction": action, "lastAttemptedGeneration": 2,
        "lastAttemptedRevision": "1.0.0", "failures": failures, "installFailures": failures,
        "upgradeFailures": failures});
    let mut object = release(spec, &status);
    if is_forced {
        let annotations = [
            "reconcile.fluxcd.io/requestedAt",
            "reconcile.fluxcd.io/forceAt",
        ];
        let annotations = annotations.map(|name| (name.to_owned(), "now".to_owned()));
        object.metadata.annotations = Some(annotations.into_iter().collect());
    }
    let world = World {
        records: records.clone(),
        has_drift: true,
    };
    (object, world)
}

/// Runs a release until it waits for its interval or for an edit. Returns the last run.
fn settle(object: &mut HelmRelease, world: &mut World, end: ActionEnd) -> Option<RunEnd> {
    for _ in 0..MAX_RUNS {
        let ended = run(object, world, &mut Script::always(end));
        object.status = Some(ended.status.clone());
        let is_idle = ended.actions.is_empty() && matches!(ended.next, Requeue::Interval(_));
        if is_idle || matches!(ended.next, Requeue::Stalled(_)) {
            return Some(ended);
        }
    }
    None
}

/// Whether failures are retried a limited number of times.
fn has_limit(object: &HelmRelease) -> bool {
    let spec = serde_json::to_value(&object.spec).unwrap();
    ["install", "upgrade"].iter().all(|action| {
        let own = &spec[action];
        own["strategy"]["name"] != "RetryOnFailure" && own["remediation"]["retries"] != -1
    })
}

/// Checks how a release goes on after a run.
fn check_future(object: &HelmRelease, world: &World) {
    let (mut healed, mut after) = (object.clone(), world.clone());
    let ended = settle(&mut healed, &mut after, ActionEnd::Succeeded);
    let mut ended = ended.expect("a release whose actions succeed comes to rest");
    if matches!(ended.next, Requeue::Stalled(_)) {
        assert!(
            ended.status.conditions.is_true("Stalled"),
            "{:?}",
            ended.status
        );
        healed.metadata.generation = Some(3);
        ended = settle(&mut healed, &mut after, ActionEnd::Succeeded).expect("an edit heals it");
    }
    assert!(
        ended.status.conditions.is_true("Ready"),
        "{:?}",
        ended.status
    );
    assert!(
        after
            .last()
            .is_some_and(|last| last.status == Status::DEPLOYED)
    );
    let (mut failing, mut after) = (object.clone(), world.clone());
    let ended = settle(&mut failing, &mut after, ActionEnd::Remediated);
    if has_limit(object) {
        let ended = ended.unwrap_or_else(|| {
            panic!(
                "retries with a limit end: {}",
                serde_json::to_string(object).unwrap()
            )
        });
        let is_ready = ended.status.conditions.is_true("Ready");
        assert!(
            is_ready || ended.status.conditions.is_true("Stalled"),
            "{:?}",
            ended.status
        );
    }
}

#[test]
fn no_combination_ends_in_a_stuck_release() {
    let mut seen = HashSet::new();
    let mut runs = 0;
    for spec in specs() {
        for start in starts() {
            for (failures, is_forced) in [(0, false), (2, false), (2, true)] {
                // Each outcome of each action of the first run.
                let mut scripts = vec![Vec::new()];
                while let Some(ends) = scripts.pop() {
                    let (mut object, mut world) = begin(&spec, &start, failures, is_forced);
                    let mut script = Script {
                        ends: ends.clone(),
                        ..Script::always(ActionEnd::Succeeded)
                    };
                    let ended = run(&object, &mut world, &mut script);
                    runs += 1;
                    // The actions beyond the script have succeeded. They also fail.
                    for length in ends.len()..script.used {
                        for end in [ActionEnd::FailedStored, ActionEnd::Failed] {
                            let mut longer = ends.clone();
                            longer.resize(length, ActionEnd::Succeeded);
                            longer.push(end);
                            scripts.push(longer);
                        }
                    }
                    object.status = Some(ended.status);
                    object.metadata.annotations = None;
                    let state = format!("{} {world:?}", serde_json::to_value(&object).unwrap());
                    if seen.insert(state) {
                        check_future(&object, &world);
                    }
                }
            }
        }
    }
    assert!(runs > 10_000, "{runs}");
}

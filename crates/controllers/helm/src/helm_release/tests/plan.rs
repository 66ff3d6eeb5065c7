//! Tables of steps. Expectations are those of the reference:
//! `internal/controller/helmrelease_controller.go` and `internal/reconcile/atomic_release.go`.

use sluice_api::meta::FINALIZER;
use sluice_consumer::UnmetDependency;
use sluice_engine::{Decision, ObjectKey};

use super::*;
use crate::helm_release::chart_object;
use crate::helm_release::model::{Observation, SourceState, Step};
use crate::helm_release::plan::plan;

/// An object, a change of the facts of its run, and the expected decision.
type Case = (HelmRelease, fn(&mut Facts), &'static str);

/// The word for a decision.
fn shown(decision: &Decision<Step, Fault>) -> String {
    let step = match decision {
        Decision::Work(step) => step,
        Decision::Settled => return "settled".to_owned(),
        Decision::Stop(fault) if fault.is_pause() => return format!("pause {:?}", fault.next),
        Decision::Stop(fault) => {
            return format!("{}, {:?}: {}", fault.reason, fault.next, fault.message);
        }
    };
    match step {
        Step::DeleteChart(key) => format!("delete chart {key}"),
        Step::ApplyChart(chart) => format!("apply chart {}", ObjectKey::of(chart.as_ref())),
        Step::KeepChart(chart) => format!("keep chart {}", ObjectKey::of(chart.as_ref())),
        Step::Look(..) => "look".to_owned(),
        Step::Load(_) => "load".to_owned(),
        Step::Connect(_) => "connect".to_owned(),
        Step::Uninstall => "uninstall release".to_owned(),
        Step::Move(change) => format!("move, {change}"),
        Step::Determine => "determine".to_owned(),
        Step::Compare(_) => "compare".to_owned(),
        Step::Verify(snapshot) => format!("verify v{}", snapshot.version),
        Step::CheckHealth => "check health".to_owned(),
        Step::Act(action) => action.name().to_owned(),
    }
}

fn check(cases: impl IntoIterator<Item = Case>, begin: impl Fn(&mut Facts)) {
    for (object, change, expected) in cases {
        let object = Arc::new(object);
        let mut facts = facts(&object);
        begin(&mut facts);
        change(&mut facts);
        let decision = plan(&object, &facts);
        let case = serde_json::to_string(&*object).unwrap();
        assert_eq!(shown(&decision), expected, "{case}");
    }
}

fn find(facts: &mut Facts, source: SourceState) {
    facts.observation = Some(Observation {
        unmet: None,
        source,
    });
}

fn artifact() -> SourceState {
    SourceState::Ready(Box::default())
}

fn wait_for_dependency(facts: &mut Facts) {
    find(facts, artifact());
    if let Some(observation) = &mut facts.observation {
        observation.unmet = Some(UnmetDependency {
            message: "dependency 'apps/db' is not ready".to_owned(),
            cycle: None,
        });
    }
}

/// A release with a chart template.
fn templated(status: &Value) -> HelmRelease {
    let source = json!({"kind": "HelmRepository", "name": "charts"});
    let template = json!({"spec": {"chart": "web", "sourceRef": source}});
    release(&json!({"chartRef": null, "chart": template}), status)
}

#[test]
fn plan_prepares_chart_before_release() {
    let none = json!({});
    let with_chart = |chart: &str| json!({"helmChart": chart});
    let plain = || release(&none, &none);
    let cases: Vec<Case> = vec![
        (
            release(&json!({"chartRef": null}), &none),
            |_| {},
            "ReconcileError, Edit: invalid Chart reference",
        ),
        (templated(&none), |_| {}, "apply chart apps/apps-web"),
        (
            templated(&none),
            |facts| {
                facts.live_chart = chart_object::of_template(facts.draft.object()).map(Arc::new);
            },
            "keep chart apps/apps-web",
        ),
        (
            templated(&with_chart("sources/apps-web")),
            |facts| {
                facts.live_chart = chart_object::of_template(facts.draft.object()).map(Arc::new);
            },
            "delete chart sources/apps-web",
        ),
        (
            templated(&with_chart("apps/apps-web")),
            |facts| facts.has_chart = true,
            "look",
        ),
        (
            templated(&with_chart("sources/apps-web")),
            |_| {},
            "delete chart sources/apps-web",
        ),
        (
            release(&none, &with_chart("apps/apps-web")),
            |_| {},
            "delete chart apps/apps-web",
        ),
        (plain(), |_| {}, "look"),
        (
            plain(),
            wait_for_dependency,
            "DependencyNotReady, After(30s): dependency 'apps/db' is not ready",
        ),
        (
            plain(),
            |facts| {
                wait_for_dependency(facts);
                let observation = facts.observation.as_mut();
                if let Some(unmet) = observation.and_then(|found| found.unmet.as_mut()) {
                    let keys = ["web", "db", "web"];
                    let keys = keys.map(|name| ObjectKey::new("apps", name));
                    unmet.cycle = Some(keys.to_vec());
                }
            },
            "DependencyNotReady, After(30s): dependency 'apps/db' is not ready: dependency cycle: \
             apps/web -> apps/db -> apps/web",
        ),
        (
            plain(),
            |facts| find(facts, SourceState::Failed("chart not found".to_owned())),
            "ArtifactFailed, Backoff: could not get Source object: chart not found",
        ),
        (
            plain(),
            |facts| find(facts, SourceState::NotReady("no artifact".to_owned())),
            "SourceNotReady, Interval(30s): no artifact",
        ),
        (plain(), |facts| find(facts, artifact()), "load"),
        (
            plain(),
            |facts| {
                find(facts, artifact());
                facts.loaded = Some(Arc::new(loaded()));
            },
            "connect",
        ),
        (
            plain(),
            |facts| {
                find(facts, SourceState::NotReady("no artifact".to_owned()));
                facts.loaded = Some(Arc::new(loaded()));
            },
            "SourceNotReady, Interval(30s): no artifact",
        ),
        (
            plain(),
            |facts| facts.halt = Some(Fault::returned("no answer")),
            "ReconcileError, Backoff: no answer",
        ),
    ];
    check(cases, |_| {});
}

#[test]
fn unmet_dependency_is_logged_with_the_time_of_the_retry() {
    let object = Arc::new(release(&json!({}), &json!({})));
    let mut facts = facts(&object);
    wait_for_dependency(&mut facts);
    let Decision::Stop(fault) = plan(&object, &facts) else {
        panic!("the run goes on");
    };
    let message = "dependency 'apps/db' is not ready";
    let retry = format!("dependencies do not meet ready condition ({message}): retrying in 30s");
    let expected = [
        Notice::info("DependencyNotReady", retry).only_log(),
        Notice::info("DependencyNotReady", message),
    ];
    assert_eq!(fault.notices, expected);
}

fn assess(facts: &mut Facts, state: State) {
    facts.assessment = Some(Assessment {
        state,
        is_forced: false,
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn plan_follows_release_once_connected() {
    let none = json!({});
    let plain = || release(&none, &none);
    let detecting = |mode: &str| release(&json!({"driftDetection": {"mode": mode}}), &none);
    let moved = || {
        let mut status = with_history(&[snapshot(1, "deployed")]);
        status["storageNamespace"] = json!("other");
        release(&none, &status)
    };
    let failed = |spec: &Value, action: &str, failures: i64| {
        let mut status = with_history(&[snapshot(2, "failed"), snapshot(1, "superseded")]);
        status["lastAttemptedReleaseAction"] = json!(action);
        status["installFailures"] = json!(failures);
        status["upgradeFailures"] = json!(failures);
        release(spec, &status)
    };
    let rollback = json!({"upgrade": {"remediation": {"retries": 1}}});
    let cases: Vec<Case> = vec![
        (plain(), |_| {}, "determine"),
        (moved(), |_| {}, "move, storage namespace"),
        (
            moved(),
            |facts| facts.is_uninstalled = true,
            "ReconcileError, Now: ",
        ),
        (
            moved(),
            |facts| facts.performed.push(ActionType::Unlock),
            "determine",
        ),
        (plain(), |facts| assess(facts, State::InSync), "settled"),
        (
            plain(),
            |facts| {
                let (state, is_forced) = (State::InSync, true);
                facts.assessment = Some(Assessment { state, is_forced });
            },
            "upgrade",
        ),
        (
            detecting("warn"),
            |facts| assess(facts, State::InSync),
            "compare",
        ),
        (
            detecting("warn"),
            |facts| {
                assess(facts, State::InSync);
                facts.drift = Some(Vec::new());
            },
            "settled",
        ),
        (
            detecting("warn"),
            |facts| assess(facts, State::Drifted(Vec::new())),
            "settled",
        ),
        (
            detecting("enabled"),
            |facts| assess(facts, State::Drifted(Vec::new())),
            "correct cluster drift",
        ),
        (
            plain(),
            |facts| assess(facts, State::Absent(String::new())),
            "install",
        ),
        (
            failed(&none, "install", 1),
            |facts| assess(facts, State::Absent(String::new())),
            "ReconcileError, Edit: exceeded maximum retries: cannot install release",
        ),
        (
            plain(),
            |facts| assess(facts, State::OutOfSync(String::new())),
            "upgrade",
        ),
        (
            failed(&none, "upgrade", 1),
            |facts| assess(facts, State::OutOfSync(String::new())),
            "ReconcileError, Edit: exceeded maximum retries: cannot upgrade release",
        ),
        (
            plain(),
            |facts| assess(facts, State::Locked(String::new())),
            "unlock",
        ),
        (plain(), |facts| assess(facts, State::Untested), "test"),
        (
            failed(&rollback, "upgrade", 1),
            |facts| assess(facts, State::Failed(String::new())),
            "verify v1",
        ),
        (
            failed(&rollback, "upgrade", 1),
            |facts| {
                assess(facts, State::Failed(String::new()));
                facts.verification = Some(Verification::Verified);
            },
            "rollback",
        ),
        (
            failed(&rollback, "upgrade", 1),
            |facts| {
                assess(facts, State::Failed(String::new()));
                facts.verification = Some(Verification::Changed("gone"));
            },
            "upgrade",
        ),
        (
            failed(&rollback, "upgrade", 0),
            |facts| {
                assess(facts, State::OutOfSync(String::new()));
                facts.performed.push(ActionType::Release);
            },
            "pause Now",
        ),
    ];
    check(cases, |facts| {
        find(facts, artifact());
        facts.loaded = Some(Arc::new(loaded()));
        facts.is_connected = true;
    });
}

#[test]
fn plan_of_deletion_uninstalls_then_deletes_chart() {
    let (none, suspended) = (json!({}), json!({"suspend": true}));
    let with_chart = json!({"helmChart": "apps/apps-web"});
    let invalid = json!({"chartRef": null});
    let cases: Vec<Case> = vec![
        (deleted(templated(&with_chart)), |_| {}, "uninstall release"),
        (
            deleted(release(&none, &with_chart)),
            |facts| facts.is_uninstalled = true,
            "delete chart apps/apps-web",
        ),
        (
            deleted(release(&none, &none)),
            |facts| facts.is_uninstalled = true,
            "settled",
        ),
        (deleted(release(&suspended, &with_chart)), |_| {}, "settled"),
        (
            deleted(release(&invalid, &none)),
            |_| {},
            "uninstall release",
        ),
        (
            deleted(release(&none, &none)),
            wait_for_dependency,
            "uninstall release",
        ),
        (
            deleted(release(&none, &none)),
            |facts| facts.halt = Some(Fault::returned("no answer")),
            "ReconcileError, Backoff: no answer",
        ),
    ];
    check(cases, |_| {});
    // Nothing was installed without the finalizer.
    let mut foreign = deleted(release(&none, &with_chart));
    foreign.metadata.finalizers = Some(vec!["example.com/other".to_owned()]);
    check([(foreign, (|_| {}) as fn(&mut Facts), "settled")], |_| {});
}

fn deleted(mut object: HelmRelease) -> HelmRelease {
    let deleted_at = json!("2026-01-01T00:00:00Z");
    object.metadata.deletion_timestamp = Some(serde_json::from_value(deleted_at).unwrap());
    object.metadata.finalizers = Some(vec![FINALIZER.to_owned()]);
    object
}

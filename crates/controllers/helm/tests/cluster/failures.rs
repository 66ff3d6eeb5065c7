//! Failed actions: remediation, retries, tests, and records that a killed process left pending.

use serde_json::json;
use sluice_client::{GroupVersionKind, PatchOptions};

use crate::bed::{Bed, CLAIM, CONFIG, condition};

const CONFIG_FILE: (&str, &str) = ("templates/config.yaml", CONFIG);
const CLAIM_FILE: (&str, &str) = ("templates/claim.yaml", CLAIM);
/// A test that is a config map: it passes as soon as it exists.
const TEST: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-test
  annotations: {helm.sh/hook: test}
data: {}
";
/// A test that the API server refuses.
const BROKEN_TEST: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-test
  annotations: {helm.sh/hook: test}
wrong: true
";

/// Values of a release that never becomes ready.
fn stuck(text: &str) -> serde_json::Value {
    json!({"text": text, "stuck": true})
}

#[tokio::test]
async fn failed_install_without_retries_stays_failed() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    bed.release("web", json!({"timeout": "1s", "values": stuck("one")}))
        .await;
    let status = bed
        .until("web", "has stalled", |status| {
            status.conditions.is_true("Stalled")
        })
        .await;
    let namespace = &bed.namespace;
    let message = format!(
        "Helm install failed for release {namespace}/web with chart web@1.0.0: timeout waiting \
         for: [PersistentVolumeClaim/{namespace}/web status: 'InProgress'"
    );
    let (reason, found) = condition(&status, "Ready");
    assert_eq!(reason, "InstallFailed");
    assert!(found.starts_with(&message), "{found}");
    let stalled = ("RetriesExceeded", "Failed to install after 1 attempt(s)");
    assert_eq!(condition(&status, "Stalled"), stalled);
    assert_eq!((status.failures, status.install_failures), (1, 1));
    assert_eq!(bed.records("web").await, [("1".into(), "failed".into())]);
    bed.until_event("web", "InstallFailed", &message).await;
    let created = format!(
        "Z: Created resource via patch: {{\"gvk\":\"/v1, Kind=ConfigMap\",\"name\":\"web\",\
         \"namespace\":\"{namespace}\"}}"
    );
    bed.until_event("web", "InstallFailed", "\n\nLast Helm logs:\n\n")
        .await;
    bed.until_event("web", "InstallFailed", &created).await;

    // An edit of the values re-arms the retries.
    bed.release("web", json!({"timeout": "1s", "values": {"text": "two"}}))
        .await;
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!((status.failures, status.install_failures), (0, 0));
    assert_eq!(condition(&status, "Ready").0, "UpgradeSucceeded");

    // Healthy objects re-arm them, too: the next interval finds the change.
    bed.release(
        "late",
        json!({"timeout": "1s", "interval": "1s", "values": stuck("one")}),
    )
    .await;
    bed.until("late", "has stalled", |status| {
        status.conditions.is_true("Stalled")
    })
    .await;
    let claim = GroupVersionKind::gvk("", "v1", "PersistentVolumeClaim");
    let bound = json!({"status": {"phase": "Bound"}});
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let namespace = Some(&*bed.namespace);
    let patched = bed
        .cluster
        .merge(&claim, namespace, "late", &bound, options);
    patched.await.unwrap();
    bed.until_ready("late", "1.0.0").await;
    bed.until_event("late", "HealthRecovered", "retries begin again")
        .await;
}

#[tokio::test]
async fn failed_install_is_uninstalled_and_retried() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    bed.release(
        "web",
        json!({"timeout": "1s", "values": stuck("one"),
            "install": {"remediation": {"retries": 1, "remediateLastFailure": true}}}),
    )
    .await;
    let status = bed
        .until("web", "has stalled", |status| {
            status.conditions.is_true("Stalled")
        })
        .await;
    assert_eq!(
        condition(&status, "Stalled").1,
        "Failed to install after 2 attempt(s)"
    );
    let (reason, message) = condition(&status, "Remediated");
    assert_eq!(reason, "UninstallSucceeded");
    assert!(
        message.ends_with("with chart web@1.0.0 succeeded"),
        "{message}"
    );
    // As in the reference, `Ready` names the failure.
    assert_eq!(condition(&status, "Ready").0, "InstallFailed");
    assert!(status.conditions.is_false("Ready"));
    assert!(bed.config_map("web").await.is_none());
    assert_eq!(bed.records("web").await, []);
}

#[tokio::test]
async fn failed_upgrade_is_rolled_back() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    let spec = |values: serde_json::Value| {
        json!({"timeout": "1s", "values": values,
        "upgrade": {"remediation": {"retries": 0, "remediateLastFailure": true}}})
    };
    bed.release("web", spec(json!({"text": "one"}))).await;
    bed.until_ready("web", "1.0.0").await;
    bed.release("web", spec(stuck("two"))).await;
    let status = bed
        .until("web", "has stalled", |status| {
            status.conditions.is_true("Stalled")
        })
        .await;
    let namespace = &bed.namespace;
    let message = format!(
        "Helm rollback to previous release {namespace}/web.v1 with chart web@1.0.0 succeeded"
    );
    assert_eq!(
        condition(&status, "Remediated"),
        ("RollbackSucceeded", &*message)
    );
    assert_eq!(
        condition(&status, "Ready"),
        ("RollbackSucceeded", &*message)
    );
    assert!(status.conditions.is_false("Ready"));
    assert_eq!(bed.text("web").await.unwrap(), "one");
    let statuses: Vec<&str> = status.history.iter().map(|one| &*one.status).collect();
    assert_eq!(statuses, ["deployed", "failed", "superseded"]);
    bed.until_event("web", "RollbackSucceeded", &message).await;

    // The former values are those of the record, so nothing is left to do.
    bed.release("web", spec(json!({"text": "one"}))).await;
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!(condition(&status, "Ready").0, "UpgradeSucceeded");
    assert_eq!(bed.records("web").await.len(), 3);
}

#[tokio::test]
async fn retry_strategy_waits_for_its_interval() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    let strategy =
        |interval: &str| json!({"strategy": {"name": "RetryOnFailure", "retryInterval": interval}});
    let spec = |values, interval| {
        json!({"timeout": "1s", "values": values,
        "install": strategy(interval), "upgrade": strategy(interval)})
    };
    bed.release("web", spec(stuck("one"), "1h")).await;
    let status = bed
        .until("web", "waits for a retry", |status| {
            let reconciling = status.conditions.find("Reconciling");
            reconciling.is_some_and(|found| found.reason == "ProgressingWithRetry")
        })
        .await;
    assert_eq!(condition(&status, "Reconciling").1, "retrying after 1h0m0s");
    assert_eq!(status.observed_generation, Some(1));
    assert_eq!(condition(&status, "Ready").0, "InstallFailed");
    bed.release("web", spec(stuck("one"), "1s")).await;
    bed.until("web", "was upgraded in vain", |status| {
        status.upgrade_failures > 0
    })
    .await;
    bed.release("web", spec(json!({"text": "two"}), "1s")).await;
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!(status.failures, 0);
}

#[tokio::test]
async fn tests_run_after_release_and_their_failure_counts() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, ("templates/test.yaml", TEST)])
        .await;
    let spec = json!({"values": {"text": "one"}, "test": {"enable": true},
        "upgrade": {"remediation": {"remediateLastFailure": true}}});
    bed.release("web", spec.clone()).await;
    let status = bed
        .until("web", "has passed its tests", |status| {
            status.conditions.is_true("TestSuccess")
        })
        .await;
    let namespace = &bed.namespace;
    let message = format!(
        "Helm test succeeded for release {namespace}/web.v1 with chart web@1.0.0: 1 test hook \
         completed successfully"
    );
    assert_eq!(
        condition(&status, "TestSuccess"),
        ("TestSucceeded", &*message)
    );
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!(condition(&status, "Ready").0, "TestSucceeded");
    let hooks = status.history[0].test_hooks.as_ref().unwrap();
    assert_eq!(hooks["web-test"].phase.as_deref(), Some("Succeeded"));
    bed.request("web").await;
    assert_eq!(bed.records("web").await, [("1".into(), "deployed".into())]);

    bed.publish(
        "1.1.0",
        &[CONFIG_FILE, ("templates/test.yaml", BROKEN_TEST)],
    )
    .await;
    let status = bed
        .until("web", "was rolled back", |status| {
            status.conditions.is_true("Remediated")
        })
        .await;
    let (reason, message) = condition(&status, "TestSuccess");
    assert_eq!(reason, "TestFailed");
    assert!(message.contains("with chart web@1.1.0"), "{message}");
    assert_eq!(condition(&status, "Ready").0, "RollbackSucceeded");
    assert_eq!(status.upgrade_failures, 1);
}

#[tokio::test]
async fn pending_record_is_unlocked_and_upgraded() {
    let mut bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    // The process stops in the middle of an action that would wait for an hour.
    bed.release("web", json!({"timeout": "1h", "values": stuck("one")}))
        .await;
    bed.until("web", "is being installed", |status| {
        let ready = status.conditions.find("Ready");
        ready.is_some_and(|ready| ready.message.starts_with("Running 'install' action"))
    })
    .await;
    bed.until_record("web", "pending-install").await;
    bed.kill().await;
    assert_eq!(
        bed.records("web").await,
        [("1".into(), "pending-install".into())]
    );
    bed.run(&["--feature-gates=CancelHealthCheckOnNewRevision=true"]);
    bed.until_event("web", "PendingRelease", "in pending-install state")
        .await;
    bed.release("web", json!({"values": {"text": "two"}})).await;
    let status = bed.until_ready("web", "1.0.0").await;
    assert_eq!(condition(&status, "Ready").0, "UpgradeSucceeded");
    assert_eq!(bed.text("web").await.unwrap(), "two");
}

#[tokio::test]
async fn stopped_action_is_recorded_and_counts_no_failure() {
    let mut bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    bed.release("web", json!({"timeout": "1h", "values": stuck("one")}))
        .await;
    bed.until_record("web", "pending-install").await;
    bed.stop().await;
    assert_eq!(bed.records("web").await, [("1".into(), "failed".into())]);
    let status = bed.until_failed("web", "InstallFailed").await;
    assert_eq!((status.failures, status.install_failures), (1, 0));
    // No retry is left by default, but the release was not tried.
    bed.run(&[]);
    bed.until_record("web", "pending-upgrade").await;
}

#[tokio::test]
async fn stuck_releases_do_not_hold_up_another() {
    let bed = Bed::start(&["--concurrent=2"]).await;
    bed.publish("1.0.0", &[CONFIG_FILE, CLAIM_FILE]).await;
    let names: Vec<String> = (1..=11).map(|number| format!("stuck-{number}")).collect();
    for name in &names {
        bed.release(name, json!({"timeout": "1h", "values": stuck("one")}))
            .await;
    }
    for name in &names {
        bed.until_record(name, "pending-install").await;
    }
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    bed.request("web").await;
    for name in &names {
        let waiting = [("1".into(), "pending-install".into())];
        assert_eq!(bed.records(name).await, waiting, "{name}");
    }
}

#[tokio::test]
async fn force_and_reset_requests_are_handled_once() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[CONFIG_FILE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    let ask = |kind: &str, token: &str, at: &str| json!({"reconcile.fluxcd.io/requestedAt": token, (format!("reconcile.fluxcd.io/{kind}At")): at});
    bed.annotate("web", ask("force", "1", "1")).await;
    bed.until_handled("web", "1").await;
    assert_eq!(bed.records("web").await.len(), 2);
    // Another token than that of the request is only recorded.
    bed.annotate("web", ask("force", "2", "other")).await;
    let status = bed.until_handled("web", "2").await;
    assert_eq!(status.last_handled_force_at.as_deref(), Some("other"));
    assert_eq!(bed.records("web").await.len(), 2);
    bed.annotate("web", ask("reset", "3", "3")).await;
    let status = bed.until_handled("web", "3").await;
    assert_eq!(status.last_handled_reset_at.as_deref(), Some("3"));
    assert_eq!(bed.records("web").await.len(), 2);
}

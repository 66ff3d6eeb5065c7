//! Kills the controller at its calls during a change of a release, and starts a successor.
//!
//! The change runs once undisturbed, which counts the calls. It then runs once for each kill: the
//! controller ends before the server receives the call, or before it reads the answer. Each
//! successor must reach the same objects, and leave no record pending.
//!
//! The suite kills at a third of the records, and of the objects of an upgrade. `cargo xtask chaos`
//! kills at every call of each change.

use std::collections::BTreeMap;
use std::path::Path;

use futures::{FutureExt as _, StreamExt as _};
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::{Value, json};
use sluice_api::helm::HelmReleaseStatus;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{DeleteParams, ListParams, Patch, PatchParams};
use sluice_testkit::{Call, FaultProxy, Kill, Life, sample_kills};

use crate::bed::{Bed, CONFIG, controller};

/// Number of concurrent changes. They mostly wait for the API server.
const SIDE_BY_SIDE: usize = 6;

/// An object that the second chart does not have.
const REMOVED: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: removed
";
/// A hook for each event of a release.
const HOOKS: &str = "\
{{- range list \"pre-install\" \"post-install\" \"pre-upgrade\" \"post-upgrade\"
  \"pre-rollback\" \"post-rollback\" \"pre-delete\" \"post-delete\" \"test\" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ . }}
  annotations: {helm.sh/hook: {{ . }}}
data:
  version: {{ $.Chart.Version | quote }}
{{- end }}
";
/// A hook that the API server refuses, so that the upgrade fails.
const BROKEN_HOOK: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: broken
  annotations: {helm.sh/hook: post-upgrade}
wrong: true
";
const CONFIG_FILE: (&str, &str) = ("templates/config.yaml", CONFIG);
const HOOKS_FILE: (&str, &str) = ("templates/hooks.yaml", HOOKS);
const REMOVED_FILE: (&str, &str) = ("templates/removed.yaml", REMOVED);
const BROKEN_FILE: (&str, &str) = ("templates/broken.yaml", BROKEN_HOOK);

/// A change of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Install,
    Upgrade,
    /// An upgrade that fails, and its rollback.
    Rollback,
    /// An upgrade with tests.
    Test,
    /// The correction of edited and removed objects.
    Drift,
    Uninstall,
}

impl Change {
    const ALL: [Self; 6] = [
        Self::Install,
        Self::Upgrade,
        Self::Rollback,
        Self::Test,
        Self::Drift,
        Self::Uninstall,
    ];

    /// The fields of the release, before or during the change.
    fn spec(self, is_begun: bool) -> Value {
        let mut spec = json!({"values": {"text": "one"}});
        match self {
            Self::Install | Self::Upgrade | Self::Uninstall => {}
            Self::Rollback => {
                let remediation = json!({"retries": 0, "remediateLastFailure": true});
                spec["upgrade"] = json!({ "remediation": remediation });
            }
            Self::Test => spec["test"] = json!({ "enable": is_begun }),
            Self::Drift => spec["driftDetection"] = json!({"mode": "enabled"}),
        }
        spec
    }

    /// Brings the release to its state before the change.
    async fn prepare(self, bed: &Bed) {
        let files = [CONFIG_FILE, HOOKS_FILE, REMOVED_FILE];
        bed.publish("1.0.0", &files).await;
        if self == Self::Install {
            return;
        }
        bed.release("web", self.spec(false)).await;
        bed.until_ready("web", "1.0.0").await;
        if self == Self::Drift {
            let maps: Api<ConfigMap> = bed.config_maps();
            let edit = json!({"data": {"text": "edited"}});
            let (parameters, edit) = (PatchParams::default(), Patch::Merge(edit));
            maps.patch("web", &parameters, &edit).await.unwrap();
            let parameters = DeleteParams::default();
            maps.delete("removed", &parameters).await.unwrap();
        }
    }

    /// Requests the change and waits for its end.
    async fn perform(self, bed: &Bed) {
        match self {
            Self::Install => {
                bed.release("web", self.spec(true)).await;
                bed.until_ready("web", "1.0.0").await;
            }
            Self::Upgrade => {
                bed.publish("2.0.0", &[CONFIG_FILE, HOOKS_FILE]).await;
                bed.until_ready("web", "2.0.0").await;
            }
            Self::Rollback => {
                let files = [CONFIG_FILE, HOOKS_FILE, BROKEN_FILE];
                bed.publish("2.0.0", &files).await;
                let is_stalled = |status: &HelmReleaseStatus| status.conditions.is_true("Stalled");
                bed.until("web", "has stalled", is_stalled).await;
            }
            Self::Test => {
                bed.release("web", self.spec(true)).await;
                bed.publish("2.0.0", &[CONFIG_FILE, HOOKS_FILE]).await;
                let status = bed.until_ready("web", "2.0.0").await;
                assert!(status.conditions.is_true("TestSuccess"), "{status:?}");
            }
            Self::Drift => {
                bed.request("web").await;
                bed.until_ready("web", "1.0.0").await;
            }
            Self::Uninstall => bed.delete("web").await,
        }
    }

    /// Whether the end of an undisturbed change is as it should be.
    fn check(self, (maps, records): &End) {
        let (version, deployed, others) = match self {
            Self::Install | Self::Drift => ("1.0.0", 1, None),
            Self::Upgrade | Self::Test => ("2.0.0", 1, Some("superseded")),
            Self::Rollback => ("1.0.0", 1, Some("failed")),
            Self::Uninstall => ("", 0, None),
        };
        let found = maps.get("web").cloned().unwrap_or_default();
        assert!(found.contains(version), "{self:?}: {maps:?}");
        assert_eq!(records.get("deployed").copied().unwrap_or(0), deployed);
        assert!(others.is_none_or(|status| records.contains_key(status)));
        let hook = match self {
            Self::Install | Self::Drift => "post-install",
            Self::Upgrade => "post-upgrade",
            Self::Rollback => "post-rollback",
            Self::Test => "test",
            Self::Uninstall => "post-delete",
        };
        assert!(maps.contains_key(hook), "{self:?}: {maps:?}");
        let keeps = !matches!(self, Self::Upgrade | Self::Test | Self::Uninstall);
        assert_eq!(maps.contains_key("removed"), keeps, "{self:?}: {maps:?}");
    }
}

fn life(kubeconfig: &Path, namespace: &str) -> Life {
    let (kubeconfig, namespace) = (kubeconfig.to_owned(), namespace.to_owned());
    Life::start(move || {
        let (args, host) = controller(&kubeconfig, &namespace, &[]);
        async move { sluice_helm_controller::run(args, host).await.unwrap() }
    })
}

/// The result of a change: the config maps, and how many records have a status.
type End = (BTreeMap<String, String>, BTreeMap<String, usize>);

async fn end(bed: &Bed) -> End {
    let api = bed.config_maps();
    let maps = api.list(&ListParams::default()).await.unwrap();
    let maps = maps.into_iter().map(|map| {
        let name = map.metadata.name.unwrap();
        (name, json!(map.data).to_string())
    });
    let maps = maps
        .filter(|(name, _)| name != "kube-root-ca.crt")
        .collect();
    let mut records = BTreeMap::new();
    for (_, status) in bed.records("web").await {
        *records.entry(status).or_default() += 1;
    }
    (maps, records)
}

/// Changes a release. Returns the end and the calls of the change.
async fn change(change: Change, kill: Option<Kill>) -> (End, Vec<Call>) {
    let bed = Bed::idle().await;
    let user = bed.testbed.name("helm-controller");
    let proxy = FaultProxy::start(&bed.testbed.kubeconfig_for(&user)).await;
    let life = life(proxy.kubeconfig(), &bed.namespace);
    change.prepare(&bed).await;
    proxy.forget();
    if let Some(kill) = kill {
        kill.inject(&proxy);
        life.restart_at_kills(&proxy);
    }
    change.perform(&bed).await;
    let end = end(&bed).await;
    let calls = proxy.calls();
    life.kill();
    (end, calls)
}

/// Changes a release without a kill, and returns the end and the calls to kill at.
async fn undisturbed(which: Change) -> (End, Vec<Kill>) {
    let (end, calls) = change(which, None).await;
    which.check(&end);
    // The number of restarts of a watch is random.
    let kills = Kill::at_each(calls.iter().filter(|call| call.verb != "watch"));
    assert!(kills.len() > 10, "{which:?}: {calls:?}");
    (end, kills)
}

/// Kills a controller at each of these calls. Its successor must reach the same end.
async fn walk(which: Change, (maps, expected): End, kills: Vec<Kill>) {
    let runs = kills.into_iter().map(|kill| {
        let run = kill.clone();
        tokio::spawn(change(which, Some(run))).map(|ended| (kill, ended))
    });
    let mut runs = futures::stream::iter(runs).buffer_unordered(SIDE_BY_SIDE);
    let (mut killed, mut missed) = (0, Vec::new());
    while let Some((kill, ended)) = runs.next().await {
        let ended = ended.map_err(|error| format!("{which:?} {kill:?}: {error}"));
        let ((found, records), calls) = ended.unwrap();
        if calls.iter().all(|call| call.fault.is_none()) {
            missed.push(kill);
            continue;
        }
        killed += 1;
        // An interrupted install is upgraded, as in Flux, so that the hooks differ.
        let is_hook = |name: &str| name.ends_with("-install") || name.ends_with("-upgrade");
        let compared = |maps: &BTreeMap<String, String>| {
            let mut maps = maps.clone();
            maps.retain(|name, _| which != Change::Install || !is_hook(name));
            maps
        };
        assert_eq!(compared(&found), compared(&maps), "{which:?} {kill:?}");
        let deployed = |records: &BTreeMap<String, usize>| records.get("deployed").copied();
        let context = format!("{which:?} {kill:?}: {records:?}");
        assert_eq!(deployed(&records), deployed(&expected), "{context}");
        let is_pending = records.keys().any(|status| status.starts_with("pending"));
        assert!(!is_pending, "{context}");
    }
    // Calls for events and statuses depend on the time: two of a sample, or a fifth of all.
    assert!(
        missed.len() * 4 < killed.max(9),
        "{killed} kills, without {missed:?}"
    );
}

/// The kills at records, where they hurt most, and the others.
fn of_records(kills: Vec<Kill>) -> (Vec<Kill>, Vec<Kill>) {
    let is_record = |kill: &Kill| kill.call.contains("sh.helm.release");
    kills.into_iter().partition(is_record)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn successor_ends_the_upgrade_after_a_kill() {
    let (end, kills) = undisturbed(Change::Upgrade).await;
    let (records, others) = of_records(kills);
    assert!(records.len() >= 4, "{records:?}");
    let others = others
        .into_iter()
        .filter(|kill| kill.call.contains("configmaps"));
    let kills = records.into_iter().chain(others).collect();
    walk(Change::Upgrade, end, sample_kills(kills)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn successor_ends_each_change_after_a_kill() {
    for which in Change::ALL {
        let (end, kills) = undisturbed(which).await;
        // A correction of drift writes no record.
        let kills = match which {
            Change::Upgrade => continue,
            Change::Drift => kills
                .into_iter()
                .filter(|kill| kill.call.contains("configmaps"))
                .collect(),
            _ => of_records(kills).0,
        };
        walk(which, end, sample_kills(kills)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: one run for each call of each change"]
async fn successor_ends_each_change_after_a_kill_at_any_call() {
    for which in Change::ALL {
        let (end, kills) = undisturbed(which).await;
        walk(which, end, kills).await;
    }
}

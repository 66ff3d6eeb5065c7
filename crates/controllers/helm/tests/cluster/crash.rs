//! Kills the controller at its calls during an upgrade, and starts a successor.
//!
//! The upgrade runs once undisturbed, which counts the calls. It then runs once for each kill: the
//! controller ends before the server receives the call, or before it reads the answer. Each
//! successor must reach the same objects, and leave no record pending.
//!
//! The suite kills at the records and at some objects. With `--ignored`, it kills at every call.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use futures::{FutureExt as _, StreamExt as _};
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;
use sluice_testkit::{Call, Fault, FaultProxy, When};
use tokio::runtime::{Builder, Runtime};

use crate::bed::{Bed, CONFIG, controller};

/// Number of concurrent upgrades. They mostly wait for the API server.
const SIDE_BY_SIDE: usize = 6;

/// An object that the second chart does not have.
const REMOVED: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: removed
";
/// Hooks before and after an upgrade.
const HOOKS: &str = "\
{{- range list \"pre-upgrade\" \"post-upgrade\" }}
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

/// The call at which a run is killed, by its content: numbers shift between runs.
#[derive(Debug, Clone)]
struct Kill {
    call: String,
    nth: usize,
    fault: Fault,
}

/// A controller that can be ended without grace: all its tasks run on a runtime of its own.
struct Life {
    kubeconfig: PathBuf,
    namespace: String,
    runtime: Option<Runtime>,
}

impl Life {
    fn start(&mut self) {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (kubeconfig, namespace) = (self.kubeconfig.clone(), self.namespace.clone());
        runtime.spawn(async move {
            let (args, host) = controller(&kubeconfig, &namespace, &[]);
            sluice_helm_controller::run(args, host).await.unwrap();
        });
        self.runtime = Some(runtime);
    }

    fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.kill();
    }
}

fn life(kubeconfig: &Path, namespace: &str) -> Arc<Mutex<Life>> {
    let mut life = Life {
        kubeconfig: kubeconfig.to_owned(),
        namespace: namespace.to_owned(),
        runtime: None,
    };
    life.start();
    Arc::new(Mutex::new(life))
}

/// Formats a call without its number and without names of the run.
fn describe(call: &Call) -> String {
    let is_random = call.resource == "events";
    let name = if is_random { "" } else { &call.name };
    let dry = if call.dry_run { " (dry run)" } else { "" };
    format!("{} {} {name}{dry}", call.verb, call.target())
}

/// The result of an upgrade: the config maps, and how many records have a status.
type End = (BTreeMap<String, String>, BTreeMap<String, usize>);

async fn end(bed: &Bed) -> End {
    let api: Api<ConfigMap> = Api::namespaced(bed.cluster.client().clone(), &bed.namespace);
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

/// Installs a chart and upgrades it. Returns the end and the calls of the upgrade.
async fn upgrade(kill: Option<Kill>) -> (End, Vec<Call>) {
    let bed = Bed::idle().await;
    let user = bed.testbed.name("helm-controller");
    let proxy = FaultProxy::start(&bed.testbed.kubeconfig_for(&user)).await;
    let life = life(proxy.kubeconfig(), &bed.namespace);
    let (config, hooks) = (
        ("templates/config.yaml", CONFIG),
        ("templates/hooks.yaml", HOOKS),
    );
    let removed = ("templates/removed.yaml", REMOVED);
    bed.publish("1.0.0", &[config, hooks, removed]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    proxy.forget();
    if let Some(Kill { call, nth, fault }) = kill {
        let when = When::any().and(move |seen| describe(seen) == call);
        proxy.inject(when.nth(nth), fault);
        let slot = Arc::clone(&life);
        proxy.on_kill(move || {
            let mut life = slot.lock().unwrap();
            life.kill();
            life.start();
        });
    }
    bed.publish("2.0.0", &[config, hooks]).await;
    bed.until_ready("web", "2.0.0").await;
    let end = end(&bed).await;
    let calls = proxy.calls();
    life.lock().unwrap().kill();
    (end, calls)
}

/// Upgrades without a kill, and returns the end and the calls to kill at.
async fn undisturbed() -> (End, Vec<Kill>) {
    let (end, calls) = upgrade(None).await;
    let (maps, records) = &end;
    assert!(!maps.contains_key("removed"), "{maps:?}");
    assert!(maps["web"].contains("2.0.0") && maps["post-upgrade"].contains("2.0.0"));
    let expected = [("deployed".to_owned(), 1), ("superseded".to_owned(), 1)];
    assert_eq!(*records, BTreeMap::from(expected));
    let mut counts = BTreeMap::new();
    let mut kills = Vec::new();
    for call in &calls {
        let nth = counts.entry(describe(call)).or_insert(0);
        *nth += 1;
        // The number of restarts of a watch is random.
        if call.verb == "watch" {
            continue;
        }
        // A kill after a read is the same as one before the next call.
        let faults = [Fault::KillBefore, Fault::KillAfter];
        let faults = faults.into_iter().take(if call.is_write() { 2 } else { 1 });
        kills.extend(faults.map(|fault| Kill {
            call: describe(call),
            nth: *nth,
            fault,
        }));
    }
    assert!(kills.len() > 20, "{calls:?}");
    (end, kills)
}

/// Kills a controller at each of these calls. Its successor must reach the same end.
async fn walk((maps, _): End, kills: Vec<Kill>) {
    let runs = kills.into_iter().map(|kill| {
        let run = kill.clone();
        tokio::spawn(upgrade(Some(run))).map(|ended| (kill, ended))
    });
    let mut runs = futures::stream::iter(runs).buffer_unordered(SIDE_BY_SIDE);
    let (mut killed, mut missed) = (0, Vec::new());
    while let Some((kill, ended)) = runs.next().await {
        let ended = ended.map_err(|error| format!("{kill:?}: {error}"));
        let ((found, records), calls) = ended.unwrap();
        if calls.iter().all(|call| call.fault.is_none()) {
            missed.push(kill);
            continue;
        }
        killed += 1;
        assert_eq!(found, maps, "{kill:?}");
        assert_eq!(records.get("deployed"), Some(&1), "{kill:?}: {records:?}");
        let is_pending = records.keys().any(|status| status.starts_with("pending"));
        assert!(!is_pending, "{kill:?}: {records:?}");
    }
    // Calls for events and statuses depend on the time.
    assert!(
        missed.len() * 4 < killed,
        "{killed} kills, without {missed:?}"
    );
}

/// The writes of records are where a kill hurts most.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn successor_ends_the_upgrade_after_a_kill() {
    let (end, kills) = undisturbed().await;
    let is_record = |kill: &Kill| kill.call.contains("sh.helm.release");
    let (records, others): (Vec<Kill>, Vec<Kill>) = kills.into_iter().partition(is_record);
    assert!(records.len() >= 4, "{records:?}");
    let others = others
        .into_iter()
        .filter(|kill| kill.call.contains("configmaps"));
    let sample = records.into_iter().chain(others.step_by(3));
    walk(end, sample.collect()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: one upgrade for each call of an upgrade"]
async fn successor_ends_the_upgrade_after_a_kill_at_any_call() {
    let (end, kills) = undisturbed().await;
    walk(end, kills).await;
}

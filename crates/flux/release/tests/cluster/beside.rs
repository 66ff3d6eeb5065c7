//! Actions of this engine and of the pinned `helm`, on one API server.
//!
//! [`play`] installs, upgrades, rolls back, tests and uninstalls a chart with one engine. It
//! returns for each step the error, the writes in their order, the objects and the records. Both
//! engines use the same namespace, one after the other, because names and digests depend on it.
//! `cargo xtask conformance releases` uses this module for public charts.

#[path = "beside/engine.rs"]
mod engine;
#[path = "beside/observe.rs"]
mod observe;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use k8s_openapi::api::core::v1::Namespace;
use serde_json::Value;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::{FaultProxy, Testbed, wait};

use engine::Runner;
use observe::{Identity, Observer};

/// The steps, in their order.
const STEPS: [Step; 5] = [
    Step::Install,
    Step::Upgrade,
    Step::Rollback,
    Step::Test,
    Step::Uninstall,
];

/// An action of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Install,
    Upgrade,
    Rollback,
    Test,
    Uninstall,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Upgrade => "upgrade",
            Self::Rollback => "rollback",
            Self::Test => "test",
            Self::Uninstall => "uninstall",
        }
    }
}

/// Which program runs the actions.
#[derive(Debug, Clone)]
pub(crate) enum Engine {
    /// This engine, as helm-controller uses it.
    Ours,
    /// The command line of Helm at this path.
    Helm(PathBuf),
}

/// A chart and its values.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The name, which is part of the namespace.
    pub(crate) name: String,
    /// The folder of the chart to install.
    pub(crate) chart: PathBuf,
    /// The folder of the chart to upgrade to.
    pub(crate) successor: PathBuf,
    /// The values of the installation.
    pub(crate) first: Value,
    /// The values of the upgrade.
    pub(crate) second: Value,
}

impl Subject {
    /// A chart that is upgraded to itself with other values.
    pub(crate) fn new(name: &str, chart: &Path, first: Value, second: Value) -> Self {
        Self {
            name: name.to_owned(),
            chart: chart.to_owned(),
            successor: chart.to_owned(),
            first,
            second,
        }
    }
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) step: &'static str,
    /// The error, or nothing.
    pub(crate) error: String,
    /// The writes in their order. Neighbours of one verb and resource are sorted, because Helm
    /// sends them at once.
    pub(crate) writes: Vec<String>,
    /// The objects of all steps so far. An absent object is null.
    pub(crate) objects: BTreeMap<String, Value>,
    /// The records by their names.
    pub(crate) records: BTreeMap<String, Value>,
}

/// Plays all steps with an engine.
pub(crate) async fn play(bed: &Testbed, engine: &Engine, subject: &Subject) -> Vec<Outcome> {
    let namespace = format!("beside-{}", subject.name);
    bed.namespace_called(&namespace).await;
    let proxy = FaultProxy::start(&bed.kubeconfig()).await;
    let runner = Runner::new(engine, &proxy, &namespace, subject);
    let observer = Observer::new(bed.connect().await, bed.client().await, &namespace);
    let finisher = observer.finish_test_pods();
    let mut seen = BTreeSet::<Identity>::new();
    let mut outcomes = Vec::new();
    for step in STEPS {
        proxy.forget();
        let error = Box::pin(runner.run(step)).await.err().unwrap_or_default();
        let calls = proxy.calls();
        let records = observer.records().await;
        seen.extend(observe::identities(&records));
        seen.extend(observe::definitions(&subject.chart));
        outcomes.push(Outcome {
            step: step.name(),
            error,
            writes: observe::writes(&calls),
            objects: observer.objects(&seen).await,
            records: records.into_iter().collect(),
        });
    }
    finisher.abort();
    observer.remove(&seen).await;
    let namespaces: Api<Namespace> = Api::all(bed.client().await);
    let options = DeleteParams::default();
    let deleted = namespaces.delete(&namespace, &options);
    deleted.await.unwrap();
    wait::gone(&namespaces, &namespace).await;
    outcomes
}

/// Returns the first differences of two runs, as lines.
pub(crate) fn differences(ours: &[Outcome], theirs: &[Outcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for (ours, theirs) in ours.iter().zip(theirs) {
        let step = ours.step;
        if ours.error != theirs.error {
            let (ours, theirs) = (&ours.error, &theirs.error);
            lines.push(format!("{step}: error '{ours}' instead of '{theirs}'"));
        }
        if ours.writes != theirs.writes {
            let pairs = ours.writes.iter().zip(&theirs.writes);
            let at = pairs.take_while(|(ours, theirs)| ours == theirs).count();
            let (ours, theirs) = (ours.writes.get(at), theirs.writes.get(at));
            lines.push(format!("{step}: write {at} {ours:?} instead of {theirs:?}"));
        }
        for (what, ours, theirs) in [
            ("object", &ours.objects, &theirs.objects),
            ("record", &ours.records, &theirs.records),
        ] {
            let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            for key in keys {
                if let Some(path) = difference(ours.get(key), theirs.get(key)) {
                    lines.push(format!("{step}: {what} {key}{path}"));
                }
            }
        }
    }
    lines
}

/// Returns the path of the first difference, and both values.
fn difference(ours: Option<&Value>, theirs: Option<&Value>) -> Option<String> {
    if ours == theirs {
        return None;
    }
    match (ours, theirs) {
        (Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
            let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            keys.into_iter().find_map(|key| {
                let path = difference(ours.get(key), theirs.get(key))?;
                Some(format!(".{key}{path}"))
            })
        }
        (Some(Value::Array(ours)), Some(Value::Array(theirs))) if ours.len() == theirs.len() => {
            let mut pairs = ours.iter().zip(theirs).enumerate();
            pairs.find_map(|(at, (ours, theirs))| {
                let path = difference(Some(ours), Some(theirs))?;
                Some(format!("[{at}]{path}"))
            })
        }
        _ => {
            let shown = |value: Option<&Value>| {
                let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
                text.chars().take(300).collect::<String>()
            };
            Some(format!(": {} instead of {}", shown(ours), shown(theirs)))
        }
    }
}

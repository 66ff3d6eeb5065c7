//! Parts of a reconciliation, in this process without cluster and network. The figures compare only
//! with earlier records of the same machine.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_apply::{Inventory, has_drifted, migrate, normalize};
use sluice_kustomize::substitute;
use sluice_object::{Object, ObjectId, order, status};

use super::cluster;
use super::report::{Report, median};

/// Number of objects, ids and entries for parts that take many.
const MANY: usize = 10_000;
/// Length of the text with variables.
const TEXT: usize = 1 << 20;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of measurements of each part; the figure is the median
    #[arg(long, default_value_t = 21)]
    runs: usize,
    /// Write the result as JSON to this file
    #[arg(long)]
    record: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let driver = std::env::current_exe()?;
    let mut report = Report::new([("ours", driver.as_path())])?;
    for (what, mut piece) in pieces()? {
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..args.runs {
            times.push(piece());
        }
        let figure = median(&mut times) * 1000.0;
        report.add("ours", &what, &[("ms", figure)]);
    }
    report.save(args.record.as_deref())
}

/// A part: runs once and returns its time.
type Piece = Box<dyn FnMut() -> Duration>;

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    black_box(work());
    began.elapsed()
}

fn pieces() -> anyhow::Result<Vec<(String, Piece)>> {
    let mut pieces: Vec<(String, Piece)> = Vec::new();
    let mut add = |what: String, piece: Piece| pieces.push((what, piece));

    let line = "  image: registry.example.com/${team:=nobody}/app:${version/./-}\n";
    let text = line.repeat(TEXT / line.len()).into_bytes();
    let value = |name: &str| (name == "version").then_some("1.2.3");
    let expand = move || {
        let mut budget = substitute::Budget::default();
        substitute::expand(&text, true, value, &mut budget)
    };
    expand().context("the text has no fault")?;
    add(
        "variables of 1 MiB".to_owned(),
        Box::new(move || timed(&expand)),
    );

    let live = deployments(live)?;
    let wanted = deployments(|object| object)?;
    let applied = live.clone();
    let pairs = live.clone();
    add(
        format!("{MANY} comparisons that find no drift"),
        Box::new(move || {
            timed(|| {
                let both = pairs.iter().zip(&applied);
                both.filter(|(live, dry_run)| has_drifted(live, dry_run))
                    .count()
            })
        }),
    );
    let entries = live.clone();
    add(
        format!("{MANY} managed fields rewritten to another version"),
        Box::new(move || {
            timed(|| {
                let patches = entries
                    .iter()
                    .map(|object| migrate::patch(object, "apps/v2"));
                patches.flatten().count()
            })
        }),
    );
    add(
        format!("{MANY} objects normalised"),
        Box::new(move || {
            let mut objects = wanted.clone();
            timed(|| objects.iter_mut().for_each(normalize))
        }),
    );
    for kind in KINDS {
        let object = example(kind)?;
        add(
            format!("health of a {kind}, {MANY} times"),
            Box::new(move || {
                timed(|| {
                    for _ in 0..MANY {
                        black_box(status::compute(&object, Timestamp::UNIX_EPOCH));
                    }
                })
            }),
        );
    }

    let ids: Vec<(String, String)> = (0..MANY)
        .map(|index| {
            (
                format!("apps_{}_apps_Deployment", cluster::name(index)),
                "v1".to_owned(),
            )
        })
        .collect();
    let parse = |ids: &[(String, String)]| {
        Inventory::parse(
            ids.iter()
                .map(|(id, version)| (id.as_str(), version.as_str())),
        )
    };
    let (old, new) = (parse(&ids)?, parse(&ids[MANY / 10..])?);
    add(
        format!("{MANY} ids of an inventory read"),
        Box::new(move || timed(|| parse(&ids))),
    );
    let sorted: Vec<ObjectId> = old.entries().iter().map(|entry| entry.id.clone()).collect();
    add(
        format!("the difference of inventories of {MANY}"),
        Box::new(move || timed(|| old.stale(&new))),
    );
    // Shuffled, in the same order each time.
    let scattered: Vec<ObjectId> = (0..MANY)
        .map(|index| sorted[index * 7919 % MANY].clone())
        .collect();
    add(
        format!("{MANY} ids put in order"),
        Box::new(move || {
            let mut ids = scattered.clone();
            timed(|| order::sort_ids(&mut ids))
        }),
    );
    Ok(pieces)
}

fn deployments(finish: impl Fn(Value) -> Value) -> anyhow::Result<Vec<Object>> {
    let [_, _, deployment, _] = cluster::manifests("app", 1);
    let object = Object::try_from(finish(deployment))?;
    Ok(vec![object; MANY])
}

/// The object as the server returns it.
fn live(mut object: Value) -> Value {
    object["metadata"]["generation"] = json!(1);
    object["metadata"]["managedFields"] = json!([{
        "manager": "kustomize-controller", "operation": "Apply", "apiVersion": "apps/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": { "f:spec": { "f:replicas": {}, "f:template": { "f:spec": { "f:containers": {
            "k:{\"name\":\"app\"}": { ".": {}, "f:image": {}, "f:name": {}, "f:ports": {} },
        } } } } },
    }]);
    object["status"] = json!({
        "observedGeneration": 1,
        "conditions": [{ "type": "Available", "status": "True" }],
    });
    object
}

/// Kinds with a rule of their own.
const KINDS: &[&str] = &[
    "apps/v1/Deployment",
    "apps/v1/StatefulSet",
    "apps/v1/DaemonSet",
    "apps/v1/ReplicaSet",
    "v1/Pod",
    "v1/PersistentVolumeClaim",
    "v1/Service",
    "v1/ConfigMap",
    "batch/v1/Job",
    "batch/v1/CronJob",
    "policy/v1/PodDisruptionBudget",
    "apiextensions.k8s.io/v1/CustomResourceDefinition",
    "example.com/v1/Custom",
];

fn example(kind: &str) -> anyhow::Result<Object> {
    let (version, kind) = kind.rsplit_once('/').context("a version and a kind")?;
    Ok(Object::try_from(json!({
        "apiVersion": version, "kind": kind,
        "metadata": { "name": "a", "namespace": "apps", "generation": 1 },
        "spec": { "replicas": 1 },
        "status": {
            "observedGeneration": 1, "replicas": 1, "readyReplicas": 1, "updatedReplicas": 1,
            "availableReplicas": 1, "phase": "Running",
            "conditions": [
                { "type": "Ready", "status": "True" }, { "type": "Available", "status": "True" },
                { "type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable" },
            ],
        },
    }))?)
}

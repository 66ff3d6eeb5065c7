//! One Kustomization with many objects: created, changed, unchanged and pruned.
//!
//! The floor is the required writes: a dry-run and an apply of every object, by a bare client with
//! four parallel requests, as in `--concurrent-ssa`.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::DeleteOptions;

use super::Args;
use crate::bench::cluster::{self, NAMESPACE, apply, float, gvk_of};
use crate::bench::controller::Subject;
use crate::bench::report::{Report, longest, median};
use crate::bench::stage::{File, Stage, joined};

const NAME: &str = "many";
/// The default of `--concurrent-ssa`.
const AT_ONCE: usize = 4;

fn manifest(name: &str, port: usize) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": {
            "podSelector": { "matchLabels": { "app": name } },
            "policyTypes": ["Ingress"],
            "ingress": [{ "ports": [{ "port": port, "protocol": "TCP" }] }],
        },
    })
}

fn files(count: usize, port: usize) -> Vec<File> {
    let documents =
        (0..count).map(|index| sluice_yaml::v2::to_string(&manifest(&cluster::name(index), port)));
    vec![("all.yaml".to_owned(), joined(documents))]
}

pub(super) async fn measure(
    args: &Args,
    subject: &Subject,
    count: usize,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let floor = floor(&stage, count).await?;
    let mut spec = stage.target(args.target).await?;
    spec["timeout"] = json!("10m");
    let controller = stage.controller(subject, &[]).await?;
    stage.publish(NAME, "0", &files(count, 1)).await?;
    let began = Instant::now();
    stage.kustomization(NAME, NAME, spec).await?;
    stage.until_applied(1, "0").await?;
    let created = began.elapsed();

    let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
    let before = (
        cluster::requests(&stage.cluster).await?,
        controller.usage()?.cpu,
    );
    for run in 1..=args.runs {
        changed.push(update(&stage, &format!("changed-{run}"), &files(count, 1 + run)).await?);
    }
    let between = (
        cluster::requests(&stage.cluster).await?,
        controller.usage()?.cpu,
    );
    for run in 1..=args.runs {
        let same = files(count, 1 + args.runs);
        unchanged.push(update(&stage, &format!("unchanged-{run}"), &same).await?);
    }
    let after = (
        cluster::requests(&stage.cluster).await?,
        controller.usage()?.cpu,
    );
    let peak = controller.usage()?.peak_mib;
    let removed = stage.remove(NAME).await?;

    let slowest = longest(&changed);
    let per_run = |requests: f64| requests / float(args.runs);
    let total = |earlier, later| cluster::since(earlier, later).values().sum::<f64>();
    let cpu =
        |earlier: Duration, later: Duration| per_run(later.saturating_sub(earlier).as_secs_f64());
    report.add(
        subject.name,
        &format!("{count} objects in one Kustomization ({:?})", args.target),
        &[
            ("floor s", floor.as_secs_f64()),
            ("created s", created.as_secs_f64()),
            ("changed s", median(&mut changed)),
            ("longest change s", slowest),
            ("unchanged s", median(&mut unchanged)),
            ("pruned s", removed.as_secs_f64()),
            (
                "requests of a change",
                per_run(total(&before.0, between.0.clone())),
            ),
            ("requests without one", per_run(total(&between.0, after.0))),
            ("CPU s of a change", cpu(before.1, between.1)),
            ("CPU s without one", cpu(between.1, after.1)),
            ("peak MiB", peak),
        ],
    );
    Ok(())
}

/// Measures the time from an artifact in the status to its applied revision.
async fn update(stage: &Stage, revision: &str, files: &[File]) -> anyhow::Result<Duration> {
    let began = Instant::now();
    stage.publish(NAME, revision, files).await?;
    stage.until_applied(1, revision).await?;
    Ok(began.elapsed())
}

async fn floor(stage: &Stage, count: usize) -> anyhow::Result<Duration> {
    let cluster = &stage.cluster;
    let objects: Vec<Value> = (0..count)
        .map(|index| manifest(&format!("floor-{index}"), 1))
        .collect();
    let began = Instant::now();
    for dry_run in [true, false] {
        futures::stream::iter(&objects)
            .map(|object| apply(cluster, Some(NAMESPACE), object, "floor", dry_run))
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>()
            .await?;
    }
    let elapsed = began.elapsed();
    futures::stream::iter(&objects)
        .map(|object| async move {
            let name = object["metadata"]["name"].as_str().unwrap_or_default();
            let options = DeleteOptions::default();
            cluster
                .delete(&gvk_of(object)?, Some(NAMESPACE), name, &options)
                .await?;
            anyhow::Ok(())
        })
        .buffer_unordered(cluster::IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    Ok(elapsed)
}

//! Memory of waits: for one pod in an empty namespace, for one beside many other pods, and for many
//! pods.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, ListOptions, PatchOptions};

use super::Args;
use crate::bench::cluster::{self, IN_FLIGHT, NAMESPACE, TIMEOUT, kustomization_kind};
use crate::bench::controller::Subject;
use crate::bench::report::Report;
use crate::bench::stage::Stage;

/// Time of the memory measurement, once everything exists.
const LOOK: Duration = Duration::from_secs(10);
/// The Deployment of the counted pods.
const MANY: &str = "many";

/// Template of pods that stay unscheduled for the whole bench.
fn template(app: &str) -> Value {
    json!({
        "metadata": { "labels": { "app": app } },
        "spec": {
            "schedulingGates": [{ "name": "example.com/never" }],
            "containers": [{ "name": "a", "image": "example.com/a" }],
        },
    })
}

fn deployment(name: &str, replicas: usize) -> String {
    sluice_yaml::v2::to_string(&json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": {
            "replicas": replicas,
            "progressDeadlineSeconds": 3600,
            "selector": { "matchLabels": { "app": name } },
            "template": template(name),
        },
    }))
}

fn pods() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Pod")
}

pub(super) async fn measure(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let controller = stage.controller(subject, &[]).await?;
    wait_for(&stage, "one", 1).await?;
    let alone = controller.most_resident_mib(LOOK).await?;

    let cluster = &stage.cluster;
    futures::stream::iter(0..args.pods)
        .map(|index| async move {
            let mut pod = template("foreign");
            pod["apiVersion"] = json!("v1");
            pod["kind"] = json!("Pod");
            pod["metadata"]["name"] = json!(format!("foreign-{index}"));
            let options = PatchOptions::default();
            cluster
                .create(&pods(), Some(NAMESPACE), &pod, options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<_>>()
        .await?;
    let beside = controller.most_resident_mib(LOOK).await?;

    wait_for(&stage, MANY, args.pods).await?;
    until_there(&stage, args.pods).await?;
    let own = controller.most_resident_mib(LOOK).await?;
    report.add(
        subject.name,
        &format!("waits with {} pods", args.pods),
        &[
            ("for one pod MiB", alone),
            ("beside pods of others MiB", beside),
            ("for as many of its own MiB", own),
            ("peak MiB", controller.usage()?.peak_mib),
        ],
    );
    Ok(())
}

/// Waits for a Deployment in a Kustomization.
async fn wait_for(stage: &Stage, name: &str, replicas: usize) -> anyhow::Result<()> {
    let files = [("a.yaml".to_owned(), deployment(name, replicas))];
    stage.publish(name, "0", &files).await?;
    let spec = json!({ "wait": true, "timeout": "60m" });
    stage.kustomization(name, name, spec).await?;
    let is_waiting = |object: &Value| {
        let conditions = object["status"]["conditions"].as_array();
        let mut conditions = conditions.into_iter().flatten();
        object["metadata"]["name"] == name
            && conditions.any(|one| one["type"] == "Healthy" && one["status"] == "Unknown")
    };
    stage.until(&kustomization_kind(), 1, is_waiting).await
}

async fn until_there(stage: &Stage, count: usize) -> anyhow::Result<()> {
    let began = Instant::now();
    let options = ListOptions {
        labels: Some(format!("app={MANY}")),
        ..ListOptions::default()
    };
    loop {
        let list = stage
            .cluster
            .list(&pods(), Some(NAMESPACE), &options)
            .await?;
        if list.items.len() >= count {
            return Ok(());
        }
        anyhow::ensure!(
            began.elapsed() < TIMEOUT,
            "{} of {count} pods are there after {TIMEOUT:?}",
            list.items.len()
        );
        tokio::time::sleep(cluster::POLL).await;
    }
}

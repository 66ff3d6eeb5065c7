//! A manual request while others never become healthy, and the same with an empty queue.

use serde_json::json;

use super::Args;
use crate::bench::cluster::{self, NAMESPACE, is_ready, kustomization_kind};
use crate::bench::controller::Subject;
use crate::bench::report::{Report, longest, median};
use crate::bench::stage::{File, Stage, config_map};

const SOURCE: &str = "source";
const PROBE: &str = "probe";

/// Its pods fit no node, and its timeout exceeds the bench.
fn unhealthy(name: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: {NAMESPACE}}}\nspec:\n  \
         progressDeadlineSeconds: 3600\n  selector: {{matchLabels: {{app: {name}}}}}\n  template:\n    \
         metadata: {{labels: {{app: {name}}}}}\n    \
         spec: {{nodeSelector: {{no: where}}, containers: [{{name: a, image: example.com/a}}]}}\n"
    )
}

pub(super) async fn measure(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let controller = stage.controller(subject, &["--concurrent=4"]).await?;
    let mut files: Vec<File> = (0..args.queue)
        .map(|index| {
            let name = cluster::name(index);
            let text = if index < args.unhealthy {
                unhealthy(&name)
            } else {
                config_map(&name, "1")
            };
            (format!("{name}/a.yaml"), text)
        })
        .collect();
    files.push((format!("{PROBE}/a.yaml"), config_map(PROBE, "1")));
    stage.publish(SOURCE, "0", &files).await?;
    stage
        .kustomization(PROBE, SOURCE, json!({ "path": PROBE, "wait": true }))
        .await?;
    stage.until_applied(1, "0").await?;
    let mut empty = Vec::new();
    for run in 0..args.runs {
        empty.push(stage.answer(PROBE, &format!("empty-{run}")).await?);
    }
    for index in 0..args.queue {
        let name = cluster::name(index);
        let spec = json!({
            "path": name, "wait": true, "timeout": "1m", "interval": "5m", "retryInterval": "10s",
        });
        stage.kustomization(&name, SOURCE, spec).await?;
    }
    // The healthy ones are ready, and all others wait.
    let healthy = args.queue - args.unhealthy.min(args.queue);
    stage
        .until(&kustomization_kind(), healthy + 1, is_ready)
        .await?;
    let mut full = Vec::new();
    for run in 0..args.runs {
        full.push(stage.answer(PROBE, &format!("full-{run}")).await?);
    }
    let most = (longest(&empty), longest(&full));
    report.add(
        subject.name,
        &format!(
            "a request past {}, of which {} are never healthy",
            args.queue, args.unhealthy
        ),
        &[
            ("empty s", median(&mut empty)),
            ("full s", median(&mut full)),
            ("empty s at most", most.0),
            ("full s at most", most.1),
            ("peak MiB", controller.usage()?.peak_mib),
        ],
    );
    Ok(())
}

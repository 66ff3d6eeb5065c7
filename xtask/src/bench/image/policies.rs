//! Selections of an image-reflector-controller from many tags, by each rule.

use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};

use super::registry::{Registry, versions};
use super::scans::{CONTROLLER, GROUP};
use super::{Args, Figures};
use crate::bench::cluster::{self, NAMESPACE, is_ready};
use crate::bench::controller::Subject;
use crate::bench::process;
use crate::bench::stage::Stage;

/// The metric with the times of the runs of each object.
const METRIC: &str = "gotk_reconcile_duration_seconds";

/// Measures the mean time of a run of each policy, as the controller reports it. A run reads the
/// tags of the store, and writes the status.
pub(super) async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let kind = |kind| GroupVersionKind::gvk(GROUP, "v1", kind);
    let (repositories, policies) = (kind("ImageRepository"), kind("ImagePolicy"));
    let kinds = [repositories.clone(), policies.clone()];
    cluster::define(&stage.cluster, CONTROLLER, &kinds).await?;
    let count = 0..args.tags;
    let builds = count
        .clone()
        .map(|number| format!("main-{number:08x}-{}", START + number));
    let numbers = count.map(|number| (START + number).to_string());
    let registry = Registry::start(
        [
            (SEMVER, versions(args.tags)),
            (ALPHABETICAL, builds.collect()),
            (NUMERICAL, numbers.collect()),
        ]
        .into(),
    )
    .await?;
    let rules = [
        (SEMVER, json!({ "semver": { "range": ">=1.0.0" } })),
        (ALPHABETICAL, json!({ "alphabetical": {} })),
        (NUMERICAL, json!({ "numerical": {} })),
    ];
    let storage = format!("--storage-path={}", stage.storage("tags")?.display());
    let (_controller, metrics) = stage.start_other(CONTROLLER, subject, &[&storage])?;
    for (name, _) in &rules {
        let image = registry.image(name);
        let spec = json!({ "image": image, "interval": "1h", "insecure": true });
        create(&stage, &repositories, name, spec).await?;
    }
    stage.until(&repositories, rules.len(), is_ready).await?;
    for (name, rule) in &rules {
        let spec = json!({ "imageRepositoryRef": { "name": name }, "policy": rule });
        create(&stage, &policies, name, spec).await?;
    }
    stage.until(&policies, rules.len(), is_ready).await?;
    for run in 1..args.runs {
        let token = run.to_string();
        for (name, _) in &rules {
            let request = json!({
                "metadata": { "annotations": { "reconcile.fluxcd.io/requestedAt": token } },
            });
            let options = PatchOptions::default();
            let cluster = &stage.cluster;
            cluster
                .merge(&policies, Some(NAMESPACE), name, &request, options)
                .await?;
        }
        let is_handled = |object: &Value| object["status"]["lastHandledReconcileAt"] == *token;
        stage.until(&policies, rules.len(), is_handled).await?;
    }
    // The last run is counted after its status.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let text = process::metrics(metrics).await?;
    let mut figures = Figures::new();
    for (name, figure) in [
        (SEMVER, "semver ms"),
        (ALPHABETICAL, "alphabetical ms"),
        (NUMERICAL, "numerical ms"),
    ] {
        let value = |series: &str| -> anyhow::Result<f64> {
            let prefix = format!("{METRIC}_{series}{{kind=\"ImagePolicy\",name=\"{name}\"");
            let line = text.lines().find(|line| line.starts_with(&prefix));
            let line = line.with_context(|| format!("no {METRIC}_{series} of {name}"))?;
            Ok(line.rsplit(' ').next().unwrap_or_default().parse()?)
        };
        figures.push((figure, value("sum")? / value("count")? * 1000.0));
    }
    Ok(figures)
}

const SEMVER: &str = "semver";
const ALPHABETICAL: &str = "alphabetical";
const NUMERICAL: &str = "numerical";
/// The first number and time of tags.
const START: usize = 1_700_000_000;

async fn create(
    stage: &Stage,
    kind: &GroupVersionKind,
    name: &str,
    spec: Value,
) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": kind.kind,
        "metadata": { "name": name, "namespace": NAMESPACE }, "spec": spec,
    });
    let options = PatchOptions::default();
    let cluster = &stage.cluster;
    cluster
        .create(kind, Some(NAMESPACE), &object, options)
        .await?;
    Ok(())
}

//! Manual edits, and the time until a requested run corrects them.

use std::time::Instant;

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;
use sluice_client::{GroupVersionKind, PatchOptions};

use super::CommonFlags;
use super::cluster::{self, IN_FLIGHT, NAMESPACE, float};
use super::controller::Subject;
use super::report::{Report, median};
use super::stage::{File, Stage, config_map, joined};

const SOURCE: &str = "source";
const WANTED: &str = "wanted";

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of Kustomizations
    #[arg(long, default_value_t = 100)]
    kustomizations: usize,
    /// Objects of each
    #[arg(long, default_value_t = 10)]
    objects: usize,
    /// Edited objects, spread over all Kustomizations
    #[arg(long, default_value_t = 100)]
    edits: usize,
    /// Number of repetitions
    #[arg(long, default_value_t = 5)]
    runs: usize,
    #[command(flatten)]
    common: CommonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.common.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    runtime.block_on(async {
        for subject in &subjects {
            measure(args, subject, &mut report).await?;
        }
        anyhow::Ok(())
    })?;
    report.save(args.common.record.as_deref())
}

fn object(kustomization: usize, index: usize) -> String {
    format!("{}-{index}", cluster::name(kustomization))
}

async fn measure(args: &Args, subject: &Subject, report: &mut Report) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let controller = stage.controller(subject, &[]).await?;
    let files: Vec<File> = (0..args.kustomizations)
        .map(|each| {
            let documents = (0..args.objects).map(|index| config_map(&object(each, index), WANTED));
            (
                format!("{}/all.yaml", cluster::name(each)),
                joined(documents),
            )
        })
        .collect();
    stage.publish(SOURCE, "0", &files).await?;
    for each in 0..args.kustomizations {
        let name = cluster::name(each);
        stage
            .kustomization(&name, SOURCE, json!({ "path": name }))
            .await?;
    }
    stage.until_applied(args.kustomizations, "0").await?;

    let maps = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let total = args.kustomizations * args.objects;
    let before = (
        cluster::requests(&stage.cluster).await?,
        controller.usage()?.cpu,
    );
    let mut corrected = Vec::new();
    for run in 0..args.runs {
        // All sides get the same edits.
        let edited: Vec<(usize, usize)> = (0..args.edits.min(total))
            .map(|edit| edit * total / args.edits.min(total))
            .map(|number| (number % args.kustomizations, number / args.kustomizations))
            .collect();
        let (stage, maps) = (&stage, &maps);
        let patch = &json!({ "data": { "key": format!("edited-{run}") } });
        futures::stream::iter(&edited)
            .map(|(each, index)| async move {
                let options = PatchOptions {
                    field_manager: Some("editor"),
                    ..PatchOptions::default()
                };
                let name = object(*each, *index);
                stage
                    .cluster
                    .merge(maps, Some(NAMESPACE), &name, patch, options)
                    .await
            })
            .buffer_unordered(IN_FLIGHT)
            .try_collect::<Vec<_>>()
            .await?;
        let began = Instant::now();
        let token = &format!("run-{run}");
        futures::stream::iter(0..args.kustomizations)
            .map(|each| async move { stage.request(&cluster::name(each), token).await })
            .buffer_unordered(IN_FLIGHT)
            .try_collect::<()>()
            .await?;
        stage
            .until(
                &cluster::kustomization_kind(),
                args.kustomizations,
                |object| object["status"]["lastHandledReconcileAt"] == token.as_str(),
            )
            .await?;
        // A handled request has corrected the edits.
        stage
            .until(maps, total, |object| object["data"]["key"] == WANTED)
            .await?;
        corrected.push(began.elapsed());
    }
    let requests = cluster::since(&before.0, cluster::requests(&stage.cluster).await?);
    let usage = controller.usage()?;
    let per_run = |figure: f64| figure / float(args.runs);
    report.add(
        subject.name,
        &format!(
            "{} edits among {} Kustomizations of {} objects",
            args.edits, args.kustomizations, args.objects
        ),
        &[
            ("corrected s", median(&mut corrected)),
            ("requests", per_run(requests.values().sum())),
            (
                "CPU s",
                per_run(usage.cpu.saturating_sub(before.1).as_secs_f64()),
            ),
            ("peak MiB", usage.peak_mib),
            ("peak anonymous MiB", usage.peak_anonymous_mib),
        ],
    );
    Ok(())
}

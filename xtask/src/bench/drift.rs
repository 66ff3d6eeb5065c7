//! Edits by hand, and how long until they are undone once a run is asked for.

use std::time::Instant;

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;
use sluice_client::{GroupVersionKind, PatchOptions};

use super::Usual;
use super::controller::Subject;
use super::mttp::{self, IN_FLIGHT, NAMESPACE, float};
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
    /// Objects that are edited, spread over all Kustomizations
    #[arg(long, default_value_t = 100)]
    edits: usize,
    /// How often
    #[arg(long, default_value_t = 5)]
    runs: usize,
    #[command(flatten)]
    usual: Usual,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.usual.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new();
    runtime.block_on(async {
        for subject in &subjects {
            measure(args, subject, &mut report).await?;
        }
        anyhow::Ok(())
    })?;
    report.save(args.usual.record.as_deref())
}

fn object(kustomization: usize, index: usize) -> String {
    format!("{}-{index}", mttp::name(kustomization))
}

async fn measure(args: &Args, subject: &Subject, report: &mut Report) -> anyhow::Result<()> {
    let stage = Stage::start(args.usual.log.as_deref()).await?;
    let controller = stage.controller(subject, &[]).await?;
    let files: Vec<File> = (0..args.kustomizations)
        .map(|each| {
            let documents = (0..args.objects).map(|index| config_map(&object(each, index), WANTED));
            (format!("{}/all.yaml", mttp::name(each)), joined(documents))
        })
        .collect();
    stage.publish(SOURCE, "0", &files).await?;
    for each in 0..args.kustomizations {
        let name = mttp::name(each);
        stage
            .kustomization(&name, SOURCE, json!({ "path": name }))
            .await?;
    }
    stage.until_applied(args.kustomizations, "0").await?;

    let maps = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let total = args.kustomizations * args.objects;
    let before = (
        mttp::requests(&stage.cluster).await?,
        controller.usage()?.cpu,
    );
    let mut corrected = Vec::new();
    for run in 0..args.runs {
        // Which are edited is the same for everybody who is measured.
        let edited: Vec<(usize, usize)> = (0..args.edits.min(total))
            .map(|edit| edit * total / args.edits.min(total))
            .map(|number| (number % args.kustomizations, number / args.kustomizations))
            .collect();
        let (stage, maps) = (&stage, &maps);
        let patch = &json!({ "data": { "key": format!("edited-{run}") } });
        futures::stream::iter(&edited)
            .map(|(each, index)| async move {
                let options = PatchOptions {
                    field_manager: Some("somebody"),
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
            .map(|each| async move { stage.request(&mttp::name(each), token).await })
            .buffer_unordered(IN_FLIGHT)
            .try_collect::<()>()
            .await?;
        stage
            .until(&mttp::kustomization_kind(), args.kustomizations, |object| {
                object["status"]["lastHandledReconcileAt"] == token.as_str()
            })
            .await?;
        // Whoever has handled the request has undone the edits: that is what is measured.
        stage
            .until(maps, total, |object| object["data"]["key"] == WANTED)
            .await?;
        corrected.push(began.elapsed());
    }
    let requests = mttp::since(&before.0, mttp::requests(&stage.cluster).await?);
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

//! Dependencies between Kustomizations: a chain, and many on one.

use std::time::Instant;

use serde_json::json;

use super::Args;
use crate::bench::cluster::{self, float};
use crate::bench::controller::Subject;
use crate::bench::report::{Report, median};
use crate::bench::stage::{File, Stage, config_map};

const SOURCE: &str = "source";

/// Returns a folder for each, with one object.
fn files(count: usize, value: &str) -> Vec<File> {
    (0..count)
        .map(cluster::name)
        .map(|name| (format!("{name}/a.yaml"), config_map(&name, value)))
        .collect()
}

/// Each depends on the previous one.
pub(super) async fn chain(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    let depends = |index: usize| match index.checked_sub(1) {
        Some(before) => json!([{ "name": cluster::name(before) }]),
        None => json!([]),
    };
    let what = format!("chain of {}", args.chain);
    measure(args, subject, args.chain, depends, &what, report).await
}

/// All depend on the first one.
pub(super) async fn fan_out(
    args: &Args,
    subject: &Subject,
    report: &mut Report,
) -> anyhow::Result<()> {
    let depends = |index: usize| match index {
        0 => json!([]),
        _ => json!([{ "name": cluster::name(0) }]),
    };
    let what = format!("{} that depend on one", args.fan_out);
    measure(args, subject, args.fan_out + 1, depends, &what, report).await
}

async fn measure(
    args: &Args,
    subject: &Subject,
    count: usize,
    depends: impl Fn(usize) -> serde_json::Value,
    what: &str,
    report: &mut Report,
) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let controller = stage.controller(subject, &[]).await?;
    stage.publish(SOURCE, "0", &files(count, "0")).await?;
    let began = Instant::now();
    for index in 0..count {
        let name = cluster::name(index);
        let spec = json!({ "path": name, "dependsOn": depends(index) });
        stage.kustomization(&name, SOURCE, spec).await?;
    }
    stage.until_applied(count, "0").await?;
    let created = began.elapsed().as_secs_f64();
    let mut changed = Vec::new();
    for run in 1..=args.runs {
        let revision = run.to_string();
        let began = Instant::now();
        stage
            .publish(SOURCE, &revision, &files(count, &revision))
            .await?;
        stage.until_applied(count, &revision).await?;
        changed.push(began.elapsed());
    }
    let changed = median(&mut changed);
    report.add(
        subject.name,
        what,
        &[
            ("created s", created),
            ("changed s", changed),
            ("changed s each", changed / float(count)),
            ("peak MiB", controller.usage()?.peak_mib),
        ],
    );
    Ok(())
}

//! Costs of notifications and webhooks: lost and repeated messages, memory and latency.
//!
//! The reference runs in the same run if `REFERENCE_BIN_DIR` has its notification-controller.

mod service;
mod stage;

use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;

use super::CommonFlags;
use super::cluster::{float, name};
use super::controller::Subject;
use super::limits;
use super::report::{Report, longest, median, percentile};

use service::Service;
use stage::NotifyFixture;

/// Time after which a started controller is idle.
const STARTED: Duration = Duration::from_secs(5);
/// Maximum number of concurrent posts of events.
const IN_FLIGHT: usize = 50;
const CONTROLLER: &str = "notification-controller";
/// Maximum time until all notifications are delivered, after the end of the outage.
const TIMEOUT: Duration = Duration::from_mins(15);
/// Time without a delivery, after the end of the outage, after which the rest is lost.
const SILENCE: Duration = Duration::from_mins(1);

/// Limits of `--check`. They are aims for an idle machine.
const LIMITS: &[limits::Limit] = &[
    ("idle MiB", 15.0),
    ("lost", 0.0),
    ("most copies", 2.0),
    ("burst peak MiB", 60.0),
    ("webhook median ms", 50.0),
    ("webhook storm median ms", 200.0),
];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of events
    #[arg(long, default_value_t = 10_000)]
    events: usize,
    /// Number of Providers; the first one is down
    #[arg(long, default_value_t = 20)]
    providers: usize,
    /// Seconds for which it is down
    #[arg(long, default_value_t = 60)]
    down: u64,
    /// Number of webhooks one after another
    #[arg(long, default_value_t = 200)]
    webhooks: usize,
    /// Webhooks per second of the storm
    #[arg(long, default_value_t = 500)]
    rate: usize,
    /// Seconds of the storm
    #[arg(long, default_value_t = 10)]
    seconds: usize,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

/// Figures of one part, by name.
type Figures = Vec<(&'static str, f64)>;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let sides = Subject::beside(args.common.binary.as_deref(), &[CONTROLLER])?;
    let mut report = Report::new(Subject::programs(&sides))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut figures = Vec::new();
    for side in &sides {
        figures.push(runtime.block_on(measure(args, side, &mut report))?);
    }
    let verdicts = limits::judge(LIMITS, &figures[0]);
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

async fn measure(args: &Args, subject: &Subject, report: &mut Report) -> anyhow::Result<Figures> {
    let stage = NotifyFixture::start(subject, args.common.log.as_deref()).await?;
    let idle = stage.controller.most_resident_mib(STARTED).await?;
    let anonymous = stage.controller.anonymous_mib()?;
    let figures = [("idle MiB", idle), ("idle anonymous MiB", anonymous)];
    report.add(subject.name, "no objects", &figures);
    let mut all = vec![("idle MiB", idle)];
    let webhooks = webhooks(args, &stage).await?;
    report.add(subject.name, &webhook_text(args), &webhooks);
    all.extend(webhooks);
    let burst = burst(args, &stage).await?;
    report.add(subject.name, &burst_text(args), &burst);
    all.extend(burst);
    Ok(all)
}

fn webhook_text(args: &Args) -> String {
    format!(
        "{} webhooks in turn, then {} per second for {} s",
        args.webhooks, args.rate, args.seconds
    )
}

fn burst_text(args: &Args) -> String {
    format!(
        "{} events to each of {} providers, one down for {} s",
        args.events, args.providers, args.down
    )
}

/// Posts all events at once, and waits for the last notification.
async fn burst(args: &Args, stage: &NotifyFixture) -> anyhow::Result<Figures> {
    let service = Service::start(args.providers).await?;
    for number in 0..args.providers {
        stage.provider(&name(number), &service.url(number)).await?;
    }
    stage.until_stored(args.providers).await?;
    service.go_down(Duration::from_secs(args.down));
    let began = Instant::now();
    futures::stream::iter(0..args.events)
        .map(|number| stage.post_event(number))
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let accepted = began.elapsed();
    let wanted = args.events * args.providers;
    let outage = Duration::from_secs(args.down);
    let (mut seen, mut delivered) = (0, began.elapsed());
    // Notifications that are still missing then count as lost.
    while seen < wanted && began.elapsed() < outage + TIMEOUT {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let now = service.delivered();
        if now > seen {
            (seen, delivered) = (now, began.elapsed());
        } else if began.elapsed() > outage.max(delivered) + SILENCE {
            break;
        }
    }
    let usage = stage.controller.usage()?;
    Ok(vec![
        ("accepted s", accepted.as_secs_f64()),
        ("delivered s", delivered.as_secs_f64()),
        ("lost", float(wanted.saturating_sub(service.delivered()))),
        ("most copies", float(service.most_copies())),
        ("burst peak MiB", usage.peak_mib),
        ("burst peak anonymous MiB", usage.peak_anonymous_mib),
        ("CPU s", usage.cpu.as_secs_f64()),
    ])
}

/// Calls webhooks. The response follows the annotation, so its time is the latency.
async fn webhooks(args: &Args, stage: &NotifyFixture) -> anyhow::Result<Figures> {
    let objects = args.webhooks.max(args.rate * 2);
    stage.receivers(objects).await?;
    let mut one_by_one = Vec::new();
    for number in 0..args.webhooks {
        one_by_one.push(stage.call(number).await?);
    }
    // Each object is called every two seconds, so no call joins an earlier one.
    let gap = Duration::from_secs(1) / u32::try_from(args.rate).context("--rate is too large")?;
    let began = tokio::time::Instant::now();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..args.rate * args.seconds {
        let at = began + gap * u32::try_from(number).unwrap_or(u32::MAX);
        tokio::time::sleep_until(at).await;
        let call = stage.call_later(number % objects);
        calls.spawn(async move {
            call.await?;
            // The queue before the call counts, too.
            anyhow::Ok(at.elapsed())
        });
    }
    let mut storm = Vec::new();
    while let Some(ended) = calls.join_next().await {
        storm.push(ended??);
    }
    stage.check_annotations(objects.min(args.webhooks)).await?;
    let milliseconds = |seconds: f64| seconds * 1000.0;
    Ok(vec![
        ("webhook median ms", milliseconds(median(&mut one_by_one))),
        ("webhook longest ms", milliseconds(longest(&one_by_one))),
        ("webhook storm median ms", milliseconds(median(&mut storm))),
        (
            "webhook storm 99 % ms",
            milliseconds(percentile(&mut storm, 99)),
        ),
        ("webhook storm longest ms", milliseconds(longest(&storm))),
    ])
}

/// Returns an event. Letters number it, because events that differ by digits are duplicates.
fn event(number: usize) -> serde_json::Value {
    let letters = number.to_string();
    let letters: String = letters
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'k'))
        .collect();
    json!({
        "involvedObject": {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "namespace": super::cluster::NAMESPACE, "name": "apps",
            "uid": "0c9c2e41-d2f9-4f9b-9e47-a1d9c2ac1b6f",
        },
        "severity": "error",
        "timestamp": "2026-01-02T03:04:05Z",
        "message": format!(
            "Deployment/apps/{letters} configured\nhealth check failed: timeout waiting for {letters}"
        ),
        "reason": "HealthCheckFailed",
        "reportingController": "kustomize-controller",
        "reportingInstance": "kustomize-controller-0",
        "metadata": {
            "kustomize.toolkit.fluxcd.io/revision":
                "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        },
    })
}

//! Many repositories without changes.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions};
use sluice_devcluster::{GitOptions, GitServer};
use sluice_git::serve::{Change, Repository};

use super::wire::Wire;
use super::{Args, create, reconciliations, until};
use crate::bench::cluster::{IN_FLIGHT, NAMESPACE, POLL, float, name, source_kind};
use crate::bench::controller::SourceController;

/// Polls of each object in the measurement.
const ROUNDS: usize = 3;
const TIMEOUT: Duration = Duration::from_mins(10);

pub(super) struct Polls {
    objects: usize,
    count: f64,
    requests: f64,
    bytes: f64,
    cpu: Duration,
    peak_mib: f64,
}

impl Polls {
    pub(super) fn to_value(&self) -> Value {
        json!({
            "objects": self.objects,
            "polls": self.count,
            "requestsPerPoll": self.requests / self.count,
            "bytesPerPoll": self.bytes / self.count,
            "cpuMillisecondsPerPoll": self.cpu.as_secs_f64() * 1000.0 / self.count,
            "peakMiB": self.peak_mib,
        })
    }
}

impl fmt::Display for Polls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "polls of {} repositories without news: {:.2} requests, {:.0} bytes on the wire and \
             {:.2} ms of CPU each ({:.0} polls); peak RSS {:.0} MiB",
            self.objects,
            self.requests / self.count,
            self.bytes / self.count,
            self.cpu.as_secs_f64() * 1000.0 / self.count,
            self.count,
            self.peak_mib,
        )
    }
}

pub(super) async fn measure(
    args: &Args,
    cluster: &Cluster,
    controller: &SourceController,
    state: &Path,
) -> anyhow::Result<Polls> {
    let root = state.join("small");
    for index in 0..args.objects {
        let repository = Repository::init_bare(root.join(name(index)), "main")?;
        let text = format!("name: {}\n", name(index));
        repository.commit("main", "First", &[Change::write("a.yaml", text)])?;
    }
    let server = GitServer::start(GitOptions::new(root)).await?;
    let wire = Wire::to(server.address()).await?;
    let interval = format!("{}s", args.interval);
    futures::stream::iter(0..args.objects)
        .map(|index| {
            let spec = json!({
                "interval": interval,
                "url": wire.url(&name(index)),
                "ref": { "branch": "main" },
            });
            async move { create(cluster, &name(index), &spec).await }
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    for index in 0..args.objects {
        until(cluster, &name(index), TIMEOUT, || Ok(()), |_| true).await?;
    }
    // All requests after the first artifact are polls.
    let requests = || {
        let requests = server.requests();
        requests.advertisements + requests.fetches
    };
    let polls = reconciliations(controller).await?;
    let (asked, bytes, usage) = (requests(), wire.bytes(), controller.process.usage()?);
    // The Git server counts polls, because the controller's metrics cost a large page.
    let wanted = asked + u64::try_from(args.objects * ROUNDS)?;
    let began = Instant::now();
    while requests() < wanted {
        ensure!(
            began.elapsed() < TIMEOUT,
            "{} requests, {wanted} wanted",
            requests()
        );
        tokio::time::sleep(POLL).await;
    }
    let after = controller.process.usage()?;
    let polled = reconciliations(controller).await? - polls;
    let outcome = Polls {
        objects: args.objects,
        count: polled,
        requests: float(usize::try_from(requests() - asked)?),
        bytes: float(usize::try_from(wire.bytes() - bytes)?),
        cpu: after.cpu.saturating_sub(usage.cpu),
        peak_mib: after.peak_mib,
    };
    futures::stream::iter(0..args.objects)
        .map(|index| async move {
            let options = DeleteOptions::default();
            cluster
                .delete(&source_kind(), Some(NAMESPACE), &name(index), &options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<bool>>()
        .await?;
    Ok(outcome)
}

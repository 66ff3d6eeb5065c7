//! The processes of all controllers, with the flags of their Deployments. Only addresses and
//! folders differ, and no leader is elected.

use std::path::Path;
use std::time::Duration;

use futures::future::try_join_all;
use sluice::commands::controller::NAMES;
use sluice_devcluster::ControlPlane;

use crate::bench::cluster::free_ports;
use crate::bench::controller::Subject;
use crate::bench::process::{self, MeasuredProcess};

/// The receiver of events, and of webhooks.
const NOTIFICATIONS: &str = "notification-controller";

/// How controllers are spread over processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topology {
    Single,
    Apart,
}

impl Topology {
    /// Names the topology in a record.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Single => "one process",
            Self::Apart => "a process per controller",
        }
    }
}

/// Running controllers of one side.
pub(super) struct Processes(Vec<Process>);

struct Process {
    name: &'static str,
    measured: MeasuredProcess,
    metrics: u16,
}

/// Memory of a process at rest, in MiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    pub(super) resident: f64,
    pub(super) anonymous: f64,
    /// Resident memory, of which a page that several processes share counts once for all.
    pub(super) proportional: f64,
}

/// Usage of a process since its start.
pub(super) struct Working {
    pub(super) requests: f64,
    pub(super) cpu: Duration,
    pub(super) peak_mib: f64,
    pub(super) peak_anonymous_mib: f64,
}

/// The addresses that Services have in a cluster.
struct Addresses {
    artifacts: String,
    generated: String,
    events: String,
    webhooks: String,
}

impl Processes {
    pub(super) fn start(
        subject: &Subject,
        topology: Topology,
        plane: &ControlPlane,
        state: &Path,
        log: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let [artifacts, generated, events, webhooks] =
            free_ports::<4>()?.map(|port| format!("127.0.0.1:{port}"));
        let addresses = Addresses {
            artifacts,
            generated,
            events,
            webhooks,
        };
        for folder in ["artifacts", "generated", "tags", "git"] {
            std::fs::create_dir_all(state.join(folder))?;
        }
        let start = |name: &'static str, mut flags: Vec<String>| {
            let [metrics, health] = free_ports::<2>()?;
            flags.push(format!("--metrics-addr=127.0.0.1:{metrics}"));
            flags.push(format!("--health-addr=127.0.0.1:{health}"));
            if name != NOTIFICATIONS {
                flags.push(format!("--events-addr=http://{}/", addresses.events));
            }
            let log = log.unwrap_or(state).join(format!("{name}.log"));
            let measured = subject.start(name, &flags, plane, &log)?;
            anyhow::Ok(Process {
                name,
                measured,
                metrics,
            })
        };
        let is_ours = subject.name == "ours";
        let mut processes = Vec::new();
        if topology == Topology::Single {
            let flags = NAMES.iter().flat_map(|name| {
                let own = addresses.flags(name, state, is_ours).into_iter();
                own.map(move |flag| format!("--{name}.{flag}"))
            });
            processes.push(start("all", flags.collect())?);
        } else {
            for name in NAMES.iter().filter(|name| subject.has(name)) {
                let own = addresses.flags(name, state, is_ours).into_iter();
                let flags = own.map(|flag| format!("--{flag}"));
                processes.push(start(name, flags.collect())?);
            }
        }
        Ok(Self(processes))
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|process| process.name)
    }

    /// Measures the memory of each process during a time: the peak of the resident memory, and the
    /// rest at the end.
    pub(super) async fn at_rest(&self, span: Duration) -> anyhow::Result<Vec<Memory>> {
        let peaks = self.0.iter();
        let peaks = try_join_all(peaks.map(|it| it.measured.most_resident_mib(span))).await?;
        let pairs = self.0.iter().zip(peaks);
        pairs
            .map(|(process, resident)| {
                Ok(Memory {
                    resident,
                    anonymous: process.measured.anonymous_mib()?,
                    proportional: process.measured.proportional_mib()?,
                })
            })
            .collect()
    }

    /// Returns the usage of each process since its start.
    pub(super) async fn usage(&self) -> anyhow::Result<Vec<Working>> {
        let mut usages = Vec::new();
        for process in &self.0 {
            let usage = process.measured.usage()?;
            usages.push(Working {
                requests: process::requests(process.metrics).await?,
                cpu: usage.cpu,
                peak_mib: usage.peak_mib,
                peak_anonymous_mib: usage.peak_anonymous_mib,
            });
        }
        Ok(usages)
    }

    /// Returns the processor time of all processes since their start.
    pub(super) fn cpu(&self) -> anyhow::Result<Duration> {
        let processes = self.0.iter();
        let usages = processes.map(|process| Ok(process.measured.usage()?.cpu));
        usages.sum()
    }
}

impl Addresses {
    /// Returns the own flags of a controller, without dashes.
    fn flags(&self, name: &str, state: &Path, is_ours: bool) -> Vec<String> {
        let folder = |name: &str| state.join(name).display().to_string();
        let storage = |path: String, address: &str| {
            vec![
                format!("storage-path={path}"),
                format!("storage-addr={address}"),
                format!("storage-adv-addr={address}"),
            ]
        };
        match name {
            "source-controller" => storage(folder("artifacts"), &self.artifacts),
            "source-watcher" => storage(folder("generated"), &self.generated),
            NOTIFICATIONS => vec![
                format!("events-addr={}", self.events),
                format!("receiverAddr={}", self.webhooks),
            ],
            "image-reflector-controller" => vec![format!("storage-path={}", folder("tags"))],
            // The reference has no such flag.
            "image-automation-controller" if is_ours => {
                vec![format!("git-store-path={}", folder("git"))]
            }
            _ => Vec::new(),
        }
    }
}

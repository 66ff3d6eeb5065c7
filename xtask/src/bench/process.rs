//! A process under measurement, with usage as the kernel counts it.
//!
//! Resident pages of the program depend on the page cache: a file written recently is mapped in
//! large pieces. So the file's cache is dropped before the start, as on a node that has pulled an
//! image. The peak of anonymous memory is reported separately.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Sample interval of anonymous memory, for which the kernel keeps no peak.
const LOOK: Duration = Duration::from_millis(20);

/// Sample interval of the resident size of an idle process.
const SECOND: Duration = Duration::from_secs(1);

/// A child that is killed on drop.
pub(super) struct MeasuredProcess {
    child: Child,
    most_anonymous_kib: Arc<AtomicU64>,
}

/// Usage of a process so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub peak_mib: f64,
    /// Peak of anonymous memory.
    pub peak_anonymous_mib: f64,
    pub cpu: Duration,
}

impl MeasuredProcess {
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        kubeconfig: &Path,
        log: &Path,
    ) -> anyhow::Result<Self> {
        uncache(program)?;
        let log = File::create(log).with_context(|| format!("create {}", log.display()))?;
        let child = Command::new(program)
            .args(arguments)
            .env("KUBECONFIG", kubeconfig)
            .env("RUNTIME_NAMESPACE", "flux-system")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("start {}", program.display()))?;
        let most_anonymous_kib = Arc::default();
        watch(child.id(), Arc::clone(&most_anonymous_kib));
        Ok(Self {
            child,
            most_anonymous_kib,
        })
    }

    /// Current anonymous memory.
    pub(super) fn anonymous_mib(&self) -> anyhow::Result<f64> {
        Ok(mib(memory_kib(self.child.id(), "RssAnon:")?))
    }

    /// Current resident memory.
    pub(super) fn resident_mib(&self) -> anyhow::Result<f64> {
        Ok(mib(memory_kib(self.child.id(), "VmRSS:")?))
    }

    /// Current resident memory, of which a page that several processes share counts in parts.
    pub(super) fn proportional_mib(&self) -> anyhow::Result<f64> {
        let file = format!("/proc/{}/smaps_rollup", self.child.id());
        let text = std::fs::read_to_string(&file).with_context(|| format!("read {file}"))?;
        Ok(mib(kib(&text, "Pss:")))
    }

    /// Peak of resident memory during a time.
    pub(super) async fn most_resident_mib(&self, span: Duration) -> anyhow::Result<f64> {
        let began = Instant::now();
        let mut most = self.resident_mib()?;
        while began.elapsed() < span {
            tokio::time::sleep(SECOND.min(span)).await;
            most = most.max(self.resident_mib()?);
        }
        Ok(most)
    }

    pub(super) fn usage(&self) -> anyhow::Result<Usage> {
        let id = self.child.id();
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
        // Fields start after the command name, which may contain any text.
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let ticks: f64 = [11, 12]
            .into_iter()
            .filter_map(|index| fields.get(index)?.parse::<f64>().ok())
            .sum();
        Ok(Usage {
            peak_mib: mib(memory_kib(id, "VmHWM:")?),
            peak_anonymous_mib: mib(self.most_anonymous_kib.load(Ordering::Relaxed)),
            cpu: Duration::from_secs_f64(ticks / 100.0),
        })
    }
}

impl Drop for MeasuredProcess {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads a process's metrics from its port.
pub(super) async fn metrics(port: u16) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    // HTTP/1.0, so that the response ends with the connection.
    stream
        .write_all(b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")
        .await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    let (head, body) = text.split_once("\r\n\r\n").context("no end of the head")?;
    ensure!(head.contains(" 200 "), "/metrics: {head}");
    Ok(body.to_owned())
}

/// Returns the number of requests to the API server that a process has counted.
pub(super) async fn requests(port: u16) -> anyhow::Result<f64> {
    let metrics = metrics(port).await?;
    let counted = metrics
        .lines()
        .filter(|line| line.starts_with("rest_client_requests_total{"));
    Ok(counted
        .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
        .sum())
}

fn mib(kib: u64) -> f64 {
    u32::try_from(kib).map_or(f64::NAN, f64::from) / 1024.0
}

fn memory_kib(id: u32, field: &str) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))
        .context("the controllers are gone: see their log")?;
    Ok(kib(&status, field))
}

/// Returns the number after the name of a field, or zero without it.
fn kib(text: &str, field: &str) -> u64 {
    text.lines()
        .find_map(|line| line.strip_prefix(field))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// Samples the peak of anonymous memory, until the process or the receiver ends.
fn watch(id: u32, most: Arc<AtomicU64>) {
    std::thread::spawn(move || {
        while Arc::strong_count(&most) > 1
            && let Ok(now) = memory_kib(id, "RssAnon:")
        {
            most.fetch_max(now, Ordering::Relaxed);
            std::thread::sleep(LOOK);
        }
    });
}

/// Drops the kernel's cache of a file.
fn uncache(program: &Path) -> anyhow::Result<()> {
    let file = File::open(program).with_context(|| format!("open {}", program.display()))?;
    file.sync_all()?;
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)
        .with_context(|| format!("drop the cached pages of {}", program.display()))
}

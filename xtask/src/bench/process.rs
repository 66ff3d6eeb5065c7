//! A process under measurement: what it used, by the kernel's own account.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;

/// A child that is killed when it goes out of scope.
pub(super) struct Measured(Child);

/// What a process has used so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub peak_mib: f64,
    pub cpu: Duration,
}

impl Measured {
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        kubeconfig: &Path,
        log: &Path,
    ) -> anyhow::Result<Self> {
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
        Ok(Self(child))
    }

    /// The memory that it holds now and that no file backs.
    pub(super) fn anonymous_mib(&self) -> anyhow::Result<f64> {
        Ok(self.memory_kib("RssAnon:")? / 1024.0)
    }

    /// The memory that it holds now.
    pub(super) fn resident_mib(&self) -> anyhow::Result<f64> {
        Ok(self.memory_kib("VmRSS:")? / 1024.0)
    }

    fn memory_kib(&self, field: &str) -> anyhow::Result<f64> {
        let status = Path::new("/proc")
            .join(self.0.id().to_string())
            .join("status");
        let status =
            std::fs::read_to_string(status).context("the controllers are gone: see their log")?;
        Ok(status
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|number| number.parse().ok())
            .unwrap_or_default())
    }

    pub(super) fn usage(&self) -> anyhow::Result<Usage> {
        let proc = Path::new("/proc").join(self.0.id().to_string());
        let peak_kib = self.memory_kib("VmHWM:")?;
        let stat = std::fs::read_to_string(proc.join("stat"))?;
        // Fields are counted from behind the name, which may hold anything.
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
            peak_mib: peak_kib / 1024.0,
            cpu: Duration::from_secs_f64(ticks / 100.0),
        })
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

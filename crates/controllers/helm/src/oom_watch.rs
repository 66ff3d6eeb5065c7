//! Stops the controller before the kernel kills it for its use of memory. Actions end, and records
//! do not stay pending.
//!
//! Parity: `helm-controller: internal/oomwatch`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sluice_golang::error::chain;
use sluice_system::fs;
use tokio_util::sync::CancellationToken;

/// The directory of the control group of a container.
const CGROUP: &str = "/sys/fs/cgroup";
/// The files of the limit: of control groups of version 2, and of version 1.
const MAX_FILES: [&str; 2] = ["memory.max", "memory/memory.limit_in_bytes"];
/// The files of the usage.
const CURRENT_FILES: [&str; 2] = ["memory.current", "memory/memory.usage_in_bytes"];
/// The shortest interval.
const MIN_INTERVAL: Duration = Duration::from_millis(50);

/// Why the watch cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OomWatchError {
    /// The threshold is not a percentage.
    #[error("memory usage percent threshold must be between 1 and 100, got {0}")]
    Threshold(u8),
    /// The interval is too short.
    #[error(
        "interval must be at least {min}, got {got}",
        min = go_duration(MIN_INTERVAL),
        got = go_duration(*.0)
    )]
    Interval(Duration),
    /// This machine has no control group with a file.
    #[error("failed to discover {0}, please specify it manually")]
    Undiscovered(&'static str),
    /// The file of the usage cannot be read.
    #[error("failed to confirm existence of current memory usage file: {0} does not exist")]
    Current(String),
    /// The file of the limit cannot be read.
    #[error("failed to read memory usage limit: {0}")]
    Max(String),
}

fn go_duration(duration: Duration) -> sluice_golang::duration::GoDuration {
    sluice_golang::duration::GoDuration::from_std(duration)
}

/// The settings of the flags. Empty paths are discovered.
#[derive(Debug, Clone)]
pub(crate) struct Settings<'a> {
    pub(crate) max_path: &'a str,
    pub(crate) current_path: &'a str,
    pub(crate) threshold: u8,
    pub(crate) interval: Duration,
}

/// A watch of the memory.
#[derive(Debug)]
pub(crate) struct OomWatch {
    max: u64,
    current_path: PathBuf,
    threshold: u8,
    interval: Duration,
}

impl OomWatch {
    /// Checks the settings, and reads the limit.
    pub(crate) fn new(settings: &Settings<'_>) -> Result<Self, OomWatchError> {
        if !(1..=100).contains(&settings.threshold) {
            return Err(OomWatchError::Threshold(settings.threshold));
        }
        if settings.interval < MIN_INTERVAL {
            return Err(OomWatchError::Interval(settings.interval));
        }
        let max = discover(settings.max_path, MAX_FILES);
        let current = discover(settings.current_path, CURRENT_FILES);
        let (max, current_path) = match (max, current) {
            (Some(max), Some(current)) => (max, current),
            (None, None) => return Err(OomWatchError::Undiscovered("cgroup paths")),
            (None, _) => return Err(OomWatchError::Undiscovered("max memory path")),
            (_, None) => return Err(OomWatchError::Undiscovered("current memory path")),
        };
        if !current_path.exists() {
            return Err(OomWatchError::Current(current_path.display().to_string()));
        }
        Ok(Self {
            max: read(&max).map_err(OomWatchError::Max)?,
            current_path,
            threshold: settings.threshold,
            interval: settings.interval,
        })
    }

    /// Cancels a token when the usage reaches the threshold.
    pub(crate) async fn run(self, shutdown: CancellationToken) {
        let mut ticks = tokio::time::interval(self.interval);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            match read(&self.current_path) {
                Ok(current) if self.is_reached(current) => {
                    let (current, max) = (format_size(current), format_size(self.max));
                    tracing::info!("Memory usage is near OOM ({current}/{max}), shutting down");
                    shutdown.cancel();
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::error!(error, "Failed to read current memory usage, skipping check");
                }
            }
        }
    }

    /// Whether a usage reaches the threshold.
    fn is_reached(&self, current: u64) -> bool {
        u128::from(current) * 100 >= u128::from(self.max) * u128::from(self.threshold)
    }
}

/// Returns the path of a flag, or the file of this machine's control group.
fn discover(path: &str, names: [&str; 2]) -> Option<PathBuf> {
    if !path.is_empty() {
        return Some(path.into());
    }
    let paths = names.map(|name| Path::new(CGROUP).join(name));
    paths.into_iter().find(|path| path.exists())
}

fn read(path: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(path).map_err(|error| chain(&error))?;
    let text = text.trim();
    text.parse()
        .map_err(|error| format!("parse {text:?}: {error}"))
}

/// Formats bytes as `1.5 GiB`.
fn format_size(bytes: u64) -> String {
    const UNIT: u64 = 1024;
    if bytes == 0 {
        return "-".to_owned();
    }
    if bytes < UNIT {
        return format!("{bytes} B");
    }
    let mut divisor = UNIT;
    let mut units = "KMGTPE".chars();
    let mut unit = units.next().unwrap_or_default();
    for next in units {
        if bytes / divisor < UNIT {
            break;
        }
        divisor *= UNIT;
        unit = next;
    }
    let tenths = (u128::from(bytes) * 10 + u128::from(divisor) / 2) / u128::from(divisor);
    format!("{}.{} {unit}iB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files {
        directory: tempfile::TempDir,
    }

    impl Files {
        fn new(max: &str, current: &str) -> Self {
            let files = Self {
                directory: tempfile::tempdir().unwrap(),
            };
            fs::write(files.path("max"), max).unwrap();
            fs::write(files.path("current"), current).unwrap();
            files
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join(name)
        }

        fn watch(&self, threshold: u8, interval: Duration) -> Result<OomWatch, OomWatchError> {
            OomWatch::new(&Settings {
                max_path: self.path("max").to_str().unwrap(),
                current_path: self.path("current").to_str().unwrap(),
                threshold,
                interval,
            })
        }
    }

    /// From `TestNew` of helm-controller.
    #[test]
    fn wrong_settings_are_refused() {
        let files = Files::new("1000\n", "1\n");
        let error = |threshold, interval| files.watch(threshold, interval).unwrap_err().to_string();
        let text = "memory usage percent threshold must be between 1 and 100, got ";
        assert_eq!(error(0, MIN_INTERVAL), format!("{text}0"));
        assert_eq!(error(101, MIN_INTERVAL), format!("{text}101"));
        let text = "interval must be at least 50ms, got 49ms";
        assert_eq!(error(95, Duration::from_millis(49)), text);
        let error = Files::new("max\n", "1\n").watch(95, MIN_INTERVAL);
        assert!(matches!(error, Err(OomWatchError::Max(_))), "{error:?}");
        let files = Files::new("1\n", "1\n");
        fs::remove_file(files.path("current")).unwrap();
        let error = files.watch(95, MIN_INTERVAL);
        assert!(matches!(error, Err(OomWatchError::Current(_))), "{error:?}");
    }

    #[test]
    fn usage_at_the_threshold_is_reached() {
        let watch = Files::new("1000", "1").watch(95, MIN_INTERVAL).unwrap();
        assert!(!watch.is_reached(949));
        assert!(watch.is_reached(950));
    }

    /// From `Test_formatSize` of helm-controller.
    #[test]
    fn size_has_one_decimal() {
        for (bytes, expected) in [
            (0, "-"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (1 << 20, "1.0 MiB"),
            (1 << 30, "1.0 GiB"),
            (1 << 60, "1.0 EiB"),
        ] {
            assert_eq!(format_size(bytes), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn process_stops_when_the_usage_grows() {
        let files = Files::new("1000", "1");
        let watch = files.watch(95, MIN_INTERVAL).unwrap();
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(watch.run(shutdown.clone()));
        tokio::time::sleep(MIN_INTERVAL * 3).await;
        assert!(!shutdown.is_cancelled());
        fs::write(files.path("current"), "999\n").unwrap();
        running.await.unwrap();
        assert!(shutdown.is_cancelled());
    }
}

//! Process metrics from `/proc`, with the names of Go's client library. The `go_` metrics of Flux's
//! dashboards have the resident memory.

use prometheus::{Counter, Gauge, GaugeVec, Opts, Registry};
use sluice_system::fs;

/// Ticks per second in `/proc/self/stat`, fixed in the interface of Linux.
const TICKS_PER_SECOND: f64 = 100.0;

pub(super) struct Process {
    cpu: Counter,
    open_files: Gauge,
    max_files: Gauge,
    virtual_memory: Gauge,
    resident_memory: Gauge,
    heap: Gauge,
    start: Gauge,
}

impl Process {
    pub(super) fn register(registry: &Registry) -> Self {
        let gauge =
            |name: &str, help: &str| family!(registry, Gauge::with_opts(Opts::new(name, help)));
        let info = family!(
            registry,
            GaugeVec::new(
                Opts::new(
                    "go_info",
                    "The language runtime that dashboards count processes by"
                ),
                &["version"]
            )
        );
        info.with_label_values(&[concat!("rust-", env!("CARGO_PKG_RUST_VERSION"))])
            .set(1.0);
        Self {
            cpu: family!(
                registry,
                Counter::with_opts(Opts::new(
                    "process_cpu_seconds_total",
                    "Processor time used, user and system"
                ))
            ),
            open_files: gauge("process_open_fds", "Open file descriptors"),
            max_files: gauge("process_max_fds", "Most file descriptors that may be open"),
            virtual_memory: gauge("process_virtual_memory_bytes", "Virtual memory size"),
            resident_memory: gauge("process_resident_memory_bytes", "Resident memory size"),
            heap: gauge(
                "go_memstats_alloc_bytes",
                "Resident memory size, for dashboards made for Go programs",
            ),
            start: gauge(
                "process_start_time_seconds",
                "When the process started, since the epoch",
            ),
        }
    }

    /// Reads `/proc`. A value that cannot be read stays unchanged.
    pub(super) fn refresh(&self) {
        if let Some(stat) = fs::read_to_string("/proc/self/stat")
            .ok()
            .as_deref()
            .and_then(Stat::parse)
        {
            self.cpu
                .inc_by((stat.cpu_seconds - self.cpu.get()).max(0.0));
            self.virtual_memory.set(stat.virtual_bytes);
            let resident = stat.resident_pages * page_size();
            self.resident_memory.set(resident);
            self.heap.set(resident);
            if let Some(boot) = fs::read_to_string("/proc/stat")
                .ok()
                .as_deref()
                .and_then(boot_time)
            {
                self.start.set(boot + stat.started_seconds);
            }
        }
        if let Ok(entries) = fs::read_dir("/proc/self/fd") {
            self.open_files.set(count(entries.len()));
        }
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        self.max_files
            .set(limit.current.map_or(f64::INFINITY, |files| {
                f64::from(u32::try_from(files).unwrap_or(u32::MAX))
            }));
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

fn page_size() -> f64 {
    count(rustix::param::page_size())
}

#[derive(Debug, PartialEq)]
struct Stat {
    cpu_seconds: f64,
    started_seconds: f64,
    virtual_bytes: f64,
    resident_pages: f64,
}

impl Stat {
    /// Parses `/proc/self/stat`. The second field is the program name in parentheses and may hold
    /// anything. So fields are counted from the last parenthesis.
    fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        // proc(5) counts from 1, and the first field here is its third.
        let number = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
        Some(Self {
            cpu_seconds: (number(14)? + number(15)?) / TICKS_PER_SECOND,
            started_seconds: number(22)? / TICKS_PER_SECOND,
            virtual_bytes: number(23)?,
            resident_pages: number(24)?,
        })
    }
}

fn boot_time(text: &str) -> Option<f64> {
    text.lines()
        .find_map(|line| line.strip_prefix("btime "))?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_fields_follow_the_last_parenthesis() {
        let text = "42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 250 50 13 14 15 16 17 18 6000 4096 77 20";
        let stat = Stat::parse(text).unwrap();
        let expected = Stat {
            cpu_seconds: 3.0,
            started_seconds: 60.0,
            virtual_bytes: 4096.0,
            resident_pages: 77.0,
        };
        assert_eq!(stat, expected);
    }

    #[test]
    fn boot_time_is_parsed() {
        assert_eq!(
            boot_time("cpu 1 2 3\nbtime 1700000000\n"),
            Some(1_700_000_000.0)
        );
    }
}

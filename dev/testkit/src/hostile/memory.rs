//! The memory limit of a container, for a process of a test.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::sluice::Running;

/// Interval between two looks at a process.
const LOOK: Duration = Duration::from_millis(20);

/// Kills a process that exceeds its memory, as the kernel kills a container.
#[derive(Debug)]
pub struct MemoryLimit {
    most: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl MemoryLimit {
    /// Watches a process until the limit is dropped.
    pub fn of(running: &Running, bytes: u64) -> Self {
        let limit = Self {
            most: Arc::default(),
            is_over: Arc::default(),
        };
        let (most, is_over) = (Arc::clone(&limit.most), Arc::clone(&limit.is_over));
        let status = PathBuf::from(format!("/proc/{}/status", running.pid()));
        let victim = running.clone();
        std::thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                let Some(resident) = resident_bytes(&status) else {
                    return;
                };
                most.fetch_max(resident, Ordering::Relaxed);
                if resident > bytes {
                    victim.kill();
                    return;
                }
                std::thread::sleep(LOOK);
            }
        });
        limit
    }

    /// The most memory since the last call, in MiB.
    pub fn take_most_mib(&self) -> u64 {
        self.most.swap(0, Ordering::Relaxed) >> 20
    }

    /// The most memory, in MiB.
    pub fn most_mib(&self) -> u64 {
        self.most.load(Ordering::Relaxed) >> 20
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// `None` if the process is gone.
fn resident_bytes(status: &Path) -> Option<u64> {
    let text = sluice_system::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

//! A small disk: a file system in memory over a directory, which is really full when it is full.
//!
//! Mounting takes root. Where it is refused there is no disk, and a test that wants one says so and
//! ends; where `REQUIRE_TIER2=1` is set that is a failure instead.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::node::requirements;

/// A small disk over a directory; dropping it takes it away, after a panic too.
#[derive(Debug)]
pub struct Disk(PathBuf);

impl Disk {
    /// Mounts a disk of a size such as `3m`; `None` where this process may not mount anything.
    #[expect(
        clippy::print_stderr,
        reason = "a test that is skipped must not look like one that passed"
    )]
    pub fn over(path: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size},mode=0700");
        let target = path.to_str().unwrap();
        if mount(&["-t", "tmpfs", "-o", &options, "tmpfs", target]) {
            return Some(Self(path.to_owned()));
        }
        assert!(
            !requirements::is_required(),
            "REQUIRE_TIER2 is set and nothing can be mounted"
        );
        eprintln!("skipped: this process may not mount a disk");
        None
    }

    /// Makes it larger; what it holds stays.
    pub fn grow(&self, size: &str) {
        let options = format!("remount,size={size}");
        assert!(mount(&["-o", &options, self.0.to_str().unwrap()]));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run("umount", &["--lazy", self.0.to_str().unwrap()]);
    }
}

fn mount(arguments: &[&str]) -> bool {
    run("mount", arguments)
}

fn run(program: &str, arguments: &[&str]) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "a disk that is full is one that is mounted"
    )]
    let mut command = Command::new(program);
    command
        .args(arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

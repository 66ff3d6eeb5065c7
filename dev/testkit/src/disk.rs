//! A small tmpfs over a directory, for tests of a full disk.
//!
//! Mounting requires root. Without it the test is skipped, or fails with `REQUIRE_TIER2=1`.

use std::path::{Path, PathBuf};
use std::process::Command;

use sluice_skip::{Requirement, skip};

/// A small tmpfs over a directory; dropping it unmounts it.
#[derive(Debug)]
pub struct Disk(PathBuf);

impl Disk {
    /// Mounts a file system of a size such as `3m`; `None` if this process may not mount.
    pub fn over(path: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size},mode=0700");
        let target = path.to_str().unwrap();
        if mount(&["-t", "tmpfs", "-o", &options, "tmpfs", target]) {
            return Some(Self(path.to_owned()));
        }
        skip(Requirement::Node, "this process may not mount a disk");
        None
    }

    /// Increases the size and keeps the content.
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
    #[expect(clippy::disallowed_methods, reason = "runs mount and umount")]
    let mut command = Command::new(program);
    command
        .args(arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

//! Namespaces that contain a node and disappear with it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use sluice_devcluster::process::{CleanupGuard, Process, Program};
use sluice_system::fs;

use super::{ADDRESS, HOST, PODS};
use crate::wait;

/// Names of the two ends of the veth pair.
const HOST_END: &str = "sluice-host";
const NODE_END: &str = "sluice-node";

/// The parent of the pods' cgroups.
pub(super) const CGROUP: &str = "sluice-node";

/// The first process of the enclosure. It mounts private file systems on `/run` and `/var/log`,
/// where a kubelet writes. Then a program that reaps orphans replaces it.
const BEGIN: &str = r#"
set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
ip link set lo up
echo 1 >/proc/sys/net/ipv4/ip_forward
touch "$1/enclosed"
exec "$2"
"#;

#[derive(Debug)]
pub(super) struct Enclosure {
    first: Process,
    /// The id of its first process, in the outer namespace.
    pid: u32,
    /// Removes the cgroups, which the kernel would keep, if this process is killed.
    _cgroups: CleanupGuard,
}

impl Enclosure {
    pub(super) async fn start(directory: &Path, init: &Path) -> Self {
        clear_leftovers().await;
        make_cgroups();
        let cleanup = CleanupGuard::of_all(cgroups()).unwrap_or_else(|error| panic!("{error}"));
        let ready = directory.join("enclosed");
        let mut first = Program::new("enclosure", "unshare")
            .arguments([
                "--mount",
                "--net",
                "--pid",
                "--fork",
                "--kill-child=KILL",
                "--mount-proc",
            ])
            .arguments(["sh", "-c", BEGIN, "sh"])
            .arguments([directory, init])
            .start(&directory.join("enclosure.log"))
            .unwrap_or_else(|error| panic!("{error}"));
        wait::eventually("the enclosure is made", || {
            first.check().unwrap_or_else(|error| panic!("{error}"));
            let made = ready.exists();
            async move {
                if made {
                    Ok(())
                } else {
                    Err("not yet".to_owned())
                }
            }
        })
        .await;
        let pid = child_of(first.pid());
        let enclosure = Self {
            first,
            pid,
            _cgroups: cleanup,
        };
        enclosure.connect().await;
        enclosure
    }

    /// Connects the machine and the node by a veth pair, with a route to the pods.
    async fn connect(&self) {
        let (host, node) = (format!("{HOST}/30"), format!("{ADDRESS}/30"));
        let (via_node, via_host) = (ADDRESS.to_string(), HOST.to_string());
        let pid = self.pid.to_string();
        for arguments in [
            &[
                "link", "add", HOST_END, "type", "veth", "peer", "name", NODE_END,
            ][..],
            &["link", "set", NODE_END, "netns", &pid],
            &["address", "add", &host, "dev", HOST_END],
            &["link", "set", HOST_END, "up"],
            &["route", "add", PODS, "via", &via_node],
        ] {
            run("ip", arguments)
                .await
                .unwrap_or_else(|error| panic!("ip {}: {error}", arguments.join(" ")));
        }
        for arguments in [
            &["address", "add", &node, "dev", NODE_END][..],
            &["link", "set", NODE_END, "up"],
            &["route", "add", "default", "via", &via_host],
        ] {
            self.try_run("ip", arguments).await.unwrap_or_else(|error| {
                panic!("ip {} in the enclosure: {error}", arguments.join(" "))
            });
        }
    }

    /// Returns the program, started inside.
    pub(super) fn inside(&self, program: &Program) -> Program {
        program.through(&self.entering())
    }

    /// Runs a program inside to its end. Returns its output, or the error.
    pub(super) async fn try_run(
        &self,
        program: &str,
        arguments: &[&str],
    ) -> Result<String, String> {
        let entering = self.entering();
        let mut all: Vec<&str> = entering[1..].iter().map(String::as_str).collect();
        all.push(program);
        all.extend(arguments);
        run(&entering[0], &all).await
    }

    fn entering(&self) -> Vec<String> {
        let target = format!("--target={}", self.pid);
        ["nsenter", &target, "--mount", "--net", "--pid", "--"]
            .map(str::to_owned)
            .to_vec()
    }
}

impl Drop for Enclosure {
    fn drop(&mut self) {
        // The end of the first process ends all others. The cgroups are empty once these are
        // reaped, and the kernel removes the veth pair with a delay.
        self.first.kill();
        let cable = Path::new("/sys/class/net").join(HOST_END);
        let started = Instant::now();
        while (!remove_cgroups() || cable.exists()) && started.elapsed() < wait::WAIT_TIMEOUT {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Removes leftovers of a killed run that the kernel does not remove.
async fn clear_leftovers() {
    // The kernel removes the veth pair with a delay; it may not exist at all.
    run("ip", &["link", "delete", HOST_END]).await.ok();
    wait::eventually("the cgroups of an earlier node are gone", || async {
        if remove_cgroups() {
            Ok(())
        } else {
            Err("processes are still in them".to_owned())
        }
    })
    .await;
}

/// Returns the node's cgroup in every hierarchy: one with version 2, one per controller with
/// version 1.
fn cgroups() -> Vec<PathBuf> {
    let root = Path::new("/sys/fs/cgroup");
    if root.join("cgroup.controllers").exists() {
        return vec![root.join(CGROUP)];
    }
    let hierarchies = fs::read_dir(root).unwrap_or_default();
    hierarchies
        .into_iter()
        .filter(|entry| entry.file_type.is_dir() && entry.path.join("cgroup.procs").exists())
        .map(|entry| entry.path.join(CGROUP))
        .collect()
}

fn make_cgroups() {
    for path in cgroups() {
        fs::create_dir_all(&path).unwrap();
        // A child cgroup can only get processors of its parent.
        let parent = path.parent().expect("a cgroup has a parent");
        for file in ["cpuset.cpus", "cpuset.mems"] {
            if let Ok(all) = fs::read_to_string(parent.join(file)) {
                fs::write(path.join(file), all.trim()).ok();
            }
        }
    }
}

/// Removes the cgroups. Returns whether all are gone.
fn remove_cgroups() -> bool {
    cgroups().into_iter().all(|path| remove_cgroup(&path))
}

fn remove_cgroup(path: &Path) -> bool {
    for entry in fs::read_dir(path).unwrap_or_default() {
        if entry.file_type.is_dir() {
            remove_cgroup(&entry.path);
        }
    }
    // The files of a cgroup cannot be removed; its directory can, once it has no children.
    fs::remove_dir(path).is_ok() || !path.exists()
}

async fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "these programs set up a node")]
    let mut command = tokio::process::Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = command.output().await.map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    }
}

/// Returns the last child of a process.
fn child_of(parent: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    // The watcher process is the first child.
    children
        .split_whitespace()
        .last()
        .and_then(|id| id.parse().ok())
        .expect("unshare has a child")
}

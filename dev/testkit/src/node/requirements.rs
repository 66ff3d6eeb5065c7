//! Requirements of a real node.

use std::path::Path;

use sluice_devcluster::Toolbox;
use sluice_system::fs;

/// Programs, each with the Debian package that brings it.
const PROGRAMS: [(&str, &str); 7] = [
    ("containerd", "containerd"),
    ("ctr", "containerd"),
    ("runc", "runc"),
    ("iptables", "iptables"),
    ("ip", "iproute2"),
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
];

/// Where Debian puts the CNI plugins.
pub(super) const CNI_PLUGINS: &str = "/usr/lib/cni";

/// Returns why a real node is not possible, if so.
pub(super) fn missing() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("this is not Linux".to_owned());
    }
    if !rustix::process::geteuid().is_root() {
        return Some("it needs root".to_owned());
    }
    if !Path::new("/sys/fs/cgroup/cgroup.controllers").exists()
        && !Path::new("/sys/fs/cgroup/memory").exists()
    {
        return Some("no cgroups are mounted at /sys/fs/cgroup".to_owned());
    }
    let absent: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_in_path(program))
        .map(|(_, package)| *package)
        .chain(
            (!Path::new(CNI_PLUGINS).join("bridge").exists())
                .then_some("containernetworking-plugins"),
        )
        .collect();
    (!absent.is_empty()).then(|| {
        let mut packages = absent;
        packages.dedup();
        format!("missing packages: apt-get install {}", packages.join(" "))
    })
}

/// Waits until the node of another test process ends: there is one per machine.
pub(super) async fn lock(toolbox: &Toolbox) -> fs::File {
    let path = toolbox.cache().join("node.lock");
    tokio::task::spawn_blocking(move || {
        fs::create_dir_all(path.parent().expect("a file in the cache")).unwrap();
        let file = fs::create(path).unwrap();
        file.lock().unwrap();
        file
    })
    .await
    .unwrap()
}

fn is_in_path(program: &str) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "reads the search path of children"
    )]
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).exists())
}

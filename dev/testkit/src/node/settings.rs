//! The configuration files of a node, and the flags that name them.

use std::path::Path;

use sluice_system::fs;

use super::requirements::CNI_PLUGINS;
use super::{ADDRESS, DNS, NAME, PAUSE_IMAGE, PODS, enclosure};
use crate::testbed::Testbed;

/// Its socket, inside the enclosure.
pub(super) const CONTAINERD: &str = "/run/containerd/containerd.sock";

/// Port of CoreDNS's readiness probe.
pub(super) const COREDNS_READY: u16 = 8181;

/// Writes all files into the node's directory.
pub(super) fn write(directory: &Path, testbed: &Testbed) {
    let at = |name: &str| directory.join(name);
    let plane = testbed.plane();
    for (name, user, group) in [
        (
            "kubelet",
            format!("system:node:{NAME}"),
            Some("system:nodes"),
        ),
        ("kube-proxy", "system:kube-proxy".to_owned(), None),
        ("coredns", "coredns".to_owned(), Some("system:masters")),
    ] {
        let text = plane.kubeconfig_for(&user, group).unwrap();
        fs::write(at(&format!("{name}.kubeconfig")), text).unwrap();
    }
    let identity = plane
        .authority()
        .server("kubelet", &[NAME], &[ADDRESS.into()])
        .unwrap();
    fs::write(at("kubelet.crt"), identity.certificate).unwrap();
    fs::write(at("kubelet.key"), identity.key).unwrap();
    fs::write(at("ca.crt"), plane.authority().certificate()).unwrap();
    fs::write(at("resolv.conf"), "").unwrap();
    fs::create_dir_all(at("cni")).unwrap();
    fs::write(at("cni/10-bridge.conflist"), cni()).unwrap();
    fs::write(at("containerd.toml"), containerd(directory)).unwrap();
    fs::write(at("kubelet.yaml"), kubelet(directory)).unwrap();
    fs::write(at("kube-proxy.yaml"), kube_proxy(directory)).unwrap();
    fs::write(at("Corefile"), corefile(directory)).unwrap();
}

pub(super) fn kubelet_arguments(directory: &Path) -> Vec<String> {
    vec![
        file("config", directory, "kubelet.yaml"),
        file("kubeconfig", directory, "kubelet.kubeconfig"),
        file("root-dir", directory, "kubelet"),
        file("cert-dir", directory, "kubelet-certificates"),
        format!("--hostname-override={NAME}"),
        format!("--node-ip={ADDRESS}"),
    ]
}

pub(super) fn proxy_arguments(directory: &Path) -> Vec<String> {
    vec![file("config", directory, "kube-proxy.yaml")]
}

pub(super) fn coredns_arguments(directory: &Path) -> Vec<String> {
    vec![
        "-conf".to_owned(),
        directory.join("Corefile").display().to_string(),
    ]
}

fn file(flag: &str, directory: &Path, name: &str) -> String {
    format!("--{flag}={}", directory.join(name).display())
}

/// Pods use a bridge and routes without masquerading: this machine has a route back.
fn cni() -> String {
    serde_json::json!({
        "cniVersion": "0.4.0",
        "name": "bridge",
        "plugins": [
            {
                "type": "bridge",
                "bridge": "pods",
                "isGateway": true,
                "hairpinMode": true,
                "ipam": {
                    "type": "host-local",
                    "dataDir": "/run/cni",
                    "ranges": [[{ "subnet": PODS }]],
                    "routes": [{ "dst": "0.0.0.0/0" }],
                },
            },
            { "type": "portmap", "capabilities": { "portMappings": true } },
        ],
    })
    .to_string()
}

/// Without `restrict_oom_score_adj` runc fails where the score may not be lowered: "can't get final
/// child's PID from pipe: EOF".
fn containerd(directory: &Path) -> String {
    let directory = directory.display();
    format!(
        r#"version = 2
root = "{directory}/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs"]

[grpc]
address = "{CONTAINERD}"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{PAUSE_IMAGE}"
restrict_oom_score_adj = true
disable_apparmor = true
stream_server_address = "127.0.0.1"

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{CNI_PLUGINS}"
conf_dir = "{directory}/cni"

[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
default_runtime_name = "runc"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
"#
    )
}

/// Disables eviction, because a full disk of the developer must not fail a test.
fn kubelet(directory: &Path) -> String {
    let directory = directory.display();
    let cgroup = enclosure::CGROUP;
    format!(
        "apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: {ADDRESS}
authentication:
  anonymous: {{enabled: false}}
  webhook: {{enabled: false}}
  x509: {{clientCAFile: {directory}/ca.crt}}
authorization: {{mode: AlwaysAllow}}
tlsCertFile: {directory}/kubelet.crt
tlsPrivateKeyFile: {directory}/kubelet.key
containerRuntimeEndpoint: unix://{CONTAINERD}
cgroupDriver: cgroupfs
cgroupRoot: /{cgroup}
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
clusterDNS: ['{DNS}']
clusterDomain: cluster.local
resolvConf: {directory}/resolv.conf
volumePluginDir: {directory}/volume-plugins
readOnlyPort: 0
healthzPort: 0
oomScoreAdj: 0
imageGCHighThresholdPercent: 100
evictionHard:
  memory.available: 0%
  nodefs.available: 0%
  nodefs.inodesFree: 0%
  imagefs.available: 0%
  imagefs.inodesFree: 0%
"
    )
}

/// Keeps the machine's limits of connection tracking.
fn kube_proxy(directory: &Path) -> String {
    let directory = directory.display();
    format!(
        "apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clusterCIDR: {PODS}
hostnameOverride: {NAME}
bindAddress: {ADDRESS}
clientConnection: {{kubeconfig: {directory}/kube-proxy.kubeconfig}}
conntrack: {{maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}}
iptables: {{minSyncPeriod: 0s, syncPeriod: 30s}}
"
    )
}

fn corefile(directory: &Path) -> String {
    let directory = directory.display();
    format!(
        ".:53 {{
    bind {ADDRESS}
    errors
    ready {ADDRESS}:{COREDNS_READY}
    kubernetes cluster.local in-addr.arpa {{
        kubeconfig {directory}/coredns.kubeconfig
    }}
}}
"
    )
}

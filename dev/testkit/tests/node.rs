//! A real node runs real pods and cleans up after itself.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Pod, Service};
use kube::Api;
use kube::api::{ListParams, LogParams, PostParams};
use serde_json::json;
use sluice_system::fs;
use sluice_testkit as testkit;
use testkit::devcluster::{Tool, Toolbox};
use testkit::node::{self, Node};
use testkit::{Image, wait};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UdpSocket};

const IMAGE: &str = "sluice.test/web:1";

/// Any static program that answers HTTP will do, such as the DNS server.
async fn image() -> Image {
    let coredns = Toolbox::from_environment()
        .unwrap()
        .path(Tool::Coredns)
        .await
        .unwrap();
    Image::new(IMAGE)
        .program("/coredns", &coredns)
        .file("/Corefile", ".:5353 {\n health :8080\n whoami\n}\n", 0o644)
        .command(&["/coredns", "-conf", "/Corefile"])
}

async fn deploy(client: &kube::Client, namespace: &str) {
    let labels = json!({ "app": "web" });
    let deployment = json!({
        "metadata": { "name": "web" },
        "spec": {
            "replicas": 1,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "terminationGracePeriodSeconds": 0,
                    "securityContext": { "seccompProfile": { "type": "RuntimeDefault" } },
                    "containers": [{
                        "name": "web", "image": IMAGE, "imagePullPolicy": "Never",
                        "readinessProbe": {
                            "httpGet": { "path": "/health", "port": 8080 }, "periodSeconds": 1,
                        },
                    }],
                },
            },
        },
    });
    let service = json!({
        "metadata": { "name": "web" },
        "spec": { "selector": labels, "ports": [{ "port": 80, "targetPort": 8080 }] },
    });
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    deployments
        .create(
            &PostParams::default(),
            &serde_json::from_value(deployment).unwrap(),
        )
        .await
        .unwrap();
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    services
        .create(
            &PostParams::default(),
            &serde_json::from_value(service).unwrap(),
        )
        .await
        .unwrap();
}

fn is_ready(pod: &Pod) -> bool {
    let conditions = pod
        .status
        .as_ref()
        .and_then(|status| status.conditions.as_ref());
    conditions.is_some_and(|all| {
        all.iter()
            .any(|found| found.type_ == "Ready" && found.status == "True")
    })
}

fn restarts(pod: &Pod) -> i32 {
    let statuses = pod
        .status
        .as_ref()
        .and_then(|status| status.container_statuses.as_ref());
    statuses.map_or(0, |all| all.iter().map(|status| status.restart_count).sum())
}

async fn http_get(address: &str, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream
        .write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())
        .await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// Queries the cluster's DNS for an IPv4 address, with a minimal client.
async fn resolve(name: &str) -> Option<[u8; 4]> {
    let mut query = vec![0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        query.push(u8::try_from(label.len()).unwrap());
        query.extend(label.as_bytes());
    }
    query.extend([0, 0, 1, 0, 1]);
    let socket = UdpSocket::bind((node::HOST, 0)).await.unwrap();
    socket.send_to(&query, (node::ADDRESS, 53)).await.unwrap();
    let mut answer = [0; 512];
    // A packet may get lost.
    let received = tokio::time::timeout(Duration::from_secs(2), socket.recv_from(&mut answer));
    let (length, _) = received.await.ok()?.unwrap();
    // One answer, whose last four bytes are the address.
    (answer[7] == 1).then(|| answer[length - 4..length].try_into().unwrap())
}

/// Lists state of the machine that a node could change.
fn machine() -> Vec<String> {
    let mut found: Vec<String> = fs::read_to_string("/proc/self/mountinfo")
        .unwrap()
        .lines()
        .filter(|line| line.contains("sluice-node") || line.contains("containerd"))
        .map(str::to_owned)
        .collect();
    for name in ["sluice-host", "pods", "cni0"] {
        let path = PathBuf::from("/sys/class/net").join(name);
        found.extend(path.exists().then(|| path.display().to_string()));
    }
    found.extend(
        fs::read_to_string("/proc/net/ip_tables_names")
            .unwrap_or_default()
            .lines()
            .map(|table| format!("iptables {table}")),
    );
    found
}

async fn runs_a_pod(node: &Node) {
    let testbed = node.testbed();
    node.import(&image().await).await;
    assert!(node.images().await.iter().any(|image| image == IMAGE));
    let namespace = testbed.namespace("node").await;
    let client = testbed.client().await;
    deploy(&client, &namespace).await;

    let pods: Api<Pod> = Api::namespaced(client.clone(), &namespace);
    let ready = |pods: &[Pod]| pods.len() == 1 && pods.iter().all(is_ready);
    let running = wait::until_all(&pods, &ListParams::default(), "one pod is Ready", ready).await;
    let name = running[0].metadata.name.clone().unwrap();
    let address = running[0].status.as_ref().unwrap().pod_ip.clone().unwrap();

    let answer = http_get(&format!("{address}:8080"), "/health")
        .await
        .unwrap();
    assert!(answer.ends_with("OK"), "{answer}");
    let log = pods.logs(&name, &LogParams::default()).await.unwrap();
    assert!(log.contains("CoreDNS"), "{log}");

    let services: Api<Service> = Api::namespaced(client, &namespace);
    let cluster_ip = services
        .get("web")
        .await
        .unwrap()
        .spec
        .unwrap()
        .cluster_ip
        .unwrap();
    let domain = format!("web.{namespace}.svc.cluster.local");
    let resolved = wait::eventually("the cluster's DNS knows the Service", async || {
        let resolved = resolve(&domain).await;
        resolved.ok_or_else(|| "it gives no address".to_owned())
    })
    .await;
    assert_eq!(std::net::Ipv4Addr::from(resolved).to_string(), cluster_ip);

    node.kill_container(&namespace, &name, "web").await;
    wait::until(&pods, &name, "was restarted and is Ready again", |pod| {
        pod.is_some_and(|pod| restarts(pod) == 1 && is_ready(pod))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn real_node_runs_pods_and_cleans_up() {
    let before = machine();
    // Twice: leftovers of the first node would break the second.
    for _ in 0..2 {
        let Some(node) = node::start().await else {
            return;
        };
        assert!(Path::new("/sys/class/net/sluice-host").exists());
        runs_a_pod(&node).await;
        drop(node);
        assert_eq!(machine(), before);
    }
}

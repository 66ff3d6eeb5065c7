//! A full disk for temporary files.
//!
//! The controller runs in a separate process of this test binary, because `TMPDIR` applies to the
//! whole process.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};

use serde_json::json;
use sluice_testkit::Disk;

use crate::bed::{Bed, config, run_by};

const KUBECONFIG: &str = "DISK_KUBECONFIG";
const NAMESPACE: &str = "DISK_NAMESPACE";

/// A controller process with its own directory for temporary files. It exits when its input closes,
/// so it never outlives the test.
struct SeparateController(Child);

impl SeparateController {
    fn start(bed: &Bed, temporary: &std::path::Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "TMPDIR needs a separate process")]
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["disk::run_controller", "--exact", "--ignored"])
            .env("TMPDIR", temporary)
            .env(KUBECONFIG, &bed.kubeconfig)
            .env(NAMESPACE, &bed.namespace)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for SeparateController {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[tokio::test]
#[ignore = "entry point of the controller process"]
#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
async fn run_controller() {
    let kubeconfig = std::env::var_os(KUBECONFIG).expect("the test below starts this process");
    let namespace = std::env::var(NAMESPACE).unwrap();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        drop(end);
    });
    tokio::select! {
        () = run_by(kubeconfig.as_ref(), &namespace, &[]) => {}
        _ = ended => {}
    }
}

/// Returns text of nine MiB after compression, which exceeds the memory cache.
fn noise() -> String {
    let mut random = fastrand::Rng::with_seed(11);
    (0..11 << 20)
        .map(|_| char::from(random.u8(32..127)))
        .collect()
}

#[tokio::test]
async fn artifact_on_full_disk_is_applied_after_growth() {
    let temporary = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::over(temporary.path(), "256k") else {
        return;
    };
    let bed = Bed::idle().await;
    let _controller = SeparateController::start(&bed, temporary.path());
    let small = [("a.yaml", config("a", "1")), ("b.yaml", config("b", "1"))];
    let small = small.each_ref().map(|(path, text)| (*path, &**text));
    bed.publish("1", &small).await;
    bed.kustomization("app", json!({"retryInterval": "1s"}))
        .await;
    bed.until_applied("app", "1").await;
    let large = [("a.yaml", config("a", "2")), ("noise", noise())];
    let large = large.each_ref().map(|(path, text)| (*path, &**text));
    bed.publish("2", &large).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert!(message.contains("No space left on device"), "{message}");
    let status = bed.status("app").await;
    assert_eq!(
        bed.inventory(&status),
        ["NS_a__ConfigMap", "NS_b__ConfigMap"]
    );
    assert_eq!(status.last_applied_revision.as_deref(), Some("1"));
    for name in ["a", "b"] {
        let map = bed.config_map(name).await;
        assert_eq!(map.unwrap()["data"]["key"], "1", "{name} is untouched");
    }
    disk.grow("64m");
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "2");
    assert!(bed.config_map("b").await.is_none());
}

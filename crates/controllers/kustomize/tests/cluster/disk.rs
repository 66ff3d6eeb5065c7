//! A disk for temporary files that is full.
//!
//! The controller is a process of its own, this test binary again: where temporary files are is
//! told to a process, and to all of it.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};

use serde_json::json;
use sluice_testkit::Disk;

use crate::bed::{Bed, config, run_by};

const WAY: &str = "DISK_KUBECONFIG";
const NAMESPACE: &str = "DISK_NAMESPACE";

/// A controller with a directory of its own for temporary files. It ends with its input, and so
/// with this test.
struct Apart(Child);

impl Apart {
    fn start(bed: &Bed, temporary: &std::path::Path) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "where temporary files are is told to a process"
        )]
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["disk::a_controller_apart", "--exact", "--ignored"])
            .env("TMPDIR", temporary)
            .env(WAY, &bed.way)
            .env(NAMESPACE, &bed.namespace)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[tokio::test]
#[ignore = "the process of the test below"]
#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
async fn a_controller_apart() {
    let way = std::env::var_os(WAY).expect("this is run by a test");
    let namespace = std::env::var(NAMESPACE).unwrap();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        drop(end);
    });
    tokio::select! {
        () = run_by(way.as_ref(), &namespace, &[]) => {}
        _ = ended => {}
    }
}

/// Text that is still of nine MiB when it is compressed, which no controller keeps in memory.
fn noise() -> String {
    let mut random = fastrand::Rng::with_seed(11);
    (0..11 << 20)
        .map(|_| char::from(random.u8(32..127)))
        .collect()
}

#[tokio::test]
async fn an_archive_that_does_not_fit_is_told_changes_nothing_and_is_applied_once_there_is_room() {
    let temporary = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::over(temporary.path(), "256k") else {
        return;
    };
    let bed = Bed::idle().await;
    let _controller = Apart::start(&bed, temporary.path());
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

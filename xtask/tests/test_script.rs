//! A killed `./test.sh` leaves nothing behind.

use std::path::{Path, PathBuf};

use rustix::process::Signal;
use sluice_system::fs;
use sluice_testkit::devcluster::process::{self, Program};
use sluice_testkit::wait;

#[tokio::test]
async fn killed_run_leaves_no_process_and_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let told = directory.path().join("told");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let step = format!(
        "sleep 1000 & echo $! $TMPDIR >{told}; touch $TMPDIR/file; mv {told} {told}.whole; wait",
        told = told.display()
    );
    let mut script = Program::new("test.sh", root.join("test.sh"))
        .arguments(["run", "sh", "-c", &step])
        .variable("SLUICE_CACHE_DIR", directory.path().join("cache"))
        .start(&directory.path().join("log"))
        .unwrap();
    let told = told.with_extension("whole");
    wait::eventually("the step runs", || async {
        if told.exists() {
            return Ok(());
        }
        Err("not yet".to_owned())
    })
    .await;
    let told = fs::read_to_string(told).unwrap();
    let (pid, temporary) = told.trim().split_once(' ').unwrap();
    let (pid, temporary) = (pid.parse().unwrap(), PathBuf::from(temporary));
    assert!(process::is_alive(pid) && temporary.join("file").exists());

    script.signal(Signal::KILL);
    script.wait().await;
    wait::eventually("everything is gone", || async {
        match (process::is_alive(pid), temporary.parent().unwrap().exists()) {
            (false, false) => Ok(()),
            left => Err(format!("a process, a directory: {left:?}")),
        }
    })
    .await;
}

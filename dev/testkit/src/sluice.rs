//! Our binary as a child process, which can be killed and restarted with the same state.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::process::Signal;
use sluice_devcluster::process::{Process, Program};
use sluice_system::fs;
use sluice_system::polls::{MESSAGE, max_poll};

use crate::faults::FaultProxy;
use crate::{polls, wait};

/// Starts the binary; the state directory outlives its processes.
#[derive(Debug)]
pub struct Sluice {
    binary: PathBuf,
    directory: Arc<tempfile::TempDir>,
    variables: Vec<(String, String)>,
    started: std::sync::atomic::AtomicUsize,
}

impl Sluice {
    /// Uses a binary: `env!("CARGO_BIN_EXE_sluice")` in the tests of the root package.
    pub fn at(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
            directory: Arc::new(tempfile::tempdir().unwrap()),
            variables: vec![(
                polls::VARIABLE.to_owned(),
                max_poll().as_millis().to_string(),
            )],
            started: std::sync::atomic::AtomicUsize::new(0),
        }
    }

    /// Does not measure the polls of its processes: for programs of another build profile.
    #[must_use]
    pub fn without_poll_limit(mut self) -> Self {
        self.variables.retain(|(name, _)| name != polls::VARIABLE);
        self
    }

    /// Sets a variable for every process, besides `PATH`, `HOME` and `TMPDIR`.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// The state directory that all its processes share.
    pub fn state(&self) -> &Path {
        self.directory.path()
    }

    /// Starts the binary with arguments.
    pub fn start(&self, arguments: &[&str]) -> Running {
        let number = self
            .started
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let log = self.directory.path().join(format!("output-{number}.log"));
        let program = Program::new("sluice", &self.binary).arguments(arguments);
        let program = self
            .variables
            .iter()
            .fold(program, |program, (name, value)| {
                program.variable(name, value)
            });
        let process = program
            .start(&log)
            .unwrap_or_else(|error| panic!("{error}"));
        Running {
            process: Arc::new(Mutex::new(process)),
            log,
            _directory: Arc::clone(&self.directory),
        }
    }

    /// Starts the binary on one CPU: a child inherits the CPUs of the thread that starts it.
    pub fn start_on_one_cpu(&self, arguments: &[&str]) -> Running {
        let this = nix::unistd::Pid::from_raw(0);
        let all = sched_getaffinity(this).unwrap();
        let is_usable = |cpu: &usize| all.is_set(*cpu).unwrap_or_default();
        let mut one = CpuSet::new();
        one.set((0..CpuSet::count()).find(is_usable).unwrap())
            .unwrap();
        sched_setaffinity(this, &one).unwrap();
        let running = self.start(arguments);
        sched_setaffinity(this, &all).unwrap();
        running
    }

    /// Runs the binary to its end and returns its exit code and output.
    pub async fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let running = self.start(arguments);
        let code = running.ended().await;
        (code, running.output())
    }
}

/// A running process; dropping the last handle kills it.
///
/// Dropping a handle fails the test if a poll of the process took too long (see
/// [`polls`](sluice_system::polls)).
#[derive(Debug, Clone)]
pub struct Running {
    process: Arc<Mutex<Process>>,
    log: PathBuf,
    /// A running process needs its state directory.
    _directory: Arc<tempfile::TempDir>,
}

impl Running {
    /// Its output so far, on stdout and stderr.
    pub fn output(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until its output contains a text.
    pub async fn printed(&self, text: &str) {
        wait::eventually(&format!("it prints {text:?}"), || async {
            let output = self.output();
            if output.contains(text) {
                return Ok(());
            }
            let ended = self.process.lock().unwrap().ended();
            Err(ended.map_or_else(|| output.clone(), |status| format!("{output}\n({status})")))
        })
        .await;
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.process.lock().unwrap().pid()
    }

    /// Kills it (`kill -9`) and its children; returns after its end.
    pub fn kill(&self) {
        self.process.lock().unwrap().kill();
    }

    /// Sends `SIGTERM`.
    pub fn terminate(&self) {
        self.process.lock().unwrap().signal(Signal::TERM);
    }

    /// Sends `SIGINT`, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.process.lock().unwrap().signal(Signal::INT);
    }

    /// Stops it (`SIGSTOP`) until [`Self::resume`].
    pub fn pause(&self) {
        self.process.lock().unwrap().signal(Signal::STOP);
    }

    /// Continues it (`SIGCONT`).
    pub fn resume(&self) {
        self.process.lock().unwrap().signal(Signal::CONT);
    }

    /// Waits for its end and returns the exit code; `None` if it was killed.
    pub async fn ended(&self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.process.lock().unwrap().ended() {
                return status.code();
            }
            assert!(
                started.elapsed() < wait::EXIT_TIMEOUT,
                "it did not end:\n{}",
                self.output()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Whether it is running.
    pub fn is_running(&self) -> bool {
        self.process.lock().unwrap().ended().is_none()
    }

    /// Makes it the victim of a fault proxy.
    pub fn killed_by(&self, proxy: &FaultProxy) {
        let victim = self.clone();
        proxy.on_kill(move || victim.kill());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // The log is missing if the process has not been started.
        let output = fs::read_to_string(&self.log).unwrap_or_default();
        let found: Vec<&str> = output
            .lines()
            .filter(|line| line.contains(MESSAGE))
            .collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

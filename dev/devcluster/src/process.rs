//! Child processes that cannot outlive us.
//!
//! A cluster is half a dozen servers, and a test run may end in any way: a panic, Ctrl-C, `kill -9`.
//! The kernel's own answer (`PR_SET_PDEATHSIG`) is tied to the *thread* that forked and needs unsafe
//! code; ours is a **lifeline**: every child is the leader of a process group that also holds a tiny
//! shell reading from a pipe whose other end only we hold. However we end, the pipe closes, the
//! shell wakes and kills its group. No signal handler, no exit hook, no sweep at the next start.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::error::Error;
use crate::files;
use sluice_system::fs;

/// Runs the program given as arguments, and beside it, in the same group, the watcher.
///
/// The watcher keeps the pipe as descriptor 3; the program gets neither the pipe nor our stdin.
/// `kill … 0` (the own group) is the one form that every `sh` understands.
const UNDER_WATCH: &str = r#"
exec 3<&0 </dev/null
(read -r _ <&3; kill -KILL 0) &
exec 3<&-
exec "$@"
"#;

/// Removes directories once the pipe is closed; servers that are dying may still write into them.
/// A cgroup is a directory too, and one whose files cannot be removed.
const REMOVE_AFTERWARDS: &str = r#"
read -r _
tries=0
for directory in "$@"; do
    while [ -e "$directory" ] && [ "$tries" -lt 100 ]; do
        rm -rf -- "$directory" 2>/dev/null ||
            find "$directory" -depth -type d -exec rmdir {} \; 2>/dev/null
        tries=$((tries + 1))
        [ -e "$directory" ] && sleep 0.1
    done
done
"#;

/// How many lines of a log an error quotes.
const TAIL: usize = 20;

/// What to run: a program, its arguments, its environment.
///
/// The environment starts empty apart from `PATH` and `HOME`: a proxy variable or a `KUBECONFIG` of
/// the developer's shell must not change what a test sees.
#[derive(Debug, Clone)]
pub struct Program {
    name: String,
    path: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
}

impl Program {
    /// A program known as `name` in errors and as the name of its log.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            path: path.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same program, started by another that takes it as its last arguments.
    #[must_use]
    pub fn through(&self, starter: &[String]) -> Self {
        let mut program = self.clone();
        let Some((path, before)) = starter.split_first() else {
            return program;
        };
        let inner = std::mem::replace(&mut program.path, PathBuf::from(path));
        let arguments = std::mem::take(&mut program.arguments);
        program.arguments = before.iter().map(OsString::from).collect();
        program.arguments.push(inner.into_os_string());
        program.arguments.extend(arguments);
        program
    }

    /// Adds one argument.
    #[must_use]
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.arguments.extend(
            arguments
                .into_iter()
                .map(|argument| argument.as_ref().to_owned()),
        );
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Starts the program under watch, its output appended to `log`.
    pub fn start(&self, log: &Path) -> Result<Process, Error> {
        let output = files::append(log)?.into_std();
        let errors = output.try_clone().map_err(|source| Error::Spawn {
            program: self.name.clone(),
            source,
        })?;
        let mut command = shell(UNDER_WATCH, &self.name);
        command
            .arg(&self.path)
            .args(&self.arguments)
            .env_clear()
            .envs(inherited());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(errors)
            .process_group(0);
        let mut child = command.spawn().map_err(|source| Error::Spawn {
            program: self.name.clone(),
            source,
        })?;
        Ok(Process {
            name: self.name.clone(),
            log: log.to_owned(),
            lifeline: child.stdin.take(),
            child,
            ended: None,
        })
    }
}

/// A running child; dropping it kills its whole process group.
#[derive(Debug)]
pub struct Process {
    name: String,
    log: PathBuf,
    child: Child,
    /// Closing it, by drop or because we are gone, wakes the watcher.
    lifeline: Option<ChildStdin>,
    ended: Option<ExitStatus>,
}

impl Process {
    /// The name given to [`Program::new`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The process id, which is also the id of its group.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The file that its output goes to.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// The last lines of its output.
    pub fn log_tail(&self) -> String {
        files::tail(&self.log, TAIL)
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended
    }

    /// Fails with the end of the log when the process has ended.
    pub fn check(&mut self) -> Result<(), Error> {
        match self.ended() {
            None => Ok(()),
            Some(status) => Err(Error::Ended {
                program: self.name.clone(),
                status: status.to_string(),
                log: self.log.clone(),
                tail: self.log_tail(),
            }),
        }
    }

    /// The error for a process that runs and is not ready.
    pub(crate) fn not_ready(&self, waited: Duration, last: String) -> Error {
        Error::NotReady {
            program: self.name.clone(),
            waited,
            last,
            log: self.log.clone(),
            tail: self.log_tail(),
        }
    }

    /// Sends a signal to the process alone, not to its group.
    pub fn signal(&mut self, signal: Signal) {
        if self.ended().is_none()
            && let Some(pid) = pid(self.child.id())
        {
            // It may have ended in between, which is what a signal is for.
            rustix::process::kill_process(pid, signal).ok();
        }
    }

    /// Waits until it has ended by itself.
    pub async fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            // Polled because a `tokio` child belongs to the runtime that started it, and one
            // control plane serves many tests, each with a runtime of its own.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Kills the whole group and waits until its leader is gone.
    pub fn kill(&mut self) {
        if self.lifeline.is_none() {
            return;
        }
        // While we hold the lifeline the watcher lives, so the group's id cannot have been reused.
        if let Some(group) = pid(self.child.id()) {
            rustix::process::kill_process_group(group, Signal::KILL).ok();
        }
        if self.ended.is_none() {
            self.ended = self.child.wait().ok();
        }
        self.lifeline = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Removes directories when dropped, and also when this process is killed.
#[derive(Debug)]
pub struct CleanupGuard {
    directories: Vec<PathBuf>,
    child: Child,
    lifeline: Option<ChildStdin>,
}

impl CleanupGuard {
    /// Takes charge of a directory.
    pub fn of(directory: &Path) -> Result<Self, Error> {
        Self::of_all(vec![directory.to_owned()])
    }

    /// Takes charge of several.
    pub fn of_all(directories: Vec<PathBuf>) -> Result<Self, Error> {
        let mut command = shell(REMOVE_AFTERWARDS, "janitor");
        command.args(&directories).current_dir("/").process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|source| Error::Spawn {
            program: "sh (janitor)".to_owned(),
            source,
        })?;
        Ok(Self {
            directories,
            lifeline: child.stdin.take(),
            child,
        })
    }
}

impl Drop for CleanupGuard {
    fn drop(&mut self) {
        self.lifeline = None;
        // Waiting makes removal part of going down; an error would only mean it is already reaped.
        self.child.wait().ok();
        for directory in &self.directories {
            if directory.exists() {
                fs::remove_dir_all(directory).ok();
            }
        }
    }
}

fn shell(script: &str, name: &str) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "running servers is what this module is for"
    )]
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).arg(name);
    command
}

#[expect(
    clippy::disallowed_methods,
    reason = "a child finds its own helpers as we would"
)]
fn inherited() -> impl Iterator<Item = (&'static str, OsString)> {
    ["PATH", "HOME", "TMPDIR"]
        .into_iter()
        .filter_map(|name| std::env::var_os(name).map(|value| (name, value)))
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Asks a process that is no child of ours to end (`SIGTERM`).
pub fn terminate(id: u32) -> std::io::Result<()> {
    let pid = pid(id).ok_or(std::io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process(pid, Signal::TERM)?)
}

/// Leaves the session of the terminal that this process was started from, so that closing it does
/// not end us.
pub fn leave_terminal() {
    // It fails only for the leader of a process group, which no terminal hangs up.
    rustix::process::setsid().ok();
}

/// Whether a process with this id exists (a zombie counts as gone).
pub fn is_alive(id: u32) -> bool {
    // The state follows the parenthesised command name, which may itself hold anything.
    #[expect(
        clippy::disallowed_methods,
        reason = "/proc: the error only means the process is gone"
    )]
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('Z'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper(log: &Path) -> Process {
        Program::new("sleeper", "/bin/sh")
            .arguments(["-c", "sleep 1000 & echo started $!; wait"])
            .start(log)
            .unwrap()
    }

    async fn grandchild(log: &Path) -> u32 {
        loop {
            let text = fs::read_to_string(log).unwrap();
            if let Some(id) = text.trim().strip_prefix("started ") {
                return id.parse().unwrap();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn gone(id: u32) {
        while is_alive(id) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn dropping_a_process_kills_its_whole_group() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let process = sleeper(&log);
        let (leader, below) = (process.pid(), grandchild(&log).await);
        drop(process);
        gone(leader).await;
        gone(below).await;
    }

    #[tokio::test]
    async fn closing_the_lifeline_kills_the_group_as_our_death_would() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut process = sleeper(&log);
        let below = grandchild(&log).await;
        drop(process.lifeline.take());
        process.wait().await;
        gone(below).await;
    }

    #[tokio::test]
    async fn an_ended_process_is_reported_with_the_end_of_its_log() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut process =
            Program::new("failing", "/bin/sh").arguments(["-c", "echo why >&2; exit 3"]);
        process = process.variable("UNUSED", "");
        let mut process = process.start(&log).unwrap();
        process.wait().await;
        let error = process.check().unwrap_err().to_string();
        assert!(
            error.contains("failing ended with exit status: 3"),
            "{error}"
        );
        assert!(error.ends_with("  why"), "{error}");
    }

    #[test]
    fn a_janitor_removes_its_directories() {
        let directories = [(); 2].map(|()| tempfile::tempdir().unwrap().keep());
        fs::write(directories[0].join("file"), "").unwrap();
        let janitor = CleanupGuard::of_all(directories.to_vec()).unwrap();
        assert!(directories.iter().all(|directory| directory.exists()));
        drop(janitor);
        assert!(!directories.iter().any(|directory| directory.exists()));
    }
}

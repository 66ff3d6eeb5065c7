//! Child processes that cannot outlive us.
//!
//! A test run may end by a panic, Ctrl-C or `kill -9`. `PR_SET_PDEATHSIG` is tied to the thread
//! that forked, and needs unsafe code. Instead, each child leads a process group with a small
//! shell, the watcher, that reads from a pipe. Only this process holds the other end, the
//! **lifeline**. When this process ends, the pipe closes, and the watcher kills the group.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::error::Error;
use crate::files;
use sluice_system::fs;

/// Runs the program in its arguments, with a watcher in the same process group.
///
/// The watcher keeps the pipe as descriptor 3; the program inherits neither the pipe nor stdin.
/// Every `sh` supports `kill … 0`, which names its own group.
const RUN_WITH_WATCHER: &str = r#"
exec 3<&0 </dev/null
(read -r _ <&3; kill -KILL 0) &
exec 3<&-
exec "$@"
"#;

/// Removes directories once the pipe is closed. Dying servers may still write into them. The files
/// of a cgroup cannot be removed, only its directories.
const REMOVE_DIRECTORIES: &str = r#"
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

/// Number of log lines in an error.
const TAIL: usize = 20;

/// A program with its arguments and environment.
///
/// The environment contains only `PATH`, `HOME` and `TMPDIR`: a proxy variable or a `KUBECONFIG` of
/// the developer must not affect tests.
#[derive(Debug, Clone)]
pub struct Program {
    name: String,
    path: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
}

impl Program {
    /// Creates a program. `name` is used in errors and as the name of its log.
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

    /// Returns the program, started by another one that takes it as its last arguments.
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

    /// Sets an environment variable.
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

    /// Starts the program with a watcher; its output is appended to `log`.
    pub fn start(&self, log: &Path) -> Result<Process, Error> {
        let output = files::append(log)?.into_std();
        let errors = output.try_clone().map_err(|source| Error::Spawn {
            program: self.name.clone(),
            source,
        })?;
        let mut command = shell(RUN_WITH_WATCHER, &self.name);
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

/// A running child; dropping it kills its process group.
#[derive(Debug)]
pub struct Process {
    name: String,
    log: PathBuf,
    child: Child,
    /// The watcher kills the group when this closes.
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

    /// Returns the exit status, if it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended
    }

    /// Fails if the process has ended, with the end of its log.
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

    /// Returns the error of a running process that is not ready.
    pub(crate) fn not_ready(&self, waited: Duration, last: String) -> Error {
        Error::NotReady {
            program: self.name.clone(),
            waited,
            last,
            log: self.log.clone(),
            tail: self.log_tail(),
        }
    }

    /// Sends a signal to the process, not to its group.
    pub fn signal(&mut self, signal: Signal) {
        if self.ended().is_none()
            && let Some(pid) = pid(self.child.id())
        {
            // The process may have ended meanwhile.
            rustix::process::kill_process(pid, signal).ok();
        }
    }

    /// Waits for its end.
    pub async fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            // Polls, because a `tokio` child belongs to the runtime that started it. One control
            // plane serves many tests, each with its own runtime.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Kills the group and waits for the end of its leader.
    pub fn kill(&mut self) {
        if self.lifeline.is_none() {
            return;
        }
        // The watcher lives as long as the lifeline, so the group's id cannot be reused yet.
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
    /// Guards a directory.
    pub fn of(directory: &Path) -> Result<Self, Error> {
        Self::of_all(vec![directory.to_owned()])
    }

    /// Guards several directories.
    pub fn of_all(directories: Vec<PathBuf>) -> Result<Self, Error> {
        let mut command = shell(REMOVE_DIRECTORIES, "cleanup");
        command.args(&directories).current_dir("/").process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(|source| Error::Spawn {
            program: "sh (cleanup)".to_owned(),
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
        // Waits for the removal. An error means that the child is reaped already.
        self.child.wait().ok();
        for directory in &self.directories {
            if directory.exists() {
                fs::remove_dir_all(directory).ok();
            }
        }
    }
}

fn shell(script: &str, name: &str) -> Command {
    #[expect(clippy::disallowed_methods, reason = "this module runs servers")]
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).arg(name);
    command
}

#[expect(
    clippy::disallowed_methods,
    reason = "children inherit these variables"
)]
fn inherited() -> impl Iterator<Item = (&'static str, OsString)> {
    ["PATH", "HOME", "TMPDIR"]
        .into_iter()
        .filter_map(|name| std::env::var_os(name).map(|value| (name, value)))
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Sends `SIGTERM` to a process that is not our child.
pub fn terminate(id: u32) -> std::io::Result<()> {
    let pid = pid(id).ok_or(std::io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process(pid, Signal::TERM)?)
}

/// Leaves the session of the terminal, so that closing the terminal does not end this process.
pub fn leave_terminal() {
    // Fails only for the leader of a process group, which a closing terminal does not end.
    rustix::process::setsid().ok();
}

/// Whether a process with this id exists (a zombie counts as gone).
pub fn is_alive(id: u32) -> bool {
    // The state follows the command name in parentheses, which may contain any text.
    #[expect(
        clippy::disallowed_methods,
        reason = "/proc: an error means that the process is gone"
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

    /// Polls until there is an answer.
    async fn until<T>(claim: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        let poll = async {
            let mut ticks = tokio::time::interval(Duration::from_millis(5));
            loop {
                ticks.tick().await;
                if let Some(answer) = ask() {
                    return answer;
                }
            }
        };
        let answer = tokio::time::timeout(Duration::from_mins(1), poll).await;
        answer.unwrap_or_else(|_| panic!("never true: {claim}"))
    }

    async fn grandchild(log: &Path) -> u32 {
        until("the child has started", || {
            let text = fs::read_to_string(log).unwrap();
            text.trim().strip_prefix("started ")?.parse().ok()
        })
        .await
    }

    async fn gone(id: u32) {
        until("the process is gone", || (!is_alive(id)).then_some(())).await;
    }

    #[tokio::test]
    async fn dropped_process_kills_its_group() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let process = sleeper(&log);
        let (leader, below) = (process.pid(), grandchild(&log).await);
        drop(process);
        gone(leader).await;
        gone(below).await;
    }

    #[tokio::test]
    async fn closed_lifeline_kills_group() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut process = sleeper(&log);
        let below = grandchild(&log).await;
        drop(process.lifeline.take());
        process.wait().await;
        gone(below).await;
    }

    #[tokio::test]
    async fn check_reports_ended_process_with_log() {
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
    fn cleanup_guard_removes_directories() {
        let directories = [(); 2].map(|()| tempfile::tempdir().unwrap().keep());
        fs::write(directories[0].join("file"), "").unwrap();
        let guard = CleanupGuard::of_all(directories.to_vec()).unwrap();
        assert!(directories.iter().all(|directory| directory.exists()));
        drop(guard);
        assert!(!directories.iter().any(|directory| directory.exists()));
    }
}

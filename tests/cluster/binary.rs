//! Starts the binary under test as a user does.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};

use rustix::process::{Pid, Signal};
use sluice_testkit::wait;

use crate::program;

/// Output and exit code of a command.
#[derive(Clone, Debug)]
pub(crate) struct CommandResult {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl CommandResult {
    /// Asserts success.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// Returns stdout and stderr together.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs the program with these arguments, split at spaces.
pub(crate) fn sluice(kubeconfig: &Path, line: &str) -> CommandResult {
    Call::new(kubeconfig).run(line)
}

/// How to start a command. The default is our binary as `flux`, without a terminal.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    program: PathBuf,
    kubeconfig: PathBuf,
    directory: Option<PathBuf>,
    variables: Vec<(String, String)>,
}

impl Call {
    pub(crate) fn new(kubeconfig: &Path) -> Self {
        Self {
            program: program::flux().to_owned(),
            kubeconfig: kubeconfig.to_owned(),
            directory: None,
            variables: Vec::new(),
        }
    }

    /// Uses our own program name.
    pub(crate) fn called_sluice(self) -> Self {
        self.program(program::sluice().to_owned())
    }

    /// Uses another program.
    pub(crate) fn program(mut self, program: PathBuf) -> Self {
        self.program = program;
        self
    }

    pub(crate) fn within(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Returns the process to start.
    pub(crate) fn command(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the binary is under test")]
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env("KUBECONFIG", &self.kubeconfig)
            .env("NO_COLOR", "1")
            .env_remove("FLUX_SYSTEM_NAMESPACE")
            .env_remove("FLUX_COMPAT")
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    /// Runs a line, split at unquoted spaces, until it ends.
    pub(crate) fn run(&self, line: &str) -> CommandResult {
        self.run_words(words(line))
    }

    /// Like [`Self::run`], but other tasks continue, such as the requested server.
    pub(crate) async fn run_beside(&self, line: &str) -> CommandResult {
        let (call, line) = (self.clone(), line.to_owned());
        let running = tokio::task::spawn_blocking(move || call.run(&line));
        running.await.unwrap()
    }

    /// Runs on a terminal without input, and returns the output.
    pub(crate) async fn run_on_terminal(&self, line: &str) -> String {
        self.converse(line, "").await
    }

    /// Runs on a terminal with this input, followed by its end.
    pub(crate) async fn converse(&self, line: &str, typed: &str) -> String {
        let words: Vec<String> = std::iter::once(self.program.display().to_string())
            .chain(words(line))
            .map(|word| format!("'{word}'"))
            .collect();
        let call = Self {
            program: "script".into(),
            ..self.clone()
        };
        let mut command = call.command(["-q", "-e", "-c", &words.join(" "), "/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let typed = typed.to_owned();
        let running = tokio::task::spawn_blocking(move || {
            let mut child = command.spawn().unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(typed.as_bytes())
                .unwrap();
            ended(child)
        });
        String::from_utf8(running.await.unwrap().stdout).unwrap()
    }

    pub(crate) fn run_words(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> CommandResult {
        let mut command = self.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = ended(child.spawn().unwrap());
        CommandResult {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Waits for the end of a command, and kills it after a timeout. A hanging test would block the
/// other tests.
fn ended(child: Child) -> Output {
    let pid = Pid::from_child(&child);
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(wait::EXIT_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
                rustix::process::kill_process(pid, Signal::KILL).ok();
            }
        });
        let output = child.wait_with_output().unwrap();
        drop(done);
        output
    })
}

/// Splits a line into words. Single quotes group words.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

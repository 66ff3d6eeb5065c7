//! The pinned `kustomize` as the judge of our builds.
//!
//! Owns how it is found and run ([`Kustomize`]), what class of fault its words
//! mean ([`class_of`]), how two outcomes compare ([`compare()`]), and the cases
//! that are stored with what it said ([`Case`]). It never runs our own engine,
//! so that no expectation can come from there.

mod cases;
mod class;
mod compare;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub use cases::{Case, CaseOptions};
pub use class::class_of;
pub use compare::{Verdict, compare, first_difference};

use crate::devcluster::{Tool, Toolbox};

/// What a build gave: the bytes, or the error without `Error: ` in front.
pub type Outcome = Result<String, String>;

/// How to call the command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--reorder`, if it is given.
    pub reorder: Option<&'static str>,
    /// `--load-restrictor LoadRestrictionsNone`
    pub unrestricted: bool,
    /// `--enable-managedby-label`
    pub managed_by_label: bool,
}

impl Flags {
    /// What comes nearest to a build inside Flux.
    pub fn flux() -> Self {
        Self {
            reorder: Some("none"),
            unrestricted: true,
            managed_by_label: false,
        }
    }

    fn arguments(self) -> Vec<&'static str> {
        let mut arguments = vec!["build"];
        if let Some(reorder) = self.reorder {
            arguments.extend(["--reorder", reorder]);
        }
        if self.unrestricted {
            arguments.extend(["--load-restrictor", "LoadRestrictionsNone"]);
        }
        if self.managed_by_label {
            arguments.push("--enable-managedby-label");
        }
        arguments
    }
}

/// The reference binary.
#[derive(Debug, Clone)]
pub struct Kustomize {
    binary: PathBuf,
}

impl Kustomize {
    /// The binary that `KUSTOMIZE_BIN` names, else the pinned one, built once.
    ///
    /// Says why where there is none; with `REQUIRE_ORACLES=1` that is a failure.
    #[expect(
        clippy::disallowed_methods,
        reason = "tests are told by the environment where things are"
    )]
    #[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
    pub fn find() -> Option<Self> {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        if let Some(binary) = variable("KUSTOMIZE_BIN") {
            return Some(Self::at(binary));
        }
        let toolbox = Toolbox::from_environment();
        match toolbox.and_then(|toolbox| toolbox.path_blocking(Tool::Kustomize)) {
            Ok(binary) => Some(Self::at(binary)),
            Err(why) => {
                assert!(variable("REQUIRE_ORACLES").as_deref() != Some("1"), "{why}");
                eprintln!("skipped: {why}");
                None
            }
        }
    }

    /// A binary at a path.
    pub fn at(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// Builds a folder; no longer than a minute.
    pub fn build(&self, directory: &Path, flags: Flags) -> Outcome {
        self.build_within(directory, flags, Duration::from_mins(1))
    }

    /// Builds a folder, with the network closed to it as far as an environment
    /// can: every proxy leads nowhere and git may ask for nothing.
    ///
    /// # Panics
    ///
    /// If the binary cannot be run.
    pub fn build_within(&self, directory: &Path, flags: Flags, limit: Duration) -> Outcome {
        self.run(directory, flags, limit, &[("GIT_ALLOW_PROTOCOL", "none")])
    }

    /// Builds a folder that may name servers on loopback; no longer than a minute.
    /// It needs the `git` program for repositories.
    ///
    /// # Panics
    ///
    /// If the binary cannot be run.
    pub fn build_on_loopback(&self, directory: &Path, flags: Flags) -> Outcome {
        let git = [
            ("NO_PROXY", "127.0.0.1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "safe.directory"),
            ("GIT_CONFIG_VALUE_0", "*"),
        ];
        self.run(directory, flags, Duration::from_mins(1), &git)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the oracle is a program of its own"
    )]
    fn run(
        &self,
        directory: &Path,
        flags: Flags,
        limit: Duration,
        network: &[(&str, &str)],
    ) -> Outcome {
        let captured = tempfile::tempdir().unwrap();
        let file = |name| std::fs::File::create(captured.path().join(name)).unwrap();
        let mut child = Command::new(&self.binary)
            .args(flags.arguments())
            .arg(directory)
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("error"))
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .env("HTTPS_PROXY", "http://127.0.0.1:9")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_SSH_COMMAND", "false")
            .envs(network.iter().copied())
            .spawn()
            .unwrap_or_else(|error| panic!("run {}: {error}", self.binary.display()));
        let deadline = Instant::now() + limit;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                return Err(format!("timed out after {} s", limit.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let text = |name| {
            let bytes = std::fs::read(captured.path().join(name)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        if status.success() {
            return Ok(text("out"));
        }
        let error = text("error");
        // Warnings come first.
        let start = error.find("Error: ").map_or(0, |start| start + 7);
        Err(error[start..].trim_end().to_owned())
    }
}

//! The pinned `kustomize` as the reference for our builds.
//!
//! This module finds and runs it ([`Kustomize`]) and classifies its errors ([`class_of`]).
//! It compares two outcomes ([`compare()`]) and stores cases with its answers ([`Case`]). It never
//! runs our own engine, so that our output cannot become an expectation.

mod cases;
mod class;
mod compare;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub use cases::{Case, CaseOptions};
pub use class::class_of;
pub use compare::{Verdict, compare, first_difference};

use sluice_skip::{Requirement, skip};

use crate::devcluster::{Tool, Toolbox};

/// Result of a build: the bytes, or the error without the prefix `Error: `.
pub type Outcome = Result<String, String>;

/// Options of the command.
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
    /// Options closest to a build inside Flux.
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
    /// Returns the binary of `KUSTOMIZE_BIN`, else the pinned one, which is built once.
    ///
    /// Prints why there is none. With `REQUIRE_ORACLES=1` that is a failure.
    #[expect(clippy::disallowed_methods, reason = "tests have no flags")]
    pub fn find() -> Option<Self> {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        if let Some(binary) = variable("KUSTOMIZE_BIN") {
            return Some(Self::at(binary));
        }
        let toolbox = Toolbox::from_environment();
        match toolbox.and_then(|toolbox| toolbox.path_blocking(Tool::Kustomize)) {
            Ok(binary) => Some(Self::at(binary)),
            Err(why) => {
                skip(Requirement::Oracle, &why.to_string());
                None
            }
        }
    }

    /// Uses the binary at a path.
    pub fn at(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
        }
    }

    /// Path of the binary.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// Builds a folder, within one minute.
    pub fn build(&self, directory: &Path, flags: Flags) -> Outcome {
        self.build_within(directory, flags, Duration::from_mins(1))
    }

    /// Builds a folder without network access, as far as the environment can prevent it: all
    /// proxies lead nowhere, and git has no prompt.
    ///
    /// # Panics
    ///
    /// If the binary cannot be run.
    pub fn build_within(&self, directory: &Path, flags: Flags, limit: Duration) -> Outcome {
        self.run(directory, flags, limit, &[("GIT_ALLOW_PROTOCOL", "none")])
    }

    /// Builds a folder that may refer to servers on loopback, within one minute. Repositories need
    /// the `git` program.
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
        reason = "the reference is another program"
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
        // Warnings precede the error.
        let start = error.find("Error: ").map_or(0, |start| start + 7);
        Err(error[start..].trim_end().to_owned())
    }
}

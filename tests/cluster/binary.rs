//! The binary under test, as a user starts it.

use std::path::Path;
use std::process::{Command, Stdio};

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The same, after checking that it went well.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }
}

/// Runs `sluice` with these arguments, split at spaces, to its end.
pub(crate) fn sluice(kubeconfig: &Path, line: &str) -> Ended {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binary is what is tested here"
    )]
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(line.split_whitespace())
        .env("KUBECONFIG", kubeconfig)
        .env("NO_COLOR", "1")
        .env_remove("FLUX_SYSTEM_NAMESPACE")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

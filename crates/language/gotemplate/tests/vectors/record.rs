//! Asks the program in `oracle` for the answers of vectors.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Builds the program once for all files.
fn build() -> Result<&'static Path, String> {
    static BUILT: OnceLock<Result<tempfile::TempDir, String>> = OnceLock::new();
    static BINARY: OnceLock<std::path::PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let target = tempfile::tempdir().map_err(|error| error.to_string())?;
        let output = Command::new("go")
            .args(["build", "-o"])
            .arg(target.path().join("oracle"))
            .arg(".")
            .current_dir(super::folder().join("oracle"))
            .output()
            .map_err(|error| format!("there is no Go toolchain: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(target)
    });
    let target = built.as_ref().map_err(Clone::clone)?;
    Ok(BINARY.get_or_init(|| target.path().join("oracle")))
}

/// Rewrites a file with Go's answers.
pub(super) fn fill_in(path: &Path) -> Result<(), String> {
    let questions = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut process = Command::new(build()?)
        .arg(super::folder().join("vectors/data.json"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = process.stdin.take().expect("its input is a pipe");
    // Written aside: it answers while it is still being asked.
    let writer = std::thread::spawn(move || stdin.write_all(&questions));
    let output = process
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    let written = writer.join().expect("the writer does not panic");
    written.map_err(|error| format!("the oracle stopped listening: {error}"))?;
    if !output.status.success() {
        return Err(format!("the oracle ended with {}", output.status));
    }
    std::fs::write(path, output.stdout).map_err(|error| error.to_string())
}

//! File operations: secrets, logs and locks.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use sluice_system::fs::{self, Error, File, OpenOptions};

/// Writes a file that only its owner can read.
pub(crate) fn write_secret(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    File::open_with(&options, path)?
        .write_all(content.as_ref())
        .map_err(|source| Error::new(fs::Action::Write, path, source))
}

/// Opens a log for appending.
pub(crate) fn append(path: &Path) -> Result<File, Error> {
    File::open_with(OpenOptions::new().create(true).append(true), path)
}

/// Holds an exclusive lock on a file until the returned handle is dropped.
pub(crate) fn lock(path: &Path) -> Result<File, Error> {
    let file = append(path)?;
    file.lock()?;
    Ok(file)
}

/// Returns the last lines of a text file, or a note if there are none.
pub(crate) fn tail(path: &Path, lines: usize) -> String {
    const WINDOW: u64 = 16 * 1024;
    let read = || -> std::io::Result<String> {
        let mut file = fs::open(path).map_err(std::io::Error::other)?;
        let length = file.metadata().map_err(std::io::Error::other)?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(WINDOW)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    match read() {
        Ok(text) if text.trim().is_empty() => "  (empty)".to_owned(),
        Ok(text) => last_lines(&text, lines),
        Err(error) => format!("  (unreadable: {error})"),
    }
}

/// Returns the last lines of a text, indented by two.
pub(crate) fn last_lines(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let start = all.len().saturating_sub(lines);
    all[start..]
        .iter()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_keeps_the_last_lines_and_drops_blank_ones() {
        assert_eq!(last_lines("a\n\nb\nc\n", 2), "  b\n  c");
        assert_eq!(last_lines("a", 5), "  a");
    }

    #[test]
    fn tail_of_missing_log_is_a_note() {
        assert!(tail(Path::new("/nowhere"), 3).starts_with("  (unreadable: "));
    }
}

//! The few file operations of this crate, with errors that name the path.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the wrapper that names the path"
)]

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::error::Error;

fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(std::io::Error) -> Error + 'a {
    move |source| Error::File {
        action,
        path: path.to_owned(),
        source,
    }
}

pub(crate) fn create_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(failed("create directory", path))
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    fs::write(path, content).map_err(failed("write", path))
}

/// Writes a file that only its owner may read.
pub(crate) fn write_secret(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(content.as_ref()))
        .map_err(failed("write", path))
}

pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(failed("read", path))
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(failed("move into place", to))
}

pub(crate) fn append(path: &Path) -> Result<fs::File, Error> {
    fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(failed("open", path))
}

/// Paths of the entries of a directory, by name.
pub(crate) fn entries(path: &Path) -> Result<Vec<std::path::PathBuf>, Error> {
    let mut paths = fs::read_dir(path)
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(failed("list", path))?;
    paths.sort();
    Ok(paths)
}

/// Removes a directory; one that is gone already is fine.
pub(crate) fn remove_directory(path: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(failed("remove", path)(source))
        }
        _ => Ok(()),
    }
}

/// Holds an exclusive lock on a file until the returned handle is dropped.
pub(crate) fn lock(path: &Path) -> Result<fs::File, Error> {
    let file = append(path)?;
    file.lock().map_err(failed("lock", path))?;
    Ok(file)
}

/// The last lines of a text file, or a word on why there are none.
pub(crate) fn tail(path: &Path, lines: usize) -> String {
    const WINDOW: u64 = 16 * 1024;
    let read = || -> std::io::Result<String> {
        let mut file = fs::File::open(path)?;
        let length = file.metadata()?.len();
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

/// The last lines of a text, indented by two.
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
}

//! File operations whose errors name the action and the path.
//!
//! Most functions mirror `std::fs`. Four add behaviour: [`write_atomically`], [`sync_directory`],
//! [`read_limited`], and a [`read_dir`] sorted by name. Output never depends on the order of the
//! file system.
//!
//! The calls block. Async callers run them on the blocking pool.

#![expect(
    clippy::disallowed_methods,
    reason = "the lint points callers to these wrappers"
)]

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

mod error;
mod file;

pub use error::{Action, Error};
pub use file::File;
pub use std::fs::{FileType, Metadata, OpenOptions, Permissions};

/// One entry of a directory.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The directory as given, joined with the name of the entry.
    pub path: PathBuf,
    /// Type of the entry. Symbolic links are not followed.
    pub file_type: FileType,
}

/// Reads a file.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, Error> {
    let path = path.as_ref();
    fs::read(path).map_err(Error::on(Action::Read, path))
}

/// Reads a file as UTF-8.
pub fn read_to_string(path: impl AsRef<Path>) -> Result<String, Error> {
    let path = path.as_ref();
    fs::read_to_string(path).map_err(Error::on(Action::Read, path))
}

/// Reads a file of at most `limit` bytes. A larger file fails with
/// [`io::ErrorKind::FileTooLarge`] and is not read to its end.
pub fn read_limited(path: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, Error> {
    let path = path.as_ref();
    let failed = || Error::on(Action::Read, path);
    let file = fs::File::open(path).map_err(failed())?;
    // The extra byte lets the read detect the end of the file without growing the buffer.
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let size = usize::try_from(size.min(limit)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(failed())?;
    if bytes.len() as u64 > limit {
        let message = format!("the file is larger than {limit} bytes");
        return Err(failed()(io::Error::new(
            io::ErrorKind::FileTooLarge,
            message,
        )));
    }
    Ok(bytes)
}

/// Writes a file and replaces its content.
pub fn write(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::write(path, contents).map_err(Error::on(Action::Write, path))
}

/// Replaces a file through a temporary sibling, which is synced and renamed.
///
/// A reader, or a crash at any point, sees either the old content or the new one.
pub fn write_atomically(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<(), Error> {
    let path = path.as_ref();
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or_else(|| Path::new("."));
    let mut sibling = tempfile_name(path);
    sibling = parent.join(sibling);
    let written = (|| {
        let mut file = fs::File::create(&sibling)?;
        file.write_all(contents.as_ref())?;
        file.sync_all()
    })();
    let outcome = written
        .map_err(Error::on(Action::Write, &sibling))
        .and_then(|()| rename(&sibling, path));
    if outcome.is_err() {
        // The caller gets the first error.
        drop(fs::remove_file(&sibling));
        return outcome;
    }
    sync_directory(parent)
}

/// Returns a file name next to `path` that no other writer on this machine uses.
fn tempfile_name(path: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{count}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Opens a file for reading.
pub fn open(path: impl Into<PathBuf>) -> Result<File, Error> {
    File::open_with(OpenOptions::new().read(true), path)
}

/// Creates a file for writing and empties it if it exists.
pub fn create(path: impl Into<PathBuf>) -> Result<File, Error> {
    File::open_with(
        OpenOptions::new().write(true).create(true).truncate(true),
        path,
    )
}

/// Creates a file for writing. Fails if it exists.
pub fn create_new(path: impl Into<PathBuf>) -> Result<File, Error> {
    File::open_with(OpenOptions::new().write(true).create_new(true), path)
}

/// Creates a directory.
pub fn create_dir(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::create_dir(path).map_err(Error::on(Action::CreateDirectory, path))
}

/// Creates a directory and its missing parents.
pub fn create_dir_all(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::create_dir_all(path).map_err(Error::on(Action::CreateDirectory, path))
}

/// Removes a file or a link.
pub fn remove_file(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::remove_file(path).map_err(Error::on(Action::Remove, path))
}

/// Removes an empty directory.
pub fn remove_dir(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::remove_dir(path).map_err(Error::on(Action::Remove, path))
}

/// Removes a directory and its content. Links are removed, not followed.
pub fn remove_dir_all(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::remove_dir_all(path).map_err(Error::on(Action::Remove, path))
}

/// Renames a file or directory, replacing the target.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), Error> {
    let (from, to) = (from.as_ref(), to.as_ref());
    fs::rename(from, to).map_err(Error::between(Action::Rename, from, to))
}

/// Copies a file with its permissions.
pub fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<u64, Error> {
    let (from, to) = (from.as_ref(), to.as_ref());
    fs::copy(from, to).map_err(Error::between(Action::Copy, from, to))
}

/// Copies a directory and its content. A link becomes a copy of its target file.
pub fn copy_dir_all(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), Error> {
    let to = to.as_ref();
    create_dir_all(to)?;
    for entry in read_dir(from)? {
        let to = to.join(entry.path.file_name().unwrap_or_default());
        if entry.file_type.is_dir() {
            copy_dir_all(&entry.path, to)?;
        } else {
            copy(&entry.path, to)?;
        }
    }
    Ok(())
}

/// Creates `link` as another name of the file `original`.
pub fn hard_link(original: impl AsRef<Path>, link: impl AsRef<Path>) -> Result<(), Error> {
    let (original, link) = (original.as_ref(), link.as_ref());
    fs::hard_link(original, link).map_err(Error::between(Action::Link, original, link))
}

/// Creates `link` as a symbolic link to `original`, which need not exist.
#[cfg(unix)]
pub fn symlink(original: impl AsRef<Path>, link: impl AsRef<Path>) -> Result<(), Error> {
    let (original, link) = (original.as_ref(), link.as_ref());
    std::os::unix::fs::symlink(original, link).map_err(Error::between(Action::Link, original, link))
}

/// Returns the target of a link.
pub fn read_link(path: impl AsRef<Path>) -> Result<PathBuf, Error> {
    let path = path.as_ref();
    fs::read_link(path).map_err(Error::on(Action::ReadLink, path))
}

/// Returns the absolute path with every link resolved.
pub fn canonicalize(path: impl AsRef<Path>) -> Result<PathBuf, Error> {
    let path = path.as_ref();
    fs::canonicalize(path).map_err(Error::on(Action::Resolve, path))
}

/// Returns the metadata of a path. Links are followed.
pub fn metadata(path: impl AsRef<Path>) -> Result<Metadata, Error> {
    let path = path.as_ref();
    fs::metadata(path).map_err(Error::on(Action::Inspect, path))
}

/// Returns the metadata of a path. A link is not followed.
pub fn symlink_metadata(path: impl AsRef<Path>) -> Result<Metadata, Error> {
    let path = path.as_ref();
    fs::symlink_metadata(path).map_err(Error::on(Action::Inspect, path))
}

/// Reports whether a path leads to a file. A parent without search permission is an error, not
/// an absence.
pub fn exists(path: impl AsRef<Path>) -> Result<bool, Error> {
    let path = path.as_ref();
    fs::exists(path).map_err(Error::on(Action::Inspect, path))
}

/// Changes the permissions.
pub fn set_permissions(path: impl AsRef<Path>, permissions: Permissions) -> Result<(), Error> {
    let path = path.as_ref();
    fs::set_permissions(path, permissions).map_err(Error::on(Action::SetPermissions, path))
}

/// Lists a directory, sorted by name.
pub fn read_dir(path: impl AsRef<Path>) -> Result<Vec<Entry>, Error> {
    let path = path.as_ref();
    let failed = || Error::on(Action::List, path);
    let mut entries = fs::read_dir(path)
        .map_err(failed())?
        .map(|entry| {
            let entry = entry.map_err(failed())?;
            let path = entry.path();
            let file_type = entry
                .file_type()
                .map_err(Error::on(Action::Inspect, &path))?;
            Ok(Entry { path, file_type })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Syncs the names in a directory. After a rename, the file's bytes can be durable before its
/// name is.
pub fn sync_directory(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    fs::File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(Error::on(Action::Sync, path))
}

#[cfg(test)]
mod tests;

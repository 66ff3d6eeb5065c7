//! File access that cannot leave a directory.
//!
//! All file access of this crate goes through [`Directory`]. It resolves one path component at a
//! time below an open handle and follows no links. A path that is checked first and opened later
//! could be swapped in between. An archive could plant a link that leads out. Empty names, `.`,
//! `..` and names with a slash or NUL are errors.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

/// A failed file operation, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{action} {}", path.display())]
pub struct Error {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl Error {
    /// The kind of the system's error.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }

    pub(crate) fn new(action: &'static str, path: PathBuf, source: impl Into<io::Error>) -> Self {
        Self {
            action,
            path,
            source: source.into(),
        }
    }

    /// Whether the cause is a symbolic link, which is not followed.
    pub(crate) fn is_link(&self) -> bool {
        Errno::from_io_error(&self.source) == Some(Errno::LOOP)
    }

    /// Whether the path does not exist.
    pub fn is_missing(&self) -> bool {
        self.kind() == io::ErrorKind::NotFound
    }
}

/// An open directory, and its path for messages.
#[derive(Debug)]
pub(crate) struct Directory {
    handle: OwnedFd,
    path: PathBuf,
}

/// An entry of a directory listing.
#[derive(Debug)]
pub(crate) struct DirEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) stat: Stat,
}

impl DirEntry {
    pub(crate) fn is(&self, kind: FileType) -> bool {
        FileType::from_raw_mode(self.stat.st_mode) == kind
    }
}

const OPEN_DIRECTORY: OFlags = OFlags::DIRECTORY
    .union(OFlags::RDONLY)
    .union(OFlags::CLOEXEC);

impl Directory {
    /// Opens the root directory. Only here are links followed, because the operator chose the path.
    pub(crate) fn root(path: &Path) -> Result<Self, Error> {
        let handle = fs::open(path, OPEN_DIRECTORY, Mode::empty())
            .map_err(|errno| Error::new("open directory", path.to_owned(), errno))?;
        Ok(Self {
            handle,
            path: path.to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a subdirectory.
    pub(crate) fn open(&self, name: &[u8]) -> Result<Self, Error> {
        let handle = self.run("open directory", name, |name| {
            fs::openat(
                &self.handle,
                name,
                OPEN_DIRECTORY.union(OFlags::NOFOLLOW),
                Mode::empty(),
            )
        })?;
        Ok(Self {
            handle,
            path: self.join(name),
        })
    }

    /// Opens a subdirectory, and creates it if it is missing.
    pub(crate) fn open_or_create(&self, name: &[u8], mode: u32) -> Result<Self, Error> {
        match self.open(name) {
            Err(error) if error.is_missing() => {
                self.run("create directory", name, |name| {
                    match fs::mkdirat(&self.handle, name, Mode::from_raw_mode(mode)) {
                        // Created concurrently. `open` checks that it is a directory.
                        Err(Errno::EXIST) => Ok(()),
                        done => done,
                    }
                })?;
                self.open(name)
            }
            opened => opened,
        }
    }

    /// Opens a directory several levels below.
    pub(crate) fn descend<'a>(
        &self,
        components: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, Error> {
        let handle = self
            .handle
            .try_clone()
            .map_err(|source| Error::new("open directory", self.path.clone(), source))?;
        let mut directory = Self {
            handle,
            path: self.path.clone(),
        };
        for component in components {
            directory = directory.open(component)?;
        }
        Ok(directory)
    }

    /// Opens a directory several levels below, and creates missing levels.
    pub(crate) fn descend_or_create<'a>(
        &self,
        components: impl IntoIterator<Item = &'a [u8]>,
        mode: u32,
    ) -> Result<Self, Error> {
        let mut directory = self.descend([])?;
        for component in components {
            directory = directory.open_or_create(component, mode)?;
        }
        Ok(directory)
    }

    /// Opens a regular file for reading. `NONBLOCK` prevents that opening a named pipe blocks.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<(File, Stat), Error> {
        let file: File = self
            .run("open", name, |name| {
                fs::openat(
                    &self.handle,
                    name,
                    OFlags::RDONLY
                        .union(OFlags::NOFOLLOW)
                        .union(OFlags::NONBLOCK)
                        .union(OFlags::CLOEXEC),
                    Mode::empty(),
                )
            })?
            .into();
        let stat = fs::fstat(&file).map_err(|errno| Error::new("stat", self.join(name), errno))?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            Ok((file, stat))
        } else {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            Err(Error::new("open", self.join(name), source))
        }
    }

    /// Creates a file that must not exist yet.
    pub(crate) fn create_new(&self, name: &[u8], mode: u32) -> Result<File, Error> {
        self.create(name, mode, OFlags::EXCL)
    }

    /// Creates or truncates a file. A link is an error.
    pub(crate) fn create_or_truncate(&self, name: &[u8], mode: u32) -> Result<File, Error> {
        self.create(name, mode, OFlags::TRUNC)
    }

    /// Opens a file for writing without truncating it, and creates it if it is missing.
    pub(crate) fn open_or_create_file(&self, name: &[u8], mode: u32) -> Result<File, Error> {
        self.create(name, mode, OFlags::empty())
    }

    fn create(&self, name: &[u8], mode: u32, flags: OFlags) -> Result<File, Error> {
        self.run("create", name, |name| {
            fs::openat(
                &self.handle,
                name,
                OFlags::RDWR
                    .union(OFlags::CREATE)
                    .union(OFlags::NOFOLLOW)
                    .union(OFlags::NONBLOCK)
                    .union(OFlags::CLOEXEC)
                    .union(flags),
                Mode::from_raw_mode(mode),
            )
        })
        .map(File::from)
    }

    pub(crate) fn stat(&self, name: &[u8]) -> Result<Stat, Error> {
        self.run("stat", name, |name| {
            fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)
        })
    }

    pub(crate) fn read_link(&self, name: &[u8]) -> Result<Vec<u8>, Error> {
        self.run("read link", name, |name| {
            fs::readlinkat(&self.handle, name, Vec::new())
        })
        .map(std::ffi::CString::into_bytes)
    }

    /// Renames `from` to `to` atomically.
    pub(crate) fn rename(&self, from: &[u8], to: &[u8]) -> Result<(), Error> {
        self.run("rename", from, |from| {
            check_name(to)?;
            fs::renameat_with(
                &self.handle,
                from,
                &self.handle,
                OsStr::from_bytes(to),
                RenameFlags::empty(),
            )
        })
    }

    /// Creates or replaces a symbolic link atomically.
    pub(crate) fn link(&self, target: &[u8], name: &[u8]) -> Result<(), Error> {
        let temporary = [name, b".tmp"].concat();
        self.remove_if_present(&temporary)?;
        self.run("create link", &temporary, |temporary| {
            fs::symlinkat(OsStr::from_bytes(target), &self.handle, temporary)
        })?;
        self.rename(&temporary, name)
    }

    pub(crate) fn remove(&self, name: &[u8]) -> Result<(), Error> {
        self.run("remove", name, |name| {
            fs::unlinkat(&self.handle, name, AtFlags::empty())
        })
    }

    /// Removes a file, and returns whether it existed.
    pub(crate) fn remove_if_present(&self, name: &[u8]) -> Result<bool, Error> {
        match self.remove(name) {
            Ok(()) => Ok(true),
            Err(error) if error.is_missing() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes a directory and its content, and returns whether it existed.
    pub(crate) fn remove_tree(&self, name: &[u8]) -> Result<bool, Error> {
        let directory = match self.open(name) {
            Ok(directory) => directory,
            Err(error) if error.is_missing() => return Ok(false),
            Err(error) => return Err(error),
        };
        for entry in directory.list(usize::MAX)? {
            if entry.is(FileType::Directory) {
                directory.remove_tree(&entry.name)?;
            } else {
                directory.remove_if_present(&entry.name)?;
            }
        }
        self.run("remove directory", name, |name| {
            fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR)
        })?;
        Ok(true)
    }

    /// Lists at most `limit` entries, sorted by name. Entries that disappear meanwhile are skipped.
    pub(crate) fn list(&self, limit: usize) -> Result<Vec<DirEntry>, Error> {
        let failed = |errno: Errno| Error::new("list directory", self.path.clone(), errno);
        let mut entries = Vec::new();
        for entry in fs::Dir::read_from(&self.handle).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            match self.stat(name) {
                Ok(stat) => entries.push(DirEntry {
                    name: name.to_vec(),
                    stat,
                }),
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
            if entries.len() >= limit {
                break;
            }
        }
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(entries)
    }

    /// Makes renames in this directory survive a power failure.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        fs::fsync(&self.handle).map_err(|errno| Error::new("sync", self.path.clone(), errno))
    }

    fn run<T>(
        &self,
        action: &'static str,
        name: &[u8],
        operation: impl FnOnce(&OsStr) -> Result<T, Errno>,
    ) -> Result<T, Error> {
        check_name(name)
            .and_then(|()| operation(OsStr::from_bytes(name)))
            .map_err(|errno| Error::new(action, self.join(name), errno))
    }

    fn join(&self, name: &[u8]) -> PathBuf {
        self.path.join(OsStr::from_bytes(name))
    }
}

impl AsFd for Directory {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

/// Rejects all but single components, because the kernel would follow the rest.
fn check_name(name: &[u8]) -> Result<(), Errno> {
    if name.is_empty() || name == b"." || name == b".." || name.contains(&b'/') || name.contains(&0)
    {
        Err(Errno::INVAL)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        let root = Directory::root(inside.path()).unwrap();
        root.link(outside.path().as_os_str().as_bytes(), b"door")
            .unwrap();
        root.link(b"/etc/passwd", b"file").unwrap();

        assert!(root.open(b"door").is_err());
        assert!(root.open_file(b"file").is_err());
        assert!(root.create_or_truncate(b"file", 0o600).is_err());
        assert!(root.open_or_create(b"door", 0o700).is_err());
    }

    #[test]
    fn name_must_be_single_component() {
        let inside = tempfile::tempdir().unwrap();
        let root = Directory::root(inside.path()).unwrap();
        for name in ["", ".", "..", "a/b", "/etc", "a\0b"] {
            let error = root.open(name.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name:?}");
        }
    }

    #[test]
    fn remove_tree_keeps_link_targets() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        Directory::root(outside.path())
            .unwrap()
            .create_new(b"kept", 0o600)
            .unwrap();
        let root = Directory::root(inside.path()).unwrap();
        let tree = root.open_or_create(b"tree", 0o700).unwrap();
        tree.link(outside.path().as_os_str().as_bytes(), b"door")
            .unwrap();
        tree.open_or_create(b"below", 0o700)
            .unwrap()
            .create_new(b"file", 0o600)
            .unwrap();

        assert!(root.remove_tree(b"tree").unwrap());
        assert!(!root.remove_tree(b"tree").unwrap());
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn error_names_action_and_path() {
        let inside = tempfile::tempdir().unwrap();
        let root = Directory::root(inside.path()).unwrap();
        let error = root.open_file(b"absent").unwrap_err();
        assert!(error.is_missing());
        assert_eq!(
            error.to_string(),
            format!("open {}", inside.path().join("absent").display())
        );
    }
}

//! Packs a directory, a file or standard input for the artifact commands. The bytes of the tarball
//! depend on names, modes and content only.
//!
//! The bytes are those of Flux's command line, so that both programs give one content one digest.
//! Symbolic links and entries that are not files are skipped, unless links are resolved. Start at
//! [`Origin::find`].
//!
//! Parity: fluxcd/pkg: oci/build.go, tar/tar.go.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_digest::{Algorithm, HashingWriter};
use sluice_golang::error::chain;
use sluice_oci::package::Layer;
use sluice_system::fs;

use crate::error::CommandError;
use crate::flags;

/// Default ignore rules.
const IGNORED: &str = ".git/,.gitignore,.gitmodules,.gitattributes,*.jpg,*.jpeg,*.gif,*.png,*.wmv,*.flv,*.tar.gz,*.zip";
/// Mode of the directory that holds a single packed file.
const STAGED: u32 = 0o700;
/// Mode of a copied file under the usual umask.
const COPIED: u32 = 0o755;
/// Name of standard input in the tarball. Flux uses a random name, so its digest changes every run.
const STANDARD_INPUT: &str = "stdin.yaml";

/// Content of a tarball.
#[derive(clap::Args, Clone, Debug)]
pub struct Selection {
    /// Additional paths to exclude, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    add_ignore_paths: Vec<Vec<String>>,
    /// Paths to exclude, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, default_value = IGNORED, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
}

impl Selection {
    fn rules(&self) -> Rules {
        let patterns: Vec<&str> = self
            .ignore_paths
            .iter()
            .chain(&self.add_ignore_paths)
            .flatten()
            .map(String::as_str)
            .collect();
        Rules::exactly(ignore::read(patterns.join("\n").as_bytes(), b""))
    }
}

/// Where the content comes from.
#[derive(Debug)]
pub enum Origin {
    /// A directory with everything below it.
    Directory(PathBuf),
    /// One file.
    File(PathBuf),
    /// Standard input.
    Text(Vec<u8>),
}

impl Origin {
    /// Finds the input of a path. `-` is standard input.
    pub fn find(path: Option<&str>) -> Result<Self, CommandError> {
        let path = path.filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| CommandError::missing_flag("invalid path \"\"", "--path"))?;
        if path == "-" {
            let mut text = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut text)
                .map_err(|error| CommandError::user(format!("read standard input: {error}")))?;
            let end = text.iter().rposition(|byte| !b"\r\n".contains(byte));
            text.truncate(end.map_or(0, |last| last + 1));
            return Ok(Self::Text(text));
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Ok(Self::Directory(path.into())),
            Ok(_) => Ok(Self::File(path.into())),
            Err(error) => Err(CommandError::user(format!(
                "invalid path '{path}', must point to an existing directory or file: {}",
                chain(&error)
            ))
            .hint("set --path to the manifests")),
        }
    }

    /// The origin for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Directory(path) | Self::File(path) => path.display().to_string(),
            Self::Text(_) => "standard input".to_owned(),
        }
    }

    /// Packs the content. Blocks the thread.
    pub fn pack<W: Write>(
        &self,
        selection: &Selection,
        links: Links,
        writer: W,
    ) -> Result<(W, Layer), CommandError> {
        let writer = HashingWriter::new(writer, Algorithm::Sha256);
        let writer = GzipWriter::new(writer);
        let mut packer = Packer {
            writer: Writer::new(writer),
            rules: selection.rules(),
            links,
            above: BTreeSet::new(),
        };
        match self {
            Self::Directory(path) => packer.root(path)?,
            Self::File(path) => packer.only(path)?,
            Self::Text(text) => packer.text(text)?,
        }
        let compressed = packer.writer.finish().map_err(|error| failed(&error))?;
        let (writer, digest, size) = compressed
            .finish()
            .map_err(|error| failed(&error))?
            .finish();
        let digest = digest
            .to_string()
            .parse()
            .expect("a SHA-256 digest is one of a registry's");
        let layer = Layer { digest, size };
        Ok((writer, layer))
    }
}

/// Treatment of symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Links are skipped.
    LeftOut,
    /// Link targets are packed in place of the links.
    Resolved,
}

impl From<bool> for Links {
    fn from(resolve: bool) -> Self {
        if resolve {
            Self::Resolved
        } else {
            Self::LeftOut
        }
    }
}

fn failed(error: &(dyn std::error::Error + 'static)) -> CommandError {
    CommandError::user(chain(error))
}

struct Packer<W: Write> {
    writer: Writer<W>,
    rules: Rules,
    links: Links,
    /// Resolved directories on the path to the current one. A link to one of them is a cycle.
    above: BTreeSet<PathBuf>,
}

impl<W: Write> Packer<W> {
    fn root(&mut self, directory: &Path) -> Result<(), CommandError> {
        let mode = match self.links {
            Links::LeftOut => metadata(directory)?.mode() & 0o7777,
            Links::Resolved => STAGED,
        };
        self.put(|writer| writer.directory_with_mode(b".", mode))?;
        self.below(directory, b"")
    }

    fn is_excluded(&self, path: &[u8], directory: bool) -> Result<bool, CommandError> {
        let excluded = self.rules.exclude(path, directory);
        excluded.map_err(|error| failed(&error))
    }

    fn below(&mut self, directory: &Path, prefix: &[u8]) -> Result<(), CommandError> {
        let mut entered = None;
        if self.links == Links::Resolved {
            let real = fs::canonicalize(directory).map_err(|error| failed(&error))?;
            if !self.above.insert(real.clone()) {
                return Ok(());
            }
            entered = Some(real);
        }
        for entry in fs::read_dir(directory).map_err(|error| failed(&error))? {
            let name = entry.path.file_name().unwrap_or_default().as_bytes();
            let path = if prefix.is_empty() {
                name.to_vec()
            } else {
                [prefix, b"/", name].concat()
            };
            let kind = if self.links == Links::Resolved {
                metadata(&entry.path)?.file_type()
            } else {
                entry.file_type
            };
            if kind.is_dir() {
                // Entries below have their own rules, which may include them again.
                if !self.is_excluded(&path, true)? {
                    let mode = self.mode(&metadata(&entry.path)?);
                    self.put(|writer| writer.directory_with_mode(&path, mode))?;
                }
                self.below(&entry.path, &path)?;
            } else if kind.is_file() && !self.is_excluded(&path, false)? {
                self.file(&entry.path, &path)?;
            }
        }
        if let Some(real) = entered {
            self.above.remove(&real);
        }
        Ok(())
    }

    fn only(&mut self, file: &Path) -> Result<(), CommandError> {
        self.links = Links::Resolved;
        self.put(|writer| writer.directory_with_mode(b".", STAGED))?;
        let name = file.file_name().unwrap_or_default().as_bytes();
        if self.is_excluded(name, false)? {
            return Ok(());
        }
        self.file(file, name)
    }

    fn text(&mut self, text: &[u8]) -> Result<(), CommandError> {
        self.put(|writer| writer.directory_with_mode(b".", STAGED))?;
        let (name, size) = (STANDARD_INPUT.as_bytes(), text.len() as u64);
        self.put(|writer| writer.file_with_mode(name, 0o600, size, text))
    }

    fn file(&mut self, from: &Path, path: &[u8]) -> Result<(), CommandError> {
        let content = fs::open(from).map_err(|error| failed(&error))?;
        let metadata = content.metadata().map_err(|error| failed(&error))?;
        let mode = self.mode(&metadata);
        self.put(|writer| writer.file_with_mode(path, mode, metadata.len(), content))
    }

    /// Returns the mode in the tarball. A file packed in place keeps its mode. A copied file, such
    /// as a link target, loses bits to the umask as in Flux.
    fn mode(&self, metadata: &fs::Metadata) -> u32 {
        match self.links {
            Links::LeftOut => metadata.mode() & 0o7777,
            Links::Resolved => metadata.mode() & COPIED,
        }
    }

    fn put(
        &mut self,
        write: impl FnOnce(&mut Writer<W>) -> Result<(), tarball::Error>,
    ) -> Result<(), CommandError> {
        write(&mut self.writer).map_err(|error| failed(&error))
    }
}

fn metadata(path: &Path) -> Result<fs::Metadata, CommandError> {
    fs::metadata(path).map_err(|error| failed(&error))
}

/// Creates an unnamed file, which the kernel removes with the process.
pub fn temporary() -> Result<File, CommandError> {
    tempfile::tempfile()
        .map_err(|error| CommandError::user(format!("create a temporary file: {error}")))
}

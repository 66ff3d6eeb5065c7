//! Finds the content that the artifact commands pack: a directory, a file or standard input.
//!
//! Start at [`Origin::find`].

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::PathBuf;

use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::pack::{self, Content, Links};
use sluice_golang::error::chain;
use sluice_oci::package::Layer;
use sluice_system::fs;

use crate::error::CommandError;
use crate::flags;

/// Default ignore rules.
const IGNORED: &str = ".git/,.gitignore,.gitmodules,.gitattributes,*.jpg,*.jpeg,*.gif,*.png,*.wmv,*.flv,*.tar.gz,*.zip";
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
    pub fn display_origin(&self) -> String {
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
        let content = match self {
            Self::Directory(path) => Content::Directory(path),
            Self::File(path) => Content::File(path),
            Self::Text(text) => Content::Text(STANDARD_INPUT, text),
        };
        let (writer, digest, size) = pack::pack(content, selection.rules(), links, writer)
            .map_err(|error| CommandError::user(chain(&error)))?;
        let digest = digest
            .to_string()
            .parse()
            .expect("a SHA-256 digest is one of a registry's");
        let layer = Layer { digest, size };
        Ok((writer, layer))
    }
}

/// Creates an unnamed file, which the kernel removes with the process.
pub fn temporary() -> Result<File, CommandError> {
    tempfile::tempfile()
        .map_err(|error| CommandError::user(format!("create a temporary file: {error}")))
}

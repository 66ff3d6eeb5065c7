//! A tree as the artifact of a source, without links and files that Flux ignores.

use std::io::Write as _;
use std::path::Path;

use sluice_artifact::tarball::Writer;
use sluice_digest::Algorithm;
use sluice_system::fs;

/// Not compressed, because it stays on this machine.
const LEVEL: flate2::Compression = flate2::Compression::none();

/// Suffixes of files that Flux ignores.
const LEFT_OUT: &[&str] = &[
    "jpg", "jpeg", "gif", "png", "wmv", "flv", "gz", "zip", "svg", "md",
];

type Tarball = Writer<flate2::write::GzEncoder<Vec<u8>>>;

/// A served archive.
#[derive(Debug)]
pub(in super::super) struct Archive {
    pub(in super::super) bytes: Vec<u8>,
    pub(in super::super) digest: String,
}

pub(super) fn of(root: &Path) -> anyhow::Result<Archive> {
    let mut writer = Writer::new(flate2::write::GzEncoder::new(Vec::new(), LEVEL));
    writer.directory(b".")?;
    add(&mut writer, root, "")?;
    let mut encoder = writer.finish()?;
    encoder.flush()?;
    let bytes = encoder.finish()?;
    let digest = Algorithm::Sha256.digest(&bytes).to_string();
    Ok(Archive { bytes, digest })
}

fn add(writer: &mut Tarball, folder: &Path, below: &str) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(folder)?;
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    for entry in entries {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("{below}{name}");
        let ending = entry.path.extension().unwrap_or_default().to_string_lossy();
        if name.starts_with(".git") || LEFT_OUT.contains(&&*ending) {
            continue;
        }
        if entry.file_type.is_dir() {
            writer.directory(path.as_bytes())?;
            add(writer, &entry.path, &format!("{path}/"))?;
        } else if entry.file_type.is_file() {
            let bytes = fs::read(&entry.path)?;
            writer.file(path.as_bytes(), false, bytes.len() as u64, bytes.as_slice())?;
        }
    }
    Ok(())
}

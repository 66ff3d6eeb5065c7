//! Loads charts from folders, archives and lists of files.

mod archive;
mod directory;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;

use sluice_gotemplate::GoString;
use sluice_system::fs;

use crate::chart::{Chart, File};
use crate::error::Error;
use crate::metadata::{self, Metadata};
use crate::values;

pub use archive::{archive, archive_metadata};
pub use directory::{Links, directory};
pub use tree::IgnoreRules;

/// The deepest nesting of charts.
const MAX_CHARTS_DEPTH: usize = 50;

/// Limits of a chart; the sizes are Helm's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of all files.
    pub total: u64,
    /// The bytes of one file.
    pub file: u64,
    /// The number of files.
    pub files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: 100 << 20,
            file: 5 << 20,
            files: 100_000,
        }
    }
}

/// Loads a chart from a folder or an archive.
pub fn path(path: &Path, links: Links, limits: &Limits) -> Result<Chart, Error> {
    if fs::metadata(path)?.is_dir() {
        return directory(path, links, limits);
    }
    // The compressed bytes may be as many as the files have: they are not larger in practice.
    let bytes = fs::read_limited(path, limits.total)?;
    if !bytes.starts_with(&[0x1f, 0x8b, 0x08]) {
        let name = path.display();
        let is_yaml = path
            .extension()
            .is_some_and(|end| end == "yaml" || end == "yml");
        return Err(Error::Archive(if is_yaml {
            format!("file '{name}' seems to be a YAML file, but expected a gzipped archive")
        } else {
            let found = archive::content_type(&bytes);
            format!("file '{name}' does not appear to be a gzipped archive; got '{found}'")
        }));
    }
    archive(&bytes, limits)
}

/// Makes a chart of its files. Archives among them are unpacked within the limits.
pub fn files(files: Vec<File>, limits: &Limits) -> Result<Chart, Error> {
    let mut left = limits.total;
    assemble(files, limits, &mut left, 0)
}

/// `left` is the bytes that nested archives may still have.
fn assemble(
    files: Vec<File>,
    limits: &Limits,
    left: &mut u64,
    depth: usize,
) -> Result<Chart, Error> {
    if depth > MAX_CHARTS_DEPTH {
        return Err(Error::TooDeep(MAX_CHARTS_DEPTH));
    }
    let mut chart = Chart::default();
    let mut has_metadata = false;
    let content = |file: &'static str| move |reason: String| Error::Content { file, reason };
    for file in files.iter().filter(|file| file.name == "Chart.yaml") {
        metadata::decode_into(&mut chart.metadata, &file.data).map_err(content("Chart.yaml"))?;
        // Helm 2 accepted charts without one.
        if chart.metadata.api_version.is_empty() {
            "v1".clone_into(&mut chart.metadata.api_version);
        }
        chart.modified = file.modified;
        has_metadata = true;
    }
    let mut subcharts: BTreeMap<String, Vec<File>> = BTreeMap::new();
    for file in files {
        match file.name.as_str() {
            "Chart.yaml" => {}
            "Chart.lock" => {
                chart.lock = metadata::decode_lock(&file.data).map_err(content("Chart.lock"))?;
            }
            "values.yaml" => {
                chart.values = values::parse(&file.data).map_err(content("values.yaml"))?;
                chart.has_values = true;
                chart.values_file = Some(file);
            }
            "values.schema.json" => {
                chart.schema = Some(file.data);
                chart.schema_modified = file.modified;
            }
            "requirements.yaml" => {
                metadata::decode_into(&mut chart.metadata, &file.data)
                    .map_err(content("requirements.yaml"))?;
                has_metadata = true;
                if chart.metadata.api_version == "v1" {
                    chart.files.push(file);
                }
            }
            "requirements.lock" => {
                chart.lock =
                    metadata::decode_lock(&file.data).map_err(content("requirements.lock"))?;
                if chart.metadata.api_version == "v1" {
                    chart.files.push(file);
                }
            }
            name if name.starts_with("templates/") => chart.templates.push(file),
            name => match name.strip_prefix("charts/") {
                Some(inner) if !is_provenance(inner) => {
                    let name = inner.to_owned();
                    let of = inner.split('/').next().unwrap_or_default().to_owned();
                    subcharts.entry(of).or_default().push(File { name, ..file });
                }
                _ => chart.files.push(file),
            },
        }
    }
    if !has_metadata {
        return Err(Error::NoMetadata);
    }
    chart.metadata.validate()?;
    for (name, files) in subcharts {
        if name.starts_with(['_', '.']) {
            continue;
        }
        let loaded = subchart(&chart, &name, files, limits, left, depth);
        chart.dependencies.push(loaded?);
    }
    Ok(chart)
}

fn subchart(
    chart: &Chart,
    name: &str,
    files: Vec<File>,
    limits: &Limits,
    left: &mut u64,
    depth: usize,
) -> Result<Chart, Error> {
    let failed = |source| Error::Subchart {
        subchart: name.to_owned(),
        chart: chart.name().to_owned(),
        source: Box::new(source),
    };
    if has_extension(name, "tgz") {
        let Some(file) = files.into_iter().next() else {
            return Err(failed(Error::NoMetadata));
        };
        if file.name != name {
            let (of, found) = (chart.name(), &file.name);
            return Err(Error::Archive(format!(
                "error unpacking subchart tar in {of}: expected {name}, got {found}"
            )));
        }
        let inner = Limits {
            total: *left,
            ..*limits
        };
        let unpacked = archive::unpack(&file.data[..], &inner).map_err(failed)?;
        let bytes: u64 = unpacked.iter().map(|file| file.data.len() as u64).sum();
        *left = left.saturating_sub(bytes);
        return assemble(unpacked, limits, left, depth + 1).map_err(failed);
    }
    let below = files.into_iter().filter_map(|file| {
        // A file directly below `charts/` belongs to no chart.
        let (_, name) = file.name.split_once('/')?;
        let name = name.to_owned();
        Some(File { name, ..file })
    });
    assemble(below.collect(), limits, left, depth + 1).map_err(failed)
}

fn is_provenance(name: &str) -> bool {
    has_extension(name, "prov")
}

fn has_extension(name: &str, extension: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.')
        .is_some_and(|(_, found)| found == extension)
}

/// A file of a chart without a time. A byte order mark is dropped.
pub fn file(name: &str, data: Vec<u8>) -> File {
    File {
        name: name.to_owned(),
        data: without_mark(data),
        modified: None,
    }
}

/// The metadata of a chart in a folder, from its `Chart.yaml` and `requirements.yaml`.
pub fn folder_metadata(chart: &[u8], requirements: Option<&[u8]>) -> Result<Metadata, Error> {
    let mut metadata = Metadata::default();
    let invalid =
        |file: &str, error: String| Error::Archive(format!("cannot load '{file}': {error}"));
    metadata::decode_into(&mut metadata, chart).map_err(|error| invalid("Chart.yaml", error))?;
    if metadata.api_version.is_empty() {
        "v1".clone_into(&mut metadata.api_version);
    }
    if let Some(requirements) = requirements {
        let decoded = metadata::decode_into(&mut metadata, requirements);
        decoded.map_err(|error| invalid("requirements.yaml", error))?;
    }
    metadata.validate()?;
    Ok(metadata)
}

/// The content of a file without a byte order mark.
fn without_mark(data: Vec<u8>) -> GoString {
    match data.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.into(),
        None => data.into(),
    }
}

//! Writes a chart as an archive, with the bytes of `helm package`.
//!
//! A file without a time gets the first second of 1970, so that equal charts have equal archives.
//! Helm writes the present instead.
//!
//! Parity: Helm 4.2: pkg/chart/v2/util/save.go.

use std::io::Write;

use serde::de::IgnoredAny;
use sluice_artifact::deflate::{GzipHeader, GzipWriter};
use sluice_artifact::tarball::{self, Writer};
use sluice_yaml::v2;

use crate::chart::{Chart, File};
use crate::error::Error;
use crate::metadata::encode;
use crate::values::Json;

/// Helm's marks in the header of its archives.
const HEADER: GzipHeader = GzipHeader {
    extra: b"rr\x28\x00aHR0cHM6Ly95b3V0dS5iZS96OVV6MWljandyTQo=",
    comment: "Helm",
};
const MODE: u32 = 0o644;
/// The deepest nesting of charts.
const MAX_DEPTH: usize = 50;

/// Why a chart could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The metadata is not valid.
    #[error("chart validation: {0}")]
    Invalid(Error),
    /// The schema is not JSON.
    #[error("invalid JSON in values.schema.json")]
    Schema,
    /// Charts nest too deep.
    #[error("charts nest deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// The archive could not be written.
    #[error(transparent)]
    Write(#[from] tarball::Error),
    /// The compressed bytes could not be written.
    #[error("failed to compress the chart")]
    Compress(#[source] std::io::Error),
}

/// Writes a chart, and returns the writer.
pub fn package<W: Write>(chart: &Chart, out: W) -> Result<W, PackageError> {
    let mut metadata = chart.metadata.clone();
    metadata.validate().map_err(PackageError::Invalid)?;
    let mut writer = Writer::new(GzipWriter::with_header(out, HEADER));
    write(chart, chart.name(), 0, &mut writer)?;
    writer.finish()?.finish().map_err(PackageError::Compress)
}

fn write<W: Write>(
    chart: &Chart,
    folder: &str,
    depth: usize,
    writer: &mut Writer<W>,
) -> Result<(), PackageError> {
    if depth > MAX_DEPTH {
        return Err(PackageError::TooDeep);
    }
    let mut add = |name: &str, modified, content: &[u8]| {
        let path = format!("{folder}/{name}");
        writer.file_in_any_order(path.as_bytes(), MODE, modified, content)
    };
    let mut metadata = chart.metadata.clone();
    let is_v1 = metadata.api_version == "v1";
    if is_v1 {
        // `requirements.yaml` has them.
        metadata.dependencies = None;
    }
    let text = v2::to_string(&Json::Object(encode::encode(&metadata)));
    add("Chart.yaml", chart.modified, text.as_bytes())?;
    if let Some(lock) = chart.lock.as_ref().filter(|_| metadata.api_version == "v2") {
        let text = v2::to_string(&encode::encode_lock(lock));
        add("Chart.lock", lock.generated.parse().ok(), text.as_bytes())?;
    }
    if let Some(values) = &chart.values_file {
        add("values.yaml", values.modified, &values.data)?;
    }
    if let Some(schema) = &chart.schema {
        if serde_json::from_slice::<IgnoredAny>(schema).is_err() {
            return Err(PackageError::Schema);
        }
        add("values.schema.json", chart.schema_modified, schema)?;
    }
    let files = chart.templates.iter().chain(&chart.files);
    for File {
        name,
        data,
        modified,
    } in files
    {
        add(name, *modified, data)?;
    }
    for dependency in &chart.dependencies {
        let folder = format!("{folder}/charts/{}", dependency.name());
        write(dependency, &folder, depth + 1, writer)?;
    }
    Ok(())
}

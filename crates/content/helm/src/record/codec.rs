//! The stored form of a record: JSON, gzip, base64.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use sluice_golang::base64;
use sluice_yaml::json;

use super::Release;
use sluice_chart::values::Json;

/// The largest record after it is inflated.
pub const MAX_INFLATED_BYTES: u64 = 64 << 20;
/// The start of compressed data.
const MAGIC: &[u8] = &[0x1f, 0x8b, 0x08];

/// Why stored data is not a release.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The data is not base64.
    #[error("{0}")]
    Base64(#[from] base64::CorruptInputError),
    /// The compressed data is broken.
    #[error("failed to inflate the record: {0}")]
    Gzip(std::io::Error),
    /// The inflated data is above the limit.
    #[error("the record is larger than {} MiB after inflating", MAX_INFLATED_BYTES >> 20)]
    TooLarge,
    /// The inflated data is not JSON.
    #[error("{0}")]
    Json(String),
    /// A field has another type, or a part of the release is missing.
    #[error("{0}")]
    Shape(String),
}

impl Release {
    /// Reads stored data: base64 of JSON, which is compressed unless Helm 2 wrote it.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        let bytes = base64::decode(data)?;
        if bytes.len() > 3 && bytes.starts_with(MAGIC) {
            return Self::from_json(&inflate(&bytes, MAX_INFLATED_BYTES)?);
        }
        Self::from_json(&bytes)
    }

    /// Writes the data to store.
    pub fn encode(&self) -> Result<String, std::io::Error> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(self.to_json().as_bytes())?;
        Ok(base64::encode(&encoder.finish()?))
    }

    /// Reads the JSON of a release.
    pub fn from_json(bytes: &[u8]) -> Result<Self, DecodeError> {
        let json = json::from_slice(bytes).map_err(|error| DecodeError::Json(error.to_string()))?;
        let Json::Object(object) = json else {
            let reason = "the record is not a JSON object";
            return Err(DecodeError::Shape(reason.to_owned()));
        };
        Self::from_object(object).map_err(DecodeError::Shape)
    }
}

/// Inflates a record. Concatenated streams count as one, as in Go.
fn inflate(bytes: &[u8], limit: u64) -> Result<Vec<u8>, DecodeError> {
    let mut inflated = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    let mut limited = decoder.take(limit + 1);
    limited
        .read_to_end(&mut inflated)
        .map_err(DecodeError::Gzip)?;
    if inflated.len() as u64 > limit {
        return Err(DecodeError::TooLarge);
    }
    Ok(inflated)
}

#[cfg(test)]
mod tests;

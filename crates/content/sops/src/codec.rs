//! Reads and writes each [`Format`] as a list of branches, with its metadata.
//!
//! A reader keeps the order of entries and every comment that its format knows. Both are
//! part of the authenticated and encrypted data.
//!
//! Parity: sops: stores/*.

mod binary;
mod dotenv;
mod flatten;
mod ini;
pub(crate) mod json;
mod section;
mod yaml;

use crate::error::{EmitError, LoadError};
use crate::format::Format;
use crate::metadata::Metadata;
use crate::tree::{Branch, Value};

impl Format {
    /// Parses an encrypted text.
    pub(crate) fn load(self, bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
        match self {
            Self::Binary | Self::Json => json::load(bytes),
            Self::Dotenv => dotenv::load(bytes),
            Self::Ini => ini::load(bytes),
            Self::Yaml => yaml::load(bytes),
        }
    }

    /// Parses a plain text.
    pub(crate) fn load_plain(self, bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
        match self {
            Self::Binary => Ok(binary::load(bytes)),
            _ => self.load(bytes),
        }
    }

    /// Renders a plain text.
    pub(crate) fn emit(self, branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
        match self {
            Self::Binary => binary::emit(branches),
            _ => self.emit_encrypted(branches),
        }
    }

    /// Renders an encrypted text.
    pub(crate) fn emit_encrypted(self, branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
        match self {
            Self::Binary | Self::Json => json::emit(branches),
            Self::Dotenv => dotenv::emit(branches),
            Self::Ini => ini::emit(branches),
            Self::Yaml => Ok(yaml::emit(branches)),
        }
    }

    /// Splits the metadata off a document.
    pub(crate) fn extract(
        self,
        mut branches: Vec<Branch>,
    ) -> Result<(Vec<Branch>, Metadata), LoadError> {
        let section = match self {
            Self::Binary | Self::Json | Self::Yaml => section::take(&mut branches)?,
            Self::Ini => flatten::unflatten(&section::unescaped(section::take(&mut branches)?))?,
            Self::Dotenv => flatten::unflatten(&section::take_prefixed(&mut branches)?)?,
        };
        Ok((branches, Metadata::read(&section)?))
    }

    /// Adds the metadata to a document.
    pub(crate) fn embed(
        self,
        mut branches: Vec<Branch>,
        metadata: &Metadata,
    ) -> Result<Vec<Branch>, EmitError> {
        let section = metadata.write();
        match self {
            Self::Binary | Self::Json | Self::Yaml => {
                section::put(&mut branches, &Value::Branch(section))?;
            }
            Self::Ini => {
                let flat = section::escaped(flatten::flatten(&section)?);
                section::put(&mut branches, &Value::Branch(flat))?;
            }
            Self::Dotenv => section::put_prefixed(&mut branches, &flatten::flatten(&section)?)?,
        }
        Ok(branches)
    }
}

/// Renders a scalar for the flat formats.
///
/// Parity: sops: `ValToString` in stores/stores.go.
fn scalar_text(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => b"<nil>".to_vec(),
        Value::Bool(value) => value.to_string().into_bytes(),
        Value::Int(value) => value.to_string().into_bytes(),
        Value::Float(value) if value.is_finite() => {
            let text = sluice_golang::number::format_g(*value).to_uppercase();
            if text.contains(['.', 'E']) {
                text.into_bytes()
            } else {
                format!("{text}.0").into_bytes()
            }
        }
        other => other.to_bytes().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;

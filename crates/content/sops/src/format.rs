//! The formats of documents: each a text ↔ branches, and where it keeps the metadata.
//!
//! A reader keeps the order of entries and every comment that its format knows, as
//! both are part of what is authenticated and encrypted.
//!
//! Parity: sops: stores/*.

mod binary;
mod dotenv;
mod flatten;
mod ini;
pub(crate) mod json;
mod section;
mod yaml;

use std::fmt;

use crate::error::{EmitError, LoadError};
use crate::metadata::Metadata;
use crate::tree::{Branch, Value};

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Anything; encrypted, it is a JSON document around a text.
    Binary,
    /// Lines of `KEY=value`.
    Dotenv,
    /// Sections of `key = value`.
    Ini,
    /// JSON
    Json,
    /// YAML, of one or more documents.
    Yaml,
}

/// The entry of a Secret whose name is not an extension and says JSON all the same.
const DOCKER_CONFIG: &str = ".dockerconfigjson";

impl Format {
    /// The format that the name of a file, or of an entry of a Secret, stands for.
    pub fn of_path(path: &str) -> Self {
        let ends = |suffix: &str| path.ends_with(suffix);
        if ends(".yaml") || ends(".yml") {
            Self::Yaml
        } else if ends(".json") || ends(DOCKER_CONFIG) {
            Self::Json
        } else if ends(".env") {
            Self::Dotenv
        } else if ends(".ini") {
            Self::Ini
        } else {
            Self::Binary
        }
    }

    /// The format in which some bytes seem to be encrypted; nothing if in none.
    ///
    /// Flux asks in no order, so that what has two marks is now this, now that.
    /// Here the mark that the others do not occur in comes first.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        [Self::Dotenv, Self::Ini, Self::Yaml, Self::Json]
            .into_iter()
            .find(|format| format.is_marked(bytes))
    }

    /// Whether some bytes have the mark of what is encrypted in this format.
    pub fn is_marked(self, bytes: &[u8]) -> bool {
        let mark: &[u8] = match self {
            Self::Binary | Self::Json => b"\"mac\": \"ENC[",
            Self::Dotenv => b"sops_mac=ENC[",
            Self::Ini => b"[sops]",
            Self::Yaml => b"mac: ENC[",
        };
        bytes.windows(mark.len()).any(|window| window == mark)
    }

    /// Reads an encrypted text.
    pub(crate) fn load(self, bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
        match self {
            Self::Binary | Self::Json => json::load(bytes),
            Self::Dotenv => dotenv::load(bytes),
            Self::Ini => ini::load(bytes),
            Self::Yaml => yaml::load(bytes),
        }
    }

    /// Reads a plain text.
    pub(crate) fn load_plain(self, bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
        match self {
            Self::Binary => Ok(binary::load(bytes)),
            _ => self.load(bytes),
        }
    }

    /// Prints a plain text.
    pub(crate) fn emit(self, branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
        match self {
            Self::Binary => binary::emit(branches),
            _ => self.emit_encrypted(branches),
        }
    }

    /// Prints an encrypted text.
    pub(crate) fn emit_encrypted(self, branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
        match self {
            Self::Binary | Self::Json => json::emit(branches),
            Self::Dotenv => dotenv::emit(branches),
            Self::Ini => ini::emit(branches),
            Self::Yaml => Ok(yaml::emit(branches)),
        }
    }

    /// Takes the metadata out of a document.
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

    /// Puts the metadata into a document.
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

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary",
            Self::Dotenv => "dotenv",
            Self::Ini => "INI",
            Self::Json => "JSON",
            Self::Yaml => "YAML",
        })
    }
}

/// A scalar as the flat formats print it.
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

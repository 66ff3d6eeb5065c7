//! The file formats that SOPS encrypts, and how to recognise them.

use std::fmt;

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Any content; encrypted, it is a text in a JSON document.
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

/// An entry of a Secret that is JSON although its name has no extension.
const DOCKER_CONFIG: &str = ".dockerconfigjson";

impl Format {
    /// Returns the format for the name of a file, or of an entry of a Secret.
    pub fn from_path(path: &str) -> Self {
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

    /// Returns the format in which bytes seem to be encrypted.
    ///
    /// Flux checks the marks in random order. Here the most specific mark comes first, so the
    /// result for bytes with several marks is stable.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        [Self::Dotenv, Self::Ini, Self::Yaml, Self::Json]
            .into_iter()
            .find(|format| format.is_marked(bytes))
    }

    /// Whether bytes contain the mark of this format's encrypted files.
    pub fn is_marked(self, bytes: &[u8]) -> bool {
        let mark: &[u8] = match self {
            Self::Binary | Self::Json => b"\"mac\": \"ENC[",
            Self::Dotenv => b"sops_mac=ENC[",
            Self::Ini => b"[sops]",
            Self::Yaml => b"mac: ENC[",
        };
        bytes.windows(mark.len()).any(|window| window == mark)
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

//! Manifests and indexes.
//!
//! Only the content decides the type of a document. If a verifier and a puller disagree on the
//! type, an attacker can show them different content. A document that is valid as both is therefore
//! rejected.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use sluice_digest::Digest;

/// The media type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The media type of an index.
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
const DOCKER_INDEX: &str = "application/vnd.docker.distribution.manifest.list.v2+json";

/// The `Accept` header: all supported documents.
pub(crate) const ACCEPTED: &str = "application/vnd.oci.image.manifest.v1+json, \
     application/vnd.docker.distribution.manifest.v2+json, \
     application/vnd.oci.image.index.v1+json, \
     application/vnd.docker.distribution.manifest.list.v2+json";

/// Maximum size of a document, as in registries.
pub const LIMIT: u64 = 4 << 20;

/// The platform that is selected from an index, like in Flux.
const PLATFORM: (&str, &str) = ("linux", "amd64");

/// A descriptor of content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The digest.
    pub digest: Digest,
    /// The annotations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
    /// The platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// The artifact type of the described document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
}

/// A platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// The processor architecture.
    #[serde(default)]
    pub architecture: String,
    /// The operating system.
    #[serde(default)]
    pub os: String,
}

/// A manifest: a configuration and layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The schema version, which is 2.
    pub schema_version: u64,
    /// The media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The configuration.
    pub config: Descriptor,
    /// The layers, lowest first.
    pub layers: Vec<Descriptor>,
    /// The annotations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
}

/// An index: manifests for several platforms, or of several artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// The media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The manifests.
    pub manifests: Vec<Descriptor>,
    /// The annotations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
}

/// A manifest or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// A manifest.
    Manifest(Box<Manifest>),
    /// An index.
    Index(Index),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    schema_version: Option<u64>,
    media_type: Option<String>,
    config: Option<serde::de::IgnoredAny>,
    layers: Option<serde::de::IgnoredAny>,
    manifests: Option<serde::de::IgnoredAny>,
}

impl Document {
    /// Parses a document. Errors name it by `what`.
    pub fn parse(json: &[u8], what: &str) -> Result<Self, Error> {
        let syntax = |error: serde_json::Error| {
            Error::invalid(what, crate::text::printable(&error.to_string(), 200))
        };
        let shape: Shape = serde_json::from_slice(json).map_err(syntax)?;
        if shape.schema_version == Some(1) {
            let reason = "it has schema version 1, which has no signatures";
            return Err(Error::invalid(what, reason));
        }
        let manifest = shape.config.is_some() || shape.layers.is_some();
        let index = shape.manifests.is_some();
        let named = shape.media_type.as_deref();
        let (is_manifest, is_index) = match named {
            Some(MANIFEST | DOCKER_MANIFEST) => (true, false),
            Some(INDEX | DOCKER_INDEX) => (false, true),
            Some(other) => {
                let other = crate::text::printable(other, 100);
                return Err(Error::invalid(what, format!("its media type is '{other}'")));
            }
            None => (manifest, index),
        };
        match (is_manifest && !index, is_index && !manifest) {
            (true, false) => serde_json::from_slice(json)
                .map(|manifest| Self::Manifest(Box::new(manifest)))
                .map_err(syntax),
            (false, true) => serde_json::from_slice(json)
                .map(Self::Index)
                .map_err(syntax),
            _ => Err(Error::invalid(
                what,
                "it is not clear whether it is a manifest or an index",
            )),
        }
    }
}

impl Document {
    /// The declared media type, or the one of its structure.
    pub fn media_type(&self) -> &str {
        match self {
            Self::Manifest(manifest) => manifest.media_type.as_deref().unwrap_or(MANIFEST),
            Self::Index(index) => index.media_type.as_deref().unwrap_or(INDEX),
        }
    }

    /// An annotation of the document.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        let annotations = match self {
            Self::Manifest(manifest) => manifest.annotations.as_ref(),
            Self::Index(index) => index.annotations.as_ref(),
        };
        annotations?.get(key).map(String::as_str)
    }
}

impl Index {
    /// The descriptor for the default platform.
    pub fn choose(&self, what: &str) -> Result<&Descriptor, Error> {
        let (os, architecture) = PLATFORM;
        self.manifests
            .iter()
            .find(|child| {
                child.platform.as_ref().is_none_or(|platform| {
                    platform.os == os && platform.architecture == architecture
                })
            })
            .ok_or_else(|| {
                Error::invalid(what, format!("no child with platform {os}/{architecture}"))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn descriptor(more: &str) -> String {
        format!(r#"{{"mediaType":"x","size":0,"digest":"{DIGEST}"{more}}}"#)
    }

    #[test]
    fn content_decides_document_type() {
        let config = descriptor("");
        let manifest = format!(r#"{{"schemaVersion":2,"config":{config},"layers":[]}}"#);
        let index = format!(r#"{{"schemaVersion":2,"manifests":[{config}]}}"#);
        assert!(matches!(
            Document::parse(manifest.as_bytes(), "x"),
            Ok(Document::Manifest(_))
        ));
        assert!(matches!(
            Document::parse(index.as_bytes(), "x"),
            Ok(Document::Index(_))
        ));
    }

    #[test]
    fn ambiguous_document_is_rejected() {
        let config = descriptor("");
        for json in [
            format!(
                r#"{{"schemaVersion":2,"config":{config},"layers":[],"manifests":[{config}]}}"#
            ),
            format!(r#"{{"schemaVersion":2,"mediaType":"{INDEX}","config":{config},"layers":[]}}"#),
            format!(r#"{{"schemaVersion":2,"mediaType":"{MANIFEST}","manifests":[{config}]}}"#),
            format!(r#"{{"schemaVersion":2,"mediaType":"text/html","manifests":[{config}]}}"#),
            r#"{"schemaVersion":1,"fsLayers":[]}"#.to_owned(),
            r#"{"schemaVersion":2}"#.to_owned(),
            "[]".to_owned(),
            String::new(),
        ] {
            assert!(Document::parse(json.as_bytes(), "x").is_err(), "{json}");
        }
    }

    #[test]
    fn index_selects_default_platform() {
        let platform = |os: &str, architecture: &str, size: u64| {
            format!(
                r#"{{"mediaType":"x","size":{size},"digest":"{DIGEST}","platform":{{"os":"{os}","architecture":"{architecture}"}}}}"#
            )
        };
        let index = |children: &[String]| {
            let json = format!(r#"{{"manifests":[{}]}}"#, children.join(","));
            match Document::parse(json.as_bytes(), "index of x") {
                Ok(Document::Index(index)) => index,
                other => panic!("{other:?}"),
            }
        };
        let several = index(&[platform("linux", "arm64", 1), platform("linux", "amd64", 2)]);
        assert_eq!(several.choose("x").unwrap().size, 2);
        let silent = index(&[descriptor("")]);
        assert_eq!(silent.choose("x").unwrap().size, 0);
        let other = index(&[platform("windows", "amd64", 1)]);
        assert_eq!(
            other.choose("index of x").unwrap_err().to_string(),
            "index of x is invalid: no child with platform linux/amd64"
        );
    }
}

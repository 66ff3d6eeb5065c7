//! Creates the configuration and manifest for `push artifact`. The bytes are those of Flux, so that
//! equal content has the same digest.
//!
//! Parity: fluxcd/pkg: oci/push.go v0.68.1 over go-containerregistry: pkg/v1/mutate v0.21.6, which
//! keeps the empty configuration.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::manifest::{Descriptor, MANIFEST, Manifest};
use sluice_digest::Digest;

/// The media type of Flux's layers.
pub const CONTENT_TYPE: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";
/// The media type of Flux's configurations.
pub const CONFIG_TYPE: &str = "application/vnd.cncf.flux.config.v1+json";
/// The annotation with the source of the content.
pub const SOURCE: &str = "org.opencontainers.image.source";
/// The annotation with the revision.
pub const REVISION: &str = "org.opencontainers.image.revision";
/// The annotation with the creation time.
pub const CREATED: &str = "org.opencontainers.image.created";

/// A compressed tarball.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Of the compressed bytes.
    pub digest: Digest,
    /// Of the compressed bytes.
    pub size: u64,
}

/// The documents that are pushed with the layer.
#[derive(Debug, Clone)]
pub struct Package {
    /// The configuration.
    pub config: Bytes,
    /// Its digest.
    pub config_digest: Digest,
    /// The manifest.
    pub manifest: Bytes,
    /// Its digest.
    pub digest: Digest,
}

/// The empty configuration. All metadata is in the manifest's annotations.
const CONFIG: &str = r#"{"architecture":"","created":"0001-01-01T00:00:00Z","os":"","rootfs":{"type":"layers","diff_ids":null},"config":{}}"#;

impl Package {
    /// Creates a package. `created` is an RFC 3339 time, which `annotations` may override.
    pub fn new(
        layer: &Layer,
        source: &str,
        revision: &str,
        created: &str,
        annotations: &BTreeMap<String, String>,
    ) -> Self {
        let mut all = BTreeMap::from([
            (CREATED.to_owned(), created.to_owned()),
            (SOURCE.to_owned(), source.to_owned()),
            (REVISION.to_owned(), revision.to_owned()),
        ]);
        all.extend(annotations.clone());
        let config = Bytes::from_static(CONFIG.as_bytes());
        let config_digest = Digest::of(&config);
        let described = |media_type: &str, digest: &Digest, size: u64| Descriptor {
            media_type: media_type.to_owned(),
            size,
            digest: digest.clone(),
            annotations: None,
            platform: None,
            artifact_type: None,
        };
        let manifest = Manifest {
            schema_version: 2,
            media_type: Some(MANIFEST.to_owned()),
            config: described(CONFIG_TYPE, &config_digest, config.len() as u64),
            layers: vec![described(CONTENT_TYPE, &layer.digest, layer.size)],
            annotations: Some(all),
        };
        let manifest: Bytes = serde_json::to_vec(&manifest)
            .expect("a manifest is always JSON")
            .into();
        Self {
            digest: Digest::of(&manifest),
            config,
            config_digest,
            manifest,
        }
    }
}

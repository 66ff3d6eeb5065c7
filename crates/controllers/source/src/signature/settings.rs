//! The settings of the process for keyless signatures.

use std::path::PathBuf;
use std::sync::Arc;

use sluice_attest::sigstore::MAX_ROOT_BYTES;
use sluice_golang::error::chain;
use sluice_system::{blocking, fs};

use super::refresh::PublicRoot;

/// The feature gate that refuses objects without identities.
pub(crate) const REQUIRE_OIDC_IDENTITY: &str = "RequireOIDCIdentity";

/// The settings of the process for keyless signatures.
#[derive(Debug, Clone)]
pub(crate) struct KeylessSettings {
    root: RootSource,
    requires_identity: bool,
}

/// Where the trusted root of the process comes from.
#[derive(Debug, Clone)]
enum RootSource {
    File(PathBuf),
    Public(Arc<PublicRoot>),
}

impl KeylessSettings {
    /// Without a file, the trusted root is that of the public instance.
    pub(crate) fn new(file: Option<PathBuf>, requires_identity: bool) -> Self {
        let public = || RootSource::Public(Arc::new(PublicRoot::embedded()));
        Self {
            root: file.map_or_else(public, RootSource::File),
            requires_identity,
        }
    }

    /// The root of the public instance, if the process uses it.
    pub(crate) const fn public(&self) -> Option<&Arc<PublicRoot>> {
        match &self.root {
            RootSource::File(_) => None,
            RootSource::Public(root) => Some(root),
        }
    }

    /// Whether an object must name identities.
    pub(super) const fn requires_identity(&self) -> bool {
        self.requires_identity
    }

    /// Reads the trusted root. A mounted file may change at any time, so each use reads it.
    pub(super) async fn root(&self) -> Result<Arc<[u8]>, String> {
        let file = match &self.root {
            RootSource::Public(root) => return Ok(root.get()),
            RootSource::File(file) => file.clone(),
        };
        let limit = u64::try_from(MAX_ROOT_BYTES).unwrap_or(u64::MAX);
        let bytes = blocking(move || fs::read_limited(file, limit)).await;
        bytes
            .map(Into::into)
            .map_err(|error| format!("unable to initialize trusted root: {}", chain(&error)))
    }
}

//! Reads the Secrets of a `HelmRepository`, and downloads its index.

use kube::ResourceExt;
use sluice_api::meta::reason;
use sluice_api::source::HelmRepository;

use super::HelmRepositoryKind;
use super::model::FetchedIndex;
use super::spec::Spec;
use crate::fault::Fault;
use crate::helm::access;
use crate::helm::http::{DownloadError, HttpRepository};

impl HelmRepositoryKind {
    /// Reads the Secrets of an object and configures its client.
    pub(super) async fn remote(
        &self,
        object: &HelmRepository,
        spec: &Spec,
    ) -> Result<HttpRepository, Fault> {
        let namespace = object.namespace().unwrap_or_default();
        let access = access::read(&self.secrets, &namespace, &object.spec).await;
        let access = access.map_err(|why| Fault::retry(reason::AUTHENTICATION_FAILED, why))?;
        let (url, timeout) = (spec.url.clone(), spec.timeout);
        Ok(HttpRepository::new(url, &object.spec, timeout, access))
    }

    /// Downloads the index.
    pub(super) async fn fetch(
        &self,
        remote: &HttpRepository,
        spec: &Spec,
    ) -> Result<FetchedIndex, Fault> {
        let limit = self.limits.index;
        let downloading = remote.download(&self.http, &spec.index, limit);
        let download = downloading.await.map_err(|error| {
            let why = match error {
                DownloadError::TooLarge { limit } => {
                    format!("index exceeds the maximum index file size of {limit} bytes")
                }
                error => error.to_string(),
            };
            let action =
                "failed to fetch Helm repository index: failed to cache index to temporary file";
            Fault::retry(reason::FAILED, format!("{action}: {why}"))
        })?;
        Ok(FetchedIndex {
            digest: download.digest,
            text: download.content,
        })
    }
}

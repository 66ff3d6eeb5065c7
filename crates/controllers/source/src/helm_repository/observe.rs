//! Reads the Secrets of a `HelmRepository`, and downloads its index.

use sluice_api::meta::reason;
use sluice_api::source::HelmRepository;
use sluice_client::typed::ResourceExt;
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;

use super::HelmRepositoryKind;
use super::model::FetchedIndex;
use super::spec::{CACHE_INDEX, Spec};
use super::unchanged::DownloadedIndex;
use crate::fault::Fault;
use crate::helm::http::{DownloadError, HttpRepository};
use crate::helm::{HelmClients, access};

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

    /// Downloads the index. The server may answer that the stored one is current.
    pub(super) async fn fetch(
        &self,
        object: &HelmRepository,
        remote: &HttpRepository,
        spec: &Spec,
    ) -> Result<FetchedIndex, Fault> {
        let (key, url) = (ObjectKey::of(object), &spec.index);
        let artifact = object.status.as_ref();
        let artifact = artifact.and_then(|status| status.artifact.as_ref());
        let stored = artifact.map(|artifact| &*artifact.revision);
        let known = self.downloaded.get(&key, url, stored);
        let validators = known.as_ref().map(|known| known.validators.clone());
        let validators = validators.unwrap_or_default();
        let HelmClients { http, limits, .. } = &self.clients;
        let limit = limits.index;
        let downloading = remote.download_changed(http, url, limit, &validators);
        match (downloading.await.map_err(refused)?, known) {
            (None, Some(known)) => Ok(FetchedIndex {
                digest: known.digest,
                text: None,
            }),
            (None, None) => Err(Fault::retry(reason::FAILED, "the server sent no index")),
            (Some(download), _) => {
                let index = DownloadedIndex {
                    url: url.clone(),
                    digest: download.digest.clone(),
                    validators: download.validators,
                };
                self.downloaded.record(&key, index);
                Ok(FetchedIndex {
                    digest: download.digest,
                    text: Some(download.content),
                })
            }
        }
    }

    /// Downloads the index, even if the server would answer that it did not change.
    pub(super) async fn fetch_text(
        &self,
        remote: &HttpRepository,
        spec: &Spec,
    ) -> Result<FetchedIndex, Fault> {
        let HelmClients { http, limits, .. } = &self.clients;
        let downloading = remote.download(http, &spec.index, limits.index);
        let download = downloading.await.map_err(refused)?;
        Ok(FetchedIndex {
            digest: download.digest,
            text: Some(download.content),
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn refused(error: DownloadError) -> Fault {
    let why = match &error {
        DownloadError::TooLarge { limit } => {
            format!("index exceeds the maximum index file size of {limit} bytes")
        }
        error => chain(error),
    };
    Fault::retry(reason::FAILED, format!("{CACHE_INDEX}: {why}"))
}

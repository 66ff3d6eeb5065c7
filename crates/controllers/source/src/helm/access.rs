//! Reads the Secrets of a `HelmRepository`.

use sluice_api::meta::LocalObjectReference;
use sluice_api::source::HelmRepositorySpec;
use sluice_dial::{Basic, Tls};
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_host::secrets::{SecretData, SecretError};

/// The content of the Secrets of a repository.
#[derive(Debug, Default)]
pub(crate) struct HelmAccess {
    pub(crate) tls: Tls,
    pub(crate) basic: Option<Basic>,
    /// The Secret of `spec.secretRef`, which may have the credentials of a registry.
    pub(crate) secret: Option<SecretData>,
}

/// Reads the Secrets. The error is the message of the condition.
pub(crate) async fn read(
    secrets: &Secrets,
    namespace: &str,
    spec: &HelmRepositorySpec,
) -> Result<HelmAccess, String> {
    let mut access = HelmAccess::default();
    let mut has_tls = false;
    if let Some(reference) = &spec.cert_secret_ref {
        let secret = get(secrets, namespace, reference, "TLS authentication").await?;
        let failed = |why: String| format!("failed to construct Helm client's TLS config: {why}");
        let tls = secret.required_tls();
        access.tls = tls.map_err(|error| failed(chain(&error)))?;
        has_tls = true;
    }
    if let Some(reference) = &spec.secret_ref {
        let secret = get(secrets, namespace, reference, "authentication").await?;
        let failed = |error: SecretError| {
            let error = chain(&error);
            format!("failed to detect authentication methods: {error}")
        };
        access.basic = Basic::from_keys(&secret).map_err(|source| {
            let key = secret.key().clone();
            failed(SecretError::Invalid { key, source })
        })?;
        let tls = secret.tls().map_err(failed)?;
        if let (Some(tls), false) = (tls, has_tls) {
            tracing::info!(
                "warning: specifying TLS authentication data via `.spec.secretRef` is deprecated, \
                 please use `.spec.certSecretRef` instead"
            );
            access.tls = tls;
        }
        access.secret = Some(secret);
    }
    Ok(access)
}

async fn get(
    secrets: &Secrets,
    namespace: &str,
    reference: &LocalObjectReference,
    what: &str,
) -> Result<SecretData, String> {
    let name = &reference.name;
    secrets.get(namespace, name).await.map_err(|error| {
        let why = if error.is_not_found() {
            format!("secrets \"{name}\" not found")
        } else {
            chain(&error)
        };
        format!("failed to get {what} secret '{namespace}/{name}': {why}")
    })
}

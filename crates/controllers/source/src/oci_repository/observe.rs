//! Reads the Secrets of an `OCIRepository` and queries its registry.

use sluice_api::meta::reason;
use sluice_api::source::OciRepository;
use sluice_client::typed::ResourceExt;
use sluice_dial::{Dial, Tls};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_host::IdentityUser;
use sluice_host::secrets::SecretData;
use sluice_identity::Provider;
use sluice_oci::{Deadline, Keychain, Login, Reference, Remote};

use super::model::ResolvedReference;
use super::spec::{Spec, WantedVersion, newest};
use super::{Context, fault};
use crate::fault::{FailureCondition, Fault};

fn unauthenticated(message: String) -> Fault {
    Fault::retry(reason::AUTHENTICATION_FAILED, message)
}

/// Reads the Secrets of an object and configures its registry client.
pub(super) async fn remote(
    context: &Context,
    object: &OciRepository,
    spec: &Spec,
) -> Result<Remote, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let secrets = pull_secrets(context, object, &namespace).await?;
    let keychain = keychain(&secrets)?;
    let proxy = match &object.spec.proxy_secret_ref {
        None => None,
        Some(reference) => Some(
            context
                .secrets
                .get(&namespace, &reference.name)
                .await
                .and_then(|secret| secret.proxy())
                .map_err(|error| {
                    unauthenticated(format!("failed to get proxy address: {}", chain(&error)))
                })?,
        ),
    };
    let issuer = Dial {
        proxy: proxy.clone(),
        ..Dial::default()
    };
    let login = match spec.provider {
        Some(provider) if secrets.is_empty() => {
            cloud_login(context, object, spec, provider, &issuer).await?
        }
        _ => keychain.resolve(&spec.repository),
    };
    let tls = match &object.spec.cert_secret_ref {
        Some(reference) if !reference.name.is_empty() => {
            let failed = |why: String| {
                unauthenticated(format!(
                    "failed to generate transport for '{}': {why}",
                    object.spec.url
                ))
            };
            context
                .secrets
                .get(&namespace, &reference.name)
                .await
                .and_then(|secret| secret.required_tls())
                .map_err(|error| failed(chain(&error)))?
        }
        // Certificate checks are off only here, and only with `spec.insecure`.
        _ => Tls {
            insecure: object.spec.insecure,
            ..Tls::default()
        },
    };
    Ok(Remote {
        login,
        repository: spec.repository.clone(),
        dial: Dial {
            tls,
            proxy,
            ..Dial::default()
        },
        plain: object.spec.insecure,
    })
}

/// The Secret of the object, then those of its service account.
async fn pull_secrets(
    context: &Context,
    object: &OciRepository,
    namespace: &str,
) -> Result<Vec<SecretData>, Fault> {
    let failed = |why: String| unauthenticated(format!("failed to get credential: {why}"));
    let mut secrets = Vec::new();
    if let Some(reference) = &object.spec.secret_ref {
        let secret = context
            .secrets
            .get(namespace, &reference.name)
            .await
            .map_err(|error| {
                failed(format!(
                    "failed to get secret '{namespace}/{}': {}",
                    reference.name,
                    error.server_message()
                ))
            })?;
        secrets.push(secret);
    }
    if let Some(account) = &object.spec.service_account_name {
        let names = context
            .secrets
            .image_pull_secrets(namespace, account)
            .await
            .map_err(|error| failed(chain(&error)))?;
        for name in names {
            let secret = context
                .secrets
                .get(namespace, &name)
                .await
                .map_err(|error| {
                    failed(format!(
                        "failed to get image pull secret for serviceaccount \
                         '{namespace}/{account}': {}",
                        chain(&error)
                    ))
                })?;
            secrets.push(secret);
        }
    }
    Ok(secrets)
}

/// Reads the credentials of pull secrets. Like the kubelet, it ignores Secrets of other types.
fn keychain(secrets: &[SecretData]) -> Result<Keychain, Fault> {
    let mut keychain = Keychain::default();
    for secret in secrets {
        let added = keychain.add_pull_secret(secret.kind(), |key| secret.entry(key));
        let is_pull_secret = added.map_err(|error| {
            let secret = secret.key();
            unauthenticated(format!(
                "failed to get credential: secret '{secret}', {error}"
            ))
        })?;
        if !is_pull_secret {
            tracing::warn!(
                secret = %secret.key(),
                r#type = secret.kind(),
                "a Secret of this type is not an image pull secret: it has no credentials"
            );
        }
    }
    Ok(keychain)
}

/// The login of the object's identity in a cloud. It is issued when the registry asks for it.
async fn cloud_login(
    context: &Context,
    object: &OciRepository,
    spec: &Spec,
    provider: Provider,
    issuer: &Dial,
) -> Result<Login, Fault> {
    let (identities, key) = (&context.identities, ObjectKey::of(object));
    let account = object.spec.service_account_name.as_deref();
    identities
        .check_gate(account)
        .map_err(|error| Fault::gate_disabled(error, FailureCondition::ReadyOnly))?;
    let user = IdentityUser {
        kind: context.source_storage.kind(),
        key: &key,
        namespace: key.namespace(),
        account,
    };
    let host = spec.repository.registry();
    let login = identities.registry(user, provider, host, issuer).await;
    let failed =
        |error| unauthenticated(format!("failed to get credential from {provider}: {error}"));
    login.map(Login::OnDemand).map_err(failed)
}

/// Determines the wanted version.
pub(super) async fn reference(
    context: &Context,
    remote: &Remote,
    spec: &Spec,
    deadline: &Deadline,
) -> Result<Reference, Fault> {
    let repository = &remote.repository;
    let range = match &spec.wanted {
        WantedVersion::Exactly(version) => {
            return Ok(Reference {
                repository: repository.clone(),
                version: version.clone(),
            });
        }
        WantedVersion::Newest(range) => range,
    };
    let action = format!("failed to determine the artifact tag for 'oci://{repository}'");
    let tags = deadline
        .within(context.registry.tags(remote))
        .await
        .map_err(|error| fault::classify(&error, reason::READ_OPERATION_FAILED, &action))?;
    let failed = |why: String| {
        let message = format!("{action}: {why}");
        Fault::retry(reason::READ_OPERATION_FAILED, message)
    };
    let tag = newest(range, &tags).map_err(failed)?;
    repository
        .tag(&tag)
        .map_err(|error| failed(error.to_string()))
}

/// Resolves the wanted version to its digest.
pub(super) async fn resolve(
    context: &Context,
    remote: &Remote,
    reference: Reference,
    deadline: &Deadline,
) -> Result<ResolvedReference, Fault> {
    let digest = deadline
        .within(context.registry.resolve(remote, &reference.version))
        .await
        .map_err(|error| {
            fault::classify(
                &error,
                reason::OCI_ARTIFACT_PULL_FAILED,
                "failed to determine artifact digest",
            )
        })?;
    Ok(ResolvedReference { reference, digest })
}

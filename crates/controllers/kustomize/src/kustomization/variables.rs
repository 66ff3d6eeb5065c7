//! Reads the sources of `postBuild` variables: Secrets and `ConfigMap`s of the object's namespace,
//! with the controller's own credentials.

use sluice_api::kustomize::{PostBuild, SubstituteReference, SubstituteReferenceKind};
use sluice_apply::SecretValues;
use sluice_golang::error::chain;
use sluice_host::secrets::{SecretError, Secrets};
use sluice_kustomize::substitute::Variables;
use sluice_render::variables::{CollectedVariables, SourceData, VariableCollector};

/// Reads all variables, and the secret values that messages must not contain.
pub(super) async fn read(
    secrets: &Secrets,
    namespace: &str,
    post_build: &PostBuild,
) -> (Result<Variables, String>, SecretValues) {
    let mut collector = VariableCollector::default();
    let mut failure = None;
    for reference in &post_build.substitute_from {
        let data = match read_source(secrets, namespace, reference).await {
            // Objects that are older than the schema can hold an unknown kind. Flux ignores it.
            Ok(None) => continue,
            Ok(data) => Ok(data),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(chain(&error)),
        };
        if let Err(error) = collector.add(reference, data) {
            failure = Some(error);
            break;
        }
    }
    let own = post_build.substitute.iter();
    let CollectedVariables {
        variables, hidden, ..
    } = collector.finish(own.map(|(name, value)| (name, value.as_str())));
    (failure.map_or(Ok(variables), Err), hidden)
}

async fn read_source(
    secrets: &Secrets,
    namespace: &str,
    reference: &SubstituteReference,
) -> Result<Option<SourceData>, SecretError> {
    Ok(match reference.kind {
        SubstituteReferenceKind::ConfigMap => {
            let config = secrets.config(namespace, &reference.name).await?;
            Some(SourceData::ConfigMap(config.data.clone()))
        }
        SubstituteReferenceKind::Secret => {
            let secret = secrets.get(namespace, &reference.name).await?;
            let entries = secret.names().map(|name| {
                let value = secret.entry(name).unwrap_or_default();
                (name.to_owned(), value.to_vec())
            });
            Some(SourceData::Secret(entries.collect()))
        }
        SubstituteReferenceKind::Other(_) => None,
    })
}

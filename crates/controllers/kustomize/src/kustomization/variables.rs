//! The variables of `postBuild`: from the Secrets and config maps that it names, and
//! its own.
//!
//! They are read once for a build, with the controller's own rights and in the
//! namespace of the object only. Values never reach a message.

use sluice_api::kustomize::{
    PostBuild, SubstituteReference, SubstituteReferenceKind, SubstituteStrategy,
};
use sluice_apply::SecretValues;
use sluice_engine::reconcile::chain;
use sluice_engine::secrets::{SecretError, Secrets};
use sluice_kustomize::substitute::Variables;

/// Reads all variables; a later source wins, and those of the object itself over all. Values of
/// Secrets are added to what is hidden.
pub(super) async fn read(
    secrets: &Secrets,
    namespace: &str,
    post_build: &PostBuild,
    hidden: &mut SecretValues,
) -> Result<Variables, String> {
    let mut variables = Variables::default();
    for reference in &post_build.substitute_from {
        match source(secrets, namespace, reference, &mut variables, hidden).await {
            Err(error) if !(reference.optional && error.is_not_found()) => {
                return Err(told(reference, &error));
            }
            _ => {}
        }
    }
    for (name, value) in &post_build.substitute {
        variables.set(name, value);
    }
    Ok(variables)
}

async fn source(
    secrets: &Secrets,
    namespace: &str,
    reference: &SubstituteReference,
    variables: &mut Variables,
    hidden: &mut SecretValues,
) -> Result<(), SecretError> {
    match reference.kind {
        SubstituteReferenceKind::ConfigMap => {
            let config = secrets.config(namespace, &reference.name).await?;
            for (name, value) in &config.data {
                variables.set(name, value);
            }
        }
        SubstituteReferenceKind::Secret => {
            let secret = secrets.get(namespace, &reference.name).await?;
            for name in secret.names() {
                let value = secret.entry(name).unwrap_or_default();
                let value = String::from_utf8_lossy(value);
                variables.set(name, &value);
                hidden.add(value);
            }
        }
        // Stored before the schema named the kinds; Flux passes over it.
        SubstituteReferenceKind::Other(_) => {}
    }
    Ok(())
}

/// Why a source is of no use, in Flux's words.
fn told(reference: &SubstituteReference, error: &SecretError) -> String {
    let SubstituteReference { kind, name, .. } = reference;
    let why = if error.is_not_found() {
        let resource = match kind {
            SubstituteReferenceKind::Secret => "secrets",
            _ => "configmaps",
        };
        format!("{resource} \"{name}\" not found")
    } else {
        chain(error)
    };
    format!("substitute from '{kind}/{name}' error: {why}")
}

/// Whether expressions are expanded although no variable is known.
pub(super) fn always(post_build: &PostBuild) -> bool {
    post_build.substitute_strategy == Some(SubstituteStrategy::Always)
}

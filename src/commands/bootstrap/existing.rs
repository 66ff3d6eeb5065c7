//! A cluster in which Flux's own controllers run: ours take their place only where they serve
//! everything that is stored there, as `takeover` has it.

use sluice_lifecycle::installation;
use sluice_lifecycle::observe::observe;
use sluice_lifecycle::takeover::{Answer, component_of, judge};
use sluice_manifests::Vendor;

use super::Common;
use crate::cluster::Context;
use crate::commands::controller;
use crate::error::CommandError;

/// Definitions are replaced together with the controllers.
const REPLACED: &str = "CustomResourceDefinition/";

/// Refuses to replace a controller of Flux by one of ours with gaps. With --force it only warns.
pub(super) async fn is_covered(context: &Context, common: &Common) -> Result<(), CommandError> {
    let Some(images) = common.components.own_images() else {
        return Ok(());
    };
    let wanted = common.components.names();
    let session = context.session()?;
    let deployments = installation::deployments(&session).await?;
    let names = deployments
        .iter()
        .filter(|deployment| installation::maker_of(deployment) == Some(Vendor::Flux))
        .filter_map(component_of)
        .filter(|name| wanted.iter().any(|wanted| wanted == name))
        .filter(|name| {
            let component = sluice_manifests::Component::find(name);
            component.is_some_and(|component| component.available)
        });
    let names: Vec<String> = names.map(str::to_owned).collect();
    if names.is_empty() {
        return Ok(());
    }
    let observed = observe(&session, &names).await?;
    let report = judge(&observed, &images, &names, &controller::accepts);
    let missing = report.components.iter().flat_map(lacks);
    let missing: Vec<String> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    if common.force {
        for line in missing {
            context.progress.warning(format!(" {line}"));
        }
        return Ok(());
    }
    Err(CommandError::cluster(
        "Flux runs in this cluster, and does what ours does not do yet",
    )
    .details(missing)
    .hint("--flux-images keeps Flux's own controllers; --force replaces them all the same; nothing was changed"))
}

fn lacks(answer: &Answer) -> impl Iterator<Item = String> {
    let missing = answer.missing.iter();
    let missing = missing.filter(|missing| !missing.object.starts_with(REPLACED));
    missing.map(|missing| {
        format!(
            "{}: {}: {}",
            answer.component, missing.object, missing.reason
        )
    })
}

//! Reads an installation before a takeover. It reads no Secrets.

use std::collections::BTreeSet;

use sluice_api::KINDS;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_insight::kinds;
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::installation;
use crate::session::{Session, object, objects};
use crate::takeover::keeper::{Keeper, Wish};
use crate::takeover::{Installation, applied_by, component_of, served_version};

/// Reads everything that a judgement of the named components needs.
pub async fn observe(session: &Session<'_>, components: &[String]) -> Result<Installation, Error> {
    let deployments = installation::deployments(session).await?;
    let definitions = definitions(session).await?;
    let is_asked = |name: &str| {
        (components.is_empty() || components.iter().any(|asked| asked == name))
            && deployments
                .iter()
                .any(|deployment| component_of(deployment) == Some(name))
    };
    let objects = objects_of(session, &definitions, is_asked).await?;
    Ok(Installation {
        deployments,
        definitions,
        objects,
    })
}

/// Reads every object of the kinds of some components, by name.
pub async fn objects_of(
    session: &Session<'_>,
    definitions: &[Object],
    is_asked: impl Fn(&str) -> bool,
) -> Result<Vec<Object>, Error> {
    let mut found = Vec::new();
    for info in KINDS.iter().filter(|info| is_asked(info.component)) {
        let definition = definitions
            .iter()
            .find(|definition| definition.name() == info.crd_name());
        if let Some(version) = definition.and_then(|definition| served_version(definition, info)) {
            let gvk = GroupVersionKind::gvk(info.group, version, info.kind);
            found.extend(list(session, &gvk).await?);
        }
    }
    Ok(found)
}

async fn list(session: &Session<'_>, gvk: &GroupVersionKind) -> Result<Vec<Object>, Error> {
    let listed = session
        .cluster
        .list(gvk, None, &ListOptions::default())
        .await;
    listed.map(objects).map_err(|error| refusal(&error))
}

/// Reads the definitions of Flux's kinds.
pub async fn definitions(session: &Session<'_>) -> Result<Vec<Object>, Error> {
    let mut all = list(session, &kinds::definition()).await?;
    all.retain(|definition| {
        KINDS
            .iter()
            .any(|info| definition.name() == info.crd_name())
    });
    Ok(all)
}

/// The Kustomization that applies the controllers.
pub async fn kept_by(
    session: &Session<'_>,
    deployments: &[Object],
    wish: Wish<'_>,
) -> Result<Option<Keeper>, Error> {
    let Some((namespace, name)) = deployments.iter().find_map(applied_by) else {
        return Ok(None);
    };
    let find = async |kind: &str, namespace: &str, name: &str| {
        let Some(resource) = kinds::by_kind(kind) else {
            return Ok(None);
        };
        let found = session
            .cluster
            .get(&resource.gvk(), Some(namespace), name)
            .await;
        match found {
            Ok(found) => Ok(found.and_then(object)),
            Err(error) if error.has_no_match() => Ok(None),
            Err(error) => Err(refusal(&error)),
        }
    };
    let Some(kustomization) = find("Kustomization", namespace, name).await? else {
        return Ok(None);
    };
    let reference = |field| kustomization.str_at(&["spec", "sourceRef", field]);
    let source = match (reference("kind"), reference("name")) {
        (Some(kind), Some(name)) => {
            let namespace = reference("namespace").unwrap_or(namespace);
            find(kind, namespace, name).await?
        }
        _ => None,
    };
    let installed: BTreeSet<&str> = deployments.iter().filter_map(component_of).collect();
    let installed: Vec<&str> = installed.into_iter().collect();
    let wish = Wish {
        components: &installed,
        deployments,
        ..wish
    };
    Ok(Some(Keeper::of(&kustomization, source.as_ref(), wish)))
}

//! Looking at a cluster before it changes hands; reads only, and of Secrets no more than the names
//! of their entries.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sluice_api::KINDS;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_manifests::Component;
use sluice_object::Object;

use crate::cluster::{Context, object, objects, refusal};
use crate::commands::version;
use crate::error::CommandError;
use crate::resource;
use crate::takeover::keeper::{Keeper, Wish};
use crate::takeover::{Named, Observed, applied_by, component_of, served_version};

/// Everything that a judgement depends on; of components that are not asked about no objects.
pub(in crate::commands) async fn observe(
    context: &Context,
    components: &[String],
) -> Result<Observed, CommandError> {
    let deployments = version::deployments(context).await?;
    let definitions = definitions(context).await?;
    let is_asked = |name: &str| {
        Component::find(name).is_some_and(|component| component.available)
            && (components.is_empty() || components.iter().any(|asked| asked == name))
            && deployments
                .iter()
                .any(|deployment| component_of(deployment) == Some(name))
    };
    let mut found = Vec::new();
    for info in KINDS.iter().filter(|info| is_asked(info.component)) {
        let definition = definitions
            .iter()
            .find(|definition| definition.name() == info.crd_name());
        if let Some(version) = definition.and_then(|definition| served_version(definition, info)) {
            let gvk = GroupVersionKind::gvk(info.group, version, info.kind);
            found.extend(list(context, &gvk).await?);
        }
    }
    let mut named = Named::default();
    let references: BTreeSet<_> = found.iter().flat_map(Named::of).collect();
    for reference in references {
        let (kind, namespace, name) = &reference;
        let data = data(context, kind, namespace, name).await?;
        named.0.insert(reference, data);
    }
    Ok(Observed {
        deployments,
        definitions,
        objects: found,
        named,
    })
}

async fn list(context: &Context, gvk: &GroupVersionKind) -> Result<Vec<Object>, CommandError> {
    let listed = context
        .cluster()?
        .list(gvk, None, &ListOptions::default())
        .await;
    listed.map(objects).map_err(|error| refusal(&error))
}

async fn definitions(context: &Context) -> Result<Vec<Object>, CommandError> {
    let mut all = list(context, &resource::definition()).await?;
    all.retain(|definition| {
        KINDS
            .iter()
            .any(|info| definition.name() == info.crd_name())
    });
    Ok(all)
}

/// What a Secret or a config map holds, of a Secret without the values. One that is not there
/// holds nothing: its object fails with either controller.
async fn data(
    context: &Context,
    kind: &str,
    namespace: &str,
    name: &str,
) -> Result<Result<BTreeMap<String, String>, String>, CommandError> {
    let gvk = GroupVersionKind::gvk("", "v1", kind);
    let found = match context.cluster()?.get(&gvk, Some(namespace), name).await {
        Ok(found) => found,
        Err(error @ sluice_client::Error::Unreachable { .. }) => return Err(refusal(&error)),
        Err(error) => return Ok(Err(error.message().clone())),
    };
    let entries = found
        .and_then(object)
        .and_then(|found| found.get("data")?.as_object().cloned())
        .unwrap_or_default();
    let text = |value: &Value| match kind {
        "Secret" => String::new(),
        _ => value.as_str().unwrap_or_default().to_owned(),
    };
    Ok(Ok(entries
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()))
}

/// The Kustomization that keeps the controllers, if one does.
pub(in crate::commands) async fn kept_by(
    context: &Context,
    deployments: &[Object],
    wish: Wish<'_>,
) -> Result<Option<Keeper>, CommandError> {
    let Some((namespace, name)) = deployments.iter().find_map(applied_by) else {
        return Ok(None);
    };
    let find = async |kind: &str, namespace: &str, name: &str| {
        let Some(resource) = resource::by_kind(kind) else {
            return Ok(None);
        };
        let found = context
            .cluster()?
            .get(&resource.gvk(), Some(namespace), name)
            .await;
        match found {
            Ok(found) => Ok(found.and_then(object)),
            Err(error) if error.is_no_match() => Ok(None),
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

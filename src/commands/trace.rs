//! `trace`: which Kustomization or HelmRelease an object comes from, and from which source that.
//!
//! An object is known by the labels that its owner put on it, or on what owns it in Kubernetes'
//! sense: a Pod is traced through its `ReplicaSet` and `Deployment`.

mod report;
pub(super) mod target;

use futures::future::{FutureExt as _, LocalBoxFuture};
use serde_json::Value;
use sluice_client::GroupVersionKind;
use sluice_object::Object;

use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::resource::{HELM, KUSTOMIZE, by_kind, text};
use crate::{CommandResult, Exit, compat, output};
use report::Report;

/// How many owners above an object are looked at.
const GENERATIONS: usize = 16;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// API version of the object, such as apps/v1
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "VERSION"
    )]
    api_version: String,
    /// Kind of the object, such as Deployment
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "KIND"
    )]
    kind: String,
    /// RESOURCE/NAME…, or RESOURCE NAME…
    #[arg(value_name = "OBJECT")]
    objects: Vec<String>,
}

/// Namespace and name.
type Key = (String, String);

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let targets = context.block_on(target::resolve(args, context))??;
    let mut exit = Exit::SUCCESS;
    let last = targets.len().saturating_sub(1);
    for (index, target) in targets.into_iter().enumerate() {
        let traced = context.block_on(async {
            let object = target.read(context).await;
            let object = object.map_err(|error| (error, Exit::FAILURE))?;
            trace(context, &object).await.map_err(|error| {
                let error = error.while_doing(target::failure(&object));
                (error, compat::told_failure())
            })
        })?;
        match traced {
            Ok(report) => output::stdout(&output::plain(&report.text()))?,
            Err((error, ended)) => {
                exit = exit.or(ended);
                context.progress.failure(error.message());
            }
        }
        if index < last {
            output::stdout("---\n")?;
        }
    }
    Ok(exit)
}

async fn trace(context: &Context, object: &Object) -> Result<Report, CommandError> {
    if let Some(key) = owner(context, object, KUSTOMIZE, GENERATIONS).await? {
        return kustomization(context, object, &key).await;
    }
    if let Some(key) = owner(context, object, HELM, GENERATIONS).await? {
        return helm_release(context, object, &key).await;
    }
    Err(CommandError::user("object not managed by Flux"))
}

/// Whom an object, or what owns it, belongs to by the labels of an API group.
fn owner<'a>(
    context: &'a Context,
    object: &'a Object,
    group: &'a str,
    generations: usize,
) -> LocalBoxFuture<'a, Result<Option<Key>, CommandError>> {
    async move {
        let label = |name: &str| object.label(&format!("{group}/{name}")).unwrap_or_default();
        if !label("name").is_empty() {
            return Ok(Some((
                label("namespace").to_owned(),
                label("name").to_owned(),
            )));
        }
        let references = object.at(&["metadata", "ownerReferences"]);
        let references = references.and_then(Value::as_array);
        for reference in references.into_iter().flatten().take(generations) {
            let field = |name: &str| reference[name].as_str().unwrap_or_default();
            let api_version = field("apiVersion");
            let (api_group, version) = api_version.split_once('/').unwrap_or(("", api_version));
            let gvk = GroupVersionKind::gvk(api_group, version, field("kind"));
            let found = context
                .cluster()?
                .get(&gvk, Some(object.namespace()), field("name"))
                .await
                .map_err(|error| refusal(&error))?;
            // An owner that is gone owns nothing: its objects go as well.
            let Some(found) = found.and_then(|value| Object::try_from(value).ok()) else {
                continue;
            };
            if let Some(key) = owner(context, &found, group, generations - 1).await? {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
    .boxed_local()
}

async fn kustomization(
    context: &Context,
    object: &Object,
    key: &Key,
) -> Result<Report, CommandError> {
    let owner = required(context, "Kustomization", "kustomization", key).await?;
    let source = match text(&owner, "/spec/sourceRef/kind") {
        kind @ ("GitRepository" | "OCIRepository" | "ExternalArtifact") => {
            let reference = ("/spec/sourceRef/namespace", "/spec/sourceRef/name");
            Some(referred(context, kind, &owner, reference).await?)
        }
        _ => None,
    };
    Ok(report::of_kustomization(object, &owner, source.as_ref()))
}

async fn helm_release(
    context: &Context,
    object: &Object,
    key: &Key,
) -> Result<Report, CommandError> {
    let owner = required(context, "HelmRelease", "HelmRelease", key).await?;
    let chart = match text(&owner, "/status/helmChart").split_once('/') {
        Some((namespace, name)) => {
            let key = (namespace.to_owned(), name.to_owned());
            Some(required(context, "HelmChart", "HelmChart", &key).await?)
        }
        None => None,
    };
    let source = match (
        text(&owner, "/spec/chart/spec/sourceRef/kind"),
        text(&owner, "/spec/chartRef/kind"),
    ) {
        (kind @ ("GitRepository" | "HelmRepository"), _) => {
            let reference = (
                "/spec/chart/spec/sourceRef/namespace",
                "/spec/chart/spec/sourceRef/name",
            );
            Some(referred(context, kind, &owner, reference).await?)
        }
        ("", kind @ ("OCIRepository" | "ExternalArtifact")) => {
            let reference = ("/spec/chartRef/namespace", "/spec/chartRef/name");
            Some(referred(context, kind, &owner, reference).await?)
        }
        _ => None,
    };
    Ok(report::of_helm_release(
        object,
        &owner,
        chart.as_ref(),
        source.as_ref(),
    ))
}

/// The object that another one refers to, in its own namespace unless it says otherwise.
async fn referred(
    context: &Context,
    kind: &str,
    from: &Object,
    (namespace, name): (&str, &str),
) -> Result<Object, CommandError> {
    let namespace = match text(from, namespace) {
        "" => from.namespace(),
        namespace => namespace,
    };
    let key = (namespace.to_owned(), text(from, name).to_owned());
    let source = required(context, kind, kind, &key).await?;
    if kind == "ExternalArtifact" && source.at(&["spec", "sourceRef"]).is_none() {
        let (namespace, name) = key;
        return Err(CommandError::user(format!(
            "ExternalArtifact {namespace}/{name} is missing spec.sourceRef"
        )));
    }
    Ok(source)
}

async fn required(
    context: &Context,
    kind: &str,
    shown: &str,
    (namespace, name): &Key,
) -> Result<Object, CommandError> {
    let resource =
        by_kind(kind).ok_or_else(|| CommandError::internal(format!("no kind is called {kind}")))?;
    context
        .required_in(resource, namespace, name)
        .await
        .map_err(|error| error.while_doing(format!("failed to find {shown}")))
}

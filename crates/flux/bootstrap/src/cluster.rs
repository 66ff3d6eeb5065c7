//! Checks before the first change: its version, the user's rights, other managers, gaps of our
//! controllers, and the directory that it follows.

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_insight::fields::text;
use sluice_insight::kinds::{Resource, by_kind, is_suspended};
use sluice_lifecycle::observe::observe;
use sluice_lifecycle::takeover::{ComponentJudgement, component_of, judge};
use sluice_lifecycle::{Error, Session, installation, kubernetes, other_tool};
use sluice_manifests::Vendor;
use sluice_object::Object;

use crate::layout::safe_path;
use crate::options::Options;
use crate::prompt::Prompt;

/// Refuses a cluster that another installation manages, or that we must not change.
pub(crate) async fn check_access(
    session: &Session<'_>,
    force: bool,
    prompt: &dyn Prompt,
) -> Result<(), Error> {
    let cluster = session.cluster;
    let version = cluster.client().apiserver_version().await;
    let version = version
        .map_err(|error| Error::from(cluster.error("read the Kubernetes version", error)))?
        .git_version;
    if kubernetes::is_supported(&version) == Some(false) {
        return Err(
            Error::cluster(kubernetes::too_old(version.trim_start_matches('v')))
                .hint("nothing was changed in the repository or the cluster"),
        );
    }
    if !force && let Some(other) = other_tool::find_other(session, "bootstrap").await? {
        prompt.confirm_override(&other)?;
    }
    let gvk = GroupVersionKind::gvk("authorization.k8s.io", "v1", "SelfSubjectAccessReview");
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "metadata": {},
        "spec": { "resourceAttributes": { "verb": "*", "group": "*", "resource": "*" } },
    });
    let options = PatchOptions::default();
    let answer = cluster.create(&gvk, None, &review, options).await?;
    if answer["status"]["allowed"] == Value::Bool(true) {
        return Ok(());
    }
    Err(Error::cluster(
        "the user of the kubeconfig is not a cluster administrator, so it cannot grant the controllers their rights",
    )
    .hint("nothing was changed in the repository or the cluster"))
}

/// Definitions are replaced together with the controllers.
const REPLACED: &str = "CustomResourceDefinition/";

/// Refuses to replace a controller of Flux by one of ours with gaps. With `--force` it only warns.
pub(crate) async fn check_coverage(session: &Session<'_>, options: &Options) -> Result<(), Error> {
    let Some(images) = options.components.own_images() else {
        return Ok(());
    };
    let wanted = &options.components.components;
    let deployments = installation::deployments(session).await?;
    let names = deployments
        .iter()
        .filter(|deployment| installation::maker_of(deployment) == Some(Vendor::Flux))
        .filter_map(component_of)
        .filter(|name| wanted.iter().any(|wanted| wanted == name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    if names.is_empty() {
        return Ok(());
    }
    let observed = observe(session, &names).await?;
    let report = judge(&observed, images, &names, &options.flag_faults);
    let missing = report.components.iter().flat_map(lacks);
    let missing: Vec<String> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    if options.force {
        for line in missing {
            session.progress.warning(format!(" {line}"));
        }
        return Ok(());
    }
    Err(Error::cluster(
        "Flux runs in this cluster, and does what ours does not do yet",
    )
    .details(missing)
    .hint("set --flux-images to keep Flux's controllers, or --force to replace them; nothing was changed"))
}

fn lacks(answer: &ComponentJudgement) -> impl Iterator<Item = String> {
    let missing = answer.missing.iter();
    let missing = missing.filter(|missing| !missing.object.starts_with(REPLACED));
    missing.map(|missing| {
        format!(
            "{}: {}: {}",
            answer.component, missing.object, missing.reason
        )
    })
}

pub(crate) fn resource(kind: &str) -> Result<&'static Resource, Error> {
    by_kind(kind).ok_or_else(|| Error::internal(format!("the registry lacks {kind}")))
}

/// The Kustomization of the cluster itself, as far as there is one.
pub(crate) struct ClusterSync {
    kustomization: Option<Object>,
}

impl ClusterSync {
    pub(crate) async fn read(session: &Session<'_>) -> Result<Self, Error> {
        let gvk = resource("Kustomization")?.gvk();
        let namespace = session.namespace.as_str();
        let found = session.cluster.get(&gvk, Some(namespace), namespace).await;
        let kustomization = match found {
            Ok(found) => found.and_then(|found| Object::try_from(found).ok()),
            Err(error) if error.has_no_match() => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self { kustomization })
    }

    /// Refuses to point the cluster at another directory: its objects would be pruned.
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let Some(live) = &self.kustomization else {
            return Ok(());
        };
        let current = text(live, "/spec/path");
        if safe_path(current) != safe_path(path) {
            let quote = sluice_golang::quote::quote;
            return Err(Error::user(format!(
                "sync path configuration ({}) would overwrite path ({}) of existing Kustomization",
                quote(path),
                quote(current)
            ))
            .hint("a cluster follows one directory; objects from the other one would be deleted"));
        }
        check_suspended("Kustomization", live)
    }

    /// Whether a controller has applied something already: upgrades are its business then.
    pub(crate) fn is_running(&self) -> bool {
        let live = self.kustomization.as_ref();
        live.is_some_and(|live| !text(live, "/status/lastAppliedRevision").is_empty())
    }
}

pub(crate) fn check_suspended(kind: &str, live: &Object) -> Result<(), Error> {
    if !is_suspended(live) {
        return Ok(());
    }
    let (namespace, name) = (live.namespace(), live.name());
    let noun = match kind {
        "GitRepository" => "source git",
        _ => "kustomization",
    };
    Err(
        Error::cluster(format!("{kind} '{namespace}/{name}' is suspended"))
            .hint(format!("resume {noun} {name} -n {namespace}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_path_and_suspended_object_are_rejected() {
        let synced = |object| ClusterSync {
            kustomization: Some(object),
        };
        let live = |suspend: bool| {
            let object = json!({
                "apiVersion": "x/v1", "kind": "Kustomization",
                "metadata": { "name": "flux-system", "namespace": "flux-system" },
                "spec": { "path": "./clusters/one", "suspend": suspend },
            });
            Object::try_from(object).unwrap()
        };
        let refusal = |object, path| {
            let refused = synced(object).check(path).err();
            refused.map(|error| error.message().to_owned())
        };
        for same in ["clusters/one", "./clusters/one/"] {
            assert_eq!(refusal(live(false), same), None, "{same}");
        }
        assert_eq!(
            refusal(live(false), "./b").as_deref(),
            Some(
                "sync path configuration (\"./b\") would overwrite path (\"./clusters/one\") of existing Kustomization"
            )
        );
        assert_eq!(
            refusal(live(true), "clusters/one").as_deref(),
            Some("Kustomization 'flux-system/flux-system' is suspended")
        );
    }
}

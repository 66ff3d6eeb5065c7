//! Reads the repository of an `ImagePolicy`, and whether the policy may use it.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::core::v1::Namespace;
use sluice_api::image::{GROUP, ImagePolicy, ImageRepository, reason as image_reason};
use sluice_api::meta::reason;
use sluice_client::typed;
use sluice_client::typed::{Api, ResourceExt as _};
use sluice_engine::Run;
use sluice_engine::ready::Fault;
use sluice_golang::error::chain;
use sluice_images::image::ImageName;
use sluice_images::scan;

use super::model::{Facts, Repository};
use super::spec::Spec;
use super::{ImagePolicyReconciler, repository_key};
use crate::access::{Access, AccessDenied};
use crate::image_repository::parse_duration;
use crate::registry::needs_workload_identity;
use crate::store::Key;

/// Returns the facts for the first plan.
pub(super) async fn observe(
    reconciler: &ImagePolicyReconciler,
    policy: &ImagePolicy,
    run: &Run<ImagePolicy>,
) -> Facts {
    Facts {
        spec: Spec::parse(policy),
        repository: repository(reconciler, policy).await,
        is_prompt: run.cause().is_prompt(),
        requeue_dependency: reconciler.requeue_dependency,
        attempts: 0,
        selection: None,
        fetched: None,
    }
}

/// Finds the repository, and checks the access to it.
async fn repository(
    reconciler: &ImagePolicyReconciler,
    policy: &ImagePolicy,
) -> Result<Repository, Fault> {
    let own = policy.namespace().unwrap_or_default();
    let key = repository_key(policy);
    let store_key = Key::of(&key);
    let is_blocked = reconciler.no_cross_namespace_refs;
    if is_blocked && key.namespace() != own {
        return Err(denied(&AccessDenied::Blocked(store_key)));
    }
    let Some(object) = reconciler.repositories.get(&key) else {
        let message = format!(
            "failed to get the referred ImageRepository: referenced ImageRepository does not \
             exist: ImageRepository.{GROUP} \"{}\" not found",
            key.name()
        );
        return Err(Fault::retried(reason::DEPENDENCY_NOT_READY, message));
    };
    let labels = if key.namespace() == own || object.spec.access_from.is_none() {
        BTreeMap::new()
    } else {
        labels(reconciler, &own).await?
    };
    let access = Access {
        namespace: &own,
        labels: &labels,
        repository: &store_key,
        access_from: object.spec.access_from.as_ref(),
        is_blocked,
    };
    access.check().map_err(|error| denied(&error))?;
    checked(object, reconciler.has_workload_identity)
}

/// The labels of the namespace of a policy.
async fn labels(
    reconciler: &ImagePolicyReconciler,
    namespace: &str,
) -> Result<BTreeMap<String, String>, Fault> {
    let cluster = &reconciler.cluster;
    let api: Api<Namespace> = Api::all(cluster.client().clone());
    let found = typed::get(&api, namespace).await.map_err(|error| {
        let error = cluster.error(format!("get namespace {namespace}"), error);
        let message = format!(
            "failed to get the referred ImageRepository: access denied: {}",
            chain(&error)
        );
        Fault::retried(reason::ACCESS_DENIED, message)
    })?;
    Ok(found.metadata.labels.unwrap_or_default())
}

/// Checks the spec of a repository as far as a policy needs it.
fn checked(object: Arc<ImageRepository>, has_workload_identity: bool) -> Result<Repository, Fault> {
    let image = ImageName::parse(&object.spec.image)
        .map_err(|error| Fault::stalled(image_reason::IMAGE_URL_INVALID, error.to_string()))?;
    if needs_workload_identity(&object) && !has_workload_identity {
        return Err(Fault::stalled(
            reason::FEATURE_GATE_DISABLED,
            "to use spec.serviceAccountName in the ImageRepository for provider authentication \
             please enable the ObjectLevelWorkloadIdentity feature gate in the controller",
        ));
    }
    let interval = parse_duration("spec.interval", &object.spec.interval)?;
    let timeout = object.spec.timeout.as_ref();
    let timeout = timeout.map(|timeout| parse_duration("spec.timeout", timeout));
    Ok(Repository {
        image,
        timeout: scan::timeout(interval, timeout.transpose()?),
        object,
    })
}

/// The access may change with objects that are not watched, so it is retried.
fn denied(error: &AccessDenied) -> Fault {
    let message = format!("failed to get the referred ImageRepository: {error}");
    Fault::retried(reason::ACCESS_DENIED, message)
}

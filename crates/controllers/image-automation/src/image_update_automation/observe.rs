//! Reads the policies and the repository of an `ImageUpdateAutomation`.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use sluice_api::image::{ImagePolicy, ImageUpdateAutomation};
use sluice_api::meta::reason;
use sluice_api::source::GROUP;
use sluice_client::typed::ResourceExt as _;
use sluice_engine::ready::Fault;
use sluice_engine::{ObjectKey, Origin, References, Run};
use sluice_images::setter::Setters;

use super::ImageUpdateAutomationReconciler;
use super::model::{Facts, Images, SourceObject};
use super::spec::Spec;
use crate::pull_request::{ANNOTATION, PullRequest};
use crate::source::{Source, failed, invalid};

/// Returns the facts for the first plan.
pub(super) fn observe(
    reconciler: &ImageUpdateAutomationReconciler,
    automation: &ImageUpdateAutomation,
    run: &Run<ImageUpdateAutomation>,
) -> Facts {
    let spec = Spec::parse(automation);
    let namespace = automation.namespace().unwrap_or_default();
    let (images, source) = match &spec {
        Ok(spec) => (
            images(reconciler, &namespace, spec),
            source(reconciler, automation, spec),
        ),
        Err(fault) => (Err(fault.clone()), Err(fault.clone())),
    };
    let findings = reconciler.findings.lock();
    let findings = findings.unwrap_or_else(PoisonError::into_inner);
    Facts {
        spec,
        images,
        source,
        is_prompt: run.cause().is_prompt(),
        known_findings: findings.get(run.key()).cloned(),
        overtaken: 0,
        connection: None,
        resolved: None,
        found: None,
        base: None,
        update: None,
        findings: None,
        pushed: None,
        proposed: None,
        is_overtaken: false,
        withdrawn: None,
    }
}

/// The latest images of the selected policies.
fn images(
    reconciler: &ImageUpdateAutomationReconciler,
    namespace: &str,
    spec: &Spec,
) -> Result<Images, Fault> {
    let keys = reconciler.policies.keys();
    let own = keys.iter().filter(|key| key.namespace() == namespace);
    let policies: Vec<Arc<ImagePolicy>> = own
        .filter_map(|key| reconciler.policies.get(key))
        .filter(|policy| is_selected(policy, spec))
        .collect();
    let setters = Setters::of(policies.iter().map(Arc::as_ref));
    let setters = setters.map_err(|error| {
        let message = format!("failed to apply policies: {error}");
        Fault::retried(sluice_api::image::reason::UPDATE_FAILED, message)
    })?;
    let mut observed = BTreeMap::new();
    for policy in policies {
        let latest = policy.status.as_ref().and_then(|it| it.latest_ref.clone());
        if let Some(latest) = latest {
            observed.insert(policy.name_any(), latest);
        }
    }
    Ok(Images {
        setters: Arc::new(setters),
        observed,
    })
}

fn is_selected(policy: &ImagePolicy, spec: &Spec) -> bool {
    let labels = policy.labels();
    spec.selector
        .matches(|label| labels.get(label).map(String::as_str))
}

/// Checks whether an automation of a namespace may write to a repository.
pub(super) fn check_access(
    no_cross_namespace: bool,
    namespace: &str,
    repository: &ObjectKey,
) -> Result<(), Fault> {
    let references = References { no_cross_namespace };
    let target = Origin {
        kind: "GitRepository".into(),
        key: repository.clone(),
    };
    references
        .check(namespace, &target)
        .map_err(|error| Fault::stalled(reason::ACCESS_DENIED, error.to_string()))
}

/// Finds the repository.
fn source(
    reconciler: &ImageUpdateAutomationReconciler,
    automation: &ImageUpdateAutomation,
    spec: &Spec,
) -> Result<SourceObject, Fault> {
    let key = &spec.source;
    let namespace = automation.namespace().unwrap_or_default();
    check_access(reconciler.no_cross_namespace_refs, &namespace, key)?;
    let Some(repository) = reconciler.sources.get(key) else {
        return Err(failed(&format!(
            "referenced git repository does not exist: GitRepository.{GROUP} \"{}\" not found",
            key.name()
        )));
    };
    let source = Source::of(&spec.git, &repository)?;
    let annotation = automation.annotations().get(ANNOTATION);
    let annotation = annotation.map(String::as_str);
    let namespace = automation.namespace().unwrap_or_default();
    let pull_request = PullRequest::of(annotation, &source, &repository, &namespace);
    Ok(SourceObject {
        pull_request: pull_request.map_err(|error| invalid(error.to_string()))?,
        source,
        repository,
    })
}

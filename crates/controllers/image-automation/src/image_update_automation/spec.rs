//! The parsed `spec` of an `ImageUpdateAutomation`. Pure.

use std::time::Duration;

use sluice_api::image::{
    GitSpec, ImageUpdateAutomation, UpdateSourceKind, UpdateStrategyName, reason as image_reason,
};
use sluice_api::meta::reason;
use sluice_engine::ObjectKey;
use sluice_engine::ready::Fault;
use sluice_images::selector::policy_selector;
use sluice_object::selector::Selector;

use crate::push::check_author;
use crate::source::invalid;

/// A valid specification.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spec {
    pub(super) interval: Duration,
    /// The selector of policies.
    pub(super) selector: Selector,
    pub(super) git: GitSpec,
    /// The path to update.
    pub(super) path: String,
    /// The repository.
    pub(super) source: ObjectKey,
}

/// The repository of an automation.
pub(super) fn source_key(automation: &ImageUpdateAutomation) -> ObjectKey {
    let reference = &automation.spec.source_ref;
    let own = automation.metadata.namespace.as_deref().unwrap_or_default();
    let namespace = reference.namespace.as_deref().unwrap_or(own);
    ObjectKey::new(namespace, &reference.name)
}

impl Spec {
    /// Parses a specification. A fault stands until an edit.
    pub(super) fn parse(automation: &ImageUpdateAutomation) -> Result<Self, Fault> {
        let spec = &automation.spec;
        let interval = spec.interval.parse().map_err(|error| {
            Fault::stalled(reason::VALIDATION_FAILED, format!("spec.interval: {error}"))
        })?;
        let selector = policy_selector(spec.policy_selector.as_ref()).map_err(|why| {
            let message = format!("failed to parse policy selector: {why}");
            Fault::stalled(image_reason::INVALID_POLICY_SELECTOR, message)
        })?;
        let kind = &spec.source_ref.kind;
        if *kind != UpdateSourceKind::GitRepository {
            let kind = kind.as_str();
            let message =
                format!("source kind '{kind}' not supported: invalid source configuration");
            return Err(invalid(message));
        }
        let Some(git) = spec.git.clone() else {
            return Err(invalid(
                "source kind 'GitRepository' necessitates field .spec.git: invalid source \
                 configuration",
            ));
        };
        let author = &git.commit.author;
        let name = author.name.as_deref().unwrap_or_default();
        check_author(name, &author.email).map_err(|error| invalid(error.to_string()))?;
        let strategy =
            |message: String| Fault::stalled(image_reason::INVALID_UPDATE_STRATEGY, message);
        let Some(update) = &spec.update else {
            return Err(strategy("no update strategy".to_owned()));
        };
        match &update.strategy {
            None | Some(UpdateStrategyName::Setters) => {}
            Some(other) => {
                let message = format!("unsupported update strategy: {}", other.as_str());
                return Err(strategy(message));
            }
        }
        Ok(Self {
            interval,
            selector,
            git,
            path: update.path.clone().unwrap_or_default(),
            source: source_key(automation),
        })
    }
}

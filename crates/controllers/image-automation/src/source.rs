//! The repository of an automation: its address, the reference to check out, and where to push.
//! Pure.

use std::time::Duration;

use sluice_api::image::GitSpec;
use sluice_api::image::reason as image_reason;
use sluice_api::source::{GitCheckoutReference, GitRepository};
use sluice_engine::ready::Fault;
use sluice_git::{Address, Reference, ReferenceFields};

use crate::push::PushTarget;

/// The default timeout of Git operations.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// Minimum timeout.
const MIN_TIMEOUT: Duration = Duration::from_secs(1);
/// The beginning of the messages of `SourceManagerFailed`.
const FAILED: &str = "failed configuring source manager";

/// The repository of an automation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    pub(crate) address: Address,
    /// The reference of the checkout.
    pub(crate) reference: Reference,
    pub(crate) target: PushTarget,
    /// The time limit of each Git operation.
    pub(crate) timeout: Duration,
}

impl Source {
    /// Combines the settings of an automation and of its repository.
    pub(crate) fn of(git: &GitSpec, repository: &GitRepository) -> Result<Self, Fault> {
        let spec = &repository.spec;
        let checkout = git.checkout.as_ref().map(|checkout| &checkout.reference);
        let checkout = checkout.or(spec.reference.as_ref());
        let target = PushTarget::of(git.push.as_ref(), checkout).map_err(|error| {
            if error.is_stalling() {
                invalid(error.to_string())
            } else {
                failed(&error.to_string())
            }
        })?;
        let timeout = match &spec.timeout {
            None => DEFAULT_TIMEOUT,
            Some(timeout) => timeout
                .parse()
                .map_err(|error| failed(&error.to_string()))?,
        };
        let address = Address::parse(&spec.url).map_err(|error| failed(&error.to_string()))?;
        Ok(Self {
            address,
            reference: reference(checkout)?,
            target,
            timeout: timeout.max(MIN_TIMEOUT),
        })
    }
}

/// The effective field of a reference.
fn reference(reference: Option<&GitCheckoutReference>) -> Result<Reference, Fault> {
    let fields = reference.map(|reference| ReferenceFields {
        branch: reference.branch.as_deref(),
        tag: reference.tag.as_deref(),
        semver: reference.semver.as_deref(),
        name: reference.name.as_deref(),
        commit: reference.commit.as_deref(),
    });
    Reference::pick(fields.unwrap_or_default()).map_err(|error| invalid(error.to_string()))
}

/// The settings must be edited.
pub(crate) fn invalid(message: impl Into<String>) -> Fault {
    Fault::stalled(image_reason::INVALID_SOURCE_CONFIGURATION, message)
}

/// The repository cannot be used now.
pub(crate) fn failed(why: &str) -> Fault {
    let message = format!("{FAILED}: {why}");
    Fault::retried(image_reason::SOURCE_MANAGER_FAILED, message)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn source(git: &Value, repository: &Value) -> Result<Source, Fault> {
        let mut whole = json!({ "commit": { "author": { "email": "a@b" } } });
        for (key, value) in git.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let mut spec = json!({ "url": "https://git.example/r", "interval": "1m" });
        for (key, value) in repository.as_object().unwrap() {
            spec[key] = value.clone();
        }
        let repository = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": { "name": "r" }, "spec": spec,
        }));
        Source::of(
            &serde_json::from_value(whole).unwrap(),
            &repository.unwrap(),
        )
    }

    #[test]
    fn checkout_overrides_reference_of_repository() {
        let main = json!({ "ref": { "branch": "main" } });
        let found = source(&json!({}), &main).unwrap();
        assert_eq!(found.reference, Reference::Branch("main".to_owned()));
        assert_eq!(
            (found.target.branch.as_str(), found.target.is_switched),
            ("main", false)
        );
        assert_eq!(found.timeout, Duration::from_mins(1));
        let tag = json!({ "checkout": { "ref": { "tag": "v1" } }, "push": { "branch": "auto" } });
        let found = source(&tag, &json!({ "timeout": "20s" })).unwrap();
        assert_eq!(found.reference, Reference::Tag("v1".to_owned()));
        assert_eq!(
            (found.target.branch.as_str(), found.target.is_switched),
            ("auto", true)
        );
        assert_eq!(found.timeout, Duration::from_secs(20));
    }

    #[test]
    fn invalid_settings_have_reasons_of_flux() {
        let main = json!({ "ref": { "branch": "main" } });
        for (git, repository, reason, message) in [
            (
                json!({}),
                json!({}),
                "SourceManagerFailed",
                "failed configuring source manager: push spec not provided, and cannot be inferred \
                 from .spec.git.checkout.ref or GitRepository .spec.ref",
            ),
            (
                json!({ "push": { "refspec": ":refs/heads/main" } }),
                main.clone(),
                "InvalidSourceConfiguration",
                "push refspec must not specify a deletion: invalid source configuration",
            ),
            (
                json!({ "checkout": { "ref": { "commit": "x", "branch": "main" } } }),
                json!({}),
                "InvalidSourceConfiguration",
                "invalid Git reference 'x': a commit is 40 hexadecimal digits",
            ),
        ] {
            let Fault(failure) = source(&git, &repository).unwrap_err();
            assert_eq!((&*failure.reason, &*failure.message), (reason, message));
        }
    }
}

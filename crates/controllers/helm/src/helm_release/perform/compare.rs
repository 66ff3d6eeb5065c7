//! Compares a release with the cluster, and reverts differences.
//!
//! Parity: `helm-controller: internal/action/diff.go`.

use serde_json::Value;
use sluice_api::helm::HelmRelease;
use sluice_apply::{IgnoreRules, has_drifted, normalize};
use sluice_client::{Cluster as Client, Error, PatchOptions};
use sluice_helm::cluster::build;
use sluice_helm::ownership;
use sluice_object::{Object, order};

use super::Performer;
use crate::NAME;
use crate::helm_release::fault::Fault;
use crate::helm_release::model::{ActionError, ActionReport, Change, Drift};
use crate::helm_release::session::Session;
use crate::helm_release::{drift, spec};

/// Label or annotation of objects that are not compared.
const DRIFT_DETECTION: &str = "helm.toolkit.fluxcd.io/driftDetection";
const DISABLED: &str = "disabled";

impl Performer {
    /// Compares the objects of the last record with the cluster. An error of some objects does not
    /// hide the differences of others.
    pub(super) async fn compare(
        &self,
        object: &HelmRelease,
        session: &Session,
        ignore: &IgnoreRules,
    ) -> Result<Vec<Drift>, Fault> {
        let failed = |error: &dyn std::fmt::Display| {
            Fault::unknown_state(&format!("unable to determine cluster state: {error}"))
        };
        let store = session.store(spec::storage_namespace(object));
        let last = store.last(&spec::short_name(object)).await;
        let last = last.map_err(|error| Fault::unknown_state(&error.to_string()))?;
        let built = build(&session.cluster, &last.manifest, &last.namespace, false).await;
        let mut objects = built.map_err(|error| failed(&error))?;
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for desired in &mut objects {
            ownership::set(desired, &last.name, &last.namespace);
            normalize(desired);
            match compare_one(&session.client, desired, ignore).await {
                Ok(None) => {}
                Ok(Some(change)) => found.push(Drift {
                    desired: desired.clone(),
                    change,
                }),
                Err(error) => {
                    let name = drift::resource_name(desired);
                    errors.push(format!("{name}: {}", error.message()));
                }
            }
        }
        let found = drift::compared(found, &errors).map_err(|error| failed(&error))?;
        if !errors.is_empty() {
            let error = format!("[{}]", errors.join(", "));
            tracing::error!(
                error,
                "diff of release against cluster state completed with error"
            );
        }
        Ok(found)
    }
}

fn is_excluded(object: &Object) -> bool {
    let is_disabled = |value: Option<&str>| value == Some(DISABLED);
    is_disabled(object.label(DRIFT_DETECTION)) || is_disabled(object.annotation(DRIFT_DETECTION))
}

fn namespace(object: &Object) -> Option<&str> {
    Some(object.namespace()).filter(|namespace| !namespace.is_empty())
}

/// Compares one object with the result of a dry-run.
async fn compare_one(
    client: &Client,
    desired: &Object,
    ignore: &IgnoreRules,
) -> Result<Option<Change>, Error> {
    if is_excluded(desired) {
        return Ok(Some(Change::Excluded));
    }
    let (gvk, name) = (desired.gvk(), desired.name());
    let live = client.get(&gvk, namespace(desired), name).await?;
    let Some(live) = live.and_then(|live| Object::try_from(live).ok()) else {
        return Ok(Some(Change::Create));
    };
    if is_excluded(&live) {
        return Ok(Some(Change::Excluded));
    }
    let options = PatchOptions {
        field_manager: Some(NAME),
        force: true,
        dry_run: true,
        ..PatchOptions::default()
    };
    let body = desired.to_value();
    let applied = client.apply(&gvk, namespace(desired), name, &body, options);
    let applied = applied.await?;
    let Ok(applied) = Object::try_from(applied) else {
        return Ok(None);
    };
    let (live, applied) = (ignore.strip(&live), ignore.strip(&applied));
    if !has_drifted(&live, &applied) {
        return Ok(None);
    }
    let operations = drift::patch(&compared(&live), &compared(&applied));
    Ok((!operations.is_empty()).then_some(Change::Patch(operations)))
}

/// The fields that are compared: all but the status, and labels and annotations of the metadata.
fn compared(object: &Object) -> Value {
    let mut fields = object.as_map().clone();
    fields.remove("status");
    if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
        metadata.retain(|field, _| field == "labels" || field == "annotations");
    }
    Value::Object(fields)
}

/// Reverts differences: creates missing objects in the order of their kinds, then patches others.
pub(super) async fn correct(session: &Session, found: &[Drift]) -> ActionReport {
    let mut changes: Vec<&Drift> = found.iter().filter(|drift| drift.is_change()).collect();
    changes.sort_by(|one, two| {
        let is_patch = |drift: &Drift| matches!(drift.change, Change::Patch(_));
        let by_kind = || order::compare(&one.desired.id(), &two.desired.id());
        is_patch(one).cmp(&is_patch(two)).then_with(by_kind)
    });
    let mut report = ActionReport::default();
    let mut errors = Vec::new();
    for drift in changes {
        let desired = &drift.desired;
        let name = drift::resource_name(desired);
        let options = PatchOptions {
            field_manager: Some(NAME),
            ..PatchOptions::default()
        };
        let (client, gvk) = (&session.client, desired.gvk());
        match &drift.change {
            Change::Create => {
                let body = desired.to_value();
                let created = client.create(&gvk, namespace(desired), &body, options);
                match created.await {
                    Ok(_) => report.corrections.push(format!("{name} created")),
                    Err(error) => {
                        errors.push(format!("{name} creation failure: {}", error.message()));
                    }
                }
            }
            Change::Patch(operations) => {
                let patch = Value::Array(operations.clone());
                let patched =
                    client.json_patch(&gvk, namespace(desired), desired.name(), &patch, options);
                match patched.await {
                    Ok(_) => report.corrections.push(format!("{name} configured")),
                    Err(error) => {
                        let text = masked(desired, &error);
                        errors.push(format!("{name} patch failure: {text}"));
                    }
                }
            }
            Change::Excluded => {}
        }
    }
    if !errors.is_empty() {
        report.error = Some(ActionError::Failed(errors.join("\n")));
    }
    report
}

/// The message of an error, without the values of a Secret.
fn masked(desired: &Object, error: &Error) -> String {
    let text = error.message();
    if desired.kind() != "Secret" || !error.is_invalid() {
        return text;
    }
    let reason = text.rsplit_once(':').map(|(_, reason)| reason.trim());
    reason.map_or_else(|| text.clone(), str::to_owned)
}

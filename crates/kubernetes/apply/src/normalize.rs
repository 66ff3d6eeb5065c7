//! Normalizes a desired object before it is sent.
//!
//! Each rule works around a known Kubernetes bug or removes an unset field (`normalize/unset.rs`).
//! Parity: `pkg: ssa/normalize/normalize.go`, `ssa/utils/cert_validation.go`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Map;
use sluice_object::{Object, Value};

use crate::unknown::{is_exempt, is_typed};

mod unset;

/// Normalizes a desired object in place.
pub fn normalize(object: &mut Object) {
    if is_exempt(object) {
        return;
    }
    if is_typed(object) {
        unset::strip(object);
    }
    match (object.api_version(), object.kind()) {
        ("v1", "Secret") => encode_string_data(object),
        ("v1", "Service") => default_protocol(object.at_mut(&["spec"])),
        ("v1", "Pod") => default_container_protocols(object, &["spec"]),
        ("apps/v1", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet")
        | ("batch/v1", "Job") => default_container_protocols(object, &["spec", "template", "spec"]),
        ("batch/v1", "CronJob") => {
            let template = ["spec", "jobTemplate", "spec", "template", "spec"];
            default_container_protocols(object, &template);
        }
        _ => {}
    }
    // Exported manifests contain the time of another cluster, and typed tools print `null`.
    object.metadata_mut().shift_remove("creationTimestamp");
    if object.is("apiextensions.k8s.io", "CustomResourceDefinition") {
        strip_invalid_ca_bundle(object);
    } else {
        object.as_map_mut().shift_remove("status");
    }
}

/// Moves `stringData` into `data`, like the server does. The server records no owner for keys from
/// `stringData`. So keys that are removed from Git would stay in the cluster (kubernetes#108008).
fn encode_string_data(object: &mut Object) {
    let fields = object.as_map_mut();
    let Some(Value::Object(texts)) = fields.get("stringData") else {
        return;
    };
    // The server reports values that are not strings. Null counts as empty.
    let Some(encoded) = texts
        .iter()
        .map(|(key, value)| {
            let text = if value.is_null() { "" } else { value.as_str()? };
            Some((key.clone(), Value::from(STANDARD.encode(text))))
        })
        .collect::<Option<Vec<_>>>()
    else {
        return;
    };
    fields.shift_remove("stringData");
    let data = fields.entry("data").or_insert_with(|| Map::new().into());
    if let Value::Object(data) = data {
        data.extend(encoded);
    }
}

/// List keys of ports include the protocol, so a port without protocol differs from the defaulted
/// one (structured-merge-diff#130).
fn default_container_protocols(object: &mut Object, pod_spec: &[&str]) {
    let containers = object
        .at_mut(pod_spec)
        .and_then(|spec| spec.get_mut("containers"))
        .and_then(Value::as_array_mut);
    for container in containers.into_iter().flatten() {
        default_protocol(Some(container));
    }
}

/// Sets the protocol of `ports` without one to `TCP`.
fn default_protocol(holder: Option<&mut Value>) {
    let ports = holder
        .and_then(|holder| holder.get_mut("ports"))
        .and_then(Value::as_array_mut);
    for port in ports.into_iter().flatten() {
        if let Value::Object(port) = port {
            let named = port
                .get("protocol")
                .is_some_and(|protocol| !protocol.is_null() && protocol != "");
            if !named {
                port.insert("protocol".into(), "TCP".into());
            }
        }
    }
}

/// Removes a `caBundle` that is not a certificate. Charts contain placeholders for an injector, and
/// since 1.31 the server rejects the definition for them.
fn strip_invalid_ca_bundle(object: &mut Object) {
    let holder = object
        .at_mut(&["spec", "conversion", "webhook", "clientConfig"])
        .and_then(Value::as_object_mut);
    let Some(holder) = holder else { return };
    let is_invalid = holder
        .get("caBundle")
        .and_then(Value::as_str)
        .is_some_and(|bundle| !bundle.is_empty() && !is_certificate_bundle(bundle));
    if is_invalid {
        holder.shift_remove("caBundle");
    }
}

fn is_certificate_bundle(bundle: &str) -> bool {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const END: &str = "-----END CERTIFICATE-----";
    let Ok(decoded) = STANDARD.decode(bundle) else {
        return false;
    };
    if decoded.is_empty() {
        return true;
    }
    let Ok(text) = String::from_utf8(decoded) else {
        return false;
    };
    text.split_once(BEGIN)
        .and_then(|(_, rest)| rest.split_once(END))
        .is_some_and(|(body, _)| {
            let body: String = body.split_whitespace().collect();
            // A certificate is a DER sequence.
            STANDARD
                .decode(body)
                .is_ok_and(|certificate| certificate.first() == Some(&0x30))
        })
}

#[cfg(test)]
mod tests;

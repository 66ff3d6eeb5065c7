//! Names a test for every field of Alert, Provider and Receiver. A field without one fails.
//!
//! The named test must mention the field, and fail if the controller ignores it.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the sources of the crate"
)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

/// Kind and field of the definition, with the name of a test.
const TESTS: &[(&str, &str, &str)] = &[
    (
        "Alert",
        "spec.eventMetadata",
        "metadata_has_the_precedence_of_its_source",
    ),
    (
        "Alert",
        "spec.eventSeverity",
        "error_alert_only_wants_failures",
    ),
    // The reference does not compare the version of the source.
    (
        "Alert",
        "spec.eventSources[].apiVersion",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.eventSources[].kind",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.eventSources[].matchLabels",
        "labels_decide_about_a_source_with_labels",
    ),
    (
        "Alert",
        "spec.eventSources[].name",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.eventSources[].namespace",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.exclusionList[]",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.inclusionList[]",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Alert",
        "spec.providerRef.name",
        "missing_secret_and_provider_are_warnings",
    ),
    (
        "Alert",
        "spec.summary",
        "metadata_has_the_precedence_of_its_source",
    ),
    (
        "Alert",
        "spec.suspend",
        "alert_wants_the_events_of_its_sources",
    ),
    (
        "Provider",
        "spec.address",
        "event_arrives_as_generic_and_slack_payload",
    ),
    (
        "Provider",
        "spec.certSecretRef.name",
        "certificates_and_proxy_of_secrets_are_used",
    ),
    (
        "Provider",
        "spec.channel",
        "event_arrives_as_generic_and_slack_payload",
    ),
    (
        "Provider",
        "spec.commitStatusExpr",
        "commit_status_is_set_unless_it_is_the_newest",
    ),
    // The field is deprecated, and the reference ignores it.
    (
        "Provider",
        "spec.interval",
        "interval_of_provider_has_no_effect",
    ),
    (
        "Provider",
        "spec.proxy",
        "deprecated_proxy_is_used_with_a_warning",
    ),
    (
        "Provider",
        "spec.proxySecretRef.name",
        "certificates_and_proxy_of_secrets_are_used",
    ),
    (
        "Provider",
        "spec.secretRef.name",
        "event_arrives_as_generic_and_slack_payload",
    ),
    (
        "Provider",
        "spec.serviceAccountName",
        "token_of_service_account_sets_azure_status",
    ),
    ("Provider", "spec.suspend", "dispatch_refuses_with_a_reason"),
    (
        "Provider",
        "spec.timeout",
        "service_that_hangs_ends_at_the_timeout",
    ),
    (
        "Provider",
        "spec.type",
        "event_arrives_as_generic_and_slack_payload",
    ),
    ("Provider", "spec.username", "secret_overrides_the_spec"),
    ("Receiver", "spec.events[]", "github_form_is_unpacked"),
    (
        "Receiver",
        "spec.interval",
        "interval_of_receiver_is_the_next_run",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].audience",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].issuerURL",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].validations[].expression",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].validations[].message",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].variables[].expression",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.oidcProviders[].variables[].name",
        "oidc_claims_are_judged_by_expressions",
    ),
    (
        "Receiver",
        "spec.resourceFilter",
        "filter_chooses_objects_by_label",
    ),
    (
        "Receiver",
        "spec.resources[].apiVersion",
        "targets_follow_the_rules_of_their_entry",
    ),
    (
        "Receiver",
        "spec.resources[].filter",
        "filters_are_both_needed",
    ),
    (
        "Receiver",
        "spec.resources[].kind",
        "targets_follow_the_rules_of_their_entry",
    ),
    (
        "Receiver",
        "spec.resources[].matchLabels",
        "targets_follow_the_rules_of_their_entry",
    ),
    (
        "Receiver",
        "spec.resources[].name",
        "targets_follow_the_rules_of_their_entry",
    ),
    (
        "Receiver",
        "spec.resources[].namespace",
        "targets_follow_the_rules_of_their_entry",
    ),
    (
        "Receiver",
        "spec.secretRef.name",
        "missing_token_is_a_condition_until_secret_exists",
    ),
    (
        "Receiver",
        "spec.suspend",
        "unavailable_receivers_and_large_bodies_are_refused",
    ),
    ("Receiver", "spec.type", "signed_webhook_is_verified"),
    (
        "Receiver",
        "status.conditions[]",
        "path_makes_receiver_ready",
    ),
    (
        "Receiver",
        "status.lastHandledReconcileAt",
        "requested_run_is_recorded",
    ),
    (
        "Receiver",
        "status.observedGeneration",
        "path_makes_receiver_ready",
    ),
    (
        "Receiver",
        "status.webhookPath",
        "path_makes_receiver_ready",
    ),
];

/// Collects the fields of a schema.
fn collect(schema: &Value, path: &str, fields: &mut BTreeSet<String>) {
    // Conditions have the form of all of Kubernetes.
    if path.ends_with("conditions[]") {
        fields.insert(path.to_owned());
        return;
    }
    if schema["type"] == "array" {
        return collect(&schema["items"], &format!("{path}[]"), fields);
    }
    let Some(properties) = schema["properties"].as_object() else {
        fields.insert(path.to_owned());
        return;
    };
    for (name, property) in properties {
        collect(property, &format!("{path}.{name}"), fields);
    }
}

/// Returns the fields of all kinds of the controller.
fn fields() -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for (component, definitions) in sluice_api::crds::generate() {
        if component != "notification-controller" {
            continue;
        }
        for definition in definitions {
            let kind = definition["spec"]["names"]["kind"].as_str().unwrap();
            for version in definition["spec"]["versions"].as_array().unwrap() {
                let properties = &version["schema"]["openAPIV3Schema"]["properties"];
                for part in ["spec", "status"] {
                    if !properties[part].is_object() {
                        continue;
                    }
                    let mut fields = BTreeSet::new();
                    collect(&properties[part], part, &mut fields);
                    all.extend(fields.into_iter().map(|field| (kind.to_owned(), field)));
                }
            }
        }
    }
    all
}

/// Appends all sources of a folder.
fn read(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, text);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("fields.rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Returns the field that a test must mention: a reference's name stands for the reference.
fn mention(field: &str) -> &str {
    let mut parts = field.trim_end_matches("[]").rsplit('.');
    let last = parts.next().unwrap();
    match parts.next() {
        Some(reference) if reference.ends_with("Ref") => reference,
        _ => last.trim_end_matches("[]"),
    }
}

fn snake_case(name: &str) -> String {
    let upper = |c: char| c.is_ascii_uppercase();
    let parts = name.chars().map(|c| match c {
        c if upper(c) => format!("_{}", c.to_ascii_lowercase()),
        c => c.to_string(),
    });
    parts.collect()
}

#[test]
fn every_field_has_a_test() {
    let named: BTreeSet<_> = TESTS
        .iter()
        .map(|(kind, field, _)| ((*kind).to_owned(), (*field).to_owned()))
        .collect();
    assert_eq!(named.len(), TESTS.len(), "a field is listed twice");
    assert_eq!(fields(), named);
}

#[test]
fn named_tests_mention_their_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["src", "tests"] {
        read(&root.join(folder), &mut sources);
    }
    for (kind, field, test) in TESTS {
        let start = sources.find(&format!("fn {test}("));
        let start = start.unwrap_or_else(|| panic!("{kind} {field}: no test {test}"));
        let body = &sources[start..];
        let body = &body[..body.find("\n}\n").unwrap_or(body.len())];
        let name = mention(field);
        assert!(
            body.contains(name) || body.contains(&snake_case(name)),
            "{kind} {field}: {test} does not mention {name}"
        );
    }
}

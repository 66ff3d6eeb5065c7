//! Walks every field of Alert, Provider and Receiver. A field without a proof fails.
//!
//! Most proofs compare the decisions about two objects that differ in the field only. The others
//! name a test, which must mention the field.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads the sources of the crate"
)]

#[path = "fields/outcome.rs"]
mod outcome;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

/// The proof that the controller reads a field, or ignores it on purpose.
#[derive(Clone)]
enum Proof {
    /// The decisions about these objects differ.
    Differs(Value, Value),
    /// The reference ignores the field, too: the decisions are equal.
    Ignored(Value, Value),
    /// This test fails if the field is ignored.
    Test(&'static str),
}
use Proof::{Differs, Ignored, Test};

type Row = (&'static str, Proof);

/// Returns the spec that all proofs of a kind share.
fn base(kind: &str) -> Value {
    match kind {
        "Alert" => json!({
            "providerRef": { "name": "a" },
            "eventSources": [{ "kind": "Kustomization", "name": "*" }],
        }),
        "Provider" => json!({ "type": "generic", "address": "https://hooks.example.com/a/b" }),
        _ => json!({
            "type": "generic", "secretRef": { "name": "a" },
            "resources": [{ "kind": "GitRepository", "name": "app" }],
        }),
    }
}

fn alert() -> Vec<Row> {
    let source = |more: Value| {
        let base = json!({ "kind": "Kustomization", "name": "*" });
        json!({ "eventSources": [merged(base, &more)] })
    };
    let whole = || source(json!({}));
    vec![
        (
            "spec.eventMetadata",
            Differs(json!({}), json!({ "eventMetadata": { "cluster": "prod" } })),
        ),
        (
            "spec.eventSeverity",
            Differs(json!({}), json!({ "eventSeverity": "error" })),
        ),
        (
            "spec.eventSources[].apiVersion",
            Ignored(whole(), source(json!({ "apiVersion": "v1" }))),
        ),
        (
            "spec.eventSources[].kind",
            Differs(whole(), source(json!({ "kind": "GitRepository" }))),
        ),
        (
            "spec.eventSources[].matchLabels",
            Differs(whole(), source(json!({ "matchLabels": { "app": "b" } }))),
        ),
        (
            "spec.eventSources[].name",
            Differs(whole(), source(json!({ "name": "other" }))),
        ),
        (
            "spec.eventSources[].namespace",
            Differs(whole(), source(json!({ "namespace": "other" }))),
        ),
        (
            "spec.exclusionList[]",
            Differs(json!({}), json!({ "exclusionList": ["^some"] })),
        ),
        (
            "spec.inclusionList[]",
            Differs(json!({}), json!({ "inclusionList": ["nothing"] })),
        ),
        (
            "spec.providerRef.name",
            Test("missing_secret_and_provider_are_warnings"),
        ),
        (
            "spec.summary",
            Differs(json!({}), json!({ "summary": "s" })),
        ),
        (
            "spec.suspend",
            Differs(json!({}), json!({ "suspend": true })),
        ),
    ]
}

fn provider() -> Vec<Row> {
    let names = |field: &str| {
        let [a, b] = ["a", "b"].map(|name| json!({ field: { "name": name } }));
        Differs(a, b)
    };
    let texts = |field: &str, a: &str, b: &str| {
        Differs(
            json!({ "type": "slack", field: a }),
            json!({ "type": "slack", field: b }),
        )
    };
    let gitea = |more: Value| {
        merged(
            json!({ "type": "gitea", "secretRef": { "name": "a" } }),
            &more,
        )
    };
    vec![
        (
            "spec.address",
            texts("address", "https://a.example.com", "https://b.example.com"),
        ),
        ("spec.certSecretRef.name", names("certSecretRef")),
        ("spec.channel", texts("channel", "a", "b")),
        (
            "spec.commitStatusExpr",
            Differs(
                gitea(json!({})),
                gitea(json!({ "commitStatusExpr": "'a'" })),
            ),
        ),
        (
            "spec.interval",
            Ignored(json!({}), json!({ "interval": "5m" })),
        ),
        (
            "spec.proxy",
            texts("proxy", "http://a.example.com", "http://b.example.com"),
        ),
        ("spec.proxySecretRef.name", names("proxySecretRef")),
        ("spec.secretRef.name", names("secretRef")),
        (
            "spec.serviceAccountName",
            Differs(json!({}), json!({ "serviceAccountName": "a" })),
        ),
        (
            "spec.suspend",
            Differs(json!({}), json!({ "suspend": true })),
        ),
        ("spec.timeout", texts("timeout", "1s", "2s")),
        (
            "spec.type",
            Differs(json!({ "type": "generic" }), json!({ "type": "slack" })),
        ),
        ("spec.username", texts("username", "a", "b")),
    ]
}

/// Returns a spec of a Receiver with an OIDC issuer.
fn oidc(more: &Value) -> Value {
    let provider = json!({
        "issuerURL": "https://issuer.example.com",
        "variables": [{ "name": "branch", "expression": "claims.ref" }],
        "validations": [{ "expression": "vars.branch == 'main'", "message": "a" }],
    });
    json!({
        "type": "generic-oidc", "secretRef": null, "oidcProviders": [merged(provider, more)],
    })
}

fn issuers() -> Vec<Row> {
    let validation = |expression: &str, message: &str| {
        let validation = json!({ "expression": expression, "message": message });
        oidc(&json!({ "validations": [validation] }))
    };
    let variable = |name: &str, expression: &str| {
        let variable = json!({ "name": name, "expression": expression });
        oidc(&json!({ "variables": [variable] }))
    };
    vec![
        (
            "spec.oidcProviders[].audience",
            Differs(oidc(&json!({})), oidc(&json!({ "audience": "other" }))),
        ),
        (
            "spec.oidcProviders[].issuerURL",
            Differs(
                oidc(&json!({})),
                oidc(&json!({ "issuerURL": "https://other.example.com" })),
            ),
        ),
        (
            "spec.oidcProviders[].validations[].expression",
            Differs(validation("true", "a"), validation("false", "a")),
        ),
        (
            "spec.oidcProviders[].validations[].message",
            Differs(validation("false", "a"), validation("false", "b")),
        ),
        (
            "spec.oidcProviders[].variables[].expression",
            Differs(
                variable("branch", "claims.ref"),
                variable("branch", "'other'"),
            ),
        ),
        (
            "spec.oidcProviders[].variables[].name",
            Differs(
                variable("branch", "claims.ref"),
                variable("tag", "claims.ref"),
            ),
        ),
    ]
}

fn receiver() -> Vec<Row> {
    let gitlab = |more: Value| merged(json!({ "type": "gitlab" }), &more);
    let resource = |more: Value| {
        let base = json!({ "kind": "GitRepository", "name": "app" });
        json!({ "resources": [merged(base, &more)] })
    };
    let labelled = |team: &str| resource(json!({ "name": "*", "matchLabels": { "team": team } }));
    vec![
        (
            "spec.events[]",
            Differs(
                gitlab(json!({})),
                gitlab(json!({ "events": ["Tag Push Hook"] })),
            ),
        ),
        (
            "spec.interval",
            Test("interval_of_receiver_is_the_next_run"),
        ),
        (
            "spec.resourceFilter",
            Differs(json!({}), json!({ "resourceFilter": "req.a == 2" })),
        ),
        (
            "spec.resources[].apiVersion",
            Differs(
                resource(json!({})),
                resource(json!({ "apiVersion": "source.toolkit.fluxcd.io/v1beta2" })),
            ),
        ),
        (
            "spec.resources[].filter",
            Differs(
                resource(json!({})),
                resource(json!({ "filter": "req.a == 2" })),
            ),
        ),
        (
            "spec.resources[].kind",
            Differs(resource(json!({})), resource(json!({ "kind": "Bucket" }))),
        ),
        (
            "spec.resources[].matchLabels",
            Differs(labelled("a"), labelled("b")),
        ),
        (
            "spec.resources[].name",
            Differs(resource(json!({})), resource(json!({ "name": "other" }))),
        ),
        (
            "spec.resources[].namespace",
            Differs(
                resource(json!({})),
                resource(json!({ "namespace": "other" })),
            ),
        ),
        (
            "spec.secretRef.name",
            Differs(
                gitlab(json!({ "secretRef": { "name": "a" } })),
                gitlab(json!({ "secretRef": { "name": "b" } })),
            ),
        ),
        (
            "spec.suspend",
            Differs(json!({}), json!({ "suspend": true })),
        ),
        (
            "spec.type",
            Differs(json!({ "type": "generic" }), json!({ "type": "gitlab" })),
        ),
        ("status.conditions[]", Test("path_makes_receiver_ready")),
        (
            "status.lastHandledReconcileAt",
            Test("requested_run_is_recorded"),
        ),
        (
            "status.observedGeneration",
            Test("path_makes_receiver_ready"),
        ),
        ("status.webhookPath", Test("path_makes_receiver_ready")),
    ]
}

fn rows() -> [(&'static str, Vec<Row>); 3] {
    [
        ("Alert", alert()),
        ("Provider", provider()),
        ("Receiver", [receiver(), issuers()].concat()),
    ]
}

/// Replaces fields of an object. The new fields are last.
fn merged(mut base: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        base[name] = value.clone();
    }
    base
}

/// Returns the values of a field, which is below lists if its path says so.
fn values<'v>(object: &'v Value, field: &str) -> Vec<&'v Value> {
    let mut found = vec![object];
    for part in field.split('.').skip(1) {
        let name = part.trim_end_matches("[]");
        found = found.into_iter().filter_map(|it| it.get(name)).collect();
        if part.ends_with("[]") {
            let items = found.into_iter().filter_map(Value::as_array);
            found = items.flatten().collect();
        }
    }
    found
}

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
fn every_field_has_a_proof() {
    let mut named = BTreeSet::new();
    for (kind, rows) in rows() {
        for (field, _) in rows {
            let is_new = named.insert((kind.to_owned(), field.to_owned()));
            assert!(is_new, "{kind} {field} is listed twice");
        }
    }
    assert_eq!(fields(), named);
}

#[test]
fn decisions_follow_every_field() {
    let all = fields();
    for (kind, rows) in rows() {
        for (field, proof) in rows {
            let (left, right, is_read) = match proof {
                Differs(left, right) => (left, right, true),
                Ignored(left, right) => (left, right, false),
                Test(_) => continue,
            };
            let [left, right] = [left, right].map(|more| merged(base(kind), &more));
            let of_kind = all.iter().filter(|(other, _)| other == kind);
            let different: Vec<_> = of_kind
                .map(|(_, field)| field.as_str())
                .filter(|field| values(&left, field) != values(&right, field))
                .collect();
            assert_eq!(
                different,
                [field],
                "{kind} {field}: not the only difference"
            );
            let [left, right] = [left, right].map(|spec| outcome::outcome(kind, &spec));
            assert_eq!(left != right, is_read, "{kind} {field}: {left}\n\n{right}");
        }
    }
}

#[test]
fn named_tests_mention_their_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["src", "tests"] {
        read(&root.join(folder), &mut sources);
    }
    for (kind, rows) in rows() {
        for (field, proof) in rows {
            let Test(test) = proof else {
                continue;
            };
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
}

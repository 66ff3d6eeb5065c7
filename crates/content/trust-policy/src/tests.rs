//! Table tests of trust policies.

use serde_json::json;

use super::*;

fn policy(statements: &[Value]) -> Result<(), String> {
    let policy = json!({ "version": "1.0", "trustPolicies": statements });
    let policy = serde_json::from_value::<TrustPolicy>(policy).unwrap();
    policy.check_statements()
}

/// A statement that holds, with some fields changed.
fn statement(changed: &Value) -> Value {
    let mut statement = json!({
        "name": "a",
        "registryScopes": ["*"],
        "signatureVerification": { "level": "strict" },
        "trustStores": ["ca:fluxcd.io"],
        "trustedIdentities": ["*"],
    });
    let fields = statement.as_object_mut().unwrap();
    fields.extend(changed.as_object().unwrap().clone());
    statement
}

#[test]
fn valid_statement_is_accepted() {
    let subject = "x509.subject: C=US, ST=WA, O=a";
    for good in [
        json!({}),
        json!({ "registryScopes": ["ghcr.io/org/app", "localhost:5000/a__b/c-d"] }),
        json!({ "trustedIdentities": [subject, "plugin:anything"] }),
        json!({ "trustStores": ["ca:a", "tsa:b", "signingAuthority:c"] }),
        json!({ "signatureVerification": {
            "level": "audit", "override": { "revocation": "skip", "expiry": "log" },
            "verifyTimestamp": "afterCertExpiry",
        } }),
        json!({
            "signatureVerification": { "level": "skip" },
            "trustStores": null, "trustedIdentities": [],
        }),
    ] {
        assert_eq!(policy(&[statement(&good)]), Ok(()), "{good}");
    }
}

#[test]
fn invalid_statement_has_the_error_of_notation() {
    let level = |level: &str| json!({ "signatureVerification": { "level": level } });
    let custom = |validation: &str, action: &str| {
        json!({ "signatureVerification": {
            "level": "strict", "override": { validation: action },
        } })
    };
    let identities = |all: &[&str]| json!({ "trustedIdentities": all });
    for (changed, said) in [
        (
            json!({ "name": "" }),
            "trust policy: a trust policy statement is missing a name, every statement requires a name",
        ),
        (
            level(""),
            "signature verification level is empty or missing",
        ),
        (
            level("loose"),
            "trust policy: trust policy statement \"a\" has invalid signatureVerification: invalid signature verification level \"loose\"",
        ),
        (
            level("skip"),
            "is set to skip signature verification but configured with trust stores",
        ),
        (
            custom("integrity", "log"),
            "\"integrity\" verification can not be overridden in custom signature verification",
        ),
        (
            custom("expiry", "skip"),
            "\"expiry\" verification can not be skipped in custom signature verification",
        ),
        (
            custom("expire", "log"),
            "verification type \"expire\" in custom signature verification is not supported, supported values are [\"integrity\" \"authenticity\" \"authenticTimestamp\" \"expiry\" \"revocation\"]",
        ),
        (custom("expiry", "warn"), "verification action \"warn\""),
        (
            json!({ "trustStores": [] }),
            "is either missing trust stores or trusted identities",
        ),
        (
            json!({ "trustStores": ["fluxcd.io"] }),
            "has malformed trust store value \"fluxcd.io\"",
        ),
        (
            json!({ "trustStores": ["x:a"] }),
            "uses an unsupported trust store type \"x\" in trust store value \"x:a\"",
        ),
        (
            json!({ "trustStores": ["ca:a/b"] }),
            "uses an unsupported trust store name \"a/b\"",
        ),
        (
            identities(&["*", "plugin:a"]),
            "uses a wildcard trusted identity '*'",
        ),
        (identities(&[""]), "has an empty trusted identity"),
        (
            identities(&["a"]),
            "has trusted identity \"a\" missing separator",
        ),
        (identities(&["x509.subject:"]), "without an identity value"),
        (
            identities(&["x509.subject:C=US"]),
            "with invalid identity value: distinguished name (DN) \"C=US\" has no mandatory",
        ),
        (
            identities(&[
                "x509.subject:C=US,ST=WA,O=a",
                "x509.subject:C=US,ST=WA,O=a,CN=b",
            ]),
            "has overlapping x509 trustedIdentities, \"x509.subject:C=US,ST=WA,O=a\" overlaps with",
        ),
        (
            json!({ "registryScopes": [] }),
            "trust policy statement \"a\" has zero registry scopes",
        ),
        (
            json!({ "registryScopes": ["*", "ghcr.io/a"] }),
            "uses wildcard registry scope '*'",
        ),
        (
            json!({ "registryScopes": ["ghcr.io/*"] }),
            "registry scope \"ghcr.io/*\" with wild card(s) is not valid",
        ),
        (
            json!({ "registryScopes": ["ghcr.io"] }),
            "registry scope \"ghcr.io\" is not valid",
        ),
        (
            json!({ "registryScopes": ["ghcr.io/a:b"] }),
            "registry scope \"ghcr.io/a:b\" is not valid",
        ),
    ] {
        let refused = policy(&[statement(&changed)]).unwrap_err();
        assert!(refused.contains(said), "{changed}: {refused}");
    }
}

#[test]
fn statements_share_no_name_and_no_scope() {
    let other = |changed: Value| policy(&[statement(&json!({})), statement(&changed)]);
    assert_eq!(
        other(json!({ "registryScopes": ["ghcr.io/a"] })).unwrap_err(),
        "multiple trust policy statements use the same name \"a\", statement names must be unique"
    );
    let refused = other(json!({ "name": "b" })).unwrap_err();
    assert!(
        refused.starts_with("registry scope \"*\" is present in multiple"),
        "{refused}"
    );
}

#[test]
fn policy_needs_a_version_and_statements() {
    let check = |text: &str| serde_json::from_str::<TrustPolicy>(text).unwrap().check();
    for (text, said) in [
        ("{}", "trust policy document has empty version"),
        (r#"{"version":"2.0"}"#, "uses unsupported version \"2.0\""),
        (
            r#"{"version":"1.0"}"#,
            "can not have zero trust policy statements",
        ),
    ] {
        let refused = check(text).unwrap_err().to_string();
        assert!(refused.contains(said), "{text}: {refused}");
    }
}

#[test]
fn unknown_field_names_its_statement() {
    let verification = json!({ "level": "strict", "verifyTimestmp": "always" });
    for (changed, field) in [
        (json!({ "trustedIdentites": [] }), "trustedIdentites"),
        (
            json!({ "signatureVerification": verification }),
            "verifyTimestmp",
        ),
    ] {
        let expected =
            format!("trust policy: trust policy statement \"a\" has the unknown field \"{field}\"");
        assert_eq!(policy(&[statement(&changed)]), Err(expected));
    }
}

#[test]
fn identities_of_a_statement_are_bounded() {
    let many: Vec<String> = (0..1001)
        .map(|number| format!("x509.subject: C=US, ST=WA, O={number}"))
        .collect();
    let fault = policy(&[statement(&json!({ "trustedIdentities": many }))]).unwrap_err();
    assert!(
        fault.ends_with("has more than 1000 trusted identities"),
        "{fault}"
    );
}

//! The trust policy of Notation: the identities that are trusted to sign artifacts.
//!
//! Rejects the policies that Notation itself rejects when it verifies, in its order and words.
//! Parity: notation-go v1.3: verifier/trustpolicy.

mod distinguished_name;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer};
use sluice_golang::quote::quote;

use distinguished_name::DistinguishedName;

const WILDCARD: &str = "*";
const LEVELS: [&str; 4] = ["strict", "permissive", "audit", "skip"];
const VALIDATIONS: [&str; 5] = [
    "integrity",
    "authenticity",
    "authenticTimestamp",
    "expiry",
    "revocation",
];
const ACTIONS: [&str; 3] = ["enforce", "log", "skip"];
const STORES: [&str; 3] = ["ca", "signingAuthority", "tsa"];
const REPOSITORY: &str = "make sure it is a fully qualified repository without the scheme, protocol or tag. For example domain.com/my/repository or a local scope like local/myOCILayout";

static DOMAIN: LazyLock<Regex> = LazyLock::new(|| {
    let part = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    pattern(&format!(r"^{part}(?:\.{part})*(?::[0-9]+)?$"))
});
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    let part = "[a-z0-9]+(?:(?:[._]|__|-*)[a-z0-9]+)*";
    pattern(&format!("^{part}(?:/{part})*$"))
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// Reads a missing or null text or list as an empty one.
fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A trust policy is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidTrustPolicy(String);

/// A trust policy as its JSON document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrustPolicy {
    #[serde(default, deserialize_with = "or_empty")]
    version: String,
    #[serde(default, deserialize_with = "or_empty")]
    trust_policies: Vec<Statement>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    #[serde(default, deserialize_with = "or_empty")]
    name: String,
    #[serde(default, deserialize_with = "or_empty")]
    registry_scopes: Vec<String>,
    #[serde(default, deserialize_with = "or_empty")]
    signature_verification: Verification,
    #[serde(default, deserialize_with = "or_empty")]
    trust_stores: Vec<String>,
    #[serde(default, deserialize_with = "or_empty")]
    trusted_identities: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verification {
    #[serde(default, deserialize_with = "or_empty")]
    level: String,
    #[serde(default, deserialize_with = "or_empty", rename = "override")]
    overrides: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "or_empty")]
    verify_timestamp: String,
}

impl TrustPolicy {
    /// Checks the statements and their scopes.
    pub fn check(&self) -> Result<(), InvalidTrustPolicy> {
        self.check_statements().map_err(InvalidTrustPolicy)
    }

    fn check_statements(&self) -> Result<(), String> {
        match self.version.as_str() {
            "1.0" => {}
            "" => {
                return Err(
                    "trust policy document has empty version, version must be specified".to_owned(),
                );
            }
            other => {
                return Err(format!(
                    "trust policy document uses unsupported version {}",
                    quote(other)
                ));
            }
        }
        if self.trust_policies.is_empty() {
            return Err(
                "trust policy document can not have zero trust policy statements".to_owned(),
            );
        }
        let mut names = BTreeSet::new();
        for statement in &self.trust_policies {
            if names.contains(&statement.name) {
                return Err(format!(
                    "multiple trust policy statements use the same name {}, statement names must be unique",
                    quote(&statement.name)
                ));
            }
            statement
                .check()
                .map_err(|fault| format!("trust policy: {fault}"))?;
            names.insert(&statement.name);
        }
        self.check_scopes()
    }

    fn check_scopes(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        let mut repeated = None;
        for Statement {
            name,
            registry_scopes: scopes,
            ..
        } in &self.trust_policies
        {
            if scopes.is_empty() {
                return Err(format!(
                    "trust policy statement {} has zero registry scopes, it must specify registry scopes with at least one value",
                    quote(name)
                ));
            }
            if scopes.len() > 1 && scopes.iter().any(|scope| scope == WILDCARD) {
                return Err(format!(
                    "trust policy statement {} uses wildcard registry scope '*', a wildcard scope cannot be used in conjunction with other scope values",
                    quote(name)
                ));
            }
            for scope in scopes {
                if scope != WILDCARD {
                    check_scope(scope)?;
                }
                if !seen.insert(scope) {
                    repeated.get_or_insert(scope);
                }
            }
        }
        match repeated {
            Some(scope) => Err(format!(
                "registry scope {} is present in multiple trust policy statements, one registry scope value can only be associated with one statement",
                quote(scope)
            )),
            None => Ok(()),
        }
    }
}

fn check_scope(scope: &str) -> Result<(), String> {
    if scope.len() > 1 && scope.contains(WILDCARD) {
        return Err(format!(
            "registry scope {} with wild card(s) is not valid, {REPOSITORY}",
            quote(scope)
        ));
    }
    match scope.split_once('/') {
        Some((domain, path)) if DOMAIN.is_match(domain) && PATH.is_match(path) => Ok(()),
        _ => Err(format!(
            "registry scope {} is not valid, {REPOSITORY}",
            quote(scope)
        )),
    }
}

impl Statement {
    fn check(&self) -> Result<(), String> {
        if self.name.is_empty() {
            return Err(
                "a trust policy statement is missing a name, every statement requires a name"
                    .to_owned(),
            );
        }
        let name = format!("trust policy statement {}", quote(&self.name));
        let verification = &self.signature_verification;
        verification
            .check()
            .map_err(|fault| format!("{name} has invalid signatureVerification: {fault}"))?;
        let (stores, identities) = (&self.trust_stores, &self.trusted_identities);
        if verification.level == "skip" {
            if stores.is_empty() && identities.is_empty() {
                return Ok(());
            }
            return Err(format!(
                "{name} is set to skip signature verification but configured with trust stores and/or trusted identities, remove them if signature verification needs to be skipped"
            ));
        }
        if stores.is_empty() || identities.is_empty() {
            return Err(format!(
                "{name} is either missing trust stores or trusted identities, both must be specified"
            ));
        }
        for store in stores {
            check_store(store).map_err(|fault| format!("{name} {fault}"))?;
        }
        check_identities(identities).map_err(|fault| format!("{name} {fault}"))
    }
}

impl Verification {
    fn check(&self) -> Result<(), String> {
        if self.level.is_empty() {
            return Err(
                "signature verification level is empty or missing in the trust policy statement"
                    .to_owned(),
            );
        }
        if !LEVELS.contains(&self.level.as_str()) {
            return Err(format!(
                "invalid signature verification level {}",
                quote(&self.level)
            ));
        }
        if self.level == "skip" && !self.overrides.is_empty() {
            return Err(
                "signature verification level \"skip\" can't be used to customize signature verification"
                    .to_owned(),
            );
        }
        for (validation, action) in &self.overrides {
            check_override(validation, action)?;
        }
        if !matches!(
            self.verify_timestamp.as_str(),
            "" | "always" | "afterCertExpiry"
        ) {
            return Err(format!(
                "verifyTimestamp must be \"always\" or \"afterCertExpiry\", but got {}",
                quote(&self.verify_timestamp)
            ));
        }
        Ok(())
    }
}

fn check_override(validation: &str, action: &str) -> Result<(), String> {
    let list = |known: &[&str]| {
        let quoted: Vec<String> = known.iter().map(|word| quote(word)).collect();
        format!("[{}]", quoted.join(" "))
    };
    let custom = "in custom signature verification";
    if !VALIDATIONS.contains(&validation) {
        return Err(format!(
            "verification type {} {custom} is not supported, supported values are {}",
            quote(validation),
            list(&VALIDATIONS)
        ));
    }
    if !ACTIONS.contains(&action) {
        return Err(format!(
            "verification action {} {custom} is not supported, supported values are {}",
            quote(action),
            list(&ACTIONS)
        ));
    }
    let said = match (validation, action) {
        ("integrity", _) => "overridden",
        ("revocation", _) => return Ok(()),
        (_, "skip") => "skipped",
        _ => return Ok(()),
    };
    Err(format!(
        "{} verification can not be {said} {custom}",
        quote(validation)
    ))
}

/// `<type>:<name>`.
fn check_store(store: &str) -> Result<(), String> {
    let quoted = quote(store);
    let Some((kind, name)) = store.split_once(':') else {
        return Err(format!(
            "has malformed trust store value {quoted}. The required format is <TrustStoreType>:<TrustStoreName>"
        ));
    };
    if !STORES.contains(&kind) {
        return Err(format!(
            "uses an unsupported trust store type {} in trust store value {quoted}",
            quote(kind)
        ));
    }
    let is_file_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_file_name) {
        return Err(format!(
            "uses an unsupported trust store name {} in trust store value {quoted}. Named store name needs to follow [a-zA-Z0-9_.-]+ format",
            quote(name)
        ));
    }
    Ok(())
}

fn check_identities(identities: &[String]) -> Result<(), String> {
    if identities.len() > 1 && identities.iter().any(|identity| identity == WILDCARD) {
        return Err(
            "uses a wildcard trusted identity '*', a wildcard identity cannot be used in conjunction with other values"
                .to_owned(),
        );
    }
    let mut names = Vec::new();
    for identity in identities {
        if identity.is_empty() {
            return Err("has an empty trusted identity".to_owned());
        }
        if identity == WILDCARD {
            continue;
        }
        let quoted = quote(identity);
        match identity.split_once(':') {
            None => return Err(format!("has trusted identity {quoted} missing separator")),
            Some(("x509.subject", "")) => {
                return Err(format!(
                    "has trusted identity {quoted} without an identity value"
                ));
            }
            Some(("x509.subject", name)) => {
                let name = DistinguishedName::parse(name).map_err(|fault| {
                    format!("has trusted identity {quoted} with invalid identity value: {fault}")
                })?;
                names.push((quoted, name));
            }
            // Plugins check identities of other kinds.
            Some(_) => {}
        }
    }
    for (index, (quoted, name)) in names.iter().enumerate() {
        for (other_index, (other_quoted, other)) in names.iter().enumerate() {
            if index != other_index && name.is_subset_of(other) {
                return Err(format!(
                    "has overlapping x509 trustedIdentities, {quoted} overlaps with {other_quoted}"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

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
}

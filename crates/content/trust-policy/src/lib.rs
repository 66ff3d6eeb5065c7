//! The trust policy of Notation: the identities that are trusted to sign artifacts.
//!
//! Rejects the policies that Notation itself rejects when it verifies, in its order and words. It
//! also rejects unknown fields: a misspelt one would weaken the policy.
//! Parity: notation-go v1.3: verifier/trustpolicy.

mod distinguished_name;
mod level;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sluice_golang::quote::quote;

use distinguished_name::DistinguishedName;
pub use level::{Action, Check, Level};

const WILDCARD: &str = "*";
/// Maximum number of identities of a statement, because each is compared with each other.
const MAX_IDENTITIES: usize = 1000;
const LEVELS: [&str; 4] = ["strict", "permissive", "audit", "skip"];
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

/// The members of an object that have no field.
type Unknown = BTreeMap<String, Value>;

/// A trust policy as its JSON document.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrustPolicy {
    #[serde(default, deserialize_with = "or_empty")]
    version: String,
    #[serde(default, deserialize_with = "or_empty")]
    trust_policies: Vec<Statement>,
    #[serde(flatten)]
    unknown: Unknown,
}

/// A statement of a policy, about the artifacts of some repositories.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
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
    #[serde(flatten)]
    unknown: Unknown,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verification {
    #[serde(default, deserialize_with = "or_empty")]
    level: String,
    #[serde(default, deserialize_with = "or_empty", rename = "override")]
    overrides: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "or_empty")]
    verify_timestamp: String,
    #[serde(flatten)]
    unknown: Unknown,
}

/// The stores of certificates. All have the same certificates here, so that only their kinds count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Authorities of signers.
    Authority,
    /// Authorities that also tell the time.
    SigningAuthority,
    /// Authorities of time stamps.
    TimeStamping,
}

impl StoreKind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Authority => "ca:",
            Self::SigningAuthority => "signingAuthority:",
            Self::TimeStamping => "tsa:",
        }
    }
}

impl TrustPolicy {
    /// Drops stores and identities of statements that skip verification, and returns the names of
    /// these statements. Otherwise such a policy is invalid.
    pub fn drop_unused_trust(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        for statement in &mut self.trust_policies {
            let has_trust =
                !statement.trust_stores.is_empty() || !statement.trusted_identities.is_empty();
            if statement.signature_verification.level == "skip" && has_trust {
                statement.trust_stores.clear();
                statement.trusted_identities.clear();
                names.push(statement.name.clone());
            }
        }
        names
    }

    /// Finds the statement for a repository. Its own name is preferred to the wildcard.
    pub fn statement(&self, repository: &str) -> Option<&Statement> {
        let with = |scope: &str| {
            let is_for = |statement: &&Statement| {
                statement.registry_scopes.iter().any(|other| other == scope)
            };
            self.trust_policies.iter().find(is_for)
        };
        with(repository).or_else(|| with(WILDCARD))
    }

    /// Checks the statements and their scopes.
    pub fn check(&self) -> Result<(), InvalidTrustPolicy> {
        self.check_statements().map_err(InvalidTrustPolicy)
    }

    fn check_statements(&self) -> Result<(), String> {
        check_known(&self.unknown, "trust policy document")?;
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

/// Checks the form of a repository, as a scope of a statement has it.
pub fn check_scope(scope: &str) -> Result<(), String> {
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

fn check_known(unknown: &Unknown, whose: &str) -> Result<(), String> {
    match unknown.keys().next() {
        Some(field) => Err(format!("{whose} has the unknown field {}", quote(field))),
        None => Ok(()),
    }
}

impl Statement {
    /// The level with its overrides. `None` skips verification.
    pub fn level(&self) -> Option<Level> {
        let verification = &self.signature_verification;
        let mut level = Level::named(&verification.level)?;
        for (check, action) in &verification.overrides {
            if let (Some(check), Some(action)) = (Check::named(check), Action::named(action)) {
                level.set(check, action);
            }
        }
        Some(level)
    }

    /// Whether the policy names a store of this kind.
    pub fn has_store(&self, kind: StoreKind) -> bool {
        let mut stores = self.trust_stores.iter();
        stores.any(|store| store.starts_with(kind.prefix()))
    }

    /// Whether a time stamp only counts after the chain has expired.
    pub fn stamps_after_expiry(&self) -> bool {
        self.signature_verification.verify_timestamp == "afterCertExpiry"
    }

    /// Checks the subject of a leaf against the trusted identities.
    pub fn check_identity(&self, subject: &str) -> Result<(), String> {
        if self
            .trusted_identities
            .iter()
            .any(|identity| identity == WILDCARD)
        {
            return Ok(());
        }
        let mut names = Vec::new();
        for identity in &self.trusted_identities {
            if let Some(name) = identity.strip_prefix("x509.subject:") {
                names.push(DistinguishedName::parse(name)?);
            }
        }
        let policy = quote(&self.name);
        if names.is_empty() {
            return Err(format!(
                "no x509 trusted identities are configured in the trust policy {policy}"
            ));
        }
        let leaf = DistinguishedName::parse(subject).map_err(|fault| {
            format!(
                "error while parsing the certificate subject from the digital signature. error : {}",
                quote(&fault)
            )
        })?;
        if names.iter().any(|name| name.is_subset_of(&leaf)) {
            return Ok(());
        }
        Err(format!(
            "signing certificate from the digital signature does not match the X.509 trusted \
             identities {:?} defined in the trust policy {policy}",
            self.trusted_identities
        ))
    }

    fn check(&self) -> Result<(), String> {
        if self.name.is_empty() {
            return Err(
                "a trust policy statement is missing a name, every statement requires a name"
                    .to_owned(),
            );
        }
        let name = format!("trust policy statement {}", quote(&self.name));
        let verification = &self.signature_verification;
        check_known(&self.unknown, &name)?;
        check_known(&verification.unknown, &name)?;
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
    if Check::named(validation).is_none() {
        return Err(format!(
            "verification type {} {custom} is not supported, supported values are {}",
            quote(validation),
            list(&Check::ALL.map(Check::name))
        ));
    }
    if Action::named(action).is_none() {
        return Err(format!(
            "verification action {} {custom} is not supported, supported values are {}",
            quote(action),
            list(&Action::ALL.map(Action::name))
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
    if identities.len() > MAX_IDENTITIES {
        return Err(format!("has more than {MAX_IDENTITIES} trusted identities"));
    }
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
mod tests;

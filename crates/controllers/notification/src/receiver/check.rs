//! Checks the spec of a Receiver. The schema has the same rules, but an object may be older than
//! it.

use std::collections::HashSet;

use sluice_api::meta::reason::{INVALID_CEL_EXPRESSION, VALIDATION_FAILED};
use sluice_api::notification::{OidcProvider, ReceiverSpec, ReceiverType};

use super::filter::compile;
use super::oidc::Rules;

/// An invalid spec, which a retry cannot fix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SpecError {
    /// Reason of the conditions.
    pub reason: &'static str,
    /// Message of the conditions.
    pub message: String,
}

/// Checks filters, the fields of the type, and the issuers' expressions.
pub fn check(spec: &ReceiverSpec) -> Result<(), SpecError> {
    let has_claims = spec.type_ == ReceiverType::GenericOidc;
    let invalid = |error: String| SpecError {
        reason: INVALID_CEL_EXPRESSION,
        message: error,
    };
    if let Some(filter) = &spec.resource_filter {
        let compiled = compile(filter, has_claims);
        compiled.map_err(|error| invalid(format!("invalid resourceFilter expression: {error}")))?;
    }
    for (index, resource) in spec.resources.iter().enumerate() {
        if let Some(filter) = &resource.filter {
            let compiled = compile(filter, has_claims);
            compiled.map_err(|error| {
                let (kind, name) = (resource.kind.as_str(), &resource.name);
                invalid(format!(
                    "invalid filter expression for resources[{index}] (kind={kind:?}, \
                     name={name:?}): {error}"
                ))
            })?;
        }
    }
    check_fields(spec).map_err(|message| SpecError {
        reason: VALIDATION_FAILED,
        message,
    })?;
    for (index, provider) in spec.oidc_providers.iter().enumerate() {
        Rules::compile(provider).map_err(|error| {
            let issuer = &provider.issuer_url;
            invalid(format!(
                "oidcProviders[{index}] (issuerURL={issuer:?}): {error}"
            ))
        })?;
    }
    Ok(())
}

fn check_fields(spec: &ReceiverSpec) -> Result<(), String> {
    let is_oidc = spec.type_ == ReceiverType::GenericOidc;
    let refuse = |message: &str| Err(message.to_owned());
    match (is_oidc, spec.oidc_providers.is_empty(), &spec.secret_ref) {
        (true, true, _) => refuse("generic-oidc receivers must define at least one oidcProvider"),
        (true, false, Some(_)) => refuse("secretRef cannot be set when type is generic-oidc"),
        (false, false, _) => refuse("oidcProviders can only be set when type is generic-oidc"),
        (false, true, None) => refuse("secretRef is required when type is not generic-oidc"),
        _ => check_issuers(&spec.oidc_providers),
    }
}

fn check_issuers(providers: &[OidcProvider]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for (index, provider) in providers.iter().enumerate() {
        let issuer = &provider.issuer_url;
        let at = format!("oidcProviders[{index}]");
        let of = format!("{at} (issuerURL={issuer:?})");
        if issuer.is_empty() {
            return Err(format!("{at}: issuerURL is required"));
        }
        if !issuer.starts_with("http://") && !issuer.starts_with("https://") {
            return Err(format!(
                "{at}: issuerURL {issuer:?} must start with http:// or https://"
            ));
        }
        if !seen.insert(issuer) {
            return Err(format!("{at}: duplicate issuerURL {issuer:?}"));
        }
        if provider.validations.is_empty() {
            return Err(format!(
                "{of}: at least one validation is required; without validations any caller able \
                 to obtain a token from this issuer can trigger the Receiver"
            ));
        }
        for (index, variable) in provider.variables.iter().enumerate() {
            let name = &variable.name;
            if name.is_empty() {
                return Err(format!("{of}: variables[{index}]: name is required"));
            }
            if variable.expression.is_empty() {
                return Err(format!(
                    "{of}: variables[{index}] (name={name:?}): expression is required"
                ));
            }
        }
        for (index, validation) in provider.validations.iter().enumerate() {
            let missing = match (&*validation.expression, &*validation.message) {
                ("", _) => "expression",
                (_, "") => "message",
                _ => continue,
            };
            return Err(format!("{of}: validations[{index}]: {missing} is required"));
        }
    }
    Ok(())
}

//! Verifies calls with a token of an accepted OIDC issuer. Expressions check the claims.

use jiff::Timestamp;
use sluice_api::notification::{OidcProvider, Receiver};
use sluice_cel::{Expression, Scope, Type, Value};

use super::call::Call;
use super::jwt::{Claims, IssuerKeys, decode_json, verify_token};

/// Default audience of tokens.
const DEFAULT_AUDIENCE: &str = "notification-controller";
/// Variables of the expressions.
const VARIABLES: [&str; 2] = ["claims", "vars"];

/// Provides the keys of issuers.
///
/// Before it verifies, the caller fetches the keys of [`issuer_of`] within its own limits for size,
/// time and redirects.
pub trait KeySource {
    /// Returns the keys of an issuer.
    fn keys(&self, issuer: &str) -> Result<IssuerKeys, String>;
}

/// Returns the accepted issuer that the call's token names. The token is not verified yet.
pub fn issuer_of<'r>(receiver: &'r Receiver, call: &Call<'_>) -> Result<&'r OidcProvider, String> {
    let providers = &receiver.spec.oidc_providers;
    if providers.is_empty() {
        return Err("generic-oidc receiver has no oidcProviders configured".to_owned());
    }
    let token = bearer(call)?;
    let parts: Vec<_> = token.split('.').collect();
    let [_, payload, _] = parts[..] else {
        return Err("failed to parse bearer token: token is not a JWT".to_owned());
    };
    let claims = decode_json(payload)
        .ok_or("failed to parse bearer token: failed to decode token payload")?;
    let issuer = claims["iss"].as_str().unwrap_or_default();
    if issuer.is_empty() {
        return Err("failed to parse bearer token: token is missing the 'iss' claim".to_owned());
    }
    let provider = providers
        .iter()
        .find(|provider| provider.issuer_url == issuer);
    provider.ok_or_else(|| {
        let start: String = issuer.chars().take(200).collect();
        format!("no oidcProvider configured for issuer {start:?}")
    })
}

/// Returns the token of `Authorization: Bearer`.
pub(super) fn bearer(call: &Call<'_>) -> Result<String, String> {
    let header = call.text("Authorization");
    let token = header
        .strip_prefix("Bearer ")
        .ok_or("the Authorization header is missing or malformed")?;
    match token.trim() {
        "" => Err("the Authorization header is missing a bearer token".to_owned()),
        token => Ok(token.to_owned()),
    }
}

pub(super) fn verify(
    receiver: &Receiver,
    call: &Call<'_>,
    keys: &dyn KeySource,
    now: Timestamp,
) -> Result<Claims, String> {
    let provider = issuer_of(receiver, call)?;
    let issuer = &provider.issuer_url;
    let issuer_keys = keys.keys(issuer).map_err(|error| {
        format!("failed to initialize OIDC provider for issuer {issuer:?}: {error}")
    })?;
    let audience = provider.audience.as_deref().unwrap_or(DEFAULT_AUDIENCE);
    let claims = verify_token(&bearer(call)?, &issuer_keys, audience, now)
        .map_err(|error| format!("failed to verify OIDC token: {error}"))?;
    if claims.get("iss").and_then(|it| it.as_str()) != Some(issuer) {
        return Err("failed to verify OIDC token: the issuer differs".to_owned());
    }
    let rules = Rules::compile(provider).map_err(|error| {
        format!("invalid oidcProvider configuration for issuer {issuer:?}: {error}")
    })?;
    rules.judge(&claims)?;
    Ok(claims)
}

/// The compiled expressions of an issuer.
pub(super) struct Rules<'p> {
    provider: &'p OidcProvider,
    variables: Vec<Expression>,
    validations: Vec<Expression>,
}

impl<'p> Rules<'p> {
    /// Compiles variables of any type, and validations of type bool.
    pub(super) fn compile(provider: &'p OidcProvider) -> Result<Self, String> {
        let variables = provider.variables.iter().map(|variable| {
            let compiled = Expression::check(&variable.expression, &VARIABLES);
            compiled.map(|(expression, _)| expression).map_err(|error| {
                format!(
                    "invalid expression for variable {:?}: {error}",
                    variable.name
                )
            })
        });
        let validations = provider.validations.iter().map(|validation| {
            let compiled = Expression::compile(&validation.expression, &VARIABLES, &Type::Bool);
            compiled.map_err(|error| {
                let message = &validation.message;
                format!("invalid expression for validation {message:?}: {error}")
            })
        });
        Ok(Self {
            provider,
            variables: variables.collect::<Result<_, _>>()?,
            validations: validations.collect::<Result<_, _>>()?,
        })
    }

    /// Fails with the messages of all validations that return false.
    pub(super) fn judge(&self, claims: &Claims) -> Result<(), String> {
        let claims = Value::of(&serde_json::Value::Object(claims.clone()));
        let mut known: Vec<(String, Value)> = Vec::new();
        let scope = |known: &[(String, Value)]| {
            let mut scope = Scope::default();
            scope.insert("claims", claims.clone());
            scope.insert("vars", Value::map(known.iter().cloned()));
            scope
        };
        for (variable, expression) in self.provider.variables.iter().zip(&self.variables) {
            let name = &variable.name;
            let (value, _) = expression.evaluate_over(&scope(&known));
            let value =
                value.map_err(|error| format!("failed to evaluate variable {name:?}: {error}"))?;
            known.push((name.clone(), value));
        }
        let scope = scope(&known);
        let mut failures = Vec::new();
        for (validation, expression) in self.provider.validations.iter().zip(&self.validations) {
            match expression.evaluate_over(&scope).0 {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => failures.push(validation.message.as_str()),
                Ok(_) => return Err("failed to evaluate validation: not a boolean".to_owned()),
                Err(error) => return Err(format!("failed to evaluate validation: {error}")),
            }
        }
        if failures.is_empty() {
            Ok(())
        } else {
            Err(format!("token validation failed: {}", failures.join("; ")))
        }
    }
}

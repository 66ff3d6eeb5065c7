//! Validates label keys and values, with the messages of the selector parser.

use sluice_golang::quote::quote;

use crate::names::{
    MAX_NAME_BYTES, MAX_SUBDOMAIN_BYTES, NAME_RULE, VALUE_RULE, is_name, is_subdomain,
};

const SUBDOMAIN_RULE: &str = "a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Checks a key: a name with an optional domain prefix.
pub(super) fn key(key: &str) -> Result<(), String> {
    let mut errors = Vec::new();
    let name = match key.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            errors.push(format!(
                "a qualified name {NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            ));
            None
        }
        Some((domain, name)) => {
            if domain.is_empty() {
                errors.push("prefix part must be non-empty".to_owned());
            } else {
                if domain.len() > MAX_SUBDOMAIN_BYTES {
                    errors.push(format!("prefix part {}", too_long(MAX_SUBDOMAIN_BYTES)));
                }
                if !is_subdomain(domain) {
                    errors.push(format!("prefix part {SUBDOMAIN_RULE}"));
                }
            }
            Some(name)
        }
        None => Some(key),
    };
    if let Some(name) = name {
        if name.is_empty() {
            errors.push("name part must be non-empty".to_owned());
        } else if name.len() > MAX_NAME_BYTES {
            errors.push(format!("name part {}", too_long(MAX_NAME_BYTES)));
        }
        if !is_name(name) {
            errors.push(format!("name part {NAME_RULE}"));
        }
    }
    if errors.is_empty() {
        return Ok(());
    }
    Err(format!(
        "invalid label key {}: {}",
        quote(key),
        errors.join("; ")
    ))
}

/// Checks a value: a name or the empty string.
pub(super) fn value(key: &str, value: &str) -> Result<(), String> {
    let mut errors = Vec::new();
    if value.len() > MAX_NAME_BYTES {
        errors.push(too_long(MAX_NAME_BYTES));
    }
    if !value.is_empty() && !is_name(value) {
        errors.push(VALUE_RULE.to_owned());
    }
    if errors.is_empty() {
        return Ok(());
    }
    let (value, key) = (quote(value), quote(key));
    Err(format!(
        "invalid label value: {value}: at key: {key}: {}",
        errors.join("; ")
    ))
}

fn too_long(limit: usize) -> String {
    format!("must be no more than {limit} characters")
}

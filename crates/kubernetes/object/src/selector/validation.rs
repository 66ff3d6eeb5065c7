//! What may be a label's key and its value.

use sluice_golang::quote::quote;

pub(crate) const NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SUBDOMAIN: &str = "a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
pub(crate) const VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

pub(crate) const MAX_NAME: usize = 63;
pub(crate) const MAX_SUBDOMAIN: usize = 253;

/// Checks a key: a name, after an optional domain and a slash.
pub(super) fn key(key: &str) -> Result<(), String> {
    let mut faults = Vec::new();
    let name = match key.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            faults.push(format!(
                "a qualified name {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            ));
            None
        }
        Some((domain, name)) => {
            if domain.is_empty() {
                faults.push("prefix part must be non-empty".to_owned());
            } else {
                if domain.len() > MAX_SUBDOMAIN {
                    faults.push(format!("prefix part {}", too_long(MAX_SUBDOMAIN)));
                }
                if !is_subdomain(domain) {
                    faults.push(format!("prefix part {SUBDOMAIN}"));
                }
            }
            Some(name)
        }
        None => Some(key),
    };
    if let Some(name) = name {
        if name.is_empty() {
            faults.push("name part must be non-empty".to_owned());
        } else if name.len() > MAX_NAME {
            faults.push(format!("name part {}", too_long(MAX_NAME)));
        }
        if !is_name(name) {
            faults.push(format!("name part {NAME}"));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "invalid label key {}: {}",
        quote(key),
        faults.join("; ")
    ))
}

/// Checks a value: a name, or nothing.
pub(super) fn value(key: &str, value: &str) -> Result<(), String> {
    let mut faults = Vec::new();
    if value.len() > MAX_NAME {
        faults.push(too_long(MAX_NAME));
    }
    if !value.is_empty() && !is_name(value) {
        faults.push(VALUE.to_owned());
    }
    if faults.is_empty() {
        return Ok(());
    }
    let (value, key) = (quote(value), quote(key));
    Err(format!(
        "invalid label value: {value}: at key: {key}: {}",
        faults.join("; ")
    ))
}

fn too_long(limit: usize) -> String {
    format!("must be no more than {limit} characters")
}

pub(crate) fn is_name(name: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    ends(bytes.first()) && ends(bytes.last()) && bytes.iter().all(inner)
}

pub(crate) fn is_subdomain(domain: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    domain.split('.').all(|label| {
        let bytes = label.as_bytes();
        bytes.first().is_some_and(alphanumeric)
            && bytes.last().is_some_and(alphanumeric)
            && bytes.iter().all(|byte| alphanumeric(byte) || *byte == b'-')
    })
}

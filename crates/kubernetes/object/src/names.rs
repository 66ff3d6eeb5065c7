//! Syntax of label keys, label values and DNS names.
//!
//! Faults have the words of the API server. Selectors have those of an older version, which the
//! controllers link.
//!
//! Parity: apimachinery v0.36: pkg/api/validate/content.

#[cfg(test)]
mod tests;

/// The server's message about an invalid name.
pub const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
/// The server's message about an invalid label value.
pub const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// The server's message about an invalid DNS subdomain.
pub const SUBDOMAIN_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
/// The server's message about an invalid DNS label.
const LABEL_RULE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// Maximum length of a name or label value.
pub const MAX_NAME_BYTES: usize = 63;
/// Maximum length of a DNS subdomain.
pub const MAX_SUBDOMAIN_BYTES: usize = 253;

/// Whether a text has the syntax of a name. The length is not checked.
pub fn is_name(name: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    ends(bytes.first()) && ends(bytes.last()) && bytes.iter().all(inner)
}

/// Whether a text has the syntax of a DNS label. The length is not checked.
pub fn is_label(label: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = label.as_bytes();
    bytes.first().is_some_and(alphanumeric)
        && bytes.last().is_some_and(alphanumeric)
        && bytes.iter().all(|byte| alphanumeric(byte) || *byte == b'-')
}

/// Whether a text has the syntax of a DNS subdomain. The length is not checked.
pub fn is_subdomain(domain: &str) -> bool {
    domain.split('.').all(is_label)
}

/// Returns the faults of a label key: a name after an optional domain and slash.
pub fn label_key_faults(key: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let name = match key.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            return vec![format!(
                "a valid label key {NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some(("", name)) => {
            faults.push("prefix part must be non-empty".to_owned());
            name
        }
        Some((domain, name)) => {
            let of_domain = subdomain_faults(domain).into_iter();
            faults.extend(of_domain.map(|fault| format!("prefix part {fault}")));
            name
        }
        None => key,
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if let Some(fault) = too_long(name, MAX_NAME_BYTES) {
        faults.push(format!("name part {fault}"));
    }
    if !is_name(name) {
        faults.push(format!("name part {NAME_RULE}"));
    }
    faults
}

/// Returns the faults of a label value, which may be empty.
pub fn label_value_faults(value: &str) -> Vec<String> {
    let mut faults: Vec<String> = too_long(value, MAX_NAME_BYTES).into_iter().collect();
    if !value.is_empty() && !is_name(value) {
        faults.push(VALUE_RULE.to_owned());
    }
    faults
}

/// Returns the faults of a DNS label, such as the name of a namespace.
pub fn label_faults(label: &str) -> Vec<String> {
    let mut faults: Vec<String> = too_long(label, MAX_NAME_BYTES).into_iter().collect();
    if is_label(label) {
        return faults;
    }
    faults.push(if is_subdomain(label) {
        "must not contain dots".to_owned()
    } else {
        LABEL_RULE.to_owned()
    });
    faults
}

/// Returns the faults of a DNS subdomain, such as the name of most objects.
pub fn subdomain_faults(domain: &str) -> Vec<String> {
    let mut faults: Vec<String> = too_long(domain, MAX_SUBDOMAIN_BYTES).into_iter().collect();
    if !is_subdomain(domain) {
        faults.push(SUBDOMAIN_RULE.to_owned());
    }
    faults
}

fn too_long(text: &str, limit: usize) -> Option<String> {
    (text.len() > limit).then(|| format!("must be no more than {limit} bytes"))
}

//! Syntax of label keys, label values and DNS names.

/// The server's message about an invalid name.
pub const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
/// The server's message about an invalid label value.
pub const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

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

/// Whether a text has the syntax of a DNS subdomain. The length is not checked.
pub fn is_subdomain(domain: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    domain.split('.').all(|label| {
        let bytes = label.as_bytes();
        bytes.first().is_some_and(alphanumeric)
            && bytes.last().is_some_and(alphanumeric)
            && bytes.iter().all(|byte| alphanumeric(byte) || *byte == b'-')
    })
}

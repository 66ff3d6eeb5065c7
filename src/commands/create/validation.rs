//! Validates labels, names and namespaces like the API server, with the texts of the Kubernetes
//! library in Flux's command line.
//!
//! Parity: apimachinery v0.36: pkg/api/validate/content. Selectors (`sluice_object`) have the texts
//! of an older version, which the controllers link.

const NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const MAX_NAME: usize = 63;
const MAX_SUBDOMAIN: usize = 253;

/// Formats faults like Go prints a list of strings. Returns `None` without faults.
pub(super) fn format_faults(faults: &[String]) -> Option<String> {
    (!faults.is_empty()).then(|| format!("[{}]", faults.join(" ")))
}

/// Returns the faults of a label key: a name after an optional domain and slash.
pub(super) fn label_key(key: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let name = match key.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            return vec![format!(
                "a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some(("", name)) => {
            faults.push("prefix part must be non-empty".to_owned());
            name
        }
        Some((domain, name)) => {
            if domain.len() > MAX_SUBDOMAIN {
                faults.push(format!("prefix part {}", too_long(MAX_SUBDOMAIN)));
            }
            if !are_labels(domain) {
                faults.push(format!("prefix part {SUBDOMAIN}"));
            }
            name
        }
        None => key,
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > MAX_NAME {
        faults.push(format!("name part {}", too_long(MAX_NAME)));
    }
    if !is_name(name) {
        faults.push(format!("name part {NAME}"));
    }
    faults
}

/// Returns the faults of a label value, which may be empty.
pub(super) fn label_value(value: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if value.len() > MAX_NAME {
        faults.push(too_long(MAX_NAME));
    }
    if !value.is_empty() && !is_name(value) {
        faults.push(VALUE.to_owned());
    }
    faults
}

/// Returns the faults of a namespace name.
pub(super) fn dns_label(label: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if label.len() > MAX_NAME {
        faults.push(too_long(MAX_NAME));
    }
    if !is_label(label) {
        faults.push(if are_labels(label) {
            "must not contain dots".to_owned()
        } else {
            LABEL.to_owned()
        });
    }
    faults
}

/// Whether the text is a valid object name.
pub(super) fn is_subdomain(name: &str) -> bool {
    name.len() <= MAX_SUBDOMAIN && are_labels(name)
}

fn too_long(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

fn are_labels(text: &str) -> bool {
    text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    let end = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    consists_of(text, end, |byte| end(byte) || byte == b'-')
}

fn is_name(text: &str) -> bool {
    let end = |byte: u8| byte.is_ascii_alphanumeric();
    consists_of(text, end, |byte| end(byte) || b"-_.".contains(&byte))
}

/// Whether a text is non-empty and has valid bytes. The first and last byte have a stricter rule.
fn consists_of(text: &str, end: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|byte| end(*byte))
        && bytes.last().is_some_and(|byte| end(*byte))
        && bytes.iter().all(|byte| inner(*byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// Whether the whole text matches the form.
    fn is(form: &str, text: &str) -> bool {
        Regex::new(&format!("^(?:{form})$")).unwrap().is_match(text)
    }

    proptest! {
        #[test]
        fn names_match_the_form_of_the_message(
            text in "[a-zA-Z0-9.\\-_/é]{0,12}|[a-z0-9.\\-]{1,70}|[a-z]{60,66}"
        ) {
            let label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
            let subdomain = format!("{label}(\\.{label})*");
            let name = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
            prop_assert_eq!(is_subdomain(&text), is(&subdomain, &text));
            let short = text.len() <= MAX_NAME;
            prop_assert_eq!(dns_label(&text).is_empty(), short && is(label, &text));
            let value = format!("({name})?");
            prop_assert_eq!(label_value(&text).is_empty(), short && is(&value, &text));
            if !text.contains('/') {
                prop_assert_eq!(label_key(&text).is_empty(), short && is(name, &text));
            }
        }
    }

    #[test]
    fn label_key_has_optional_domain() {
        for good in ["a", "team.x_y-z", "example.com/Team", "9"] {
            assert_eq!(label_key(good), Vec::<String>::new(), "{good}");
        }
        let long = "x".repeat(64);
        for (bad, said) in [
            ("", "name part must be non-empty"),
            ("/a", "prefix part must be non-empty"),
            ("a/b/c", "a valid label key must consist of"),
            (
                "Example.com/a",
                "prefix part a lowercase RFC 1123 subdomain",
            ),
            ("-a", "name part must consist of"),
            (long.as_str(), "name part must be no more than 63 bytes"),
        ] {
            assert!(label_key(bad)[0].starts_with(said), "{bad}");
        }
        assert_eq!(label_key("A/-").len(), 2, "both parts are told of");
    }

    #[test]
    fn label_value_is_empty_or_a_name() {
        for good in ["", "a", "A_b.c-d"] {
            assert_eq!(label_value(good), Vec::<String>::new(), "{good}");
        }
        for bad in ["a b", "a/b", "é", "."] {
            assert_eq!(label_value(bad), [VALUE], "{bad}");
        }
    }

    #[test]
    fn namespace_with_dots_is_refused() {
        assert_eq!(dns_label("apps"), Vec::<String>::new());
        assert_eq!(dns_label("apps.v2"), ["must not contain dots"]);
        assert_eq!(dns_label("Apps"), [LABEL]);
    }

    #[test]
    fn faults_have_the_list_form_of_go() {
        assert_eq!(format_faults(&[]), None);
        let faults = ["a b".to_owned(), "c".to_owned()];
        assert_eq!(format_faults(&faults).as_deref(), Some("[a b c]"));
    }
}

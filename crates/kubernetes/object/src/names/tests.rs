//! Names are judged like by the API server, by the form in its messages.

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
        let short = text.len() <= MAX_NAME_BYTES;
        prop_assert_eq!(label_faults(&text).is_empty(), short && is(label, &text));
        let value = format!("({name})?");
        prop_assert_eq!(label_value_faults(&text).is_empty(), short && is(&value, &text));
        if !text.contains('/') {
            prop_assert_eq!(label_key_faults(&text).is_empty(), short && is(name, &text));
        }
    }
}

#[test]
fn label_key_has_optional_domain() {
    for good in ["a", "team.x_y-z", "example.com/Team", "9"] {
        assert_eq!(label_key_faults(good), Vec::<String>::new(), "{good}");
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
        assert!(label_key_faults(bad)[0].starts_with(said), "{bad}");
    }
    assert_eq!(label_key_faults("A/-").len(), 2, "both parts are reported");
}

#[test]
fn label_value_is_empty_or_a_name() {
    for good in ["", "a", "A_b.c-d"] {
        assert_eq!(label_value_faults(good), Vec::<String>::new(), "{good}");
    }
    for bad in ["a b", "a/b", "é", "."] {
        assert_eq!(label_value_faults(bad), [VALUE_RULE], "{bad}");
    }
}

#[test]
fn namespace_with_dots_is_refused() {
    assert_eq!(label_faults("apps"), Vec::<String>::new());
    assert_eq!(label_faults("apps.v2"), ["must not contain dots"]);
    assert_eq!(label_faults("Apps"), [LABEL_RULE]);
}

#[test]
fn label_is_short_and_has_plain_letters() {
    for good in ["a", "flux-system", "0", "a-1"] {
        assert_eq!(label_faults(good), Vec::<String>::new(), "{good}");
    }
    let long = "x".repeat(64);
    for bad in ["", "-a", "a-", "A", "a.b", "a_b", "é", long.as_str()] {
        assert_ne!(label_faults(bad), Vec::<String>::new(), "{bad}");
    }
}

//! Compares the substitution language with recorded results of Flux's library.
//!
//! `envsubst/oracle` records `envsubst/vectors.jsonl`; its head says how.

use std::fmt::Write as _;

use sluice_kustomize::substitute::{Budget, Error, expand};
use sluice_yaml::{Value, json};

const VARIABLES: [(&str, &str); 10] = [
    ("a", "abcabc"),
    ("b", "B/c.d.tar.gz"),
    ("n", "-2"),
    ("é", "never: such a name is refused before"),
    ("u", "éΣßİ\u{1f80}x"),
    ("e", ""),
    ("_x1", "$a ${b} $$"),
    ("path", "/usr/local/bin"),
    ("q", "\""),
    ("long", "a*b?c[d]e\\f"),
];

fn value(name: &str) -> Option<&'static str> {
    let known = VARIABLES.iter().find(|(known, _)| *known == name);
    known.map(|(_, value)| *value)
}

#[test]
fn every_template_expands_as_in_flux() {
    let mut faults = String::new();
    let mut expanded = 0;
    for line in include_str!("envsubst/vectors.jsonl").lines() {
        let vector = json::from_str(line).unwrap();
        let text = |field: &str| {
            vector
                .get(field)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let strict = vector.get("s").is_some();
        let wanted = match text("e") {
            "" => Ok(text("o").to_owned()),
            error => Err(error.to_owned()),
        };
        expanded += usize::from(wanted.is_ok());
        let found = expand(text("t").as_bytes(), strict, value, &mut Budget::default());
        let agrees = match &found {
            Ok(bytes) => wanted.as_ref().is_ok_and(|text| text.as_bytes() == bytes),
            // Upstream panics.
            Err(Error::OutOfRange) => vector.get("p").is_some(),
            Err(error) => wanted
                .as_ref()
                .is_err_and(|text| *text == error.to_string()),
        };
        if !agrees {
            let found = found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            writeln!(faults, "{:?}: {wanted:?}, but we {found:?}", text("t")).unwrap();
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(expanded > 3000, "only {expanded} templates expand");
}

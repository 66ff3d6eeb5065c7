//! Compares the pages for users with the list of unsupported features, so that neither promises
//! more than the other.

#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reads pages of the repository"
)]

use std::collections::BTreeSet;

use serde_json::Value;
use sluice_api::gaps::{self, GAPS, When};

/// The words that mark an unsupported value in a row.
const MARKS: [&str; 2] = ["do not work yet", "does not work yet"];

fn page(path: &str) -> String {
    let path = format!("{}/../../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn kind_page(kind: &str) -> String {
    match kind {
        "Alert" | "Provider" | "Receiver" => page("docs/notifications.md"),
        _ => page(&format!("docs/kinds/{}.md", kind.to_lowercase())),
    }
}

/// Returns the row of the fields' table that names a field.
fn field_row(page: &str, field: &str) -> String {
    let rest = ["\n## Fields\n", "\n## Settings of a Provider\n"]
        .iter()
        .find_map(|heading| Some(page.split_once(heading)?.1));
    let rest = rest.expect("a table of fields");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let name = format!("`{field}`");
    let mut rows = section.lines().filter(|line| line.starts_with('|'));
    let row = rows.find(|row| row.split('|').nth(1).unwrap_or_default().contains(&name));
    row.unwrap_or_else(|| panic!("no row of {field}"))
        .to_owned()
}

/// Returns the quoted words of the parts of a row that are marked as unsupported.
fn unsupported(row: &str) -> BTreeSet<String> {
    row.split([';', '.', '|'])
        .filter(|part| MARKS.iter().any(|mark| part.contains(mark)))
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

/// Returns the values that the definition of a kind allows for `spec.provider`.
fn providers(kind: &str) -> BTreeSet<String> {
    let definitions = sluice_api::crds::generate();
    let mut definitions = definitions.iter().flat_map(|(_, definitions)| definitions);
    let definition = definitions
        .find(|definition| definition["spec"]["names"]["kind"] == kind)
        .expect("a definition");
    let versions = definition["spec"]["versions"].as_array().unwrap();
    let stored = versions.iter().find(|version| version["storage"] == true);
    let schema = &stored.unwrap()["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let values = schema["properties"]["provider"]["enum"].as_array().unwrap();
    values
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[test]
fn provider_rows_equal_the_list_of_gaps() {
    let mut compared = 0;
    for gap in GAPS.iter().filter(|gap| gap.field == "spec.provider") {
        let When::Other(served) = gap.when else {
            panic!("{gap:?}");
        };
        let served = served.iter().map(|value| (*value).to_owned()).collect();
        let expected: BTreeSet<_> = providers(gap.kind).difference(&served).cloned().collect();
        let row = field_row(&kind_page(gap.kind), "provider");
        assert_eq!(unsupported(&row), expected, "{}: {row}", gap.kind);
        for value in &served {
            assert!(row.contains(&format!("`{value}`")), "{}: {row}", gap.kind);
        }
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn every_other_gap_of_a_field_has_a_marked_row() {
    for gap in GAPS.iter().filter(|gap| !gap.field.is_empty()) {
        let field = gap.field.split('.').nth(1).unwrap();
        let row = field_row(&kind_page(gap.kind), field);
        let is_marked = MARKS.iter().any(|mark| row.contains(mark));
        assert!(is_marked, "{} {}: {row}", gap.kind, gap.field);
    }
}

#[test]
fn marked_rows_have_a_gap() {
    for kind in [
        "Bucket",
        "GitRepository",
        "HelmChart",
        "HelmRepository",
        "Kustomization",
        "OCIRepository",
    ] {
        let page = kind_page(kind);
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        for row in rows.filter(|row| MARKS.iter().any(|mark| row.contains(mark))) {
            let field = row.split('`').nth(1).unwrap();
            let is_gap =
                |gap: &gaps::Gap| gap.kind == kind && gap.field.split('.').nth(1) == Some(field);
            assert!(GAPS.iter().any(is_gap), "{kind}: {row}");
        }
    }
}

#[test]
fn state_of_kinds_equals_the_list_of_gaps() {
    let page = page("PARITY.md");
    let (_, rest) = page.split_once("\n## Kinds\n").unwrap();
    let section = rest.split("\n## ").next().unwrap();
    for info in sluice_api::KINDS {
        let mut rows = section.lines().filter(|line| line.starts_with("| "));
        let row = rows.find(|row| {
            let names = row.split('|').nth(1).unwrap_or_default();
            names.split(',').any(|name| name.trim() == info.kind)
        });
        let row = row.unwrap_or_else(|| panic!("PARITY.md has no row of {}", info.kind));
        let state = row.split('|').nth(2).unwrap_or_default().trim();
        let mut gaps = gaps::of(info.group, info.kind).peekable();
        let expected = match gaps.peek() {
            None => "works",
            Some(_) if gaps::is_served(info.group, info.kind) => "partly",
            Some(_) => "not yet",
        };
        assert!(state.starts_with(expected), "{row}");
    }
}

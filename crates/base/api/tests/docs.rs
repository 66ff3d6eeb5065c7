//! Compares the pages for users with the kinds and their definitions.

#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reads pages of the repository"
)]

use std::collections::BTreeSet;

use serde_json::Value;

/// The words that mark an unsupported value in a row.
const MARKS: [&str; 2] = ["do not work yet", "does not work yet"];

fn page(path: &str) -> String {
    let path = format!("{}/../../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn kind_page(kind: &str) -> String {
    page(&format!("docs/kinds/{}.md", kind.to_lowercase()))
}

/// Returns the row of the fields' table that names a field.
fn field_row(page: &str, field: &str) -> String {
    let (_, rest) = page.split_once("\n## Fields\n").expect("a table of fields");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let name = format!("`{field}`");
    let mut rows = section.lines().filter(|line| line.starts_with('|'));
    let row = rows.find(|row| row.split('|').nth(1).unwrap_or_default().contains(&name));
    row.unwrap_or_else(|| panic!("no row of {field}"))
        .to_owned()
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
fn provider_rows_name_every_value() {
    for kind in [
        "Bucket",
        "GitRepository",
        "HelmRepository",
        "ImageRepository",
        "OCIRepository",
    ] {
        let row = field_row(&kind_page(kind), "provider");
        for value in providers(kind) {
            assert!(row.contains(&format!("`{value}`")), "{kind}: {row}");
        }
    }
}

#[test]
fn no_field_is_said_to_be_missing() {
    for info in sluice_api::KINDS {
        let page = kind_page(info.kind);
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        for row in rows {
            assert!(
                !MARKS.iter().any(|mark| row.contains(mark)),
                "{}: {row}",
                info.kind
            );
        }
    }
}

/// Returns the cells of each row of the table of kinds: names, state and tests.
fn kind_rows(page: &str) -> Vec<[String; 3]> {
    let (_, rest) = page.split_once("\n## Kinds\n").unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let cells = rows.skip(1).map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let cells: [&str; 3] = cells.try_into().expect("three cells");
        cells.map(str::to_owned)
    });
    cells.collect()
}

#[test]
fn table_of_kinds_has_one_row_for_each_kind() {
    let mut listed: Vec<String> = Vec::new();
    for [names, _, _] in kind_rows(&page("PARITY.md")) {
        listed.extend(names.split(',').map(|name| name.trim().to_owned()));
    }
    listed.sort_unstable();
    let mut kinds: Vec<_> = sluice_api::KINDS.iter().map(|info| info.kind).collect();
    kinds.sort_unstable();
    assert_eq!(listed, kinds);
}

#[test]
fn tests_in_the_table_of_kinds_exist() {
    for [names, _, tests] in kind_rows(&page("PARITY.md")) {
        for path in tests.split('`').skip(1).step_by(2) {
            let path = format!("{}/../../../{path}", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&path).exists(), "{names}: {path}");
        }
    }
}

#[test]
fn every_kind_works() {
    for [names, state, _] in kind_rows(&page("PARITY.md")) {
        assert!(state.starts_with("works"), "{names}: {state}");
    }
}

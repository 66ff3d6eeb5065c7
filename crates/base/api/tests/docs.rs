//! Compares the pages for users with the kinds and their definitions.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::disallowed_methods,
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

/// Returns the fields of `spec` in the stored version of a kind.
fn spec_fields(kind: &str) -> serde_json::Map<String, Value> {
    let definitions = sluice_api::crds::generate();
    let mut definitions = definitions.iter().flat_map(|(_, definitions)| definitions);
    let definition = definitions
        .find(|definition| definition["spec"]["names"]["kind"] == kind)
        .expect("a definition");
    let versions = definition["spec"]["versions"].as_array().unwrap();
    let stored = versions.iter().find(|version| version["storage"] == true);
    let schema = &stored.unwrap()["schema"]["openAPIV3Schema"]["properties"]["spec"];
    schema["properties"].as_object().unwrap().clone()
}

/// Returns the values that the definition of a kind allows for `spec.provider`.
fn providers(kind: &str) -> BTreeSet<String> {
    let fields = spec_fields(kind);
    let values = fields["provider"]["enum"].as_array().unwrap();
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
fn every_field_of_every_kind_has_a_row() {
    for info in sluice_api::KINDS {
        let page = kind_page(info.kind);
        let (_, rest) = page.split_once("\n## Fields\n").expect("a table of fields");
        let section = rest.split("\n## ").next().unwrap_or_default();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let cells: Vec<&str> = rows.map(|row| row.split('|').nth(1).unwrap()).collect();
        let names: BTreeSet<&str> = cells
            .iter()
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .filter_map(|name| name.split('.').next())
            .collect();
        for field in spec_fields(info.kind).keys() {
            assert!(names.contains(field.as_str()), "{}: {field}", info.kind);
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

/// Returns the features and states of the tables after the one of kinds.
fn features(page: &str) -> Vec<[String; 2]> {
    let (_, rest) = page.split_once("\n## source-controller\n").unwrap();
    let (rest, _) = rest.split_once("\n## Compared with the reference").unwrap();
    let cells = rest.lines().filter(|line| line.starts_with("| "));
    let cells = cells.map(|line| line.split(" | ").collect::<Vec<_>>());
    cells
        .filter(|cells| cells[1] != "State")
        .map(|cells| [cells[0], cells[1]].map(str::to_owned))
        .collect()
}

#[test]
fn every_feature_works_or_says_why_not() {
    let features = features(&page("PARITY.md"));
    assert!(features.len() > 100, "{}", features.len());
    for [feature, state] in features {
        let is_explained = state.starts_with("partly: ") && state.contains(", because ");
        assert!(
            state.starts_with("works") || is_explained,
            "{feature}: {state}"
        );
    }
}

#[test]
fn every_kind_works() {
    for [names, state, _] in kind_rows(&page("PARITY.md")) {
        assert!(state.starts_with("works"), "{names}: {state}");
    }
}

//! Checks that the table of proofs in the threat model names tests and differences that exist.

use sluice_system::fs;

use crate::source;

const PAGE: &str = "docs/dev/threat-model.md";

/// The rows of the table: tests, and the first words of a row of the differences.
fn rows(page: &str) -> Vec<(Vec<String>, String)> {
    let table = page.split("## Proofs").nth(1).unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with("|---"));
    rows.skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            let [_, _, tests, difference] = cells[..] else {
                panic!("four cells: {line}");
            };
            let names = tests.split('`').skip(1).step_by(2);
            let names = names.map(str::to_owned).collect();
            (names, difference.trim().to_owned())
        })
        .collect()
}

#[test]
fn proofs_name_existing_tests_and_differences() {
    let root = crate::repository();
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let differences = fs::read_to_string(root.join("docs/differences.md")).unwrap();
    let mut sources = String::new();
    for directory in ["crates", "tests", "xtask"] {
        for path in source::files(&root.join(directory), &["rs"]).unwrap() {
            sources += &fs::read_to_string(&path).unwrap();
        }
    }
    let rows = rows(&page);
    assert!(rows.len() > 20, "{}", rows.len());
    for (tests, difference) in rows {
        assert!(!tests.is_empty(), "a row without a test: {difference}");
        for test in tests {
            assert!(sources.contains(&format!("fn {test}(")), "no test {test}");
        }
        if difference != "–" {
            assert!(differences.contains(&difference), "no row '{difference}'");
        }
    }
}

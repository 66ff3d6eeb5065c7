//! Loads vectors.

use std::path::Path;

use sluice_chart::values::Json;
use sluice_system::fs;

pub(crate) fn vectors(name: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let text = fs::read_to_string(path.join(format!("{name}.jsonl"))).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

//! Builds of artifacts from copies, for the fuzzer of xtask.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_api::source_watcher::CopyOperation;
use sluice_producer::Tree;
use sluice_system::budget::Budget;

use crate::build::build;

/// Steps of a build: a thousandth of those of a run.
const MAX_STEPS: u64 = 2_000_000;
/// Bytes of merged files.
const MAX_MERGED_BYTES: u64 = 1 << 20;

/// Builds an artifact of the source `a` with these files. Returns its paths, or the error.
pub fn build_artifact(
    files: &[(&str, &[u8])],
    copies: &[CopyOperation],
) -> Result<Vec<Vec<u8>>, String> {
    let mut tree = Tree::default();
    for (path, content) in files {
        if let Some((directory, _)) = path.rsplit_once('/') {
            let made = tree.make_directory(directory.as_bytes());
            made.map_err(|error| error.to_string())?;
        }
        let written = tree.write_file(path.as_bytes(), content);
        written.map_err(|error| error.to_string())?;
    }
    let trees = BTreeMap::from([("a".to_owned(), Arc::new(tree))]);
    let built = build(copies, &trees, &Budget::new(MAX_STEPS, MAX_MERGED_BYTES));
    let built = built.map_err(|error| error.to_string())?;
    Ok(built.walk(b"").map(|(path, _)| path).collect())
}

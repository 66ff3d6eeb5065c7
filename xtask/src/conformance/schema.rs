//! Runs the test suite of JSON Schema through our checks of values.
//!
//! The suite is a checkout of `json-schema-org/JSON-Schema-Test-Suite`. Its required tests of
//! drafts 4 to 2020-12 say themselves whether a value is valid. A schema that refers to another
//! document is refused, because a render reads no files and no network.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;
use sluice_system::fs;

/// The directories of the drafts, and the addresses of their schemas.
const DRAFTS: [(&str, &str); 5] = [
    ("draft4", "http://json-schema.org/draft-04/schema#"),
    ("draft6", "http://json-schema.org/draft-06/schema#"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
    (
        "draft2019-09",
        "https://json-schema.org/draft/2019-09/schema",
    ),
    (
        "draft2020-12",
        "https://json-schema.org/draft/2020-12/schema",
    ),
];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Checkout of the test suite of JSON Schema
    suite: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let (mut all, mut equal, mut refused) = (0, 0, 0);
    for (directory, address) in DRAFTS {
        let directory = args.suite.join("tests").join(directory);
        for file in files(&directory)? {
            let text = fs::read_to_string(&file)?;
            let groups: Vec<Value> =
                serde_json::from_str(&text).with_context(|| file.display().to_string())?;
            for mut group in groups {
                if let Value::Object(entries) = &mut group["schema"] {
                    let entry = entries.entry("$schema");
                    entry.or_insert_with(|| address.into());
                }
                let schema = group["schema"].to_string();
                for test in group["tests"].as_array().into_iter().flatten() {
                    all += 1;
                    let is_valid = test["valid"].as_bool().context("a test without verdict")?;
                    match sluice_chart::check_schema(schema.as_bytes(), &test["data"]) {
                        Err(_) => refused += 1,
                        Ok(report) if report.is_none() == is_valid => equal += 1,
                        Ok(_) => println!(
                            "different: {}: {}: {}",
                            file.display(),
                            group["description"],
                            test["description"]
                        ),
                    }
                }
            }
        }
    }
    println!("equal {equal} of {all}, {refused} refused");
    Ok(())
}

/// The files of required tests.
fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?.into_iter();
    let files = entries.filter(|entry| entry.file_type.is_file());
    let mut found: Vec<PathBuf> = files.map(|entry| entry.path).collect();
    found.sort();
    Ok(found)
}

//! The counts of packages in `docs/dependencies.md`, from the lock file.

use std::collections::BTreeMap;

use anyhow::Result;
use sluice_system::fs;

use super::sections;

/// Returns the page with current counts.
pub(super) fn pages() -> Result<BTreeMap<String, String>> {
    let root = crate::repository();
    let page = fs::read_to_string(root.join("docs/dependencies.md"))?;
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    let page = sections::replace(&page, "weight", &counts(&lock))?;
    Ok([("dependencies.md".to_owned(), page)].into())
}

/// Counts packages by where they come from, and the crates in several versions.
fn counts(lock: &str) -> String {
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut own = 0;
    for package in lock.split("[[package]]").skip(1) {
        if !package.contains("\nsource = ") {
            own += 1;
            continue;
        }
        let name = package
            .lines()
            .find_map(|line| line.strip_prefix("name = "));
        *versions.entry(name.unwrap_or_default()).or_default() += 1;
    }
    let foreign: usize = versions.values().sum();
    let doubles = versions.values().filter(|count| **count > 1).count();
    format!(
        "| in `Cargo.lock`, for every system | |\n|---|---|\n\
         | crates of the workspace | {own} |\n\
         | crates of the registry | {foreign} |\n\
         | of these in more than one version | {doubles} |\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_separate_own_foreign_and_double_packages() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry\"\n\n\
                    [[package]]\nname = \"a\"\nversion = \"2\"\nsource = \"registry\"\n\n\
                    [[package]]\nname = \"own\"\nversion = \"1\"\n";
        let text = counts(lock);
        assert!(text.contains("workspace | 1 |"), "{text}");
        assert!(text.contains("registry | 2 |"), "{text}");
        assert!(text.contains("version | 1 |"), "{text}");
    }
}

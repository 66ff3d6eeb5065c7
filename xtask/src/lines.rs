//! `cargo xtask lines`: lines of code by crate, without comments, blank lines and tests.

use std::collections::BTreeMap;

use anyhow::Result;
use sluice_system::fs;

use crate::source::{self, Source};

/// Count the lines of code of each crate, without comments and tests
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Lines of one crate.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    production: usize,
    test: usize,
}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    let root = crate::repository();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for directory in ["src", "crates", "dev", "xtask", "tests"] {
        for path in source::files(&root.join(directory), &["rs"])? {
            let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
            let parts: Vec<_> = relative.iter().filter_map(|part| part.to_str()).collect();
            let name = match parts.as_slice() {
                ["crates", floor, name, ..] => format!("crates/{floor}/{name}"),
                ["dev", name, ..] => format!("dev/{name}"),
                [first, ..] => (*first).to_owned(),
                [] => continue,
            };
            let text = fs::read_to_string(&path)?;
            let count = count(&text, source::is_test_file(&relative));
            let sum = counts.entry(name).or_default();
            sum.production += count.production;
            sum.test += count.test;
        }
    }
    println!("{:<40} {:>10} {:>8}", "crate", "production", "tests");
    for (name, count) in &counts {
        println!("{name:<40} {:>10} {:>8}", count.production, count.test);
    }
    let product = counts
        .iter()
        .filter(|(name, _)| name.starts_with("src") || name.starts_with("crates"))
        .map(|(_, count)| count.production);
    println!("{:<40} {:>10}", "src and crates", product.sum::<usize>());
    Ok(())
}

fn count(text: &str, is_test: bool) -> Count {
    let source = Source::read(text);
    let tests = source.test_lines();
    let mut count = Count::default();
    for (code, in_test) in source.code.iter().zip(tests) {
        if code.trim().is_empty() {
            continue;
        }
        if is_test || in_test {
            count.test += 1;
        } else {
            count.production += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_are_not_production() {
        let text = "//! Head.\n\nfn a() {}\n#[cfg(test)]\nmod tests {\n}\n";
        let counted = count(text, false);
        assert_eq!((counted.production, counted.test), (1, 3));
    }
}

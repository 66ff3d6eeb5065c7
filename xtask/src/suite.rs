//! Suites of tests that a task runs by `cargo`, and their results.

use std::process::Command;

use anyhow::Context as _;

/// The result of a suite.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SuiteResult {
    /// Numbers of tests that passed and failed.
    Tests(usize, usize),
    /// The end of a suite that counts no tests.
    Ended(bool),
}

impl SuiteResult {
    /// Sums up the results of `cargo test`.
    fn of(output: &str, is_success: bool) -> Self {
        let mut sums = [0; 2];
        let mut is_test = false;
        for line in output.lines() {
            let Some(counts) = line.strip_prefix("test result: ") else {
                continue;
            };
            is_test = true;
            for (sum, word) in sums.iter_mut().zip([" passed", " failed"]) {
                let count = counts
                    .split(word)
                    .next()
                    .and_then(|text| text.rsplit(' ').next());
                *sum += count
                    .and_then(|count| count.parse::<usize>().ok())
                    .unwrap_or(0);
            }
        }
        if is_test && (is_success || sums[1] > 0) {
            Self::Tests(sums[0], sums[1])
        } else {
            Self::Ended(is_success)
        }
    }

    /// A suite without a test has lost its filter, so it fails.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Ended(false) | Self::Tests(_, 1..) | Self::Tests(0, 0)
        )
    }
}

/// Runs `cargo` with arguments and variables. Words with `::` are filters of tests, and words
/// behind `--` are options of the test binary.
pub(crate) fn run(arguments: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<SuiteResult> {
    let (command, words) = arguments.split_first().context("no command")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg(command).current_dir(crate::repository());
    if *command == "test" {
        cargo.arg("--locked");
    }
    let mut parts = words.splitn(2, |word| *word == "--");
    let (words, behind) = (parts.next().unwrap_or_default(), parts.next());
    let (filters, options): (Vec<&str>, Vec<&str>) =
        words.iter().copied().partition(|word| word.contains("::"));
    cargo.args(options);
    if !filters.is_empty() || behind.is_some() {
        cargo
            .arg("--")
            .args(filters)
            .args(behind.unwrap_or_default());
    }
    cargo.envs(variables.iter().copied());
    let ended = cargo.output().context("run cargo")?;
    let text = String::from_utf8_lossy(&ended.stdout);
    if !ended.status.success() {
        print!("{text}{}", String::from_utf8_lossy(&ended.stderr));
    }
    Ok(SuiteResult::of(&text, ended.status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_binaries_are_summed_up() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured\n\
                      test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n";
        assert_eq!(SuiteResult::of(output, false), SuiteResult::Tests(5, 1));
        assert!(SuiteResult::of(output, false).is_failure());
        assert_eq!(
            SuiteResult::of("481 cases, 0 changed\n", true),
            SuiteResult::Ended(true)
        );
        assert_eq!(
            SuiteResult::of("error: no such target\n", false),
            SuiteResult::Ended(false)
        );
    }
}

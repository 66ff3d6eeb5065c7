//! The rules of `.helmignore`.

use regex::bytes::Regex;

use crate::error::Error;
use crate::pattern;

/// Limits of a file. Each rule becomes an automaton, and each path of the chart meets each rule.
const MAX_BYTES: usize = 64 << 10;
const MAX_RULES: usize = 1_000;

/// The rules of one chart.
#[derive(Debug, Default)]
pub(crate) struct Rules(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    pattern: Regex,
    is_negated: bool,
    is_directory_only: bool,
    /// Whether the pattern is for the last part of the path only.
    is_base_only: bool,
}

impl Rules {
    /// Reads the content of a `.helmignore`.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        if text.len() > MAX_BYTES {
            return Err(Error::Ignore(".helmignore is larger than 64 KiB"));
        }
        let mut rules = Self::default();
        for line in text.trim_start_matches('\u{feff}').lines() {
            rules.push(line.trim())?;
        }
        Ok(rules)
    }

    /// Adds the rule that every chart has: hidden files are not templates.
    #[must_use]
    pub(crate) fn with_defaults(mut self) -> Self {
        let hidden = self.add("templates/.?*");
        debug_assert!(hidden.is_ok(), "the rule is well formed");
        self
    }

    fn push(&mut self, line: &str) -> Result<(), Error> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.contains("**") {
            return Err(Error::Ignore("double-star (**) syntax is not supported"));
        }
        if self.0.len() >= MAX_RULES {
            return Err(Error::Ignore(".helmignore has more than 1000 rules"));
        }
        self.add(line)
    }

    fn add(&mut self, line: &str) -> Result<(), Error> {
        pattern::compile_match(line).map_err(Error::Ignore)?;
        let (is_negated, rule) = match line.strip_prefix('!') {
            Some(rule) => (true, rule),
            None => (false, line),
        };
        let (is_directory_only, rule) = match rule.strip_suffix('/') {
            Some(rule) => (true, rule),
            None => (false, rule),
        };
        let (is_base_only, rule) = match rule.strip_prefix('/') {
            Some(rule) => (false, rule),
            None => (!rule.contains('/'), rule),
        };
        self.0.push(Rule {
            pattern: pattern::compile_match(rule).map_err(Error::Ignore)?,
            is_negated,
            is_directory_only,
            is_base_only,
        });
        Ok(())
    }

    /// Whether a path is left out of the chart.
    ///
    /// A negated rule leaves out all that it does not match, as in Helm.
    pub(crate) fn is_ignored(&self, path: &str, is_directory: bool) -> bool {
        for rule in &self.0 {
            let is_match = || {
                let text = match path.rsplit_once('/') {
                    Some((_, base)) if rule.is_base_only => base,
                    _ => path,
                };
                rule.pattern.is_match(text.as_bytes())
            };
            if rule.is_negated {
                if (rule.is_directory_only && !is_directory) || !is_match() {
                    return true;
                }
            } else if (!rule.is_directory_only || is_directory) && is_match() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn rules_follow_helm() {
        // Facts of Helm's table of rules.
        for (rules, path, is_directory, expected) in [
            ("helm.txt", "rudder.txt", false, false),
            ("helm.txt", "tiller/helm.txt", false, true),
            ("/helm.txt", "tiller/helm.txt", false, false),
            ("templates/*.txt", "templates/a.txt", false, true),
            ("cargo/", "cargo", true, true),
            ("cargo/", "cargo", false, false),
            ("cargo/*.txt", "mast/cargo/a.txt", false, false),
            ("!helm.txt", "helm.txt", false, false),
            ("!helm.txt", "tiller.txt", false, true),
            ("# helm.txt", "helm.txt", false, false),
            ("", "templates/.dotfile", false, true),
        ] {
            let rules = Rules::parse(rules).unwrap().with_defaults();
            assert_eq!(rules.is_ignored(path, is_directory), expected, "{path}");
        }
    }

    #[test]
    fn long_files_are_rejected() {
        Rules::parse(&"a\n".repeat(1_000)).unwrap();
        for (text, expected) in [
            ("a\n".repeat(1_001), ".helmignore has more than 1000 rules"),
            ("?".repeat(65_537), ".helmignore is larger than 64 KiB"),
        ] {
            assert_eq!(Rules::parse(&text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn two_stars_are_rejected() {
        let error = Rules::parse("a/**/b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "double-star (**) syntax is not supported"
        );
    }
}

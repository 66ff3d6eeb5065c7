//! The parsed `spec` of a `HelmChart`. Pure.

use std::time::Duration;

use sluice_api::source::HelmChart;
use sluice_engine::Failure;

use crate::reconcile::SourceSpec;
use crate::timing;

/// The values of a chart.
const VALUES: &str = "values.yaml";

/// A valid specification, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(super) interval: Duration,
    /// The files that replace the values of the chart.
    pub(super) values_files: Vec<String>,
}

impl SourceSpec for Spec {
    type Object = HelmChart;

    fn parse(object: &HelmChart) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = timing::interval(&spec.interval)?;
        // The chart's own values alone change nothing.
        let is_default = matches!(&*spec.values_files, [only] if is_values(only));
        Ok(Self {
            interval,
            values_files: if is_default {
                Vec::new()
            } else {
                spec.values_files.clone()
            },
        })
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

impl Spec {
    /// Whether the chart of a repository is packaged again.
    pub(super) fn needs_packaging(&self) -> bool {
        !self.values_files.is_empty()
    }
}

/// Whether a path is the one of the chart's own values.
pub(super) fn is_values(path: &str) -> bool {
    clean(path) == VALUES
}

/// A path without empty parts, `.` and `..`, as Go's `filepath.Clean` returns it.
pub(super) fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    /// Cases of Go's `TestClean`.
    #[test]
    fn paths_are_cleaned_as_in_go() {
        for (path, expected) in [
            ("abc", "abc"),
            ("", "."),
            ("/", "/"),
            ("abc/", "abc"),
            ("abc//def//ghi", "abc/def/ghi"),
            ("abc/./../def", "def"),
            ("abc/../../def", "../def"),
            ("../../abc", "../../abc"),
            ("/../abc", "/abc"),
            ("./values.yaml", "values.yaml"),
        ] {
            assert_eq!(clean(path), expected, "{path}");
        }
    }
}

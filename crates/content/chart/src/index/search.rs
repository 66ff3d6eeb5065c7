//! Finds the versions of a chart in an index, and picks the one that fits.

use std::io::Read;

use sluice_golang::semver::{Constraint, ParseConstraintError, Version};
use sluice_golang::sort;

use super::IndexError;
use super::entry::ChartVersion;
use super::read::{Visit, read, read_stored};
use super::rewrite::{decode, is_less};
use crate::values::Json;

/// The versions of a chart, newest first. `None` if the index does not have the chart.
pub fn find(text: &[u8], chart: &str) -> Result<Option<Vec<ChartVersion>>, IndexError> {
    let mut finder = Finder::new(chart);
    read(text, &mut finder)?;
    finder.finish()
}

/// Like [`find`], in an index that [`rewrite`](super::rewrite()) wrote. Only the versions of the
/// chart are held in memory.
pub fn find_stored(
    reader: impl Read,
    chart: &str,
) -> Result<Option<Vec<ChartVersion>>, IndexError> {
    let mut finder = Finder::new(chart);
    read_stored(reader, &mut finder)?;
    finder.finish()
}

struct Finder<'c> {
    chart: &'c str,
    found: Option<Vec<ChartVersion>>,
    has_api_version: bool,
}

impl<'c> Finder<'c> {
    fn new(chart: &'c str) -> Self {
        Self {
            chart,
            found: None,
            has_api_version: false,
        }
    }

    fn finish(self) -> Result<Option<Vec<ChartVersion>>, IndexError> {
        if !self.has_api_version {
            return Err(IndexError::NoApiVersion);
        }
        let mut found = self.found;
        if let Some(versions) = &mut found {
            sort::sort(versions, |left, right| {
                is_less(right.parsed().as_ref(), left.parsed().as_ref())
            });
        }
        Ok(found)
    }
}

impl Visit for Finder<'_> {
    fn field(&mut self, key: &str, value: Json) -> Result<(), IndexError> {
        let is_empty = value.is_null() || value.as_str() == Some("");
        self.has_api_version |= key.eq_ignore_ascii_case("apiVersion") && !is_empty;
        Ok(())
    }

    fn chart(&mut self, name: &str) -> Result<bool, IndexError> {
        let is_wanted = name == self.chart;
        if is_wanted {
            self.found = Some(Vec::new());
        }
        Ok(is_wanted)
    }

    fn version(&mut self, entry: &Json, is_strict: bool) -> Result<(), IndexError> {
        if let (Some(version), Some(found)) = (decode(entry, is_strict)?, &mut self.found) {
            found.push(version);
        }
        Ok(())
    }

    fn end_chart(&mut self, _is_null: bool) -> Result<(), IndexError> {
        Ok(())
    }
}

/// Why no version was picked, in Flux's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// The index does not have the chart.
    #[error("no chart name found")]
    NoChart,
    /// The chart has no version.
    #[error("no chart version found")]
    NoVersion,
    /// The range is malformed.
    #[error(transparent)]
    Constraint(#[from] ParseConstraintError),
    /// No version is in the range.
    #[error("no '{chart}' chart with version matching '{wanted}' found")]
    NoMatch {
        /// The name of the chart.
        chart: String,
        /// The range.
        wanted: String,
    },
}

/// Picks a version as `helm template` does: the version of exactly this text, or the first of
/// [`find`] in the range. Unlike in [`select`], `1.2` is a version.
pub fn pick<'v>(versions: &'v [ChartVersion], wanted: &str) -> Option<&'v ChartVersion> {
    let range = Constraint::parse(if wanted.is_empty() { "*" } else { wanted }).ok()?;
    let exact = versions.iter().find(|version| version.version() == wanted);
    exact.filter(|_| !wanted.is_empty()).or_else(|| {
        versions.iter().find(|version| {
            let parsed = Version::parse(version.version());
            parsed.is_ok_and(|parsed| range.matches(&parsed))
        })
    })
}

/// Picks the version of exactly this text, or the newest one in the range. An empty range means the
/// newest stable version.
pub fn select<'v>(
    versions: Option<&'v [ChartVersion]>,
    chart: &str,
    wanted: &str,
) -> Result<&'v ChartVersion, SelectError> {
    let versions = versions.ok_or(SelectError::NoChart)?;
    if versions.is_empty() {
        return Err(SelectError::NoVersion);
    }
    let exact = versions.iter().find(|version| version.version() == wanted);
    if let Some(exact) = exact.filter(|_| !wanted.is_empty()) {
        return Ok(exact);
    }
    let constraint = Constraint::parse(if wanted.is_empty() { "*" } else { wanted })?;
    let parsed = versions.iter().filter_map(|version| {
        let parsed = Version::parse_tag(version.version()).ok()?;
        constraint.matches(&parsed).then_some((parsed, version))
    });
    // Versions that differ only in build metadata are equal, so the later one is newer.
    let newest = parsed.max_by(|(left, one), (right, other)| {
        left.cmp(right)
            .then_with(|| one.created.cmp(&other.created))
    });
    let (_, newest) = newest.ok_or_else(|| SelectError::NoMatch {
        chart: chart.to_owned(),
        wanted: wanted.to_owned(),
    })?;
    Ok(newest)
}

//! Values files of a `HelmChart`, which replace the default values of a chart.
//!
//! Parity: source-controller: `internal/helm/chart/builder_remote.go`.

use sluice_golang::path::clean;

use crate::values::{self, Values};
use crate::{Chart, NoValuesFile, replace_values};

/// Path of the default values in a chart.
const VALUES: &str = "values.yaml";

/// Merged values, and the files that they come from.
#[derive(Debug, Default)]
pub struct ValuesFiles {
    values: Values,
    files: Vec<String>,
}

impl ValuesFiles {
    /// Merges files of a chart. A missing file is an error, unless it is ignored.
    pub fn in_chart(
        chart: &Chart,
        paths: &[String],
        ignores_missing: bool,
    ) -> Result<Self, String> {
        let mut merged = Self::default();
        for path in paths {
            let name = clean(path);
            if name == VALUES {
                merged.add_values(path, chart.values.clone());
                continue;
            }
            match chart.files.iter().find(|file| file.name == name) {
                Some(file) => merged.add(path, &file.data)?,
                None if ignores_missing => {}
                None => return Err(format!("no values file found at path '{path}'")),
            }
        }
        Ok(merged)
    }

    /// Merges the text of a file.
    pub fn add(&mut self, path: &str, text: &[u8]) -> Result<(), String> {
        let values = values::read(text)
            .map_err(|error| format!("unmarshaling values from '{path}' failed: {error}"))?;
        self.add_values(path, values);
        Ok(())
    }

    fn add_values(&mut self, path: &str, values: Values) {
        values::merge(&mut self.values, values);
        self.files.push(path.to_owned());
    }

    /// Replaces the default values of a chart. Returns the files, unless nothing changed.
    pub fn replace(self, chart: &mut Chart) -> Result<Vec<String>, NoValuesFile> {
        let is_changed = replace_values(chart, self.values)?;
        Ok(if is_changed { self.files } else { Vec::new() })
    }
}

//! A loaded chart.

use jiff::Timestamp;
use sluice_gotemplate::GoString;

use crate::metadata::{Lock, Metadata};
use crate::values::Values;

/// A file of a chart, by its path below the chart's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path, with `/` between its parts.
    pub name: String,
    /// The content, without a byte order mark.
    pub data: GoString,
    /// When the file was changed; records of releases keep it.
    pub modified: Option<Timestamp>,
}

/// A chart and the charts below it.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// The content of `Chart.yaml`.
    pub metadata: Metadata,
    /// The files below `templates/`.
    pub templates: Vec<File>,
    /// The content of `values.yaml`.
    pub values: Values,
    /// `values.yaml` as it is, for [`package`](crate::package()).
    pub values_file: Option<File>,
    /// Whether the chart has values; records tell none from an empty map.
    pub has_values: bool,
    /// The content of `values.schema.json`.
    pub schema: Option<GoString>,
    /// When `values.schema.json` was changed.
    pub schema_modified: Option<Timestamp>,
    /// The content of `Chart.lock`.
    pub lock: Option<Lock>,
    /// When `Chart.yaml` was changed.
    pub modified: Option<Timestamp>,
    /// All other files, which templates see as `.Files`.
    pub files: Vec<File>,
    /// The charts below `charts/`.
    pub dependencies: Vec<Self>,
}

/// A file below `crds/`, by its path from the root chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crd {
    /// The path, which starts with the name of the root chart.
    pub path: String,
    /// The content.
    pub data: GoString,
}

impl Chart {
    /// The name of the chart, which is the alias of a dependency that has one.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// Whether the chart only has templates for other charts.
    pub fn is_library(&self) -> bool {
        self.metadata.kind.eq_ignore_ascii_case("library")
    }

    /// The custom resource definitions of the chart, then those of its dependencies.
    pub fn crds(&self) -> Vec<Crd> {
        let mut crds = Vec::new();
        self.collect_crds(self.name(), &mut crds);
        crds
    }

    fn collect_crds(&self, path: &str, crds: &mut Vec<Crd>) {
        let own = self.files.iter();
        let own = own.filter(|file| file.name.starts_with("crds/") && is_manifest(&file.name));
        crds.extend(own.map(|file| Crd {
            path: format!("{path}/{}", file.name),
            data: file.data.clone(),
        }));
        for dependency in &self.dependencies {
            dependency.collect_crds(&format!("{path}/charts/{}", dependency.name()), crds);
        }
    }
}

fn is_manifest(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').is_some_and(|(_, extension)| {
        let known = ["yaml", "yml", "json"];
        known
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

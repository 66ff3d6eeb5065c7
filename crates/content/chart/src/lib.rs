//! Helm charts: loading, values, dependencies and rendering.
//!
//! Output and errors equal those of `helm template` of Helm 4.2. The templates run in
//! [`sluice_gotemplate`] under a budget, and see nothing of the machine but the chart.
//!
//! Where to start: [`load`] reads a [`Chart`], [`template()`] renders it as `helm template` does,
//! and [`package()`] writes its archive. [`index`] searches the index of a repository.
//!
//! ```text
//! folder, .tgz ─load→ Chart ─dependency→ enabled charts ─values→ coalesced values
//!                                                                     │
//!        manifests, hooks ←─manifest── rendered files ←──render───────┘
//! ```

mod capabilities;
mod chart;
pub mod coalesce;
pub mod dependency;
mod error;
mod hint;
mod ignore;
pub mod index;
pub mod load;
pub mod manifest;
mod metadata;
mod package;
mod pattern;
mod provenance;
pub mod render;
mod replace;
mod report;
mod schema;
mod show;
pub mod strvals;
mod template;
mod time;
pub mod values;
mod values_files;
mod warnings;

pub use capabilities::{Capabilities, HelmVersion, KubeVersion};
pub use chart::{Chart, File};
pub use error::Error;
pub use metadata::{Dependency, Lock, Maintainer, Metadata};
pub use package::{PackageError, package};
pub use provenance::{ProvenanceError, check_provenance};
pub use replace::{NoValuesFile, replace_values};
pub use report::{RenderReport, ReportLevel};
pub use schema::check_schema;
pub use show::ShowOptions;
pub use sluice_gotemplate::{Budget, Finding, TemplateTime, set_memory};
pub use template::{
    Change, Files, RenderedChart, TemplateOptions, is_release_name, template, template_with,
};
pub use values::Values;
pub use values_files::ValuesFiles;
pub use warnings::collect_warnings;

//! Defines the flags of commands that render a chart or a `HelmRelease`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sluice_chart::KubeVersion;
use sluice_preview::release::objects::Objects;
use sluice_preview::release::{AddedCapabilities, Release, ReleaseRequest};

use super::source::SourceFlags;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, Slice};

/// Flag with the files of a release.
const FILE_FLAG: &str = "--helmrelease-file";

#[derive(clap::Args, Clone, Debug)]
#[expect(missing_docs, reason = "a doc comment would become help text")]
pub struct ReleaseFlags {
    /// Name of the HelmRelease
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Chart instead of the source: a path, or an oci:// or https:// URL
    #[arg(long, value_name = "CHART")]
    chart: Option<String>,
    /// File or directory with the HelmRelease, its source and its values
    #[arg(long, value_name = "PATH")]
    helmrelease_file: Option<PathBuf>,
    /// Local directories of sources, as KIND/NAMESPACE/NAME=PATH,…
    #[arg(long, value_parser = super::flags::local_sources, value_name = "SOURCE=PATH")]
    local_sources: Vec<BTreeMap<String, String>>,
}

/// Capabilities of a cluster.
#[derive(clap::Args, Clone, Debug)]
pub struct CapabilityFlags {
    /// Kubernetes version for chart capabilities
    #[arg(long, value_name = "VERSION")]
    kube_version: Option<String>,
    /// Additional API versions for chart capabilities
    #[arg(long, short, value_name = "VERSION", value_parser = flags::csv)]
    api_versions: Vec<Vec<String>>,
}

impl CapabilityFlags {
    /// Parses the capabilities.
    pub fn read(&self) -> Result<AddedCapabilities, CommandError> {
        let version = self.kube_version.as_deref().filter(|text| !text.is_empty());
        let version = version.map(KubeVersion::parse).transpose();
        Ok(AddedCapabilities {
            kube_version: version.map_err(|error| CommandError::user(error.to_string()))?,
            api_versions: Slice::from_uses(self.api_versions.clone())
                .iter()
                .map(str::to_owned)
                .collect(),
        })
    }
}

impl ReleaseFlags {
    /// Reads the `HelmRelease`, its values and its chart. Without a cluster, all of them come
    /// from files.
    pub fn load(&self, context: &Context, is_offline: bool) -> Result<Release, CommandError> {
        let [name] = self.name.as_slice() else {
            return Err(CommandError::missing_name("helmrelease name is required"));
        };
        if is_offline && self.helmrelease_file.is_none() {
            return Err(
                CommandError::user("dry-run mode requires a helmrelease file")
                    .hint("set --helmrelease-file"),
            );
        }
        let known = (!is_offline).then_some(context as _);
        let objects = Objects::read(self.helmrelease_file.as_deref(), FILE_FLAG, known)?;
        let chart = self.chart.as_deref().filter(|chart| !chart.is_empty());
        let chart = chart.map(|chart| SourceFlags::default().load(chart, context));
        let sources = self.local_sources.iter().flatten();
        let request = ReleaseRequest {
            namespace: context.namespace(),
            name,
            objects,
            chart: chart.transpose()?,
            sources: sources
                .map(|(source, path)| (source.clone(), path.into()))
                .collect(),
        };
        Ok(request.load(context)?)
    }
}

//! Errors of charts, in Helm's words.

use sluice_artifact::untar;
use sluice_golang::quote::quote;
use sluice_system::fs;

/// Why a chart could not be loaded or rendered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or a folder of the chart cannot be read.
    #[error("failed to read the chart: {0}")]
    Read(#[from] fs::Error),
    /// A folder or a link leads out of the chart, or in a circle.
    #[error("cannot load '{path}': {reason}")]
    Path {
        /// The path below the chart.
        path: String,
        /// The reason.
        reason: &'static str,
    },
    /// A file is neither a file nor a folder.
    #[error("cannot load irregular file {0} as it has file mode type bits set")]
    Irregular(String),
    /// A file is above the limit.
    #[error(
        "chart file {} is larger than the maximum file size {limit}",
        quote(name)
    )]
    FileTooLarge {
        /// The name of the file.
        name: String,
        /// The limit.
        limit: u64,
    },
    /// The files together are above the limit.
    #[error("decompressed chart is larger than the maximum size {0}")]
    TooLarge(u64),
    /// The chart has more files than the limit.
    #[error("chart has more than {0} files")]
    TooManyFiles(u64),
    /// A rule of `.helmignore` is malformed.
    #[error("{0}")]
    Ignore(&'static str),
    /// The archive is not a chart.
    #[error("{0}")]
    Archive(String),
    /// The archive cannot be unpacked.
    #[error("failed to unpack the chart: {0}")]
    Unpack(#[from] untar::Error),
    /// A file of the chart has an invalid content.
    #[error("cannot load {file}: {reason}")]
    Content {
        /// The name of the file.
        file: &'static str,
        /// The reason.
        reason: String,
    },
    /// The chart has no `Chart.yaml`.
    #[error("Chart.yaml file is missing")]
    NoMetadata,
    /// `Chart.yaml` is not valid.
    #[error("validation: {0}")]
    Invalid(String),
    /// A chart below `charts/` is not valid.
    #[error("error unpacking subchart {subchart} in {chart}: {source}")]
    Subchart {
        /// The entry below `charts/`.
        subchart: String,
        /// The chart that has it.
        chart: String,
        /// The reason.
        source: Box<Self>,
    },
    /// Charts nest too deep.
    #[error("charts nest deeper than {0} levels")]
    TooDeep(usize),
    /// Values are invalid.
    #[error("{0}")]
    Values(String),
    /// Charts of the metadata are missing below `charts/`.
    #[error(
        "an error occurred while checking for chart dependencies. You may need to run \
         'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing \
         in charts/ directory: {0}"
    )]
    MissingDependencies(String),
    /// The release cannot have this name.
    #[error(
        "release name check failed: release name {}: invalid release name, must match regex \
         ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must \
         not be longer than 53",
        quote(.0)
    )]
    ReleaseName(String),
    /// A chart of another type than an application.
    #[error("{0} charts are not installable")]
    NotInstallable(String),
    /// The cluster is too old or too new.
    #[error(
        "chart requires kubeVersion: {constraint} which is incompatible with Kubernetes {version}"
    )]
    KubeVersion {
        /// The constraint of the chart.
        constraint: String,
        /// The version of the cluster.
        version: String,
    },
    /// A post-renderer failed.
    #[error("{0}")]
    PostRender(String),
    /// A template could not be parsed or executed.
    #[error("{text}")]
    Template {
        /// The file, the line, the expression and the reason, in Helm's words.
        text: String,
        /// The value that the expression lacks, without its content.
        hint: Option<String>,
    },
    /// A pattern of files to print matches none of them.
    #[error("could not find template {0} in chart")]
    NoSuchTemplate(String),
    /// A rendered file is not YAML.
    #[error("YAML parse error on {file}: {reason}")]
    Manifest {
        /// The path of the template.
        file: String,
        /// The reason.
        reason: String,
    },
}

impl Error {
    /// The value that a template lacks, if the error names one.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Template { hint, .. } => hint.as_deref(),
            _ => None,
        }
    }
}

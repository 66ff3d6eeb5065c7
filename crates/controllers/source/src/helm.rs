//! Helm repositories over HTTP and in registries, for both kinds that use them.
//!
//! [`access`] reads the Secrets of a `HelmRepository`. [`http`] downloads indexes and charts,
//! [`registry`] pulls charts, and [`address`] makes URLs.

pub(crate) mod access;
pub(crate) mod address;
pub(crate) mod http;
pub(crate) mod registry;

/// The limits of `--helm-*-max-size`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HelmLimits {
    /// An index, as downloaded.
    pub(crate) index: u64,
    /// The archive of a chart.
    pub(crate) chart: u64,
    /// One file of a chart.
    pub(crate) chart_file: u64,
}

impl HelmLimits {
    pub(crate) fn of(args: &crate::args::Args) -> Self {
        let size = |flag: i64| u64::try_from(flag).unwrap_or_default();
        Self {
            index: size(args.helm_index_max_size),
            chart: size(args.helm_chart_max_size),
            chart_file: size(args.helm_chart_file_max_size),
        }
    }

    /// The limits of a loaded chart.
    pub(crate) fn of_chart(&self) -> sluice_chart::load::Limits {
        sluice_chart::load::Limits {
            file: self.chart_file,
            ..sluice_chart::load::Limits::default()
        }
    }
}

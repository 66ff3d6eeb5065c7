//! Renders a chart as `helm template` does.

use std::collections::BTreeMap;

use sluice_gotemplate::{Budget, Environment, GoString, Render};

use crate::capabilities::Capabilities;
use crate::chart::{Chart, Crd};
use crate::coalesce;
use crate::dependency;
use crate::error::Error;
use crate::manifest::{self, Hook, Manifest};
use crate::metadata::is_compatible;
use crate::render::{self, Cluster, Release};
use crate::report::{PhaseClock, RenderReport, ReportLevel};
use crate::schema;
use crate::values::Values;

/// The file whose text is for the user.
const NOTES: &str = "NOTES.txt";

/// The inputs of a render beside the chart and its values.
#[derive(Debug, Clone, Default)]
pub struct TemplateOptions {
    /// The release.
    pub release: Release,
    /// The capabilities of the cluster.
    pub capabilities: Capabilities,
    /// Whether the custom resource definitions of `crds/` are printed.
    pub includes_crds: bool,
    /// Whether values are not checked against the schemas of the charts.
    pub skips_schema: bool,
    /// Whether the notes of dependencies are part of the notes.
    pub includes_subchart_notes: bool,
    /// The limits of the templates.
    pub budget: Budget,
    /// How much the render reports.
    pub report: ReportLevel,
    /// Makes random texts repeatable. They are then not fit for secrets.
    pub seed: Option<u64>,
}

/// A rendered chart.
#[derive(Debug, Clone, Default)]
pub struct RenderedChart {
    /// The chart with the dependencies that are enabled.
    pub chart: Chart,
    /// The custom resource definitions of `crds/`, if they were asked for.
    pub crds: Vec<Crd>,
    /// The manifests in the order of their installation.
    pub manifests: Vec<Manifest>,
    /// The hooks, sorted by kind.
    pub hooks: Vec<Hook>,
    /// The notes.
    pub notes: GoString,
    /// The report.
    pub report: RenderReport,
}

impl RenderedChart {
    /// The manifest of the release, which records keep.
    pub fn manifest(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for crd in &self.crds {
            manifest::print(&mut out, &crd.path, &crd.data);
        }
        for manifest in &self.manifests {
            manifest::print(&mut out, &manifest.path, &manifest.content);
        }
        out
    }
}

/// Whether a release may have a name: a DNS name of at most 53 bytes.
pub fn is_release_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| {
        let ends = label.bytes().next().into_iter().chain(label.bytes().last());
        !label.is_empty()
            && ends.into_iter().all(is_allowed)
            && label.bytes().all(|byte| is_allowed(byte) || byte == b'-')
    };
    name.len() <= 53 && name.split('.').all(is_label)
}

/// Rendered files by their paths.
pub type Files = BTreeMap<String, GoString>;

/// Changes rendered files before they are sorted.
pub type Change<'c> = &'c mut dyn FnMut(Files) -> Result<Files, Error>;

/// Renders a chart with the values of a user.
pub fn template(
    chart: Chart,
    user: &Values,
    options: &TemplateOptions,
    cluster: Option<Box<dyn Cluster>>,
) -> Result<RenderedChart, Error> {
    template_with(chart, user, options, cluster, &mut Ok)
}

/// Renders a chart with the values of a user, and changes the files without the notes.
pub fn template_with(
    mut chart: Chart,
    user: &Values,
    options: &TemplateOptions,
    cluster: Option<Box<dyn Cluster>>,
    change: Change<'_>,
) -> Result<RenderedChart, Error> {
    let mut clock = PhaseClock::start();
    if !matches!(&*chart.metadata.kind, "" | "application") {
        return Err(Error::NotInstallable(chart.metadata.kind));
    }
    dependency::check(&chart)?;
    if !is_release_name(&options.release.name) {
        return Err(Error::ReleaseName(options.release.name.clone()));
    }
    dependency::process(&mut chart, user)
        .map_err(|error| Error::Values(format!("chart dependencies processing failed: {error}")))?;
    let constraint = &chart.metadata.kube_version;
    let version = &options.capabilities.kube_version;
    if !constraint.is_empty() && !is_compatible(constraint, &version.normalized) {
        return Err(Error::KubeVersion {
            constraint: constraint.clone(),
            version: version.version.clone(),
        });
    }
    let values = render::values(&chart, user)?;
    clock.end("values");
    if !options.skips_schema {
        schema::check(&chart, &coalesce::frozen(&values))?;
    }
    clock.end("schema");
    let scope = render::Scope {
        values,
        release: &options.release,
        capabilities: &options.capabilities,
    };
    let (mut files, observed) =
        render::files(&chart, &scope, observer(options), cluster, &mut clock)?;
    clock.end("render");
    let own_notes = format!("{}/templates/{NOTES}", chart.name());
    let mut notes = Vec::new();
    files.retain(|path, content| {
        if !path.ends_with(NOTES) {
            return true;
        }
        if options.includes_subchart_notes || *path == own_notes {
            if !notes.is_empty() {
                notes.push(b'\n');
            }
            notes.extend_from_slice(content);
        }
        false
    });
    let sorted = manifest::sort(&change(files)?)?;
    let crds = if options.includes_crds {
        chart.crds()
    } else {
        Vec::new()
    };
    clock.end("manifests");
    Ok(RenderedChart {
        chart,
        crds,
        manifests: sorted.manifests,
        hooks: sorted.hooks,
        notes: notes.into(),
        report: RenderReport {
            phases: clock.into_phases(),
            templates: observed.templates,
            findings: observed.findings,
            steps: observed.steps,
        },
    })
}

/// A render with the observations that are asked for.
fn observer(options: &TemplateOptions) -> Render<'static> {
    let mut render = Render::new(&options.budget);
    if options.report != ReportLevel::Nothing {
        render = render.with_findings();
    }
    if options.report == ReportLevel::Profile {
        render = render.with_stopwatch();
    }
    match options.seed {
        Some(seed) => render.with_environment(Environment::default().with_seed(seed)),
        None => render,
    }
}

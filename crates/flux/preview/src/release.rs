//! Renders a `HelmRelease` as the controller does.
//!
//! The `HelmRelease`, its source and its values come from files, then from the cluster
//! ([`objects`], [`values`]). [`chart`] loads the chart.

mod chart;
pub mod objects;
pub mod values;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use sluice_api::helm::HelmRelease;
use sluice_apply::{IgnoreRules, Owner};
use sluice_chart::{
    Budget, Capabilities, Chart, KubeVersion, RenderedChart, ReportLevel, TemplateOptions, Values,
    collect_warnings, render,
};
use sluice_helm::Templates;
use sluice_helm::cluster::build;
use sluice_helm::ownership;
use sluice_helm::post_render::Strategy;
use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_release::{ClusterLookup, ReleaseCluster, capabilities, names, post_renderer};
use sluice_system::SystemClock;

use self::chart::ChartRequest;
use self::objects::Objects;
use crate::charts::failed;
use crate::comparison::{OwnerSettings, inventory};
use crate::{Error, Host, ObjectLookup};

/// Kind of the rendered objects.
pub const KIND: &str = "HelmRelease";
/// Field manager of the controller.
pub const MANAGER: &str = "helm-controller";

/// Inputs of a release.
pub struct ReleaseRequest<'a> {
    /// Namespace of the `HelmRelease`.
    pub namespace: String,
    /// Name of the `HelmRelease`.
    pub name: &'a str,
    /// Objects of files, and of the cluster.
    pub objects: Objects<'a>,
    /// Chart to use instead of the source.
    pub chart: Option<Chart>,
    /// Local directories of sources, by `Kind/namespace/name`.
    pub sources: BTreeMap<String, PathBuf>,
}

/// Capabilities that a command adds to those of the cluster.
#[derive(Debug, Default)]
pub struct AddedCapabilities {
    /// Version of Kubernetes.
    pub kube_version: Option<KubeVersion>,
    /// API versions.
    pub api_versions: Vec<String>,
}

impl AddedCapabilities {
    /// Adds the capabilities to others.
    pub fn add_to(self, capabilities: &mut Capabilities) {
        if let Some(version) = self.kube_version {
            capabilities.kube_version = version;
        }
        capabilities.api_versions.extend(self.api_versions);
    }
}

/// How a release is rendered.
#[derive(Debug, Default)]
pub struct RenderSettings {
    /// Whether the cluster is not asked.
    pub is_offline: bool,
    /// Whether the chart's custom resource definitions are rendered.
    pub includes_crds: bool,
    /// Further capabilities.
    pub capabilities: AddedCapabilities,
    /// How much the render reports.
    pub report: ReportLevel,
    /// Seed of random texts.
    pub seed: Option<u64>,
}

/// A release that can be rendered.
#[derive(Debug)]
pub struct Release {
    /// Object with the settings of the release.
    pub object: HelmRelease,
    chart: Chart,
    values: Values,
}

impl ReleaseRequest<'_> {
    /// Reads the `HelmRelease`, its values and its chart.
    pub fn load(self, host: &impl Host) -> Result<Release, Error> {
        let mut object: HelmRelease = self.objects.required(KIND, &self.namespace, self.name)?;
        object.metadata.namespace.get_or_insert(self.namespace);
        let values = values::compose(&self.objects, &object)?;
        let chart = match self.chart {
            Some(chart) => chart,
            None => ChartRequest::of(&self.objects, &object)?.load(
                &self.objects,
                &self.sources,
                host,
            )?,
        };
        Ok(Release {
            object,
            chart,
            values,
        })
    }
}

impl Release {
    /// The object's namespace and name.
    pub fn owner(&self) -> Owner {
        let metadata = &self.object.metadata;
        Owner {
            namespace: metadata.namespace.clone().unwrap_or_default(),
            name: metadata.name.clone().unwrap_or_default(),
        }
    }

    /// Returns the `HelmRelease` of the cluster. A new one has none.
    pub fn live(&self, known: &dyn ObjectLookup) -> Result<Option<Object>, Error> {
        let Owner { namespace, name } = self.owner();
        let resource =
            by_kind(KIND).ok_or_else(|| Error::internal(format!("no kind is called {KIND}")))?;
        known.find(&resource.gvk(), &namespace, &name)
    }

    /// Takes the status of the object in the cluster, which has the history of the release.
    pub fn take_status(&mut self, live: &Object) -> Result<(), Error> {
        let status = live.get("status").cloned();
        self.object.status = status
            .map(serde_json::from_value)
            .transpose()
            .map_err(|error| {
                Error::cluster(format!("status of the {KIND} in the cluster: {error}"))
            })?;
        Ok(())
    }

    /// Returns the settings of a comparison. `live` is the object of the cluster. The ignore rules
    /// of drift detection have no effect, because an upgrade writes these fields, too.
    pub fn owner_settings(&self, live: Option<&Object>) -> Result<OwnerSettings, Error> {
        let upgrade = self.object.spec.upgrade.as_ref();
        Ok(OwnerSettings {
            owner: self.owner(),
            inventory: live.map(inventory).transpose()?.unwrap_or_default(),
            ignore: IgnoreRules::default(),
            force: upgrade.is_some_and(|upgrade| upgrade.force),
            prunes: true,
            survives: Some(ownership::outlives_upgrade),
        })
    }

    /// Renders the chart with the capabilities of the cluster, and of the settings. Prints the
    /// warnings about its values.
    pub fn render(
        self,
        host: &impl Host,
        settings: RenderSettings,
    ) -> Result<RenderedChart, Error> {
        let object = &self.object;
        let mut options = TemplateOptions {
            capabilities: Capabilities::default(),
            skips_schema: skips_schema(object),
            includes_crds: settings.includes_crds,
            report: settings.report,
            seed: settings.seed,
            budget: Budget {
                deadline: Instant::now().checked_add(host.remaining()),
                ..Budget::default()
            },
            ..TemplateOptions::default()
        };
        let mut templates = Templates {
            post_renderer: post_renderer(object, Strategy::Combined),
            ..Templates::default()
        };
        if !settings.is_offline {
            let cluster = host.cluster()?.clone();
            options.capabilities = host.block_on(capabilities(&cluster))??;
            let runtime = host.handle()?;
            templates.lookup = Some(Arc::new(move || -> Box<dyn render::Cluster> {
                Box::new(ClusterLookup::new(cluster.clone(), runtime.clone()))
            }));
        }
        settings.capabilities.add_to(&mut options.capabilities);
        templates.options = options;
        let last = object.status.as_ref();
        let last = last.and_then(|status| status.history.first());
        let release = render::Release {
            name: names::short_name(object),
            namespace: names::release_namespace(object).to_owned(),
            revision: last.map_or(0, |last| i64::from(last.version)) + 1,
            is_upgrade: last.is_some(),
        };
        let name = self.chart.name().to_owned();
        let run = || templates.run(self.chart, &self.values, &release);
        let (rendered, warnings) = collect_warnings(run);
        for warning in warnings {
            host.warn(&warning);
        }
        rendered.map_err(|error| failed("render", &name, &error))
    }

    /// Renders the objects, with the marks of their release. Prints the findings of the render.
    pub fn objects(self, host: &impl Host, settings: RenderSettings) -> Result<Vec<Object>, Error> {
        let name = names::short_name(&self.object);
        let namespace = names::release_namespace(&self.object).to_owned();
        let rendered = self.render(host, settings)?;
        for finding in &rendered.report.findings {
            host.warn(&finding.to_string());
        }
        let manifest = String::from_utf8_lossy(&rendered.manifest()).into_owned();
        let cluster = host.cluster()?.clone();
        let cluster = ReleaseCluster::new(cluster, MANAGER, Arc::new(SystemClock));
        let built = host.block_on(build(&cluster, &manifest, &namespace, false))?;
        let mut objects = built.map_err(|error| Error::cluster(error.to_string()))?;
        for object in &mut objects {
            ownership::set(object, &name, &namespace);
        }
        Ok(objects)
    }
}

/// Whether the next action of the release skips the schema of the values.
fn skips_schema(object: &HelmRelease) -> bool {
    let spec = &object.spec;
    let status = object.status.as_ref();
    if status.is_some_and(|status| !status.history.is_empty()) {
        let upgrade = spec.upgrade.as_ref();
        upgrade.is_some_and(|upgrade| upgrade.disable_schema_validation)
    } else {
        let install = spec.install.as_ref();
        install.is_some_and(|install| install.disable_schema_validation)
    }
}

//! Reads the sources and the published objects of an `ArtifactGenerator`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, HelmChart, OciRepository};
use sluice_api::source_watcher::{ArtifactGenerator, SourceAliasKind};
use sluice_client::typed::Resource as _;
use sluice_consumer::{SourceLookup, SourceReader};
use sluice_engine::request::is_requested;
use sluice_engine::{ObjectKey, Run, Store};
use sluice_host::Component;
use sluice_system::blocking;

use super::model::Facts;
use super::run_time::RunTime;
use super::spec::Spec;
use super::{ArtifactGeneratorReconciler, drift};
use crate::sources::Sources;

/// Looks up the sources that a generator can name.
pub(crate) struct SourceStores {
    reader: SourceReader,
    git: Store<GitRepository>,
    oci: Store<OciRepository>,
    bucket: Store<Bucket>,
    chart: Store<HelmChart>,
    /// The external artifacts, which are also the published objects.
    pub(super) external: Store<ExternalArtifact>,
}

impl SourceStores {
    /// Reads from watches, or from the API server if `direct`.
    pub(crate) fn new(component: &Component, direct: bool) -> Self {
        Self {
            reader: SourceReader::new(component, direct),
            git: component.store(),
            oci: component.store(),
            bucket: component.store(),
            chart: component.store(),
            external: component.store(),
        }
    }

    async fn find(&self, kind: &SourceAliasKind, key: &ObjectKey, prompt: bool) -> SourceLookup {
        let reader = &self.reader;
        match kind {
            SourceAliasKind::GitRepository => reader.find(&self.git, key, prompt).await,
            SourceAliasKind::OciRepository => reader.find(&self.oci, key, prompt).await,
            SourceAliasKind::Bucket => reader.find(&self.bucket, key, prompt).await,
            SourceAliasKind::HelmChart => reader.find(&self.chart, key, prompt).await,
            SourceAliasKind::ExternalArtifact => reader.find(&self.external, key, prompt).await,
            SourceAliasKind::Other(_) => SourceLookup::Missing,
        }
    }
}

/// Returns the facts for the first plan.
pub(super) async fn observe(
    reconciler: &ArtifactGeneratorReconciler,
    generator: &ArtifactGenerator,
    run: &Run<ArtifactGenerator>,
) -> Facts {
    let time = RunTime::new(reconciler.timeout, Instant::now());
    let settings = reconciler.settings;
    let spec = Spec::parse(generator, settings.no_cross_namespace);
    let is_deleted = generator.meta().deletion_timestamp.is_some();
    let sources = match &spec {
        Ok(spec) if !is_deleted => find_sources(reconciler, spec, is_requested(generator)).await,
        _ => Ok(Sources::new()),
    };
    Facts {
        settings,
        time,
        spec,
        sources,
        live: live_objects(reconciler, generator, run.key()).await,
        is_prompt: run.cause().is_prompt(),
        has_begun: false,
        stored: None,
        work: None,
        owned: None,
        removed: None,
    }
}

/// The artifacts of all sources, or why the first of them has none.
async fn find_sources(
    reconciler: &ArtifactGeneratorReconciler,
    spec: &Spec,
    prompt: bool,
) -> Result<Sources, String> {
    let mut sources = Sources::new();
    for (alias, (kind, key)) in &spec.sources {
        let found = reconciler.sources.find(kind, key, prompt).await;
        let kind = kind.as_str();
        let artifact = match found {
            SourceLookup::Artifact(artifact) => artifact,
            SourceLookup::Missing => {
                let group = sluice_api::source::GROUP;
                return Err(format!("{kind}.{group} \"{}\" not found", key.name()));
            }
            SourceLookup::NoArtifact => return Err(format!("source '{kind}/{key}' is not ready")),
            SourceLookup::Failed(error) => {
                return Err(format!("unable to get source '{key}': {error}"));
            }
        };
        sources.insert(alias.clone(), *artifact);
    }
    Ok(sources)
}

/// The published objects that the inventory names.
async fn live_objects(
    reconciler: &ArtifactGeneratorReconciler,
    generator: &ArtifactGenerator,
    key: &ObjectKey,
) -> BTreeMap<String, Arc<ExternalArtifact>> {
    let own = drift::inventory(generator).iter();
    let own = own.filter(|entry| entry.namespace == key.namespace());
    let names = own.map(|entry| entry.name.clone()).collect();
    let external = &reconciler.sources.external;
    find_objects(external, key.namespace(), names).await
}

/// The objects of these names that the watch has. The inventory of a tenant may have thousands, and
/// each is decoded, so this leaves the threads of the runtime.
pub(super) async fn find_objects(
    external: &Store<ExternalArtifact>,
    namespace: &str,
    names: Vec<String>,
) -> BTreeMap<String, Arc<ExternalArtifact>> {
    let (external, namespace) = (external.clone(), namespace.to_owned());
    blocking(move || {
        let found = names.into_iter().filter_map(|name| {
            let object = external.get(&ObjectKey::new(&namespace, &name))?;
            Some((name, object))
        });
        found.collect()
    })
    .await
}

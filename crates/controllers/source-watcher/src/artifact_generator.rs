//! `ArtifactGenerator`: builds artifacts from the files of sources, and publishes them.
//!
//! A run compares the sources, the storage and the published objects with the status. If one of
//! them differs, it reads all sources and rebuilds each artifact: the files are copied, stored
//! under a name made of their content, and published as an `ExternalArtifact`. An artifact with the
//! same content stays as it is. Last, the run removes objects that the spec does not name.
//!
//! ```text
//! spec      the parsed spec                                        pure
//! model     the steps, and the facts that they find                data
//! observe   the sources and the published objects                  reads only
//! plan      verify, fetch, then build and publish each artifact    pure
//! perform   one step
//! conclude  status, notices and requeue from the facts             pure
//! ```
//!
//! `drift` says why artifacts are rebuilt, `owned` which objects may be removed, and
//! `run_time` when a run ends.
//!
//! Parity: source-watcher: `internal/controller/artifactgenerator_*.go`.

mod conclude;
mod drift;
mod model;
mod observe;
mod owned;
mod perform;
mod plan;
mod run_time;
mod spec;

use std::sync::Arc;
use std::time::Duration;

use sluice_api::source_watcher::{self, ArtifactGenerator, ArtifactGeneratorStatus};
use sluice_consumer::{ArtifactFetcher, Source};
use sluice_engine::ready::Fault;
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times, Watch};
use sluice_host::Component;
use sluice_producer::KindStorage;
use sluice_system::permits::FairPermits;

use model::{Facts, Step};

pub(crate) use model::Settings;
pub(crate) use observe::SourceStores;

/// Reconciles artifact generators.
pub(crate) struct ArtifactGeneratorReconciler {
    pub(crate) component: Component,
    pub(crate) sources: SourceStores,
    pub(crate) downloads: ArtifactFetcher,
    pub(crate) storage: Arc<KindStorage>,
    /// One permit of a namespace for each core. More builds at once do not end earlier, and each
    /// holds memory.
    pub(crate) permits: FairPermits,
    /// One permit of a run from the first source that it reads to its end. It bounds the memory of
    /// the whole process: a run may hold a million names.
    pub(crate) memory: FairPermits,
    pub(crate) settings: Settings,
    /// Maximum time of a run. See `run_time`.
    pub(crate) timeout: Duration,
}

/// The watch of the sources of one kind. A source counts with a new artifact, or when it is gone.
pub(crate) fn watch_sources<S: Source>() -> Watch<ArtifactGenerator, S> {
    Watch::on(|generator| source_keys(generator, &S::kind(&()))).when(|old, new| {
        let artifact = |source: Option<&S>| source.and_then(Source::artifact).cloned();
        is_news(
            artifact(old).as_ref(),
            artifact(new).as_ref(),
            new.is_none(),
        )
    })
}

/// Whether the sources of a generator are in allowed namespaces.
#[cfg(test)]
pub(crate) fn allows_sources(generator: &ArtifactGenerator, no_cross_namespace: bool) -> bool {
    spec::Spec::parse(generator, no_cross_namespace).is_ok()
}

/// Whether a change of a source can change the generated artifacts.
fn is_news(
    old: Option<&sluice_api::Artifact>,
    new: Option<&sluice_api::Artifact>,
    is_deleted: bool,
) -> bool {
    match (old, new) {
        (old, None) => is_deleted && old.is_some(),
        (None, Some(_)) => true,
        (Some(old), Some(new)) => {
            (&old.revision, &old.digest, &old.url, &old.metadata)
                != (&new.revision, &new.digest, &new.url, &new.metadata)
        }
    }
}

/// The sources of a kind that a generator names.
fn source_keys(generator: &ArtifactGenerator, kind: &str) -> Vec<ObjectKey> {
    let own = generator.metadata.namespace.as_deref().unwrap_or_default();
    let sources = generator.spec.sources.iter();
    sources
        .filter(|source| source.kind.as_str() == kind)
        .map(|source| spec::source_key(source, own))
        .collect()
}

impl Reconciler for ArtifactGeneratorReconciler {
    type Object = ArtifactGenerator;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    const FINALIZER: &'static str = source_watcher::FINALIZER;

    async fn observe(
        &self,
        generator: &Arc<ArtifactGenerator>,
        run: &Run<ArtifactGenerator>,
    ) -> Facts {
        observe::observe(self, generator, run).await
    }

    fn plan(&self, generator: &ArtifactGenerator, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(generator, facts)
    }

    fn progress(
        &self,
        generator: &Arc<ArtifactGenerator>,
        _: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<ArtifactGeneratorStatus> {
        conclude::progress(generator, step, times)
    }

    fn time_limit(&self, _: &ArtifactGenerator, _: &Facts, _: &Step) -> Duration {
        self.timeout
    }

    async fn perform(
        &self,
        step: Step,
        generator: &Arc<ArtifactGenerator>,
        facts: &mut Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, generator, facts, run).await
    }

    fn conclude(
        &self,
        generator: &ArtifactGenerator,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<ArtifactGeneratorStatus> {
        conclude::conclude(generator, end, times)
    }
}

#[cfg(test)]
mod tests;

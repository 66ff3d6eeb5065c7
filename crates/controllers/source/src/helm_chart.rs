//! `HelmChart`: stores one version of a Helm chart as an artifact.
//!
//! A run finds the source of the chart and the version that fits. A version that is not stored yet
//! is pulled or packaged. An archive that nothing changes is stored with the bytes of its source.
//!
//! ```text
//! spec      the parsed spec                                 pure
//! model     the steps, and the facts that they find         data
//! observe   the source and the version                      reads only
//! plan      find the source, resolve, verify, build, store  pure
//! perform   one step
//! conclude  status, notices and requeue from the facts      pure
//! ```
//!
//! `build` packages a chart from its `files`, with its `dependencies` and other values. `failure`
//! has the reasons of Flux's chart builder.

mod build;
mod conclude;
mod dependencies;
mod failure;
mod files;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::sync::Arc;

use sluice_api::Artifact;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, BUILD_FAILED, FETCH_FAILED, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{Bucket, GitRepository, HelmChart, HelmChartSourceKind, HelmRepository};
use sluice_client::Cluster;
use sluice_client::typed::ResourceExt;
use sluice_dial::HttpClients;
use sluice_engine::conditions::{Polarity, Table};
use sluice_engine::{ObjectKey, Store, Watch, Watchable};
use sluice_host::{CloudIdentities, Component, Secrets};
use sluice_oci::Digest;
use sluice_producer::KindStorage;

use crate::helm::HelmClients;
use crate::helm::registry::USER_AGENT;
use crate::notation::Revocation;
use crate::reconcile::{SourceKind, SourceTypes};
use crate::signature::KeylessSettings;
use crate::verified_keys::VerifiedKeys;
use model::{Facts, Step};
use spec::Spec;

/// A kind that charts come from.
pub(crate) trait ChartSourceKind: Watchable {
    const KIND: HelmChartSourceKind;
    /// Its kind and group, as Flux names a missing one.
    const NAME: &'static str;

    fn artifact(&self) -> Option<&Artifact>;
}

macro_rules! chart_sources {
    ($($kind:ident),+ $(,)?) => {$(
        impl ChartSourceKind for $kind {
            const KIND: HelmChartSourceKind = HelmChartSourceKind::$kind;
            const NAME: &'static str = concat!(stringify!($kind), ".source.toolkit.fluxcd.io");

            fn artifact(&self) -> Option<&Artifact> {
                self.status.as_ref()?.artifact.as_ref()
            }
        }
    )+};
}

chart_sources! {
    HelmRepository,
    GitRepository,
    Bucket,
}

/// Reconciles charts again when the artifact of their source changes.
pub(crate) fn sources<S: ChartSourceKind>() -> Watch<HelmChart, S> {
    let revision = |object: Option<&S>| {
        let artifact = object.and_then(ChartSourceKind::artifact);
        artifact.map(|artifact| artifact.revision.clone())
    };
    Watch::on(|chart: &HelmChart| {
        let source = &chart.spec.source_ref;
        let namespace = chart.namespace().unwrap_or_default();
        if source.kind == S::KIND {
            vec![ObjectKey::new(&namespace, &source.name)]
        } else {
            Vec::new()
        }
    })
    .when(move |old, new| revision(new).is_some() && revision(old) != revision(new))
}

/// The objects that charts come from.
struct Sources {
    cluster: Cluster,
    repositories: Store<HelmRepository>,
    git: Store<GitRepository>,
    buckets: Store<Bucket>,
}

/// `HelmChart` with its dependencies.
pub(crate) struct HelmChartKind {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    clients: HelmClients,
    registry: sluice_oci::Client,
    revocation: Revocation,
    identities: CloudIdentities,
    keyless: KeylessSettings,
    /// The digest of the last verified chart that was stored, with that of its artifact.
    verified_charts: VerifiedKeys<(Digest, String)>,
    sources: Sources,
}

impl HelmChartKind {
    pub(crate) fn new(
        component: &Component,
        source_storage: &Arc<KindStorage>,
        clients: HelmClients,
        identities: CloudIdentities,
        keyless: KeylessSettings,
    ) -> Self {
        let http = Arc::new(HttpClients::new(USER_AGENT));
        Self {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            clients,
            registry: sluice_oci::Client::new(Arc::clone(&http)),
            revocation: Revocation::new(http),
            identities,
            keyless,
            verified_charts: VerifiedKeys::default(),
            sources: Sources {
                cluster: component.cluster().clone(),
                repositories: component.store(),
                git: component.store(),
                buckets: component.store(),
            },
        }
    }
}

impl SourceTypes for HelmChartKind {
    type Object = HelmChart;
    type Spec = Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (BUILD_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ];
}

impl SourceKind for HelmChartKind {
    fn source_storage(&self) -> &KindStorage {
        &self.source_storage
    }

    fn forget(&self, key: &ObjectKey) {
        self.verified_charts.forget(key);
    }
}

#[cfg(test)]
mod tests;

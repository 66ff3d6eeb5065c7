//! A host, a component and reconcilers made of closures.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use futures::FutureExt;
use futures::future::BoxFuture;
use kube::Api;
use kube::api::{ObjectMeta, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use serde_json::{Value, json};
use sluice_api::meta::condition::READY;
use sluice_api::meta::{Condition, ConditionStatus};
use sluice_api::source::{GitRepository, GitRepositorySpec, GitRepositoryStatus};
use sluice_client::{Cluster, Config, Options};
use sluice_engine::{Controller, Kind, Metrics, Outcome, Requeue, Run, Runner, StatusOf};
use sluice_host::{Component, Host, SharedArgs};
use sluice_testkit::{Testbed, wait};
use tokio::task::JoinHandle;

pub(crate) type Status = GitRepositoryStatus;

#[derive(Debug, Parser)]
struct Program {
    #[command(flatten)]
    shared: SharedArgs,
}

/// How a run begins, by deletion, finalizer and suspension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The object is in deletion and has the finalizer: clean up, also if it is suspended.
    Finalize,
    /// The object is in deletion without the finalizer: do nothing.
    Leave,
    /// The object needs the finalizer before anything is created for it.
    Adopt,
    /// The object is suspended.
    Sleep,
    /// Reconcile the object.
    Work,
}

/// Decides how a run of an object begins, in the order of Flux.
pub(crate) fn enter(object: &GitRepository, finalizer: &str) -> Entry {
    let metadata = &object.metadata;
    let mut finalizers = metadata.finalizers.iter().flatten();
    let has_finalizer = finalizers.any(|present| present == finalizer);
    match (metadata.deletion_timestamp.is_some(), has_finalizer) {
        (true, true) => Entry::Finalize,
        (true, false) => Entry::Leave,
        (false, false) => Entry::Adopt,
        (false, true) if object.spec.suspend => Entry::Sleep,
        (false, true) => Entry::Work,
    }
}

/// The shared flags, with servers off.
pub(crate) fn flags(args: &[&str]) -> SharedArgs {
    let fixed = ["program", "--metrics-addr=0", "--health-addr=0"];
    Program::try_parse_from(fixed.iter().chain(args))
        .unwrap()
        .shared
}

/// The shared flags, without defaults for tests.
pub(crate) fn exactly(args: &[&str]) -> SharedArgs {
    let program = ["program"];
    Program::try_parse_from(program.iter().chain(args))
        .unwrap()
        .shared
}

/// The shared flags of a controller that watches one namespace.
pub(crate) fn flags_in(namespace: &str, args: &[&str]) -> SharedArgs {
    let namespace = format!("--runtime-namespace={namespace}");
    let mut all = vec!["--watch-all-namespaces=false", &namespace];
    all.extend(args);
    flags(&all)
}

pub(crate) async fn host(testbed: &Testbed) -> Host {
    Host::over(testbed.connect().await, Metrics::new())
}

/// A host for the cluster of a kubeconfig.
pub(crate) async fn host_at(kubeconfig: &Path) -> Host {
    Host::over(cluster_at(kubeconfig).await, Metrics::new())
}

/// The cluster of a kubeconfig.
pub(crate) async fn cluster_at(kubeconfig: &Path) -> Cluster {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .unwrap();
    config.proxy_url = None;
    Cluster::connect(config, Options::new("toy")).unwrap()
}

/// A component that watches one namespace.
pub(crate) async fn component(testbed: &Testbed, namespace: &str, args: &[&str]) -> Component {
    let host = host(testbed).await;
    Component::new(&host, "toy-controller", flags_in(namespace, args), &[]).unwrap()
}

type Step<K> =
    dyn for<'a> Fn(Arc<K>, &'a Run<K>) -> BoxFuture<'a, Outcome<StatusOf<K>>> + Send + Sync;

/// A reconciler made of a closure.
pub(crate) struct Toy<K: Kind> {
    step: Box<Step<K>>,
}

impl<K: Kind> Toy<K> {
    pub(crate) fn new(
        step: impl for<'a> Fn(Arc<K>, &'a Run<K>) -> BoxFuture<'a, Outcome<StatusOf<K>>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            step: Box::new(step),
        }
    }
}

impl<K: Kind> Runner for Toy<K> {
    type Object = K;

    fn run(
        &self,
        object: Arc<K>,
        run: &Run<K>,
    ) -> impl Future<Output = Outcome<StatusOf<K>>> + Send {
        (self.step)(object, run)
    }
}

/// A reconciler with a synchronous closure.
pub(crate) fn deciding<K: Kind>(
    decide: impl Fn(&K) -> Outcome<StatusOf<K>> + Send + Sync + 'static,
) -> Toy<K> {
    Toy::new(move |object, _| {
        let outcome = decide(&object);
        async move { outcome }.boxed()
    })
}

/// Runs one controller in the background until its host is shut down.
pub(crate) fn spawn<R: Runner>(
    controller: Controller<R>,
    component: &Component,
) -> JoinHandle<Result<(), sluice_host::ComponentError>> {
    let component = component.clone();
    tokio::spawn(component.run([controller.into_task()]))
}

pub(crate) async fn stop(
    component: &Component,
    running: JoinHandle<Result<(), sluice_host::ComponentError>>,
) {
    component.host().shutdown().cancel();
    running.await.unwrap().unwrap();
    component.host().drained().await;
}

pub(crate) async fn repositories(testbed: &Testbed, namespace: &str) -> Api<GitRepository> {
    Api::namespaced(testbed.client().await, namespace)
}

/// A repository as a user would write it.
pub(crate) fn repository(name: &str) -> GitRepository {
    let spec: GitRepositorySpec =
        serde_json::from_value(json!({ "interval": "1m", "url": "https://example.com/a.git" }))
            .unwrap();
    GitRepository::new(name, spec)
}

pub(crate) async fn create(api: &Api<GitRepository>, name: &str) -> GitRepository {
    api.create(&PostParams::default(), &repository(name))
        .await
        .unwrap()
}

pub(crate) async fn create_labelled(api: &Api<GitRepository>, name: &str, label: (&str, &str)) {
    let mut object = repository(name);
    object.metadata = ObjectMeta {
        labels: Some([(label.0.to_owned(), label.1.to_owned())].into()),
        ..object.metadata
    };
    api.create(&PostParams::default(), &object).await.unwrap();
}

pub(crate) async fn merge(api: &Api<GitRepository>, name: &str, patch: Value) {
    api.patch(name, &PatchParams::default(), &Patch::Merge(patch))
        .await
        .unwrap();
}

/// The status of `object` with Ready=True and this message.
pub(crate) fn ready(
    object: &GitRepository,
    message: &str,
    run: Option<&Run<GitRepository>>,
) -> Status {
    let mut status = object.status.clone().unwrap_or_default();
    let generation = object.metadata.generation.unwrap_or_default();
    let condition =
        Condition::new(READY, ConditionStatus::True, "Succeeded", message).observed_at(generation);
    let now = run.map_or(jiff::Timestamp::UNIX_EPOCH, Run::started);
    status.conditions.set(condition, now);
    status.observed_generation = Some(generation);
    status
}

/// Waits until Ready=True has `message`.
pub(crate) async fn until_ready(
    api: &Api<GitRepository>,
    name: &str,
    message: &str,
) -> GitRepository {
    let claim = format!("is ready with message {message:?}");
    wait::until(api, name, &claim, |object| {
        let condition = object.and_then(|object| object.status.as_ref()?.conditions.find(READY));
        condition.is_some_and(|condition| condition.is_true() && condition.message == message)
    })
    .await
    .unwrap()
}

/// Ends without a planned run.
pub(crate) fn done(status: Status) -> Outcome<Status> {
    Outcome::new(status, Requeue::Never)
}

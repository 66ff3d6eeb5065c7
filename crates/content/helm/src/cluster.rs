//! The effects of actions on a cluster.
//!
//! Actions decide, and a [`Cluster`] obeys: each method is one request, or one wait. So the order
//! of an action's requests is tested with [`MemoryCluster`].

mod memory;

use std::time::Duration;

use async_trait::async_trait;
use sluice_chart::manifest;
use sluice_object::Object;
use sluice_yaml::{Value, v2};

use crate::log::LogLine;

pub use memory::MemoryCluster;

/// Why a request failed, or a wait ended without success.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// The object does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The object exists.
    #[error("{0}")]
    Exists(String),
    /// Another manager owns fields of the object, or it has changed.
    #[error("{0}")]
    Conflict(String),
    /// The action was cancelled.
    #[error("context canceled")]
    Cancelled,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// How to wait for objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WaitStrategy {
    /// By the statuses of objects, as kstatus computes them.
    #[default]
    Watcher,
    /// By the rules of Helm 3.
    Legacy,
    /// For hooks only.
    HookOnly,
}

impl WaitStrategy {
    /// Reads the name of a strategy.
    pub fn from_name(name: &str) -> Result<Self, String> {
        match name {
            "watcher" => Ok(Self::Watcher),
            "legacy" => Ok(Self::Legacy),
            "hookOnly" => Ok(Self::HookOnly),
            "" => {
                let known = "watcher, hookOnly, legacy";
                Err(format!("wait strategy not set. Choose one of: {known}"))
            }
            // The parenthesis is Helm's.
            _ => Err(format!(
                "unknown wait strategy (s{name}). Valid values are: watcher, hookOnly, legacy"
            )),
        }
    }
}

/// The end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The objects are ready.
    Ready,
    /// The objects are ready, and jobs are complete.
    ReadyWithJobs,
    /// Jobs and pods of hooks have succeeded.
    HookDone,
    /// The objects are gone.
    Deleted,
}

/// The fate of the dependents of a deleted object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Propagation {
    /// They are deleted later.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They stay.
    Orphan,
}

/// The requests of actions.
#[async_trait]
pub trait Cluster: Send + Sync {
    /// Fails if the API server does not answer.
    async fn reach(&self) -> Result<(), ClusterError>;

    /// Whether objects of the kind have a namespace. Fails for a kind that the cluster lacks.
    async fn is_namespaced(&self, object: &Object) -> Result<bool, ClusterError>;

    /// Fails if a field of an object is unknown or has another type.
    async fn validate(&self, objects: &[Object]) -> Result<(), ClusterError>;

    /// Reads an object.
    async fn get(&self, object: &Object) -> Result<Option<Object>, ClusterError>;

    /// Creates an object.
    async fn create(&self, object: &Object) -> Result<(), ClusterError>;

    /// Applies an object on the server, with strict validation.
    async fn apply(&self, object: &Object, force: bool) -> Result<(), ClusterError>;

    /// Gives the fields of client-side apply to the manager of server-side apply. Returns whether
    /// the object has changed.
    async fn migrate(&self, object: &Object) -> Result<bool, ClusterError>;

    /// Replaces an object.
    async fn replace(&self, object: &Object) -> Result<(), ClusterError>;

    /// Sends the changes between two forms of an object as a patch. `three_way` compares custom
    /// resources with the live object, too.
    async fn patch(
        &self,
        original: &Object,
        target: &Object,
        three_way: bool,
    ) -> Result<(), ClusterError>;

    /// Deletes an object.
    async fn delete(&self, object: &Object, propagation: Propagation) -> Result<(), ClusterError>;

    /// Waits for objects.
    async fn wait(
        &self,
        objects: &[Object],
        goal: Goal,
        strategy: WaitStrategy,
        timeout: Duration,
    ) -> Result<(), ClusterError>;

    /// Hands on the logs of the pods of a hook, which is a job or a pod.
    async fn logs(&self, namespace: &str, kind: &str, name: &str) -> Result<(), ClusterError>;

    /// Forgets the kinds of the cluster, after definitions were added.
    async fn forget_kinds(&self);

    /// Receives a line that Helm logs.
    fn log(&self, line: LogLine) {
        tracing::debug!("{line}");
    }
}

/// Reads the objects of a manifest, with lists replaced by their items.
pub fn parse(text: &str) -> Result<Vec<Object>, String> {
    let mut objects = Vec::new();
    for document in manifest::split(text.as_bytes()) {
        let value = v2::from_slice(document)
            .map_err(|error| format!("error parsing : error converting YAML to JSON: {error}"))?;
        add(value, &mut objects)?;
    }
    Ok(objects)
}

fn add(value: Value, objects: &mut Vec<Object>) -> Result<(), String> {
    let fields = match value {
        Value::Null => return Ok(()),
        Value::Object(fields) if fields.is_empty() => return Ok(()),
        Value::Object(fields) => fields,
        _ => return Err("the document is not a mapping".to_owned()),
    };
    let mut object = Object::from_map(fields);
    if object.kind().is_empty() {
        return Err("Object 'Kind' is missing".to_owned());
    }
    let is_list = object.kind().ends_with("List") && object.get("items").is_some();
    if let Some(Value::Array(items)) = object.as_map_mut().get_mut("items").filter(|_| is_list) {
        let items = std::mem::take(items);
        return items.into_iter().try_for_each(|item| add(item, objects));
    }
    objects.push(object);
    Ok(())
}

/// Builds the objects of a manifest, in the namespace of the release unless they name one.
pub async fn build(
    cluster: &dyn Cluster,
    manifest: &str,
    namespace: &str,
    validate: bool,
) -> Result<Vec<Object>, ClusterError> {
    let mut objects = parse(manifest).map_err(ClusterError::Failed)?;
    for object in &mut objects {
        let is_namespaced = cluster.is_namespaced(object).await?;
        if is_namespaced && object.namespace().is_empty() {
            object.set_namespace(namespace);
        }
    }
    if validate {
        cluster.validate(&objects).await?;
    }
    Ok(objects)
}

//! The function `lookup` of templates, as the identity of a release.

use std::collections::HashMap;

use serde_json::{Value, json};
use sluice_chart::render;
use sluice_client::{Cluster, Error, GroupVersionKind, ListOptions};
use tokio::runtime::Handle;

use crate::error::display_kind;

/// The most answers that a render keeps.
const MAX_ANSWERS: usize = 1_000;

/// Arguments of the function.
type Question = [String; 4];

/// Finds objects for templates, which run on a thread without a runtime.
#[derive(Debug)]
pub struct ClusterLookup {
    cluster: Cluster,
    runtime: Handle,
    answers: HashMap<Question, Option<Value>>,
    resolves: bool,
}

impl ClusterLookup {
    /// Finds objects as the identity of a cluster, by requests on a runtime.
    pub fn new(cluster: Cluster, runtime: Handle) -> Self {
        Self {
            cluster,
            runtime,
            answers: HashMap::new(),
            resolves: false,
        }
    }

    /// Lets templates look up host names, too.
    #[must_use]
    pub fn with_names(self, resolves: bool) -> Self {
        Self { resolves, ..self }
    }
}

impl render::Cluster for ClusterLookup {
    fn lookup(
        &mut self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Value>, String> {
        let question = [api_version, kind, namespace, name].map(str::to_owned);
        if let Some(answer) = self.answers.get(&question) {
            return Ok(answer.clone());
        }
        let gvk = GroupVersionKind::new(api_version, kind);
        let answer = self
            .runtime
            .block_on(find(&self.cluster, &gvk, namespace, name));
        let answer = answer.map_err(|error| {
            if error.has_no_match() {
                let kind = display_kind(&gvk);
                let text = error.message();
                return format!("unable to get apiresource from unstructured: {kind}: {text}");
            }
            error.message()
        })?;
        if self.answers.len() < MAX_ANSWERS {
            self.answers.insert(question, answer.clone());
        }
        Ok(answer)
    }

    fn resolve(&mut self, host: &str) -> Option<Vec<String>> {
        let addresses = self
            .resolves
            .then(|| self.runtime.block_on(tokio::net::lookup_host((host, 0))))?;
        let mut found = Vec::new();
        for address in addresses.into_iter().flatten() {
            let address = address.ip().to_string();
            if !found.contains(&address) {
                found.push(address);
            }
        }
        Some(found)
    }
}

async fn find(
    cluster: &Cluster,
    gvk: &GroupVersionKind,
    namespace: &str,
    name: &str,
) -> Result<Option<Value>, Error> {
    let namespace = Some(namespace).filter(|namespace| !namespace.is_empty());
    if !name.is_empty() {
        return cluster.get(gvk, namespace, name).await;
    }
    let listed = cluster.list(gvk, namespace, &ListOptions::default()).await;
    match listed {
        Ok(list) => Ok(Some(json!({
            "apiVersion": gvk.api_version(),
            "kind": format!("{}List", gvk.kind),
            "metadata": { "resourceVersion": list.resource_version },
            "items": list.items,
        }))),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

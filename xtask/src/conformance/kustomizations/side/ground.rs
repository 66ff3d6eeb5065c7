//! Creates the objects that Kustomizations require, and removes them afterwards.

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, ListOptions, PatchOptions};
use sluice_object::GroupKind;

use super::{Corpus, ENTRY_TIMEOUT, Entry, POLL, Side, Subject, entry_of, gvk, gvk_of, kind_of};
use crate::conformance::kustomizations::definitions::defined_kinds;

/// The group and version of sources.
const SOURCES: &str = "source.toolkit.fluxcd.io/v1";

impl Side {
    /// Creates definitions, namespaces, accounts, variables and sources.
    pub(super) async fn prepare(
        &mut self,
        corpus: &Corpus,
        subjects: &[&Subject],
    ) -> anyhow::Result<()> {
        self.until_no_namespace_goes().await?;
        self.define(subjects).await?;
        let namespaces: BTreeSet<String> = subjects
            .iter()
            .flat_map(|subject| subject.namespaces())
            .collect();
        for name in namespaces {
            let namespace =
                json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
            self.apply(&namespace).await?;
        }
        // First, so that the controller's watch knows them in time.
        self.publish(corpus, subjects, "first").await?;
        for subject in subjects {
            for object in &subject.variables {
                self.apply(&object.to_value()).await?;
            }
            self.identify(subject).await?;
        }
        Ok(())
    }

    /// Creates the account that a Kustomization impersonates.
    async fn identify(&self, subject: &Subject) -> anyhow::Result<()> {
        let namespace = subject.key().0;
        if let Some(account) = subject.account() {
            self.apply(&json!({
                "apiVersion": "v1", "kind": "ServiceAccount",
                "metadata": { "name": account, "namespace": namespace },
            }))
            .await?;
            self.apply(&json!({
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                "metadata": { "name": format!("played-{namespace}-{account}") },
                "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin" },
                "subjects": [{ "kind": "ServiceAccount", "name": account, "namespace": namespace }],
            }))
            .await?;
            let whom = format!("system:serviceaccount:{namespace}:{account}");
            let everything = json!({ "verb": "*", "group": "*", "resource": "*" });
            self.testbed.until_allowed(&whom, everything).await;
        }
        if let Some((name, key)) = subject.kubeconfig() {
            let text = sluice_system::fs::read_to_string(&self.way)?;
            self.apply(&json!({
                "apiVersion": "v1", "kind": "Secret",
                "metadata": { "name": name, "namespace": namespace }, "stringData": { key: text },
            }))
            .await?;
        }
        Ok(())
    }

    /// Publishes a new revision of every source and returns the common part of its name.
    pub(super) async fn publish(
        &self,
        corpus: &Corpus,
        subjects: &[&Subject],
        which: &str,
    ) -> anyhow::Result<String> {
        let revision = format!("{which}-{}", self.turn);
        let sources: BTreeSet<_> = subjects.iter().map(|subject| &subject.source).collect();
        for source in sources {
            let spec = match source.kind.as_str() {
                "OCIRepository" => json!({ "interval": "1h", "url": "oci://example.com/source" }),
                "Bucket" => {
                    json!({ "interval": "1h", "bucketName": "source", "endpoint": "example.com" })
                }
                "ExternalArtifact" => json!({ "sourceRef": {
                    "apiVersion": "example.com/v1", "kind": "Maker", "name": "maker" } }),
                _ => json!({ "interval": "1h", "url": "https://example.com/source" }),
            };
            let namespace = source.namespace.as_str();
            self.apply(&json!({
                "apiVersion": SOURCES, "kind": source.kind, "spec": spec,
                "metadata": { "name": source.name, "namespace": namespace },
            }))
            .await?;
            let archive = &corpus.archives[&source.root];
            // Every archive has its own revision.
            let revision = format!("{revision}@{}", archive.digest);
            let artifact =
                self.artifacts
                    .publish(&revision, archive.bytes.clone(), &archive.digest);
            let status = json!({ "status": { "artifact": artifact } });
            let options = PatchOptions {
                subresource: Some("status"),
                ..PatchOptions::default()
            };
            let kind = gvk(SOURCES, &source.kind);
            self.cluster
                .merge(&kind, Some(namespace), &source.name, &status, options)
                .await?;
        }
        Ok(revision)
    }

    /// Creates required definitions and removes those that the Kustomizations define.
    async fn define(&mut self, subjects: &[&Subject]) -> anyhow::Result<()> {
        let all = subjects.iter().copied();
        let defined: BTreeSet<GroupKind> = all.clone().flat_map(defined_kinds).collect();
        let rendered = all.flat_map(|subject| &subject.rendered);
        let needed: BTreeSet<GroupKind> = rendered
            .map(sluice_object::Object::group_kind)
            .filter(|kind| self.definitions.contains_key(kind) && !defined.contains(kind))
            .collect();
        let kind = gvk("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        let gone: Vec<GroupKind> = self.defined.intersection(&defined).cloned().collect();
        let names: Vec<String> = gone.iter().map(|kind| self.name_of(kind)).collect();
        for name in &names {
            self.delete(&kind, "", name).await?;
        }
        self.until_none(&kind, &names).await?;
        self.defined.retain(|kind| !gone.contains(kind));
        let missing: Vec<GroupKind> = needed.difference(&self.defined).cloned().collect();
        for missing in &missing {
            let manifest = self.definitions[missing].manifest(missing);
            self.apply(&manifest).await?;
        }
        for missing in &missing {
            self.until_established(&kind, &self.name_of(missing))
                .await?;
        }
        if !(missing.is_empty() && gone.is_empty()) {
            self.cluster.invalidate_discovery();
        }
        self.defined.extend(missing);
        Ok(())
    }

    fn name_of(&self, kind: &GroupKind) -> String {
        self.definitions[kind].name(kind)
    }

    async fn until_established(&self, kind: &GroupVersionKind, name: &str) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let object = self.cluster.get(kind, None, name).await?;
            let conditions = object
                .as_ref()
                .map(|object| &object["status"]["conditions"]);
            let mut conditions = conditions.and_then(Value::as_array).into_iter().flatten();
            if conditions.any(|it| it["type"] == "Established" && it["status"] == "True") {
                return Ok(());
            }
            ensure!(
                began.elapsed() < ENTRY_TIMEOUT,
                "{name} is never established: {object:#?}"
            );
            tokio::time::sleep(POLL).await;
        }
    }

    async fn until_none(&self, kind: &GroupVersionKind, names: &[String]) -> anyhow::Result<()> {
        let began = Instant::now();
        for name in names {
            while self.cluster.get(kind, None, name).await?.is_some() {
                ensure!(began.elapsed() < ENTRY_TIMEOUT, "{name} does not go");
                tokio::time::sleep(POLL).await;
            }
        }
        Ok(())
    }

    async fn until_no_namespace_goes(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let kind = gvk("v1", "Namespace");
            let options = ListOptions::default();
            let items = self.cluster.list(&kind, None, &options).await?.items;
            let going = items
                .iter()
                .find(|object| !object["metadata"]["deletionTimestamp"].is_null());
            let Some(going) = going else {
                return Ok(());
            };
            ensure!(began.elapsed() < ENTRY_TIMEOUT, "it does not go: {going:#}");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Removes leftovers of a Kustomization, so that the next ones start from the same state.
    pub(super) async fn clear(
        &mut self,
        corpus: &Corpus,
        subjects: &[&Subject],
        applied: &BTreeSet<Entry>,
    ) -> anyhow::Result<()> {
        for which in ["first", "further"] {
            for subject in subjects {
                let digest = &corpus.archives[&subject.source.root].digest;
                self.artifacts
                    .remove(&format!("{which}-{}@{digest}", self.turn));
            }
        }
        self.cluster.invalidate_discovery();
        let rendered = subjects.iter().flat_map(|subject| &subject.rendered);
        let mut entries: BTreeSet<Entry> = rendered.map(entry_of).collect();
        entries.extend(applied.iter().cloned());
        let served = self.kinds().await?;
        // Objects first, then kinds and namespaces.
        let is_ground = |(id, _): &&Entry| {
            ["Namespace", "CustomResourceDefinition"].contains(&id.kind.as_str())
        };
        let (last, first): (Vec<_>, Vec<_>) = entries.iter().partition(is_ground);
        for entry in first.into_iter().chain(last) {
            if served.contains_key(&entry.0.group_kind()) {
                self.remove(entry)
                    .await
                    .with_context(|| format!("take away {entry:?}"))?;
            }
        }
        self.defined.retain(|kind| served.contains_key(kind));
        self.cluster.invalidate_discovery();
        Ok(())
    }

    async fn remove(&self, entry: &Entry) -> anyhow::Result<()> {
        let (kind, id) = (kind_of(entry), &entry.0);
        let namespace = Some(id.namespace.as_str()).filter(|name| !name.is_empty());
        // An unreadable object has an unserved version or conversion.
        let Ok(Some(object)) = self.cluster.get(&kind, namespace, &id.name).await else {
            return Ok(());
        };
        let finalizers = &object["metadata"]["finalizers"];
        if finalizers.as_array().is_some_and(|all| !all.is_empty())
            && id.kind != "CustomResourceDefinition"
        {
            let patch = json!({ "metadata": { "finalizers": null } });
            let options = PatchOptions::default();
            let kind = gvk_of(&object);
            // The object may disappear meanwhile.
            self.cluster
                .merge(&kind, namespace, &id.name, &patch, options)
                .await
                .ok();
        }
        self.delete(&kind, &id.namespace, &id.name).await
    }
}

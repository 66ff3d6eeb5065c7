//! Records of releases in Secrets or `ConfigMap`s of a namespace.

use async_trait::async_trait;
use sluice_client::{Cluster, DeleteOptions, Error, GroupVersionKind, ListOptions, PatchOptions};
use sluice_helm::record::Labels;
use sluice_helm::store::{Driver, DriverError, Head, Record, StorageKind};
use sluice_object::Object;

/// Keeps records in objects of a namespace.
#[derive(Debug, Clone)]
pub struct ObjectDriver {
    cluster: Cluster,
    kind: StorageKind,
    namespace: String,
}

impl ObjectDriver {
    /// Keeps records in Secrets or `ConfigMap`s of a namespace.
    pub fn new(cluster: Cluster, kind: StorageKind, namespace: impl Into<String>) -> Self {
        Self {
            cluster,
            kind,
            namespace: namespace.into(),
        }
    }

    fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::gvk("", "v1", self.kind.as_str())
    }

    async fn find(
        &self,
        selector: &Labels,
        metadata_only: bool,
    ) -> Result<Vec<serde_json::Value>, DriverError> {
        let labels = selector.iter().map(|(key, value)| format!("{key}={value}"));
        let labels: Vec<String> = labels.collect();
        let options = ListOptions {
            labels: Some(labels.join(",")),
            metadata_only,
            without_managers: !metadata_only,
            ..ListOptions::default()
        };
        let namespace = Some(self.namespace.as_str());
        let found = self.cluster.list(&self.gvk(), namespace, &options).await;
        Ok(found.map_err(|error| failed(&error))?.items)
    }
}

fn failed(error: &Error) -> DriverError {
    if error.is_not_found() {
        DriverError::NotFound
    } else if error.is_already_exists() {
        DriverError::Exists
    } else {
        DriverError::Failed(error.message())
    }
}

#[async_trait]
impl Driver for ObjectDriver {
    async fn get(&self, name: &str) -> Result<Record, DriverError> {
        let namespace = Some(self.namespace.as_str());
        let found = self.cluster.get(&self.gvk(), namespace, name).await;
        let found = found.map_err(|error| failed(&error))?;
        let object = found.ok_or(DriverError::NotFound)?;
        Ok(self.kind.from_object(&object))
    }

    async fn heads(&self, selector: &Labels) -> Result<Vec<Head>, DriverError> {
        let found = self.find(selector, true).await?;
        let heads = found.into_iter().filter_map(|value| {
            let object = Object::try_from(value).ok()?;
            let labels = object.labels();
            Some(Head {
                labels: labels
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .collect(),
                name: object.name().to_owned(),
            })
        });
        Ok(heads.collect())
    }

    async fn list(&self, selector: &Labels) -> Result<Vec<Record>, DriverError> {
        let found = self.find(selector, false).await?;
        Ok(found
            .iter()
            .map(|object| self.kind.from_object(object))
            .collect())
    }

    async fn create(&self, record: Record) -> Result<(), DriverError> {
        let object = self.kind.to_object(&record, &self.namespace);
        let namespace = Some(self.namespace.as_str());
        let options = PatchOptions::default();
        let created = self
            .cluster
            .create(&self.gvk(), namespace, &object, options)
            .await;
        created.map(drop).map_err(|error| failed(&error))
    }

    async fn replace(&self, record: Record) -> Result<(), DriverError> {
        // Without a resource version, whatever the record has become: Helm does the same.
        let object = self.kind.to_object(&record, &self.namespace);
        let namespace = Some(self.namespace.as_str());
        let options = PatchOptions::default();
        let replaced = self
            .cluster
            .replace(&self.gvk(), namespace, &record.name, &object, options)
            .await;
        replaced.map(drop).map_err(|error| failed(&error))
    }

    async fn delete(&self, name: &str) -> Result<(), DriverError> {
        let namespace = Some(self.namespace.as_str());
        let options = DeleteOptions::default();
        let deleted = self
            .cluster
            .delete(&self.gvk(), namespace, name, &options)
            .await;
        match deleted {
            Ok(true) => Ok(()),
            Ok(false) => Err(DriverError::NotFound),
            Err(error) => Err(failed(&error)),
        }
    }
}

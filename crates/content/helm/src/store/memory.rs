//! Records in memory, for tests and dry runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::{Driver, DriverError, Head, Record};
use crate::record::Labels;

/// A driver that keeps the records of one namespace in memory.
#[derive(Debug, Default)]
pub struct MemoryDriver {
    records: Mutex<BTreeMap<String, Record>>,
}

impl MemoryDriver {
    fn records(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a record as it is, perhaps a broken one.
    pub fn insert(&self, record: Record) {
        self.records().insert(record.name.clone(), record);
    }
}

fn matches(labels: &Labels, selector: &Labels) -> bool {
    selector
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}

#[async_trait]
impl Driver for MemoryDriver {
    async fn get(&self, name: &str) -> Result<Record, DriverError> {
        let found = self.records().get(name).cloned();
        found.ok_or(DriverError::NotFound)
    }

    async fn heads(&self, selector: &Labels) -> Result<Vec<Head>, DriverError> {
        let records = self.records();
        let selected = records
            .values()
            .filter(|record| matches(&record.labels, selector));
        let heads = selected.map(|record| Head {
            name: record.name.clone(),
            labels: record.labels.clone(),
        });
        Ok(heads.collect())
    }

    async fn list(&self, selector: &Labels) -> Result<Vec<Record>, DriverError> {
        let records = self.records();
        let selected = records
            .values()
            .filter(|record| matches(&record.labels, selector));
        Ok(selected.cloned().collect())
    }

    async fn create(&self, record: Record) -> Result<(), DriverError> {
        let mut records = self.records();
        if records.contains_key(&record.name) {
            return Err(DriverError::Exists);
        }
        records.insert(record.name.clone(), record);
        Ok(())
    }

    async fn replace(&self, record: Record) -> Result<(), DriverError> {
        let mut records = self.records();
        let found = records.get_mut(&record.name).ok_or(DriverError::NotFound)?;
        *found = record;
        Ok(())
    }

    async fn delete(&self, name: &str) -> Result<(), DriverError> {
        let removed = self.records().remove(name);
        removed.map(|_| ()).ok_or(DriverError::NotFound)
    }
}

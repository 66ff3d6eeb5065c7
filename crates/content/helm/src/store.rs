//! The history of releases: named records behind a driver.
//!
//! A [`Driver`] moves records, which are named texts with labels. The [`Store`] decodes them, and
//! knows Helm's rules: labels, the order of revisions, and how many of them are kept.

mod memory;
mod object;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use sluice_golang::quote::quote;
use sluice_object::names::label_value_faults;
use sluice_system::clock::Clock;

use crate::record::{DecodeError, Labels, Release, Status};

pub use memory::MemoryDriver;
pub use object::{StorageKind, UnknownDriver};

/// The start of the names of all records.
pub const NAME_PREFIX: &str = "sh.helm.release.v1";
/// The labels that Helm sets, which users must not.
pub const SYSTEM_LABELS: [&str; 6] = [
    "name",
    "owner",
    "status",
    "version",
    "createdAt",
    "modifiedAt",
];
/// The largest object that the API server of a cluster takes.
const MAX_OBJECT_BYTES: usize = 1 << 20;

/// A stored record.
#[derive(Clone, PartialEq, Eq)]
pub struct Record {
    /// The name of the object.
    pub name: String,
    /// The labels of the object.
    pub labels: Labels,
    /// The encoded release.
    pub data: String,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The data has the values of the user, which may be secret.
        f.debug_struct("Record")
            .field("name", &self.name)
            .field("labels", &self.labels)
            .field("bytes", &self.data.len())
            .finish()
    }
}

/// The name and the labels of a stored record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The name of the object.
    pub name: String,
    /// The labels of the object.
    pub labels: Labels,
}

/// Moves records to and from a place.
#[async_trait]
pub trait Driver: fmt::Debug + Send + Sync {
    /// Reads a record.
    async fn get(&self, name: &str) -> Result<Record, DriverError>;
    /// Lists the names and labels of the records with certain labels.
    async fn heads(&self, selector: &Labels) -> Result<Vec<Head>, DriverError>;
    /// Lists the records with certain labels.
    async fn list(&self, selector: &Labels) -> Result<Vec<Record>, DriverError>;
    /// Stores a new record.
    async fn create(&self, record: Record) -> Result<(), DriverError>;
    /// Stores a record in place of an older one, whatever that has become.
    async fn replace(&self, record: Record) -> Result<(), DriverError>;
    /// Removes a record.
    async fn delete(&self, name: &str) -> Result<(), DriverError>;
}

/// Why a driver failed.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The record does not exist.
    #[error("not found")]
    NotFound,
    /// A record of this name exists.
    #[error("already exists")]
    Exists,
    /// The place refused or did not answer.
    #[error("{0}")]
    Failed(String),
}

/// Why a record could not be read or written, in Helm's words.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The release or the revision does not exist.
    #[error("release: not found")]
    NotFound,
    /// The revision exists.
    #[error("release: already exists")]
    Exists,
    /// No revision is deployed.
    #[error("{} has no deployed releases", quote(.0))]
    NoDeployed(String),
    /// A record is broken.
    #[error("get: failed to decode data {}: {source}", quote(name))]
    Decode {
        /// The name of the record.
        name: String,
        /// The reason.
        source: DecodeError,
    },
    /// A release could not be encoded.
    #[error("create: failed to encode release {}: {source}", quote(name))]
    Encode {
        /// The name of the release.
        name: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The name of the release is not the value of a label.
    #[error("invalid label value: {}: {reason}", quote(value))]
    LabelValue {
        /// The value.
        value: String,
        /// The reason.
        reason: String,
    },
    /// The driver failed.
    #[error("{action}: {reason}")]
    Driver {
        /// The attempt, such as `create: failed to create`.
        action: String,
        /// The reason.
        reason: String,
    },
    /// Some records could not be pruned.
    #[error("encountered {count} deletion errors. First is: {first}")]
    Prune {
        /// The number of errors.
        count: usize,
        /// The first of them.
        first: Box<Self>,
    },
}

/// The name of the record of a revision.
pub fn record_name(release: &str, version: i64) -> String {
    format!("{NAME_PREFIX}.{release}.v{version}")
}

/// Whether labels have a name that Helm uses itself.
pub fn has_system_labels(labels: &Labels) -> bool {
    labels.keys().any(|key| SYSTEM_LABELS.contains(&&**key))
}

/// Observes the writes of a store.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A revision was created or updated.
    fn stored(&self, release: &Release);
    /// A revision was deleted.
    fn deleted(&self, name: &str, version: i64);
}

/// The releases of a namespace.
#[derive(Debug, Clone)]
pub struct Store {
    driver: Arc<dyn Driver>,
    clock: Arc<dyn Clock>,
    observer: Option<Arc<dyn Observer>>,
    /// The most revisions of a release; zero stands for no limit.
    pub max_history: usize,
}

impl Store {
    /// A store without a limit of revisions.
    pub fn new(driver: Arc<dyn Driver>, clock: Arc<dyn Clock>) -> Self {
        Self {
            driver,
            clock,
            observer: None,
            max_history: 0,
        }
    }

    /// Reports successful writes to an observer.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Self {
        Self {
            observer: Some(observer),
            ..self
        }
    }

    fn observe_stored(&self, release: &Release) {
        if let Some(observer) = &self.observer {
            observer.stored(release);
        }
    }

    /// Reads a revision. Its labels are those of users.
    pub async fn get(&self, name: &str, version: i64) -> Result<Release, StoreError> {
        let mut release = self.read(&record_name(name, version)).await?;
        release
            .labels
            .retain(|key, _| !SYSTEM_LABELS.contains(&&**key));
        Ok(release)
    }

    /// Reads a record with all of its labels.
    async fn read(&self, record: &str) -> Result<Release, StoreError> {
        let found = self.driver.get(record).await;
        let found = found.map_err(|error| match error {
            DriverError::NotFound => StoreError::NotFound,
            other => failed(format!("get: failed to get {}", quote(record)), &other),
        })?;
        decode(found)
    }

    /// Reads all revisions that decode, from the first to the last.
    ///
    /// As in Helm, they keep the labels of the system.
    pub async fn history(&self, name: &str) -> Result<Vec<Release>, StoreError> {
        self.query(&selector(name, None)).await
    }

    /// Reads all deployed revisions, from the first to the last.
    pub async fn deployed_all(&self, name: &str) -> Result<Vec<Release>, StoreError> {
        let found = self.query(&selector(name, Some(&Status::DEPLOYED))).await;
        match found {
            Err(StoreError::NotFound) => Err(StoreError::NoDeployed(name.to_owned())),
            found => found,
        }
    }

    /// Reads the last deployed revision.
    pub async fn deployed(&self, name: &str) -> Result<Release, StoreError> {
        let deployed = self.deployed_all(name).await?.pop();
        deployed.ok_or_else(|| StoreError::NoDeployed(name.to_owned()))
    }

    /// Reads the last revision that decodes.
    ///
    /// Only names and labels are listed; Helm reads all records for it.
    pub async fn last(&self, name: &str) -> Result<Release, StoreError> {
        let mut heads = self.heads(&selector(name, None)).await?;
        while let Some((_, head)) = heads.pop() {
            match self.read(&head.name).await {
                Err(StoreError::Decode { name, source }) => skip(&name, &source),
                // It was pruned since the list.
                Err(StoreError::NotFound) => {}
                found => return found,
            }
        }
        Err(StoreError::NotFound)
    }

    /// Reads the last revision of each release that decodes, sorted by name.
    pub async fn list(&self) -> Result<Vec<Release>, StoreError> {
        let owner = Labels::from([("owner".to_owned(), "helm".to_owned())]);
        let found = self.driver.list(&owner).await;
        let records = found.map_err(|error| failed("list: failed to list".to_owned(), &error))?;
        let mut releases = decode_all(records);
        releases.sort_by(|one, two| (&one.name, one.version).cmp(&(&two.name, two.version)));
        releases.reverse();
        releases.dedup_by(|later, first| later.name == first.name);
        releases.reverse();
        Ok(releases)
    }

    /// Stores a new revision, after it made room for it.
    pub async fn create(&self, release: &Release) -> Result<(), StoreError> {
        if self.max_history > 0 {
            match self.prune(&release.name, self.max_history - 1).await {
                Ok(()) | Err(StoreError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        let record = self.encode(release, "createdAt")?;
        let size = record.data.len();
        let created = self.driver.create(record).await;
        created.map_err(|error| match error {
            DriverError::Exists => StoreError::Exists,
            other => {
                let mut error = failed("create: failed to create".to_owned(), &other);
                explain_size(&mut error, release, size);
                error
            }
        })?;
        self.observe_stored(release);
        Ok(())
    }

    /// Stores a changed revision in place of the older one.
    pub async fn update(&self, release: &Release) -> Result<(), StoreError> {
        let record = self.encode(release, "modifiedAt")?;
        let updated = self.driver.replace(record).await;
        updated.map_err(|error| failed("update: failed to update".to_owned(), &error))?;
        self.observe_stored(release);
        Ok(())
    }

    /// Removes a revision.
    pub async fn delete(&self, name: &str, version: i64) -> Result<(), StoreError> {
        let record = record_name(name, version);
        let deleted = self.driver.delete(&record).await;
        deleted.map_err(|error| match error {
            DriverError::NotFound => StoreError::NotFound,
            other => failed(
                format!("delete: failed to delete {}", quote(&record)),
                &other,
            ),
        })?;
        if let Some(observer) = &self.observer {
            observer.deleted(name, version);
        }
        Ok(())
    }

    /// Removes the oldest revisions until at most `most` are left. The last deployed one stays.
    async fn prune(&self, name: &str, most: usize) -> Result<(), StoreError> {
        let heads = self.heads(&selector(name, None)).await?;
        let excess = heads.len().saturating_sub(most);
        if excess == 0 {
            return Ok(());
        }
        let deployed = heads.iter().rev().find(|(_, head)| {
            let status = head.labels.get("status");
            status.is_some_and(|status| status == Status::DEPLOYED.as_str())
        });
        let deployed = deployed.map(|(version, _)| *version);
        let removable = heads
            .iter()
            .filter(|(version, _)| Some(*version) != deployed);
        let mut errors = Vec::new();
        for (version, _) in removable.take(excess) {
            errors.extend(self.delete(name, *version).await.err());
        }
        let count = errors.len();
        match errors.into_iter().next() {
            None => Ok(()),
            Some(error) if count == 1 => Err(error),
            Some(first) => Err(StoreError::Prune {
                count,
                first: Box::new(first),
            }),
        }
    }

    /// The names and labels of revisions, from the first to the last.
    async fn heads(&self, selector: &Labels) -> Result<Vec<(i64, Head)>, StoreError> {
        check_values(selector)?;
        let found = self.driver.heads(selector).await;
        let heads = found
            .map_err(|error| failed("query: failed to query with labels".to_owned(), &error))?;
        if heads.is_empty() {
            return Err(StoreError::NotFound);
        }
        let numbered = heads.into_iter().filter_map(|head| {
            let version = head.name.rsplit_once(".v")?.1.parse().ok()?;
            Some((version, head))
        });
        let mut numbered: Vec<(i64, Head)> = numbered.collect();
        numbered.sort_by_key(|(version, _)| *version);
        Ok(numbered)
    }

    async fn query(&self, selector: &Labels) -> Result<Vec<Release>, StoreError> {
        check_values(selector)?;
        let found = self.driver.list(selector).await;
        let records = found
            .map_err(|error| failed("query: failed to query with labels".to_owned(), &error))?;
        if records.is_empty() {
            return Err(StoreError::NotFound);
        }
        let mut releases = decode_all(records);
        releases.sort_by_key(|release| release.version);
        Ok(releases)
    }

    /// Makes the record of a release, with the time under a label.
    fn encode(&self, release: &Release, time: &str) -> Result<Record, StoreError> {
        let data = release.encode().map_err(|source| StoreError::Encode {
            name: release.name.clone(),
            source,
        })?;
        let mut labels = release.labels.clone();
        // As in Helm, a time that a listed release brings along wins over the new one.
        let now = self.clock.now().as_second().to_string();
        labels.entry(time.to_owned()).or_insert(now);
        labels.insert("name".to_owned(), release.name.clone());
        labels.insert("owner".to_owned(), "helm".to_owned());
        labels.insert("status".to_owned(), release.info.status.to_string());
        labels.insert("version".to_owned(), release.version.to_string());
        if data.len() > MAX_OBJECT_BYTES / 10 * 9 {
            tracing::warn!(
                release = release.name,
                bytes = data.len(),
                "the record of the release is close to the largest object of the API server"
            );
        }
        Ok(Record {
            name: record_name(&release.name, release.version),
            labels,
            data,
        })
    }
}

/// The labels of the records of a release.
fn selector(name: &str, status: Option<&Status>) -> Labels {
    let mut labels = Labels::from([
        ("name".to_owned(), name.to_owned()),
        ("owner".to_owned(), "helm".to_owned()),
    ]);
    if let Some(status) = status {
        labels.insert("status".to_owned(), status.to_string());
    }
    labels
}

fn decode(record: Record) -> Result<Release, StoreError> {
    match Release::decode(record.data.as_bytes()) {
        Ok(mut release) => {
            release.labels = record.labels;
            Ok(release)
        }
        Err(source) => Err(StoreError::Decode {
            name: record.name,
            source,
        }),
    }
}

/// Decodes records, without those that are broken.
fn decode_all(records: Vec<Record>) -> Vec<Release> {
    let decoded = records.into_iter().map(decode);
    let decoded = decoded.filter_map(|decoded| match decoded {
        Ok(release) => Some(release),
        Err(StoreError::Decode { name, source }) => {
            skip(&name, &source);
            None
        }
        Err(_) => None,
    });
    decoded.collect()
}

fn skip(record: &str, error: &DecodeError) {
    tracing::warn!(record, %error, "failed to decode release");
}

/// Rejects a selector that no label matches, in Helm's words.
fn check_values(selector: &Labels) -> Result<(), StoreError> {
    for value in selector.values() {
        let faults = label_value_faults(value);
        if !faults.is_empty() {
            let (value, reason) = (value.clone(), faults.join("; "));
            return Err(StoreError::LabelValue { value, reason });
        }
    }
    Ok(())
}

fn failed(action: String, error: &DriverError) -> StoreError {
    StoreError::Driver {
        action,
        reason: error.to_string(),
    }
}

/// Adds the parts of a record that the API server found too large.
fn explain_size(error: &mut StoreError, release: &Release, bytes: usize) {
    let StoreError::Driver { reason, .. } = error else {
        return;
    };
    if !reason.contains("Too long") && !reason.contains("too large") {
        return;
    }
    let chart = release.chart.as_ref();
    let size = |part: &str| {
        let files = chart.and_then(|chart| chart.get(part));
        let files = files.and_then(|files| files.as_array());
        let data = files
            .into_iter()
            .flatten()
            .filter_map(|file| file["data"].as_str());
        data.map(|data| data.len() / 4 * 3).sum::<usize>()
    };
    *reason = format!(
        "{reason}: the record has {bytes} bytes, of {} bytes of templates, {} bytes of other \
         files and {} bytes of manifest; exclude files of the chart with .helmignore",
        size("templates"),
        size("files"),
        release.manifest.len(),
    );
}

#[cfg(test)]
mod tests;

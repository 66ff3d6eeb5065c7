//! Observes the records that an action writes, for the history in the status.

use std::collections::BTreeMap;
use std::str::FromStr as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use sluice_api::helm::{ReleaseSnapshot, TestHookStatus};
use sluice_api::meta;
use sluice_digest::{Algorithm, Digest};
use sluice_helm::Release;
use sluice_helm::record::Time;
use sluice_helm::store::Observer;

use crate::helm_release::model::Write;
use crate::helm_release::{digest, history, state};

/// The records that an action has written.
#[derive(Debug)]
pub(super) struct Recorder {
    /// The history before the action.
    known: Vec<ReleaseSnapshot>,
    /// The OCI digest of new revisions.
    new_digest: Option<String>,
    algorithm: Algorithm,
    written: Mutex<WrittenObjects>,
}

#[derive(Debug, Default)]
struct WrittenObjects {
    writes: Vec<Write>,
    /// Manifest and namespace of the last record.
    manifest: Option<(String, String)>,
}

impl Recorder {
    pub(super) fn new(
        known: Vec<ReleaseSnapshot>,
        new_digest: Option<String>,
        algorithm: Algorithm,
    ) -> Self {
        Self {
            known,
            new_digest,
            algorithm,
            written: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, WrittenObjects> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The writes, and the manifest and the namespace of the last one.
    pub(super) fn take(&self) -> (Vec<Write>, Option<(String, String)>) {
        let written = std::mem::take(&mut *self.lock());
        (written.writes, written.manifest)
    }

    /// The snapshot of a record. Its OCI digest is that of the same revision in the history.
    pub(super) fn snapshot(&self, release: &Release) -> ReleaseSnapshot {
        let plain = ReleaseSnapshot {
            name: release.name.clone(),
            namespace: release.namespace.clone(),
            version: i32::try_from(release.version).unwrap_or(i32::MAX),
            ..ReleaseSnapshot::default()
        };
        let mut known = self.known.iter();
        let known = known.find(|known| history::targets(known, &plain));
        let oci_digest = match known {
            Some(known) => known.oci_digest.clone(),
            None => self.new_digest.clone(),
        };
        let observation = release.observation(oci_digest.as_deref());
        let (chart_name, chart_version) = release.chart_name_and_version();
        let config = release.config.clone().unwrap_or_default();
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let info = &release.info;
        ReleaseSnapshot {
            api_version: Some(history::API_VERSION.to_owned()),
            app_version: text(release.app_version()),
            chart_name: chart_name.to_owned(),
            chart_version: chart_version.to_owned(),
            config_digest: digest::of_values(self.algorithm, &config),
            deleted: info.deleted.as_ref().map(time),
            digest: self.algorithm.digest(observation.as_bytes()).to_string(),
            first_deployed: info.first_deployed.as_ref().map(time).unwrap_or_default(),
            last_deployed: info.last_deployed.as_ref().map(time).unwrap_or_default(),
            oci_digest,
            status: info.status.to_string(),
            ..plain
        }
    }
}

/// A time of a record in whole seconds, as Kubernetes prints it.
fn time(time: &Time) -> meta::Time {
    match time.as_str().parse::<Timestamp>() {
        Ok(time) => time.into(),
        Err(_) => meta::Time::new(time.as_str()),
    }
}

/// The results of the tests of a record.
fn tests(release: &Release) -> BTreeMap<String, TestHookStatus> {
    let tests = release.hooks.iter().filter(|hook| hook.is_test());
    let status = tests.map(|hook| {
        let run = &hook.last_run;
        let status = TestHookStatus {
            last_started: run.started_at.as_ref().map(time),
            last_completed: run.completed_at.as_ref().map(time),
            phase: (!run.phase.is_empty()).then(|| run.phase.to_string()),
        };
        (hook.name.clone(), status)
    });
    status.collect()
}

impl Observer for Recorder {
    fn stored(&self, release: &Release) {
        let write = Write {
            snapshot: self.snapshot(release),
            tests: tests(release),
        };
        let mut written = self.lock();
        written
            .writes
            .retain(|known| !history::targets(&known.snapshot, &write.snapshot));
        written.writes.push(write);
        written.manifest = Some((release.manifest.clone(), release.namespace.clone()));
    }

    fn deleted(&self, name: &str, version: i64) {
        let is_it = |snapshot: &ReleaseSnapshot| {
            snapshot.name == name && i64::from(snapshot.version) == version
        };
        let mut written = self.lock();
        if written.writes.iter().any(|known| is_it(&known.snapshot)) {
            return;
        }
        if let Some(known) = self.known.iter().find(|known| is_it(known)) {
            written.writes.push(Write {
                snapshot: known.clone(),
                tests: known.test_hooks.clone().unwrap_or_default(),
            });
        }
    }
}

/// Whether a record is the one of a snapshot, or why not. Snapshots of other versions have digests
/// of another form, which are not compared.
pub(super) fn identity(release: &Release, snapshot: &ReleaseSnapshot) -> Result<(), &'static str> {
    if snapshot.api_version.as_deref() != Some(history::API_VERSION) {
        return Ok(());
    }
    let Ok(digest) = Digest::from_str(&snapshot.digest) else {
        return Err(state::DIGEST_ERROR);
    };
    let observation = release.observation(snapshot.oci_digest.as_deref());
    if digest.matches(observation.as_bytes()) {
        Ok(())
    } else {
        Err(state::NOT_OBSERVED)
    }
}

//! Records which objects are at work, to find one that kills the process.
//!
//! A tenant's input may exhaust the memory of the container. The kernel then kills the process, the
//! container restarts, and the same object runs again. The journal breaks this circle: an object
//! that was at work in two deaths of the process is quarantined. It runs again when its spec
//! changes or a reconciliation is requested, and one more death quarantines it again.
//!
//! Several objects work at once, so the first death makes all of them suspects. Suspects work one
//! at a time. So the second death has one suspect, and the others end well and are cleared.
//!
//! The directory must survive a restart of the container; a volume of the pod does. It has two
//! files. `suspects.json` is replaced at each start. `working-N` has a slot per object at work, and
//! `N` counts the starts. Writes are not synced, because the files must survive the process, not
//! the machine.

use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_system::fs::{self, OpenOptions};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::key::ObjectKey;
use crate::kind::Kind;

#[cfg(test)]
mod tests;

/// Deaths of the process after which an object is quarantined.
pub const MAX_DEATHS: u32 = 2;

/// Bytes of a slot. A kind, two names, a UID and a request fit; a longer request is cut.
const SLOT_BYTES: usize = 1024;

/// Bytes of a request that are compared.
const MAX_REQUEST_BYTES: usize = 256;

/// Bytes that are read of each file.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The journal of one process. Cheap to clone.
#[derive(Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

struct Inner {
    suspects_path: PathBuf,
    start: u64,
    working: std::fs::File,
    state: Mutex<State>,
    /// The permit of the one suspect that works.
    trial: Arc<Semaphore>,
    /// Keeps other processes out of the directory.
    _lock: fs::File,
}

struct State {
    suspects: BTreeMap<String, Suspect>,
    free_slots: Vec<u64>,
    slots: u64,
    is_failure_logged: bool,
}

/// An object in the state that a run starts from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    kind: String,
    namespace: String,
    name: String,
    uid: String,
    generation: i64,
    requested_at: String,
}

/// An object that was at work when the process died.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Suspect {
    subject: Subject,
    deaths: u32,
}

/// The content of a slot.
#[derive(Debug, Serialize, Deserialize)]
struct Slot {
    subject: Subject,
    /// Whether no other suspect was at work.
    is_alone: bool,
}

/// The content of `suspects.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Suspects {
    /// The number of the start whose slots are not counted yet.
    start: u64,
    suspects: Vec<Suspect>,
}

/// Whether an object may run.
pub enum Admission {
    /// It may. The entry records its work.
    Run(Box<WorkEntry>),
    /// It killed the process this many times, and did not change.
    Quarantined(u32),
}

impl Subject {
    /// Describes an object.
    pub fn of<K: Kind>(object: &K) -> Self {
        let meta = object.meta();
        let key = ObjectKey::of(object);
        let requested_at = meta
            .annotations
            .as_ref()
            .and_then(|annotations| annotations.get(RECONCILE_REQUESTED_AT))
            .map(|value| value.chars().take(MAX_REQUEST_BYTES / 4).collect());
        Self {
            kind: K::kind(&()).into_owned(),
            namespace: key.namespace().to_owned(),
            name: key.name().to_owned(),
            uid: meta.uid.clone().unwrap_or_default(),
            generation: meta.generation.unwrap_or_default(),
            requested_at: requested_at.unwrap_or_default(),
        }
    }

    fn id(&self) -> String {
        id(&self.kind, &self.namespace, &self.name)
    }
}

fn id(kind: &str, namespace: &str, name: &str) -> String {
    format!("{kind}/{namespace}/{name}")
}

impl Journal {
    /// Opens the journal of a directory and counts the death of the last process, if it died.
    /// `None` if another process uses the directory.
    pub fn open(directory: &Path) -> Result<Option<Self>, fs::Error> {
        fs::create_dir_all(directory)?;
        let lock = fs::create(directory.join("lock"))?;
        if !lock.try_lock()? {
            return Ok(None);
        }
        let suspects_path = directory.join("suspects.json");
        // A damaged file costs the memory of deaths. It must not keep the process from starting.
        let known: Suspects = fs::read_limited(&suspects_path, MAX_FILE_BYTES)
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let working_path = |start: u64| directory.join(format!("working-{start}"));
        let last = fs::read_limited(working_path(known.start), MAX_FILE_BYTES).unwrap_or_default();
        let suspects = count_deaths(known.suspects, &last);
        for suspect in suspects.values() {
            let Suspect { subject, deaths } = suspect;
            tracing::warn!(
                object = %subject.id(), deaths,
                "the process died while it reconciled this object"
            );
        }
        let start = known.start + 1;
        write_suspects(&suspects_path, start, &suspects)?;
        // Its deaths are counted. A crash before this line leaves a file that is never read again.
        drop(fs::remove_file(working_path(known.start)));
        let options = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .clone();
        let working = fs::File::open_with(&options, working_path(start))?.into_std();
        Ok(Some(Self {
            inner: Arc::new(Inner {
                suspects_path,
                start,
                working,
                state: Mutex::new(State {
                    suspects,
                    free_slots: Vec::new(),
                    slots: 0,
                    is_failure_logged: false,
                }),
                trial: Arc::new(Semaphore::new(1)),
                _lock: lock,
            }),
        }))
    }

    /// Decides whether an object may run.
    pub(crate) fn admit(&self, subject: Subject) -> Admission {
        let mut state = self.lock();
        let id = subject.id();
        let is_suspect = match state.suspects.get(&id) {
            Some(suspect) if suspect.subject.uid != subject.uid => {
                state.suspects.remove(&id);
                false
            }
            Some(Suspect {
                subject: known,
                deaths,
            }) if *deaths >= MAX_DEATHS && *known == subject => {
                return Admission::Quarantined(*deaths);
            }
            found => found.is_some(),
        };
        drop(state);
        Admission::Run(Box::new(WorkEntry {
            journal: self.clone(),
            subject,
            is_suspect,
            state: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }))
    }

    /// Forgets an object that no longer exists.
    pub(crate) fn forget(&self, kind: &str, key: &ObjectKey) {
        self.clear(&id(kind, key.namespace(), key.name()));
    }

    /// Clears an object of suspicion.
    fn clear(&self, id: &str) {
        let mut state = self.lock();
        if state.suspects.remove(id).is_some()
            && let Err(error) =
                write_suspects(&self.inner.suspects_path, self.inner.start, &state.suspects)
        {
            state.log_failure(&error);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write_slot(&self, slot: u64, content: &[u8]) {
        let offset = slot * SLOT_BYTES as u64;
        if let Err(error) = self.inner.working.write_all_at(content, offset) {
            self.lock().log_failure(&error);
        }
    }
}

impl State {
    /// Logs the first failure. A full disk must not stop reconciliations.
    fn log_failure(&mut self, error: &dyn std::error::Error) {
        if !std::mem::replace(&mut self.is_failure_logged, true) {
            tracing::error!(error = %sluice_golang::error::chain(error), "failed to record the objects at work");
        }
    }
}

/// The record of one run. The run is at work between [`WorkEntry::work`] and [`WorkEntry::rest`].
pub struct WorkEntry {
    journal: Journal,
    subject: Subject,
    is_suspect: bool,
    state: Mutex<EntryState>,
    /// Held by the wait of this run that queues for its turn.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct EntryState {
    slot: Option<u64>,
    turn: Option<OwnedSemaphorePermit>,
}

impl WorkEntry {
    /// Waits until no other suspect works. Other objects never wait.
    pub(crate) async fn take_turn(&self) {
        if !self.is_suspect {
            return;
        }
        let _one = self.turn.lock().await;
        if self.lock().turn.is_some() {
            return;
        }
        let permit = Arc::clone(&self.journal.inner.trial).acquire_owned().await;
        // The semaphore is never closed.
        self.lock().turn = permit.ok();
    }

    /// Whether the run may work without a wait.
    pub(crate) fn try_take_turn(&self) -> bool {
        if !self.is_suspect {
            return true;
        }
        let mut state = self.lock();
        if state.turn.is_none() {
            state.turn = Arc::clone(&self.journal.inner.trial)
                .try_acquire_owned()
                .ok();
        }
        state.turn.is_some()
    }

    /// Records that the run works. A suspect without a turn works beside another one, and a death
    /// then does not count against it.
    pub(crate) fn work(&self) {
        let is_alone = self.try_take_turn() && self.is_suspect;
        let mut state = self.lock();
        if state.slot.is_some() {
            return;
        }
        let slot = {
            let mut journal = self.journal.lock();
            journal.free_slots.pop().unwrap_or_else(|| {
                journal.slots += 1;
                journal.slots - 1
            })
        };
        state.slot = Some(slot);
        drop(state);
        let record = Slot {
            subject: self.subject.clone(),
            is_alone,
        };
        let mut content = serde_json::to_vec(&record).unwrap_or_default();
        content.resize(SLOT_BYTES, b' ');
        self.journal.write_slot(slot, &content);
    }

    /// Records that the run waits, or has ended.
    pub(crate) fn rest(&self) {
        let mut state = self.lock();
        state.turn = None;
        let Some(slot) = state.slot.take() else {
            return;
        };
        drop(state);
        self.journal.write_slot(slot, b" ");
        self.journal.lock().free_slots.push(slot);
    }

    /// Clears the object of suspicion, because a run of it succeeded.
    pub(crate) fn clear(&self) {
        if self.is_suspect {
            self.journal.clear(&self.subject.id());
        }
    }

    fn lock(&self) -> MutexGuard<'_, EntryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WorkEntry {
    fn drop(&mut self) {
        self.rest();
    }
}

/// Adds the objects at work in a dead process to the known suspects. Pure.
fn count_deaths(known: Vec<Suspect>, working: &[u8]) -> BTreeMap<String, Suspect> {
    let mut suspects: BTreeMap<String, Suspect> = known
        .into_iter()
        .map(|suspect| (suspect.subject.id(), suspect))
        .collect();
    let slots = working
        .chunks(SLOT_BYTES)
        .filter_map(|slot| serde_json::from_slice::<Slot>(slot).ok());
    for Slot { subject, is_alone } in slots {
        let id = subject.id();
        let before = suspects
            .get(&id)
            .filter(|suspect| suspect.subject.uid == subject.uid)
            .map_or(0, |suspect| suspect.deaths);
        let deaths = match before {
            0 => 1,
            deaths if is_alone => deaths.saturating_add(1),
            deaths => deaths,
        };
        suspects.insert(id, Suspect { subject, deaths });
    }
    suspects
}

fn write_suspects(
    path: &Path,
    start: u64,
    suspects: &BTreeMap<String, Suspect>,
) -> Result<(), fs::Error> {
    let content = Suspects {
        start,
        suspects: suspects.values().cloned().collect(),
    };
    fs::write_atomically(path, serde_json::to_vec(&content).unwrap_or_default())
}

//! Deaths of processes, as copies of what their journals hold at that moment.

use sluice_api::source::{GitRepository, GitRepositorySpec};
use tokio::time::{Duration, timeout};

use super::*;

/// A directory per process. The next one starts from a copy, as a killed process leaves it.
struct Deaths {
    root: tempfile::TempDir,
    starts: usize,
}

impl Deaths {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            starts: 0,
        }
    }

    fn directory(&self) -> PathBuf {
        self.root.path().join(self.starts.to_string())
    }

    /// Starts a process with the files of the last one, which may still run.
    fn restart(&mut self) -> Journal {
        let last = self.directory();
        self.starts += 1;
        if last.exists() {
            fs::copy_dir_all(&last, self.directory()).unwrap();
        }
        Journal::open(&self.directory()).unwrap().unwrap()
    }
}

fn repository(name: &str) -> GitRepository {
    let spec: GitRepositorySpec = serde_json::from_value(serde_json::json!({
        "interval": "1m", "url": "https://example.com/a.git"
    }))
    .unwrap();
    let mut object = GitRepository::new(name, spec);
    object.metadata.namespace = Some("apps".to_owned());
    object.metadata.uid = Some(format!("uid-{name}"));
    object.metadata.generation = Some(1);
    object
}

fn subject(name: &str) -> Subject {
    Subject::of(&repository(name))
}

fn admit(journal: &Journal, name: &str) -> Box<WorkEntry> {
    match journal.admit(subject(name)) {
        Admission::Run(entry) => entry,
        Admission::Quarantined(deaths) => panic!("{name} is quarantined after {deaths} deaths"),
    }
}

/// Starts a run, alone if the object is a suspect.
fn work(journal: &Journal, name: &str) -> Box<WorkEntry> {
    let entry = admit(journal, name);
    assert!(entry.try_take_turn(), "{name}");
    entry.work();
    entry
}

fn is_quarantined(journal: &Journal, subject: Subject) -> bool {
    matches!(journal.admit(subject), Admission::Quarantined(_))
}

#[test]
fn second_death_quarantines_the_object() {
    let mut deaths = Deaths::new();
    let first = deaths.restart();
    let _working = work(&first, "killer");
    let second = deaths.restart();
    assert!(!is_quarantined(&second, subject("killer")));
    let _working = work(&second, "killer");
    let third = deaths.restart();
    assert!(is_quarantined(&third, subject("killer")));
    assert!(!is_quarantined(&third, subject("other")));
    // A restart without a death changes nothing.
    assert!(is_quarantined(&deaths.restart(), subject("killer")));
}

#[test]
fn run_that_waits_is_not_a_suspect() {
    let mut deaths = Deaths::new();
    let first = deaths.restart();
    let waiting = work(&first, "waiting");
    waiting.rest();
    drop(work(&first, "ended"));
    let second = deaths.restart();
    assert!(second.lock().suspects.is_empty());
}

#[test]
fn only_a_death_alone_is_counted_again() {
    let mut deaths = Deaths::new();
    let first = deaths.restart();
    let _both = (work(&first, "killer"), work(&first, "neighbour"));
    let second = deaths.restart();
    let _killer = work(&second, "killer");
    // The neighbour works without its turn.
    let neighbour = admit(&second, "neighbour");
    assert!(!neighbour.try_take_turn());
    neighbour.work();
    let third = deaths.restart();
    assert!(is_quarantined(&third, subject("killer")));
    assert!(!is_quarantined(&third, subject("neighbour")));
}

#[test]
fn change_or_request_gives_one_more_try() {
    let mut deaths = Deaths::new();
    for _ in 0..2 {
        let journal = deaths.restart();
        std::mem::forget(work(&journal, "killer"));
    }
    let mut edited = repository("killer");
    edited.metadata.generation = Some(2);
    let mut requested = repository("killer");
    requested.metadata.annotations =
        Some([(RECONCILE_REQUESTED_AT.to_owned(), "now".to_owned())].into());
    let mut recreated = repository("killer");
    recreated.metadata.uid = Some("another".to_owned());
    let journal = deaths.restart();
    assert!(is_quarantined(&journal, subject("killer")));
    for object in [&edited, &requested] {
        assert!(!is_quarantined(&journal, Subject::of(object)));
    }
    let Admission::Run(again) = journal.admit(Subject::of(&requested)) else {
        panic!("it is requested");
    };
    assert!(again.try_take_turn());
    again.work();
    let journal = deaths.restart();
    assert!(is_quarantined(&journal, Subject::of(&requested)));
    assert!(!is_quarantined(&journal, Subject::of(&recreated)));
}

#[test]
fn success_clears_the_object() {
    let mut deaths = Deaths::new();
    std::mem::forget(work(&deaths.restart(), "apps"));
    let second = deaths.restart();
    let entry = work(&second, "apps");
    entry.clear();
    let _working = entry;
    let third = deaths.restart();
    assert!(!is_quarantined(&third, subject("apps")));
    assert_eq!(third.lock().suspects["GitRepository/apps/apps"].deaths, 1);
    third.forget("GitRepository", &ObjectKey::new("apps", "apps"));
    assert!(deaths.restart().lock().suspects.is_empty());
}

#[tokio::test(start_paused = true)]
async fn suspects_work_one_at_a_time() {
    let mut deaths = Deaths::new();
    let first = deaths.restart();
    let _both = (work(&first, "a"), work(&first, "b"));
    let second = deaths.restart();
    let (a, b) = (admit(&second, "a"), admit(&second, "b"));
    a.take_turn().await;
    a.work();
    let minute = Duration::from_mins(1);
    assert!(timeout(minute, b.take_turn()).await.is_err());
    timeout(minute, admit(&second, "c").take_turn())
        .await
        .expect("other objects do not wait");
    a.rest();
    b.take_turn().await;
    // Two waits of one run share its turn.
    timeout(minute, b.take_turn()).await.unwrap();
}

#[test]
fn damaged_files_are_ignored() {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in [("suspects.json", "{"), ("working-0", "nonsense")] {
        fs::write(directory.path().join(name), content).unwrap();
    }
    let journal = Journal::open(directory.path()).unwrap().unwrap();
    assert!(journal.lock().suspects.is_empty());
    assert!(
        Journal::open(directory.path()).unwrap().is_none(),
        "one process at a time"
    );
}

#[test]
fn slots_are_reused() {
    let mut deaths = Deaths::new();
    let journal = deaths.restart();
    for round in 0..100 {
        let _three = [0, 1, 2].map(|object| work(&journal, &format!("{round}-{object}")));
    }
    assert_eq!(journal.lock().slots, 3);
    let longest = "x".repeat(253);
    let _entry = work(&journal, &longest);
    drop(journal);
    assert_eq!(deaths.restart().lock().suspects.len(), 1);
}

//! Continues repositories of `flux` v2.9.4 with ours, and the other way around. One commit changes
//! only the images and the version, and another one reverts it.
//!
//! `REFERENCE_BIN_DIR` names the directory with `flux`. Without it, ours runs with `--flux-images`,
//! and its commits must equal the recorded ones of Flux. CRDs are compared by name, because their
//! descriptions differ.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use sluice_git::serve::Repository;
use sluice_testkit::{Bed, GitBackend, Reference, Running};

use super::{BootstrapFixture, CANARY, guarded};
use crate::program;
use crate::world::World;

const FILES: [&str; 3] = [
    "gotk-components.yaml",
    "gotk-sync.yaml",
    "kustomization.yaml",
];

/// The program that bootstraps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Maker {
    Flux,
    Ours,
}

/// Flux's namespace with running controllers, and the repository that it follows.
struct Fleet {
    stage: BootstrapFixture,
    repository: Repository,
    url: String,
    reference: Option<PathBuf>,
    _controllers: Running,
}

impl Fleet {
    async fn new(bed: Bed, namespace: &str, git: &GitBackend) -> Self {
        let stage = BootstrapFixture::of(World::system_in(bed, namespace).await);
        let name = format!("{namespace}.git");
        Self {
            repository: git.create(&name, "main"),
            url: git.url(&name),
            reference: Reference::find().map(|reference| reference.binary("flux")),
            _controllers: stage.controllers(),
            stage,
        }
    }

    /// Bootstraps. Returns the number of commits and the resulting files.
    async fn bootstrap(&self, maker: Maker) -> (usize, [String; 3]) {
        let before = self.commits();
        let (program, images) = match (maker, &self.reference) {
            (Maker::Ours, _) => (program::flux().to_owned(), ""),
            (Maker::Flux, None) => (program::flux().to_owned(), "--flux-images"),
            (Maker::Flux, Some(flux)) => (flux.clone(), ""),
        };
        // Flux does not request a reconciliation, so it waits for the interval.
        let line = format!(
            "git --url={} --namespace={} --branch=main --path=clusters/one --allow-insecure-http --token-auth --username=me --silent --timeout=1m --interval=2s {images}",
            self.url, self.stage.world.namespace
        );
        let (kubeconfig, secret) = (self.stage.world.bed.kubeconfig(), ("GIT_PASSWORD", CANARY));
        let ended = self.stage.run_of(program, &kubeconfig, &line, Some(secret));
        ended.await.well();
        let files = FILES.map(|name| {
            let folder = &self.stage.world.namespace;
            let path = format!("main:clusters/one/{folder}/{name}");
            Reference::comparable(&self.git(&["show", &path]))
        });
        (self.commits() - before, files)
    }

    fn commits(&self) -> usize {
        let all = self.git(&["rev-list", "--count", "--all"]);
        all.trim().parse().unwrap()
    }

    fn git(&self, words: &[&str]) -> String {
        #[expect(clippy::disallowed_methods, reason = "Git itself reads the files")]
        let told = Command::new("git")
            .arg("-C")
            .arg(self.repository.path())
            .args(words)
            .output()
            .unwrap();
        assert!(told.status.success(), "{words:?}: {told:?}");
        String::from_utf8(told.stdout).unwrap()
    }

    /// Returns the digests of the files, without parts that differ per run.
    fn recorded(&self, files: &[String; 3]) -> String {
        let mut text = String::new();
        for (name, file) in FILES.iter().zip(files) {
            let file = file.replace(&self.url, "URL");
            let file = file.replace(&self.stage.world.namespace, "flux-system");
            writeln!(text, "{} {name}", Reference::digest(&file)).unwrap();
        }
        text
    }
}

/// Asserts that only lines with images and the version differ, and that some do.
fn changed_hands(theirs: &[String; 3], ours: &[String; 3]) {
    let mut changed = 0;
    for (theirs, ours) in theirs.iter().zip(ours) {
        let (theirs, ours): (Vec<&str>, Vec<&str>) =
            (theirs.lines().collect(), ours.lines().collect());
        assert_eq!(theirs.len(), ours.len());
        for (theirs, ours) in theirs.iter().zip(ours).filter(|(a, b)| *a != b) {
            for line in [theirs, ours] {
                let line = line.trim_start_matches([' ', '-']);
                let starts = ["image: ", "# Flux Version: ", "app.kubernetes.io/version: "];
                let is_such = starts.iter().any(|start| line.starts_with(start));
                assert!(is_such, "{theirs} | {ours}");
            }
            changed += 1;
        }
    }
    assert!(changed > 0, "other controllers come in");
}

fn recorded_at() -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/cluster/bootstrap/reference.txt")
}

/// Bootstraps the same repository with both programs in turn.
async fn takes_turns(fleet: &Fleet, first: Maker) {
    let second = match first {
        Maker::Flux => Maker::Ours,
        Maker::Ours => Maker::Flux,
    };
    let (made, before) = fleet.bootstrap(first).await;
    assert_eq!(made, 2, "{first:?} begins");
    let (made, between) = fleet.bootstrap(second).await;
    assert_eq!(made, 1, "{second:?} goes on");
    changed_hands(&before, &between);
    let (made, after) = fleet.bootstrap(first).await;
    assert_eq!(made, 1, "{first:?} goes on");
    assert_eq!(after, before, "not a byte is left of {second:?}");
    let theirs = if first == Maker::Flux {
        before
    } else {
        between
    };
    let theirs = fleet.recorded(&theirs);
    if fleet.reference.is_some() && Reference::is_recording() {
        sluice_system::fs::write(recorded_at(), &theirs).unwrap();
    }
    let recorded = sluice_system::fs::read_to_string(recorded_at()).unwrap();
    assert_eq!(theirs, recorded, "what Flux commits");
}

#[tokio::test(flavor = "multi_thread")]
async fn flux_and_ours_continue_each_others_work() {
    let git = guarded();
    let (bed, git) = tokio::join!(Bed::own(), git);
    for (namespace, first) in [("flux-first", Maker::Flux), ("ours-first", Maker::Ours)] {
        let fleet = Fleet::new(bed.clone(), namespace, &git).await;
        takes_turns(&fleet, first).await;
    }
}

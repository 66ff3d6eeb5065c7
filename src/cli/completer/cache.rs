//! Caches completion answers of clusters, for repeated key presses.
//!
//! The key covers the cluster, the identity and the question: kubeconfig files, flags, and the
//! environment of credential plugins. The values are names. The file name is a digest, and its
//! input includes secrets of the environment. With a token on the command line, nothing is cached.
//! Only the owner may access the directory. Otherwise the cache is off. Each write removes expired
//! answers.

use std::ffi::OsString;
use std::fmt::Debug;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sluice_client::kubeconfig;
use sluice_digest::Algorithm;
use sluice_system::fs;

use crate::globals::GlobalArgs;

/// Lifetime of an answer.
const GOOD_FOR: Duration = Duration::from_secs(5);
/// Maximum size of an answer.
const LARGEST: u64 = 16 << 20;
/// Permission bits of group and others, which the directory must not have.
const OTHERS: u32 = 0o077;
/// Variables that the shell changes by itself, and that no credential depends on.
const RESTLESS: [&str; 7] = ["_", "COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "SECONDS"];

/// Cache file of one answer.
#[derive(Debug)]
pub(super) struct Place {
    folder: PathBuf,
    name: String,
}

impl Place {
    /// Returns the cache file of a question under these flags, or `None` without a cache.
    pub(super) fn of(globals: &GlobalArgs, question: &impl Debug) -> Option<Self> {
        let environment = kubeconfig::Environment::of_process();
        let folder = folder(&globals.cache_dir, environment.home.as_deref())?;
        let mut variables: Vec<(OsString, OsString)> = std::env::vars_os()
            .filter(|(name, _)| !RESTLESS.iter().any(|restless| name == restless))
            .collect();
        variables.sort_unstable();
        let name = name(globals, &environment, &variables, question)?;
        Some(Self { folder, name })
    }

    /// Returns the cached answer, if it has not expired.
    pub(super) fn recall(&self, now: SystemTime) -> Option<Vec<String>> {
        if !is_private(&self.folder) {
            return None;
        }
        let path = self.folder.join(&self.name);
        if !is_good(write_time(&path)?, now) {
            return None;
        }
        let text = fs::read_limited(&path, LARGEST).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes an answer. Failures are ignored.
    pub(super) fn keep(&self, names: &[String], now: SystemTime) {
        let _kept = self.try_keep(names, now);
    }

    fn try_keep(&self, names: &[String], now: SystemTime) -> Option<()> {
        if !fs::exists(&self.folder).ok()? {
            let mut builder = std::fs::DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(&self.folder).ok()?;
        }
        if !is_private(&self.folder) {
            return None;
        }
        for entry in fs::read_dir(&self.folder).ok()? {
            if write_time(&entry.path).is_some_and(|written| !is_good(written, now)) {
                let _gone = fs::remove_file(&entry.path);
            }
        }
        // The file is private, and complete before it gets its name.
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).ok()?;
        file.write_all(&serde_json::to_vec(names).ok()?).ok()?;
        file.persist(self.folder.join(&self.name)).ok()?;
        Some(())
    }
}

/// Returns the directory of the answers below `--cache-dir`.
fn folder(asked: &Path, home: Option<&Path>) -> Option<PathBuf> {
    if asked.as_os_str().is_empty() {
        return None;
    }
    let base = match asked.strip_prefix("$HOME") {
        Ok(below) => home?.join(below),
        Err(_) => asked.to_owned(),
    };
    Some(base.join("sluice").join("completion"))
}

/// Returns the digest of the key. Files count with their current state, so an edit invalidates the
/// answer.
fn name(
    globals: &GlobalArgs,
    environment: &kubeconfig::Environment,
    variables: &[(OsString, OsString)],
    question: &impl Debug,
) -> Option<String> {
    let flags = globals.kubeconfig();
    if flags.token.is_some() {
        // A command-line token is the only identity, and must not be hashed into a file name.
        return None;
    }
    let named = [
        &flags.certificate_authority,
        &flags.client_certificate,
        &flags.client_key,
    ];
    let mut files = kubeconfig::paths(&flags, environment);
    files.extend(named.into_iter().flatten().cloned());
    let stamps: Vec<_> = files.iter().map(|path| stamp(path)).collect();
    let text = format!("{stamps:?} {flags:?} {variables:?} {question:?}");
    Some(Algorithm::Sha256.digest(text.as_bytes()).hex().to_owned())
}

/// Returns the identity and state of a file.
fn stamp(path: &Path) -> Option<(PathBuf, u64, u64, u64, i64, i64)> {
    let metadata = fs::metadata(path).ok()?;
    let path = std::path::absolute(path).ok()?;
    Some((
        path,
        metadata.dev(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
    ))
}

fn write_time(path: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(path).ok()?.modified().ok()
}

/// Whether an answer is fresh. A time in the future counts as expired.
fn is_good(written: SystemTime, now: SystemTime) -> bool {
    now.duration_since(written).is_ok_and(|age| age <= GOOD_FOR)
}

fn is_private(folder: &Path) -> bool {
    fs::symlink_metadata(folder)
        .is_ok_and(|found| found.is_dir() && found.permissions().mode() & OTHERS == 0)
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command};
    use sluice_system::{Clock as _, SystemClock};
    use tempfile::TempDir;

    use super::*;

    fn now() -> SystemTime {
        SystemClock.now().into()
    }

    fn place(directory: &TempDir, name: &str) -> Place {
        Place {
            folder: directory.path().join("made/for/it"),
            name: name.to_owned(),
        }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn age(place: &Place, written: SystemTime) {
        let path = place.folder.join(&place.name);
        let file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_modified(written).unwrap();
    }

    #[test]
    fn answer_expires_after_five_seconds() {
        let directory = TempDir::new().unwrap();
        let (place, now) = (place(&directory, "one"), now());
        assert_eq!(place.recall(now), None);
        let names = ["apps", "infra"].map(str::to_owned);
        place.keep(&names, now);
        age(&place, now);
        assert_eq!(place.recall(now), Some(names.to_vec()));
        let later = |seconds| now + Duration::from_secs(seconds);
        assert_eq!(place.recall(later(5)), Some(names.to_vec()));
        assert_eq!(place.recall(later(6)), None);
        let earlier = now - Duration::from_secs(1);
        assert_eq!(place.recall(earlier), None, "the clock was set back");
    }

    #[test]
    fn answers_are_private_to_their_owner() {
        let directory = TempDir::new().unwrap();
        let (place, now) = (place(&directory, "one"), now());
        place.keep(&["apps".to_owned()], now);
        assert_eq!(mode(&place.folder), 0o700);
        assert_eq!(mode(&place.folder.join("one")), 0o600);
        age(&place, now);
        for open in [0o750, 0o701] {
            let permissions = fs::Permissions::from_mode(open);
            fs::set_permissions(&place.folder, permissions).unwrap();
            assert_eq!(place.recall(now), None, "{open:o}");
            place.keep(&["other".to_owned()], now);
            let text = fs::read_to_string(place.folder.join("one")).unwrap();
            assert_eq!(text, "[\"apps\"]", "{open:o}");
        }
    }

    #[test]
    fn next_answer_removes_expired_ones() {
        let directory = TempDir::new().unwrap();
        let (old, new, now) = (place(&directory, "old"), place(&directory, "new"), now());
        old.keep(&["apps".to_owned()], now);
        age(&old, now - Duration::from_mins(1));
        new.keep(&["infra".to_owned()], now);
        let entries = fs::read_dir(&new.folder).unwrap();
        let names: Vec<_> = entries.iter().map(|entry| &entry.path).collect();
        assert_eq!(names, [&new.folder.join("new")]);
    }

    #[test]
    fn unwritable_cache_is_ignored() {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join("made"), "a file").unwrap();
        let place = place(&directory, "one");
        place.keep(&["apps".to_owned()], now());
        assert_eq!(place.recall(now()), None);
    }

    #[test]
    fn malformed_cache_is_not_an_answer() {
        let directory = TempDir::new().unwrap();
        let (place, now) = (place(&directory, "one"), now());
        place.keep(&[], now);
        fs::write(place.folder.join("one"), "[1]").unwrap();
        age(&place, now);
        assert_eq!(place.recall(now), None);
    }

    fn globals(words: &str) -> GlobalArgs {
        let command = GlobalArgs::augment_args(Command::new("flags").no_binary_name(true));
        let matches = command.try_get_matches_from(words.split_whitespace());
        GlobalArgs::of(&matches.unwrap()).unwrap()
    }

    #[test]
    fn cache_key_has_cluster_identity_and_query() {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("config");
        fs::write(&file, "a kubeconfig").unwrap();
        let environment = kubeconfig::Environment {
            kubeconfig: Some(file.clone().into()),
            ..kubeconfig::Environment::default()
        };
        let name = |words: &str, profile: &str, question: &str| {
            let variables = [("AWS_PROFILE".into(), profile.into())];
            name(&globals(words), &environment, &variables, &question)
        };
        let first = name("", "one", "q");
        assert_eq!(name("", "one", "q"), first);
        assert_eq!(name("--timeout 1s --verbose", "one", "q"), first);
        let mut others = vec![first, name("", "two", "q"), name("", "one", "r")];
        for words in [
            "--context a",
            "--cluster a",
            "--user a",
            "--server https://a",
            "--as a",
            "--as-group a",
            "--as-uid a",
            "--as-user-extra a=b",
            "--client-key a",
            "--kubeconfig a",
        ] {
            others.push(name(words, "one", "q"));
        }
        fs::write(&file, "a kubeconfig of somebody else").unwrap();
        others.push(name("", "one", "q"));
        let count = others.len();
        others.sort();
        others.dedup();
        assert_eq!(others.len(), count);
        assert!(others.iter().all(Option::is_some));
        assert_eq!(name("--token secret", "one", "q"), None);
    }

    #[test]
    fn cache_is_below_directory_of_the_flag() {
        let home = Some(Path::new("/home/me"));
        for (asked, expected) in [
            (
                "$HOME/.kube/cache",
                Some("/home/me/.kube/cache/sluice/completion"),
            ),
            ("/tmp/x", Some("/tmp/x/sluice/completion")),
            ("", None),
        ] {
            let found = folder(Path::new(asked), home);
            assert_eq!(found.as_deref(), expected.map(Path::new), "{asked}");
        }
        assert_eq!(folder(Path::new("$HOME/.kube/cache"), None), None);
    }
}

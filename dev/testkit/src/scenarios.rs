//! Scenarios that run on Flux's controller and on ours, with the recorded outcomes of the former.
//!
//! A directory holds `scenarios/NAME.yaml`, `recorded/NAME.txt` and `explained.yaml`, the intended
//! differences. With `REFERENCE_BIN_DIR`, a scenario also runs with Flux's controller, and must
//! match its recording. `RECORD=1` updates the recordings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Reference;
use crate::expected_differences::{ExpectedDifferences, differences};
use crate::outcome::Outcome;
use crate::wait;

/// Defines one test for each scenario, and `SCENARIOS` with their names. The head names the
/// function that compares one, and the settings of `tokio::test`.
#[macro_export]
macro_rules! scenario_tests {
    (
        $compare:ident $settings:tt;
        $($test:ident: $name:literal,)*
    ) => {
        const SCENARIOS: &[&str] = &[$($name),*];
        $(
            #[tokio::test $settings]
            async fn $test() {
                $compare($name).await;
            }
        )*
    };
}

/// A condition of an object.
pub fn condition<'o>(object: &'o Value, kind: &str) -> Option<&'o Value> {
    let conditions = object["status"]["conditions"].as_array();
    let mut conditions = conditions.into_iter().flatten();
    conditions.find(|condition| condition["type"] == kind)
}

/// The scenarios of a directory.
#[derive(Debug, Clone)]
pub struct Scenarios(PathBuf);

impl Scenarios {
    /// Names the directory.
    pub const fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Reads the description of a scenario.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> T {
        read(&self.0.join(format!("scenarios/{name}.yaml")))
    }

    /// The outcome of the reference: played by it, or recorded.
    ///
    /// # Panics
    ///
    /// If the reference differs from its recording.
    pub async fn expected(
        &self,
        name: &str,
        play: impl AsyncFnOnce(Reference) -> Outcome,
    ) -> Outcome {
        let record = self.0.join(format!("recorded/{name}.txt"));
        let recorded =
            || Outcome::parse(&sluice_system::fs::read_to_string(&record).expect("a recording"));
        let Some(reference) = Reference::find() else {
            return recorded();
        };
        let found = play(reference).await;
        if Reference::is_recording() {
            sluice_system::fs::write(&record, found.to_string()).expect("write the recording");
        } else {
            let stale = differences(&recorded(), &found);
            assert!(
                stale.is_empty(),
                "{name}: the reference differs from its recording (update with RECORD=1):\n{stale}"
            );
        }
        found
    }

    /// Waits until the outcome of our controller is that of the reference. Events follow their
    /// status with a delay.
    ///
    /// # Panics
    ///
    /// If a difference stays.
    pub async fn until_alike(&self, name: &str, expected: &Outcome, outcome: impl Fn() -> Outcome) {
        let explained = self.explanations().of(name);
        let claim = format!("{name}: - the reference, + ours");
        wait::eventually(&claim, || async { explained.compare(expected, &outcome()) }).await;
    }

    /// The intended differences.
    pub fn explanations(&self) -> ExpectedDifferences {
        ExpectedDifferences::read(&self.0.join("explained.yaml"))
    }

    /// Checks that these scenarios are all, and that each has a recording.
    ///
    /// # Panics
    ///
    /// If a file lacks its scenario, or a scenario its file.
    pub fn assert_complete(&self, played: &[&str]) {
        let played: BTreeSet<String> = played.iter().map(ToString::to_string).collect();
        assert_eq!(self.names("scenarios", ".yaml"), played);
        assert_eq!(self.names("recorded", ".txt"), played);
        let unknown = self.explanations().unknown_scenarios(&played);
        assert_eq!(unknown, BTreeSet::new());
    }

    fn names(&self, folder: &str, ending: &str) -> BTreeSet<String> {
        let entries = sluice_system::fs::read_dir(self.0.join(folder)).expect("a directory");
        entries
            .into_iter()
            .filter_map(|entry| {
                let name = entry.path.file_name()?.to_str()?;
                name.strip_suffix(ending).map(str::to_owned)
            })
            .collect()
    }
}

/// Reads the description of a scenario from a file.
///
/// # Panics
///
/// If the file is not such a description.
pub fn read<T: DeserializeOwned>(path: &Path) -> T {
    let text = sluice_system::fs::read_to_string(path).expect("a scenario");
    let value = sluice_yaml::v2::from_str_strict(&text);
    let value = value.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_value(value).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

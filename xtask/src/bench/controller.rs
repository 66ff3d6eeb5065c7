//! Controllers under measurement: ours and, with `REFERENCE_BIN_DIR`, the reference's, with the
//! same flags and control plane.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sluice_devcluster::ControlPlane;
use sluice_testkit::Reference;

use super::cluster;
use super::measure::release_build;
use super::process::MeasuredProcess;

/// The measured side.
pub(super) struct Subject {
    pub(super) name: &'static str,
    programs: Programs,
}

enum Programs {
    /// One binary for all controllers.
    Ours(PathBuf),
    /// One binary for each controller, by name.
    Reference(BTreeMap<&'static str, PathBuf>),
}

/// The controllers that most benches start.
const CONTROLLERS: [&str; 2] = ["source-controller", "kustomize-controller"];

impl Subject {
    /// Uses the given binary or a release build of this tree.
    pub(super) fn ours(binary: Option<&Path>) -> anyhow::Result<Self> {
        let binary = match binary {
            Some(path) => path.to_owned(),
            None => release_build(&["--package", "sluice"], "sluice")?,
        };
        Ok(Self {
            name: "ours",
            programs: Programs::Ours(binary),
        })
    }

    /// Returns our side, and the reference's if it exists.
    pub(super) fn all(binary: Option<&Path>) -> anyhow::Result<Vec<Self>> {
        Self::all_of(binary, &CONTROLLERS)
    }

    /// Returns our side, and the reference's if it exists, for a bench of these controllers.
    pub(super) fn all_of(
        binary: Option<&Path>,
        controllers: &[&'static str],
    ) -> anyhow::Result<Vec<Self>> {
        let ours = Self::ours(binary)?;
        let reference = Reference::find().map(|reference| {
            let programs = controllers.iter();
            let programs = programs.map(|controller| (*controller, reference.binary(controller)));
            Self {
                name: "reference",
                programs: Programs::Reference(programs.collect()),
            }
        });
        Ok([ours].into_iter().chain(reference).collect())
    }

    /// Returns our side, and the reference's with those controllers that `REFERENCE_BIN_DIR` has.
    pub(super) fn beside(
        binary: Option<&Path>,
        controllers: &[&'static str],
    ) -> anyhow::Result<Vec<Self>> {
        let mut subjects = vec![Self::ours(binary)?];
        let Some(directory) = std::env::var_os("REFERENCE_BIN_DIR").map(PathBuf::from) else {
            return Ok(subjects);
        };
        let programs: BTreeMap<_, _> = controllers
            .iter()
            .map(|controller| (*controller, directory.join(controller)))
            .filter(|(_, binary)| binary.is_file())
            .collect();
        if !programs.is_empty() {
            subjects.push(Self {
                name: "reference",
                programs: Programs::Reference(programs),
            });
        }
        Ok(subjects)
    }

    /// Whether this side has a controller.
    pub(super) fn has(&self, controller: &str) -> bool {
        match &self.programs {
            Programs::Ours(_) => true,
            Programs::Reference(binaries) => binaries.contains_key(controller),
        }
    }

    /// Returns the programs of all sides, for the record.
    pub(super) fn programs(subjects: &[Self]) -> impl Iterator<Item = (&'static str, &Path)> {
        subjects.iter().flat_map(|subject| {
            let paths: Vec<&Path> = match &subject.programs {
                Programs::Ours(binary) => vec![binary],
                Programs::Reference(binaries) => binaries.values().map(PathBuf::as_path).collect(),
            };
            paths.into_iter().map(|path| (subject.name, path))
        })
    }

    /// Starts a controller with its flags.
    pub(super) fn start(
        &self,
        controller: &str,
        flags: &[String],
        plane: &ControlPlane,
        log: &Path,
    ) -> anyhow::Result<MeasuredProcess> {
        let (program, words) = match &self.programs {
            Programs::Ours(binary) => (binary.clone(), vec!["controller", controller]),
            Programs::Reference(binaries) => {
                let binary = binaries.get(controller);
                let binary = binary.with_context(|| format!("no bench starts {controller}"))?;
                (binary.clone(), Vec::new())
            }
        };
        let arguments: Vec<String> = words
            .into_iter()
            .map(str::to_owned)
            .chain(flags.iter().cloned())
            .collect();
        MeasuredProcess::start(&program, &arguments, plane.kubeconfig(), log)
    }
}

/// A source-controller.
pub(super) struct SourceController {
    pub(super) process: MeasuredProcess,
    /// Port of its metrics.
    pub(super) metrics: u16,
}

impl SourceController {
    pub(super) fn start(
        subject: &Subject,
        plane: &ControlPlane,
        state: &Path,
        log: &Path,
        concurrent: usize,
    ) -> anyhow::Result<Self> {
        let storage = state.join("storage");
        std::fs::create_dir_all(&storage)?;
        let [metrics, health, files] = cluster::free_ports::<3>()?;
        let flags = [
            format!("--metrics-addr=127.0.0.1:{metrics}"),
            format!("--health-addr=127.0.0.1:{health}"),
            format!("--storage-path={}", storage.display()),
            format!("--storage-addr=127.0.0.1:{files}"),
            format!("--storage-adv-addr=127.0.0.1:{files}"),
            format!("--concurrent={concurrent}"),
        ];
        let process = subject.start("source-controller", &flags, plane, log)?;
        Ok(Self { process, metrics })
    }
}

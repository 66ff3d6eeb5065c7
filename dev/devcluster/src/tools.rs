//! Where the server binaries come from.
//!
//! Each is one of these, in this order: a file of that name in `KUBEBUILDER_ASSETS`; one that we
//! built before; one that we build now with the Go toolchain, from a module version that is pinned
//! in this crate, into a cache outside every repository. The pins are compiled in, so that a binary
//! installed without its source tree can build them too.
//!
//! The cache is `$SLUICE_CACHE_DIR`, else `sluice` in the XDG cache directory:
//! `tools/<module>-<hash of its pins>/<binary>`. A changed pin is another directory; nothing there is
//! ever changed in place.

mod build;
mod pins;

/// The folder beside a binary with files that it reads at run time.
const BESIDE: &str = "files";

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use pins::Tool;

use crate::error::Error;
use crate::files;
use sluice_system::fs;

/// What a [`Toolbox`] tells while it works, for a progress bar or a line on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A build begins.
    Building {
        /// What is built.
        tool: Tool,
        /// About how long that takes on two cores when nothing is cached.
        usually: Duration,
    },
    /// A build ended well.
    Built {
        /// What was built.
        tool: Tool,
        /// How long it took.
        took: Duration,
    },
}

impl std::fmt::Display for Progress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Building { tool, usually } => write!(
                formatter,
                "building {} {} from its pinned Go module (once; up to {} s on a cold cache)",
                tool.name(),
                tool.version(),
                usually.as_secs()
            ),
            Self::Built { tool, took } => {
                write!(
                    formatter,
                    "built {} in {:.1} s",
                    tool.name(),
                    took.as_secs_f64()
                )
            }
        }
    }
}

/// Finds and builds tools.
#[derive(Clone)]
pub struct Toolbox {
    assets: Option<PathBuf>,
    cache: PathBuf,
    progress: Arc<dyn Fn(Progress) + Send + Sync>,
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Toolbox")
            .field("assets", &self.assets)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

impl Toolbox {
    /// A toolbox as the environment describes it.
    ///
    /// Read here and not by a flag because tests have no flags, and `KUBEBUILDER_ASSETS` is the name
    /// under which controller developers know this already.
    #[expect(
        clippy::disallowed_methods,
        reason = "tests and xtask share this and have no flags"
    )]
    pub fn from_environment() -> Result<Self, Error> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let cache = variable("SLUICE_CACHE_DIR")
            .map(PathBuf::from)
            .or_else(|| variable("XDG_CACHE_HOME").map(|path| PathBuf::from(path).join("sluice")))
            .or_else(|| variable("HOME").map(|path| PathBuf::from(path).join(".cache/sluice")))
            .ok_or(Error::NoCacheDirectory)?;
        Ok(Self::new(
            variable("KUBEBUILDER_ASSETS").map(PathBuf::from),
            cache,
        ))
    }

    /// A toolbox over a directory of prebuilt binaries and a cache directory.
    pub fn new(assets: Option<PathBuf>, cache: PathBuf) -> Self {
        Self {
            assets,
            cache,
            progress: Arc::new(|_| {}),
        }
    }

    /// Says what is being built, and how long that takes.
    #[must_use]
    pub fn on_progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Arc::new(progress);
        self
    }

    /// The cache directory, under which a caller may keep a state of its own.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The path of a tool, built first if it must be.
    pub async fn path(&self, tool: Tool) -> Result<PathBuf, Error> {
        let toolbox = self.clone();
        tokio::task::spawn_blocking(move || toolbox.path_blocking(tool))
            .await
            .expect("looking for a tool does not panic")
    }

    /// [`Self::path`] for callers without a runtime.
    pub fn path_blocking(&self, tool: Tool) -> Result<PathBuf, Error> {
        if let Some(path) = self.existing(tool) {
            return Ok(path);
        }
        let directory = self.directory(tool);
        fs::create_dir_all(&directory)?;
        // Tests of several binaries start at once; the second waits here and then finds it built.
        let lock = files::lock(&directory.join(".lock"))?;
        if let Some(path) = self.existing(tool) {
            return Ok(path);
        }
        let started = std::time::Instant::now();
        (self.progress)(Progress::Building {
            tool,
            usually: tool.usually(),
        });
        let path = directory.join(tool.name());
        build::build(tool, &directory, &path)?;
        (self.progress)(Progress::Built {
            tool,
            took: started.elapsed(),
        });
        drop(lock);
        Ok(path)
    }

    /// The Stage documents that tell kwok how a fake node and its pods behave, as one file.
    pub(crate) async fn kwok_stages(&self) -> Result<PathBuf, Error> {
        let directory = self.directory(Tool::Kwok);
        tokio::task::spawn_blocking(move || {
            let path = directory.join("stages.yaml");
            if !path.is_file() {
                fs::create_dir_all(&directory)?;
                let _lock = files::lock(&directory.join(".lock"))?;
                build::collect_kwok_stages(&path)?;
            }
            Ok(path)
        })
        .await
        .expect("collecting stages does not panic")
    }

    /// The files that a tool reads at run time, if it is there and has some.
    pub fn files(&self, tool: Tool) -> Option<PathBuf> {
        let beside = self.existing(tool)?.parent()?.join(BESIDE);
        beside.is_dir().then_some(beside)
    }

    /// Whether a tool can be had without building it.
    pub fn has(&self, tool: Tool) -> bool {
        self.existing(tool).is_some()
    }

    fn existing(&self, tool: Tool) -> Option<PathBuf> {
        let asset = self
            .assets
            .as_ref()
            .map(|directory| directory.join(tool.name()));
        let built = self.directory(tool).join(tool.name());
        asset.into_iter().chain([built]).find(|path| path.is_file())
    }

    fn directory(&self, tool: Tool) -> PathBuf {
        let pin = tool.pin();
        self.cache
            .join("tools")
            .join(format!("{}-{}", pin.slug(), pin.hash()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prebuilt_binary_wins_over_building_and_only_for_itself() {
        let assets = tempfile::tempdir().unwrap();
        let cache = tempfile::tempdir().unwrap();
        fs::write(assets.path().join("etcd"), "").unwrap();
        let toolbox = Toolbox::new(Some(assets.path().to_owned()), cache.path().to_owned());
        assert_eq!(
            toolbox.path_blocking(Tool::Etcd).unwrap(),
            assets.path().join("etcd")
        );
        assert!(!toolbox.has(Tool::KubeApiserver));
    }

    #[test]
    fn a_built_binary_is_found_again_under_the_hash_of_its_pins() {
        let cache = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::new(None, cache.path().to_owned());
        let directory = toolbox.directory(Tool::Kubelet);
        assert_eq!(directory, toolbox.directory(Tool::KubeApiserver));
        assert_ne!(directory, toolbox.directory(Tool::Etcd));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("kubelet"), "").unwrap();
        assert_eq!(
            toolbox.path_blocking(Tool::Kubelet).unwrap(),
            directory.join("kubelet")
        );
    }

    #[test]
    fn progress_says_what_is_built_and_how_long_it_takes() {
        let line = Progress::Building {
            tool: Tool::KubeApiserver,
            usually: Tool::KubeApiserver.usually(),
        };
        assert_eq!(
            line.to_string(),
            "building kube-apiserver v1.36.3 from its pinned Go module (once; up to 190 s on a cold cache)"
        );
    }
}

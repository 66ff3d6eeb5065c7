//! Finds and builds the server binaries.
//!
//! A binary comes from `KUBEBUILDER_ASSETS`, else from the cache. Otherwise the Go toolchain builds
//! it into the cache, from a module version that this crate pins. The pins are compiled in, so an
//! installed binary can build tools, too.
//!
//! The cache is `$SLUICE_CACHE_DIR`, else `sluice` in the XDG cache directory. A tool is in
//! `tools/<module>-<hash of its pins>/<binary>`. A changed pin leads to another directory.

mod build;
mod pins;

/// Directory beside a binary, with its run-time files.
const FILES_DIRECTORY: &str = "files";

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use pins::Tool;

use crate::error::Error;
use crate::files;
use sluice_system::fs;

/// Progress of a [`Toolbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A build starts.
    Building {
        /// The tool.
        tool: Tool,
        /// Usual time on two cores with an empty cache.
        usual_time: Duration,
    },
    /// A build succeeded.
    Built {
        /// The tool.
        tool: Tool,
        /// The elapsed time.
        took: Duration,
    },
}

impl std::fmt::Display for Progress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Building { tool, usual_time } => write!(
                formatter,
                "building {} {} from its pinned Go module (once; up to {} s on a cold cache)",
                tool.name(),
                tool.version(),
                usual_time.as_secs()
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
    /// Creates a toolbox from environment variables, because tests have no flags. Kubernetes
    /// developers know `KUBEBUILDER_ASSETS` already.
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

    /// Creates a toolbox with a directory of prebuilt binaries and a cache directory.
    pub fn new(assets: Option<PathBuf>, cache: PathBuf) -> Self {
        Self {
            assets,
            cache,
            progress: Arc::new(|_| {}),
        }
    }

    /// Sets a callback for progress.
    #[must_use]
    pub fn on_progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Arc::new(progress);
        self
    }

    /// The cache directory, in which callers may store their own state.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Returns the path of a tool, building it first if necessary.
    pub async fn path(&self, tool: Tool) -> Result<PathBuf, Error> {
        let toolbox = self.clone();
        tokio::task::spawn_blocking(move || toolbox.path_blocking(tool))
            .await
            .expect("looking for a tool does not panic")
    }

    /// Returns the path like [`Self::path`], without a runtime.
    pub fn path_blocking(&self, tool: Tool) -> Result<PathBuf, Error> {
        if let Some(path) = self.existing(tool) {
            return Ok(path);
        }
        let directory = self.directory(tool);
        fs::create_dir_all(&directory)?;
        // Several test binaries start at once: the others wait for the first one's build.
        let lock = files::lock(&directory.join(".lock"))?;
        if let Some(path) = self.existing(tool) {
            return Ok(path);
        }
        let started = std::time::Instant::now();
        (self.progress)(Progress::Building {
            tool,
            usual_time: tool.usual_time(),
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

    /// Returns kwok's Stage documents for the fake node and its pods, as one file.
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

    /// Returns the directory of a tool's run-time files, if it exists.
    pub fn files(&self, tool: Tool) -> Option<PathBuf> {
        let beside = self.existing(tool)?.parent()?.join(FILES_DIRECTORY);
        beside.is_dir().then_some(beside)
    }

    /// Whether a tool is available without a build.
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
    fn prebuilt_binary_precedes_build() {
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
    fn built_binary_is_found_by_hash_of_pins() {
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
    fn progress_names_tool_and_usual_time() {
        let line = Progress::Building {
            tool: Tool::KubeApiserver,
            usual_time: Tool::KubeApiserver.usual_time(),
        };
        assert_eq!(
            line.to_string(),
            "building kube-apiserver v1.36.3 from its pinned Go module (once; up to 190 s on a cold cache)"
        );
    }
}

//! Reads and merges the kubeconfig files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kube::config::{Kubeconfig, KubeconfigError};

use super::Environment;

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The requested file does not exist.
    #[error("kubeconfig {path} does not exist", path = .0.display())]
    Missing(PathBuf),
    /// None of the listed files exists.
    #[error("none of the files in KUBECONFIG exists: {0}")]
    AllMissing(String),
    /// The file cannot be read or parsed.
    #[error("read kubeconfig {path}: {reason}", path = path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The file of the flag, else those of `KUBECONFIG`, else the default one, existing or not.
pub(super) fn paths(flag: Option<&Path>, environment: &Environment) -> Vec<PathBuf> {
    if let Some(path) = flag {
        return vec![path.to_owned()];
    }
    match &environment.kubeconfig {
        Some(list) => std::env::split_paths(list)
            .filter(|path| !path.as_os_str().is_empty())
            .collect(),
        None => default_path(environment).into_iter().collect(),
    }
}

/// Reads the file of the flag, else those of `KUBECONFIG`, else the default one.
/// `None` if no file was requested and the default one does not exist.
///
/// In a list the first definition of a name wins, and missing files are skipped. Relative paths are
/// relative to their file.
pub(super) fn read(
    flag: Option<&Path>,
    environment: &Environment,
) -> Result<Option<Kubeconfig>, FileError> {
    if let Some(path) = flag {
        return read_one(path)?
            .map(Some)
            .ok_or_else(|| FileError::Missing(path.to_owned()));
    }
    let paths = paths(flag, environment);
    if environment.kubeconfig.is_none() {
        return paths.first().map_or(Ok(None), |path| read_one(path));
    }
    let mut merged: Option<Kubeconfig> = None;
    for path in &paths {
        let Some(next) = read_one(path)? else {
            tracing::debug!(path = %path.display(), "kubeconfig of the list not found");
            continue;
        };
        merged = Some(match merged {
            None => next,
            Some(first) => first.merge(next).map_err(|error| unusable(path, &error))?,
        });
    }
    if merged.is_none() && !paths.is_empty() {
        let names: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(FileError::AllMissing(names.join(", ")));
    }
    Ok(merged)
}

/// `~/.kube/config`, if there is a home.
pub(super) fn default_path(environment: &Environment) -> Option<PathBuf> {
    environment
        .home
        .as_ref()
        .map(|home| home.join(".kube").join("config"))
}

fn read_one(path: &Path) -> Result<Option<Kubeconfig>, FileError> {
    // References in the file stay valid with an absolute path.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match Kubeconfig::read_from(&absolute) {
        Ok(kubeconfig) => Ok(Some(kubeconfig)),
        Err(KubeconfigError::ReadConfig(error, _)) if error.kind() == ErrorKind::NotFound => {
            Ok(None)
        }
        Err(error) => Err(unusable(path, &error)),
    }
}

fn unusable(path: &Path, error: &KubeconfigError) -> FileError {
    FileError::Unusable {
        path: path.to_owned(),
        reason: parse_reason(error),
    }
}

/// The first line of a parse error; the parser prints the location below it.
pub(super) fn parse_reason(error: &KubeconfigError) -> String {
    let text = match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        KubeconfigError::Parse(error) => error.to_string(),
        error => error.to_string(),
    };
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

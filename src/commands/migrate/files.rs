//! Migrates manifest files below the current directory: find, report, confirm, rewrite.
//!
//! Links are not followed. Their targets are found at their own path, or are outside.

use std::path::{Component, Path, PathBuf};

use sluice_lifecycle::Release;
use sluice_lifecycle::rewrite::TextVersions;
use sluice_system::fs;

use super::Args;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::Progress;
use crate::{CommandResult, Exit, output};
use sluice_golang::error::chain;

pub(super) fn migrate(args: &Args, path: &str, context: &Context) -> CommandResult {
    let progress = context.progress;
    let release = Release::parse(args.version.as_deref())?;
    let extensions: Vec<String> = args.extensions.concat();
    progress.action("starting migration of custom resources");
    let mut upgrades = Vec::new();
    for file in list(path, &extensions, progress)? {
        if let Some((text, found)) = look(&file, release, progress)? {
            upgrades.push((file, found.applied_to(&text)));
        }
    }
    if upgrades.is_empty() {
        progress.success("no custom resources found that require migration");
        return Ok(Exit::SUCCESS);
    }
    if args.dry_run {
        progress.success("dry-run mode enabled, no changes will be made");
        return Ok(Exit::SUCCESS);
    }
    let question = "Are you sure you want to proceed with the above upgrades";
    if !args.yes && !output::confirm_unless(question, "--yes")? {
        return Err(CommandError::user("aborting"));
    }
    for (file, text) in upgrades {
        let shown = file.display();
        // Writes in place, to preserve mode, owner and links of the file.
        fs::write(&file, text).map_err(|error| {
            CommandError::user(format!("failed to write file {shown}: {}", chain(&error)))
        })?;
        progress.success(format!("file {shown} migrated successfully"));
    }
    progress.success("custom resources migrated successfully");
    Ok(Exit::SUCCESS)
}

/// Reads a file and reports its outdated resources. Returns `None` if there are none.
fn look(
    file: &Path,
    release: Release,
    progress: Progress,
) -> Result<Option<(String, TextVersions)>, CommandError> {
    let shown = file.display();
    let bytes = fs::read(file).map_err(|error| {
        CommandError::user(format!("failed to read file {shown}: {}", chain(&error)))
    })?;
    let Ok(text) = String::from_utf8(bytes) else {
        progress.warning(format!("skipping {shown}: it is not UTF-8"));
        return Ok(None);
    };
    let found = TextVersions::in_text(&text, |group, kind| release.latest(group, kind));
    for (line, written) in &found.malformed {
        progress.warning(format!(
            "{shown}:{line}: unexpected GroupVersion string: {written}"
        ));
    }
    for upgrade in found.upgrades() {
        progress.generate(format!(
            "{shown}:{}: {} {} -> {}",
            upgrade.line, upgrade.kind, upgrade.old, upgrade.new
        ));
    }
    Ok((!found.is_empty()).then_some((text, found)))
}

/// Returns the files, sorted by name.
fn list(
    typed: &str,
    extensions: &[String],
    progress: Progress,
) -> Result<Vec<PathBuf>, CommandError> {
    let path = local(typed).ok_or_else(|| {
        CommandError::user(format!(
            "failed to stat path {typed}: it does not lie below the current directory"
        ))
        .hint("change to the directory of the manifests first")
    })?;
    let shown = path.display();
    let failed = |why: String| CommandError::user(format!("failed to stat path {shown}: {why}"));
    let unseen = |error: fs::Error| {
        let cause = if error.is_not_found() {
            format!("openat {shown}: no such file or directory")
        } else {
            error.io().to_string()
        };
        failed(cause).hint("set --path to a file or directory that exists")
    };
    let real = fs::canonicalize(&path).map_err(unseen)?;
    let current = fs::canonicalize(Path::new(".")).map_err(unseen)?;
    if !real.starts_with(current) {
        return Err(failed("it leads out of the current directory".to_owned()));
    }
    let metadata = fs::metadata(&real).map_err(unseen)?;
    if metadata.is_dir() {
        let mut files = Vec::new();
        walk(&path, extensions, progress, &mut files).map_err(|error| {
            CommandError::user(format!(
                "failed to walk directory {typed}: {}",
                chain(&error)
            ))
        })?;
        return Ok(files);
    }
    if !has_extension(&path, extensions) {
        return Err(CommandError::user(format!(
            "file {shown} does not match the specified extensions: {}",
            extensions.join(", ")
        )));
    }
    let is_regular = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
    if !is_regular {
        return Err(CommandError::user(format!("file {shown} is irregular")));
    }
    Ok(vec![path])
}

fn walk(
    directory: &Path,
    extensions: &[String],
    progress: Progress,
    files: &mut Vec<PathBuf>,
) -> Result<(), fs::Error> {
    for entry in fs::read_dir(directory)? {
        // Drops the `./` of paths below the current directory.
        let path = match entry.path.strip_prefix(".") {
            Ok(path) => path.to_owned(),
            Err(_) => entry.path,
        };
        if entry.file_type.is_dir() {
            walk(&path, extensions, progress, files)?;
        } else if has_extension(&path, extensions) {
            if entry.file_type.is_file() {
                files.push(path);
            } else {
                progress.warning(format!("skipping irregular file {}", path.display()));
            }
        }
    }
    Ok(())
}

fn has_extension(path: &Path, extensions: &[String]) -> bool {
    let path = path.to_string_lossy();
    extensions
        .iter()
        .any(|extension| path.ends_with(extension.as_str()))
}

/// Cleans a path. Returns `None` for a path outside the current directory.
fn local(typed: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in Path::new(typed).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    if path.as_os_str().is_empty() {
        path.push(".");
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_cleaned_and_stays_below() {
        for (typed, path) in [
            (".", Some(".")),
            ("./", Some(".")),
            ("./clusters/", Some("clusters")),
            ("clusters/../apps", Some("apps")),
            ("clusters/..", Some(".")),
            ("..", None),
            ("clusters/../../apps", None),
            ("/etc", None),
        ] {
            assert_eq!(local(typed), path.map(PathBuf::from), "{typed}");
        }
    }

    #[test]
    fn links_and_other_extensions_are_skipped() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("b")).unwrap();
        for file in ["b/x.yml", "a.yaml", "a.json"] {
            fs::write(path(file), "").unwrap();
        }
        fs::symlink("a.yaml", path("link.yaml")).unwrap();
        fs::symlink("b", path("other")).unwrap();
        let mut files = Vec::new();
        let extensions = [".yaml", ".yml"].map(str::to_owned);
        let quiet = Progress { quiet: true };
        walk(root.path(), &extensions, quiet, &mut files).unwrap();
        assert_eq!(files, [path("a.yaml"), path("b/x.yml")]);
    }
}

//! Runs the Go toolchain.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::pins::{GITEA_MODULE, KWOK_MODULE, Pin, Tool};
use crate::error::Error;
use crate::files;
use sluice_system::fs;

/// Number of output lines in an error.
const TAIL: usize = 30;

/// Stages in kwok's module, of a node and of pods that become ready at once. The node sends
/// heartbeats.
const KWOK_STAGES: [&str; 3] = [
    "kustomize/stage/node/fast",
    "kustomize/stage/node/heartbeat",
    "kustomize/stage/pod/fast",
];

/// Gitea's run-time files, for a build without embedded files.
const GITEA_FILES: [&str; 3] = ["options", "public", "templates"];

/// Builds a tool and renames it to `path`, so that a killed build leaves no binary. The caller
/// holds the lock.
pub(super) fn build(tool: Tool, directory: &Path, path: &Path) -> Result<(), Error> {
    let work = tempfile::Builder::new()
        .prefix(".build-")
        .tempdir_in(directory)
        .map_err(|source| Error::File {
            action: "create a directory in",
            path: directory.to_owned(),
            source,
        })?;
    let built = work.path().join(tool.name());
    let mut command = go();
    match tool.pin() {
        Pin::Module {
            go_mod,
            go_sum,
            source,
            stand_ins,
            linker_flags,
            ..
        } => {
            for (name, content) in [("go.mod", *go_mod), ("go.sum", *go_sum), *source] {
                fs::write(work.path().join(name), content)?;
            }
            for (name, content) in stand_ins.iter().flat_map(|archive| unpacked(archive)) {
                let path = work.path().join(name);
                fs::create_dir_all(path.parent().unwrap_or_else(|| work.path()))?;
                fs::write(path, content)?;
            }
            command
                .current_dir(work.path())
                .args(["build", "-mod=readonly", "-trimpath", "-ldflags"])
                .arg(format!("-s -w {linker_flags}").trim_end())
                .arg("-o")
                .arg(&built)
                .arg(tool.package());
        }
        Pin::Install { version, .. } => {
            command
                .current_dir(work.path())
                .env("GOBIN", work.path())
                .arg("install")
                .arg(format!("{}@{version}", tool.package()));
        }
    }
    run(tool.name(), command)?;
    if tool == Tool::Gitea {
        let module = downloaded("gitea's files", GITEA_MODULE)?;
        for folder in GITEA_FILES {
            let beside = directory.join(super::FILES_DIRECTORY).join(folder);
            fs::copy_dir_all(module.join(folder), beside)?;
        }
    }
    // `go install` names the binary of `…/kustomize/v5` `kustomize`, too.
    fs::rename(&built, path)?;
    Ok(())
}

/// Reads the files of a `txtar` archive, each after a line `-- NAME --`.
fn unpacked(archive: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = archive.split("\n-- ").skip(1);
    parts.filter_map(|part| part.split_once(" --\n"))
}

/// Writes kwok's Stage documents as one multi-document file.
pub(super) fn collect_kwok_stages(path: &Path) -> Result<(), Error> {
    let root = downloaded("kwok's stages", KWOK_MODULE)?;
    let mut documents = String::new();
    for stage in KWOK_STAGES {
        for entry in fs::read_dir(root.join(stage))? {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".yaml") && name != "kustomization.yaml" {
                documents.push_str("---\n");
                documents.push_str(&fs::read_to_string(&entry.path)?);
                documents.push('\n');
            }
        }
    }
    let partial = path.with_extension("partial");
    fs::write(&partial, documents)?;
    fs::rename(&partial, path)?;
    Ok(())
}

/// Downloads a module and returns its directory.
fn downloaded(what: &'static str, module: &str) -> Result<PathBuf, Error> {
    let mut download = go();
    download
        .args(["mod", "download", "-json", module])
        .current_dir("/");
    let printed = run(what, download)?;
    let module: serde_json::Value = serde_json::from_str(&printed).unwrap_or_default();
    Ok(PathBuf::from(module["Dir"].as_str().unwrap_or_default()))
}

fn go() -> Command {
    #[expect(clippy::disallowed_methods, reason = "this module builds pinned tools")]
    let mut command = Command::new("go");
    // `local` prevents the download of another toolchain.
    command
        .env("GOTOOLCHAIN", "local")
        .env("CGO_ENABLED", "0")
        .env("GOWORK", "off");
    command
        .env_remove("GOOS")
        .env_remove("GOARCH")
        .env_remove("GO111MODULE");
    command
}

fn run(tool: &'static str, mut command: Command) -> Result<String, Error> {
    let output = command.output().map_err(|source| Error::NoGo {
        tool,
        reason: source.to_string(),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(Error::Build {
        tool,
        status: output.status,
        output: files::last_lines(&text, TAIL),
    })
}

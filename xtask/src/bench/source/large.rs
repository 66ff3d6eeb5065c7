//! A new commit in a large repository, beside `git clone --depth 1` with tar, and beside the
//! compression of the archive alone.

use std::cell::Cell;
use std::fmt;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_artifact::deflate::GzipWriter;
use sluice_client::{Cluster, PatchOptions};
use sluice_testkit::GitBackend;

use super::wire::Wire;
use super::{Args, create, until};
use crate::bench::cluster::{NAMESPACE, source_kind};
use crate::bench::controller::SourceController;

pub(in crate::bench) const NAME: &str = "large";
/// Every file is incompressible.
const FILE: usize = 2 << 10;
/// Files of one directory.
const SIBLINGS: usize = 500;
/// Files that a commit changes.
const CHANGED: usize = 2000;
/// Directory of the clone.
const CHECKOUT: &str = "clone";
const TIMEOUT: Duration = Duration::from_mins(15);

/// One way from a commit to an archive.
#[derive(Clone, Copy, Default)]
struct Cost {
    took: Duration,
    bytes: u64,
    anonymous_mib: f64,
}

pub(super) struct Large {
    first: Cost,
    commit: Cost,
    clone: Cost,
    /// The same content, compressed from memory on one core.
    compression: Duration,
}

impl Large {
    pub(super) fn to_value(&self) -> Value {
        let cost = |cost: &Cost| {
            json!({
                "seconds": cost.took.as_secs_f64(),
                "bytes": cost.bytes,
                "anonymousMiB": cost.anonymous_mib,
            })
        };
        json!({
            "first": cost(&self.first),
            "newCommit": cost(&self.commit),
            "cloneAndTar": cost(&self.clone),
            "compressionAlone": { "seconds": self.compression.as_secs_f64() },
        })
    }
}

impl fmt::Display for Large {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |cost: &Cost| {
            format!(
                "{:.1} s, {} KiB on the wire",
                cost.took.as_secs_f64(),
                cost.bytes >> 10
            )
        };
        writeln!(
            f,
            "large repository, first artifact: {}, {:.0} MiB of anonymous memory",
            row(&self.first),
            self.first.anonymous_mib
        )?;
        writeln!(
            f,
            "large repository, new commit: {}, {:.0} MiB of anonymous memory",
            row(&self.commit),
            self.commit.anonymous_mib
        )?;
        writeln!(f, "git clone --depth 1 and tar: {}", row(&self.clone))?;
        write!(
            f,
            "compression alone: {:.1} s",
            self.compression.as_secs_f64()
        )
    }
}

pub(super) async fn measure(
    args: &Args,
    cluster: &Cluster,
    controller: &SourceController,
    state: &Path,
) -> anyhow::Result<Large> {
    let server = GitBackend::start().await;
    let repository = server.root().join(NAME);
    let (files, history) = (args.files, args.history << 20);
    let path = repository.clone();
    tokio::task::spawn_blocking(move || fill(&path, files, history)).await??;
    let authority: http::Uri = server.url("").parse()?;
    let port = authority.port_u16().context("the server has no port")?;
    let wire = Wire::to(([127, 0, 0, 1], port).into()).await?;
    let url = wire.url(NAME);

    let mut most = Cell::new(0.0_f64);
    let look = || {
        most.set(most.get().max(controller.process.anonymous_mib()?));
        Ok(())
    };
    let spec = json!({
        "interval": "60m", "url": url, "timeout": "600s", "ref": { "branch": "main" },
    });
    let began = Instant::now();
    create(cluster, NAME, &spec).await?;
    until(cluster, NAME, TIMEOUT, look, |_| true).await?;
    let first = Cost {
        took: began.elapsed(),
        bytes: wire.bytes(),
        anonymous_mib: most.replace(0.0),
    };

    let path = repository.clone();
    let id = tokio::task::spawn_blocking(move || commit(&path)).await??;
    let before = wire.bytes();
    let began = Instant::now();
    let request = json!({ "metadata": { "annotations": {
        "reconcile.fluxcd.io/requestedAt": "now",
    } } });
    let options = PatchOptions::default();
    cluster
        .merge(&source_kind(), Some(NAMESPACE), NAME, &request, options)
        .await?;
    let look = || {
        most.set(most.get().max(controller.process.anonymous_mib()?));
        Ok(())
    };
    until(cluster, NAME, TIMEOUT, look, |object| {
        let revision = object["status"]["artifact"]["revision"].as_str();
        revision.is_some_and(|revision| revision.ends_with(&id))
    })
    .await?;
    let commit = Cost {
        took: began.elapsed(),
        bytes: wire.bytes() - before,
        anonymous_mib: *most.get_mut(),
    };

    let before = wire.bytes();
    let state = state.to_owned();
    let (took, compression) = tokio::task::spawn_blocking(move || {
        let took = clone(&url, &state)?;
        anyhow::Ok((took, compression(&state)?))
    })
    .await??;
    let clone = Cost {
        took,
        bytes: wire.bytes() - before,
        ..Cost::default()
    };
    Ok(Large {
        first,
        commit,
        clone,
        compression,
    })
}

fn git(repository: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"])
        .current_dir(repository)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}

fn run(command: &mut Command) -> anyhow::Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {said}");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn file_name(index: usize) -> String {
    format!("apps/{:04}/{index:06}.bin", index / SIBLINGS)
}

/// Creates a tree and commits until the history has its size.
pub(in crate::bench) fn fill(
    repository: &Path,
    files: usize,
    history: usize,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(repository)?;
    run(git(repository).args(["init", "--quiet", "--bare", "--initial-branch=main"]))?;
    let mut import = git(repository)
        .args(["-c", "core.compression=0", "fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .context("start git fast-import")?;
    let mut stream = BufWriter::new(import.stdin.take().context("no pipe")?);
    // A fixed seed gives the same repository.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut written = 0;
    let mut next = 0;
    while written == 0 || written + CHANGED * FILE <= history {
        let changed = if written == 0 {
            files
        } else {
            CHANGED.min(files)
        };
        writeln!(stream, "commit refs/heads/main")?;
        writeln!(stream, "committer bench <bench@localhost> 1700000000 +0000")?;
        writeln!(stream, "data 6\nChange")?;
        for _ in 0..changed {
            write!(
                stream,
                "M 100644 inline {}\ndata {FILE}\n",
                file_name(next % files)
            )?;
            for _ in 0..FILE / 8 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                stream.write_all(&state.to_le_bytes())?;
            }
            writeln!(stream)?;
            next += 1;
        }
        written += changed * FILE;
    }
    stream.flush()?;
    drop(stream);
    ensure!(import.wait()?.success(), "git fast-import failed");
    Ok(())
}

/// Changes one file.
fn commit(repository: &Path) -> anyhow::Result<String> {
    let mut import = git(repository)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stream = import.stdin.take().context("no pipe")?;
    let name = file_name(0);
    let text = format!(
        "commit refs/heads/main\ncommitter bench <bench@localhost> 1700000001 +0000\n\
         data 3\nOne\nfrom refs/heads/main^0\nM 100644 inline {name}\ndata 4\nnew\n\n"
    );
    stream.write_all(text.as_bytes())?;
    drop(stream);
    ensure!(import.wait()?.success(), "git fast-import failed");
    run(git(repository).args(["rev-parse", "refs/heads/main"]))
}

/// Clones for every commit, as a simple controller would.
fn clone(url: &str, state: &Path) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let checkout = state.join(CHECKOUT);
    run(git(state)
        .args(["clone", "--quiet", "--depth", "1", url])
        .arg(&checkout))?;
    let archive = state.join("clone.tar.gz");
    run(Command::new("tar")
        .args(["--create", "--gzip", "--exclude=.git", "--file"])
        .arg(&archive)
        .arg("--directory")
        .arg(&checkout)
        .arg("."))?;
    Ok(began.elapsed())
}

/// Compresses that checkout.
fn compression(state: &Path) -> anyhow::Result<Duration> {
    let archive = Command::new("tar")
        .args(["--create", "--exclude=.git", "--directory"])
        .arg(state.join(CHECKOUT))
        .arg(".")
        .output()?;
    ensure!(archive.status.success(), "tar failed");
    let began = Instant::now();
    let mut gzip = GzipWriter::new(std::io::sink());
    gzip.write_all(&archive.stdout)?;
    gzip.finish()?;
    Ok(began.elapsed())
}

//! Builds the release binary reproducibly.
//!
//! A compiler writes the paths of its inputs into its output. The build replaces them by fixed
//! names: `/sluice` for the checkout, `/cargo` for cargo's home, `/rust` for the toolchain. It
//! ignores flags of the machine's configuration. The bytes depend on the commit and on the
//! compilers and the linker, which [`toolchain`] lists.
//!
//! Start at [`Build`]; `cargo xtask reproduce` proves it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context as _, bail, ensure};

/// Separates the words of `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

/// Variables that could change the compilation.
const FOREIGN: [&str; 10] = [
    "RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CPPFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "HOST_CFLAGS",
    "TARGET_CFLAGS",
];

/// Links statically. Packed relocations save 1.6 MiB that every process would read and hold.
pub(crate) const STATIC: [&str; 6] = [
    "-C",
    "target-feature=+crt-static",
    "-C",
    "strip=symbols",
    "-C",
    "link-arg=-Wl,-z,pack-relative-relocs",
];

/// The flags of `.cargo/config.toml`, which the flags of a build replace.
const COMPILED: [&str; 4] = ["-C", "relro-level=partial", "-C", "link-arg=-Wl,-z,now"];

/// One build of the static release binary.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// The target directory.
    pub(crate) target: PathBuf,
    /// Additional environment variables.
    pub(crate) environment: Vec<(&'static str, &'static str)>,
}

impl Build {
    /// Creates a build of this checkout.
    pub(crate) fn of_this_checkout() -> anyhow::Result<Self> {
        let target = cargo_metadata::MetadataCommand::new()
            .no_deps()
            .exec()?
            .target_directory;
        Ok(Self {
            root: crate::repository().to_owned(),
            // The flags differ from a usual build, so the target directory is a separate one.
            target: target.join("shipped").into(),
            environment: Vec::new(),
        })
    }

    /// Builds the binary and returns its path.
    pub(crate) fn run(&self) -> anyhow::Result<PathBuf> {
        let renamed = self.renamed_paths()?;
        let rust: Vec<String> = renamed
            .iter()
            .map(|(from, to)| format!("--remap-path-prefix={from}={to}"))
            .chain(COMPILED.map(str::to_owned))
            .collect();
        let c: Vec<String> = renamed
            .iter()
            .map(|(from, to)| format!("-ffile-prefix-map={from}={to}"))
            .collect();
        let mut command = Command::new("cargo");
        for name in FOREIGN {
            command.env_remove(name);
        }
        let status = command
            .current_dir(&self.root)
            .args(["rustc", "--locked", "--release"])
            .args(["--package", "sluice", "--bin", "sluice", "--"])
            .args(STATIC)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_ENCODED_RUSTFLAGS", rust.join(SEPARATOR))
            .env("CFLAGS", c.join(" "))
            .env("SOURCE_DATE_EPOCH", source_date(&self.root).to_string())
            .envs(self.environment.iter().copied())
            .status()
            .context("start cargo rustc")?;
        ensure!(
            status.success(),
            "cargo rustc of the release binary in {} failed: {status}",
            self.root.display()
        );
        Ok(self.target.join("release/sluice"))
    }

    /// Returns the renamed paths. The last matching one applies.
    pub(crate) fn renamed_paths(&self) -> anyhow::Result<Vec<(String, &'static str)>> {
        let text = |path: PathBuf| -> anyhow::Result<String> {
            let path = path
                .into_os_string()
                .into_string()
                .map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
            // The C compiler's flags are words of one variable, and `=` separates the two names.
            if path.contains([' ', '=']) {
                bail!("build in a directory without blanks and `=` in its path: {path}");
            }
            Ok(path)
        };
        let sysroot = PathBuf::from(output("rustc", &["--print", "sysroot"], &self.root)?);
        Ok(vec![
            (text(sysroot)?, "/rust"),
            (text(cargo_home()?)?, "/cargo"),
            (text(self.root.clone())?, "/sluice"),
            (text(self.target.clone())?, "/sluice/target"),
        ])
    }
}

/// Returns cargo's home, which contains the sources of dependencies.
fn cargo_home() -> anyhow::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    variable("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cargo")))
        .context("neither CARGO_HOME nor HOME is set")
}

/// Returns the time of all shipped files, in seconds since the epoch: `SOURCE_DATE_EPOCH`, else the
/// time of the commit, else the epoch.
pub(crate) fn source_date(root: &Path) -> u64 {
    let of_commit = || {
        output("git", &["log", "-1", "--format=%ct"], root)
            .ok()?
            .parse()
            .ok()
    };
    wanted_date().or_else(of_commit).unwrap_or(0)
}

/// Returns the time of `SOURCE_DATE_EPOCH`, if set.
pub(crate) fn wanted_date() -> Option<u64> {
    std::env::var("SOURCE_DATE_EPOCH").ok()?.parse().ok()
}

/// Returns today's date in UTC.
pub(crate) fn today() -> anyhow::Result<String> {
    let now = jiff::Timestamp::try_from(SystemTime::now())?;
    Ok(now.strftime("%Y-%m-%d").to_string())
}

/// Lists the tools that determine the bytes besides the commit.
pub(crate) fn toolchain(root: &Path) -> anyhow::Result<Vec<String>> {
    let first = |program: &str, arguments: &[&str]| -> anyhow::Result<String> {
        let said = output(program, arguments, root)?;
        Ok(said.lines().next().unwrap_or_default().to_owned())
    };
    Ok(vec![
        first("rustc", &["--version"])?,
        first("cc", &["--version"])?,
        first("ld", &["--version"])?,
        first("ldd", &["--version"])?,
    ])
}

/// Returns the output of a program without its last line break.
pub(crate) fn output(
    program: &str,
    arguments: &[&str],
    directory: &Path,
) -> anyhow::Result<String> {
    let done = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .with_context(|| format!("start {program}"))?;
    ensure!(
        done.status.success(),
        "{program} {} ended with {}: {}",
        arguments.join(" "),
        done.status,
        String::from_utf8_lossy(&done.stderr).trim()
    );
    Ok(String::from_utf8(done.stdout)?.trim_end().to_owned())
}

/// Runs an installed cargo tool in the repository, with the given time as that of the build.
pub(crate) fn run_tool(
    name: &str,
    epoch: u64,
    configure: impl FnOnce(&mut Command),
) -> anyhow::Result<()> {
    let mut command = Command::new(name);
    command
        .current_dir(crate::repository())
        .env("SOURCE_DATE_EPOCH", epoch.to_string())
        .stdout(Stdio::null());
    configure(&mut command);
    let status = command.status().with_context(|| {
        format!("failed to start {name}\nhint: cargo install --locked {name} (docs/release.md)")
    })?;
    ensure!(status.success(), "{name} ended with {status}");
    Ok(())
}

/// The SHA-256 of some bytes, as hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    sluice_digest::Digest::of(bytes).hex().to_owned()
}

#[cfg(test)]
mod tests {
    use super::COMPILED;

    #[test]
    fn a_shipped_build_is_compiled_as_any_other() {
        let configured = include_str!("../../.cargo/config.toml");
        assert!(configured.contains(&format!("rustflags = {COMPILED:?}")));
    }
}

//! The Debian package, built by `cargo deb` from `[package.metadata.deb]` of the root `Cargo.toml`.
//!
//! The package does not contain `flux`, because another package may own that name.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use anyhow::Context as _;

use crate::binary::run_tool;

/// Builds the package of a static binary.
pub(super) fn package(binary: &[u8], version: &str, epoch: u64) -> anyhow::Result<Vec<u8>> {
    let target = tempfile::tempdir()?;
    let release = target.path().join("release");
    let program = release.join("sluice");
    fs::create_dir(&release)?;
    fs::write(&program, binary)?;
    fs::set_permissions(&program, Permissions::from_mode(0o755))?;
    symlink("sluice", release.join("kubectl-sluice"))?;
    let path = target.path().join("sluice.deb");
    run_tool("cargo-deb", epoch, |command| {
        command
            .args(["--package", "sluice", "--no-build", "--no-strip"])
            .args(["--no-dbgsym", "--locked", "--offline", "--quiet"])
            .args(["--deb-version", &debian_version(version), "--output"])
            .arg(&path)
            .env("CARGO_TARGET_DIR", target.path());
    })?;
    fs::read(&path).with_context(|| format!("read {}", path.display()))
}

/// Converts a version, so that `1.2.3-rc.1` sorts before `1.2.3`.
fn debian_version(version: &str) -> String {
    version.replace('-', "~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::output;
    use crate::release::tests::{contents, has_tool};

    /// Runs `dpkg-deb` on a package; `None` without the tools.
    fn read_by_dpkg(calls: &[&[&str]]) -> Option<Vec<String>> {
        if !has_tool("cargo-deb") || !has_tool("dpkg-deb") {
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sluice.deb");
        let package = package(&contents().binary, "1.2.3-rc.1", 1_700_000_000).unwrap();
        fs::write(&path, package).unwrap();
        let read = |arguments: &&[&str]| {
            let mut arguments = arguments.to_vec();
            arguments.insert(1, path.to_str().unwrap());
            output("dpkg-deb", &arguments, directory.path()).unwrap()
        };
        Some(calls.iter().map(read).collect())
    }

    #[test]
    fn package_has_fields_and_files_where_debian_looks() {
        let Some(read) = read_by_dpkg(&[
            &["--field", "Package"],
            &["--field", "Version"],
            &["--field", "Architecture"],
            &["--contents"],
        ]) else {
            return;
        };
        assert_eq!(read[..3], ["sluice", "1.2.3~rc.1", "amd64"]);
        let listed = &read[3];
        for (mode, path) in [
            ("-rwxr-xr-x", "usr/bin/sluice"),
            ("lrwxrwxrwx", "usr/bin/kubectl-sluice -> sluice"),
            ("-rw-r--r--", "usr/share/man/man1/sluice.1.gz"),
            ("-rw-r--r--", "usr/share/bash-completion/completions/sluice"),
            ("-rw-r--r--", "usr/share/zsh/vendor-completions/_sluice"),
            (
                "-rw-r--r--",
                "usr/share/fish/vendor_completions.d/sluice.fish",
            ),
            ("-rw-r--r--", "usr/share/doc/sluice/copyright"),
            ("-rw-r--r--", "usr/share/doc/sluice/changelog.Debian.gz"),
        ] {
            assert!(
                listed
                    .lines()
                    .any(|line| line.starts_with(mode) && line.ends_with(&format!("/{path}"))),
                "{path} in\n{listed}"
            );
        }
        assert!(!listed.contains("bin/flux"), "{listed}");
        for line in listed.lines() {
            assert_eq!(line.split_whitespace().nth(1), Some("0/0"), "{line}");
        }
    }

    #[test]
    fn packages_of_one_binary_are_equal() {
        if has_tool("cargo-deb") {
            let build = || package(&contents().binary, "1.2.3", 1_700_000_000).unwrap();
            assert!(build() == build());
        }
    }
}

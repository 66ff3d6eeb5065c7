//! A Debian package, written without Debian's tools: an `ar` of two tarballs.
//!
//! The binary is static, so it depends on nothing; certificates and completion are recommended.
//! `flux` is no name that the package takes: another one may have it, and the user decides.

use std::fmt::Write as _;

use super::Contents;
use crate::tarball::{Tarball, gzip};

/// The package, as bytes.
pub(super) fn package(contents: &Contents, epoch: u64) -> anyhow::Result<Vec<u8>> {
    let files = files(contents)?;
    let mut data = Tarball::new(epoch);
    for directory in directories(&files) {
        data.directory(&directory, 0o755, 0)?;
    }
    for file in &files {
        match &file.content {
            Content::Bytes { mode, bytes } => data.file(&file.path, *mode, bytes)?,
            Content::Link(target) => data.link(&file.path, target)?,
        }
    }
    let mut control = Tarball::new(epoch);
    control.file("control", 0o644, control_file(contents, &files).as_bytes())?;
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&control.finish()?)?),
        ("data.tar.gz", gzip(&data.finish()?)?),
    ] {
        let size = bytes.len();
        archive.extend_from_slice(
            format!(
                "{name:<16}{epoch:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
                0, 0, "100644"
            )
            .as_bytes(),
        );
        archive.extend_from_slice(&bytes);
        if size % 2 == 1 {
            archive.push(b'\n');
        }
    }
    Ok(archive)
}

struct File {
    path: String,
    content: Content,
}

enum Content {
    Bytes { mode: u32, bytes: Vec<u8> },
    Link(&'static str),
}

impl File {
    fn new(path: impl Into<String>, mode: u32, bytes: &[u8]) -> Self {
        Self {
            path: path.into(),
            content: Content::Bytes {
                mode,
                bytes: bytes.to_vec(),
            },
        }
    }
}

/// Everything in the package, where Debian's policy wants it, by path.
fn files(contents: &Contents) -> anyhow::Result<Vec<File>> {
    let mut files = vec![
        File::new("usr/bin/sluice", 0o755, &contents.binary),
        File {
            path: "usr/bin/kubectl-sluice".to_owned(),
            content: Content::Link("sluice"),
        },
        File::new(
            "usr/share/doc/sluice/copyright",
            0o644,
            &[contents.notice.as_slice(), b"\n", &contents.licence].concat(),
        ),
        File::new(
            "usr/share/doc/sluice/changelog.gz",
            0o644,
            &gzip(&contents.changelog)?,
        ),
    ];
    for (shell, place) in [
        ("bash", "usr/share/bash-completion/completions/sluice"),
        ("fish", "usr/share/fish/vendor_completions.d/sluice.fish"),
        ("zsh", "usr/share/zsh/vendor-completions/_sluice"),
    ] {
        if let Some(script) = contents.completions.get(&format!("sluice.{shell}")) {
            files.push(File::new(place, 0o644, script));
        }
    }
    for (name, page) in &contents.manual {
        files.push(File::new(
            format!("usr/share/man/man1/{name}.gz"),
            0o644,
            &gzip(page)?,
        ));
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Every directory above the files, the higher one first.
fn directories(files: &[File]) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    for file in files {
        let mut path = file.path.as_str();
        while let Some((directory, _)) = path.rsplit_once('/') {
            found.insert(directory.to_owned());
            path = directory;
        }
    }
    found.into_iter().collect()
}

fn control_file(contents: &Contents, files: &[File]) -> String {
    let size: usize = files
        .iter()
        .map(|file| match &file.content {
            Content::Bytes { bytes, .. } => bytes.len().div_ceil(1024),
            Content::Link(_) => 1,
        })
        .sum();
    let mut text = String::new();
    for (field, value) in [
        ("Package", "sluice"),
        // A tilde sorts before the release itself.
        ("Version", contents.version.replace('-', "~").as_str()),
        ("Architecture", "amd64"),
        ("Maintainer", "The sluice developers"),
        ("Installed-Size", size.to_string().as_str()),
        ("Recommends", "ca-certificates"),
        ("Suggests", "bash-completion"),
        ("Section", "admin"),
        ("Priority", "optional"),
    ] {
        let _ = writeln!(text, "{field}: {value}");
    }
    text.push_str(
        "Description: Flux CD in one binary\n \
         The command line, every controller of the GitOps Toolkit that it serves, and what\n \
         brings them into a cluster. kubectl finds it as the plugin `kubectl sluice`.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::output;
    use crate::release::tests::contents;

    /// dpkg itself reads it, where there is one.
    fn read_by_dpkg(arguments: &[&str]) -> Option<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sluice.deb");
        std::fs::write(&path, package(&contents(), 1_700_000_000).unwrap()).unwrap();
        let mut arguments = arguments.to_vec();
        arguments.insert(1, path.to_str().unwrap());
        if output("dpkg-deb", &["--version"], directory.path()).is_err() {
            assert!(
                std::env::var_os("REQUIRE_ORACLES").is_none(),
                "REQUIRE_ORACLES is set and there is no dpkg-deb"
            );
            eprintln!("skipped: no dpkg-deb to read a package with");
            return None;
        }
        Some(output("dpkg-deb", &arguments, directory.path()).unwrap())
    }

    #[test]
    fn dpkg_reads_what_the_package_is() {
        for (field, value) in [
            ("Package", "sluice"),
            ("Version", "1.2.3"),
            ("Architecture", "amd64"),
        ] {
            if let Some(read) = read_by_dpkg(&["--field", field]) {
                assert_eq!(read, value);
            }
        }
    }

    #[test]
    fn programs_pages_and_completions_are_where_debian_looks_and_belong_to_root() {
        let Some(listed) = read_by_dpkg(&["--contents"]) else {
            return;
        };
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
            ("-rw-r--r--", "usr/share/doc/sluice/changelog.gz"),
        ] {
            assert!(
                listed
                    .lines()
                    .any(|line| line.starts_with(mode) && line.ends_with(&format!(" {path}"))),
                "{path} in\n{listed}"
            );
        }
        assert!(!listed.contains("bin/flux"), "{listed}");
        for line in listed.lines() {
            assert_eq!(line.split_whitespace().nth(1), Some("0/0"), "{line}");
        }
    }

    #[test]
    fn a_package_that_dpkg_installed_answers_kubectl_s_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sluice.deb");
        std::fs::write(&path, package(&contents(), 0).unwrap()).unwrap();
        let root = directory.path().join("root");
        let arguments = ["--extract", path.to_str().unwrap(), root.to_str().unwrap()];
        if read_by_dpkg(&["--info"]).is_none() {
            return;
        }
        output("dpkg-deb", &arguments, directory.path()).unwrap();
        let plugin = root.join("usr/bin/kubectl-sluice");
        let said = output(plugin.to_str().unwrap(), &[], directory.path()).unwrap();
        assert_eq!(said, "flux: v2.9.4\nsluice: v1.2.3");
    }

    #[test]
    fn a_version_before_a_release_sorts_before_it() {
        let mut contents = contents();
        contents.version = "1.2.3-rc.1".to_owned();
        assert!(control_file(&contents, &[]).contains("\nVersion: 1.2.3~rc.1\n"));
    }
}

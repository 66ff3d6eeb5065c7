//! `cargo xtask release`: all files of a release, in one folder.
//!
//! A release has tarballs, a Debian package, the image as a layout tar, the bill of materials and
//! the checksums. It also has the manifests of an installation, schemas of our kinds and the
//! installer. The list of checksums is signed if there is a key. Equal binaries give equal files:
//! times are those of the commit; order, owners and modes are fixed. Only the signature has a
//! random part.
//!
//! [`files`] lists them; all are built before the first one is written. `docs/release.md` describes
//! the steps from a tag to users. Tests of `install.sh` and of the action install these files.

mod deb;
pub(crate) mod sbom;
mod schemas;

#[cfg(test)]
mod action_tests;
#[cfg(test)]
mod install_tests;
#[cfg(test)]
mod release_server;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::binary::{self, Build, sha256};
use crate::image;
use crate::signature::{self, Signer};
use crate::tarball::{Tarball, gzip};
use sbom::Bill;

/// Maximum size of the binary. It is two percent above the size of the last measurement in
/// `docs/dependencies.md`. A change that needs more measures again.
const MAX_BINARY_BYTES: usize = 75_200_000;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Output directory, which must not exist
    #[arg(long, default_value = "target/release-files")]
    output: PathBuf,
    /// Use this static binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Registry of our images in the manifests
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY)]
    registry: String,
    /// URL of the releases, for the published installer
    #[arg(long, value_name = "URL")]
    release_url: Option<String>,
    /// CA bundle of the image
    #[arg(long, default_value = image::CA_BUNDLE)]
    ca_bundle: PathBuf,
}

/// Contents of packages.
pub(crate) struct Contents {
    /// Version without the `v`.
    pub(crate) version: String,
    pub(crate) binary: Vec<u8>,
    pub(crate) licence: Vec<u8>,
    pub(crate) notice: Vec<u8>,
    /// Scripts by file name, `PROGRAM.SHELL`.
    pub(crate) completions: BTreeMap<String, Vec<u8>>,
    /// Pages by file name.
    pub(crate) manual: BTreeMap<String, Vec<u8>>,
}

impl Contents {
    fn of(root: &Path, binary: Vec<u8>) -> anyhow::Result<Self> {
        let read = |name: &str| {
            let path = root.join(name);
            fs::read(&path).with_context(|| format!("read {}", path.display()))
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            binary,
            licence: read("LICENSE")?,
            notice: read("NOTICE")?,
            completions: folder(&root.join("completions"))?,
            manual: folder(&root.join("man"))?,
        })
    }
}

/// Reads the files of a folder by name.
fn folder(path: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let entries = fs::read_dir(path).with_context(|| format!("read {}", path.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path())?);
    }
    Ok(files)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = crate::repository();
    ensure!(
        !args.output.exists(),
        "{} exists\nhint: remove it, or set --output",
        args.output.display()
    );
    // Fails before a build of several minutes if the key is not usable.
    let signer = Signer::from_environment()?;
    let path = match &args.binary {
        Some(path) => path.clone(),
        None => Build::of_this_checkout()?.run()?,
    };
    let binary = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    check_size(binary.len())?;
    let epoch = binary::source_date(root);
    let bill = Bill::of(root, epoch)?;
    bill.covers(&binary)?;
    let contents = Contents::of(root, binary)?;
    let mut files = files(&contents, epoch)?;
    let version = &contents.version;
    files.insert(
        format!("sluice_{version}_amd64.deb"),
        deb::package(&contents.binary, version, epoch)?,
    );
    files.insert(
        format!("sluice_{version}_sbom.cdx.json"),
        bill.document(&contents.binary)?,
    );
    let ca_bundle = fs::read(&args.ca_bundle)
        .with_context(|| format!("read the CA bundle {}", args.ca_bundle.display()))?;
    files.insert(
        format!("sluice_{version}_linux_amd64_image.tar"),
        image::layout(&image::Input {
            binary: &contents.binary,
            ca_bundle: &ca_bundle,
            registry: &args.registry,
            tag: &format!("v{version}"),
            epoch,
            compressed: true,
        })?,
    );
    files.insert("install.yaml".to_owned(), manifests(&args.registry)?);
    files.insert("crd-schemas.tar.gz".to_owned(), schemas::archive(epoch)?);
    files.insert(
        "install.sh".to_owned(),
        installer(
            &fs::read_to_string(root.join("install.sh")).context("read install.sh")?,
            args.release_url.as_deref(),
            signer.as_ref(),
        )?,
    );
    sign(&mut files, version, signer.as_ref())?;
    write(&args.output, &files)?;
    for (name, bytes) in &files {
        println!(
            "{}  {name}  {} KiB",
            sha256(bytes),
            bytes.len().div_ceil(1024)
        );
    }
    match &signer {
        Some(signer) => print!("signed; the public key is\n{}", signer.public_key()?),
        None => println!(
            "not signed: {} is not set\nhint: a published release needs a signature (docs/release.md)",
            signature::VARIABLE
        ),
    }
    Ok(())
}

/// Rejects a binary that has grown too much.
fn check_size(bytes: usize) -> anyhow::Result<()> {
    ensure!(
        bytes <= MAX_BINARY_BYTES,
        "the binary has {bytes} bytes, limit {MAX_BINARY_BYTES}\n\
         hint: `cargo tree --duplicates` and docs/dependencies.md show what it consists of"
    );
    Ok(())
}

/// Returns the published installer, which contains the URL of releases and the public key.
pub(crate) fn installer(
    text: &str,
    url: Option<&str>,
    signer: Option<&Signer>,
) -> anyhow::Result<Vec<u8>> {
    let mut text = text.to_owned();
    let key = signer.map(Signer::public_key).transpose()?;
    for (constant, value) in [("RELEASE_URL", url), ("RELEASE_KEY", key.as_deref())] {
        let Some(value) = value else { continue };
        let value = value.trim_end();
        ensure!(
            !value.contains(['"', '$', '`', '\\']),
            "{constant} cannot be {value}"
        );
        let empty = format!("\n{constant}=\"\"\n");
        ensure!(
            text.contains(&empty),
            "install.sh has no line {constant}=\"\""
        );
        text = text.replacen(&empty, &format!("\n{constant}=\"{value}\"\n"), 1);
    }
    Ok(text.into_bytes())
}

/// Builds the tarballs and the file with the name of the newest release.
pub(crate) fn files(contents: &Contents, epoch: u64) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let version = &contents.version;
    Ok(BTreeMap::from([
        (
            format!("sluice_{version}_linux_amd64.tar.gz"),
            tarball(contents, "sluice", epoch)?,
        ),
        // Scripts that install Flux's command line expect this name and a file `flux`.
        (
            format!("flux_{version}_linux_amd64.tar.gz"),
            tarball(contents, "flux", epoch)?,
        ),
        (
            "sluice_version.txt".to_owned(),
            format!("v{version}\n").into_bytes(),
        ),
    ]))
}

/// Builds a tarball of the program under one of its names, with completions and pages.
fn tarball(contents: &Contents, program: &str, epoch: u64) -> anyhow::Result<Vec<u8>> {
    let mut tar = Tarball::new(epoch);
    tar.file("LICENSE", 0o644, &contents.licence)?;
    tar.file("NOTICE", 0o644, &contents.notice)?;
    tar.directory("completions", 0o755, 0)?;
    for (name, script) in &contents.completions {
        if program == "sluice" || name.starts_with("flux.") {
            tar.file(&format!("completions/{name}"), 0o644, script)?;
        }
    }
    if program == "sluice" {
        tar.link("kubectl-sluice", "sluice")?;
        tar.directory("man", 0o755, 0)?;
        for (name, page) in &contents.manual {
            tar.file(&format!("man/{name}"), 0o644, page)?;
        }
    }
    tar.file(program, 0o755, &contents.binary)?;
    gzip(&tar.finish()?)
}

/// Returns the manifests of a default installation.
fn manifests(registry: &str) -> anyhow::Result<Vec<u8>> {
    let mut options = sluice_manifests::Options::default();
    registry.clone_into(&mut options.images.registry);
    Ok(sluice_manifests::generate(&options)?.to_yaml().into_bytes())
}

/// Adds the list of checksums, and its signature.
pub(crate) fn sign(
    files: &mut BTreeMap<String, Vec<u8>>,
    version: &str,
    signer: Option<&Signer>,
) -> anyhow::Result<()> {
    let mut list = String::new();
    for (name, bytes) in &*files {
        let _ = writeln!(list, "{}  {name}", sha256(bytes));
    }
    let name = format!("sluice_{version}_checksums.txt");
    if let Some(signer) = signer {
        let signature = signer.sign_as_text(list.as_bytes())?;
        files.insert(format!("{name}.sig"), format!("{signature}\n").into_bytes());
    }
    files.insert(name, list.into_bytes());
    Ok(())
}

/// Writes a folder under a temporary name and renames it.
fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
    let above = folder.parent().filter(|path| !path.as_os_str().is_empty());
    let above = above.unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(above)?;
    let staged = tempfile::Builder::new()
        .prefix(".release")
        .tempdir_in(above)?;
    for (name, bytes) in files {
        let path = staged.path().join(name);
        fs::write(&path, bytes).with_context(|| format!("write {}", path.display()))?;
    }
    // Temporary directories are private; published ones are not.
    fs::set_permissions(staged.path(), fs::Permissions::from_mode(0o755))?;
    fs::rename(staged.keep(), folder).with_context(|| format!("write {}", folder.display()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::io::Read as _;

    use sluice_skip::{Requirement, skip};

    /// Whether an optional program is installed; fails if `REQUIRE_ORACLES` demands it.
    pub(crate) fn has_tool(name: &str) -> bool {
        let path = std::env::var_os("PATH").unwrap();
        let is_installed = std::env::split_paths(&path).any(|folder| folder.join(name).exists());
        if !is_installed {
            skip(Requirement::Oracle, &format!("{name} is not installed"));
        }
        is_installed
    }

    /// A release whose program is a script, so that nothing has to be built.
    pub(crate) fn contents() -> Contents {
        let text = |text: &str| text.as_bytes().to_vec();
        let map = |names: &[&str]| {
            names
                .iter()
                .map(|name| ((*name).to_owned(), text(&format!("of {name}\n"))))
                .collect()
        };
        Contents {
            version: "1.2.3".to_owned(),
            binary: text("#!/bin/sh\necho flux: v2.9.4\necho sluice: v1.2.3\n"),
            licence: text("licence\n"),
            notice: text("notice\n"),
            completions: map(&[
                "flux.bash",
                "flux.fish",
                "flux.ps1",
                "flux.zsh",
                "sluice.bash",
                "sluice.fish",
                "sluice.ps1",
                "sluice.zsh",
            ]),
            manual: map(&["sluice.1", "sluice-get.1"]),
        }
    }

    /// Returns path, mode, owner, link and content of all entries of a tarball.
    fn entries(bytes: &[u8]) -> Vec<(String, u32, u64, String, String)> {
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
        archive
            .entries()
            .unwrap()
            .map(|entry| {
                let mut entry = entry.unwrap();
                let header = entry.header().clone();
                let path = entry.path().unwrap().display().to_string();
                let link = entry.link_name().unwrap().unwrap_or_default();
                let link = link.display().to_string();
                let mut content = String::new();
                entry.read_to_string(&mut content).unwrap();
                assert_eq!(header.mtime().unwrap(), 1_700_000_000, "{path}");
                (
                    path,
                    header.mode().unwrap(),
                    header.uid().unwrap(),
                    link,
                    content,
                )
            })
            .collect()
    }

    #[test]
    fn packages_of_one_binary_are_equal() {
        let first = files(&contents(), 1_700_000_000).unwrap();
        let second = files(&contents(), 1_700_000_000).unwrap();
        assert_eq!(first, second);
        let name = "sluice_1.2.3_linux_amd64.tar.gz";
        let later = files(&contents(), 1_800_000_000).unwrap();
        assert_ne!(first[name], later[name]);
    }

    #[test]
    fn tarball_contains_program_pages_and_licence() {
        let files = files(&contents(), 1_700_000_000).unwrap();
        let entries = entries(&files["sluice_1.2.3_linux_amd64.tar.gz"]);
        let find = |path: &str| entries.iter().find(|entry| entry.0 == path).unwrap();
        assert_eq!(find("sluice").1, 0o755);
        assert_eq!(find("kubectl-sluice").3, "sluice");
        assert_eq!(find("LICENSE").4, "licence\n");
        assert_eq!(find("NOTICE").4, "notice\n");
        assert_eq!(find("man/sluice-get.1").4, "of sluice-get.1\n");
        assert_eq!(find("completions/flux.zsh").1, 0o644);
        assert!(entries.iter().all(|entry| entry.2 == 0), "{entries:?}");
    }

    #[test]
    fn flux_tarball_contains_flux() {
        let files = files(&contents(), 1_700_000_000).unwrap();
        let paths: Vec<String> = entries(&files["flux_1.2.3_linux_amd64.tar.gz"])
            .into_iter()
            .map(|entry| entry.0)
            .collect();
        let expected = [
            "LICENSE",
            "NOTICE",
            "completions/",
            "completions/flux.bash",
            "completions/flux.fish",
            "completions/flux.ps1",
            "completions/flux.zsh",
            "flux",
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn checksums_list_every_other_file() {
        let mut files = files(&contents(), 0).unwrap();
        let count = files.len();
        let signer = Signer::from_pem(&signature::tests::throw_away()).unwrap();
        sign(&mut files, "1.2.3", Some(&signer)).unwrap();
        let list = String::from_utf8(files["sluice_1.2.3_checksums.txt"].clone()).unwrap();
        assert_eq!(list.lines().count(), count);
        for line in list.lines() {
            let (digest, name) = line.split_once("  ").unwrap();
            assert_eq!(digest, sha256(&files[name]), "{name}");
        }
        assert!(files.contains_key("sluice_1.2.3_checksums.txt.sig"));
    }

    #[test]
    fn binary_above_limit_is_rejected() {
        check_size(MAX_BINARY_BYTES).unwrap();
        let bytes = MAX_BINARY_BYTES + 1;
        let error = check_size(bytes).unwrap_err().to_string();
        let expected = format!("the binary has {bytes} bytes, limit {MAX_BINARY_BYTES}\n");
        assert!(error.starts_with(&expected), "{error}");
    }

    #[test]
    fn signature_requires_key() {
        let mut files = files(&contents(), 0).unwrap();
        sign(&mut files, "1.2.3", None).unwrap();
        assert!(!files.contains_key("sluice_1.2.3_checksums.txt.sig"));
    }

    #[test]
    fn contents_come_from_repository() {
        let contents = Contents::of(crate::repository(), b"binary".to_vec()).unwrap();
        assert!(contents.completions.contains_key("sluice.bash"));
        assert!(contents.manual.contains_key("sluice-bootstrap-git.1"));
        assert!(!contents.licence.is_empty() && !contents.notice.is_empty());
    }

    #[test]
    fn manifests_use_given_registry() {
        let text = String::from_utf8(manifests("registry.example/sluice").unwrap()).unwrap();
        assert!(
            text.contains("image: registry.example/sluice/source-controller:v"),
            "{text:.300}"
        );
    }

    #[test]
    fn release_is_written_at_once_into_new_folder() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("files");
        let files = BTreeMap::from([("a".to_owned(), b"1".to_vec())]);
        write(&folder, &files).unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"1");
        let other = BTreeMap::from([("b".to_owned(), b"2".to_vec())]);
        write(&folder, &other).unwrap_err();
        assert!(!folder.join("b").exists());
    }
}

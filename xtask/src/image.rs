//! `cargo xtask image`: the OCI image as a layout tar, without Docker.
//!
//! One static binary (`+crt-static`, glibc) in one layer, the little that it needs around it in
//! another: CA bundle, passwd, `/data` and `/tmp` for the non-root user 65534. The index holds
//! one image per name, `sluice` and each controller's: same layers, another entrypoint, so that a
//! stock Flux Deployment needs only another image. Equal input gives equal bytes: times come
//! from `SOURCE_DATE_EPOCH`, or are the epoch.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::json;

/// Every name that the binary answers to in an image. The controllers that are not built yet are
/// not among them: an image that cannot do its work must not exist.
const NAMES: [&str; 3] = ["sluice", "source-controller", "kustomize-controller"];

const USER: u64 = 65534;
const BINARY: &str = "usr/local/bin/sluice";

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where to write the layout tar
    #[arg(long, default_value = "target/image/sluice.tar")]
    output: PathBuf,
    /// Cargo profile of the binary: `release`, or `dev` for a quick one
    #[arg(long, default_value = "release")]
    profile: String,
    /// What stands before each image's name
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY)]
    registry: String,
    /// Tag of the images
    #[arg(long, default_value_t = format!("v{}", env!("CARGO_PKG_VERSION")))]
    tag: String,
    /// Take this static binary instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
    /// CA bundle to ship
    #[arg(long, default_value = "/etc/ssl/certs/ca-certificates.crt")]
    ca_bundle: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = match &args.binary {
        Some(path) => path.clone(),
        None => build(&args.profile)?,
    };
    let binary =
        fs::read(&binary).with_context(|| format!("read the binary {}", binary.display()))?;
    let ca_bundle = fs::read(&args.ca_bundle)
        .with_context(|| format!("read the CA bundle {}", args.ca_bundle.display()))?;
    let layout = layout(&binary, &ca_bundle, &args.registry, &args.tag)?;
    if let Some(directory) = args.output.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&args.output, &layout).with_context(|| format!("write {}", args.output.display()))?;
    println!(
        "{}: {} images, {} MiB",
        args.output.display(),
        NAMES.len(),
        layout.len().div_ceil(1 << 20)
    );
    Ok(())
}

/// Builds the static binary, stripped.
///
/// Only the last link is told to be static: every dependency is compiled as for any other build of
/// that profile, and shared with it.
fn build(profile: &str) -> anyhow::Result<PathBuf> {
    let target_directory = cargo_metadata::MetadataCommand::new()
        .no_deps()
        .exec()?
        .target_directory;
    let status = Command::new("cargo")
        .args([
            "rustc",
            "--locked",
            "--package",
            "sluice",
            "--bin",
            "sluice",
        ])
        .args(["--profile", profile, "--"])
        .args(["-C", "target-feature=+crt-static", "-C", "strip=symbols"])
        .status()
        .context("start cargo rustc")?;
    ensure!(
        status.success(),
        "cargo rustc of the static binary failed: {status}"
    );
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_directory.join(folder).join("sluice").into())
}

/// This machine's architecture, as images name it.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64",
        "x86_64" => "amd64",
        other => other,
    }
}

/// The whole layout tar.
fn layout(binary: &[u8], ca_bundle: &[u8], registry: &str, tag: &str) -> anyhow::Result<Vec<u8>> {
    let epoch = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let created = rfc3339(epoch);
    let mut blobs = Blobs::default();
    let base = blobs.add(base_layer(ca_bundle, epoch)?);
    let program = blobs.add(program_layer(binary, epoch)?);
    let mut manifests = Vec::new();
    for name in NAMES {
        let config = serde_json::to_vec(&json!({
            "architecture": architecture(),
            "os": "linux",
            "created": created,
            "config": {
                "User": format!("{USER}:{USER}"),
                "Entrypoint": [format!("/usr/local/bin/{name}")],
                "Env": [
                    "PATH=/usr/local/bin",
                    "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
                ],
                "WorkingDir": "/",
                "Labels": {
                    "org.opencontainers.image.title": name,
                    "org.opencontainers.image.version": tag,
                    "org.opencontainers.image.licenses": "Apache-2.0",
                },
            },
            // The layers are stored as they are, so a layer's digest is also its diff id.
            "rootfs": { "type": "layers", "diff_ids": [base.digest, program.digest] },
            "history": [
                { "created": created, "comment": "CA bundle, passwd, /data, /tmp" },
                { "created": created, "comment": "sluice" },
            ],
        }))?;
        let config = blobs.add(config);
        let layer_type = "application/vnd.oci.image.layer.v1.tar";
        let manifest = blobs.add(serde_json::to_vec(&json!({
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": config.descriptor("application/vnd.oci.image.config.v1+json"),
            "layers": [base.descriptor(layer_type), program.descriptor(layer_type)],
        }))?);
        let mut entry = manifest.descriptor("application/vnd.oci.image.manifest.v1+json");
        entry["platform"] = json!({ "architecture": architecture(), "os": "linux" });
        entry["annotations"] = json!({
            "io.containerd.image.name": format!("{registry}/{name}:{tag}"),
            "org.opencontainers.image.ref.name": tag,
        });
        manifests.push(entry);
    }
    let mut files = vec![
        (
            "oci-layout".to_owned(),
            serde_json::to_vec(&json!({ "imageLayoutVersion": "1.0.0" }))?,
        ),
        (
            "index.json".to_owned(),
            serde_json::to_vec(&json!({
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.index.v1+json",
                "manifests": manifests,
            }))?,
        ),
    ];
    files.extend(blobs.files);
    let mut tar = Layer::new(epoch);
    tar.directory("blobs", 0o755, 0)?;
    tar.directory("blobs/sha256", 0o755, 0)?;
    for (path, content) in &files {
        tar.file(path, 0o644, content)?;
    }
    tar.finish()
}

fn base_layer(ca_bundle: &[u8], epoch: u64) -> anyhow::Result<Vec<u8>> {
    let mut layer = Layer::new(epoch);
    layer.directory("data", 0o755, USER)?;
    layer.directory("etc", 0o755, 0)?;
    layer.file("etc/group", 0o644, b"root:x:0:\nnobody:x:65534:\n")?;
    layer.file("etc/nsswitch.conf", 0o644, b"hosts: files dns\n")?;
    layer.file(
        "etc/passwd",
        0o644,
        b"root:x:0:0:root:/:/sbin/nologin\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n",
    )?;
    layer.directory("etc/ssl", 0o755, 0)?;
    layer.directory("etc/ssl/certs", 0o755, 0)?;
    layer.file("etc/ssl/certs/ca-certificates.crt", 0o644, ca_bundle)?;
    layer.directory("tmp", 0o1777, 0)?;
    layer.finish()
}

fn program_layer(binary: &[u8], epoch: u64) -> anyhow::Result<Vec<u8>> {
    let mut layer = Layer::new(epoch);
    for directory in ["usr", "usr/local", "usr/local/bin"] {
        layer.directory(directory, 0o755, 0)?;
    }
    layer.file(BINARY, 0o755, binary)?;
    for name in NAMES.into_iter().skip(1).chain(["flux"]) {
        layer.link(&format!("usr/local/bin/{name}"), "sluice")?;
    }
    layer.finish()
}

/// A tar with nothing of this machine in it.
struct Layer {
    tar: tar::Builder<Vec<u8>>,
    epoch: u64,
}

impl Layer {
    fn new(epoch: u64) -> Self {
        Self {
            tar: tar::Builder::new(Vec::new()),
            epoch,
        }
    }

    fn header(&self, kind: tar::EntryType, mode: u32, owner: u64, size: u64) -> tar::Header {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(owner);
        header.set_gid(owner);
        header.set_mtime(self.epoch);
        header.set_size(size);
        header
    }

    fn directory(&mut self, path: &str, mode: u32, owner: u64) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Directory, mode, owner, 0);
        self.tar
            .append_data(&mut header, format!("{path}/"), std::io::empty())?;
        Ok(())
    }

    fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Regular, mode, 0, content.len() as u64);
        self.tar.append_data(&mut header, path, content)?;
        Ok(())
    }

    fn link(&mut self, path: &str, target: &str) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Symlink, 0o777, 0, 0);
        self.tar.append_link(&mut header, path, Path::new(target))?;
        Ok(())
    }

    fn finish(self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.tar.into_inner()?;
        bytes.flush()?;
        Ok(bytes)
    }
}

/// Content-addressed files of the layout; the same bytes are kept once.
#[derive(Default)]
struct Blobs {
    files: Vec<(String, Vec<u8>)>,
}

#[derive(Clone)]
struct Blob {
    digest: String,
    size: usize,
}

impl Blobs {
    fn add(&mut self, content: Vec<u8>) -> Blob {
        let hash = hex::encode(aws_lc_rs::digest::digest(
            &aws_lc_rs::digest::SHA256,
            &content,
        ));
        let blob = Blob {
            digest: format!("sha256:{hash}"),
            size: content.len(),
        };
        let path = format!("blobs/sha256/{hash}");
        if !self.files.iter().any(|(known, _)| *known == path) {
            self.files.push((path, content));
        }
        blob
    }
}

impl Blob {
    fn descriptor(&self, media_type: &str) -> serde_json::Value {
        json!({ "mediaType": media_type, "digest": self.digest, "size": self.size })
    }
}

/// Seconds since the epoch as RFC 3339, UTC.
fn rfc3339(seconds: u64) -> String {
    jiff::Timestamp::from_second(i64::try_from(seconds).unwrap_or(0))
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_input_gives_equal_bytes() {
        let first = layout(b"binary", b"bundle", "example/sluice", "v1").unwrap();
        let second = layout(b"binary", b"bundle", "example/sluice", "v1").unwrap();
        assert_eq!(first, second);
    }

    #[test]
    fn the_bundle_is_where_the_environment_says() {
        use std::io::Read as _;

        let bytes = layout(b"binary", b"authorities", "example/sluice", "v1").unwrap();
        let mut found = Vec::new();
        let mut environment = String::new();
        for entry in tar::Archive::new(bytes.as_slice()).entries().unwrap() {
            let mut content = Vec::new();
            std::io::copy(&mut entry.unwrap(), &mut content).unwrap();
            if let Ok(config) = serde_json::from_slice::<serde_json::Value>(&content) {
                environment.push_str(&config["config"]["Env"].to_string());
            }
            let mut layer = tar::Archive::new(content.as_slice());
            // Most of what the tar of a layout holds is no layer.
            for mut file in layer.entries().unwrap().map_while(Result::ok) {
                let path = format!("/{}", file.path().unwrap().display());
                let mut content = Vec::new();
                file.read_to_end(&mut content).unwrap();
                found.push((path, content));
            }
        }
        let (path, _) = found
            .iter()
            .find(|(_, content)| content == b"authorities")
            .unwrap();
        assert!(
            environment.contains(&format!("SSL_CERT_FILE={path}")),
            "{environment}"
        );
    }

    #[test]
    fn every_name_is_an_image_and_every_blob_is_what_its_name_says() {
        let bytes = layout(b"binary", b"bundle", "example/sluice", "v1").unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let mut index = None;
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut content = Vec::new();
            std::io::copy(&mut entry, &mut content).unwrap();
            if let Some(hash) = path
                .strip_prefix("blobs/sha256/")
                .filter(|hash| !hash.is_empty())
            {
                let found = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
                assert_eq!(hex::encode(found), hash);
            }
            if path == "index.json" {
                index = Some(serde_json::from_slice::<serde_json::Value>(&content).unwrap());
            }
        }
        let index = index.unwrap();
        let names: Vec<&str> = index["manifests"]
            .as_array()
            .unwrap()
            .iter()
            .map(|manifest| {
                manifest["annotations"]["io.containerd.image.name"]
                    .as_str()
                    .unwrap()
            })
            .collect();
        assert_eq!(
            names,
            [
                "example/sluice/sluice:v1",
                "example/sluice/source-controller:v1",
                "example/sluice/kustomize-controller:v1"
            ]
        );
    }
}

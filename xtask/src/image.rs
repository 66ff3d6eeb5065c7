//! `cargo xtask image`: the OCI image as a layout tar, without Docker.
//!
//! One layer contains the static binary. Another one contains a CA bundle, passwd, `/data` and
//! `/tmp` for the non-root user 65534. The index has one image per name, `sluice` and each
//! controller's: with the same layers and another entrypoint, so a stock Flux Deployment needs only
//! another image. Equal input gives equal bytes: times come from `SOURCE_DATE_EPOCH`, or are the
//! epoch. The task rejects images above [`LIMIT`]. [`push`] pushes the images to a registry and
//! signs them.

mod push;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::json;
use sluice::commands::controller;

use crate::binary::{sha256, wanted_date};
use crate::signature::Signer;
use crate::tarball::{Tarball, gzip};

/// Names of the binary in an image. Unfinished controllers are missing, because an image that
/// cannot work must not exist.
fn names() -> impl Iterator<Item = &'static str> {
    ["sluice"]
        .into_iter()
        .chain(controller::NAMES.iter().copied())
}

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar";
const LAYER_GZIP: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Maximum download size of one image: compressed layers, configuration and manifest.
const LIMIT: usize = 40 << 20;

const USER: u64 = 65534;
const BINARY: &str = "usr/local/bin/sluice";

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Output file
    #[arg(long, default_value = "target/image/sluice.tar")]
    output: PathBuf,
    /// Cargo profile of the binary: `release`, or `dev` for a quick one
    #[arg(long, default_value = "release")]
    profile: String,
    /// Registry and path before each image's name
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY)]
    registry: String,
    /// Tag of the images
    #[arg(long, default_value_t = format!("v{}", env!("CARGO_PKG_VERSION")))]
    tag: String,
    /// Use this static binary instead of building one
    #[arg(long)]
    binary: Option<PathBuf>,
    /// CA bundle of the image
    #[arg(long, default_value = CA_BUNDLE)]
    ca_bundle: PathBuf,
    /// Push the images to the registry, signed with `SLUICE_SIGNING_KEY`
    #[arg(long)]
    push: bool,
    /// Registry credentials, USER:PASSWORD or a token, instead of Docker's
    #[arg(long, env = "SLUICE_REGISTRY_CREDENTIALS", hide_env_values = true)]
    creds: Option<String>,
    /// Use plain HTTP
    #[arg(long)]
    plain_http: bool,
}

/// Path of Debian's certificates.
pub(crate) const CA_BUNDLE: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Input of a layout.
pub(crate) struct Input<'a> {
    pub(crate) binary: &'a [u8],
    pub(crate) ca_bundle: &'a [u8],
    pub(crate) registry: &'a str,
    pub(crate) tag: &'a str,
    /// The time of all files.
    pub(crate) epoch: u64,
    /// Whether to compress layers: published ones are, those of tests need not be.
    pub(crate) compressed: bool,
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
    let input = Input {
        binary: &binary,
        ca_bundle: &ca_bundle,
        registry: &args.registry,
        tag: &args.tag,
        epoch: wanted_date().unwrap_or(0),
        compressed: args.profile != "dev",
    };
    let layout = layout(&input)?;
    if let Some(directory) = args.output.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(&args.output, &layout).with_context(|| format!("write {}", args.output.display()))?;
    println!(
        "{}: {} images, {} MiB",
        args.output.display(),
        names().count(),
        layout.len().div_ceil(1 << 20)
    );
    if args.push {
        let signer = Signer::from_environment()?;
        let way = push::Destination {
            registry: &args.registry,
            tag: &args.tag,
            creds: args.creds.as_deref(),
            plain: args.plain_http,
        };
        for pushed in push::run(&layout, &way, signer.as_ref())? {
            println!("{pushed}");
        }
    }
    Ok(())
}

/// Builds the static binary, stripped.
///
/// Only the last link is static, so other builds of the profile can share the dependencies.
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
        .args(crate::binary::STATIC)
        .status()
        .context("start cargo rustc")?;
    ensure!(
        status.success(),
        "cargo rustc of the static binary failed: {status}"
    );
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_directory.join(folder).join("sluice").into())
}

/// Returns this machine's architecture, in the terms of images.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64",
        "x86_64" => "amd64",
        other => other,
    }
}

/// The size of an image in bytes.
pub(crate) struct Size {
    /// Of the compressed layers.
    pub(crate) download: usize,
    /// Of the unpacked layers.
    pub(crate) unpacked: usize,
}

/// Returns the size that the image of a binary has, without its configuration.
pub(crate) fn size(binary: &[u8], ca_bundle: &[u8]) -> anyhow::Result<Size> {
    let layers = [base_layer(ca_bundle, 0)?, program_layer(binary, 0)?];
    let mut size = Size {
        download: 0,
        unpacked: 0,
    };
    for layer in layers {
        size.unpacked += layer.len();
        size.download += gzip(&layer)?.len();
    }
    Ok(size)
}

/// Builds the layout tar.
pub(crate) fn layout(input: &Input<'_>) -> anyhow::Result<Vec<u8>> {
    layout_within(input, LIMIT)
}

/// Builds the layout with a limit of an image's size.
fn layout_within(input: &Input<'_>, limit: usize) -> anyhow::Result<Vec<u8>> {
    let &Input {
        registry,
        tag,
        epoch,
        ..
    } = input;
    let created = rfc3339(epoch);
    let mut blobs = Blobs::default();
    let layers = [
        base_layer(input.ca_bundle, epoch)?,
        program_layer(input.binary, epoch)?,
    ];
    let diff_ids = layers
        .each_ref()
        .map(|layer| format!("sha256:{}", sha256(layer)));
    let media_type = if input.compressed { LAYER_GZIP } else { LAYER };
    let mut stored = Vec::new();
    for layer in layers {
        let layer = if input.compressed {
            gzip(&layer)?
        } else {
            layer
        };
        stored.push(blobs.add(layer));
    }
    let layers: usize = stored.iter().map(|layer| layer.size).sum();
    let stored: Vec<_> = stored
        .iter()
        .map(|layer| layer.descriptor(media_type))
        .collect();
    let mut manifests = Vec::new();
    for name in names() {
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
            "rootfs": { "type": "layers", "diff_ids": diff_ids },
            "history": [
                { "created": created, "comment": "CA bundle, passwd, /data, /tmp" },
                { "created": created, "comment": "sluice" },
            ],
        }))?;
        let config = blobs.add(config);
        let manifest = blobs.add(serde_json::to_vec(&json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": config.descriptor(CONFIG),
            "layers": stored,
        }))?);
        let size = layers + config.size + manifest.size;
        ensure!(
            size <= limit || !input.compressed,
            "the image {name} has {size} bytes, and may have {limit}: something large came into the binary"
        );
        let mut entry = manifest.descriptor(MANIFEST);
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
                "mediaType": INDEX,
                "manifests": manifests,
            }))?,
        ),
    ];
    files.extend(blobs.files);
    let mut tar = Tarball::new(epoch);
    tar.directory("blobs", 0o755, 0)?;
    tar.directory("blobs/sha256", 0o755, 0)?;
    for (path, content) in &files {
        tar.file(path, 0o644, content)?;
    }
    tar.finish()
}

fn base_layer(ca_bundle: &[u8], epoch: u64) -> anyhow::Result<Vec<u8>> {
    let mut layer = Tarball::new(epoch);
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
    let mut layer = Tarball::new(epoch);
    for directory in ["usr", "usr/local", "usr/local/bin"] {
        layer.directory(directory, 0o755, 0)?;
    }
    layer.file(BINARY, 0o755, binary)?;
    for name in names().skip(1).chain(["flux"]) {
        layer.link(&format!("usr/local/bin/{name}"), "sluice")?;
    }
    layer.finish()
}

/// Content-addressed files of the layout; equal bytes are stored once.
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
        let hash = sha256(&content);
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

/// Formats seconds since the epoch as RFC 3339, UTC.
pub(crate) fn rfc3339(seconds: u64) -> String {
    jiff::Timestamp::from_second(i64::try_from(seconds).unwrap_or(0))
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_string()
}

#[cfg(test)]
mod tests;

//! Container images without Docker or a registry: an OCI layout in a tar, from static binaries.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sluice_digest::Digest;
use sluice_system::fs;

/// An image of one layer.
#[derive(Debug, Clone)]
pub struct Image {
    name: String,
    files: Vec<(String, Vec<u8>, u32)>,
    command: Vec<String>,
}

impl Image {
    /// Creates an empty image with a full name: `registry/repository:tag`.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            files: Vec::new(),
            command: Vec::new(),
        }
    }

    /// Adds a statically linked program of this machine.
    #[must_use]
    pub fn program(self, path: &str, from: &Path) -> Self {
        let content = fs::read(from).unwrap_or_else(|error| panic!("{error}"));
        self.file(path, content, 0o755)
    }

    /// Adds a file.
    #[must_use]
    pub fn file(mut self, path: &str, content: impl Into<Vec<u8>>, mode: u32) -> Self {
        self.files.push((
            path.trim_start_matches('/').to_owned(),
            content.into(),
            mode,
        ));
        self
    }

    /// Sets the command.
    #[must_use]
    pub fn command(mut self, command: &[&str]) -> Self {
        self.command = command.iter().map(ToString::to_string).collect();
        self
    }

    /// Its full name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes it as an OCI layout into a tar in a directory and returns the path.
    pub fn write_into(&self, directory: &Path) -> PathBuf {
        let layer = archive(&self.files);
        let architecture = match std::env::consts::ARCH {
            "aarch64" => "arm64",
            _ => "amd64",
        };
        let config = json!({
            "architecture": architecture,
            "os": "linux",
            "config": { "Entrypoint": self.command, "WorkingDir": "/" },
            "rootfs": { "type": "layers", "diff_ids": [digest(&layer)] },
        })
        .to_string()
        .into_bytes();
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": descriptor("application/vnd.oci.image.config.v1+json", &config),
            "layers": [descriptor("application/vnd.oci.image.layer.v1.tar", &layer)],
        })
        .to_string()
        .into_bytes();
        let mut entry = descriptor("application/vnd.oci.image.manifest.v1+json", &manifest);
        entry["annotations"] = json!({ "io.containerd.image.name": self.name });
        let index = json!({ "schemaVersion": 2, "manifests": [entry] })
            .to_string()
            .into_bytes();

        let blob = |content: &[u8]| format!("blobs/sha256/{}", hash(content));
        let layout = br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec();
        let paths = (blob(&layer), blob(&config), blob(&manifest));
        let files = [
            ("oci-layout".to_owned(), layout, 0o644),
            ("index.json".to_owned(), index, 0o644),
            (paths.0, layer, 0o644),
            (paths.1, config, 0o644),
            (paths.2, manifest, 0o644),
        ];
        let file = self.name.replace(['/', ':'], "_");
        let path = directory.join(format!("{file}.tar"));
        fs::write(&path, archive(&files)).unwrap_or_else(|error| panic!("{error}"));
        path
    }
}

fn archive(files: &[(String, Vec<u8>, u32)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, content, mode) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(*mode);
        builder
            .append_data(&mut header, path, content.as_slice())
            .expect("a vector takes all");
    }
    builder.into_inner().expect("a vector takes all")
}

fn descriptor(kind: &str, content: &[u8]) -> Value {
    json!({ "mediaType": kind, "digest": digest(content), "size": content.len() })
}

fn digest(content: &[u8]) -> String {
    Digest::of(content).to_string()
}

fn hash(content: &[u8]) -> String {
    Digest::of(content).hex().to_owned()
}

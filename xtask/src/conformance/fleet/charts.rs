//! Packs charts: those of local folders, and stand-ins for charts that cannot be had.
//!
//! A local chart gets the wanted version. Its dependencies come from local folders too. A stand-in
//! renders its values, so that values and post-renderers are compared all the same. A schema that
//! refers to another document is left out: Helm fetches it, and ours never does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sluice_golang::semver::{Constraint, Version};
use sluice_system::fs;

use super::remotes::concrete;

/// Maximum depth of dependencies.
const MAX_DEPTH: usize = 3;

/// The template of a stand-in.
const STAND_IN: &str = "apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ printf \"%s-%s\" .Release.Name .Chart.Name | trunc 63 | trimSuffix \"-\" }}
  labels:
    app.kubernetes.io/name: {{ .Chart.Name }}
    app.kubernetes.io/instance: {{ .Release.Name }}
data:
  values: {{ toYaml .Values | quote }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector:
    matchLabels:
      app.kubernetes.io/instance: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app.kubernetes.io/instance: {{ .Release.Name }}
    spec:
      containers:
        - name: main
          image: example.com/stand-in:{{ .Chart.Version | replace \"+\" \"_\" }}
";

/// Local charts, by name.
#[derive(Debug, Default)]
pub(super) struct Charts(BTreeMap<String, PathBuf>);

/// A packed chart.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    pub(super) version: String,
    /// Its `Chart.yaml`.
    pub(super) metadata: Value,
    pub(super) archive: Vec<u8>,
    pub(super) is_stand_in: bool,
}

/// The files of an archive.
type Files = BTreeMap<String, Vec<u8>>;

impl Charts {
    /// Finds the charts below directories; the first one of a name counts.
    pub(super) fn of(directories: &[PathBuf]) -> anyhow::Result<Self> {
        let mut charts = Self::default();
        let mut pile: Vec<PathBuf> = directories.iter().rev().cloned().collect();
        while let Some(folder) = pile.pop() {
            if fs::exists(folder.join("Chart.yaml"))? {
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                charts.0.entry(name.into_owned()).or_insert(folder);
                continue;
            }
            let mut entries = fs::read_dir(&folder)?;
            entries.sort_by(|left, right| right.path.cmp(&left.path));
            let folders = entries.into_iter().filter(|entry| entry.file_type.is_dir());
            pile.extend(folders.map(|entry| entry.path));
        }
        Ok(charts)
    }

    /// Packs a chart in a version that satisfies a constraint.
    pub(super) fn pack(&self, name: &str, constraint: &str) -> anyhow::Result<Chart> {
        let local = self.metadata_of(name)?;
        let own = local.as_ref().and_then(|chart| chart["version"].as_str());
        let version = match own.filter(|own| satisfies(own, constraint)) {
            Some(own) => own.to_owned(),
            None => concrete(constraint),
        };
        let mut files = Files::new();
        self.add(&mut files, name, name, &version, 0)?;
        let archive = archive(&files)?;
        let is_stand_in = local.is_none();
        let mut metadata = local.unwrap_or_else(|| stand_in(name));
        metadata["version"] = version.clone().into();
        Ok(Chart {
            version,
            metadata,
            archive,
            is_stand_in,
        })
    }

    fn metadata_of(&self, name: &str) -> anyhow::Result<Option<Value>> {
        let Some(folder) = self.0.get(name) else {
            return Ok(None);
        };
        let text = fs::read_to_string(folder.join("Chart.yaml"))?;
        Ok(sluice_yaml::v2::from_str(&text).ok())
    }

    fn add(
        &self,
        files: &mut Files,
        at: &str,
        name: &str,
        version: &str,
        depth: usize,
    ) -> anyhow::Result<()> {
        let local = self.metadata_of(name)?;
        let mut metadata = local.clone().unwrap_or_else(|| stand_in(name));
        metadata["version"] = version.into();
        let text = sluice_yaml::v2::to_string(&metadata);
        files.insert(format!("{at}/Chart.yaml"), text.into_bytes());
        let Some(folder) = self.0.get(name).filter(|_| local.is_some()) else {
            files.insert(format!("{at}/templates/all.yaml"), STAND_IN.into());
            return Ok(());
        };
        add_files(files, folder, at)?;
        let dependencies = metadata["dependencies"].as_array();
        for dependency in dependencies.into_iter().flatten() {
            let text = |field: &str| dependency[field].as_str().unwrap_or_default();
            let below = format!("{at}/charts/{}", text("name"));
            let is_vendored = fs::exists(folder.join("charts").join(text("name")))?;
            if !is_vendored && depth < MAX_DEPTH {
                let version = concrete(text("version"));
                self.add(files, &below, text("name"), &version, depth + 1)?;
            }
        }
        Ok(())
    }
}

fn satisfies(version: &str, constraint: &str) -> bool {
    constraint.is_empty()
        || match (Version::parse(version), Constraint::parse(constraint)) {
            (Ok(version), Ok(constraint)) => constraint.matches(&version),
            _ => false,
        }
}

fn stand_in(name: &str) -> Value {
    serde_json::json!({
        "apiVersion": "v2", "name": name, "description": "A stand-in", "type": "application",
    })
}

fn add_files(files: &mut Files, folder: &Path, at: &str) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(folder)?;
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    for entry in entries {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("{at}/{name}");
        if entry.file_type.is_dir() {
            add_files(files, &entry.path, &path)?;
        } else if entry.file_type.is_file() {
            let bytes = fs::read(&entry.path)?;
            if name != "values.schema.json" || !refers_elsewhere(&bytes) {
                // The changed `Chart.yaml` is there already.
                files.entry(path).or_insert(bytes);
            }
        }
    }
    Ok(())
}

/// Whether a schema refers to another document, which cannot be had.
fn refers_elsewhere(schema: &[u8]) -> bool {
    let text = String::from_utf8_lossy(schema).replace(' ', "");
    let mut references = text.split("\"$ref\":\"").skip(1);
    references.any(|reference| !reference.starts_with('#'))
}

/// Packs files without times, so that equal files give equal archives.
fn archive(files: &Files) -> anyhow::Result<Vec<u8>> {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(encoder);
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, path, bytes.as_slice())?;
    }
    Ok(builder.into_inner()?.finish()?)
}

/// Packs an artifact of one manifest, for an `OCIRepository` that cannot be had.
pub(super) fn manifests(name: &str) -> anyhow::Result<Vec<u8>> {
    let name = name.replace(['/', '_', '.'], "-").to_lowercase();
    let text = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: default\n"
    );
    archive(&Files::from([(
        "stand-in.yaml".to_owned(),
        text.into_bytes(),
    )]))
}

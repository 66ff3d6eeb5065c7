//! Answers for every host of a checkout: Helm repositories, registries and Git servers.
//!
//! Both sides reach it as their HTTPS proxy, and trust its certificates. So objects keep their
//! addresses. Requests for anything else get `404 Not Found`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use sluice_devcluster::{GitOptions, GitServer};
use sluice_digest::Algorithm;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};

use super::charts::{self, Charts};
use super::remotes::{Remotes, concrete};

/// Hosts that clients of registries ask in place of `docker.io`.
const HOSTS: &[&str] = &[
    "index.docker.io",
    "registry-1.docker.io",
    "auth.docker.io",
    "github.com",
];

/// A running mirror; dropping it stops it.
#[derive(Debug)]
pub(super) struct Mirror {
    pub(super) cloud: FakeCloud,
    _git: GitServer,
    /// Charts and artifacts that are stand-ins.
    pub(super) stand_ins: BTreeSet<String>,
    /// Charts of local folders.
    pub(super) local: BTreeSet<String>,
}

/// The served files, by host and path, and the content of registries.
#[derive(Debug, Default)]
struct Shelves {
    files: BTreeMap<String, Vec<u8>>,
    tags: BTreeMap<String, Vec<String>>,
    /// By name and reference, with their media type.
    manifests: BTreeMap<(String, String), String>,
    blobs: BTreeMap<String, Vec<u8>>,
}

impl Mirror {
    /// Serves bare repositories, and the charts and artifacts that a checkout wants.
    pub(super) async fn start(
        remotes: &Remotes,
        charts: &Charts,
        hosts: &BTreeSet<String>,
        repositories: &Path,
    ) -> anyhow::Result<Self> {
        let mut shelves = Shelves::default();
        let (mut stand_ins, mut local) = (BTreeSet::new(), BTreeSet::new());
        for (address, wanted) in &remotes.indexes {
            let mut entries = json!({});
            for (name, versions) in wanted {
                let mut known = BTreeMap::new();
                for version in versions {
                    let chart = charts.pack(name, version)?;
                    known.insert(chart.version.clone(), chart);
                }
                for chart in known.into_values() {
                    let file = format!("{name}-{}.tgz", chart.version);
                    let about = format!("chart {name} {} of {address}", chart.version);
                    let known = if chart.is_stand_in {
                        &mut stand_ins
                    } else {
                        &mut local
                    };
                    known.insert(about);
                    let mut entry = chart.metadata;
                    entry["urls"] = json!([file]);
                    entry["created"] = "2026-01-01T00:00:00Z".into();
                    entry["digest"] = hex(&chart.archive).into();
                    let list = entries[name].take();
                    let mut list = list.as_array().cloned().unwrap_or_default();
                    list.push(entry);
                    entries[name] = list.into();
                    shelves
                        .files
                        .insert(format!("{address}/{file}"), chart.archive);
                }
            }
            let index = json!({
                "apiVersion": "v1", "generated": "2026-01-01T00:00:00Z", "entries": entries,
            });
            let file = format!("{address}/index.yaml");
            shelves.files.insert(file, index.to_string().into_bytes());
        }
        for (name, image) in &remotes.images {
            for version in &image.versions {
                if image.is_chart {
                    let chart = name.rsplit('/').next().unwrap_or(name);
                    let chart = charts.pack(chart, version)?;
                    let about = format!("chart {} of {name}", chart.version);
                    let known = if chart.is_stand_in {
                        &mut stand_ins
                    } else {
                        &mut local
                    };
                    known.insert(about);
                    let tag = chart.version.replace('+', "_");
                    shelves.publish(name, &tag, "helm", &chart.metadata, chart.archive);
                } else {
                    let tag = match version.as_str() {
                        tag if tag.contains(['.', ' ', '*']) => concrete(tag),
                        tag => tag.to_owned(),
                    };
                    stand_ins.insert(format!("artifact {tag} of {name}"));
                    let archive = charts::manifests(name)?;
                    shelves.publish(name, &tag, "flux", &json!({}), archive);
                }
            }
        }
        let git = GitServer::start(GitOptions::new(repositories)).await?;
        let base = format!("http://{}", git.address());
        let mut names: Vec<&str> = hosts.iter().map(String::as_str).collect();
        names.extend(HOSTS);
        let cloud = FakeCloud::start(&names, move |request| Some(shelves.answer(request, &base)));
        Ok(Self {
            cloud: cloud.await,
            _git: git,
            stand_ins,
            local,
        })
    }
}

impl Shelves {
    /// Adds an image with one layer, in the media types of Helm or Flux.
    fn publish(&mut self, name: &str, tag: &str, whose: &str, config: &Value, layer: Vec<u8>) {
        let config = config.to_string().into_bytes();
        let content = if whose == "helm" {
            "chart.content"
        } else {
            "content"
        };
        let kinds = [
            "config.v1+json".to_owned(),
            format!("{content}.v1.tar+gzip"),
        ];
        let [config, layer] = [config, layer].map(|bytes| {
            let digest = digest(&bytes);
            let size = bytes.len();
            self.blobs.insert(digest.clone(), bytes);
            (digest, size)
        });
        let of = |(digest, size): &(String, usize), kind: &str| {
            let media_type = format!("application/vnd.cncf.{whose}.{kind}");
            json!({ "mediaType": media_type, "digest": digest, "size": size })
        };
        let manifest = json!({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": of(&config, &kinds[0]), "layers": [of(&layer, &kinds[1])],
            "annotations": { "org.opencontainers.image.created": "2026-01-01T00:00:00Z" },
        });
        let manifest = manifest.to_string();
        let tags = self.tags.entry(name.to_owned()).or_default();
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
        let digest = digest(manifest.as_bytes());
        for reference in [tag.to_owned(), digest] {
            self.manifests
                .insert((name.to_owned(), reference), manifest.clone());
        }
    }

    fn answer(&self, request: &CloudRequest, git: &str) -> CloudAnswer {
        let path = request.target.split('?').next().unwrap_or_default();
        let is_git = path.ends_with("/info/refs") || path.ends_with("/git-upload-pack");
        if is_git {
            return CloudAnswer::Forward(git.to_owned());
        }
        let host = request.host.trim_end_matches(":443");
        if let Some(file) = self.files.get(&format!("{host}{path}")) {
            return CloudAnswer::ok(file.clone());
        }
        match path.strip_prefix("/v2/") {
            Some(rest) => self.registry(rest).unwrap_or_else(|| {
                let errors = json!({ "errors": [{ "code": "NAME_UNKNOWN",
                    "message": "repository name not known to registry" }] });
                let kind = ("content-type", "application/json".to_owned());
                CloudAnswer::Reply(404, vec![kind], errors.to_string().into())
            }),
            None => CloudAnswer::status(404),
        }
    }

    fn registry(&self, path: &str) -> Option<CloudAnswer> {
        let json = |kind: &str| vec![("content-type", kind.to_owned())];
        if path.is_empty() {
            return Some(CloudAnswer::Reply(
                200,
                json("application/json"),
                "{}".into(),
            ));
        }
        if let Some(name) = path.strip_suffix("/tags/list") {
            let list = json!({ "name": name, "tags": self.tags.get(name)? });
            let list = list.to_string().into();
            return Some(CloudAnswer::Reply(200, json("application/json"), list));
        }
        if let Some((_, digest)) = path.rsplit_once("/blobs/") {
            return Some(CloudAnswer::ok(self.blobs.get(digest)?.clone()));
        }
        let (name, reference) = path.rsplit_once("/manifests/")?;
        let manifest = self
            .manifests
            .get(&(name.to_owned(), reference.to_owned()))?;
        let mut headers = json("application/vnd.oci.image.manifest.v1+json");
        headers.push(("docker-content-digest", digest(manifest.as_bytes())));
        Some(CloudAnswer::Reply(200, headers, manifest.clone().into()))
    }
}

fn digest(bytes: &[u8]) -> String {
    Algorithm::Sha256.digest(bytes).to_string()
}

fn hex(bytes: &[u8]) -> String {
    digest(bytes).trim_start_matches("sha256:").to_owned()
}

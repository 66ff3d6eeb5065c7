//! Charts of repositories and registries, beside `helm template` 4.2.4.
//!
//! `remote.json` holds Helm's output and error for each of [`LINES`], with the addresses replaced.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use sluice_dial::HttpClients;
use sluice_oci::client::Source;
use sluice_oci::manifest::MANIFEST;
use sluice_oci::{Client, Digest, Reference as OciReference, Remote};
use sluice_system::fs;
use sluice_testkit::{ChartServer, Reference, Registry};

use super::{FOLDER, Outcome, archive, ask, build, outcome};

const RECORDED: &str = include_str!("remote.json");

/// Arguments that both programs accept. `URL` is a repository, `CLOSED` one with a login, and
/// `REGISTRY` a registry.
const LINES: &[&str] = &[
    "web --repo URL",
    "web --repo URL/",
    "web --repo URL --version 1.0.0",
    "web --repo URL --version ~0.9",
    "web --repo URL --version 1.0",
    "web --repo URL --version >0-0",
    "web --repo URL --devel",
    "web --repo URL --verify --keyring signed/keyring.gpg",
    "web --repo CLOSED --username user --password canary",
    "URL/web-1.0.0.tgz",
    "URL/web-1.0.0.tgz --verify --keyring signed/keyring.gpg",
    "CLOSED/web-1.0.0.tgz --username user --password canary",
    "oci://REGISTRY/charts/web --plain-http",
    "oci://REGISTRY/charts/web:0.9.0 --plain-http",
    "oci://REGISTRY/charts/web --plain-http --version 1.0.0",
    "oci://REGISTRY/charts/web --plain-http --version ~1",
    "oci://REGISTRY/charts/web --plain-http --devel",
    "oci://REGISTRY/charts/web --plain-http --verify --keyring signed/keyring.gpg",
    // Errors.
    "missing --repo URL",
    "web --repo URL --version 9.9.9",
    "web --repo URL --version one",
    "gone --repo URL",
    "plain --repo URL --verify --keyring signed/keyring.gpg",
    "web --repo URL/none",
    "web --repo CLOSED",
    "URL/missing.tgz",
    "oci://REGISTRY/charts/web:0.9.0 --plain-http --version 1.0.0",
    "oci://REGISTRY/charts/web --plain-http --version >2",
];

/// Both repositories and the registry.
struct Servers {
    open: ChartServer,
    closed: ChartServer,
    registry: Registry,
}

impl Servers {
    async fn start() -> Self {
        let signed = |name: &str| fs::read(Path::new(FOLDER).join("signed").join(name)).unwrap();
        let chart = signed("web-1.0.0.tgz");
        let provenance = signed("web-1.0.0.tgz.prov");
        let open = ChartServer::start().await;
        for version in ["0.9.0", "1.0.0", "1.1.0-rc.1"] {
            open.publish_as("web", version, &chart, "");
        }
        open.publish_as("plain", "1.0.0", &archive(), "");
        open.publish_as("gone", "1.0.0", &chart, "");
        open.remove("gone-1.0.0.tgz");
        open.put("web-1.0.0.tgz.prov", &provenance);
        let closed = ChartServer::start().await;
        closed.publish_as("web", "1.0.0", &chart, "");
        closed.require("user", "canary");
        let registry = Registry::start().await;
        for version in ["1.0.0", "1.1.0-rc.1", "0.9.0"] {
            push(&registry, version, &chart, &provenance).await;
        }
        Self {
            open,
            closed,
            registry,
        }
    }

    /// Returns the arguments with the addresses of the servers.
    fn fill(&self, line: &str) -> String {
        let registry = self.registry.url("");
        let registry = registry.trim_start_matches("oci://").trim_end_matches('/');
        line.replace("URL", &self.open.url())
            .replace("CLOSED", &self.closed.url())
            .replace("REGISTRY", registry)
    }

    /// Returns an outcome with the names of the servers. Helm prints what it pulls before the
    /// manifests.
    fn mask(&self, outcome: &Outcome) -> Outcome {
        let lines = outcome.output.split_inclusive('\n');
        let is_pull = |line: &&str| line.starts_with("Pulled: ") || line.starts_with("Digest: ");
        let output = lines.skip_while(is_pull).collect();
        let registry = self.fill("REGISTRY");
        let error = outcome.error.replace(&self.open.url(), "URL");
        let error = error.replace(&self.closed.url(), "CLOSED");
        Outcome {
            error: error.replace(&registry, "REGISTRY"),
            output,
        }
    }
}

async fn push(registry: &Registry, version: &str, chart: &[u8], provenance: &[u8]) {
    let client = Client::new(Arc::new(HttpClients::new("test")));
    let config = json!({ "name": "web", "version": version, "apiVersion": "v2" });
    let config = config.to_string().into_bytes();
    let describe = |bytes: &[u8], kind: &str| {
        let digest = Digest::of(bytes).to_string();
        json!({ "mediaType": kind, "size": bytes.len(), "digest": digest })
    };
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": describe(&config, "application/vnd.cncf.helm.config.v1+json"),
        "layers": [
            describe(chart, "application/vnd.cncf.helm.chart.content.v1.tar+gzip"),
            describe(provenance, "application/vnd.cncf.helm.chart.provenance.v1.prov"),
        ],
    });
    let url = format!("{}:{version}", registry.url("charts/web"));
    let reference = OciReference::parse_url(&url).unwrap();
    let mut remote = Remote::anonymous(reference.repository);
    remote.plain = true;
    for blob in [chart.to_vec(), provenance.to_vec(), config] {
        let digest = Digest::of(&blob);
        let source = Source::Bytes(blob.into());
        client.push_blob(&remote, &digest, &source).await.unwrap();
    }
    let text = manifest.to_string();
    let pushed = client.push_manifest(&remote, &reference.version, MANIFEST, text.into());
    pushed.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remote_charts_print_what_helm_prints() {
    let servers = Servers::start().await;
    let mut recorded: BTreeMap<String, Outcome> = serde_json::from_str(RECORDED).unwrap();
    if Reference::is_recording()
        && let Some(reference) = Reference::find()
    {
        let helm = reference.binary("helm");
        let asked = LINES.iter().map(|line| {
            let outcome = servers.mask(&ask(&helm, &servers.fill(line)));
            ((*line).to_owned(), outcome)
        });
        recorded = asked.collect();
        let text = serde_json::to_string_pretty(&recorded).unwrap();
        fs::write(Path::new(FOLDER).join("remote.json"), text + "\n").unwrap();
    }
    for line in LINES {
        let filled = servers.fill(line);
        let words: Vec<&str> = filled.split(' ').collect();
        let ours = servers.mask(&outcome(&build(Path::new(FOLDER), &words)));
        let expected = &recorded[*line];
        assert_eq!(ours.output, expected.output, "{line}: {}", ours.error);
        // Ours may add the cause.
        let is_same = ours.error.starts_with(&expected.error);
        assert!(is_same, "{line}: {} / {}", ours.error, expected.error);
        assert_eq!(ours.error.is_empty(), expected.error.is_empty(), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_signature_and_changed_archive_are_rejected() {
    let servers = Servers::start().await;
    let mut provenance = fs::read(Path::new(FOLDER).join("signed/web-1.0.0.tgz.prov")).unwrap();
    let fail = |line: &str| {
        let filled = servers.fill(line);
        let words: Vec<&str> = filled.split(' ').collect();
        let ran = build(Path::new(FOLDER), &words);
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        String::from_utf8_lossy(&ran.stderr).into_owned()
    };
    let line = "web --repo URL --verify --keyring signed/other.gpg";
    let text = fail(line);
    assert!(text.contains("no matching key"), "{text}");
    let text = fail("web --repo URL --verify --keyring text.txt");
    assert!(
        text.contains("unable to read the OpenPGP public keys"),
        "{text}"
    );
    // The digest of another archive.
    servers.open.put("web-1.0.0.tgz", &archive());
    let line = "web --repo URL --verify --keyring signed/keyring.asc";
    let text = fail(line);
    let expected = "sha256 sum does not match for web-1.0.0.tgz: ";
    assert!(text.contains(expected), "{text}");
    // A changed text under the signature.
    let at = provenance.len() / 8;
    provenance[at] ^= 1;
    servers.open.put("web-1.0.0.tgz.prov", &provenance);
    let text = fail(line);
    assert!(
        text.contains("failed to verify chart 'web-1.0.0.tgz'"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn login_reaches_other_hosts_only_by_flag() {
    let (repository, other) = (ChartServer::start().await, ChartServer::start().await);
    let url = other.url();
    let index = format!(
        "apiVersion: v1\nentries:\n  web:\n  - {{name: web, version: 1.0.0, urls: \
         ['{url}/web-1.0.0.tgz']}}\n"
    );
    repository.put("index.yaml", index.as_bytes());
    repository.require("user", "canary");
    other.put("web-1.0.0.tgz", &archive());
    let url = repository.url();
    let words = [
        "web",
        "--repo",
        &url,
        "--username",
        "user",
        "--password",
        "canary",
    ];
    let expected = outcome(&build(Path::new(FOLDER), &["web"]));
    for (flag, is_sent) in [
        ("--pass-credentials=false", false),
        ("--pass-credentials", true),
    ] {
        let words = [&words[..], &[flag]].concat();
        assert_eq!(outcome(&build(Path::new(FOLDER), &words)), expected);
        let last = other.requests().pop().unwrap();
        assert_eq!(last.has_credentials, is_sent, "{flag}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn login_of_an_address_is_not_shown() {
    let server = ChartServer::start().await;
    let url = server.url().replace("http://", "http://user:canary@");
    let missing = format!("{url}/missing.tgz");
    for words in [vec![&*missing], vec!["web", "--repo", &missing]] {
        let ran = build(Path::new(FOLDER), &words);
        let text = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(text.contains(" : 404 Not Found"), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}

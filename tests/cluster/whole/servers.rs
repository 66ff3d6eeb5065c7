//! Starts every server that the fleet repository names, with content of the value `1`.

use std::path::{Path, PathBuf};

use sluice_git::serve::{Change, Repository};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::{
    ChartServer, EventSink, GitBackend, ObjectStore, Registry, Sluice, chart_server,
};

use crate::images::run;
use crate::program;
use crate::world::{commit, config_map};

/// Password of the fleet repository.
pub(super) const PASSWORD: &str = "password-of-the-fleet";
/// The key of the encrypted Secrets, for tests only.
pub(super) const AGE_KEY: &str =
    include_str!("../../../crates/content/sops/tests/fixtures/keys/x25519.agekey");

const CHART: &str = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
/// Flux pulls a chart only with this configuration.
const CHART_CONFIG: &str = "application/vnd.cncf.helm.config.v1+json";
/// Template of each chart.
const TEMPLATE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n\
    data:\n  key: {{ .Values.key | quote }}\n";

pub(super) struct Servers {
    pub(super) fleet: Repository,
    pub(super) sink: EventSink,
    pub(super) registry: Registry,
    git: GitBackend,
    _tenants: GitBackend,
    _charts: ChartServer,
    _oci_charts: HostileRegistry,
    _store: ObjectStore,
}

impl Servers {
    pub(super) async fn start() -> Self {
        let options = HttpOptions {
            basic: Some(("me".to_owned(), PASSWORD.to_owned())),
            ..HttpOptions::default()
        };
        let (git, tenants) = tokio::join!(GitBackend::start_with(options), GitBackend::start());
        let (charts, oci_charts) = tokio::join!(ChartServer::start(), HostileRegistry::honest());
        let (registry, store, sink) =
            tokio::join!(Registry::start(), ObjectStore::start(), EventSink::start());

        let files = [
            ("values.yaml", "key: '1'\n"),
            ("templates/a.yaml", TEMPLATE),
        ];
        for name in ["database", "queue"] {
            charts.publish(name, "1.0.0", &files);
        }
        let cache = chart_server::chart("cache", "1.0.0", &files);
        oci_charts
            .content()
            .configured_image("1.0.0", CHART_CONFIG, CHART, cache);
        store.create("settings").await;
        let settings = config_map("settings", "apps", "1");
        store.put("settings", "settings.yaml", &settings).await;
        for name in ["team-a", "team-b"] {
            let repository = tenants.create(name, "main");
            commit(&repository, &[("a.yaml", &config_map("team", name, "1"))]);
        }
        let addresses = format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: addresses\n  namespace: flux-system\n\
             data:\n  registry: {}\n  charts: {}\n  oci_charts: {}\n  store: {}\n  sink: {}\n  \
             tenants: {}\n",
            registry.host(),
            charts.url(),
            oci_charts.host(),
            store.host(),
            sink.url(),
            tenants.url("").trim_end_matches('/'),
        );
        let fleet = git.create("fleet.git", "main");
        let mut files = Change::directory(&folder()).unwrap();
        files.push(Change::write("clusters/one/addresses.yaml", addresses));
        fleet.commit("main", "First", &files).unwrap();
        let servers = Self {
            fleet,
            sink,
            registry,
            git,
            _tenants: tenants,
            _charts: charts,
            _oci_charts: oci_charts,
            _store: store,
        };
        servers.push("config", "1.0.0", "1").await;
        servers.push("web", "1.0.0", "1").await;
        servers
    }

    pub(super) fn fleet_url(&self) -> String {
        self.git.url("fleet.git")
    }

    /// Returns the newest commit of the fleet.
    pub(super) fn head(&self) -> String {
        self.fleet.head("main").unwrap().unwrap().to_string()
    }

    /// Returns the number of commits that the automation has pushed.
    pub(super) fn updates(&self) -> usize {
        let folder = self.fleet.path().display().to_string();
        let words = ["-C", &folder, "log", "--format=%an", "main"];
        let authors = run("git", &words);
        authors.lines().filter(|author| *author == "Bot").count()
    }

    /// Commits these files with another value.
    pub(super) fn change(&self, paths: &[&str], value: &str) {
        let changed = |path: &&str| {
            let text = sluice_system::fs::read_to_string(folder().join(path)).unwrap();
            assert!(text.contains("key: \"1\""), "{path}");
            Change::write(
                *path,
                text.replace("key: \"1\"", &format!("key: \"{value}\"")),
            )
        };
        let changes: Vec<Change> = paths.iter().map(changed).collect();
        self.fleet.commit("main", "Change", &changes).unwrap();
    }

    /// Pushes a version of an artifact, as a build would do.
    pub(super) async fn push(&self, name: &str, tag: &str, value: &str) {
        let folder = tempfile::tempdir().unwrap();
        let manifest = config_map(name, "apps", value);
        sluice_system::fs::write(folder.path().join("a.yaml"), manifest).unwrap();
        let (url, path) = (self.registry.url(name), folder.path().display().to_string());
        let url = format!("{url}:{tag}");
        let words = ["push", "artifact", &url, "--path", &path, "--source", "x"];
        let sluice = Sluice::at(program::sluice());
        let words = [&words[..], &["--revision", tag]].concat();
        let (code, said) = sluice.run(&words).await;
        assert_eq!(code, Some(0), "{said}");
    }
}

/// Returns the folder of the repository's files.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/whole/fleet")
}

//! The remotes of a scenario: Git, registries, chart repositories and an object store. All but the
//! store exist with and without credentials.

use std::collections::BTreeMap;

use serde_json::Value;
use sluice_git::serve::{Change, Repository};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{ChartServer, GitBackend, ObjectStore, Registry, RegistryOptions};

use super::scenario::{Action, Chart, Commit, Image, Scenario};
use crate::oci;

/// User of remotes with credentials.
const USER: &str = "flux";
/// Password of [`USER`].
const PASSWORD: &str = "password";

/// Running remotes, and the names that stand for their addresses and content.
pub(super) struct Remotes {
    git: [GitBackend; 2],
    charts: [ChartServer; 2],
    registries: [Option<Registry>; 2],
    store: Option<ObjectStore>,
    /// Values and their names.
    names: Vec<(String, String)>,
    repositories: BTreeMap<(bool, String), Repository>,
}

impl Remotes {
    /// Starts the remotes that a scenario mentions.
    pub(super) async fn start(scenario: &Scenario) -> Self {
        let private = HttpOptions {
            basic: Some((USER.to_owned(), PASSWORD.to_owned())),
            ..HttpOptions::default()
        };
        let git = [
            GitBackend::start().await,
            GitBackend::start_with(private).await,
        ];
        let charts = [ChartServer::start().await, ChartServer::start().await];
        charts[1].require(USER, PASSWORD);
        let mut registries = [None, None];
        for (name, basic, registry) in [("OPEN_REGISTRY", false, 0), ("LOCKED_REGISTRY", true, 1)] {
            if scenario.mentions(name) {
                let options = RegistryOptions {
                    basic,
                    ..RegistryOptions::default()
                };
                registries[registry] = Some(Registry::start_with(options).await);
            }
        }
        let store = if scenario.mentions("OBJECT_STORE") {
            Some(ObjectStore::start().await)
        } else {
            None
        };
        let mut remotes = Self {
            git,
            charts,
            registries,
            store,
            names: Vec::new(),
            repositories: BTreeMap::new(),
        };
        remotes.name_addresses();
        remotes
    }

    fn name_addresses(&mut self) {
        let chart_host = |server: &ChartServer| server.url().replace("http://", "");
        let mut names = vec![
            (self.git[0].address().to_string(), "OPEN_GIT"),
            (self.git[1].address().to_string(), "LOCKED_GIT"),
            (chart_host(&self.charts[0]), "OPEN_CHARTS"),
            (chart_host(&self.charts[1]), "LOCKED_CHARTS"),
        ];
        let registries = self
            .registries
            .iter()
            .zip(["OPEN_REGISTRY", "LOCKED_REGISTRY"]);
        names.extend(
            registries
                .filter_map(|(registry, name)| Some((registry.as_ref()?.host().to_owned(), name))),
        );
        let store = self.store.as_ref();
        names.extend(store.map(|store| (store.host().to_owned(), "OBJECT_STORE")));
        for (value, name) in names {
            self.name(value, name);
        }
    }

    /// Adds a name for a value.
    pub(super) fn name(&mut self, value: String, name: &str) {
        self.names.push((value, name.to_owned()));
    }

    /// Values and their names.
    pub(super) fn names(&self) -> Vec<(String, &str)> {
        let names = self.names.iter();
        names
            .map(|(value, name)| (value.clone(), &**name))
            .collect()
    }

    /// Replaces names by their values.
    pub(super) fn resolve(&self, value: &Value) -> Value {
        serde_json::from_str(&self.resolve_text(&value.to_string())).unwrap()
    }

    /// Replaces names by their values in a text.
    pub(super) fn resolve_text(&self, text: &str) -> String {
        let names = self.names.iter();
        names.fold(text.to_owned(), |text, (value, name)| {
            text.replace(name, value)
        })
    }

    /// Changes a remote. Returns false if the action is for another recipient.
    pub(super) async fn act(&mut self, action: &Action) -> bool {
        match action {
            Action::Repository(repository) => {
                self.repository(repository.locked, &repository.name);
            }
            Action::Commit(commit) => self.commit(commit),
            Action::Image(image) => self.push(image).await,
            Action::Chart(chart) => self.publish(chart),
            Action::File(file) => self.charts[0].put(&file.path, file.content.as_bytes()),
            Action::Bucket(name) => self.store().create(name).await,
            Action::Object(object) => {
                let put = self
                    .store()
                    .put(&object.bucket, &object.key, &object.content);
                put.await;
            }
            _ => return false,
        }
        true
    }

    fn store(&self) -> &ObjectStore {
        self.store.as_ref().expect("a Bucket names OBJECT_STORE")
    }

    fn repository(&mut self, locked: bool, name: &str) -> Repository {
        let server = &self.git[usize::from(locked)];
        let key = (locked, name.to_owned());
        let repositories = self.repositories.entry(key);
        let created = repositories.or_insert_with(|| server.create(name, "main"));
        created.clone()
    }

    fn commit(&mut self, commit: &Commit) {
        let repository = self.repository(commit.locked, &commit.repository);
        let files = commit.files.iter();
        let changes: Vec<Change> = files
            .map(|(path, text)| Change::write(path, text.as_bytes()))
            .collect();
        let id = repository.commit(&commit.branch, &commit.message, &changes);
        let id = id.unwrap();
        for tag in &commit.tags {
            repository.tag(tag, id, None).unwrap();
        }
        let id = id.to_string();
        self.name(id.clone(), &commit.name);
        // Versions of charts have the beginning only.
        self.name(id[..12].to_owned(), &commit.name);
    }

    async fn push(&mut self, image: &Image) {
        let registry = self.registries[usize::from(image.locked)].as_ref();
        let registry = registry.expect("an OCIRepository names the registry");
        let layer = oci::layer(&entries(&image.files));
        let media_type = image.media_type.as_deref();
        let media_type = media_type.unwrap_or(sluice_oci::package::CONTENT_TYPE);
        let pushed = oci::push_layer(registry, &image.repository, &image.tag, media_type, &layer);
        let digest = pushed.await;
        if let Some(name) = &image.name {
            self.name(digest, name);
        }
    }

    fn publish(&self, chart: &Chart) {
        let server = &self.charts[usize::from(chart.locked)];
        server.publish(&chart.name, &chart.version, &entries(&chart.files));
    }
}

fn entries(files: &BTreeMap<String, String>) -> Vec<(&str, &str)> {
    let files = files.iter();
    files.map(|(path, text)| (&**path, &**text)).collect()
}

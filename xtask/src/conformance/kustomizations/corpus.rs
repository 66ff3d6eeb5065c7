//! The corpus: Kustomizations of checkouts, changed so that two controllers without a network can
//! reconcile them.
//!
//! It prepares specs ([`prepared`]), generated variables, the objects that our builder produces,
//! and the archive of each repository. It lists skipped Kustomizations with a reason.

mod archive;
pub(in super::super) mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_kustomize::Fs;
use sluice_kustomize::remote::{FetchError, Fetcher, Repository};
use sluice_object::{GroupKind, Object};
use sluice_preview::kustomization::Pipeline;
use sluice_preview::{Error, ObjectLookup};
use sluice_system::fs;

use super::super::{gitops, kustomize};
use variables::Variables;

/// Built-in kinds, and whether they are namespaced.
pub(in super::super) type Native = BTreeMap<GroupKind, bool>;

/// The namespace of Kustomizations that we create for folders.
const PLAIN: &str = "plain";

/// Kinds of sources.
const SOURCES: &[&str] = &[
    "GitRepository",
    "OCIRepository",
    "Bucket",
    "ExternalArtifact",
];

/// A checkout.
#[derive(Debug)]
pub(super) struct Tree {
    /// `owner/name`.
    pub(super) repository: String,
    pub(super) commit: String,
    /// The number of its Kustomizations, or of its folders if it has none.
    pub(super) found: usize,
}

/// The source of a Kustomization.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
    /// The folder of its artifact.
    pub(super) root: PathBuf,
}

/// A Kustomization to reconcile.
#[derive(Debug)]
pub(super) struct Subject {
    /// Its name in the report.
    pub(super) about: String,
    /// Its tree.
    pub(super) tree: usize,
    /// The created object.
    pub(super) object: Object,
    pub(super) source: Source,
    /// Config maps and Secrets with its variables.
    pub(super) variables: Vec<Object>,
    /// The objects of our builder; `None` if the build fails.
    pub(super) rendered: Vec<Object>,
}

/// Kustomizations to reconcile, and skipped ones.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    pub(super) trees: Vec<Tree>,
    pub(super) subjects: Vec<Subject>,
    /// The reasons, by name.
    pub(super) left_out: Vec<(String, String)>,
    /// Archives, by content.
    pub(super) archives: BTreeMap<PathBuf, archive::Archive>,
}

impl Subject {
    /// Namespace and name.
    pub(super) fn key(&self) -> (&str, &str) {
        (self.object.namespace(), self.object.name())
    }

    /// Namespaces that must exist and that it does not apply.
    pub(super) fn namespaces(&self) -> BTreeSet<String> {
        let brought: BTreeSet<&str> = self
            .rendered
            .iter()
            .filter(|object| object.is("", "Namespace"))
            .map(Object::name)
            .collect();
        let objects = self.rendered.iter().chain([&self.object]);
        let namespaces = objects.map(Object::namespace);
        let target = self.object.str_at(&["spec", "targetNamespace"]);
        namespaces
            .chain([self.source.namespace.as_str()])
            .chain(target)
            .filter(|name| !name.is_empty() && !brought.contains(name))
            .map(str::to_owned)
            .collect()
    }

    /// The service account that it impersonates.
    pub(super) fn account(&self) -> Option<&str> {
        let account = self.object.str_at(&["spec", "serviceAccountName"]);
        account.filter(|name| !name.is_empty())
    }

    /// The Secret with its kubeconfig.
    pub(super) fn kubeconfig(&self) -> Option<(&str, &str)> {
        let text = |field| {
            self.object
                .str_at(&["spec", "kubeConfig", "secretRef", field])
        };
        text("name").map(|name| (name, text("key").unwrap_or("value")))
    }

    /// Returns why it cannot run beside others, or at all.
    fn obstacle(&self, most: usize) -> Option<String> {
        let (namespace, name) = self.key();
        if self.rendered.len() > most {
            return Some(format!("{} objects", self.rendered.len()));
        }
        self.rendered.iter().find_map(|object| {
            let definition = object.is("apiextensions.k8s.io", "CustomResourceDefinition");
            let own = object.namespace() == namespace || object.namespace().is_empty();
            let itself = object.is("kustomize.toolkit.fluxcd.io", "Kustomization")
                && own
                && object.name() == name;
            let source = object.kind() == self.source.kind
                && object.namespace() == self.source.namespace
                && object.name() == self.source.name;
            let ground = object.is("", "Namespace")
                && (object.name() == namespace
                    || object.name() == "default"
                    || object.name().starts_with("kube-"));
            if definition && object.name().ends_with(".toolkit.fluxcd.io") {
                Some("it applies and prunes the definitions of Flux itself".to_owned())
            } else if itself || source || ground {
                let what = format!("{}/{}", object.kind(), object.name());
                Some(format!(
                    "it applies and prunes an object that it needs: {what}"
                ))
            } else {
                None
            }
        })
    }
}

impl Corpus {
    /// Reads checkouts.
    pub(super) fn of(
        directories: &[PathBuf],
        folders: usize,
        most: usize,
        native: &Native,
    ) -> anyhow::Result<Self> {
        let mut corpus = Self::default();
        for directory in directories {
            corpus
                .read(&fs::canonicalize(directory)?, folders, most, native)
                .with_context(|| format!("read {}", directory.display()))?;
        }
        for subject in &corpus.subjects {
            let root = &subject.source.root;
            if !corpus.archives.contains_key(root) {
                corpus.archives.insert(root.clone(), archive::of(root)?);
            }
        }
        Ok(corpus)
    }

    fn read(
        &mut self,
        root: &Path,
        folders: usize,
        most: usize,
        native: &Native,
    ) -> anyhow::Result<()> {
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        let repository = name.replacen('+', "/", 1);
        let mut overlays = Vec::new();
        gitops::find(&repository, root, root, &mut overlays)?;
        let tree = self.trees.len();
        let variables = Variables::of(root)?;
        let mut found = overlays.len();
        if overlays.is_empty() {
            found = self.wrap(tree, &repository, root, folders, most, native)?;
        }
        for overlay in overlays {
            let file = overlay.file.strip_prefix(root).unwrap_or(&overlay.file);
            let about = format!(
                "{repository}: {}/{} of {}",
                overlay.namespace,
                overlay.name,
                file.display()
            );
            let Some(folder) = &overlay.path else {
                let why = "its folder is in another repository".to_owned();
                self.left_out.push((about, why));
                continue;
            };
            if overlay.name.contains("${") || overlay.namespace.contains("${") {
                self.left_out
                    .push((about, "its name is a variable".to_owned()));
                continue;
            }
            let object = prepared(&overlay.document, &overlay.namespace)?;
            let subject = Subject {
                about,
                tree,
                source: source_of(&object, root),
                variables: variables.asked_for_by(&object),
                object,
                rendered: Vec::new(),
            };
            let rendered = rendered(&subject.object, folder, &subject.variables);
            self.add(subject, rendered.unwrap_or_default(), most);
        }
        self.trees.push(Tree {
            repository,
            commit: commit_of(root)?,
            found,
        });
        Ok(())
    }

    /// Creates Kustomizations for buildable folders and returns the number of all folders.
    fn wrap(
        &mut self,
        tree: usize,
        repository: &str,
        root: &Path,
        most: usize,
        largest: usize,
        native: &Native,
    ) -> anyhow::Result<usize> {
        let mut all = Vec::new();
        kustomize::find(root, &mut all)?;
        all.sort();
        let mut taken = 0;
        for folder in spread(&all, most) {
            if taken == most {
                break;
            }
            let Ok(path) = folder.strip_prefix(root) else {
                continue;
            };
            let mut object = wrapped(path)?;
            let Ok(mut objects) = rendered(&object, folder, &[]) else {
                continue;
            };
            let is_homeless = |object: &Object| {
                object.namespace().is_empty() && native.get(&object.group_kind()) == Some(&true)
            };
            if objects.iter().any(is_homeless) {
                if let Some(spec) = object.at_mut(&["spec"]) {
                    spec["targetNamespace"] = PLAIN.into();
                }
                match rendered(&object, folder, &[]) {
                    Ok(again) => objects = again,
                    Err(_) => continue,
                }
            }
            if objects.is_empty() {
                continue;
            }
            let subject = Subject {
                about: format!("{repository}: {}", path.display()),
                tree,
                source: source_of(&object, root),
                variables: Vec::new(),
                object,
                rendered: Vec::new(),
            };
            let before = self.subjects.len();
            self.add(subject, objects, largest);
            taken += self.subjects.len() - before;
        }
        Ok(all.len())
    }

    fn add(&mut self, mut subject: Subject, rendered: Vec<Object>, most: usize) {
        subject.rendered = rendered;
        match subject.obstacle(most) {
            Some(why) => self.left_out.push((subject.about, why)),
            None => self.subjects.push(subject),
        }
    }
}

/// Reorders a list, so that its beginning is a sample of the whole.
fn spread<T>(all: &[T], wanted: usize) -> impl Iterator<Item = &T> {
    let step = (all.len() / wanted.max(1)).max(1);
    (0..step).flat_map(move |first| all.iter().skip(first).step_by(step))
}

/// Prepares a Kustomization: removes references to other trees and waits.
fn prepared(document: &Value, namespace: &str) -> anyhow::Result<Object> {
    let mut spec = document["spec"].clone();
    let fields = spec.as_object_mut().context("a Kustomization has a spec")?;
    for field in [
        "dependsOn",
        "decryption",
        "wait",
        "healthChecks",
        "healthCheckExprs",
        "suspend",
    ] {
        fields.remove(field);
    }
    if fields
        .get("kubeConfig")
        .is_some_and(|it| it.get("secretRef").is_none())
    {
        fields.remove("kubeConfig");
    }
    let source = &document["spec"]["sourceRef"];
    let kind = source["kind"].as_str().unwrap_or_default();
    let kind = if SOURCES.contains(&kind) {
        kind
    } else {
        SOURCES[0]
    };
    // Some trees set the source of a Kustomization in its parent.
    let name = source["name"].as_str().unwrap_or("source");
    let mut reference = json!({ "kind": kind, "name": name });
    if let Some(namespace) = source["namespace"].as_str() {
        reference["namespace"] = namespace.into();
    }
    fields.insert("sourceRef".to_owned(), reference);
    paced(fields);
    Ok(Object::try_from(json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": document["metadata"]["name"], "namespace": namespace },
        "spec": spec,
    }))?)
}

/// Creates a Kustomization for a folder.
fn wrapped(path: &Path) -> anyhow::Result<Object> {
    let name: String = path
        .display()
        .to_string()
        .to_lowercase()
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    // Label values have up to 63 characters; the end of a path is the most specific part.
    let name = name.split_at(name.len().saturating_sub(60)).1;
    let mut spec = json!({
        "path": format!("./{}", path.display()), "prune": true,
        "sourceRef": { "kind": SOURCES[0], "name": "source" },
    });
    paced(spec.as_object_mut().context("it is an object")?);
    Ok(Object::try_from(json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": name.trim_matches('-'), "namespace": PLAIN }, "spec": spec,
    }))?)
}

/// Disables periodic runs and long waits.
fn paced(spec: &mut serde_json::Map<String, Value>) {
    for (field, time) in [
        ("interval", "1h"),
        ("retryInterval", "1h"),
        ("timeout", "1m"),
    ] {
        spec.insert(field.to_owned(), time.into());
    }
}

fn source_of(object: &Object, tree: &Path) -> Source {
    let text = |path: &[&str]| object.str_at(path).unwrap_or_default();
    let path = text(&["spec", "path"]);
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let (kind, name) = (
        text(&["spec", "sourceRef", "kind"]),
        text(&["spec", "sourceRef", "name"]),
    );
    let is_generated = kind == "ExternalArtifact" && !tree.join(path).is_dir();
    let namespace = match text(&["spec", "sourceRef", "namespace"]) {
        "" => object.namespace(),
        namespace => namespace,
    };
    Source {
        kind: kind.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        root: if is_generated {
            tree.join(name)
        } else {
            tree.to_owned()
        },
    }
}

/// Builds a Kustomization with our builder.
fn rendered(object: &Object, folder: &Path, variables: &[Object]) -> Result<Vec<Object>, Error> {
    let known = GeneratedObjects(variables);
    let pipeline = Pipeline {
        fetcher: Arc::new(NoNetwork),
        ..Pipeline::of_cluster(&known, object.namespace().to_owned())
    };
    pipeline.build(object, folder)
}

/// Returns the generated config maps and Secrets.
struct GeneratedObjects<'v>(&'v [Object]);

impl ObjectLookup for GeneratedObjects<'_> {
    fn find(
        &self,
        gvk: &sluice_client::GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, Error> {
        let mut objects = self.0.iter();
        let is_it = |object: &&Object| {
            object.kind() == gvk.kind && object.namespace() == namespace && object.name() == name
        };
        Ok(objects.find(is_it).cloned())
    }
}

/// Rejects all fetches.
struct NoNetwork;

impl Fetcher for NoNetwork {
    fn fetch_file(&self, _: &str, _: u64) -> Result<Vec<u8>, FetchError> {
        Err(FetchError::Refused("there is no network".to_owned()))
    }

    fn fetch_repository(&self, _: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
        Err(FetchError::Refused("there is no network".to_owned()))
    }
}

fn commit_of(root: &Path) -> anyhow::Result<String> {
    let output = std::process::Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["rev-parse", "HEAD"])
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn spread_list_has_each_element_once() {
    let all: Vec<usize> = (0..10).collect();
    let spread: Vec<usize> = spread(&all, 4).copied().collect();
    assert_eq!(spread, [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
}

//! The install manifests: what `install` applies and `bootstrap` commits.
//!
//! [`generate`] turns [`Options`] into the objects of a Flux installation, in
//! Flux's order and with Flux's names, labels, arguments and limits, so that
//! an installation of either can be handed to the other. What differs is the
//! image. The crate computes; it reads no file, no network and no cluster.
//!
//! `component` is the table of controllers and what each needs; adding one is
//! adding a row. `workload`, `access` and `network` turn rows into objects.

mod access;
mod component;
mod network;
mod workload;

use serde_json::{Map, Value, json};
use sluice_api::meta::label;
use sluice_object::Object;

pub use component::{COMPONENTS, Component};

/// The name of the file that `bootstrap` commits.
pub const FILE_NAME: &str = "gotk-components.yaml";

/// Where our images come from unless told otherwise.
///
/// Nothing is published yet, and a name that someone else could publish under
/// must not become a default: `localhost` is never pulled from.
pub const DEFAULT_REGISTRY: &str = "localhost/sluice";

/// The version of Flux whose manifests these follow.
pub const FLUX_VERSION: &str = "v2.9.4";

/// What to install, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The names of the components; order and repetition do not matter.
    pub components: Vec<String>,
    /// The namespace that is installed into.
    pub namespace: String,
    /// The version that labels and header tell.
    pub version: String,
    /// The images of the controllers.
    pub images: Images,
    /// The Secret that images are pulled with.
    pub image_pull_secret: Option<String>,
    /// How much the controllers log: `debug`, `info` or `error`.
    pub log_level: String,
    /// The DNS domain of the cluster.
    pub cluster_domain: String,
    /// Whether traffic to the controllers is restricted.
    pub network_policy: bool,
    /// Whether the controllers serve other namespaces than their own.
    pub watch_all_namespaces: bool,
    /// The keys of the taints that the controllers tolerate.
    pub toleration_keys: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let components = COMPONENTS
            .iter()
            .filter(|component| component.default && component.available);
        let version = concat!("v", env!("CARGO_PKG_VERSION")).to_owned();
        Self {
            components: components
                .map(|component| component.name.to_owned())
                .collect(),
            namespace: "flux-system".to_owned(),
            images: Images {
                registry: DEFAULT_REGISTRY.to_owned(),
                tag: Tag::Same(version.clone()),
            },
            version,
            image_pull_secret: None,
            log_level: "info".to_owned(),
            cluster_domain: "cluster.local".to_owned(),
            network_policy: true,
            watch_all_namespaces: true,
            toleration_keys: Vec::new(),
        }
    }
}

/// The images of the controllers: one per name, below one registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// What stands before the name of a controller, without a slash at its end.
    pub registry: String,
    /// What stands after it.
    pub tag: Tag,
}

/// The tags of images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// All controllers have the same one, as ours do.
    Same(String),
    /// Each controller has the one that [`FLUX_VERSION`] released it under.
    Flux,
}

/// What keeps manifests from being generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A name that is in no row of the table.
    #[error("component {name:?} does not exist; components are: {}", component::names(|_| true))]
    UnknownComponent {
        /// The name.
        name: String,
    },
    /// A component of Flux that we do not have yet.
    #[error(
        "component {name:?} is not available in this version; available are: {}",
        component::names(|component| component.available)
    )]
    UnavailableComponent {
        /// The name.
        name: String,
    },
    /// Nothing to install.
    #[error("no component is selected; available are: {}", component::names(|component| component.available))]
    NoComponent,
}

/// The objects of an installation, in the order they are written and applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifests {
    /// The objects.
    pub objects: Vec<Object>,
    version: String,
    components: Vec<&'static str>,
}

impl Manifests {
    /// Returns the names of the components, in the order they are installed.
    pub fn components(&self) -> &[&'static str] {
        &self.components
    }

    /// The comment above the objects, which says what they are.
    pub fn header(&self) -> String {
        // It is Flux's to the letter: update bots read it, and a repository that changes hands
        // shall not differ in it.
        format!(
            "---\n# This manifest was generated by flux. DO NOT EDIT.\n# Flux Version: {}\n# Components: {}\n",
            self.version,
            self.components.join(","),
        )
    }

    /// Prints the objects as YAML documents below the header.
    pub fn to_yaml(&self) -> String {
        let header = self.header();
        let documents = self
            .objects
            .iter()
            .map(|object| sluice_yaml::v2::to_string(&object.to_value()));
        header + &documents.collect::<Vec<_>>().join("---\n")
    }
}

/// Generates the objects of an installation.
pub fn generate(options: &Options) -> Result<Manifests, Error> {
    let components = select(&options.components)?;
    Ok(Manifests {
        objects: objects(&components, options),
        version: options.version.clone(),
        components: components.iter().map(|component| component.name).collect(),
    })
}

/// Finds the rows of components, each once and in the order of the table.
fn select(names: &[String]) -> Result<Vec<&'static Component>, Error> {
    for name in names {
        match Component::find(name) {
            None => return Err(Error::UnknownComponent { name: name.clone() }),
            Some(component) if !component.available => {
                return Err(Error::UnavailableComponent { name: name.clone() });
            }
            Some(_) => {}
        }
    }
    let selected: Vec<_> = COMPONENTS
        .iter()
        .filter(|component| names.iter().any(|name| name == component.name))
        .collect();
    if selected.is_empty() {
        Err(Error::NoComponent)
    } else {
        Ok(selected)
    }
}

/// Lays out an installation: what is shared, then component by component.
fn objects(components: &[&'static Component], options: &Options) -> Vec<Object> {
    let mut objects = vec![namespace(options)];
    if options.network_policy {
        objects.extend(network::policies(options));
    }
    objects.extend(access::objects(options));
    for component in components {
        let mut parts = definitions(component);
        parts.extend(workload::objects(component, components, options));
        for part in &mut parts {
            part.set_label(label::COMPONENT, component.name);
        }
        objects.extend(parts);
    }
    for object in &mut objects {
        for (key, value) in common_labels(options) {
            object.set_label(key, value);
        }
    }
    objects
}

/// Returns the labels that everything carries.
fn common_labels(options: &Options) -> [(&'static str, &str); 3] {
    [
        (label::INSTANCE, &options.namespace),
        (label::PART_OF, label::PART_OF_FLUX),
        (label::VERSION, &options.version),
    ]
}

/// The namespace; pods that break the restricted profile are warned about.
fn namespace(options: &Options) -> Object {
    object(json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "labels": {
                "pod-security.kubernetes.io/warn": "restricted",
                "pod-security.kubernetes.io/warn-version": "latest",
            },
            "name": options.namespace,
        },
    }))
}

/// The definitions of the kinds that a component serves.
fn definitions(component: &Component) -> Vec<Object> {
    let text = sluice_api::crds(component.name).expect("every component has definitions");
    let documents = sluice_yaml::v2::documents(text).expect("our definitions are YAML");
    // The comment at the head of the text is a document of its own, without content.
    documents
        .into_iter()
        .filter(|document| !document.is_null())
        .map(object)
        .collect()
}

/// Makes an object of a value that is one by construction.
fn object(value: Value) -> Object {
    Object::try_from(value).expect("a manifest has a version, a kind and a name")
}

/// Makes a map of strings.
fn map<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Map<String, Value> {
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect()
}

#[cfg(test)]
mod tests;

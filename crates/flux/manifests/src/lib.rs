//! The install manifests: what `install` applies and `bootstrap` commits.
//!
//! [`generate`] turns [`Options`] into the objects of a Flux installation, in
//! Flux's order and with Flux's names, labels, arguments and limits, so that
//! an installation of either can be handed to the other. What differs is the
//! image, and that only of the controllers that we have: the others are
//! installed with Flux's own, so that an installation is whole from day one.
//! The crate computes; it reads no file, no network and no cluster.
//!
//! `component` is the table of controllers and what each needs; adding one is
//! adding a row. `workload`, `access` and `network` turn rows into objects;
//! `image` says whose a controller is. [`Sync`] is what ties the cluster to a
//! repository once it is bootstrapped.

mod access;
mod component;
mod image;
mod network;
mod sync;
mod workload;

use serde_json::{Map, Value, json};
use sluice_api::meta::label;
use sluice_object::Object;

pub use component::{COMPONENTS, Component};
pub use image::{DEFAULT_REGISTRY, FLUX_REGISTRY, Images, Maker, Tag};
pub use sync::{KUSTOMIZATION_FILE_NAME, SYNC_FILE_NAME, Sync, kustomization};

/// The name of the file that `bootstrap` commits.
pub const FILE_NAME: &str = "gotk-components.yaml";

/// The version of Flux whose manifests these follow.
pub const FLUX_VERSION: &str = "v2.9.4";

/// The name of the Deployment that runs all our controllers, of its account and its image.
pub const SINGLE: &str = "sluice";

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
    /// How many processes there are.
    pub topology: Topology,
    /// Whether tenants are kept apart: no references into other namespaces, no remote bases, and
    /// the account `default` for objects that name none.
    pub multi_tenant: bool,
    /// Whether the controllers have rights in their own namespace only. Without
    /// `watch_all_namespaces` that is enough for them.
    pub namespaced_rbac: bool,
}

/// How controllers are spread over processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// A Deployment for each, as Flux has it.
    #[default]
    Apart,
    /// One Deployment, [`SINGLE`], runs all that are in our binary; Flux's own stay apart.
    Single,
}

impl Default for Options {
    fn default() -> Self {
        let components = COMPONENTS.iter().filter(|component| component.default);
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
            topology: Topology::Apart,
            multi_tenant: false,
            namespaced_rbac: false,
        }
    }
}

/// What keeps manifests from being generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A name that is in no row of the table.
    #[error(
        "component {name:?} does not exist; components are: {}",
        component::names()
    )]
    UnknownComponent {
        /// The name.
        name: String,
    },
    /// One process runs all controllers of ours, or none.
    #[error("one Deployment runs all controllers that are sluice's own: {missing} is not selected")]
    Incomplete {
        /// The one that is missing.
        missing: &'static str,
    },
    /// Flux's own controllers are in no process of ours.
    #[error("Flux's own images are one for each controller: there is no single Deployment of them")]
    SingleOfFlux,
    /// Rights in one namespace, and objects of all.
    #[error("rights in one namespace are not enough to watch all of them")]
    NamespacedRights,
    /// Nothing to install.
    #[error("no component is selected; components are: {}", component::names())]
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
    /// Returns the version that labels and header tell.
    pub fn version(&self) -> &str {
        &self.version
    }

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
    check(&components, options)?;
    Ok(Manifests {
        objects: objects(&components, options),
        version: options.version.clone(),
        components: components.iter().map(|component| component.name).collect(),
    })
}

/// Refuses what cannot be installed together.
fn check(components: &[&Component], options: &Options) -> Result<(), Error> {
    if options.namespaced_rbac && options.watch_all_namespaces {
        return Err(Error::NamespacedRights);
    }
    if options.topology == Topology::Apart {
        return Ok(());
    }
    if options.images.tag == Tag::Flux {
        return Err(Error::SingleOfFlux);
    }
    let mut ours = COMPONENTS.iter().filter(|component| component.available);
    match ours.find(|ours| !components.iter().any(|one| one.name == ours.name)) {
        Some(missing) => Err(Error::Incomplete {
            missing: missing.name,
        }),
        None => Ok(()),
    }
}

/// Finds the rows of components, each once and in the order of the table.
fn select(names: &[String]) -> Result<Vec<&'static Component>, Error> {
    for name in names {
        if Component::find(name).is_none() {
            return Err(Error::UnknownComponent { name: name.clone() });
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
    let is_joined =
        |component: &Component| options.topology == Topology::Single && component.available;
    for component in components {
        let mut parts = definitions(component);
        if is_joined(component) {
            parts.extend(workload::services(component, SINGLE, options));
        } else {
            parts.extend(workload::objects(component, components, options));
        }
        for part in &mut parts {
            part.set_label(label::COMPONENT, component.name);
        }
        objects.extend(parts);
    }
    let joined: Vec<&Component> = components
        .iter()
        .copied()
        .filter(|component| is_joined(component))
        .collect();
    if !joined.is_empty() {
        let mut parts = workload::single(&joined, components, options);
        for part in &mut parts {
            part.set_label(label::COMPONENT, SINGLE);
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

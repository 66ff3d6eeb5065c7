//! The install manifests that `install` applies and `bootstrap` commits.
//!
//! [`generate`] converts [`Options`] to the objects of a Flux installation, with Flux's order,
//! names, labels, arguments and limits. An installation can therefore change between Flux and
//! sluice. Only the images differ. The crate reads no file, network or cluster.
//!
//! `component` is the table of controllers. `workload`, `access` and `network` convert its rows to
//! objects, and `image` selects images. [`Sync`] has the objects that connect a cluster to a
//! repository.

mod access;
mod component;
mod image;
mod network;
mod sync;
mod workload;

use serde_json::{Map, Value, json};
use sluice_api::meta::label;
use sluice_object::Object;

pub use component::{COMPONENTS, Component, lockdown_flags};
pub use image::{DEFAULT_REGISTRY, FLUX_REGISTRY, Images, Tag, Vendor};
pub use sync::{KUSTOMIZATION_FILE_NAME, SYNC_FILE_NAME, Sync, kustomization};

/// Name of the manifest file that `bootstrap` commits.
pub const FILE_NAME: &str = "gotk-components.yaml";

/// The version of Flux whose manifests are generated.
pub const FLUX_VERSION: &str = "v2.9.4";

/// Name of the Deployment that runs all sluice controllers, of its account and its image.
pub const SINGLE: &str = "sluice";

/// Options of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Names of the components. Order and repetition do not matter.
    pub components: Vec<String>,
    /// Namespace of the installation.
    pub namespace: String,
    /// Version in labels and header.
    pub version: String,
    /// Images of the controllers.
    pub images: Images,
    /// Image pull secret.
    pub image_pull_secret: Option<String>,
    /// Log level: `debug`, `info` or `error`.
    pub log_level: String,
    /// DNS domain of the cluster.
    pub cluster_domain: String,
    /// Whether network policies restrict traffic to the controllers.
    pub network_policy: bool,
    /// Whether the controllers watch all namespaces.
    pub watch_all_namespaces: bool,
    /// Keys of tolerated taints.
    pub toleration_keys: Vec<String>,
    /// Distribution of controllers over processes.
    pub topology: Topology,
    /// Whether tenants are isolated: no cross-namespace references, no remote bases, and `default`
    /// as the default service account.
    pub multi_tenant: bool,
    /// Whether the controllers have permissions only in their own namespace. Requires
    /// `watch_all_namespaces` to be false.
    pub namespaced_rbac: bool,
}

/// Distribution of controllers over processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// One Deployment per controller, as in Flux.
    #[default]
    Separate,
    /// One Deployment, [`SINGLE`], for all sluice controllers. Flux's controllers stay separate.
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
                tag: Tag::Fixed(version.clone()),
            },
            version,
            image_pull_secret: None,
            log_level: "info".to_owned(),
            cluster_domain: "cluster.local".to_owned(),
            network_policy: true,
            watch_all_namespaces: true,
            toleration_keys: Vec::new(),
            topology: Topology::Separate,
            multi_tenant: false,
            namespaced_rbac: false,
        }
    }
}

impl Options {
    /// The images of sluice's controllers, unless Flux's are installed.
    pub fn own_images(&self) -> Option<&Images> {
        (self.images.tag != Tag::Flux).then_some(&self.images)
    }

    /// The Deployments of the other topology. They must not run beside these.
    pub fn replaced(&self) -> Vec<&'static str> {
        match self.topology {
            Topology::Separate => vec![SINGLE],
            Topology::Single => {
                let is_selected = |one: &Component| self.components.iter().any(|it| it == one.name);
                // An optional component that is not selected may run by itself.
                let replaced = COMPONENTS
                    .iter()
                    .filter(|one| one.default || is_selected(one));
                replaced.map(|component| component.name).collect()
            }
        }
    }

    /// The service account of the cluster's own Kustomization, if it needs one.
    pub fn reconciler(&self) -> Option<&'static str> {
        let account = match self.topology {
            Topology::Separate => "kustomize-controller",
            Topology::Single => SINGLE,
        };
        self.multi_tenant.then_some(account)
    }
}

/// The options are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The component does not exist.
    #[error(
        "component {name:?} does not exist; components are: {}",
        component::names()
    )]
    UnknownComponent {
        /// The given name.
        name: String,
    },
    /// A single process needs all sluice controllers.
    #[error("one Deployment runs all controllers that are sluice's own: {missing} is not selected")]
    MissingComponent {
        /// The missing component.
        missing: &'static str,
    },
    /// Flux's images cannot run in a single process.
    #[error("Flux's own images do not fit a single Deployment: each holds one controller")]
    SingleProcessOfFlux,
    /// Namespaced permissions do not fit watching all namespaces.
    #[error("rights in one namespace are not enough to watch all of them")]
    NamespacedRights,
    /// No component is selected.
    #[error("no component is selected; components are: {}", component::names())]
    NoComponent,
}

/// The objects of an installation in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifests {
    /// The objects.
    pub objects: Vec<Object>,
    version: String,
    components: Vec<&'static str>,
}

impl Manifests {
    /// Returns the version in labels and header.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the names of the components in installation order.
    pub fn components(&self) -> &[&'static str] {
        &self.components
    }

    /// Returns the comment above the objects.
    pub fn header(&self) -> String {
        // The text equals Flux's: update bots parse it, and a switch from Flux must not change it.
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

/// Rejects options that contradict each other.
fn check(components: &[&Component], options: &Options) -> Result<(), Error> {
    if options.namespaced_rbac && options.watch_all_namespaces {
        return Err(Error::NamespacedRights);
    }
    if options.topology == Topology::Separate {
        return Ok(());
    }
    if options.images.tag == Tag::Flux {
        return Err(Error::SingleProcessOfFlux);
    }
    // The two that apply manifests work without the other ones.
    let is_needed =
        |one: &&Component| matches!(one.name, "source-controller" | "kustomize-controller");
    let mut ours = COMPONENTS.iter().filter(is_needed);
    match ours.find(|ours| !components.iter().any(|one| one.name == ours.name)) {
        Some(missing) => Err(Error::MissingComponent {
            missing: missing.name,
        }),
        None => Ok(()),
    }
}

/// Returns the rows of components without duplicates, in the order of the table.
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

/// Returns the objects of an installation: shared ones first, then component by component.
fn objects(components: &[&'static Component], options: &Options) -> Vec<Object> {
    let mut objects = vec![namespace(options)];
    if options.network_policy {
        objects.extend(network::policies(options));
    }
    objects.extend(access::objects(options));
    for component in components {
        let mut parts = definitions(component);
        match options.topology {
            Topology::Single => parts.extend(workload::services(component, SINGLE, options)),
            Topology::Separate => parts.extend(workload::objects(component, components, options)),
        }
        for part in &mut parts {
            part.set_label(label::COMPONENT, component.name);
        }
        objects.extend(parts);
    }
    if options.topology == Topology::Single {
        let mut parts = workload::single(components, options);
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

/// Returns the labels of all objects.
fn common_labels(options: &Options) -> [(&'static str, &str); 3] {
    [
        (label::INSTANCE, &options.namespace),
        (label::PART_OF, label::PART_OF_FLUX),
        (label::VERSION, &options.version),
    ]
}

/// Returns the namespace, which warns about Pods outside of the restricted profile.
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

/// Returns the CRDs of a component.
fn definitions(component: &Component) -> Vec<Object> {
    let text = sluice_api::crds(component.name).expect("every component has definitions");
    let documents =
        sluice_yaml::v2::documents(text).expect("the embedded definitions are valid YAML");
    // The comment at the start of the text parses as an empty document.
    documents
        .into_iter()
        .filter(|document| !document.is_null())
        .map(object)
        .collect()
}

/// Converts a value to an object.
fn object(value: Value) -> Object {
    Object::try_from(value).expect("a manifest has a version, a kind and a name")
}

/// Creates a map of strings.
fn map<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Map<String, Value> {
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect()
}

#[cfg(test)]
mod tests;

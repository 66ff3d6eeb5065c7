//! Defines the flags of an installation's controllers, for `install` and `bootstrap`.
//!
//! It also has their manifests and the installation in a cluster. Start at
//! [`ComponentArgs::options`].

use std::path::PathBuf;

use sluice_lifecycle::other_tool::{self, OtherTool};
use sluice_lifecycle::takeover::check_images;
use sluice_lifecycle::{Package, PullSecret};
use sluice_manifests::{COMPONENTS, Component, FLUX_VERSION, Images, Options, Tag, Topology};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{flags, output, spelling};
use sluice_preview::remote_bases;

#[derive(clap::Args, Clone, Debug)]
pub(super) struct ComponentArgs {
    /// DNS domain of the cluster
    #[arg(long, default_value = "cluster.local", value_name = "DOMAIN")]
    cluster_domain: String,
    /// Controllers to install
    #[arg(long, value_parser = flags::csv, value_name = "NAME", default_value = "source-controller,kustomize-controller,helm-controller,notification-controller")]
    components: Vec<Vec<String>>,
    /// Additional controllers to install
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components_extra: Vec<Vec<String>>,
    /// Use Flux's own images for all controllers
    #[arg(long, switch = false, help_heading = flags::OURS)]
    flux_images: bool,
    /// Image pull Secret for the controllers
    #[arg(long, value_name = "NAME")]
    image_pull_secret: Option<String>,
    /// Kustomization directory to install instead of the built-in manifests
    #[arg(long, hide = true, value_name = "DIR")]
    manifests: Option<PathBuf>,
    /// Log level of the controllers
    #[arg(long, default_value = "info", value_name = "LEVEL", value_parser = flags::LOG_LEVELS)]
    log_level: String,
    /// Lock down tenants: no cross-namespace references or remote bases
    #[arg(long, switch = false, help_heading = flags::OURS)]
    multi_tenant: bool,
    /// Limit permissions to the namespace; needs --watch-all-namespaces=false
    #[arg(long, switch = false, help_heading = flags::OURS)]
    namespaced_rbac: bool,
    /// Restrict ingress to the controllers with network policies
    #[arg(long, switch = true)]
    network_policy: bool,
    /// Registry prefix of the controller images
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY, value_name = "PREFIX")]
    registry: String,
    /// Registry credentials for --image-pull-secret, as USER:PASSWORD
    #[arg(long, value_name = "USER:PASSWORD")]
    registry_creds: Option<String>,
    /// Deployments: one per controller (apart) or one for all (single)
    #[arg(long, default_value = "apart", value_name = "SHAPE", value_parser = ["apart", "single"], help_heading = flags::OURS)]
    topology: String,
    /// Taint keys that the controllers tolerate
    #[arg(long, value_parser = flags::csv, value_name = "KEY")]
    toleration_keys: Vec<Vec<String>>,
    /// Version of the images [default: version of this binary]
    // The name within clap is another one than that of the program's own --version.
    #[arg(
        id = "components_version",
        long = "version",
        short = 'v',
        value_name = "VERSION"
    )]
    version: Option<String>,
    /// Reconcile objects in all namespaces
    #[arg(long, switch = true)]
    watch_all_namespaces: bool,
}

impl ComponentArgs {
    /// Returns the typed component names.
    pub(super) fn names(&self) -> Vec<String> {
        let typed = self.components.iter().chain(&self.components_extra);
        typed.flatten().cloned().collect()
    }

    /// Rejects a version and a registry that name no image of this binary's manifests.
    pub(super) fn check_images(&self) -> Result<(), CommandError> {
        if let Some(version) = self.version() {
            check_version(version)?;
        }
        Ok(check_images(&self.images())?)
    }

    /// Returns the typed version, if any.
    fn version(&self) -> Option<&str> {
        let typed = self.version.as_deref();
        typed.filter(|version| !version.is_empty())
    }

    /// Returns the manifests: generated, or built from the user's directory.
    pub(super) fn package(&self, options: &Options) -> Result<Package, CommandError> {
        let folder = self.manifests.as_deref();
        let package = Package::build(options, folder, remote_bases::fetcher);
        package.map_err(|error| suggest_component(error.into(), &options.components))
    }

    /// Returns the user's manifest directory, if the flag is set.
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.manifests.clone()
    }

    /// Returns the pull Secret, if the flags request it.
    pub(super) fn pull_secret(&self) -> Result<Option<PullSecret>, CommandError> {
        let credentials = self.registry_creds.as_deref().unwrap_or_default();
        let name = self.image_pull_secret.as_deref().unwrap_or_default();
        Ok(PullSecret::parse(credentials, name, self.registry())?)
    }

    /// Returns the manifest options of the flags.
    pub(super) fn options(&self, namespace: &str) -> Result<Options, CommandError> {
        let mut options = Options {
            components: self.names(),
            namespace: namespace.to_owned(),
            image_pull_secret: self.image_pull_secret.clone(),
            log_level: self.log_level.clone(),
            cluster_domain: self.cluster_domain.clone(),
            network_policy: self.network_policy,
            watch_all_namespaces: self.watch_all_namespaces,
            toleration_keys: self.toleration_keys.concat(),
            topology: self.topology(),
            multi_tenant: self.multi_tenant,
            namespaced_rbac: self.namespaced_rbac,
            ..Options::default()
        };
        if self.flux_images {
            FLUX_VERSION.clone_into(&mut options.version);
        }
        if let Some(version) = self.version() {
            if self.flux_images && version != FLUX_VERSION {
                return Err(CommandError::user(format!(
                    "targeted version '{version}' is not in this binary: Flux's own images are those of {FLUX_VERSION}"
                )));
            }
            version.clone_into(&mut options.version);
        }
        options.images = self.images();
        Ok(options)
    }

    fn images(&self) -> Images {
        Images {
            registry: self.registry().to_owned(),
            tag: match self.version() {
                _ if self.flux_images => Tag::Flux,
                Some(version) => Tag::Fixed(version.to_owned()),
                None => Options::default().images.tag,
            },
        }
    }

    fn topology(&self) -> Topology {
        match self.topology.as_str() {
            "single" => Topology::Single,
            _ => Topology::Separate,
        }
    }

    /// Whether permissions are limited to the namespace.
    pub(super) fn is_namespaced(&self) -> bool {
        self.namespaced_rbac
    }

    fn registry(&self) -> &str {
        self.registry.trim_end_matches('/')
    }
}

/// Adds the component that was meant to an error, if one of the names is unknown.
fn suggest_component(error: CommandError, names: &[String]) -> CommandError {
    let Some(unknown) = names.iter().find(|name| Component::find(name).is_none()) else {
        return error;
    };
    let known = COMPONENTS.iter().map(|component| component.name);
    spelling::suggest(
        error,
        unknown,
        known,
        "separate several by commas: --components=source-controller,kustomize-controller",
    )
}

/// Rejects unknown component names.
pub(super) fn check_names(names: &[String]) -> Result<(), CommandError> {
    let is_known = |name: &String| Component::find(name).is_some();
    let Some(unknown) = names.iter().find(|name| !is_known(name)) else {
        return Ok(());
    };
    let all: Vec<&str> = COMPONENTS.iter().map(|component| component.name).collect();
    Err(
        CommandError::user(format!("component {unknown} is not available"))
            .hint(format!("components are: {}", all.join(", "))),
    )
}

/// Rejects a version that this binary has no manifests for.
fn check_version(version: &str) -> Result<(), CommandError> {
    if !version.starts_with('v') {
        return Err(CommandError::user(format!(
            "targeted version '{version}' must be prefixed with 'v'"
        )));
    }
    let minor = |version: &str| {
        let mut parts = version.trim_start_matches('v').splitn(3, '.');
        (
            parts.next().unwrap_or_default().to_owned(),
            parts.next().unwrap_or_default().to_owned(),
        )
    };
    let own = env!("CARGO_PKG_VERSION");
    let carried = [own, sluice_manifests::FLUX_VERSION];
    if carried
        .iter()
        .any(|carried| minor(carried) == minor(version))
    {
        return Ok(());
    }
    Err(CommandError::user(format!(
        "targeted version '{version}' is not compatible with your current version of sluice ({own})"
    ))
    .hint("use the binary of that version: each has only its own manifests"))
}

/// Asks before a change to another tool's installation, and fails without consent.
pub(super) async fn refuse_other_tool(context: &Context, verb: &str) -> Result<(), CommandError> {
    match other_tool::find_other(&context.session()?, verb).await? {
        Some(other) => may_override(&other, verb),
        None => Ok(()),
    }
}

/// Asks whether another tool's installation may be changed.
pub(super) fn may_override(other: &OtherTool, verb: &str) -> Result<(), CommandError> {
    let OtherTool { name, version } = other;
    output::stderr(&format!(
        "Flux {} has been installed on this cluster with {}!\n",
        output::plain(version),
        output::plain(name)
    ));
    let question = format!("Are you sure you want to override the {name} installation?");
    match output::confirm_unless(&question, "--force") {
        Ok(true) => Ok(()),
        _ => Err(CommandError::user(format!("{verb} cancelled"))
            .hint("set --force to override the other installation")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bundled_versions_are_accepted() {
        let own = env!("CARGO_PKG_VERSION");
        let refusal = |version: &str| check_version(version).err().map(|e| e.message().to_owned());
        assert_eq!(refusal(&format!("v{own}")), None);
        assert_eq!(refusal("v2.9.4"), None);
        assert_eq!(
            refusal("2.9.4").as_deref(),
            Some("targeted version '2.9.4' must be prefixed with 'v'")
        );
        let other = refusal("v2.8.1").unwrap();
        assert!(
            other.starts_with("targeted version 'v2.8.1' is not compatible"),
            "{other}"
        );
    }

    #[test]
    fn unknown_controllers_are_rejected() {
        let check = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            check_names(&names).map_err(|error| error.text())
        };
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&["source-controller", "helm-controller"]), Ok(()));
        let refused = check(&["source-controller", "foo"]).unwrap_err();
        assert!(
            refused.starts_with(
                "✗ component foo is not available\n  hint: components are: source-controller, "
            ),
            "{refused}"
        );
    }
}

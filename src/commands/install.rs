//! `install`: the controllers into a cluster, or their manifests onto stdout.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sluice_apply::{Applier, ApplyOptions, Inventory, Owner, Settings, WaitOptions, Watches};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_kustomize::fs::DiskFs;
use sluice_manifests::{Images, Options, Tag};
use sluice_object::{Object, documents};
use sluice_oci::keychain::{CONFIG_KEY, CONFIG_TYPE};
use sluice_system::SystemClock;

use super::version;
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::{CommandError, chain};
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags, output, remote_bases};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Domain of the cluster's own names
    #[arg(long, default_value = "cluster.local", value_name = "DOMAIN")]
    cluster_domain: String,
    /// Controllers to install
    #[arg(long, value_parser = flags::csv, value_name = "NAME", default_value = "source-controller,kustomize-controller,helm-controller,notification-controller")]
    components: Vec<Vec<String>>,
    /// Controllers to install as well
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components_extra: Vec<Vec<String>>,
    /// Print the manifests and change nothing
    #[arg(long, switch = false)]
    export: bool,
    /// Install even where the cluster is managed from Git
    #[arg(long, switch = false)]
    force: bool,
    /// Secret with the registry's credentials
    #[arg(long, value_name = "NAME")]
    image_pull_secret: Option<String>,
    /// Folder with a kustomization file, to install instead of our own manifests
    #[arg(long, hide = true, value_name = "DIR")]
    manifests: Option<PathBuf>,
    /// Log level of the controllers
    #[arg(long, default_value = "info", value_name = "LEVEL", value_parser = ["debug", "info", "error"])]
    log_level: String,
    /// Let only what needs to reach the controllers
    #[arg(long, switch = true)]
    network_policy: bool,
    /// What stands before the images' names
    #[arg(long, default_value = sluice_manifests::DEFAULT_REGISTRY, value_name = "PREFIX")]
    registry: String,
    /// Credentials of the registry, as USER:PASSWORD, to write into the Secret of --image-pull-secret
    #[arg(long, value_name = "USER:PASSWORD")]
    registry_creds: Option<String>,
    /// Taints that the controllers tolerate
    #[arg(long, value_parser = flags::csv, value_name = "KEY")]
    toleration_keys: Vec<Vec<String>>,
    /// Version of the images (default: this binary's)
    #[arg(long, short = 'v', value_name = "VERSION")]
    version: Option<String>,
    /// Reconcile the objects of all namespaces, not only of the controllers' own
    #[arg(long, switch = true)]
    watch_all_namespaces: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let credentials = credentials(args)?;
    let (text, objects) = manifests(args, context)?;
    if args.export {
        output::stdout(&text)?;
        return Ok(Exit::SUCCESS);
    }
    context.progress.generate("generating manifests");
    context.progress.success("manifests build completed");
    context.block_on(install(args, objects, credentials, context))??;
    Ok(Exit::SUCCESS)
}

/// The manifests as text and as objects: generated, or built from the folder that is named.
fn manifests(args: &Args, context: &Context) -> Result<(String, Vec<Object>), CommandError> {
    let manifests = sluice_manifests::generate(&options(args, context))
        .map_err(|error| CommandError::user(chain(&error)))?;
    let Some(folder) = &args.manifests else {
        return Ok((manifests.to_yaml(), manifests.objects));
    };
    let text = overlay(folder)?;
    let values = sluice_yaml::v2::documents(&text)
        .map_err(|error| CommandError::internal(format!("read what was built: {error}")))?;
    let text = manifests.header() + &text;
    Ok((text, documents::expand(values)))
}

fn overlay(folder: &Path) -> Result<String, CommandError> {
    let options = sluice_kustomize::Options {
        fetcher: Some(remote_bases::fetcher()),
        ..sluice_kustomize::Options::flux()
    };
    let folder = std::path::absolute(folder)?;
    let built = sluice_kustomize::build(&DiskFs, &folder, &options)
        .map_err(|error| CommandError::user(format!("install failed: {error}")))?;
    Ok(built.as_yaml())
}

/// User and password for the registry, with the name of the Secret that they are written into.
#[derive(Debug, PartialEq, Eq)]
struct Credentials<'a> {
    secret: &'a str,
    user: &'a str,
    password: &'a str,
}

fn credentials(args: &Args) -> Result<Option<Credentials<'_>>, CommandError> {
    let typed = args.registry_creds.as_deref().unwrap_or_default();
    if typed.is_empty() {
        return Ok(None);
    }
    let secret = args.image_pull_secret.as_deref().unwrap_or_default();
    if secret.is_empty() {
        return Err(CommandError::user(
            "--registry-creds requires --image-pull-secret to be set",
        ));
    }
    match typed.split_once(':') {
        Some((user, password)) if !password.contains(':') => Ok(Some(Credentials {
            secret,
            user,
            password,
        })),
        _ => Err(CommandError::user(
            "invalid --registry-creds format, expected 'user:password'",
        )),
    }
}

/// The Secret that the kubelet logs in to the registry with.
fn pull_secret(credentials: &Credentials<'_>, registry: &str, namespace: &str) -> Value {
    let Credentials {
        secret,
        user,
        password,
    } = credentials;
    let auth = BASE64_STANDARD.encode(format!("{user}:{password}"));
    let login = json!({ "username": user, "password": password, "auth": auth });
    let config = json!({ "auths": { registry: login } }).to_string();
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": { "name": secret, "namespace": namespace },
        "type": CONFIG_TYPE,
        "data": { CONFIG_KEY: BASE64_STANDARD.encode(config) },
    })
}

/// Creates the Secret, or replaces the credentials in the one that is there.
async fn write_pull_secret(secret: &Value, context: &Context) -> Result<(), CommandError> {
    let gvk = GroupVersionKind::gvk("", "v1", "Secret");
    let options = PatchOptions {
        field_manager: Some(FIELD_MANAGER),
        ..PatchOptions::default()
    };
    let (namespace, name) = (context.namespace(), secret["metadata"]["name"].as_str());
    let cluster = context.cluster()?;
    let written = match cluster
        .create(&gvk, Some(&namespace), secret, options)
        .await
    {
        Err(error) if error.is_already_exists() => {
            let name = name.unwrap_or_default();
            cluster
                .merge(&gvk, Some(&namespace), name, secret, options)
                .await
        }
        created => created,
    };
    written
        .map(drop)
        .map_err(|error| refusal(&error).while_doing("install failed"))
}

fn options(args: &Args, context: &Context) -> Options {
    let list = |uses: &[Vec<String>]| uses.iter().flatten().cloned().collect::<Vec<_>>();
    let mut components = list(&args.components);
    components.extend(list(&args.components_extra));
    let mut options = Options {
        components,
        namespace: context.namespace(),
        image_pull_secret: args.image_pull_secret.clone(),
        log_level: args.log_level.clone(),
        cluster_domain: args.cluster_domain.clone(),
        network_policy: args.network_policy,
        watch_all_namespaces: args.watch_all_namespaces,
        toleration_keys: list(&args.toleration_keys),
        ..Options::default()
    };
    if let Some(version) = &args.version {
        options.version.clone_from(version);
    }
    options.images = Images {
        registry: args.registry.trim_end_matches('/').to_owned(),
        tag: Tag::Same(options.version.clone()),
    };
    options
}

async fn install(
    args: &Args,
    objects: Vec<Object>,
    credentials: Option<Credentials<'_>>,
    context: &Context,
) -> Result<(), CommandError> {
    let progress = context.progress;
    let namespace = context.namespace();
    if !args.force {
        refuse_bootstrapped(context).await?;
    }
    progress.action(format!("installing components in {namespace} namespace"));
    let mut settings = Settings::new(FIELD_MANAGER, "kustomize.toolkit.fluxcd.io");
    settings.concurrency = 16;
    let applier = Applier::new(
        context.cluster()?.clone(),
        Arc::new(settings),
        Watches::default(),
        Arc::new(SystemClock),
    );
    // Installed objects belong to no Kustomization: the labels are not put on, and with nothing
    // known beforehand nothing is looked up by them.
    let owner = Owner {
        name: "flux".into(),
        namespace: namespace.clone(),
    };
    let applied = applier
        .apply_staged(
            objects,
            &ApplyOptions {
                owner: &owner,
                known: &Inventory::default(),
                force: false,
                pause: None,
            },
        )
        .await
        .map_err(|failure| CommandError::cluster(format!("install failed: {}", chain(&failure))))?;
    for entry in &applied.changes.entries {
        output::stderr(&format!("{entry}\n"));
    }
    if let Some(credentials) = credentials {
        let name = credentials.secret;
        progress.action(format!("generating image pull secret {name}"));
        let registry = args.registry.trim_end_matches('/');
        write_pull_secret(&pull_secret(&credentials, registry, &namespace), context).await?;
    }
    progress.waiting("verifying installation");
    let deployments: Vec<_> = applied
        .targets
        .into_iter()
        .filter(|target| target.id.kind == "Deployment")
        .collect();
    let names: Vec<String> = deployments
        .iter()
        .map(|target| target.id.name.clone())
        .collect();
    let options = WaitOptions {
        timeout: context.timeout().max(Duration::from_secs(1)),
        fail_fast: false,
    };
    applier
        .wait(deployments, options, std::future::pending())
        .await
        .map_err(|error| {
            CommandError::cluster(format!("install failed: {error}"))
                .hint("`logs` and `events` say why a controller does not become ready")
        })?;
    for name in names {
        progress.success(format!("{name}: deployment ready"));
    }
    progress.success("install finished");
    Ok(())
}

/// A cluster that is kept in Git is upgraded there: what is installed by hand would be undone.
async fn refuse_bootstrapped(context: &Context) -> Result<(), CommandError> {
    let managed = version::deployments(context)
        .await?
        .iter()
        .any(|deployment| {
            deployment
                .label("kustomize.toolkit.fluxcd.io/name")
                .is_some()
        });
    if managed {
        return Err(CommandError::user(
            "this cluster has already been bootstrapped with Flux: upgrade it with bootstrap",
        )
        .hint("--force installs all the same"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn args(line: &str) -> Args {
        let command = Args::augment_args(Command::new("install").no_binary_name(true));
        let matches = command
            .try_get_matches_from(line.split_whitespace())
            .unwrap();
        Args::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn credentials_need_a_secret_and_are_a_user_and_a_password() {
        for (line, refused) in [
            ("", None),
            ("--image-pull-secret=a", None),
            ("--image-pull-secret=a --registry-creds=me:pass", None),
            (
                "--registry-creds=me:pass",
                Some("--registry-creds requires --image-pull-secret to be set"),
            ),
            (
                "--image-pull-secret=a --registry-creds=me",
                Some("invalid --registry-creds format, expected 'user:password'"),
            ),
            (
                "--image-pull-secret=a --registry-creds=a:b:c",
                Some("invalid --registry-creds format, expected 'user:password'"),
            ),
        ] {
            let args = args(line);
            let refusal = credentials(&args).err();
            let refusal = refusal.as_ref().map(CommandError::message);
            assert_eq!(refusal, refused, "{line}");
        }
    }

    #[test]
    fn the_pull_secret_is_what_the_kubelet_reads() {
        let args = args("--image-pull-secret=regcred --registry-creds=me:pass");
        let credentials = credentials(&args).unwrap().unwrap();
        let secret = pull_secret(&credentials, "registry.example.com/flux", "flux-system");
        assert_eq!(secret["metadata"]["name"], "regcred");
        assert_eq!(secret["type"], "kubernetes.io/dockerconfigjson");
        let data = secret["data"][".dockerconfigjson"].as_str().unwrap();
        let config: Value = serde_json::from_slice(&BASE64_STANDARD.decode(data).unwrap()).unwrap();
        assert_eq!(
            config,
            json!({"auths": {"registry.example.com/flux": {
                "username": "me", "password": "pass", "auth": "bWU6cGFzcw=="}}})
        );
    }
}

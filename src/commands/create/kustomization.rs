//! `create kustomization`: what to apply from a source.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Common, Wanted, apply, export, name, written};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, flags};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the object
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// What decrypts the manifests
    #[arg(long, value_name = "PROVIDER", value_parser = ["sops"])]
    decryption_provider: Option<String>,
    /// Secret with the decryption keys
    #[arg(long, value_name = "NAME")]
    decryption_secret: Option<String>,
    /// Kustomizations that must be ready before this one, as [NAMESPACE/]NAME,…
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    depends_on: Vec<Vec<String>>,
    /// Workloads to include in the health check, as KIND/NAME.NAMESPACE,…
    #[arg(long, value_parser = flags::csv, value_name = "WORKLOAD")]
    health_check: Vec<Vec<String>>,
    /// How long the health check may take
    #[arg(long, default_value = "2m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    health_check_timeout: Duration,
    /// Secret with the kubeconfig of the cluster to apply to
    #[arg(long, value_name = "NAME")]
    kubeconfig_secret_ref: Option<String>,
    /// Directory of the source to apply, beginning with ./
    #[arg(long, default_value = "./", value_name = "PATH")]
    path: String,
    /// Delete what is no longer in the source
    #[arg(long, switch = false)]
    prune: bool,
    /// How long to wait after a failure
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    retry_interval: Duration,
    /// Service account to impersonate
    #[arg(long, value_name = "NAME")]
    service_account: Option<String>,
    /// Source of the manifests, as [KIND/]NAME[.NAMESPACE]
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// Namespace for everything that is applied
    #[arg(long, value_name = "NAMESPACE")]
    target_namespace: Option<String>,
    /// Deprecated and without effect
    #[arg(long, hide = true, value_parser = ["client", "server"])]
    validation: Option<String>,
    /// Wait for everything that is applied to be healthy
    #[arg(long, switch = false)]
    wait: bool,
}

const SOURCES: [&str; 4] = [
    "OCIRepository",
    "GitRepository",
    "Bucket",
    "ExternalArtifact",
];
const WORKLOADS: [(&str, &str); 4] = [
    ("Deployment", "apps/v1"),
    ("DaemonSet", "apps/v1"),
    ("StatefulSet", "apps/v1"),
    ("HelmRelease", "helm.toolkit.fluxcd.io/v2"),
];

pub fn run(args: &Args, common: &Common, context: &Context) -> CommandResult {
    let name = name(&args.name)?;
    if args.validation.is_some() {
        context
            .progress
            .warning("--validation is deprecated and has no effect: the server validates");
    }
    let wanted = Wanted::new("Kustomization", name, spec(args, common)?)?;
    if common.export {
        return export(&wanted, common, context);
    }
    context.progress.generate("generating Kustomization");
    apply(&wanted, common, context)
}

fn spec(args: &Args, common: &Common) -> Result<Value, CommandError> {
    let mut spec = Map::new();
    let source = args
        .source
        .as_deref()
        .ok_or_else(|| CommandError::user("source is required"))?;
    spec.insert("interval".into(), json!(written(common.interval)));
    spec.insert("path".into(), json!(path(&args.path)?));
    spec.insert("prune".into(), json!(args.prune));
    spec.insert("sourceRef".into(), reference(source)?);
    if let Some(namespace) = &args.target_namespace {
        spec.insert("targetNamespace".into(), json!(namespace));
    }
    if !args.retry_interval.is_zero() {
        spec.insert("retryInterval".into(), json!(written(args.retry_interval)));
    }
    let depends_on: Vec<Value> = args
        .depends_on
        .iter()
        .flatten()
        .map(|text| match text.split_once('/') {
            Some((namespace, name)) => json!({ "namespace": namespace, "name": name }),
            None => json!({ "name": text }),
        })
        .collect();
    if !depends_on.is_empty() {
        spec.insert("dependsOn".into(), json!(depends_on));
    }
    let checks: Vec<Value> = args
        .health_check
        .iter()
        .flatten()
        .map(|text| health_check(text))
        .collect::<Result<_, _>>()?;
    if args.wait {
        spec.insert("wait".into(), json!(true));
    } else if !checks.is_empty() {
        spec.insert("healthChecks".into(), json!(checks));
    }
    if args.wait || !checks.is_empty() {
        spec.insert("timeout".into(), json!(written(args.health_check_timeout)));
    }
    if let Some(account) = &args.service_account {
        spec.insert("serviceAccountName".into(), json!(account));
    }
    if let Some(provider) = &args.decryption_provider {
        let mut decryption = json!({ "provider": provider });
        if let Some(secret) = &args.decryption_secret {
            decryption["secretRef"] = json!({ "name": secret });
        }
        spec.insert("decryption".into(), decryption);
    }
    if let Some(secret) = &args.kubeconfig_secret_ref {
        spec.insert(
            "kubeConfig".into(),
            json!({ "secretRef": { "name": secret } }),
        );
    }
    Ok(Value::Object(spec))
}

/// A path that cannot climb out of the source, always written from `./`.
fn path(given: &str) -> Result<String, CommandError> {
    if !given.starts_with("./") {
        return Err(CommandError::user("path must begin with ./"));
    }
    let mut parts = Vec::new();
    for part in given.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Ok(format!("./{}", parts.join("/")))
}

/// `[Kind/]name[.namespace]`, a GitRepository where no kind is said.
fn reference(text: &str) -> Result<Value, CommandError> {
    let (kind, rest) = text.split_once('/').unwrap_or(("GitRepository", text));
    let known = SOURCES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(kind))
        .ok_or_else(|| {
            CommandError::user(format!(
                "invalid argument \"{text}\" for \"--source\" flag: source kind '{kind}' is not supported, must be one of: {}",
                SOURCES.join(", ")
            ))
        })?;
    let (name, namespace) = rest.split_once('.').unwrap_or((rest, ""));
    if name.is_empty() {
        return Err(CommandError::user(format!(
            "invalid argument \"{text}\" for \"--source\" flag: no name given"
        )));
    }
    let mut reference = json!({ "kind": known, "name": name });
    if !namespace.is_empty() {
        reference["namespace"] = json!(namespace);
    }
    Ok(reference)
}

/// `Kind/name.namespace`.
fn health_check(text: &str) -> Result<Value, CommandError> {
    let refused = || {
        CommandError::user(format!(
            "invalid health check '{text}' must be in the format 'kind/name.namespace'"
        ))
    };
    let (kind, rest) = text.split_once('/').ok_or_else(refused)?;
    let (name, namespace) = rest.split_once('.').ok_or_else(refused)?;
    let (kind, api_version) = WORKLOADS
        .iter()
        .find(|(known, _)| *known == kind)
        .ok_or_else(|| {
            let kinds: Vec<&str> = WORKLOADS.iter().map(|(kind, _)| *kind).collect();
            CommandError::user(format!(
                "invalid health check kind '{kind}' can be {}",
                kinds.join(", ")
            ))
        })?;
    if name.is_empty() || namespace.is_empty() {
        return Err(refused());
    }
    Ok(json!({
        "apiVersion": api_version, "kind": kind, "name": name, "namespace": namespace,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_climb_out_of_the_source() {
        assert_eq!(path("./apps/../../..").unwrap(), "./");
        assert_eq!(path("./apps//web/").unwrap(), "./apps/web");
        assert!(path("/etc").is_err());
        assert!(path("apps").is_err());
    }

    #[test]
    fn a_source_is_a_git_repository_unless_it_says_otherwise() {
        assert_eq!(
            reference("podinfo").unwrap(),
            json!({"kind": "GitRepository", "name": "podinfo"})
        );
        assert_eq!(
            reference("ocirepository/podinfo.apps").unwrap(),
            json!({"kind": "OCIRepository", "name": "podinfo", "namespace": "apps"})
        );
        assert!(reference("Secret/podinfo").is_err());
        assert!(reference("GitRepository/").is_err());
    }

    #[test]
    fn a_health_check_names_kind_name_and_namespace() {
        assert_eq!(
            health_check("Deployment/web.apps").unwrap(),
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "namespace": "apps"})
        );
        for bad in ["web", "Deployment/web", "Pod/web.apps", "Deployment/.apps"] {
            assert!(health_check(bad).is_err(), "{bad}");
        }
    }
}

//! Implements `create kustomization`: applies manifests of a source.

use std::time::Duration;

use serde_json::{Value, json};
use sluice_golang::non_empty;

use super::reference::{self, Reference};
use super::{Creation, NewObject, duration_value, put, put_time, refer};
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Choice, Offer};

const DECRYPTION: Choice = Choice::new(&["sops"], |value| {
    format!("unsupported decryption provider '{value}'")
})
.or_absent("no decryption provider given, must be one of: sops");
/// Kinds that a health check accepts.
const WORKLOADS: [&str; 4] = ["HelmRelease", "Deployment", "DaemonSet", "StatefulSet"];

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Decryption provider of the manifests
    #[arg(long, value_parser = DECRYPTION, value_name = "PROVIDER")]
    decryption_provider: Option<String>,
    /// Secret with the decryption keys
    #[arg(long, value_name = "NAME")]
    decryption_secret: Option<String>,
    /// Kustomizations that must be ready first, as NAMESPACE/NAME@CEL,…
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    depends_on: Vec<Vec<String>>,
    /// Workloads to include in the health check, as KIND/NAME.NAMESPACE,…
    #[arg(long, value_parser = flags::csv, value_name = "WORKLOAD")]
    health_check: Vec<Vec<String>>,
    /// Timeout of the health check
    #[arg(long, default_value = "2m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    health_check_timeout: Duration,
    /// Secret with the kubeconfig of a remote cluster to apply to
    #[arg(long, value_name = "NAME")]
    kubeconfig_secret_ref: Option<String>,
    /// Directory in the source to apply
    #[arg(long, default_value = "./", value_name = "PATH")]
    path: String,
    /// Delete objects that were removed from the source
    #[arg(long, switch = false)]
    prune: bool,
    /// Retry interval after a failure
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    retry_interval: Duration,
    /// Service account to impersonate
    #[arg(long, value_name = "NAME")]
    service_account: Option<String>,
    /// Source of the manifests, as [KIND/]NAME[.NAMESPACE]
    #[arg(long, value_parser = reference::source, value_name = "SOURCE")]
    source: Option<Reference>,
    /// Override the namespace of all applied objects
    #[arg(long, value_name = "NAMESPACE")]
    target_namespace: Option<String>,
    /// Deprecated; has no effect
    #[arg(long, hide = true, value_parser = Offer(&["client", "server"]))]
    validation: Option<String>,
    /// Wait until all applied objects are healthy
    #[arg(long, switch = false)]
    wait: bool,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let source = args
        .source
        .as_ref()
        .ok_or_else(|| CommandError::missing_flag("source is required", "--source"))?;
    if args.validation.is_some() {
        creation
            .context
            .progress
            .warning("--validation is deprecated and has no effect: the server validates");
    }
    let labels = creation.labels()?;
    let mut spec = json!({
        "interval": creation.interval(),
        "path": path(&args.path),
        "prune": args.prune,
        "sourceRef": source.to_value(),
    });
    put(
        &mut spec,
        "targetNamespace",
        args.target_namespace.as_deref(),
    );
    if let Some(depends_on) = reference::depends_on(&args.depends_on) {
        spec["dependsOn"] = depends_on;
    }
    if let Some(secret) = non_empty(args.kubeconfig_secret_ref.as_deref()) {
        spec["kubeConfig"] = json!({ "secretRef": { "name": secret } });
    }
    let checks = args.health_check.concat();
    if args.wait {
        spec["wait"] = json!(true);
    } else if !checks.is_empty() {
        let checks: Result<Vec<Value>, _> = checks.iter().map(|text| health_check(text)).collect();
        spec["healthChecks"] = json!(checks?);
    }
    if args.wait || !checks.is_empty() {
        spec["timeout"] = duration_value(args.health_check_timeout);
    }
    put(
        &mut spec,
        "serviceAccountName",
        args.service_account.as_deref(),
    );
    if let Some(provider) = &args.decryption_provider {
        let mut decryption = json!({ "provider": provider });
        let secret = args.decryption_secret.as_deref();
        refer(&mut decryption, "secretRef", secret);
        spec["decryption"] = decryption;
    }
    put_time(&mut spec, "retryInterval", args.retry_interval);
    NewObject::new("Kustomization", labels, spec)
}

/// Cleans a path, so that it starts with `./` and stays within the source.
fn path(given: &str) -> String {
    let mut parts = Vec::new();
    for part in given.trim().split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("./{}", parts.join("/"))
}

/// Parses `Kind/name.namespace`.
fn health_check(text: &str) -> Result<Value, CommandError> {
    let form = format!("invalid health check '{text}' must be in the format 'kind/name.namespace'");
    let parts: Vec<&str> = text.split('/').collect();
    let [kind, object] = parts[..] else {
        let parts = parts.join(" ");
        return Err(CommandError::user(format!("{form} [{parts}]")));
    };
    if !WORKLOADS.contains(&kind) {
        return Err(CommandError::user(format!(
            "invalid health check kind '{kind}' can be HelmRelease, Deployment, DaemonSet or StatefulSet"
        )));
    }
    match object.split_once('.') {
        Some((name, namespace))
            if !name.is_empty() && !namespace.is_empty() && !namespace.contains('.') =>
        {
            let mut check = json!({ "kind": kind, "name": name, "namespace": namespace });
            if kind == "HelmRelease" {
                check["apiVersion"] = json!("helm.toolkit.fluxcd.io/v2");
            }
            Ok(check)
        }
        _ => Err(CommandError::user(form)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_path_stays_below_the_source(text in "[a-z./é]{0,24}") {
            let written = path(&text);
            let below = written.strip_prefix("./");
            prop_assert!(below.is_some(), "{written}");
            let below = below.unwrap_or_default();
            prop_assert!(
                below.is_empty() || below.split('/').all(|part| !matches!(part, "" | "." | "..")),
                "{written}"
            );
            // Cleaning a clean path must not change it.
            prop_assert_eq!(path(&written), written);
        }
    }

    #[test]
    fn path_cannot_leave_the_source() {
        for (given, expected) in [
            ("./apps/../../..", "./"),
            ("./apps//web/", "./apps/web"),
            ("../../x", "./x"),
            ("/etc", "./etc"),
            ("apps", "./apps"),
            ("", "./"),
        ] {
            assert_eq!(path(given), expected, "{given}");
        }
    }

    #[test]
    fn health_check_has_kind_name_and_namespace() {
        assert_eq!(
            health_check("Deployment/web.apps").unwrap(),
            json!({ "kind": "Deployment", "name": "web", "namespace": "apps" })
        );
        assert_eq!(
            health_check("HelmRelease/web.apps").unwrap(),
            json!({
                "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "name": "web",
                "namespace": "apps",
            })
        );
        let form = "must be in the format 'kind/name.namespace'";
        for (bad, said) in [
            ("web", format!("invalid health check 'web' {form} [web]")),
            (
                "Deployment/web",
                format!("invalid health check 'Deployment/web' {form}"),
            ),
            (
                "Deployment/.apps",
                format!("invalid health check 'Deployment/.apps' {form}"),
            ),
            (
                "Pod/web.apps",
                "invalid health check kind 'Pod' can be HelmRelease, Deployment, DaemonSet or StatefulSet"
                    .to_owned(),
            ),
        ] {
            assert_eq!(health_check(bad).unwrap_err().message(), said);
        }
    }
}

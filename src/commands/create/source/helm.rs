//! Implements `create source helm`: fetches from a chart repository, with a Secret for given
//! credentials.

use serde_json::{Value, json};
use sluice_golang::non_empty;
use url::{ParseError, Url};

use super::{Group, authenticate};
use crate::CommandResult;
use crate::commands::create::secret::helm;
use crate::commands::create::{Creation, NewObject, put, put_time, refer, required};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// File with the TLS client certificate, in PEM format
    #[arg(long, value_name = "FILE")]
    cert_file: Option<String>,
    /// File with the TLS client key, in PEM format
    #[arg(long, value_name = "FILE")]
    key_file: Option<String>,
    /// Cloud provider to authenticate with, for oci:// URLs
    #[arg(long, value_name = "PROVIDER")]
    oci_provider: Option<String>,
    /// Send credentials to every host that the index names
    #[arg(long, switch = false)]
    pass_credentials: bool,
    /// Password for the repository
    #[arg(long, short, value_name = "PASSWORD")]
    password: Option<String>,
    /// Existing Secret with the credentials; otherwise one is created
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Address of the repository: http://, https:// or oci://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// User name for the repository
    #[arg(long, short, value_name = "NAME")]
    username: Option<String>,
}

pub(super) fn run(args: &Args, group: &Group, creation: &Creation<'_>) -> CommandResult {
    let mut wanted = new_object(args, group, creation)?;
    if creation.common.export {
        return creation.export(&wanted);
    }
    creation.begin(&wanted);
    if non_empty(args.secret_ref.as_deref()).is_none() {
        let secret = helm::of(
            &format!("helm-{}", creation.name),
            &helm::LoginFlags {
                username: args.username.as_deref(),
                password: args.password.as_deref(),
                ca: ("ca-file", args.ca_file.as_deref()),
                chain: ("cert-file", args.cert_file.as_deref()),
                key: ("key-file", args.key_file.as_deref()),
            },
        )?;
        if !secret.entries.is_empty() {
            authenticate(&mut wanted, &secret, "repository", creation)?;
            pass_credentials(args, &mut wanted.spec);
        }
    }
    creation.apply(&wanted)
}

fn new_object(
    args: &Args,
    group: &Group,
    creation: &Creation<'_>,
) -> Result<NewObject, CommandError> {
    let url = required(args.url.as_deref(), "--url", "url is required")?;
    let labels = creation.labels()?;
    let is_oci = is_oci(url)?;
    let mut spec = json!({ "interval": creation.interval(), "url": url });
    if is_oci {
        put(&mut spec, "type", Some("oci"));
        put(&mut spec, "provider", args.oci_provider.as_deref());
    }
    put_time(&mut spec, "timeout", group.fetch_timeout);
    if let Some(secret) = non_empty(args.secret_ref.as_deref()) {
        refer(&mut spec, "secretRef", Some(secret));
        pass_credentials(args, &mut spec);
    }
    NewObject::new("HelmRepository", labels, spec)
}

/// Whether the address is a registry. Schemes that the controller does not support are errors.
fn is_oci(url: &str) -> Result<bool, CommandError> {
    let unsupported = |scheme: &str| {
        CommandError::user(format!(
            "url scheme '{scheme}' not supported, can be: http, https and oci"
        ))
        .hint("set --url to https://HOST/PATH or oci://HOST/PATH")
    };
    let no_host = || {
        CommandError::user("url host is required")
            .hint("set --url to https://HOST/PATH or oci://HOST/PATH")
    };
    let parsed = Url::parse(url).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => unsupported(""),
        ParseError::EmptyHost => no_host(),
        error => CommandError::user(format!("url parse failed: {error}")),
    })?;
    let scheme = parsed.scheme();
    if !matches!(scheme, "http" | "https" | "oci") {
        return Err(unsupported(scheme));
    }
    if parsed.host_str().unwrap_or_default().is_empty() {
        return Err(no_host());
    }
    Ok(scheme == "oci")
}

/// Sets `passCredentials`, which applies only to a repository with credentials.
fn pass_credentials(args: &Args, spec: &mut Value) {
    if args.pass_credentials {
        spec["passCredentials"] = json!(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repository_url_is_http_or_oci() {
        for (good, is_registry) in [
            ("https://example.com/charts", false),
            ("http://example.com:8080", false),
            ("oci://ghcr.io/org/charts", true),
        ] {
            assert_eq!(is_oci(good).unwrap(), is_registry, "{good}");
        }
        let unsupported =
            |scheme| format!("url scheme '{scheme}' not supported, can be: http, https and oci");
        for (bad, said) in [
            ("example.com/charts", unsupported("")),
            ("git://example.com/charts", unsupported("git")),
            ("oci:///charts", "url host is required".to_owned()),
            ("https://", "url host is required".to_owned()),
        ] {
            assert_eq!(is_oci(bad).unwrap_err().message(), said, "{bad}");
        }
    }
}

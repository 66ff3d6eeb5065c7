//! Implements `create source oci`: fetches an artifact from a container registry.

use serde_json::{Value, json};
use sluice_golang::non_empty;

use super::{Group, Verification, put_ignore};
use crate::commands::create::{Creation, NewObject, put, put_time, refer, required};
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Choice};

const PROVIDERS: Choice = Choice::new(&["generic", "aws", "azure", "gcp"], |value| {
    format!("source OCI provider '{value}' is not supported")
})
.or_absent("no source OCI provider given, please specify the OCI provider name");

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Secret with TLS certificates for the registry
    #[arg(long, value_name = "NAME")]
    cert_ref: Option<String>,
    /// Digest to pull
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Paths to exclude from the artifact, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Allow plain HTTP and unverified certificates
    #[arg(long, switch = false)]
    insecure: bool,
    /// Layer to select, as MEDIA-TYPE:extract or MEDIA-TYPE:copy
    #[arg(long, value_name = "SELECTOR")]
    layer_selector: Option<String>,
    /// Cloud provider to authenticate with
    #[arg(long, default_value = "generic", value_parser = PROVIDERS, value_name = "PROVIDER")]
    provider: String,
    /// Secret with the proxy address and credentials
    #[arg(long, value_name = "NAME")]
    proxy_secret_ref: Option<String>,
    /// Image pull Secret
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Service account with image pull secrets
    #[arg(long, value_name = "NAME")]
    service_account: Option<String>,
    /// Tag to pull
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Use the newest tag in this semver range
    #[arg(long, value_name = "RANGE")]
    tag_semver: Option<String>,
    #[arg(
        help = "Address of the repository: oci://REGISTRY/REPOSITORY",
        long,
        value_name = "URL"
    )]
    url: Option<String>,
    #[command(flatten)]
    verification: Verification,
}

pub(super) fn new_object(
    args: &Args,
    group: &Group,
    creation: &Creation<'_>,
) -> Result<NewObject, CommandError> {
    let url = required(args.url.as_deref(), "--url", "url is required")?;
    let mut reference = json!({});
    put(&mut reference, "digest", args.digest.as_deref());
    put(&mut reference, "semver", args.tag_semver.as_deref());
    put(&mut reference, "tag", args.tag.as_deref());
    if reference == json!({}) {
        return Err(
            CommandError::user("--tag, --tag-semver or --digest is required")
                .hint("name one, such as --tag=latest"),
        );
    }
    let layer = non_empty(args.layer_selector.as_deref())
        .map(layer)
        .transpose()?;
    let labels = creation.labels()?;
    let mut spec = json!({
        "interval": creation.interval(),
        "provider": args.provider,
        "ref": reference,
        "url": url,
    });
    if args.insecure {
        spec["insecure"] = json!(true);
    }
    if let Some(layer) = layer {
        spec["layerSelector"] = layer;
    }
    put_ignore(&mut spec, &args.ignore_paths);
    put_time(&mut spec, "timeout", group.fetch_timeout);
    put(
        &mut spec,
        "serviceAccountName",
        args.service_account.as_deref(),
    );
    refer(&mut spec, "secretRef", args.secret_ref.as_deref());
    refer(
        &mut spec,
        "proxySecretRef",
        args.proxy_secret_ref.as_deref(),
    );
    refer(&mut spec, "certSecretRef", args.cert_ref.as_deref());
    if let Some(verify) = args.verification.to_value()? {
        spec["verify"] = verify;
    }
    NewObject::new("OCIRepository", labels, spec)
}

fn layer(selector: &str) -> Result<Value, CommandError> {
    let quoted = sluice_golang::quote::quote(selector);
    let parts = selector
        .split_once(':')
        .filter(|(media_type, operation)| !media_type.is_empty() && !operation.is_empty());
    let Some((media_type, operation)) = parts else {
        return Err(CommandError::user(format!(
            "invalid --layer-selector {quoted}: must be in the format '<media-type>:<operation>'"
        )));
    };
    if !matches!(operation, "extract" | "copy") {
        return Err(CommandError::user(format!(
            "invalid --layer-selector {quoted}: operation must be \"extract\" or \"copy\""
        )));
    }
    Ok(json!({ "mediaType": media_type, "operation": operation }))
}

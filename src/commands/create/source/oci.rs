//! `create source oci`: an artifact in a container registry to fetch.

use serde_json::{Map, Value, json};

use super::source_git::Group;
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
    /// Secret with certificates for the registry
    #[arg(long, value_name = "NAME")]
    cert_ref: Option<String>,
    /// Digest to stay at
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Paths to leave out of the artifact, in .gitignore's language
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Take plain HTTP, and certificates unseen
    #[arg(long, switch = false)]
    insecure: bool,
    /// Layer to take, as MEDIA-TYPE:extract or MEDIA-TYPE:copy
    #[arg(long, value_name = "SELECTOR")]
    layer_selector: Option<String>,
    /// Cloud that gives the credentials
    #[arg(long, value_name = "PROVIDER", value_parser = ["generic", "aws", "azure", "gcp"], default_value = "generic")]
    provider: String,
    /// Secret with the proxy's address and credentials
    #[arg(long, value_name = "NAME")]
    proxy_secret_ref: Option<String>,
    /// Image pull secret
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Service account that names image pull secrets
    #[arg(long, value_name = "NAME")]
    service_account: Option<String>,
    /// Tag to follow
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Range of versions whose newest tag to follow
    #[arg(long, value_name = "RANGE")]
    tag_semver: Option<String>,
    #[arg(
        help = "Address of the repository: oci://REGISTRY/REPOSITORY",
        long,
        value_name = "URL"
    )]
    url: Option<String>,
    /// Regular expression for who issued the signer's certificate
    #[arg(long, value_name = "REGEX")]
    verify_issuer: Option<String>,
    /// Who verifies signatures
    #[arg(long, value_name = "PROVIDER", value_parser = ["cosign"])]
    verify_provider: Option<String>,
    /// Secret with the keys of which one must have signed
    #[arg(long, value_name = "NAME")]
    verify_secret_ref: Option<String>,
    /// Regular expression for whom the signer's certificate names
    #[arg(long, value_name = "REGEX")]
    verify_subject: Option<String>,
}

pub fn run(args: &Args, group: &Group, common: &Common, context: &Context) -> CommandResult {
    let name = name(&args.name)?;
    let wanted = Wanted::new("OCIRepository", name, spec(args, group, common)?)?;
    if common.export {
        return export(&wanted, common, context);
    }
    apply(&wanted, common, context)
}

fn spec(args: &Args, group: &Group, common: &Common) -> Result<Value, CommandError> {
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let url = filled(&args.url).ok_or_else(|| CommandError::user("url is required"))?;
    let mut reference = Map::new();
    for (key, value) in [
        ("digest", &args.digest),
        ("semver", &args.tag_semver),
        ("tag", &args.tag),
    ] {
        if let Some(value) = filled(value) {
            reference.insert(key.to_owned(), json!(value));
        }
    }
    if reference.is_empty() {
        return Err(CommandError::user(
            "--tag, --tag-semver or --digest is required",
        ));
    }
    let mut spec = Map::new();
    let mut put = |key: &str, value: Value| drop(spec.insert(key.to_owned(), value));
    put("interval", json!(written(common.interval)));
    put("provider", json!(args.provider));
    put("ref", Value::Object(reference));
    put("url", json!(url));
    if args.insecure {
        put("insecure", json!(true));
    }
    if let Some(selector) = filled(&args.layer_selector) {
        put("layerSelector", layer(&selector)?);
    }
    if !group.fetch_timeout.is_zero() {
        put("timeout", json!(written(group.fetch_timeout)));
    }
    if let Some(account) = filled(&args.service_account) {
        put("serviceAccountName", json!(account));
    }
    for (key, secret) in [
        ("secretRef", &args.secret_ref),
        ("proxySecretRef", &args.proxy_secret_ref),
        ("certSecretRef", &args.cert_ref),
    ] {
        if let Some(secret) = filled(secret) {
            put(key, json!({ "name": secret }));
        }
    }
    if let Some(ignore) = super::ignore(&args.ignore_paths) {
        put("ignore", ignore);
    }
    if let Some(verify) = verify(args)? {
        put("verify", verify);
    }
    Ok(Value::Object(spec))
}

fn verify(args: &Args) -> Result<Option<Value>, CommandError> {
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let secret = filled(&args.verify_secret_ref);
    let (issuer, subject) = (filled(&args.verify_issuer), filled(&args.verify_subject));
    let Some(provider) = &args.verify_provider else {
        return match (secret, issuer.or(subject)) {
            (Some(_), _) => Err(CommandError::user(
                "a verification provider must be specified when a secret is specified",
            )),
            (None, Some(_)) => Err(CommandError::user(
                "a verification provider must be specified when OIDC issuer/subject is specified",
            )),
            (None, None) => Ok(None),
        };
    };
    let mut verify = json!({ "provider": provider });
    if let Some(secret) = secret {
        verify["secretRef"] = json!({ "name": secret });
    }
    if issuer.is_some() || subject.is_some() {
        verify["matchOIDCIdentity"] = json!([{
            "issuer": issuer.unwrap_or_default(),
            "subject": subject.unwrap_or_default(),
        }]);
    }
    Ok(Some(verify))
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

//! Implements `create source bucket`: fetches from cloud storage, with a Secret for given keys.

use serde_json::json;
use sluice_golang::non_empty;

use super::{Group, authenticate, put_ignore};
use crate::CommandResult;
use crate::commands::create::secret::Secret;
use crate::commands::create::{Creation, NewObject, put, put_time, refer, required};
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Choice};

const PROVIDERS: Choice = Choice::new(&["generic", "aws", "azure", "gcp"], |value| {
    format!("source bucket provider '{value}' is not supported")
})
.or_absent(
    "no source bucket provider given, please specify the S3 compatible storage provider name",
);

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Access key to store in a new Secret
    #[arg(long, value_name = "KEY")]
    access_key: Option<String>,
    /// Name of the bucket
    #[arg(long, value_name = "NAME")]
    bucket_name: Option<String>,
    /// Address of the storage endpoint
    #[arg(long, value_name = "HOST")]
    endpoint: Option<String>,
    /// Paths to exclude from the artifact, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Connect over plain HTTP
    #[arg(long, switch = false)]
    insecure: bool,
    /// Cloud provider of the bucket
    #[arg(long, default_value = "generic", value_parser = PROVIDERS, value_name = "PROVIDER")]
    provider: String,
    /// Secret with the proxy address and credentials
    #[arg(long, value_name = "NAME")]
    proxy_secret_ref: Option<String>,
    /// Region of the bucket
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
    /// Secret key to store in a new Secret
    #[arg(long, value_name = "KEY")]
    secret_key: Option<String>,
    /// Existing Secret with the credentials; otherwise one is created
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
}

pub(super) fn run(args: &Args, group: &Group, creation: &Creation<'_>) -> CommandResult {
    let mut wanted = new_object(args, group, creation)?;
    if creation.common.export {
        return creation.export(&wanted);
    }
    creation.begin(&wanted);
    if non_empty(args.secret_ref.as_deref()).is_none()
        && let Some(access_key) = non_empty(args.access_key.as_deref())
        && let Some(secret_key) = non_empty(args.secret_key.as_deref())
    {
        let mut secret = Secret::new(&format!("bucket-{}", creation.name));
        secret.put("accesskey", access_key);
        secret.put("secretkey", secret_key);
        authenticate(&mut wanted, &secret, "the bucket", creation)?;
    }
    creation.apply(&wanted)
}

fn new_object(
    args: &Args,
    group: &Group,
    creation: &Creation<'_>,
) -> Result<NewObject, CommandError> {
    let name = required(
        args.bucket_name.as_deref(),
        "--bucket-name",
        "bucket-name is required",
    )?;
    let endpoint = required(
        args.endpoint.as_deref(),
        "--endpoint",
        "endpoint is required",
    )?;
    let labels = creation.labels()?;
    let mut spec = json!({
        "bucketName": name,
        "endpoint": endpoint,
        "interval": creation.interval(),
        "provider": args.provider,
    });
    if args.insecure {
        spec["insecure"] = json!(true);
    }
    put(&mut spec, "region", args.region.as_deref());
    put_ignore(&mut spec, &args.ignore_paths);
    put_time(&mut spec, "timeout", group.fetch_timeout);
    refer(&mut spec, "secretRef", args.secret_ref.as_deref());
    refer(
        &mut spec,
        "proxySecretRef",
        args.proxy_secret_ref.as_deref(),
    );
    NewObject::new("Bucket", labels, spec)
}

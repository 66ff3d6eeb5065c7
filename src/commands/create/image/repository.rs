//! Implements `create image repository`: scans the tags of an image.

use std::time::Duration;

use serde_json::json;
use sluice_oci::Repository;

use crate::commands::create::{Creation, NewObject, put_time, refer, required};
use crate::error::CommandError;
use crate::flags;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Secret with TLS certificates for the registry
    #[arg(long, value_name = "NAME")]
    cert_ref: Option<String>,
    /// Image to scan, without a tag
    #[arg(long, value_name = "IMAGE")]
    image: Option<String>,
    /// Timeout of a scan [default: the interval]
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    scan_timeout: Duration,
    /// Image pull Secret
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let missing = "an image repository (--image) is required";
    let image = required(args.image.as_deref(), "--image", missing)?;
    // This also rejects tags and digests, because a repository path has neither colon nor at sign.
    Repository::parse(image).map_err(|error| {
        let refused = CommandError::user(format!("unable to parse image value: {error}"));
        match image.split_once("://") {
            Some((_, rest)) => refused.hint(format!("leave out the scheme: {rest}")),
            None => refused,
        }
    })?;
    let labels = creation.labels()?;
    let mut spec = json!({ "image": image, "interval": creation.interval() });
    put_time(&mut spec, "timeout", args.scan_timeout);
    refer(&mut spec, "secretRef", args.secret_ref.as_deref());
    refer(&mut spec, "certSecretRef", args.cert_ref.as_deref());
    NewObject::new("ImageRepository", labels, spec)
}

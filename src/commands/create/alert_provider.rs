//! Implements `create alert-provider`: sets the destination of alerts.

use serde_json::json;

use super::{Creation, NewObject, put, refer, required};
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Address of the Git repository, chat or webhook
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    /// Chat channel to post to
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// Secret with the token
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Type of the provider: slack, github, generic, …
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// User name to post messages as
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let kind = required(args.kind.as_deref(), "--type", "Provider type is required")?;
    let labels = creation.labels()?;
    let mut spec = json!({ "type": kind });
    put(&mut spec, "channel", args.channel.as_deref());
    put(&mut spec, "username", args.username.as_deref());
    put(&mut spec, "address", args.address.as_deref());
    refer(&mut spec, "secretRef", args.secret_ref.as_deref());
    NewObject::new("Provider", labels, spec)
}

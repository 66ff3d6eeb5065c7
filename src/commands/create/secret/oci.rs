//! `create secret oci`: credentials for a registry, as Docker writes them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_oci::Reference;

use super::Secret;
use crate::commands::create::name;
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the Secret
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Password for the registry
    #[arg(
        long,
        short,
        default_value = "",
        hide_default_value = true,
        value_name = "PASSWORD"
    )]
    password: String,
    /// Registry, with or without a repository: ghcr.io/stefanprodan/charts
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "HOST"
    )]
    url: String,
    /// User name for the registry
    #[arg(
        long,
        short,
        default_value = "",
        hide_default_value = true,
        value_name = "NAME"
    )]
    username: String,
}

pub fn secret(args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name(&args.name)?);
    let Args {
        url,
        username,
        password,
        ..
    } = args;
    for (flag, value) in [("url", url), ("username", username), ("password", password)] {
        if value.is_empty() {
            return Err(CommandError::user(format!("--{flag} is required")));
        }
    }
    // A registry alone is fine, too: Docker looks credentials up by it.
    if url.contains("://") || (url.contains('/') && Reference::parse(url).is_err()) {
        return Err(CommandError::user(format!(
            "error parsing url: 'could not parse reference: {url}'"
        ))
        .hint("an address has no scheme: ghcr.io/stefanprodan/charts"));
    }
    let auth = STANDARD.encode(format!("{username}:{password}"));
    let config = json!({ "auths": { url: {
        "username": username, "password": password, "auth": auth,
    } } });
    let text = serde_json::to_string_pretty(&config)
        .map_err(|error| CommandError::internal(format!("serialise credentials: {error}")))?;
    secret.kind = "kubernetes.io/dockerconfigjson";
    secret.put(".dockerconfigjson", text);
    Ok(secret)
}

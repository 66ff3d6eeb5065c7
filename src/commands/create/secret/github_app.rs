//! Implements `create secret githubapp`.

use sluice_golang::non_empty;
use sluice_identity::github_app::{
    APP_ID, BASE_URL, GithubApp, INSTALLATION_ID, INSTALLATION_OWNER, PRIVATE_KEY,
};

use super::{OPAQUE, Secret, file};
use crate::commands::create::required;
use crate::compat;
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are named like their flags"
)]
pub struct Args {
    /// ID of the GitHub App
    #[arg(long, value_name = "ID")]
    app_id: Option<String>,
    /// Organization or user that installed the GitHub App
    #[arg(long, value_name = "NAME")]
    app_installation_owner: Option<String>,
    /// Installation ID of the GitHub App
    #[arg(long, value_name = "ID")]
    app_installation_id: Option<String>,
    /// File with the private key of the GitHub App
    #[arg(long, value_name = "FILE")]
    app_private_key: Option<String>,
    /// API URL of a GitHub Enterprise server
    #[arg(long, value_name = "URL")]
    app_base_url: Option<String>,
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    secret.kind = Some(OPAQUE);
    secret.put(
        APP_ID,
        required(args.app_id.as_deref(), "--app-id", "--app-id is required")?,
    );
    let id = non_empty(args.app_installation_id.as_deref());
    match (id, non_empty(args.app_installation_owner.as_deref())) {
        (Some(_), Some(_)) => {
            return Err(CommandError::user(
                "cannot specify both --app-installation-id and --app-installation-owner",
            ));
        }
        (Some(id), None) => secret.put(INSTALLATION_ID, id),
        (None, Some(owner)) => secret.put(INSTALLATION_OWNER, owner),
        (None, None) => {
            return Err(CommandError::user(
                "--app-installation-owner or --app-installation-id is required",
            ));
        }
    }
    let path = required(
        args.app_private_key.as_deref(),
        "--app-private-key",
        "--app-private-key is required",
    )?;
    secret.put(PRIVATE_KEY, file("app-private-key", path)?);
    if let Some(url) = non_empty(args.app_base_url.as_deref()) {
        secret.put(BASE_URL, url);
    }
    // Flux does not read the key.
    if !compat::is_strict() {
        let app = GithubApp::from_keys(&secret.keys());
        app.map_err(|error| CommandError::user(error.to_string()))?;
    }
    Ok(secret)
}

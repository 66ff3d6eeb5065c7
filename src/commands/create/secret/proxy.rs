//! Implements `create secret proxy`.

use super::{OPAQUE, Secret};
use crate::commands::create::required;
use crate::error::CommandError;
use sluice_golang::non_empty;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Address of the proxy: http://, https:// or socks5://
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    /// User name for the proxy
    #[arg(long, short = 'u', value_name = "NAME")]
    username: Option<String>,
    /// Password for the proxy
    #[arg(long, short = 'p', value_name = "PASSWORD")]
    password: Option<String>,
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    let address = required(args.address.as_deref(), "--address", "address is required")?;
    // The check uses the controller's own parser.
    sluice_dial::Proxy::new(address, None).map_err(|error| {
        CommandError::user(format!("--address: {error}"))
            .hint("write it as http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT")
    })?;
    secret.kind = Some(OPAQUE);
    secret.put("address", address);
    if let Some(password) = non_empty(args.password.as_deref()) {
        secret.put("password", password);
    }
    if let Some(username) = non_empty(args.username.as_deref()) {
        secret.put("username", username);
    }
    Ok(secret)
}

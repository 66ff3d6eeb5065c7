//! Implements `create secret oci`: registry credentials in the kubelet's format.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sluice_oci::Reference;
use sluice_oci::keychain::{CONFIG_KEY, CONFIG_TYPE};
use sluice_yaml::json::quote;

use super::Secret;
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Address of a registry or repository, without a scheme
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// User name for the registry
    #[arg(long, short = 'u', value_name = "NAME")]
    username: Option<String>,
    /// Password or token for the registry
    #[arg(long, short = 'p', value_name = "PASSWORD")]
    password: Option<String>,
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    let required = |flag: &str, value: &Option<String>| {
        value
            .clone()
            .filter(|value| !value.is_empty())
            .ok_or_else(|| CommandError::user(format!("--{flag} is required")))
    };
    let address = required("url", &args.url)?;
    let username = required("username", &args.username)?;
    let password = required("password", &args.password)?;
    if let Err(error) = Reference::parse(&address) {
        let error = CommandError::user(format!("error parsing url: {error}"));
        return Err(match address.split_once("://") {
            Some((_, rest)) => error.hint(format!("leave out the scheme: --url={rest}")),
            None => error,
        });
    }
    let auth = BASE64_STANDARD.encode(format!("{username}:{password}"));
    let [address, username, password, auth] =
        [&address, &username, &password, &auth].map(|text| quote(text));
    secret.kind = Some(CONFIG_TYPE);
    secret.put(
        CONFIG_KEY,
        format!(
            "{{\n  \"auths\": {{\n    {address}: {{\n      \"username\": {username},\n      \
             \"password\": {password},\n      \"auth\": {auth}\n    }}\n  }}\n}}"
        ),
    );
    Ok(secret)
}

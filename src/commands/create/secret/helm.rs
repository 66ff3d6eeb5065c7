//! Implements `create secret helm`: credentials of a chart repository.

use super::{Secret, certificate_pair, file};
use crate::error::CommandError;
use sluice_golang::non_empty;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_crt_file: Option<String>,
    /// Password for the repository
    #[arg(long, short, value_name = "PASSWORD")]
    password: Option<String>,
    /// File with the TLS client certificate, in PEM format
    #[arg(long, value_name = "FILE")]
    tls_crt_file: Option<String>,
    /// File with the TLS client key, in PEM format
    #[arg(long, value_name = "FILE")]
    tls_key_file: Option<String>,
    /// User name for the repository
    #[arg(long, short, value_name = "NAME")]
    username: Option<String>,
}

/// Given values. Each file has the name of its flag.
pub struct LoginFlags<'a> {
    pub username: Option<&'a str>,
    pub password: Option<&'a str>,
    pub ca: (&'a str, Option<&'a str>),
    pub chain: (&'a str, Option<&'a str>),
    pub key: (&'a str, Option<&'a str>),
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let given = LoginFlags {
        username: args.username.as_deref(),
        password: args.password.as_deref(),
        ca: ("ca-crt-file", args.ca_crt_file.as_deref()),
        chain: ("tls-crt-file", args.tls_crt_file.as_deref()),
        key: ("tls-key-file", args.tls_key_file.as_deref()),
    };
    of(name, &given)
}

/// Returns the Secret. As in Flux, a client certificate takes precedence over a password.
pub fn of(name: &str, given: &LoginFlags<'_>) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    let certificate = certificate_pair(given.chain, given.key)?;
    let login = login(given.username, given.password)?;
    if let Some((chain, key)) = certificate {
        secret.kind = Some("kubernetes.io/tls");
        secret.put("tls.crt", file(given.chain.0, chain)?);
        secret.put("tls.key", file(given.key.0, key)?);
    } else if let Some((username, password)) = login {
        secret.kind = Some("kubernetes.io/basic-auth");
        secret.put("username", username);
        secret.put("password", password);
    }
    if let Some(path) = non_empty(given.ca.1) {
        secret.put("ca.crt", file(given.ca.0, path)?);
    }
    if secret.kind != Some("kubernetes.io/basic-auth") && !secret.entries.is_empty() {
        secret.check_certificates()?;
    }
    Ok(secret)
}

/// Returns the name and the password, or none. One of them alone is an error.
fn login<'a>(
    username: Option<&'a str>,
    password: Option<&'a str>,
) -> Result<Option<(&'a str, &'a str)>, CommandError> {
    match (non_empty(username), non_empty(password)) {
        (Some(username), Some(password)) => Ok(Some((username, password))),
        (None, None) => Ok(None),
        (Some(_), None) => Err(CommandError::user("password is required").hint("set --password")),
        (None, Some(_)) => Err(CommandError::user("username is required").hint("set --username")),
    }
}

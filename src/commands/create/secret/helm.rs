//! `create secret helm`: credentials for a repository of charts.

use super::{Secret, file, pair};
use crate::commands::create::name;
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the Secret
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// File with the authorities to trust, PEM
    #[arg(long, value_name = "FILE")]
    ca_crt_file: Option<String>,
    /// Password for the repository
    #[arg(long, short, value_name = "PASSWORD")]
    password: Option<String>,
    /// File with the client certificate, PEM
    #[arg(long, value_name = "FILE")]
    tls_crt_file: Option<String>,
    /// File with the key of the client certificate, PEM
    #[arg(long, value_name = "FILE")]
    tls_key_file: Option<String>,
    /// User name for the repository
    #[arg(long, short, value_name = "NAME")]
    username: Option<String>,
}

/// A client certificate wins over a password, as in Flux; the authorities go with either.
pub fn secret(args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name(&args.name)?);
    let certificate = pair(
        ("tls-crt-file", args.tls_crt_file.as_deref()),
        ("tls-key-file", args.tls_key_file.as_deref()),
    )?;
    let login = pair(
        ("username", args.username.as_deref()),
        ("password", args.password.as_deref()),
    )?;
    if let Some((chain, key)) = certificate {
        secret.kind = Some("kubernetes.io/tls");
        secret.put("tls.crt", file("tls-crt-file", chain)?);
        secret.put("tls.key", file("tls-key-file", key)?);
    } else if let Some((username, password)) = login {
        secret.kind = Some("kubernetes.io/basic-auth");
        secret.put("username", username);
        secret.put("password", password);
    }
    if let Some(path) = &args.ca_crt_file {
        secret.put("ca.crt", file("ca-crt-file", path)?);
    }
    if secret.kind != Some("kubernetes.io/basic-auth") && !secret.entries.is_empty() {
        secret.check_certificates()?;
    }
    Ok(secret)
}

//! Implements `create secret tls`.

use super::{OPAQUE, Secret, certificate_pair, file};
use crate::error::CommandError;
use sluice_golang::non_empty;

#[derive(clap::Args, Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are named like their flags"
)]
pub struct Args {
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_crt_file: Option<String>,
    /// File with the TLS client certificate, in PEM format
    #[arg(long, value_name = "FILE")]
    tls_crt_file: Option<String>,
    /// File with the TLS client key, in PEM format
    #[arg(long, value_name = "FILE")]
    tls_key_file: Option<String>,
}

pub(super) fn secret(name: &str, args: &Args) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    let certificate = certificate_pair(
        ("tls-crt-file", args.tls_crt_file.as_deref()),
        ("tls-key-file", args.tls_key_file.as_deref()),
    )?;
    secret.kind = Some(OPAQUE);
    if let Some(path) = non_empty(args.ca_crt_file.as_deref()) {
        secret.put("ca.crt", file("ca-crt-file", path)?);
    }
    if let Some((chain, key)) = certificate {
        secret.put("tls.crt", file("tls-crt-file", chain)?);
        secret.put("tls.key", file("tls-key-file", key)?);
        secret.kind = Some("kubernetes.io/tls");
    }
    if secret.entries.is_empty() {
        return Err(
            CommandError::user("no CA certificate or client certificate pair found")
                .hint("set --ca-crt-file, or --tls-crt-file and --tls-key-file"),
        );
    }
    secret.check_certificates()?;
    Ok(secret)
}

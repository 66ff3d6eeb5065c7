//! Implements `create secret notation`: CA certificates and the trust policy of Notation
//! signatures.

use std::ffi::OsStr;
use std::path::Path;

use sluice_system::fs;
use sluice_trust_policy::TrustPolicy;

use super::Secret;
use crate::commands::create::{Creation, required};
use crate::error::CommandError;
use crate::flags;

/// Key of the policy that the source controller reads.
const POLICY: &str = "trustpolicy.json";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files with trusted CA certificates, each named *.crt or *.pem
    #[arg(long, value_parser = flags::csv, value_name = "FILE")]
    ca_cert_file: Vec<Vec<String>>,
    /// File with the Notation trust policy
    #[arg(long, value_name = "FILE")]
    trust_policy_file: Option<String>,
}

pub(super) fn secret(args: &Args, creation: &Creation<'_>) -> Result<Secret, CommandError> {
    let files = args.ca_cert_file.concat();
    if files.is_empty() {
        return Err(CommandError::user("--ca-cert-file is required"));
    }
    let missing = "--trust-policy-file is required";
    let policy_file = required(
        args.trust_policy_file.as_deref(),
        "--trust-policy-file",
        missing,
    )?;
    creation.labels()?;
    let text = fs::read_to_string(policy_file).map_err(|error| {
        CommandError::user(format!(
            "unable to read trust policy file: {}",
            error.go_message()
        ))
        .hint("set --trust-policy-file to a readable file")
    })?;
    let policy: TrustPolicy = serde_json::from_str(&text).map_err(|error| {
        CommandError::user(format!(
            "failed to unmarshal trust policy {policy_file}: {error}"
        ))
    })?;
    policy
        .check()
        .map_err(|fault| CommandError::user(format!("invalid trust policy: {fault}")))?;
    let mut secret = Secret::new(creation.name);
    let mut faults = Vec::new();
    for file in &files {
        match certificate(file) {
            Ok((name, text)) => secret.put(name, text),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(CommandError::user(faults.join("\n")));
    }
    secret.put(POLICY, text);
    Ok(secret)
}

/// Returns name and content of a CA file.
fn certificate(file: &str) -> Result<(String, String), String> {
    let path = Path::new(file);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.into_owned();
    let ending = path.extension().and_then(OsStr::to_str);
    if !matches!(ending, Some("crt" | "pem")) {
        return Err(format!("{name} must end with either .crt or .pem"));
    }
    match fs::read_to_string(file) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(format!(
            "unable to read TLS CA file: {}",
            error.go_message()
        )),
    }
}

//! Implements `create source`: sources of manifests and charts.
//!
//! The kinds share the timeout, ignore rules, verification, and the Secret for given credentials.

pub mod bucket;
pub mod chart;
pub mod git;
pub mod helm;
pub mod oci;

use std::time::Duration;

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use sluice_golang::non_empty;

use super::secret::Secret;
use super::{Creation, NewObject, group, leaf, parsed, refer, undeclared};
use crate::error::CommandError;
use crate::flags::Choice;
use crate::{CommandResult, flags};

const VERIFIERS: Choice = Choice::new(&["cosign"], |value| {
    format!("source OCI verify provider '{value}' is not supported")
});

/// Flags of every `create source` command.
#[derive(clap::Args, Clone, Debug)]
pub struct Group {
    /// Timeout of one fetch
    #[arg(long, global = true, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    fetch_timeout: Duration,
}

/// Flags of the sources whose signatures can be verified.
#[derive(clap::Args, Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are named like their flags"
)]
struct Verification {
    /// Regular expression for the issuer of keyless signatures
    #[arg(long, value_name = "REGEX")]
    verify_issuer: Option<String>,
    /// Provider that verifies signatures
    #[arg(long, value_parser = VERIFIERS, value_name = "PROVIDER")]
    verify_provider: Option<String>,
    /// Secret with trusted public keys
    #[arg(long, value_name = "NAME")]
    verify_secret_ref: Option<String>,
    /// Regular expression for the subject of keyless signatures
    #[arg(long, value_name = "REGEX")]
    verify_subject: Option<String>,
}

pub(super) fn augment() -> Command {
    flags::add::<Group>(group("source", "Create or update sources"))
        .subcommand(leaf::<bucket::Args>("bucket", "Create or update a Bucket"))
        .subcommand(leaf::<chart::Args>("chart", "Create or update a HelmChart"))
        .subcommand(leaf::<git::Args>("git", "Create or update a GitRepository"))
        .subcommand(leaf::<helm::Args>(
            "helm",
            "Create or update a HelmRepository",
        ))
        .subcommand(leaf::<oci::Args>(
            "oci",
            "Create or update an OCIRepository",
        ))
}

pub(super) fn run(kind: &str, leaf: &ArgMatches, creation: &Creation<'_>) -> CommandResult {
    let group = &parsed::<Group>(leaf)?;
    match kind {
        "bucket" => bucket::run(&parsed(leaf)?, group, creation),
        "chart" => creation.finish(&chart::new_object(&parsed(leaf)?, creation)?),
        "git" => git::run(&parsed(leaf)?, group, creation),
        "helm" => helm::run(&parsed(leaf)?, group, creation),
        "oci" => creation.finish(&oci::new_object(&parsed(leaf)?, group, creation)?),
        other => Err(undeclared(&format!("source {other}"))),
    }
}

impl Verification {
    /// Returns `spec.verify`.
    fn to_value(&self) -> Result<Option<Value>, CommandError> {
        let secret = non_empty(self.verify_secret_ref.as_deref());
        let issuer = non_empty(self.verify_issuer.as_deref());
        let subject = non_empty(self.verify_subject.as_deref());
        let is_keyless = issuer.is_some() || subject.is_some();
        let Some(provider) = &self.verify_provider else {
            return match secret {
                Some(_) => Err(CommandError::user(
                    "a verification provider must be specified when a secret is specified",
                )),
                None if is_keyless => Err(CommandError::user(
                    "a verification provider must be specified when OIDC issuer/subject is specified",
                )),
                None => Ok(None),
            };
        };
        let mut verify = json!({ "provider": provider });
        refer(&mut verify, "secretRef", secret);
        if is_keyless {
            verify["matchOIDCIdentity"] = json!([{
                "issuer": issuer.unwrap_or_default(),
                "subject": subject.unwrap_or_default(),
            }]);
        }
        Ok(Some(verify))
    }
}

/// Writes the Secret of the credentials, and references it in the source.
fn authenticate(
    wanted: &mut NewObject,
    secret: &Secret,
    whose: &str,
    creation: &Creation<'_>,
) -> Result<(), CommandError> {
    let progress = creation.context.progress;
    progress.action(format!("applying secret with {whose} credentials"));
    secret.apply(creation)?;
    refer(&mut wanted.spec, "secretRef", Some(&secret.name));
    progress.success("authentication configured");
    Ok(())
}

/// Sets `spec.ignore`, with one line per pattern of `--ignore-paths`.
fn put_ignore(spec: &mut Value, uses: &[Vec<String>]) {
    let lines = uses.concat();
    if !lines.is_empty() {
        spec["ignore"] = lines.join("\n").into();
    }
}

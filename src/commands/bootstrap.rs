//! `bootstrap`: installs Flux and syncs the cluster from a Git repository.
//!
//! `sequence` has the steps for all kinds of hosts. A host adds the address and the credentials. `git`
//! takes both from flags. `provider` has the flags of GitHub, GitLab, Gitea and Bitbucket Server, and
//! `hosted` the requests to their APIs. `layout` computes the committed files with pure functions.
//! `repository` clones, commits and pushes without a worktree. `secret` is the cluster's access to the
//! repository. `state` asks the cluster before and after, and `existing` checks whether Flux's
//! controllers can be replaced.
//!
//! Every step observes first and does only the missing part. A second run therefore completes an
//! interrupted one, or changes nothing.

mod existing;
mod git;
mod provider;
mod sequence;
mod signing;
mod state;
mod token;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, FromArgMatches};

use super::components::{ComponentArgs, PullSecret, check_names};
use super::create::secret::git::KeyArgs;
use super::nouns;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, flags};

/// The components that the controllers need.
const REQUIRED: [&str; 2] = ["source-controller", "kustomize-controller"];

/// Flags of every `bootstrap` command.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// E-mail address of the author of commits
    #[arg(long, value_name = "ADDRESS")]
    author_email: Option<String>,
    /// Name of the author of commits
    #[arg(long, default_value = "Flux", value_name = "NAME")]
    author_name: String,
    /// Branch to commit to and to follow
    #[arg(long, default_value = "main", value_name = "BRANCH")]
    branch: String,
    /// File with the authorities to trust, PEM
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// Text below the message of each commit, such as '[ci skip]'
    #[arg(long, value_name = "TEXT")]
    commit_message_appendix: Option<String>,
    #[command(flatten)]
    components: ComponentArgs,
    /// Write the files into a folder, and touch neither the repository nor the cluster
    #[arg(long, value_name = "DIR", help_heading = flags::OURS)]
    export_dir: Option<PathBuf>,
    /// Take over an installation that another tool manages
    #[arg(long, switch = false)]
    force: bool,
    /// Id or fingerprint of the key of the ring that signs (default: the first)
    #[arg(long, value_name = "ID")]
    gpg_key_id: Option<String>,
    /// File with OpenPGP private keys, to sign commits with
    #[arg(long, value_name = "FILE")]
    gpg_key_ring: Option<String>,
    /// Passphrase of the OpenPGP key
    #[arg(long, value_name = "TEXT")]
    gpg_passphrase: Option<String>,
    #[command(flatten)]
    key: KeyArgs,
    /// Print the result as JSON onto stdout
    #[arg(long, short, value_name = "FORMAT", value_parser = ["json"], help_heading = flags::OURS)]
    output: Option<String>,
    /// Say what would be committed, written and applied, and do nothing; 1 if there is something
    #[arg(long, switch = false, help_heading = flags::OURS)]
    plan: bool,
    /// Fetch submodules too
    #[arg(long, switch = false)]
    recurse_submodules: bool,
    /// Secret that the cluster finds the credentials in
    #[arg(long, default_value = "flux-system", value_name = "NAME")]
    secret_name: String,
    /// Folders that the cluster fetches, and nothing else; that of --path is one of them
    #[arg(long, value_parser = flags::csv, value_name = "PATH")]
    sparse_checkout: Vec<Vec<String>>,
    /// Algorithms of host keys to accept over SSH
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    ssh_hostkey_algos: Vec<Vec<String>>,
    /// Host that the cluster reaches over SSH, if it is another one than the URL's
    #[arg(long, value_name = "HOST[:PORT]")]
    ssh_hostname: Option<String>,
    /// File with an SSH private key, to sign commits with
    #[arg(long, value_name = "FILE")]
    ssh_signing_key_file: Option<String>,
    /// Another name of --ssh-signing-password
    #[arg(long, hide = true, value_name = "TEXT")]
    ssh_signing_passphrase: Option<String>,
    /// Passphrase of the key of --ssh-signing-key-file
    #[arg(long, value_name = "TEXT")]
    ssh_signing_password: Option<String>,
    /// Sign with the key of --private-key-file
    #[arg(long, switch = false)]
    ssh_signing_reuse_private_key: bool,
    /// Let the cluster use the token or password itself, in the place of a key of its own
    #[arg(long, switch = false)]
    token_auth: bool,
}

pub fn augment(command: Command) -> Command {
    let command = flags::add::<Common>(command).mut_args(|arg| from_environment(arg).global(true));
    let git = Command::new("git").about("Bootstrap from a Git repository that exists");
    command
        .subcommand(flags::add::<git::Args>(git).mut_args(from_environment))
        .subcommands(
            provider::Provider::ALL.map(|one| one.command().mut_args(from_environment)),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(
            "Every flag is read from the environment too: FLUX_BOOTSTRAP_SECRET_NAME is --secret-name.",
        )
}

/// Gives a flag its environment variable, and hides its value.
fn from_environment(arg: Arg) -> Arg {
    let Some(name) = arg.get_long() else {
        return arg;
    };
    let variable = format!("FLUX_BOOTSTRAP_{}", name.to_uppercase().replace('-', "_"));
    arg.env(variable).hide_env(true)
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let common = parsed::<Common>(leaf)?;
    match words.as_slice() {
        ["git"] => git::run(&parsed(leaf)?, &common, context),
        [noun] => provider::run(noun, leaf, &common, context),
        other => Err(CommandError::internal(format!(
            "bootstrap {} is declared nowhere",
            other.join(" ")
        ))),
    }
}

fn parsed<A: FromArgMatches>(leaf: &ArgMatches) -> Result<A, CommandError> {
    A::from_arg_matches(leaf).map_err(|error| CommandError::user(error.to_string()))
}

/// A flag's text, if it says something: to Flux an empty text is none.
fn filled(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}

impl Common {
    /// Refuses what can be refused before anything is asked of anybody, in Flux's order.
    fn validate(&self) -> Result<(), CommandError> {
        let refuse = |message: String| Err(CommandError::user(message));
        let names = self.components.names();
        for required in REQUIRED {
            if !names.iter().any(|name| name == required) {
                return refuse(format!("component {required} is required"));
            }
        }
        check_names(&names)?;
        if let Some(version) = self.components.version() {
            check_version(version)?;
        }
        if self.components.is_namespaced() {
            return refuse(
                "--namespaced-rbac is for install: the folder that a cluster follows holds objects of the whole cluster"
                    .to_owned(),
            );
        }
        PullSecret::of(&self.components)?;
        Ok(())
    }

    /// The authorities of --ca-file, if there are any.
    fn authorities(&self) -> Result<Option<String>, CommandError> {
        let Some(path) = filled(self.ca_file.as_ref()) else {
            return Ok(None);
        };
        let failed =
            |reason: String| CommandError::user(format!("unable to read TLS CA file: {reason}"));
        let pem = sluice_system::fs::read_to_string(path)
            .map_err(|error| failed(sluice_golang::error::chain(&error)))?;
        sluice_dial::Tls::with_ca(pem.as_bytes()).map_err(|error| failed(error.to_string()))?;
        Ok(Some(pem))
    }
}

/// Refuses a version whose manifests are not those of this binary.
fn check_version(version: &str) -> Result<(), CommandError> {
    if !version.starts_with('v') {
        return Err(CommandError::user(format!(
            "targeted version '{version}' must be prefixed with 'v'"
        )));
    }
    let minor = |version: &str| {
        let mut parts = version.trim_start_matches('v').splitn(3, '.');
        (
            parts.next().unwrap_or_default().to_owned(),
            parts.next().unwrap_or_default().to_owned(),
        )
    };
    let own = env!("CARGO_PKG_VERSION");
    let carried = [own, sluice_manifests::FLUX_VERSION];
    if carried
        .iter()
        .any(|carried| minor(carried) == minor(version))
    {
        return Ok(());
    }
    Err(CommandError::user(format!(
        "targeted version '{version}' is not compatible with your current version of sluice ({own})"
    ))
    .hint("each binary carries the manifests of its own version"))
}

/// A path below the root of a repository: whatever leads out of it stays within.
fn safe_path(text: &str) -> String {
    let mut parts = Vec::new();
    for part in text.trim().split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_within_the_repository() {
        for (typed, safe) in [
            ("", ""),
            (".", ""),
            ("./clusters/one/", "clusters/one"),
            ("/clusters//one", "clusters/one"),
            ("../../etc", "etc"),
            ("a/../../b", "b"),
            (" a ", "a"),
        ] {
            assert_eq!(safe_path(typed), safe, "{typed:?}");
        }
    }

    #[test]
    fn only_a_version_that_this_binary_carries_is_taken() {
        let own = env!("CARGO_PKG_VERSION");
        let refusal = |version: &str| check_version(version).err().map(|e| e.message().to_owned());
        assert_eq!(refusal(&format!("v{own}")), None);
        assert_eq!(refusal("v2.9.4"), None);
        assert_eq!(
            refusal("2.9.4").as_deref(),
            Some("targeted version '2.9.4' must be prefixed with 'v'")
        );
        let other = refusal("v2.8.1").unwrap();
        assert!(
            other.starts_with("targeted version 'v2.8.1' is not compatible"),
            "{other}"
        );
    }

    #[test]
    fn every_flag_has_its_variable() {
        let command = augment(Command::new("bootstrap"));
        let leaves = command.get_subcommands().flat_map(Command::get_arguments);
        for arg in command.get_arguments().chain(leaves) {
            let Some(name) = arg.get_long().filter(|name| *name != "help") else {
                continue;
            };
            let variable = arg.get_env().unwrap().to_string_lossy().into_owned();
            let expected = name.to_uppercase().replace('-', "_");
            assert_eq!(variable, format!("FLUX_BOOTSTRAP_{expected}"));
            assert!(arg.is_hide_env_set(), "{name}");
        }
    }
}

//! Implements `bootstrap`: installs Flux and syncs the cluster from a Git repository.
//!
//! [`sluice_bootstrap`] has the steps. This module has the flags that all hosts share, prompts the
//! user and prints. `git` and `provider` have the other flags.

mod git;
mod provider;
mod token;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use sluice_bootstrap::plan::Plan;
use sluice_bootstrap::{Bootstrap, Options, Prompt, Settings, SigningOptions, safe_path};
use sluice_git::Author;
use sluice_lifecycle::Error;
use sluice_lifecycle::other_tool::OtherTool;
use sluice_preview::charts::registry::http_clients;
use sluice_preview::remote_bases;

use super::components::{self, ComponentArgs, check_names};
use super::create::secret::git::KeyArgs;
use super::{controller, nouns};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::{CommandResult, Exit, flags, output};

/// Controllers without which a sync cannot work.
const REQUIRED: [&str; 2] = ["source-controller", "kustomize-controller"];

/// Hint after an interrupted run.
const RESUMED: &str = "run bootstrap again: it goes on with what is missing";

/// Flags of every `bootstrap` command.
#[derive(clap::Args, Clone, Debug)]
pub struct BootstrapFlags {
    /// Email of the commit author
    #[arg(long, value_name = "ADDRESS")]
    author_email: Option<String>,
    /// Name of the commit author
    #[arg(long, default_value = "Flux", value_name = "NAME")]
    author_name: String,
    /// Branch to commit to and sync from
    #[arg(long, default_value = "main", value_name = "BRANCH")]
    branch: String,
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// Text to append to commit messages, such as '[ci skip]'
    #[arg(long, value_name = "TEXT")]
    commit_message_appendix: Option<String>,
    #[command(flatten)]
    components: ComponentArgs,
    /// Write files to a directory without changing repository or cluster
    #[arg(long, value_name = "DIR", help_heading = flags::OURS)]
    export_dir: Option<PathBuf>,
    /// Override an installation that another tool manages
    #[arg(long, switch = false)]
    force: bool,
    /// ID or fingerprint of the signing key [default: first in the ring]
    #[arg(long, value_name = "ID")]
    gpg_key_id: Option<String>,
    /// File with OpenPGP private keys for signing commits
    #[arg(long, value_name = "FILE")]
    gpg_key_ring: Option<String>,
    /// Passphrase of the OpenPGP key
    #[arg(long, value_name = "PASSPHRASE")]
    gpg_passphrase: Option<String>,
    #[command(flatten)]
    key: KeyArgs,
    /// Print the result as JSON
    #[arg(long, short, value_name = "FORMAT", value_parser = ["json"], help_heading = flags::OURS)]
    output: Option<String>,
    /// Show planned changes without applying them; exit with 1 if any
    #[arg(long, switch = false, help_heading = flags::OURS)]
    plan: bool,
    /// Fetch Git submodules
    #[arg(long, switch = false)]
    recurse_submodules: bool,
    /// Name of the Secret for the Git credentials
    #[arg(long, default_value = "flux-system", value_name = "NAME")]
    secret_name: String,
    /// Directories for the cluster to fetch; must include --path
    #[arg(long, value_parser = flags::csv, value_name = "PATH")]
    sparse_checkout: Vec<Vec<String>>,
    /// SSH host key algorithms to accept
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    ssh_hostkey_algos: Vec<Vec<String>>,
    /// SSH host for the cluster [default: host of the URL]
    #[arg(long, value_name = "HOST[:PORT]")]
    ssh_hostname: Option<String>,
    /// File with an SSH private key for signing commits
    #[arg(long, value_name = "FILE")]
    ssh_signing_key_file: Option<String>,
    /// Alias of --ssh-signing-password
    #[arg(long, hide = true, value_name = "PASSPHRASE")]
    ssh_signing_passphrase: Option<String>,
    /// Passphrase of the SSH signing key
    #[arg(long, value_name = "PASSPHRASE")]
    ssh_signing_password: Option<String>,
    /// Sign commits with the key of --private-key-file
    #[arg(long, switch = false)]
    ssh_signing_reuse_private_key: bool,
    /// Use the token or password in the cluster instead of a deploy key
    #[arg(long, switch = false)]
    token_auth: bool,
}

pub fn augment(command: Command) -> Command {
    let command =
        flags::add::<BootstrapFlags>(command).mut_args(|arg| from_environment(arg).global(true));
    let git = Command::new("git").about("Bootstrap from an existing Git repository");
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

/// Binds a flag to an environment variable, and hides its value from help.
fn from_environment(arg: Arg) -> Arg {
    let Some(name) = arg.get_long() else {
        return arg;
    };
    let variable = format!("FLUX_BOOTSTRAP_{}", name.to_uppercase().replace('-', "_"));
    arg.env(variable).hide_env(true)
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let common = parsed::<BootstrapFlags>(leaf)?;
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

impl BootstrapFlags {
    /// Rejects wrong flags before the first request, in Flux's order.
    fn validate(&self) -> Result<(), CommandError> {
        let refuse = |message: String| Err(CommandError::user(message));
        let names = self.components.names();
        for required in REQUIRED {
            if !names.iter().any(|name| name == required) {
                return refuse(format!("component {required} is required"));
            }
        }
        check_names(&names)?;
        self.components.check_images()?;
        if self.components.is_namespaced() {
            return refuse(
                "--namespaced-rbac is for install: the directory that a cluster follows holds objects of the whole cluster"
                    .to_owned(),
            );
        }
        self.components.pull_secret().map(drop)
    }

    /// Converts the flags to library options.
    fn options(&self, host: &Host<'_>, context: &Context) -> Result<Options, CommandError> {
        Ok(Options {
            flag_faults: controller::flag_faults,
            appendix: self.commit_message_appendix.clone(),
            author: Author {
                name: self.author_name.clone(),
                email: self.author_email.clone().unwrap_or_default(),
            },
            branch: self.branch.clone(),
            ca_file: self.ca_file.clone(),
            components: self.components.options(&context.namespace())?,
            fetcher: remote_bases::fetcher,
            force: self.force,
            host_key_algorithms: self.ssh_hostkey_algos.concat(),
            http: Arc::new(http_clients()),
            interval: host.interval,
            is_plan: self.plan,
            key: self.key.options(),
            package_directory: self.components.directory(),
            path: host.path.map(safe_path),
            pull_secret: self.components.pull_secret()?,
            recurse_submodules: self.recurse_submodules,
            secret_name: self.secret_name.clone(),
            signing: SigningOptions {
                gpg_key_id: self.gpg_key_id.clone(),
                gpg_key_ring: self.gpg_key_ring.clone(),
                gpg_passphrase: self.gpg_passphrase.clone(),
                reuse_private_key: self.ssh_signing_reuse_private_key,
                ssh_key_file: self.ssh_signing_key_file.clone(),
                ssh_passphrase: self.ssh_signing_passphrase.clone(),
                ssh_password: self.ssh_signing_password.clone(),
            },
            sparse_checkout: self.sparse_checkout.concat(),
            ssh_hostname: self.ssh_hostname.clone(),
            timeout: context.timeout(),
            token_auth: self.token_auth,
        })
    }

    fn run(
        &self,
        settings: Settings,
        options: &Options,
        host: &Host<'_>,
        context: &Context,
    ) -> CommandResult {
        if let Some(folder) = &self.export_dir {
            for path in settings.export(&std::path::absolute(folder)?)? {
                output::stdout(&format!("{}\n", path.display()))?;
            }
            return Ok(Exit::SUCCESS);
        }
        let work = async {
            let session = context.session()?;
            let mut work = Bootstrap::begin(settings, options, session, host).await?;
            if self.plan {
                let plan = work.plan().await?;
                return Ok((!plan.is_empty(), self.rendered(&plan, Plan::to_text)?));
            }
            let done = work.run().await?;
            Ok::<_, CommandError>((false, self.rendered(&done, |_| String::new())?))
        };
        let (is_open, text) = context.block_on_unless_interrupted(RESUMED, work)?;
        output::stdout(&text)?;
        Ok(if is_open {
            Exit::FAILURE
        } else {
            Exit::SUCCESS
        })
    }

    /// Returns JSON if requested, else `text`.
    fn rendered<T: serde::Serialize>(
        &self,
        result: &T,
        text: impl Fn(&T) -> String,
    ) -> Result<String, CommandError> {
        match self.output {
            Some(_) => output::value(result, Format::Json),
            None => Ok(text(result)),
        }
    }
}

/// Flags that all hosts have, with defaults that differ.
struct Host<'a> {
    /// Directory of the cluster, as typed.
    path: Option<&'a str>,
    interval: Duration,
    /// Whether the confirmation of the deploy key is skipped.
    is_silent: bool,
}

impl Prompt for Host<'_> {
    fn confirm_override(&self, other: &OtherTool) -> Result<(), Error> {
        Ok(components::may_override(other, "bootstrap")?)
    }

    fn confirm_loss(&self) -> Result<(), Error> {
        let question = "Are you sure you want to delete these controllers and objects?";
        if self.is_silent || !io::stdin().is_terminal() || output::confirm(question)? {
            return Ok(());
        }
        Err(Error::user("aborting"))
    }

    fn confirm_key_access(&self) -> Result<(), Error> {
        if self.is_silent || output::confirm("Please give the key access to your repository")? {
            return Ok(());
        }
        Err(Error::user("aborting"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

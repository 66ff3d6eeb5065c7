//! Implements `bootstrap github`, `gitlab`, `gitea` and `bitbucket-server`.
//!
//! The four differ in names, defaults and two or three flags, which are in [`Provider`]. They share
//! the rest. Invalid flags are rejected before the first request to a host.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use sluice_bootstrap::provider::{Input, accepts_key_file, check_project_name};
use sluice_dial::Sensitive;
use sluice_forge::{Kind, Visibility};
use sluice_golang::non_empty;
use sluice_lifecycle::Reporter;

use super::{BootstrapFlags, Host, parsed, token};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{BooleanFlag as _, Choice};
use crate::{CommandResult, flags, output};

/// A Git host with an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provider {
    GitHub,
    GitLab,
    Gitea,
    BitbucketServer,
}

/// Names and defaults of one host.
struct Facts {
    noun: &'static str,
    kind: Kind,
    /// Name in prompts.
    title: &'static str,
    variable: &'static str,
    hostname: Option<&'static str>,
}

/// Flags of every host with an API.
#[derive(clap::Args, Clone, Debug)]
struct Args {
    /// Git server, as HOST:PORT
    #[arg(long, value_name = "HOST")]
    hostname: Option<String>,
    /// Interval at which the cluster fetches the repository
    #[arg(long, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    /// Owner of the repository: a user, organization, group or project
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Directory in the repository to sync the cluster from
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Treat the owner as a user instead of an organization
    #[arg(long, switch = false)]
    personal: bool,
    /// Make the repository private
    #[arg(long, switch = true)]
    private: bool,
    /// Open a pull request if the branch is protected, then stop
    #[arg(long, switch = false, help_heading = flags::OURS)]
    pull_request: bool,
    /// Give the cluster's deploy key write access
    #[arg(long, switch = false)]
    read_write_key: bool,
    /// Apply the flags to a repository that already exists
    #[arg(long, switch = false)]
    reconcile: bool,
    /// Name of the repository; created if missing
    #[arg(long, value_name = "NAME")]
    repository: Option<String>,
    /// Wait until the pull request is merged, then continue
    #[arg(long, switch = false, help_heading = flags::OURS)]
    wait_merge: bool,
}

/// Additional access, on hosts with teams.
#[derive(clap::Args, Clone, Debug)]
struct Teams {
    /// Team to grant access, as NAME[:pull|triage|push|maintain|admin]
    #[arg(long, value_parser = flags::csv, value_name = "NAME[:PERMISSION]")]
    team: Vec<Vec<String>>,
}

/// The same where they are groups.
#[derive(clap::Args, Clone, Debug)]
struct Groups {
    /// Group to grant access, as NAME[:pull|push|admin]
    #[arg(long, value_parser = flags::csv, value_name = "NAME[:PERMISSION]")]
    group: Vec<Vec<String>>,
    /// User who owns the token
    #[arg(long, short, default_value = "git", value_name = "NAME")]
    username: String,
}

const VISIBILITIES: Choice = Choice::new(&["public", "internal", "private"], |value| {
    format!("unsupported visibility '{value}'")
});

/// Flags of GitLab alone.
#[derive(clap::Args, Clone, Debug)]
struct OfGitLab {
    /// Use a GitLab deploy token in the cluster instead of a deploy key
    #[arg(long, switch = false)]
    deploy_token_auth: bool,
    /// Visibility of a new repository
    #[arg(long, default_value = "private", value_name = "VISIBILITY", value_parser = VISIBILITIES)]
    visibility: String,
}

/// Parsed flags, in one form for all hosts.
struct ProviderFlags {
    args: Args,
    teams: Vec<String>,
    visibility: Visibility,
    deploy_token_auth: bool,
    /// Git user, if it differs from the owner.
    username: Option<String>,
}

impl Provider {
    pub(super) const ALL: [Self; 4] = [
        Self::GitHub,
        Self::GitLab,
        Self::Gitea,
        Self::BitbucketServer,
    ];

    const fn facts(self) -> Facts {
        match self {
            Self::GitHub => Facts {
                noun: "github",
                kind: Kind::GitHub,
                title: "GitHub",
                variable: "GITHUB_TOKEN",
                hostname: Some("github.com"),
            },
            Self::GitLab => Facts {
                noun: "gitlab",
                kind: Kind::GitLab,
                title: "GitLab",
                variable: "GITLAB_TOKEN",
                hostname: Some("gitlab.com"),
            },
            Self::Gitea => Facts {
                noun: "gitea",
                kind: Kind::Gitea,
                title: "Gitea",
                variable: "GITEA_TOKEN",
                hostname: Some("gitea.com"),
            },
            Self::BitbucketServer => Facts {
                noun: "bitbucket-server",
                kind: Kind::BitbucketServer,
                title: "Bitbucket",
                variable: "BITBUCKET_TOKEN",
                hostname: None,
            },
        }
    }

    /// Creates the command with its flags.
    pub(super) fn command(self) -> Command {
        let facts = self.facts();
        let command = Command::new(facts.noun).about(format!(
            "Bootstrap from a repository on {}, created if missing",
            facts.kind
        ));
        let mut command = flags::add::<Args>(command).after_help(format!(
            "The token is read from {}, or asked for. Every other flag is read from the environment too:\n\
             FLUX_BOOTSTRAP_SECRET_NAME is --secret-name.",
            facts.variable
        ));
        if let Some(host) = facts.hostname {
            command = command.mut_arg("hostname", |arg: Arg| arg.default_value(host));
        }
        match self {
            Self::GitHub | Self::Gitea => flags::add::<Teams>(command),
            Self::GitLab => flags::add::<OfGitLab>(flags::add::<Teams>(command))
                .mut_arg("private", |arg| arg.hide(true)),
            Self::BitbucketServer => flags::add::<Groups>(command),
        }
    }

    fn typed(self, leaf: &ArgMatches) -> Result<ProviderFlags, CommandError> {
        let args: Args = parsed(leaf)?;
        let private = if args.private {
            Visibility::Private
        } else {
            Visibility::Public
        };
        let mut typed = ProviderFlags {
            args,
            teams: Vec::new(),
            visibility: private,
            deploy_token_auth: false,
            username: None,
        };
        if self == Self::BitbucketServer {
            let groups: Groups = parsed(leaf)?;
            typed.teams = groups.group.concat();
            typed.username = Some(groups.username);
            return Ok(typed);
        }
        typed.teams = parsed::<Teams>(leaf)?.team.concat();
        if self == Self::GitLab {
            let own: OfGitLab = parsed(leaf)?;
            typed.deploy_token_auth = own.deploy_token_auth;
            typed.visibility = match own.visibility.as_str() {
                _ if !typed.args.private => Visibility::Public,
                "public" => Visibility::Public,
                "internal" => Visibility::Internal,
                _ => Visibility::Private,
            };
        }
        Ok(typed)
    }
}

pub(super) fn run(
    noun: &str,
    leaf: &ArgMatches,
    common: &BootstrapFlags,
    context: &Context,
) -> CommandResult {
    let mut all = Provider::ALL.into_iter();
    let Some(provider) = all.find(|one| one.facts().noun == noun) else {
        return Err(CommandError::internal(format!(
            "bootstrap {noun} is declared nowhere"
        )));
    };
    let typed = provider.typed(leaf)?;
    let facts = provider.facts();
    if common.ssh_signing_reuse_private_key && !accepts_key_file(facts.kind) {
        return Err(CommandError::user(format!(
            "--ssh-signing-reuse-private-key is not supported by 'bootstrap {noun}': the key of the cluster is made here, and there is none to sign with"
        ))
        .hint("set --ssh-signing-key-file"));
    }
    let token = match token::read_secret(None, facts.variable) {
        Some(token) => token,
        // An export does not contact the host, so it needs no token.
        None if common.export_dir.is_some() => Sensitive::from("none"),
        None => {
            let title = facts.title;
            let question = format!("Please enter your {title} personal access token (PAT): ");
            token::typed(&question, facts.variable)?
        }
    };
    check_words(provider, &typed, common)?;
    common.validate()?;
    let args = &typed.args;
    let host = Host {
        path: args.path.as_deref(),
        interval: args.interval,
        is_silent: true,
    };
    let options = common.options(&host, context)?;
    let input = Input {
        deploy_token_auth: typed.deploy_token_auth,
        hostname: args.hostname.clone(),
        is_personal: args.personal,
        kind: facts.kind,
        owner: args.owner.clone(),
        proposes: args.pull_request,
        read_write_key: args.read_write_key,
        reconcile: args.reconcile,
        repository: args.repository.clone(),
        teams: typed.teams.clone(),
        token,
        username: typed.username.clone(),
        visibility: typed.visibility,
        waits_for_merge: args.wait_merge,
    };
    let progress = output::Progress::default();
    let settings = input.settings(&options, Reporter(&progress))?;
    common.run(settings, &options, &host, context)
}

/// Checks flags that have rules at one host.
fn check_words(
    provider: Provider,
    typed: &ProviderFlags,
    common: &BootstrapFlags,
) -> Result<(), CommandError> {
    let progress = output::Progress::default();
    if !accepts_key_file(provider.facts().kind) && common.key.options().file().is_some() {
        progress.warning(format!(
            " --private-key-file is not used by 'bootstrap {}': the cluster gets a key of its own",
            provider.facts().noun
        ));
    }
    if typed.args.wait_merge && !typed.args.pull_request {
        return Err(CommandError::user("--wait-merge requires --pull-request"));
    }
    match provider {
        Provider::GitHub | Provider::Gitea => Ok(()),
        Provider::BitbucketServer => match non_empty(typed.args.hostname.as_ref()) {
            Some(_) => Ok(()),
            None => Err(CommandError::user("invalid hostname \"\"").hint("set --hostname")),
        },
        Provider::GitLab => {
            check_project_name(typed.args.repository.as_deref().unwrap_or_default())?;
            if common.token_auth && typed.deploy_token_auth {
                return Err(CommandError::user(
                    "--token-auth and --deploy-token-auth cannot be set both.",
                ));
            }
            if !typed.args.private {
                output::stderr(
                    "Flag --private has been deprecated, use --visibility instead\nUsing visibility public as --private=false\n",
                );
            }
            Ok(())
        }
    }
}

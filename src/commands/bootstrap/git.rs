//! Implements `bootstrap git`: uses any existing repository over HTTP(S) or SSH.

use std::path::PathBuf;
use std::time::Duration;

use sluice_bootstrap::git::{DEFAULT_USER, Input, Source};
use sluice_dial::Sensitive;

use super::{BootstrapFlags, Host, token};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, flags};

/// Flux's variable for the password.
const PASSWORD_VARIABLE: &str = "GIT_PASSWORD";

/// Standard variable with the socket of the SSH agent.
const AGENT_VARIABLE: &str = "SSH_AUTH_SOCK";

#[derive(clap::Args, Clone, Debug)]
pub(super) struct Args {
    /// Allow plain HTTP URLs
    #[arg(long, switch = false)]
    allow_insecure_http: bool,
    /// Interval at which the cluster fetches the repository
    #[arg(long, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    #[arg(
        long,
        short,
        value_name = "PASSWORD",
        help = "Password, token or key passphrase [default: $GIT_PASSWORD]"
    )]
    password: Option<String>,
    /// Directory in the repository to sync the cluster from
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Skip the confirmation that the deploy key has access
    #[arg(long, short, switch = false)]
    silent: bool,
    /// Address of the repository: ssh:// or https://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Git user name
    #[arg(long, short, default_value = DEFAULT_USER, value_name = "NAME")]
    username: String,
    /// Send the password as a bearer token
    #[arg(long, switch = false)]
    with_bearer_token: bool,
}

pub(super) fn run(args: &Args, common: &BootstrapFlags, context: &Context) -> CommandResult {
    let token_auth = common.token_auth || args.with_bearer_token;
    let password = password(args, token_auth)?;
    common.validate()?;
    let host = Host {
        path: Some(args.path.as_deref().unwrap_or_default()),
        interval: args.interval,
        is_silent: args.silent,
    };
    let options = common.options(&host, context)?;
    let input = Input {
        agent: agent(),
        allow_insecure_http: args.allow_insecure_http,
        password,
        url: args.url.clone(),
        username: args.username.clone(),
        with_bearer_token: args.with_bearer_token,
    };
    let mut source = Source::check(input, &options)?;
    if source.is_signed() {
        context.block_on(source.sign())??;
    }
    common.run(source.settings()?, &options, &host, context)
}

/// Returns the password of the flag, the variable or, if needed, a prompt.
fn password(args: &Args, is_needed: bool) -> Result<Option<Sensitive<String>>, CommandError> {
    match token::read_secret(args.password.as_ref(), PASSWORD_VARIABLE) {
        None if is_needed => token::typed(
            "Please enter your Git repository password: ",
            PASSWORD_VARIABLE,
        )
        .map(Some),
        given => Ok(given),
    }
}

/// Returns the socket of the SSH agent, if the variable is set.
fn agent() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this variable belongs to the SSH agent, and a flag does not replace it"
    )]
    let socket = std::env::var_os(AGENT_VARIABLE);
    socket.filter(|path| !path.is_empty()).map(PathBuf::from)
}

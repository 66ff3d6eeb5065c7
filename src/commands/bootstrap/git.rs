//! `bootstrap git`: any repository over HTTP(S) or SSH that exists already.

use std::path::PathBuf;
use std::time::Duration;

use sluice_bootstrap::layout::Layout;
use sluice_bootstrap::secret::{self, Wanted};
use sluice_dial::{Basic, Bearer, Credentials, Dial, Sensitive, Tls};
use sluice_git::Remote;
use sluice_golang::GoDuration;
use sluice_identity::IdentityError;
use sluice_identity::aws::{self, Environment};
use sluice_manifests::Sync;
use sluice_system::{Clock as _, SystemClock};
use url::Url;

use super::sequence::{self, Settings, Way, Who};
use super::{Common, filled, safe_path, signing, token};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, flags};
use sluice_golang::error::chain;

/// Flux's own variable for the password.
const PASSWORD_VARIABLE: &str = "GIT_PASSWORD";

/// Where every program over SSH finds the agent.
const AGENT_VARIABLE: &str = "SSH_AUTH_SOCK";

/// The provider of what is not in a Secret.
const AMAZON: &str = "aws";

/// The host whose own addresses over HTTPS name an organization as their user.
const AZURE: &str = "dev.azure.com";

/// The SSH user of most hosts, which identify users by key.
const DEFAULT_USER: &str = "git";

#[derive(clap::Args, Clone, Debug)]
pub(super) struct Args {
    /// Allow a URL that begins with http://
    #[arg(long, switch = false)]
    allow_insecure_http: bool,
    /// How often the cluster looks at the repository
    #[arg(long, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    #[arg(
        long,
        short,
        value_name = "TEXT",
        help = "Password or token over HTTP(S), or passphrase of the private key; also read from GIT_PASSWORD"
    )]
    password: Option<String>,
    /// Folder of the cluster in the repository
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Do not ask whether the deploy key was given access
    #[arg(long, short, switch = false)]
    silent: bool,
    /// Address of the repository: ssh:// or https://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// User name
    #[arg(long, short, default_value = DEFAULT_USER, value_name = "NAME")]
    username: String,
    /// Send the password as a bearer token
    #[arg(long, switch = false)]
    with_bearer_token: bool,
}

pub(super) fn run(args: &Args, common: &Common, context: &Context) -> CommandResult {
    let token_auth = common.token_auth || args.with_bearer_token;
    let password = password(args, token_auth)?;
    common.validate()?;
    let agent = agent();
    let url = address(args, common, agent.is_some())?;
    let key = common.key.private_key_file();
    let passphrase = password.as_ref().filter(|_| key.is_some());
    let signer = signing::signer(common, passphrase)?;
    let ca = common.authorities()?;
    // Without --token-auth it is an identity of Amazon's that signs, whatever the password is.
    let is_signed = is_code_commit(&url) && url.scheme() == "https" && !token_auth;
    let signed = is_signed.then(|| signed(&url, context)).transpose()?;
    let given = Given {
        url: &url,
        username: signed
            .as_ref()
            .map_or(&args.username, |signed| &signed.username),
        password: signed
            .as_ref()
            .map(|signed| &signed.password)
            .or(password.as_ref()),
        ca: ca.as_deref(),
        token_auth: token_auth || is_signed,
    };
    let followed = given.followed(args, common)?;
    let remote = given.remote(args, context)?;
    let manifests = common.components.manifests(&context.namespace())?;
    let sync = Sync {
        namespace: context.namespace(),
        url: followed.to_string(),
        branch: common.branch.clone(),
        secret: common.secret_name.clone(),
        interval: GoDuration::from_std(args.interval).to_string(),
        path: safe_path(args.path.as_deref().unwrap_or_default()),
        provider: is_signed.then(|| AMAZON.to_owned()),
        recurse_submodules: common.recurse_submodules,
        sparse_checkout: common.sparse_checkout.concat(),
        service_account: common.components.reconciler(),
    };
    let settings = Settings {
        way: given.way(common, agent)?,
        wanted: given.wanted(args, common)?,
        host: (followed.scheme() == "ssh").then(|| host(&followed)),
        layout: Layout::new(manifests.text.clone(), sync),
        hosted: None,
        url: url.to_string(),
        silent: args.silent,
        remote,
        signer,
        manifests,
    };
    sequence::run(settings, common, context)
}

/// The password: the flag's, the variable's, or what is typed where it is needed.
fn password(args: &Args, is_needed: bool) -> Result<Option<Sensitive<String>>, CommandError> {
    match token::given(args.password.as_ref(), PASSWORD_VARIABLE) {
        None if is_needed => token::typed("Please enter your Git repository password: ").map(Some),
        given => Ok(given),
    }
}

/// Where an agent listens, if there is one.
fn agent() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable of the agent itself, which is that of no flag"
    )]
    let socket = std::env::var_os(AGENT_VARIABLE);
    socket.filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The URL as it was typed, if a repository can be bootstrapped from it.
fn address(args: &Args, common: &Common, has_agent: bool) -> Result<Url, CommandError> {
    let refuse = |message: String| Err(CommandError::user(message));
    let Some(typed) = filled(args.url.as_ref()) else {
        return refuse("url is required".into());
    };
    if holds_login(typed) {
        return Err(login_in_url());
    }
    if let Some(url) = written_like_scp(typed) {
        return Err(
            CommandError::user(format!("'{typed}' has no scheme")).hint(format!("--url={url}"))
        );
    }
    let url = Url::parse(typed)
        .map_err(|error| CommandError::user(format!("git URL parse failed: {error}")))?;
    if url.password().is_some_and(|password| !password.is_empty()) {
        return Err(CommandError::user(
            "the URL holds a password: it would be committed, and be in every message",
        )
        .hint("--password, or GIT_PASSWORD in the environment, is the place for it"));
    }
    let url = without_user(url)?;
    match url.scheme() {
        "http" if !args.allow_insecure_http => {
            return refuse(
                "scheme http is insecure, pass --allow-insecure-http=true to allow it".into(),
            );
        }
        "http" | "https" | "ssh" => {}
        scheme => {
            let scheme = sluice_golang::quote::quote(scheme);
            return refuse(format!("scheme {scheme} is not supported"));
        }
    }
    check_code_commit(&url, common)?;
    if url.scheme() == "ssh" && common.key.private_key_file().is_none() && !has_agent {
        return Err(CommandError::user(
            "there is no key to reach the repository with: neither --private-key-file nor an SSH agent",
        )
        .hint("--private-key-file names a key; an agent is found by SSH_AUTH_SOCK, and ssh-add adds keys to it"));
    }
    Ok(url)
}

/// Whether a text without a scheme holds `user:password@`, or a scheme without a slash. Such a text must
/// not be shown. It is not the shorthand of scp, where the host stands before the first colon.
fn holds_login(text: &str) -> bool {
    let after = text.split_once(':').map_or("", |(_, after)| after);
    !text.contains("://") && after.contains('@')
}

fn login_in_url() -> CommandError {
    CommandError::user(
        "the URL holds a user or a password: tokens are given like that, and it would be committed",
    )
    .hint("--username is the place for a user, and for a password or a token --password, or GIT_PASSWORD in the environment")
}

/// The URL over HTTP(S) without a user, where that says nothing. Many hosts take a token for a user,
/// so any other is refused and not shown.
fn without_user(mut url: Url) -> Result<Url, CommandError> {
    if url.scheme() == "ssh" || url.username().is_empty() {
        return Ok(url);
    }
    let organization = url.path_segments().and_then(|mut path| path.next());
    let is_organization =
        organization.is_some_and(|name| name.eq_ignore_ascii_case(url.username()));
    if url.host_str() != Some(AZURE) || !is_organization {
        return Err(login_in_url());
    }
    url.set_username("").map_err(|()| login_in_url())?;
    Ok(url)
}

/// Converts `git@host:path`, which is not a URL, to one.
fn written_like_scp(text: &str) -> Option<String> {
    if text.contains("://") {
        return None;
    }
    let (host, path) = text.split_once(':')?;
    let host = if host.contains('@') {
        host.to_owned()
    } else {
        format!("{DEFAULT_USER}@{host}")
    };
    Some(format!("ssh://{host}/{}", path.trim_start_matches('/')))
}

/// User and password for CodeCommit, from the identity of this environment.
fn signed(url: &Url, context: &Context) -> Result<Basic, CommandError> {
    let failed = |error: IdentityError| {
        let cause = CommandError::user(chain(&error));
        cause
            .while_doing("failed to get AWS CodeCommit IAM git credentials")
            .hint("--token-auth takes Git credentials of CodeCommit instead")
    };
    let repository = aws::Repository::parse(url).map_err(failed)?;
    let clients = crate::registry::http_clients();
    let (environment, dial) = (Environment::of_process(), Dial::default());
    let now = SystemClock.now().into();
    let asked = environment.credentials(&clients, &dial, repository.region(), now);
    let credentials = context.block_on(asked)?.map_err(failed)?;
    Ok(repository.sign(&credentials, now).value)
}

/// Whether a repository is Amazon's.
fn is_code_commit(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host.contains("git-codecommit") && host.contains("amazonaws.com")
}

/// The rules of a host that lets users in by the id of their key.
fn check_code_commit(url: &Url, common: &Common) -> Result<(), CommandError> {
    if !is_code_commit(url) {
        return Ok(());
    }
    let refuse = |message: &str| Err(CommandError::user(message));
    match url.scheme() {
        "ssh" if url.username().is_empty() => {
            refuse("invalid AWS CodeCommit url: ssh username should be specified in the url")
        }
        "ssh" if url.username() == DEFAULT_USER => refuse(
            "invalid AWS CodeCommit url: ssh username should be the SSH key ID for the provided private key",
        ),
        "ssh" if common.key.private_key_file().is_none() => refuse(
            "private key file is required for bootstrapping against AWS CodeCommit using ssh",
        ),
        _ => Ok(()),
    }
}

fn host(url: &Url) -> (String, u16) {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    (host.to_owned(), url.port().unwrap_or(22))
}

/// Address and credentials, and what follows from them.
struct Given<'a> {
    url: &'a Url,
    username: &'a str,
    password: Option<&'a Sensitive<String>>,
    ca: Option<&'a str>,
    token_auth: bool,
}

impl Given<'_> {
    /// The URL that the cluster follows: over HTTPS with a token, over SSH with a key.
    fn followed(&self, args: &Args, common: &Common) -> Result<Url, CommandError> {
        let cannot = || CommandError::user(format!("'{}' cannot be followed", self.url));
        let typed = self.url;
        let host = typed.host_str().ok_or_else(cannot)?;
        let port = |port: Option<u16>| port.map_or_else(String::new, |port| format!(":{port}"));
        let is_http = matches!(typed.scheme(), "http" | "https");
        let text = if self.token_auth {
            let scheme = if args.allow_insecure_http && is_http {
                typed.scheme()
            } else {
                "https"
            };
            let port = port(typed.port().filter(|_| is_http));
            format!("{scheme}://{host}{port}{}", typed.path())
        } else {
            let user = match typed.username() {
                "" => self.username,
                // A user name for HTTPS is not one for SSH.
                _ if is_http || self.username != DEFAULT_USER => self.username,
                typed => typed,
            };
            let place = match filled(common.ssh_hostname.as_ref()) {
                Some(host) => host.to_owned(),
                None => format!("{host}{}", port(typed.port())),
            };
            format!("ssh://{user}@{place}{}", typed.path())
        };
        Url::parse(&text)
            .map_err(|error| CommandError::user(format!("'{text}' is no URL: {error}")))
    }

    /// The repository as this machine reaches it, but for credentials over SSH.
    fn remote(&self, args: &Args, context: &Context) -> Result<Remote, CommandError> {
        let remote = Remote::new(self.url.as_str())
            .map_err(|error| CommandError::user(chain(&error)))?
            .with_timeout(context.timeout());
        let mut dial = Dial::default();
        if let Some(ca) = self.ca {
            dial.tls = Tls::with_ca(ca.as_bytes())
                .map_err(|error| CommandError::user(error.to_string()))?;
        }
        let remote = remote.with_dial(dial);
        let Some(password) = self.password.filter(|_| !remote.address.is_ssh()) else {
            return Ok(remote);
        };
        let credentials = if args.with_bearer_token {
            let bearer = Bearer::new(password.expose());
            Credentials::Bearer(bearer.map_err(|error| CommandError::user(error.to_string()))?)
        } else {
            Credentials::Basic(Basic::new(self.username, password.clone()))
        };
        Ok(remote.with_access(sluice_git::Access::Http(credentials)))
    }

    /// How this machine shows who it is.
    fn way(&self, common: &Common, agent: Option<PathBuf>) -> Result<Way, CommandError> {
        if self.url.scheme() != "ssh" {
            return Ok(Way::Http);
        }
        let pair = common
            .key
            .given(self.password.map(|text| text.expose().as_str()))?;
        let who = match (pair, agent) {
            (Some(pair), _) => Who::Key {
                private: pair.private,
                passphrase: self.password.cloned(),
            },
            (None, Some(socket)) => Who::Agent(socket),
            (None, None) => {
                return Err(CommandError::internal("an SSH address without a key"));
            }
        };
        let host = host(self.url);
        Ok(Way::Ssh { who, host })
    }

    /// The cluster's wanted access.
    fn wanted(&self, args: &Args, common: &Common) -> Result<Wanted, CommandError> {
        if let (true, Some(password)) = (self.token_auth, self.password) {
            let who = if args.with_bearer_token {
                secret::Token::Bearer(password.clone())
            } else {
                secret::Token::Basic(self.username.to_owned(), password.clone())
            };
            return Ok(Wanted::Token {
                who,
                ca: self.ca.map(str::to_owned),
            });
        }
        let passphrase = self.password.map(|text| text.expose().as_str());
        Ok(match common.key.given(passphrase)? {
            Some(pair) => Wanted::Key {
                pair,
                passphrase: self.password.cloned(),
            },
            None => Wanted::NewKey(common.key.kind()),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn parsed(line: &str) -> (Args, Common) {
        let command = Common::augment_args(Command::new("git").no_binary_name(true));
        let command = Args::augment_args(command);
        let matches = command
            .try_get_matches_from(line.split_whitespace())
            .unwrap();
        let of = |matches| {
            (
                Args::from_arg_matches(matches),
                Common::from_arg_matches(matches),
            )
        };
        let (args, common) = of(&matches);
        (args.unwrap(), common.unwrap())
    }

    fn refusal(line: &str) -> String {
        let (args, common) = parsed(line);
        let refused = address(&args, &common, false).unwrap_err();
        refused.message().to_owned()
    }

    #[test]
    fn unusable_address_is_refused() {
        for (line, expected) in [
            ("", "url is required"),
            ("--url=", "url is required"),
            (
                "--url=git@github.com:o/r",
                "'git@github.com:o/r' has no scheme",
            ),
            ("--url=ftp://h/x", "scheme \"ftp\" is not supported"),
            (
                "--url=http://h/x --token-auth",
                "scheme http is insecure, pass --allow-insecure-http=true to allow it",
            ),
            (
                "--url=https://u:hunter2@h/x",
                "the URL holds a password: it would be committed, and be in every message",
            ),
            (
                "--url=https://u:hunter2@dev.azure.com/u/x",
                "the URL holds a password: it would be committed, and be in every message",
            ),
            (
                "--url=ssh://git@h/x",
                "there is no key to reach the repository with: neither --private-key-file nor an SSH agent",
            ),
            (
                "--url=ssh://git-codecommit.eu-west-1.amazonaws.com/v1/repos/r",
                "invalid AWS CodeCommit url: ssh username should be specified in the url",
            ),
            (
                "--url=ssh://git@git-codecommit.eu-west-1.amazonaws.com/v1/repos/r",
                "invalid AWS CodeCommit url: ssh username should be the SSH key ID for the provided private key",
            ),
            (
                "--url=ssh://APKA@git-codecommit.eu-west-1.amazonaws.com/v1/repos/r",
                "private key file is required for bootstrapping against AWS CodeCommit using ssh",
            ),
        ] {
            assert_eq!(refusal(line), expected, "{line}");
        }
    }

    #[test]
    fn a_token_in_the_place_of_a_user_is_refused_and_not_shown() {
        for url in [
            "https://canary@h/o/r",
            "https://canary@h/canary/r",
            "https://canary:@h/o/r",
            "https://canary:x-oauth-basic@h/o/r",
            "http://canary@h/o/r",
            "https:/canary@h/o/r",
            "https:canary@h/o/r",
            "oauth2:canary@h/o/r",
            "canary:x@h/o/r",
            "https://canary@dev.azure.com/o/p/_git/r",
            "https://canary@dev.azure.com",
            "https://canary@dev.azure.com.example/canary/r",
        ] {
            let (args, common) = parsed(&format!("--url={url} --allow-insecure-http"));
            let refused = address(&args, &common, true).unwrap_err();
            assert!(
                !format!("{refused:?}").contains("canary"),
                "{url}: {refused:?}"
            );
            let said = "the URL holds a ";
            assert!(refused.message().starts_with(said), "{url}: {refused:?}");
        }
    }

    #[test]
    fn the_organization_that_azure_names_as_a_user_is_left_out() {
        let (args, common) = parsed("--url=https://Org@dev.azure.com/org/p/_git/r");
        let url = address(&args, &common, false).unwrap();
        assert_eq!(url.as_str(), "https://dev.azure.com/org/p/_git/r");
    }

    #[test]
    fn a_shorthand_of_scp_is_shown_as_the_url_that_it_means() {
        for (text, url) in [
            (
                "git@github.com:o/r.git",
                Some("ssh://git@github.com/o/r.git"),
            ),
            ("github.com:/o/r", Some("ssh://git@github.com/o/r")),
            ("https://github.com/o/r", None),
            ("o/r", None),
        ] {
            assert_eq!(written_like_scp(text).as_deref(), url, "{text}");
        }
    }

    /// Read from the reference: `bootstrapGitCmdRun` of flux2 v2.9.4.
    #[test]
    fn the_cluster_follows_https_with_a_token_and_ssh_with_a_key() {
        for (line, followed) in [
            (
                "--url=https://h:8443/o/r --token-auth",
                "https://h:8443/o/r",
            ),
            ("--url=https://h/o/r --with-bearer-token", "https://h/o/r"),
            ("--url=https://me@h/o/r", "ssh://git@h/o/r"),
            ("--url=ssh://git@h:2222/o/r --token-auth", "https://h/o/r"),
            (
                "--url=http://h:81/r --allow-insecure-http --token-auth",
                "http://h:81/r",
            ),
            ("--url=https://h/o/r", "ssh://git@h/o/r"),
            ("--url=ssh://git@h:2222/o/r", "ssh://git@h:2222/o/r"),
            ("--url=ssh://git@h/o/r --username=me", "ssh://me@h/o/r"),
            ("--url=ssh://APKA@h/o/r", "ssh://APKA@h/o/r"),
            (
                "--url=https://h/o/r --ssh-hostname=s:22",
                "ssh://git@s:22/o/r",
            ),
            (
                "--url=ssh://git@ssh.dev.azure.com/v3/o/p/r",
                "ssh://git@ssh.dev.azure.com/v3/o/p/r",
            ),
        ] {
            let (args, common) = parsed(line);
            let url = Url::parse(args.url.as_deref().unwrap()).unwrap();
            let given = Given {
                url: &url,
                username: &args.username,
                password: None,
                ca: None,
                token_auth: common.token_auth || args.with_bearer_token,
            };
            let found = given.followed(&args, &common).unwrap();
            assert_eq!(found.as_str(), followed, "{line}");
        }
    }
}

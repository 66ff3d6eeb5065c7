//! A repository over HTTP(S) or SSH that exists already.

use std::path::PathBuf;

use sluice_dial::{Basic, Bearer, Credentials, Dial, Sensitive, Tls};
use sluice_git::ssh_setup::KeyPair;
use sluice_git::{Remote, Signer};
use sluice_golang::error::chain;
use sluice_golang::non_empty;
use sluice_identity::{Environment, IdentityError, Transport, aws};
use sluice_lifecycle::Error;
use sluice_system::{Clock as _, SystemClock};
use url::Url;

use crate::layout::Layout;
use crate::options::{KeyOptions, Options};
use crate::secret::{ClusterCredentials, Token};
use crate::settings::{Login, LoginKey, Settings};
use crate::signing::signer;

/// The provider of access without a Secret.
const AMAZON: &str = "aws";

/// The host whose HTTPS URLs name an organization as their user.
const AZURE: &str = "dev.azure.com";

/// The SSH user of most hosts, which identify users by key.
pub const DEFAULT_USER: &str = "git";

/// The flags of a repository without an API.
pub struct Input {
    /// The socket of an SSH agent.
    pub agent: Option<PathBuf>,
    /// Whether a URL may begin with `http://`.
    pub allow_insecure_http: bool,
    /// The password or token over HTTP(S), or the passphrase of the key.
    pub password: Option<Sensitive<String>>,
    /// The URL of the repository.
    pub url: Option<String>,
    /// The user.
    pub username: String,
    /// Whether the password is sent as a bearer token.
    pub with_bearer_token: bool,
}

/// A repository whose flags are checked.
pub struct Source<'o> {
    options: &'o Options,
    input: Input,
    url: Url,
    signer: Option<Signer>,
    ca: Option<String>,
    /// Whether an identity of Amazon signs the password.
    is_signed: bool,
    /// Whether the cluster uses the password.
    is_token: bool,
}

impl<'o> Source<'o> {
    /// Checks the flags.
    pub fn check(input: Input, options: &'o Options) -> Result<Self, Error> {
        let url = address(&input, &options.key)?;
        let passphrase = input.password.as_ref();
        let passphrase = passphrase.filter(|_| options.key.file().is_some());
        let signer = signer(&options.signing, &options.key, passphrase)?;
        let is_token = options.token_auth || input.with_bearer_token;
        Ok(Self {
            signer,
            ca: options.authorities()?,
            is_signed: is_code_commit(&url) && url.scheme() == "https" && !is_token,
            is_token,
            options,
            input,
            url,
        })
    }

    /// Whether [`Self::sign`] has to run before [`Self::settings`].
    pub fn is_signed(&self) -> bool {
        self.is_signed
    }

    /// Replaces user and password by those for `CodeCommit`, from the identity of this environment.
    pub async fn sign(&mut self) -> Result<(), Error> {
        let failed = |error: IdentityError| {
            Error::user(chain(&error))
                .while_doing("failed to get AWS CodeCommit IAM git credentials")
                .hint("set --token-auth to use Git credentials of CodeCommit")
        };
        let repository = aws::Repository::parse(&self.url).map_err(failed)?;
        let (environment, dial) = (Environment::of_process(), Dial::default());
        let now = SystemClock.now().into();
        let transport = Transport {
            clients: &self.options.http,
            dial: &dial,
        };
        let asked = environment.credentials(transport, repository.region(), now);
        let login = repository.sign(&asked.await.map_err(failed)?, now).value;
        self.input.username = login.username;
        self.input.password = Some(login.password);
        self.is_token = true;
        Ok(())
    }

    /// The repository and its access.
    pub fn settings(self) -> Result<Settings, Error> {
        let followed = self.followed()?;
        let remote = self.remote()?;
        let package = self.options.package()?;
        let mut sync = self.options.sync(followed.to_string());
        sync.provider = self.is_signed.then(|| AMAZON.to_owned());
        Ok(Settings {
            login: self.login()?,
            wanted: self.cluster_credentials()?,
            ssh_host: (followed.scheme() == "ssh").then(|| host(&followed)),
            layout: Layout::new(package.text.clone(), sync),
            hosted: None,
            url: self.url.to_string(),
            remote,
            signer: self.signer,
            package,
        })
    }

    /// The URL that the cluster follows: over HTTPS with a token, over SSH with a key.
    fn followed(&self) -> Result<Url, Error> {
        let cannot = || Error::user(format!("'{}' cannot be followed", self.url));
        let typed = &self.url;
        let host = typed.host_str().ok_or_else(cannot)?;
        let port = |port: Option<u16>| port.map_or_else(String::new, |port| format!(":{port}"));
        let is_http = matches!(typed.scheme(), "http" | "https");
        let text = if self.is_token {
            let scheme = if self.input.allow_insecure_http && is_http {
                typed.scheme()
            } else {
                "https"
            };
            let port = port(typed.port().filter(|_| is_http));
            format!("{scheme}://{host}{port}{}", typed.path())
        } else {
            let user = match typed.username() {
                "" => &self.input.username,
                // A user name for HTTPS is not one for SSH.
                _ if is_http || self.input.username != DEFAULT_USER => &self.input.username,
                typed => typed,
            };
            let place = match non_empty(self.options.ssh_hostname.as_ref()) {
                Some(host) => host.to_owned(),
                None => format!("{host}{}", port(typed.port())),
            };
            format!("ssh://{user}@{place}{}", typed.path())
        };
        Url::parse(&text).map_err(|error| Error::user(format!("'{text}' is not a URL: {error}")))
    }

    /// The remote of this machine, without an identity over SSH.
    fn remote(&self) -> Result<Remote, Error> {
        let remote = Remote::new(self.url.as_str())
            .map_err(|error| Error::user(chain(&error)))?
            .with_timeout(self.options.timeout);
        let mut dial = Dial::default();
        if let Some(ca) = &self.ca {
            dial.tls =
                Tls::with_ca(ca.as_bytes()).map_err(|error| Error::user(error.to_string()))?;
        }
        let remote = remote.with_dial(dial);
        let password = self.input.password.as_ref();
        let Some(password) = password.filter(|_| !remote.address.is_ssh()) else {
            return Ok(remote);
        };
        let credentials = if self.input.with_bearer_token {
            let bearer = Bearer::new(password.expose());
            Credentials::Bearer(bearer.map_err(|error| Error::user(error.to_string()))?)
        } else {
            Credentials::Basic(Basic::new(self.input.username.as_str(), password.clone()))
        };
        Ok(remote.with_access(sluice_git::Access::Http(credentials)))
    }

    /// The login of this machine.
    fn login(&self) -> Result<Login, Error> {
        if self.url.scheme() != "ssh" {
            return Ok(Login::Http);
        }
        let key = match (self.key_pair()?, &self.input.agent) {
            (Some(pair), _) => LoginKey::File {
                private: pair.private,
                passphrase: self.input.password.clone(),
            },
            (None, Some(socket)) => LoginKey::Agent(socket.clone()),
            (None, None) => return Err(Error::internal("an SSH address without a key")),
        };
        let host = host(&self.url);
        Ok(Login::Ssh { key, host })
    }

    /// The access of the cluster.
    fn cluster_credentials(&self) -> Result<ClusterCredentials, Error> {
        if let (true, Some(password)) = (self.is_token, &self.input.password) {
            let token = if self.input.with_bearer_token {
                Token::Bearer(password.clone())
            } else {
                Token::Basic(self.input.username.clone(), password.clone())
            };
            return Ok(ClusterCredentials::Token {
                token,
                ca: self.ca.clone(),
            });
        }
        Ok(match self.key_pair()? {
            Some(pair) => ClusterCredentials::Key {
                pair,
                passphrase: self.input.password.clone(),
            },
            None => ClusterCredentials::NewKey(self.options.key.kind),
        })
    }

    /// The key pair of the user.
    fn key_pair(&self) -> Result<Option<KeyPair>, Error> {
        let passphrase = self.input.password.as_ref();
        let passphrase = passphrase.map(|text| text.expose().as_str());
        self.options.key.read_key_pair(passphrase)
    }
}

/// The URL, if a repository can be bootstrapped from it.
fn address(input: &Input, key: &KeyOptions) -> Result<Url, Error> {
    let refuse = |message: String| Err(Error::user(message));
    let Some(typed) = non_empty(input.url.as_ref()) else {
        return Err(Error::user("url is required").hint("set --url"));
    };
    if holds_login(typed) {
        return Err(login_in_url());
    }
    if let Some(url) = written_like_scp(typed) {
        return Err(Error::user(format!("'{typed}' has no scheme")).hint(format!("--url={url}")));
    }
    let url = Url::parse(typed).map_err(|error| {
        Error::user(format!("git URL parse failed: {error}")).hint(format!(
            "set --url to https://HOST/PATH or ssh://USER@HOST/PATH, instead of '{typed}'"
        ))
    })?;
    if url.password().is_some_and(|password| !password.is_empty()) {
        return Err(Error::user(
            "the URL has a password: it would be committed, and be in every message",
        )
        .hint("set --password or GIT_PASSWORD"));
    }
    let url = without_user(url)?;
    match url.scheme() {
        "http" if !input.allow_insecure_http => {
            return refuse(
                "scheme http is insecure, pass --allow-insecure-http=true to allow it".into(),
            );
        }
        "http" | "https" | "ssh" => {}
        scheme => {
            let scheme = sluice_golang::quote::quote(scheme);
            return Err(Error::user(format!("scheme {scheme} is not supported"))
                .hint("set --url to https://HOST/PATH or ssh://USER@HOST/PATH"));
        }
    }
    check_code_commit(&url, key)?;
    if url.scheme() == "ssh" && key.file().is_none() && input.agent.is_none() {
        return Err(Error::user(
            "an SSH URL needs a key: set --private-key-file or start an SSH agent",
        )
        .hint("set --private-key-file, or set SSH_AUTH_SOCK and run ssh-add"));
    }
    Ok(url)
}

/// Whether a text without a scheme holds `user:password@`, or a scheme without a slash. Such a text
/// must not be shown. It is not the shorthand of scp, where the host stands before the first colon.
fn holds_login(text: &str) -> bool {
    let after = text.split_once(':').map_or("", |(_, after)| after);
    !text.contains("://") && after.contains('@')
}

fn login_in_url() -> Error {
    Error::user("the URL has a user or a password, and would be committed")
        .hint("set --username, and --password or GIT_PASSWORD")
}

/// Removes the user of an HTTPS URL of Azure. Many hosts take a token as the user, so any other
/// user is rejected and not shown.
fn without_user(mut url: Url) -> Result<Url, Error> {
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

/// Whether a repository is one of `CodeCommit`.
fn is_code_commit(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host.contains("git-codecommit") && host.contains("amazonaws.com")
}

/// Checks the rules of a host that identifies users by the id of their key.
fn check_code_commit(url: &Url, key: &KeyOptions) -> Result<(), Error> {
    if !is_code_commit(url) {
        return Ok(());
    }
    let refuse = |message: &str| Err(Error::user(message));
    match url.scheme() {
        "ssh" if url.username().is_empty() => {
            refuse("invalid AWS CodeCommit url: ssh username should be specified in the url")
        }
        "ssh" if url.username() == DEFAULT_USER => refuse(
            "invalid AWS CodeCommit url: ssh username should be the SSH key ID for the provided private key",
        ),
        "ssh" if key.file().is_none() => refuse(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::sample;

    fn parse(line: &str) -> (Input, Options) {
        let mut options = sample();
        let mut input = Input {
            agent: None,
            allow_insecure_http: false,
            password: None,
            url: None,
            username: DEFAULT_USER.to_owned(),
            with_bearer_token: false,
        };
        for flag in line.split_whitespace() {
            match flag.split_once('=').unwrap_or((flag, "")) {
                ("--url", url) => input.url = Some(url.to_owned()),
                ("--username", name) => name.clone_into(&mut input.username),
                ("--ssh-hostname", host) => options.ssh_hostname = Some(host.to_owned()),
                ("--token-auth", _) => options.token_auth = true,
                ("--with-bearer-token", _) => input.with_bearer_token = true,
                ("--allow-insecure-http", _) => input.allow_insecure_http = true,
                other => panic!("{other:?}"),
            }
        }
        (input, options)
    }

    fn refusal(line: &str) -> String {
        let (input, options) = parse(line);
        let refused = address(&input, &options.key).unwrap_err();
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
                "the URL has a password: it would be committed, and be in every message",
            ),
            (
                "--url=https://u:hunter2@dev.azure.com/u/x",
                "the URL has a password: it would be committed, and be in every message",
            ),
            (
                "--url=ssh://git@h/x",
                "an SSH URL needs a key: set --private-key-file or start an SSH agent",
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
    fn token_as_user_is_rejected_and_not_shown() {
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
            let (mut input, options) = parse(&format!("--url={url} --allow-insecure-http"));
            input.agent = Some("/run/agent".into());
            let refused = address(&input, &options.key).unwrap_err();
            assert!(
                !format!("{refused:?}").contains("canary"),
                "{url}: {refused:?}"
            );
            let said = "the URL has a ";
            assert!(refused.message().starts_with(said), "{url}: {refused:?}");
        }
    }

    #[test]
    fn organization_as_user_of_azure_is_removed() {
        let (input, options) = parse("--url=https://Org@dev.azure.com/org/p/_git/r");
        let url = address(&input, &options.key).unwrap();
        assert_eq!(url.as_str(), "https://dev.azure.com/org/p/_git/r");
    }

    #[test]
    fn scp_shorthand_converts_to_a_url() {
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
    fn cluster_uses_https_with_token_and_ssh_with_key() {
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
            let (input, options) = parse(line);
            let source = Source {
                url: Url::parse(input.url.as_deref().unwrap()).unwrap(),
                is_token: options.token_auth || input.with_bearer_token,
                options: &options,
                input,
                signer: None,
                ca: None,
                is_signed: false,
            };
            let found = source.followed().unwrap();
            assert_eq!(found.as_str(), followed, "{line}");
        }
    }
}

//! Implements `create secret git`, and the Secret of `create source git`.

use sluice_bootstrap::KeyOptions;
use sluice_git::ssh_setup::{KeyKind, KeyPair, scan_host_key};
use sluice_golang::non_empty;
use std::time::Duration;
use url::Url;

use super::{Secret, file};
use crate::cluster::Context;
use crate::commands::create::required;
use crate::compat;
use crate::error::CommandError;
use crate::flags::Choice;

/// Timeout of a host key scan.
const SCAN_TIMEOUT: Duration = Duration::from_secs(30);

const CURVES: Choice = Choice::new(&["p256", "p384", "p521"], |value| {
    format!("unsupported curve '{value}'")
});

const ALGORITHMS: Choice = Choice::new(&["rsa", "ecdsa", "ed25519"], |value| {
    format!("unsupported public key algorithm '{value}'")
})
.or_absent("no public key algorithm given, must be one of: rsa, ecdsa, ed25519");

/// The type and source of a key pair.
#[derive(clap::Args, Clone, Debug)]
pub struct KeyArgs {
    /// Curve of the generated ECDSA key
    #[arg(long, value_name = "CURVE", default_value = "p384", value_parser = CURVES)]
    ssh_ecdsa_curve: String,
    /// Algorithm of the generated key
    #[arg(long, value_name = "ALGORITHM", default_value = "ecdsa", value_parser = ALGORITHMS)]
    ssh_key_algorithm: String,
    /// Bits of the generated RSA key, a multiple of 8
    #[arg(long, value_name = "BITS", default_value = "2048", value_parser = rsa_bits)]
    ssh_rsa_bits: usize,
    /// File with an existing private key to use
    #[arg(long, value_name = "FILE")]
    private_key_file: Option<String>,
}

impl KeyArgs {
    /// Returns the options of the key pair.
    pub fn options(&self) -> KeyOptions {
        KeyOptions {
            file: self.private_key_file.clone(),
            kind: self.kind(),
        }
    }

    /// Returns the type of the key pair.
    fn kind(&self) -> KeyKind {
        match (
            self.ssh_key_algorithm.as_str(),
            self.ssh_ecdsa_curve.as_str(),
        ) {
            ("rsa", _) => KeyKind::Rsa(self.ssh_rsa_bits),
            ("ed25519", _) => KeyKind::Ed25519,
            (_, "p256") => KeyKind::EcdsaP256,
            (_, "p521") => KeyKind::EcdsaP521,
            _ => KeyKind::EcdsaP384,
        }
    }
}

fn rsa_bits(text: &str) -> Result<usize, String> {
    let bits: usize = text.parse().map_err(|_| {
        let text = sluice_golang::quote::quote(text);
        format!("strconv.Atoi: parsing {text}: invalid syntax")
    })?;
    match bits {
        2048..=16384 if bits.is_multiple_of(8) => Ok(bits),
        _ => Err("it must be a multiple of 8, from 2048 to 16384".to_owned()),
    }
}

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Address of the repository: ssh://, https:// or http://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// HTTP(S) user name
    #[arg(long, short = 'u', value_name = "NAME")]
    username: Option<String>,
    /// HTTP(S) password, or passphrase of the private key
    #[arg(long, short = 'p', value_name = "PASSWORD")]
    password: Option<String>,
    /// HTTP(S) bearer token, instead of a user name
    #[arg(long, value_name = "TOKEN")]
    bearer_token: Option<String>,
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_crt_file: Option<String>,
    #[command(flatten)]
    key: KeyArgs,
}

pub(super) fn secret(name: &str, args: &Args, context: &Context) -> Result<Secret, CommandError> {
    let url = required(args.url.as_deref(), "--url", "url is required")?;
    let url = Url::parse(url).map_err(|error| git_url_error(url, &error))?;
    match url.scheme() {
        "ssh" => over_ssh(name, &url, &args.key, args.password.as_deref(), context),
        "http" | "https" => {
            let mut given = Http {
                username: args.username.as_deref(),
                password: args.password.as_deref(),
                bearer_token: args.bearer_token.as_deref(),
                ca_file: args
                    .ca_crt_file
                    .as_deref()
                    .map(|path| ("ca-crt-file", path)),
            }
            .filled();
            // Flux ignores a part of a login, with a token or without one.
            let has_login = given.username.is_some() && given.password.is_some();
            if !has_login {
                (given.username, given.password) = (None, None);
                if given.bearer_token.is_none() {
                    return Err(CommandError::user(
                        "for Git over HTTP/S the username and password, or a bearer token is required",
                    )
                    .hint("set --username and --password, or --bearer-token"));
                }
            }
            over_http(name, &given)
        }
        scheme => Err(CommandError::user(format!(
            "git URL scheme '{scheme}' not supported, can be: ssh, http and https"
        ))
        .hint(URL_FORMS)),
    }
}

/// Hint of the error of a Git URL.
pub const URL_FORMS: &str = "set --url to https://HOST/PATH or ssh://USER@HOST/PATH";

/// Returns the error of a Git URL that cannot be parsed.
pub fn git_url_error(url: &str, error: &url::ParseError) -> CommandError {
    let hint = if url.contains('@') {
        URL_FORMS.to_owned()
    } else {
        format!("set --url to https://HOST/PATH or ssh://USER@HOST/PATH, instead of '{url}'")
    };
    CommandError::user(format!("git URL parse failed: {error}")).hint(hint)
}

/// Credentials of a repository over HTTP(S).
pub struct Http<'a> {
    pub username: Option<&'a str>,
    pub password: Option<&'a str>,
    pub bearer_token: Option<&'a str>,
    /// Flag name and path of the CA file.
    pub ca_file: Option<(&'a str, &'a str)>,
}

impl Http<'_> {
    /// Drops empty values.
    #[must_use]
    pub fn filled(self) -> Self {
        Self {
            username: non_empty(self.username),
            password: non_empty(self.password),
            bearer_token: non_empty(self.bearer_token),
            ca_file: self.ca_file.filter(|(_, path)| !path.is_empty()),
        }
    }
}

/// Returns the Secret of a repository over HTTP(S).
pub fn over_http(name: &str, given: &Http<'_>) -> Result<Secret, CommandError> {
    let mut secret = Secret::new(name);
    if given.bearer_token.is_some() && (given.username.is_some() || given.password.is_some()) {
        return Err(CommandError::user(
            "user credentials and bearer token cannot be used together",
        ));
    }
    if let Some(token) = given.bearer_token {
        secret.put("bearerToken", token);
    }
    if let Some((flag, path)) = given.ca_file {
        let pem = file(flag, path)?;
        // Flux does not read the certificate.
        if !compat::is_strict() {
            sluice_dial::Tls::with_ca(pem.as_bytes())
                .map_err(|error| CommandError::user(format!("--{flag}: {error}")))?;
        }
        secret.put("ca.crt", pem);
    }
    match (given.username, given.password) {
        (Some(username), Some(password)) => {
            secret.put("password", password);
            secret.put("username", username);
        }
        (Some(_), None) => return Err(CommandError::user("--username needs --password")),
        (None, Some(_)) => return Err(CommandError::user("--password needs --username")),
        (None, None) => {}
    }
    Ok(secret)
}

/// Returns the Secret of a repository over SSH: a key pair and the host's current key.
pub fn over_ssh(
    name: &str,
    url: &Url,
    key: &KeyArgs,
    passphrase: Option<&str>,
    context: &Context,
) -> Result<Secret, CommandError> {
    let host = url
        .host_str()
        .ok_or_else(|| CommandError::user("the URL names no host"))?
        .trim_start_matches('[')
        .trim_end_matches(']');
    let passphrase = non_empty(passphrase);
    let key = key.options();
    let pair = match key.read_key_pair(passphrase)? {
        Some(pair) => pair,
        None => KeyPair::generate(key.kind)
            .map_err(|error| CommandError::internal(error.to_string()))?,
    };
    let known = context
        .block_on(scan_host_key(host, url.port().unwrap_or(22), SCAN_TIMEOUT))?
        .map_err(|error| {
            CommandError::cluster(format!("SSH key scan for host {host} failed: {error}"))
                .hint("check host and port of --url, and that this machine can reach them")
        })?;
    let mut secret = Secret::new(name);
    secret.put("identity", pair.private.expose().as_str());
    secret.put("identity.pub", format!("{}\n", pair.public));
    secret.put("known_hosts", known);
    if let Some(passphrase) = passphrase.filter(|_| key.file().is_some()) {
        secret.put("password", passphrase);
    }
    secret.deploy_key = Some(pair.public);
    Ok(secret)
}

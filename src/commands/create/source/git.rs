//! Implements `create source git`: fetches from a Git repository, with a Secret for given
//! credentials.

use serde_json::{Value, json};
use sluice_golang::non_empty;
use url::Url;

use super::{Group, authenticate, put_ignore};
use crate::commands::create::secret::Secret;
use crate::commands::create::secret::git::{self, KeyArgs, URL_FORMS, git_url_error};
use crate::commands::create::{Creation, NewObject, put, put_time, refer, required};
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Choice};
use crate::{CommandResult, output};

const PROVIDERS: Choice = Choice::new(&["generic", "github", "aws", "azure"], |value| {
    format!("source Git provider '{value}' is not supported")
})
.or_absent("no source Git provider given, please specify the Git provider name")
.separated_by("|");

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Branch to fetch
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Commit to check out
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,
    /// Paths to exclude from the artifact, in .gitignore syntax
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Cloud provider to authenticate with
    #[arg(long, value_parser = PROVIDERS, value_name = "PROVIDER")]
    provider: Option<String>,
    /// Secret with the proxy address and credentials
    #[arg(long, value_name = "NAME")]
    proxy_secret_ref: Option<String>,
    /// Fetch Git submodules
    #[arg(long, switch = false)]
    recurse_submodules: bool,
    /// Full reference name to check out, such as refs/pull/1/head
    #[arg(long, value_name = "REF")]
    ref_name: Option<String>,
    /// File with trusted CA certificates, in PEM format
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// HTTP(S) user name
    #[arg(long, short = 'u', value_name = "NAME")]
    username: Option<String>,
    /// HTTP(S) password, or passphrase of the private key
    #[arg(long, short = 'p', value_name = "PASSWORD")]
    password: Option<String>,
    #[command(flatten)]
    key: KeyArgs,
    /// Skip the confirmation that the deploy key has access
    #[arg(long, short = 's', switch = false)]
    silent: bool,
    /// Existing Secret with the credentials; otherwise one is created
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Directories to check out [default: all]
    #[arg(long, value_parser = flags::csv, value_name = "PATH")]
    sparse_checkout_paths: Vec<Vec<String>>,
    /// Tag to check out
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Use the newest tag in this semver range
    #[arg(long, value_name = "RANGE")]
    tag_semver: Option<String>,
    /// Address of the repository: ssh://, https:// or http://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(super) fn run(args: &Args, group: &Group, creation: &Creation<'_>) -> CommandResult {
    let (mut wanted, url) = new_object(args, group, creation)?;
    if creation.common.export {
        return creation.export(&wanted);
    }
    creation.begin(&wanted);
    if non_empty(args.secret_ref.as_deref()).is_none()
        && let Some(secret) = secret(args, &url, creation)?
    {
        introduce(&secret, args, creation)?;
        authenticate(&mut wanted, &secret, "repository", creation)?;
    }
    creation.apply(&wanted)
}

/// Returns the Secret of the given credentials. SSH always has one.
fn secret(args: &Args, url: &Url, creation: &Creation<'_>) -> Result<Option<Secret>, CommandError> {
    let (name, context) = (creation.name, creation.context);
    if url.scheme() == "ssh" {
        let password = args.password.as_deref();
        let secret = git::over_ssh(name, url, &args.key, password, context)?;
        return Ok(Some(secret));
    }
    let given = git::Http {
        username: args.username.as_deref(),
        password: args.password.as_deref(),
        bearer_token: None,
        ca_file: args.ca_file.as_deref().map(|path| ("ca-file", path)),
    }
    .filled();
    let secret = git::over_http(name, &given)?;
    Ok((!secret.entries.is_empty()).then_some(secret))
}

/// Reports the host key, and our deploy key, which the user must add to the host.
fn introduce(secret: &Secret, args: &Args, creation: &Creation<'_>) -> Result<(), CommandError> {
    let progress = creation.context.progress;
    if let Some((_, known)) = secret.entries.iter().find(|(key, _)| key == "known_hosts") {
        progress.success(format!("collected public key from SSH server:\n{known}"));
    }
    if let Some(key) = &secret.deploy_key {
        progress.generate(format!("deploy key: {key}"));
        if !args.silent && !output::confirm("Have you added the deploy key to your repository")? {
            return Err(CommandError::user("aborting"));
        }
    }
    Ok(())
}

fn new_object(
    args: &Args,
    group: &Group,
    creation: &Creation<'_>,
) -> Result<(NewObject, Url), CommandError> {
    let url = required(args.url.as_deref(), "--url", "url is required")?;
    let parsed = Url::parse(url).map_err(|error| git_url_error(url, &error))?;
    if !matches!(parsed.scheme(), "ssh" | "http" | "https") {
        return Err(CommandError::user(format!(
            "git URL scheme '{}' not supported, can be: ssh, http and https",
            parsed.scheme()
        ))
        .hint(URL_FORMS));
    }
    let reference = reference(args)?;
    if non_empty(args.ca_file.as_deref()).is_some() && parsed.scheme() == "ssh" {
        return Err(CommandError::user(
            "specifying a CA file is not supported for Git over SSH",
        ));
    }
    if parsed.password().is_some() {
        return Err(CommandError::user(
            "the URL holds a password: everyone who can read the object could read it",
        )
        .hint("store the credentials in a Secret and set --secret-ref"));
    }
    let labels = creation.labels()?;
    if parsed.scheme() == "http" {
        creation
            .context
            .progress
            .warning("the connection over http is neither encrypted nor authenticated");
    }
    let mut spec = json!({ "interval": creation.interval(), "ref": reference, "url": url });
    put_ignore(&mut spec, &args.ignore_paths);
    put_time(&mut spec, "timeout", group.fetch_timeout);
    refer(&mut spec, "secretRef", args.secret_ref.as_deref());
    refer(
        &mut spec,
        "proxySecretRef",
        args.proxy_secret_ref.as_deref(),
    );
    put(&mut spec, "provider", args.provider.as_deref());
    if args.recurse_submodules {
        spec["recurseSubmodules"] = json!(true);
    }
    let sparse = args.sparse_checkout_paths.concat();
    if !sparse.is_empty() {
        spec["sparseCheckout"] = json!(sparse);
    }
    Ok((NewObject::new("GitRepository", labels, spec)?, parsed))
}

/// Returns the reference to follow. Commit precedes name, then range, tag and branch.
fn reference(args: &Args) -> Result<Value, CommandError> {
    let branch = args.branch.as_deref();
    let mut reference = json!({});
    for (field, value) in [
        ("commit", &args.commit),
        ("name", &args.ref_name),
        ("semver", &args.tag_semver),
        ("tag", &args.tag),
        ("branch", &args.branch),
    ] {
        if let Some(value) = non_empty(value.as_deref()) {
            reference[field] = json!(value);
            if field == "commit" {
                put(&mut reference, "branch", branch);
            }
            return Ok(reference);
        }
    }
    Err(CommandError::user(
        "a Git ref is required, use one of the following: --branch, --tag, --commit, --ref-name or --tag-semver",
    ))
}

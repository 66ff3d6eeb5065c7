//! `create source git`: a Git repository to fetch from, with its Secret where credentials are given.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::secret::Secret;
use super::secret::git::{self, KeyArgs};
use super::{Common, Wanted, apply, export, name, written};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, flags};

/// Flags of every `create source` command.
#[derive(clap::Args, Clone, Debug)]
pub struct Group {
    /// How long one fetch may take
    #[arg(long, global = true, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    pub(super) fetch_timeout: Duration,
}

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the object
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Branch to follow
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Commit to stay at
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,
    /// Paths to leave out of the artifact, in .gitignore's language
    #[arg(long, value_parser = flags::csv, value_name = "PATTERN")]
    ignore_paths: Vec<Vec<String>>,
    /// Cloud that gives the credentials
    #[arg(long, value_name = "PROVIDER", value_parser = ["generic", "github", "aws", "azure"])]
    provider: Option<String>,
    /// Secret with the proxy's address and credentials
    #[arg(long, value_name = "NAME")]
    proxy_secret_ref: Option<String>,
    /// Fetch submodules too
    #[arg(long, switch = false)]
    recurse_submodules: bool,
    /// Full name of the reference to follow, such as refs/pull/1/head
    #[arg(long, value_name = "REF")]
    ref_name: Option<String>,
    /// File with the authorities to trust, PEM
    #[arg(long, value_name = "FILE")]
    ca_file: Option<String>,
    /// User name, over HTTP(S)
    #[arg(long, short = 'u', value_name = "NAME")]
    username: Option<String>,
    /// Password, over HTTP(S), or the passphrase of the private key
    #[arg(long, short = 'p', value_name = "PASSWORD")]
    password: Option<String>,
    #[command(flatten)]
    key: KeyArgs,
    /// Do not ask whether the deploy key was made known
    #[arg(long, short = 's', value_parser = flags::boolean, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, value_name = "BOOL")]
    silent: bool,
    /// Secret with the credentials; without it, one is made of those that are given
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Directories to have in the artifact, and nothing else
    #[arg(long, value_parser = flags::csv, value_name = "PATH")]
    sparse_checkout_paths: Vec<Vec<String>>,
    /// Tag to stay at
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Range of versions whose newest tag to follow
    #[arg(long, value_name = "RANGE")]
    tag_semver: Option<String>,
    /// Address of the repository: ssh://, https:// or http://
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub fn run(args: &Args, group: &Group, common: &Common, context: &Context) -> CommandResult {
    let name = name(&args.name)?;
    let mut spec = spec(args, group, common, context)?;
    if common.export {
        let wanted = Wanted::new("GitRepository", name, spec)?;
        return export(&wanted, common, context);
    }
    if args.secret_ref.is_none()
        && let Some(secret) = secret(args, name, context)?
    {
        publish(&secret, args, common, context)?;
        spec["secretRef"] = json!({ "name": secret.name });
    }
    let wanted = Wanted::new("GitRepository", name, spec)?;
    context.progress.generate("generating GitRepository source");
    apply(&wanted, common, context)
}

/// The Secret of the credentials that were given; over SSH there are always some.
fn secret(args: &Args, name: &str, context: &Context) -> Result<Option<Secret>, CommandError> {
    let url = args
        .url
        .as_deref()
        .and_then(|url| url::Url::parse(url).ok());
    let Some(url) = url else {
        return Ok(None);
    };
    if url.scheme() == "ssh" {
        if args.ca_file.is_some() {
            return Err(CommandError::user(
                "specifying a CA file is not supported for Git over SSH",
            ));
        }
        let secret = git::over_ssh(name, &url, &args.key, args.password.as_deref(), context)?;
        context
            .progress
            .success("collected public key from SSH server:");
        if let Some((_, known)) = secret.entries.iter().find(|(key, _)| *key == "known_hosts") {
            context.progress.action(known);
        }
        return Ok(Some(secret));
    }
    let given = git::Http {
        username: args.username.as_deref(),
        password: args.password.as_deref(),
        bearer_token: None,
        ca_file: args.ca_file.as_deref().map(|path| ("ca-file", path)),
    };
    let secret = git::over_http(name, &given)?;
    Ok((!secret.entries.is_empty()).then_some(secret))
}

/// Writes the Secret, once the other side knows what it must know.
fn publish(
    secret: &Secret,
    args: &Args,
    common: &Common,
    context: &Context,
) -> Result<(), CommandError> {
    if let Some(key) = &secret.deploy_key {
        context.progress.generate(format!("deploy key: {key}"));
        if !args.silent
            && !crate::output::confirm("Have you added the deploy key to your repository")?
        {
            return Err(CommandError::user("aborting"));
        }
    }
    context
        .progress
        .action("applying secret with repository credentials");
    secret.apply(common, context)?;
    context.progress.success("authentication configured");
    Ok(())
}

fn spec(
    args: &Args,
    group: &Group,
    common: &Common,
    context: &Context,
) -> Result<Value, CommandError> {
    let url = args
        .url
        .as_deref()
        .ok_or_else(|| CommandError::user("url is required"))?;
    let parsed = url::Url::parse(url)
        .map_err(|error| CommandError::user(format!("git URL parse failed: {error}")))?;
    if !matches!(parsed.scheme(), "ssh" | "http" | "https") {
        return Err(CommandError::user(format!(
            "git URL scheme '{}' not supported, can be: ssh, http and https",
            parsed.scheme()
        )));
    }
    if parsed.scheme() == "http" {
        context
            .progress
            .warning("the connection over http is neither encrypted nor authenticated");
    }
    if parsed.password().is_some() {
        return Err(CommandError::user(
            "the URL holds a password: everyone who can read the object could read it",
        )
        .hint("put the credentials into a Secret and name it with --secret-ref"));
    }
    let mut spec = Map::new();
    spec.insert("interval".into(), json!(written(common.interval)));
    spec.insert("url".into(), json!(url));
    spec.insert("ref".into(), reference(args)?);
    if !group.fetch_timeout.is_zero() {
        spec.insert("timeout".into(), json!(written(group.fetch_timeout)));
    }
    if let Some(secret) = &args.secret_ref {
        spec.insert("secretRef".into(), json!({ "name": secret }));
    }
    if let Some(secret) = &args.proxy_secret_ref {
        spec.insert("proxySecretRef".into(), json!({ "name": secret }));
    }
    if let Some(provider) = &args.provider {
        spec.insert("provider".into(), json!(provider));
    }
    if args.recurse_submodules {
        spec.insert("recurseSubmodules".into(), json!(true));
    }
    let sparse: Vec<&String> = args.sparse_checkout_paths.iter().flatten().collect();
    if !sparse.is_empty() {
        spec.insert("sparseCheckout".into(), json!(sparse));
    }
    if let Some(ignore) = super::ignore(&args.ignore_paths) {
        spec.insert("ignore".into(), ignore);
    }
    Ok(Value::Object(spec))
}

/// The one reference to follow: a commit before a name, a range, a tag, a branch.
fn reference(args: &Args) -> Result<Value, CommandError> {
    Ok(match args {
        Args {
            commit: Some(commit),
            branch: Some(branch),
            ..
        } => json!({ "commit": commit, "branch": branch }),
        Args {
            commit: Some(commit),
            ..
        } => json!({ "commit": commit }),
        Args {
            ref_name: Some(name),
            ..
        } => json!({ "name": name }),
        Args {
            tag_semver: Some(range),
            ..
        } => json!({ "semver": range }),
        Args { tag: Some(tag), .. } => json!({ "tag": tag }),
        Args {
            branch: Some(branch),
            ..
        } => json!({ "branch": branch }),
        _ => {
            return Err(CommandError::user(
                "a Git ref is required, use one of the following: --branch, --commit, --ref-name, --tag or --tag-semver",
            ));
        }
    })
}

//! `create source git`: a Git repository to fetch from, with its Secret where credentials are given.

use std::time::Duration;

use serde_json::{Map, Value, json};

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
    fetch_timeout: Duration,
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
    /// Secret with the credentials
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
    let wanted = Wanted::new("GitRepository", name, spec(args, group, common, context)?)?;
    if common.export {
        return export(&wanted, common, context);
    }
    context.progress.generate("generating GitRepository source");
    apply(&wanted, common, context)
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
    let ignored: Vec<&str> = args
        .ignore_paths
        .iter()
        .flatten()
        .map(String::as_str)
        .collect();
    if !ignored.is_empty() {
        spec.insert("ignore".into(), json!(ignored.join("\n")));
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

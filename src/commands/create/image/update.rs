//! Implements `create image update`: writes the newest images to a Git repository.

use serde_json::json;
use sluice_golang::non_empty;

use crate::commands::create::{Creation, NewObject, put, required};
use crate::error::CommandError;
use crate::flags::Offer;

const KEY_TYPES: Offer = Offer(&["gpg", "ssh"]);

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Email of the commit author
    #[arg(long, value_name = "ADDRESS")]
    author_email: Option<String>,
    /// Name of the commit author
    #[arg(long, value_name = "NAME")]
    author_name: Option<String>,
    /// Branch to check out
    #[arg(long, value_name = "BRANCH")]
    checkout_branch: Option<String>,
    /// Go template of commit messages
    #[arg(long, value_name = "TEMPLATE")]
    commit_template: Option<String>,
    /// Namespace of the GitRepository [default: namespace of the object]
    #[arg(long, value_name = "NAMESPACE")]
    git_repo_namespace: Option<String>,
    /// Directory with the manifests to update [default: all]
    #[arg(long, value_name = "PATH")]
    git_repo_path: Option<String>,
    /// GitRepository to update
    #[arg(long, value_name = "NAME")]
    git_repo_ref: Option<String>,
    /// Branch to push to [default: the checkout branch]
    #[arg(long, value_name = "BRANCH")]
    push_branch: Option<String>,
    /// Secret with the commit signing key
    #[arg(long, value_name = "NAME")]
    signing_key_secret: Option<String>,
    /// Type of the signing key [default: gpg]
    #[arg(long, value_parser = KEY_TYPES, value_name = "TYPE")]
    signing_key_type: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let repository = required(
        args.git_repo_ref.as_deref(),
        "--git-repo-ref",
        "a reference to a GitRepository is required (--git-repo-ref)",
    )?;
    let branch = required(
        args.checkout_branch.as_deref(),
        "--checkout-branch",
        "the Git repository branch is required (--checkout-branch)",
    )?;
    let name = required(
        args.author_name.as_deref(),
        "--author-name",
        "the author name is required (--author-name)",
    )?;
    let email = required(
        args.author_email.as_deref(),
        "--author-email",
        "the author email is required (--author-email)",
    )?;
    let key = non_empty(args.signing_key_secret.as_deref());
    let key_type = non_empty(args.signing_key_type.as_deref());
    if let Some(key_type) = key_type {
        if key.is_none() {
            return Err(CommandError::user(
                "--signing-key-type requires --signing-key-secret",
            ));
        }
        if !KEY_TYPES.0.contains(&key_type) {
            return Err(CommandError::user(
                "--signing-key-type must be one of: gpg, ssh",
            ));
        }
    }
    let labels = creation.labels()?;
    let mut source = json!({ "kind": "GitRepository", "name": repository });
    put(&mut source, "namespace", args.git_repo_namespace.as_deref());
    let mut commit = json!({ "author": { "name": name, "email": email } });
    let template = args.commit_template.as_deref();
    put(&mut commit, "messageTemplate", template);
    if let Some(secret) = key {
        commit["signingKey"] = json!({ "secretRef": { "name": secret } });
        put(&mut commit["signingKey"], "type", key_type);
    }
    let mut git = json!({ "checkout": { "ref": { "branch": branch } }, "commit": commit });
    if let Some(branch) = non_empty(args.push_branch.as_deref()) {
        git["push"] = json!({ "branch": branch });
    }
    let mut spec = json!({ "git": git, "interval": creation.interval(), "sourceRef": source });
    if let Some(path) = non_empty(args.git_repo_path.as_deref()) {
        spec["update"] = json!({ "path": path, "strategy": "Setters" });
    }
    NewObject::new("ImageUpdateAutomation", labels, spec)
}

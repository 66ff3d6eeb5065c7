//! `cargo xtask commits`: runs the commit hook over the commits after a fixed start.
//!
//! A shallow clone lacks the start, and so does an export without git. The check is then skipped.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use sluice_system::fs;

/// Check the messages of commits with the commit hook
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Check the commits after this one
    #[arg(long, default_value = START, value_name = "COMMIT")]
    after: String,
}

/// The last commit before the hook became a check. Some earlier messages break its rules.
const START: &str = "19e0493e192eb7fe1f81920e431aed37b9e38031";

const HOOK: &str = ".githooks/commit-msg";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::repository();
    let Some(base) = git(root, &["merge-base", &arguments.after, "HEAD"])? else {
        println!(
            "    skipped: this clone lacks the commit {}",
            arguments.after
        );
        return Ok(());
    };
    let range = format!("{}..HEAD", base.trim());
    let commits = git(root, &["rev-list", "--no-merges", &range])?;
    let commits = commits.with_context(|| format!("list the commits {range}"))?;
    let mut faults = 0;
    for commit in commits.lines() {
        let message = git(root, &["show", "--no-patch", "--format=%B", commit])?;
        let message = message.with_context(|| format!("read the commit {commit}"))?;
        if let Err(fault) = judge(root, &message)? {
            let subject = message.lines().next().unwrap_or_default();
            println!("{commit} {subject}\n{fault}");
            faults += 1;
        }
    }
    if faults > 0 {
        bail!("{faults} commits break the rules of messages: reword them with git rebase");
    }
    Ok(())
}

/// Runs git and returns its output, or nothing if it fails.
fn git(root: &Path, arguments: &[&str]) -> Result<Option<String>> {
    let mut command = Command::new("git");
    let output = command.current_dir(root).args(arguments).output();
    let output = output.context("run git")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(output.status.success().then_some(text))
}

/// Returns the words of the hook about a message that it rejects.
fn judge(root: &Path, message: &str) -> Result<Result<(), String>> {
    let file = tempfile::NamedTempFile::new().context("create a file for the message")?;
    fs::write(file.path(), message)?;
    let mut hook = Command::new(root.join(HOOK));
    let output = hook.arg(file.path()).output();
    let output = output.with_context(|| format!("run {HOOK}"))?;
    let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Ok(if output.status.success() {
        Ok(())
    } else {
        Err(words)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(message: &str) -> String {
        let judged = judge(crate::repository(), message).unwrap();
        judged.err().unwrap_or_default()
    }

    #[test]
    fn message_is_judged_by_the_hook() {
        assert_eq!(words("area: do it\n\nWhy.\n"), "");
        assert!(words("do it\n\nWhy.\n").contains("names no area"));
        assert!(words("area: do it\n").contains("the body is missing"));
        let long = format!("area: {}\n\nWhy.\n", "x".repeat(80));
        assert!(words(&long).contains("86 characters"));
    }

    #[test]
    fn absent_start_is_skipped() {
        let after = "0".repeat(40);
        run(&Arguments { after }).unwrap();
    }
}

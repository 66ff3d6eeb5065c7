//! The commit that an automation would make, without Git: for the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use similar::TextDiff;
use sluice_system::fs;

use crate::message::{MessageError, TemplateData, render};
use crate::setter::Setters;
use crate::update::{FileFinding, UpdateError, update_directory};

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// A commit that is not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DryRun {
    /// The changes as a unified diff, empty if nothing changes.
    pub diff: String,
    /// The commit message. `None` if nothing changes.
    pub message: Option<String>,
    /// The findings at markers and in files.
    pub findings: Vec<FileFinding>,
    /// The new contents, by path from the root.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

/// The settings of an automation.
#[derive(Debug, Clone, Copy)]
pub struct Automation<'a> {
    /// Namespace of the automation.
    pub namespace: &'a str,
    /// Name of the automation.
    pub name: &'a str,
    /// The path to update.
    pub path: &'a str,
    /// The template of the message.
    pub template: &'a str,
    /// The values of the template.
    pub values: &'a BTreeMap<String, String>,
}

/// A dry run failed.
#[derive(Debug, thiserror::Error)]
pub enum DryRunError {
    /// The directory cannot be updated.
    #[error(transparent)]
    Update(UpdateError),
    /// A file cannot be compared.
    #[error("failed to compare a file")]
    Compare(#[source] fs::Error),
    /// The message cannot be rendered.
    #[error(transparent)]
    Message(MessageError),
}

/// Returns the diff and the message of the next commit. Writes nothing.
pub fn dry_run(
    root: &Path,
    setters: &Setters,
    automation: &Automation<'_>,
) -> Result<DryRun, DryRunError> {
    let update = update_directory(root, automation.path, setters).map_err(DryRunError::Update)?;
    let mut diff = String::new();
    for (path, new) in &update.files {
        let old = fs::read(root.join(path)).map_err(DryRunError::Compare)?;
        let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(new));
        let compared = TextDiff::from_lines(old.as_ref(), new.as_ref());
        let name = path.display();
        let hunks = compared
            .unified_diff()
            .context_radius(CONTEXT)
            .header(&format!("a/{name}"), &format!("b/{name}"))
            .to_string();
        diff.push_str(&hunks);
    }
    let data = TemplateData {
        namespace: automation.namespace,
        name: automation.name,
        changed: &update.result,
        values: automation.values,
    };
    let message = if update.result.is_empty() {
        None
    } else {
        Some(render(automation.template, &data).map_err(DryRunError::Message)?)
    };
    Ok(DryRun {
        diff,
        message,
        findings: update.findings,
        files: update.files,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a test writes files")]

    use sluice_api::image::{ImagePolicy, ImagePolicySpec, ImagePolicyStatus, ImageRef};

    use super::*;

    fn setters(tag: &str) -> Setters {
        let mut policy = ImagePolicy::new("p", ImagePolicySpec::default());
        policy.metadata.namespace = Some("ns".to_owned());
        policy.status = Some(ImagePolicyStatus {
            latest_ref: Some(ImageRef {
                name: "app".to_owned(),
                tag: tag.to_owned(),
                digest: None,
            }),
            ..ImagePolicyStatus::default()
        });
        Setters::of([&policy]).unwrap()
    }

    #[test]
    fn dry_run_shows_diff_message_and_findings() {
        let root = tempfile::tempdir().unwrap();
        let text = "# head\n\na: v1 # {\"$imagepolicy\": \"ns:p:tag\"}\nb: 1";
        std::fs::create_dir(root.path().join("apps")).unwrap();
        std::fs::write(root.path().join("apps/a.yaml"), text).unwrap();
        let values = BTreeMap::new();
        let automation = Automation {
            namespace: "ns",
            name: "auto",
            path: "apps",
            template: "{{ range .Changed.Changes }}{{ .OldValue }} to {{ .NewValue }}{{ end }}",
            values: &values,
        };
        let run = dry_run(root.path(), &setters("v2"), &automation).unwrap();
        assert_eq!(
            run.diff,
            "--- a/apps/a.yaml\n+++ b/apps/a.yaml\n@@ -1,4 +1,4 @@\n # head\n \n-a: v1 # {\"$imagepolicy\": \"ns:p:tag\"}\n+a: v2 # {\"$imagepolicy\": \"ns:p:tag\"}\n b: 1\n\\ No newline at end of file\n"
        );
        assert_eq!(run.message.as_deref(), Some("v1 to v2"));
        assert_eq!(
            run.findings[0].problem.to_string(),
            "line 3: updated by 'ns:p:tag'"
        );
        let run = dry_run(root.path(), &setters("v1"), &automation).unwrap();
        assert_eq!((run.diff.as_str(), run.message), ("", None));
        assert_eq!(
            run.findings[0].problem.to_string(),
            "line 3: up to date with 'ns:p:tag'"
        );
        // Nothing is written.
        let left = std::fs::read_to_string(root.path().join("apps/a.yaml"));
        assert_eq!(left.unwrap(), text);
    }
}

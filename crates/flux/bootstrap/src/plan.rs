//! The plan and the result of a bootstrap as data, for text or JSON.

use std::fmt::Write as _;

use serde::Serialize;

/// The changes of a bootstrap.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The repository.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// Whether the branch is created.
    pub is_new_branch: bool,
    /// The calls to the API of the host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<PlannedCall>,
    /// The commits.
    pub commits: Vec<PlannedCommit>,
    /// The definitions whose objects are migrated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub migrate: Vec<String>,
    /// The objects to apply because no controller runs.
    pub install: Vec<String>,
    /// The Deployments of another topology to delete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delete: Vec<String>,
    /// The Secret of the cluster.
    pub secret: Option<PlannedSecret>,
}

/// A call to the API of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedCall {
    /// `create`, `update` or `grant`.
    pub action: &'static str,
    /// Such as `deploy key`.
    pub what: &'static str,
    /// The object of the call.
    pub name: String,
}

/// A commit.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct PlannedCommit {
    /// The message.
    pub message: String,
    /// The changed files.
    pub files: Vec<PlannedFile>,
}

/// A file of a commit.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct PlannedFile {
    /// The path in the repository.
    pub path: String,
    /// `create` or `update`.
    pub action: &'static str,
}

/// A Secret to write.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct PlannedSecret {
    /// The name.
    pub name: String,
    /// `create` or `update`.
    pub action: &'static str,
    /// The names of its entries.
    pub entries: Vec<&'static str>,
}

/// The result of a bootstrap.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BootstrapResult {
    /// The repository.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The pushed commits.
    pub commits: Vec<String>,
    /// The Secret of the cluster.
    pub secret: String,
    /// The public key of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_key: Option<String>,
    /// The pull request to merge before the bootstrap goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
    /// The synced revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

impl Plan {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
            && self.commits.is_empty()
            && self.migrate.is_empty()
            && self.install.is_empty()
            && self.delete.is_empty()
            && self.secret.is_none()
    }

    /// The plan as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |parts: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{parts}");
        };
        let new = if self.is_new_branch { " (new)" } else { "" };
        line(format_args!("repository {}", self.repository));
        line(format_args!("branch {}{new}", self.branch));
        for call in &self.host {
            line(format_args!("{} {} {}", call.action, call.what, call.name));
        }
        for commit in &self.commits {
            let subject = commit.message.lines().next().unwrap_or_default();
            line(format_args!("commit and push \"{subject}\""));
            for file in &commit.files {
                line(format_args!("  {} {}", file.action, file.path));
            }
        }
        for definition in &self.migrate {
            line(format_args!("migrate the objects of {definition}"));
        }
        if !self.install.is_empty() {
            line(format_args!("apply {} objects", self.install.len()));
            for object in &self.install {
                line(format_args!("  {object}"));
            }
        }
        for object in &self.delete {
            line(format_args!("delete {object}"));
        }
        if let Some(secret) = &self.secret {
            let entries = secret.entries.join(", ");
            line(format_args!(
                "{} Secret/{} ({entries})",
                secret.action, secret.name
            ));
        }
        if self.is_empty() {
            line(format_args!("nothing to do"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_changes_nothing() {
        let mut plan = Plan {
            repository: "https://example.com/r".to_owned(),
            branch: "main".to_owned(),
            ..Plan::default()
        };
        assert!(plan.is_empty());
        let head = "repository https://example.com/r\nbranch main";
        assert_eq!(plan.to_text(), format!("{head}\nnothing to do\n"));
        plan.is_new_branch = true;
        plan.host.push(PlannedCall {
            action: "create",
            what: "repository",
            name: "https://example.com/r".to_owned(),
        });
        plan.commits.push(PlannedCommit {
            message: "Add Flux sync manifests\n\n[ci skip]".to_owned(),
            files: vec![PlannedFile {
                path: "flux-system/gotk-sync.yaml".to_owned(),
                action: "create",
            }],
        });
        plan.migrate
            .push("buckets.source.toolkit.fluxcd.io".to_owned());
        plan.install.push("Namespace/flux-system".to_owned());
        plan.delete.push("Deployment/flux-system/sluice".to_owned());
        plan.secret = Some(PlannedSecret {
            name: "flux-system/flux-system".to_owned(),
            action: "create",
            entries: vec!["username", "password"],
        });
        assert_eq!(
            plan.to_text(),
            format!(
                "{head} (new)\ncreate repository https://example.com/r\ncommit and push \"Add Flux sync manifests\"\n  create flux-system/gotk-sync.yaml\n\
                 migrate the objects of buckets.source.toolkit.fluxcd.io\napply 1 objects\n  Namespace/flux-system\n\
                 delete Deployment/flux-system/sluice\ncreate Secret/flux-system/flux-system (username, password)\n"
            )
        );
    }
}
